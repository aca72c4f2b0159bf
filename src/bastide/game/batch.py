"""Many games at once, each one action further with every step; a game that ends begins anew at once."""

from __future__ import annotations

from librt.vecs import vec

from bastide.errors import IllegalAction, OptionError
from bastide.game.codes import Codes
from bastide.game.dealer import Dealer, Rng
from bastide.game.engine import Engine, new_engine
from bastide.game.observation import Observer
from bastide.game.seeds import mixed
from bastide.kernel.shape import zeros
from bastide.native import i64
from bastide.rules.position import OVER
from bastide.rules.rules import Rules


class Batch:
    """Games by the same rules. All vectors are written in place: `memoryview(batch.seats)` stays valid.

    Per game: `seats` who decides; `counts` how many actions are legal; `actions` what was played last; `ended` whether
    that ended the game. Per game and player: `gains` points of the last step; `scores`; `finals` the scores of the last
    game that ended. Per game, `room` places: `legal` the codes of its legal actions, in the engine's order.
    """

    def __init__(self, rules: Rules, games: i64, seed: i64) -> None:
        if games < 1:
            raise OptionError(f"games: expected one or more, got {games}")
        self.rules = rules
        self.games: i64 = games
        self.players: i64 = rules.players
        self.codes = Codes(rules)
        self.observer = Observer(rules)
        self.room: i64 = self.codes.room
        self.size: i64 = self.codes.size
        self.engines = vec[Engine]([new_engine(rules) for _game in range(games)])
        rngs = [Rng(mixed(seed, number)) for number in range(games)]
        self.dealers = vec[Dealer]([Dealer(rng) for rng in rngs])
        self.chooser = Rng(mixed(seed, "actions"))
        self.seats = zeros(games)
        self.counts = zeros(games)
        self.ended = zeros(games)
        self.actions = zeros(games)
        self.gains = zeros(games * self.players)
        self.scores = zeros(games * self.players)
        self.finals = zeros(games * self.players)
        self.legal = zeros(games * self.room)
        self.rows = zeros(0)  # see `observe`
        self.picked = zeros(games)  # scratch: per game, which of the legal actions is played
        for number in range(games):
            self.engines[number].reset()
            self.go_on(number)

    def go_on(self, number: i64) -> None:
        """The dealer answers until a player must decide; then lists what is legal."""
        game = self.engines[number]
        dealer = self.dealers[number]
        while game.chance():
            game.apply(dealer.deal(game))
        game.trail_len = 0
        count = game.legal()
        self.counts[number] = count
        self.seats[number] = game.player()
        self.codes.write_codes(game, count, self.legal, number * self.room)

    def step(self, codes: list[i64]) -> None:
        """Plays one action in each game, given by their codes. If one is illegal nothing is played anywhere."""
        if i64(len(codes)) != self.games:
            raise OptionError(f"actions: expected {self.games}, got {len(codes)}")
        for number in range(self.games):
            code = codes[number]
            at = number * self.room
            i: i64 = 0
            count = self.counts[number]
            while i < count and self.legal[at + i] != code:
                i += 1
            if i == count:
                raise IllegalAction("code", f"game {number}: the action {code} is not legal now")
            self.picked[number] = i
        for number in range(self.games):
            self.actions[number] = codes[number]
            self.play(number)

    def random_step(self) -> None:
        """Plays a legal action in each game, all with the same probability; `actions` tells which."""
        for number in range(self.games):
            i = self.chooser.below(self.counts[number])
            self.picked[number] = i
            self.actions[number] = self.legal[number * self.room + i]
        for number in range(self.games):
            self.play(number)

    def play(self, number: i64) -> None:
        """One game, one action; what is legal is listed in the engine as well, since nothing was asked since."""
        game = self.engines[number]
        game.apply(game.actions[self.picked[number]])
        dealer = self.dealers[number]
        while game.chance():
            game.apply(dealer.deal(game))
        over = game.question() == OVER
        self.ended[number] = 1 if over else 0
        first = number * self.players
        for player in range(self.players):
            points = game.score_of(player)
            self.gains[first + player] = points - self.scores[first + player]
            self.scores[first + player] = points
            if over:
                self.finals[first + player] = points
        if over:
            game.reset()
            for player in range(self.players):
                self.scores[first + player] = 0
        self.go_on(number)

    def observe(self) -> vec[i64]:
        """Every game through the eyes of whoever decides in it, one row of `observer.size` numbers each.

        The rows are always the same vector, written over each time: a view of it stays valid.
        """
        size = self.observer.size
        if i64(len(self.rows)) == 0:
            self.rows = zeros(self.games * size)
        for number in range(self.games):
            self.observer.write_row(self.engines[number], self.seats[number], self.rows, number * size)
        return self.rows


def random_steps(batch: Batch, steps: i64) -> i64:
    """Random steps in all games; returns how many games ended."""
    ended: i64 = 0
    for _step in range(steps):
        batch.random_step()
        for number in range(batch.games):
            ended += batch.ended[number]
    return ended
