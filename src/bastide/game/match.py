"""One game for a learner, on the engine alone: no texts, no checks, a dealer that draws by itself."""

from __future__ import annotations

from bastide.game.dealer import Dealer, Rng
from bastide.game.engine import new_engine, restored
from bastide.game.observation_writer import ObservationWriter
from bastide.native import i64
from bastide.rules.position import OVER
from bastide.rules.rules import Rules


class Match:
    """A game by its seed: the same that `Game(rules, seed=seed)` plays, action by action.

    An action is an index into the list of legal actions. `history` has those played so far.
    """

    def __init__(self, rules: Rules, seed: i64) -> None:
        self.rules = rules
        self.engine = new_engine(rules)
        self.rng = Rng(0)
        self.dealer = Dealer(self.rng)
        self.count: i64 = 0  # actions that are legal now
        self.over: bool = False
        self.seat: i64 = 0  # who decides
        self.seed: i64 = 0
        self.history: list[i64] = []
        self.begin(seed)

    def begin(self, seed: i64) -> None:
        """A new game."""
        self.seed = seed
        self.rng = Rng(seed)
        self.dealer = Dealer(self.rng)
        self.history = []
        self.engine.reset()
        self.advance()

    def advance(self) -> None:
        """The dealer answers until a player must decide; then lists what is legal."""
        game = self.engine
        while game.chance():
            game.apply(self.dealer.deal(game))
        game.trail_len = 0
        self.count = game.legal()
        self.over = game.question() == OVER
        self.seat = game.player()

    def play(self, index: i64) -> None:
        """Plays a legal action; `index` is trusted."""
        self.history.append(index)
        self.engine.apply(self.engine.actions[index])
        self.advance()

    def play_random(self, seat: i64, rng: Rng) -> None:
        """Plays random actions for all other seats until this seat must decide or the game is over."""
        while not self.over and self.seat != seat:
            self.play(rng.below(self.count))

    def scores(self) -> tuple[int, ...]:
        """Points of all players."""
        return tuple([int(self.engine.score_of(player)) for player in range(self.rules.players)])

    def show(self, writer: ObservationWriter, seat: i64) -> None:
        """Writes what a seat sees."""
        count = self.count
        if seat != self.seat:
            count = 0
        writer.write(0, self.engine, seat, count)

    def __reduce__(self) -> tuple[object, ...]:
        return restored_match, (self.rules, self.seed, list(self.engine.s), self.rng.x, list(self.history))


def restored_match(rules: Rules, seed: i64, state: list[i64], generator: i64, history: list[i64]) -> Match:
    """Restores a pickled or copied match."""
    match = Match(rules, seed)
    match.engine = restored(rules, state)
    match.rng.x = generator
    match.history = history
    match.advance()
    return match
