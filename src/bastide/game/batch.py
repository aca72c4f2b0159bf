"""Many games at once. Every step plays one action in each; a game that ends is replaced by a new one at once."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.errors import IllegalAction, OptionError
from bastide.game.codes import Codes
from bastide.game.dealer import Dealer, Rng
from bastide.game.engine import Engine, new_engine, restored
from bastide.game.observation import Observer
from bastide.game.observation_writer import ObservationWriter
from bastide.game.seeds import mixed
from bastide.game.window import Window
from bastide.kernel.shape import zeros
from bastide.native import i64
from bastide.rules.position import OVER
from bastide.rules.rules import Rules

NUMBERINGS: Final = ("codes", "list", "window")  # how actions are numbered
LIST: Final = 1
WINDOW: Final = 2
SHOWN: Final = 128  # actions of a list that have a number


class Batch:
    """Games by the same rules. All vectors are written in place: `memoryview(batch.seats)` stays valid.

    Per game: `seats` who decides; `counts` how many actions are legal; `actions` what was played last; `ended` whether
    that ended the game; `done` whether a game ended since `clear_done`. Per game and player: `gains` points of the
    last step; `scores`; `finals` the scores of the last game that ended. Per game, `room` places: `legal` the numbers
    of its legal actions, in the engine's order; -1 for one that has none. Per game: `acting` who acted in the last
    step, `rewards` what it brought (`write_rewards`).
    """

    def __init__(self, rules: Rules, games: i64, seed: i64, numbering: str = "codes") -> None:
        if numbering not in NUMBERINGS:
            raise OptionError(f"actions: expected one of {', '.join(NUMBERINGS)}, got {numbering!r}")
        if games < 1:
            raise OptionError(f"games: expected one or more, got {games}")
        self.rules = rules
        self.games: i64 = games
        self.players: i64 = rules.players
        self.codes = Codes(rules)
        self.observer = Observer(rules)
        self.room: i64 = self.codes.room
        self.numbering: i64 = NUMBERINGS.index(numbering)
        self.window = Window(rules, games if self.numbering == WINDOW else 1)
        self.size: i64 = self.codes.size
        if self.numbering == LIST:
            self.size = SHOWN
        elif self.numbering == WINDOW:
            self.size = self.window.size
        self.writers: list[ObservationWriter] = []  # called when another game begins
        self.engines = vec[Engine]([new_engine(rules) for _game in range(games)])
        rngs = [Rng(mixed(seed, number)) for number in range(games)]
        self.dealers = vec[Dealer]([Dealer(rng) for rng in rngs])
        self.chooser = Rng(mixed(seed, "actions"))
        self.seats = zeros(games)
        self.counts = zeros(games)
        self.ended = zeros(games)
        self.done = zeros(games)
        self.actions = zeros(games)
        self.gains = zeros(games * self.players)
        self.scores = zeros(games * self.players)
        self.finals = zeros(games * self.players)
        self.legal = zeros(games * self.room)
        self.rows = zeros(0)  # see `observe`
        self.picked = zeros(games)  # scratch: per game, which of the legal actions is played
        self.acting = zeros(games)
        self.rewards = vec[float]([0.0] * games)
        self.paid = vec[float]([0.0] * (games * self.players))  # margins when rewards were written last
        for number in range(games):
            self.advance(number)

    def begin(self, number: i64, seed: i64) -> None:
        """Begins a new game in one place. The seed decides its tiles."""
        self.dealers[number] = Dealer(Rng(seed))
        self.engines[number].reset()
        self.invalidate(number)

    def invalidate(self, number: i64) -> None:
        """Discards everything cached about one game."""
        for writer in self.writers:
            writer.invalidate(number)
        self.ended[number] = 0
        self.done[number] = 0
        for player in range(self.players):
            self.gains[number * self.players + player] = 0
            self.scores[number * self.players + player] = self.engines[number].score_of(player)
        for player in range(self.players):
            self.paid[number * self.players + player] = self.margin(self.scores, number, player)
        if self.numbering == WINDOW:
            self.window.invalidate(number)
        self.advance(number)

    def save(self, number: i64) -> list[i64]:
        """One game as numbers, with its generator, for `load`."""
        return [self.dealers[number].rng.x, *list(self.engines[number].s)]

    def load(self, number: i64, saved: list[i64]) -> None:
        """Loads a saved game into any place of a batch with the same rules."""
        if len(saved) != len(self.engines[number].s) + 1:
            raise OptionError(f"expected a game of {len(self.engines[number].s) + 1} numbers, got {len(saved)}")
        rng = Rng(0)
        rng.x = saved[0]
        self.dealers[number] = Dealer(rng)
        self.engines[number] = restored(self.rules, saved[1:])
        self.invalidate(number)

    def advance(self, number: i64) -> None:
        """The dealer answers until a player must decide; then lists what is legal."""
        game = self.engines[number]
        dealer = self.dealers[number]
        while game.chance():
            game.apply(dealer.deal(game))
        game.trail_len = 0
        count = game.legal()
        self.seats[number] = game.player()
        at = number * self.room
        if self.numbering == LIST:
            if count > SHOWN:
                count = SHOWN
            for i in range(count):
                self.legal[at + i] = i
        elif self.numbering == WINDOW:
            self.window.follow(number, game)
            self.window.write_codes(number, game, count, self.legal, at)
        else:
            self.codes.write_codes(game, count, self.legal, at)
        self.counts[number] = count

    def step(self, codes: list[i64]) -> None:
        """Plays one action in each game, given by their codes. If one is illegal nothing is played anywhere."""
        if i64(len(codes)) != self.games:
            raise OptionError(f"actions: expected {self.games}, got {len(codes)}")
        for number in range(self.games):
            self.picked[number] = self.index(number, codes[number])
        for number in range(self.games):
            self.actions[number] = codes[number]
            self.acting[number] = self.seats[number]
            self.play(number)

    def margin(self, scores: vec[i64], number: i64, seat: i64) -> float:
        """A seat's points less the mean of the others'; alone, the points themselves."""
        others: i64 = 0
        for player in range(number * self.players, (number + 1) * self.players):
            others += scores[player]
        own = scores[number * self.players + seat]
        if self.players == 1:
            return float(own)
        return float(own) - float(others - own) / float(self.players - 1)

    def write_rewards(self, outcome: bool) -> None:
        """Writes `rewards`: how the margin of whoever acted has changed since the last call; or the outcomes of games
        that ended. What others did in a new game already counts the next time."""
        for number in range(self.games):
            seat = self.acting[number]
            ended = self.done[number] == 1
            if outcome:
                self.rewards[number] = self.outcome(number, seat) if ended else 0.0
                continue
            first = number * self.players
            last = self.margin(self.finals if ended else self.scores, number, seat)
            self.rewards[number] = last - self.paid[first + seat]
            for player in range(self.players):
                self.paid[first + player] = 0.0 if ended else self.margin(self.scores, number, player)

    def outcome(self, number: i64, seat: i64) -> float:
        """Of the last game that ended: 1 for the only best, 0 for several best, -1 for the others."""
        own = self.finals[number * self.players + seat]
        result = 1.0
        for player in range(self.players):
            other = self.finals[number * self.players + player]
            if other > own:
                return -1.0
            if other == own and player != seat:
                result = 0.0
        return result

    def index(self, number: i64, code: i64) -> i64:
        """The index of an action in the legal actions of a game. An illegal action is refused."""
        at = number * self.room
        count = self.counts[number]
        if self.numbering == LIST and 0 <= code < count:
            return code
        for i in range(count):
            if self.legal[at + i] == code and code >= 0:
                return i
        raise IllegalAction("code", f"game {number}: the action {code} is not legal now")

    def step_some(self, numbers: list[i64], codes: list[i64]) -> None:
        """Plays one action in each of some games. If one is illegal nothing is played anywhere."""
        if len(numbers) != len(codes) or len(set(numbers)) != len(numbers):
            raise OptionError(f"expected one action for each of {len(numbers)} different games, got {len(codes)}")
        for number, code in zip(numbers, codes, strict=True):
            self.picked[number] = self.index(number, code)
        for number, code in zip(numbers, codes, strict=True):
            self.actions[number] = code
            self.play(number)

    def play_random(self, seats: list[i64]) -> None:
        """Plays random actions for all other seats until this seat must decide in each game."""
        for number in range(self.games):
            while self.seats[number] != seats[number]:
                self.picked[number] = self.chooser.below(self.counts[number])
                self.play(number)

    def unseen(self, number: i64) -> list[i64]:
        """How many tiles of each type can come next, for all that whoever decides knows."""
        game = self.engines[number]
        self.observer.row(game, self.seats[number])
        first = self.observer.unseen
        mark = game.trail_len
        pile = game.next_pile()
        game.undo(mark)
        start = game.tables.pile_first[pile]
        end = game.tables.pile_end[pile]
        return [self.observer.buffer[first + kind] if start <= kind < end else 0 for kind in range(self.rules.types)]

    def numbering_name(self) -> str:
        """The name of the numbering of actions, as given to the constructor."""
        return NUMBERINGS[self.numbering]

    def restore(self, finals: list[i64], paid: list[float]) -> None:
        """Restores the scores of the last finished games and the margins at the last rewards."""
        for i in range(self.games * self.players):
            self.finals[i] = finals[i]
            self.paid[i] = paid[i]

    def clear_done(self) -> None:
        """Clears `done`, which then collects the games that end from now on."""
        for number in range(self.games):
            self.done[number] = 0

    def show(self, writer: ObservationWriter) -> None:
        """Writes, for each game, what the seat to move sees."""
        for number in range(self.games):
            writer.write(number, self.engines[number], self.seats[number], self.counts[number])

    def show_to(self, writer: ObservationWriter, seats: list[i64]) -> None:
        """Writes what these seats see, one seat for each game."""
        for number in range(self.games):
            count = self.counts[number]
            if seats[number] != self.seats[number]:
                count = 0
            writer.write(number, self.engines[number], seats[number], count)

    def random_step(self) -> None:
        """Plays a random legal action in each game, all with the same probability. `actions` has those played."""
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
            self.done[number] = 1
            for writer in self.writers:
                writer.invalidate(number)
            if self.numbering == WINDOW:
                self.window.invalidate(number)
            for player in range(self.players):
                self.scores[first + player] = 0
        self.advance(number)

    def observe(self) -> vec[i64]:
        """Every game as its seat to move sees it, one row of `observer.size` numbers each.

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
