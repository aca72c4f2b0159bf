"""State: a position to search in. Faster than Game, which checks and keeps a history; safer than the engine."""

from __future__ import annotations

from bastide.errors import IllegalAction
from bastide.game.actions import Action, action_of
from bastide.game.checked import as_action, checked_fields
from bastide.game.dealer import Dealer, Rng, playout
from bastide.game.engine import Engine, new_engine
from bastide.game.seats import CHANCE
from bastide.kernel.offsets import KIND, LAST, OPEN, PARENT, SCORE, SIZE, STRENGTH
from bastide.native import i64
from bastide.rules.rules import Rules


class RegionNumbers:
    """A region of a State in plain numbers. Its `root` names it as long as the position does not change."""

    def __init__(
        self,
        root: int,
        kind: str,
        tiles: int,
        segments: int,
        open: int,
        complete: bool,
        weights: tuple[int, ...],
        points: int,
    ) -> None:
        self.root = root
        self.kind = kind  # city, road, field ...
        self.tiles = tiles  # how many different tiles it lies on
        self.segments = segments  # and how many parts it has on them
        self.open = open  # open edges, or empty cells around it; 0 for what never closes
        self.complete = complete
        self.weights = weights  # per seat: what its followers weigh
        self.points = points  # what it would score now, as it is; what single winners get besides is left out

    def _values(self) -> tuple[object, ...]:
        return self.root, self.kind, self.tiles, self.segments, self.open, self.complete, self.weights, self.points

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RegionNumbers) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __reduce__(self) -> tuple[object, ...]:
        return RegionNumbers, self._values()

    def __repr__(self) -> str:
        return (
            f"RegionNumbers(root={self.root}, kind={self.kind!r}, tiles={self.tiles}, segments={self.segments}, "
            f"open={self.open}, complete={self.complete}, weights={self.weights}, points={self.points})"
        )


class State:
    """One position, for programs that try out millions of actions. An action is a number.

    The numbers come from `legal()` or `outcomes()` and belong to this very position; `apply` trusts them. `action` and
    `number` translate. Nothing is dealt by itself: where `chance` is true, apply one of the `outcomes()`.

    Two states are equal when everything that can follow is the same, whatever happened before (see `key`).
    """

    def __init__(self, rules: Rules, engine: Engine | None = None) -> None:
        """The beginning of a game with these rules. `engine` is for Bastide itself: `game.state()` gives that state."""
        self.rules = rules
        self.engine = new_engine(rules) if engine is None else engine
        self._marks: list[int] = []  # per action applied: how long the trail was before
        self._spare: Engine | None = None  # where playouts are played

    # --- who decides, and what
    @property
    def seat(self) -> int:
        """Who decides now; CHANCE for a draw."""
        return CHANCE if self.engine.chance() else self.engine.player()

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return self.engine.question() == 0

    @property
    def chance(self) -> bool:
        """Is something drawn now?"""
        return self.engine.chance()

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of all players."""
        engine = self.engine
        return tuple([int(engine.s[SCORE + player]) for player in range(engine.players)])

    def legal(self) -> list[int]:
        """The numbers of everything that can be done now; none if the game is over."""
        engine = self.engine
        found: list[int] = []
        for i in range(engine.legal()):
            found.append(engine.actions[i])
        return found

    def outcomes(self) -> list[tuple[int, int]]:
        """What can be drawn now: numbers, each with its weight."""
        engine = self.engine
        if not engine.chance():
            raise IllegalAction("question", "nothing is drawn now")
        found: list[tuple[int, int]] = []
        for i in range(engine.legal()):
            found.append((engine.actions[i], engine.weights[i]))
        return found

    def action(self, number: int) -> Action:
        """The action that a legal number stands for."""
        return action_of(self.engine, number)

    def number(self, action: Action | str) -> int:
        """The number of a legal action."""
        wanted = checked_fields(as_action(action))
        for number in self.legal():
            if action_of(self.engine, number) == wanted:
                return number
        raise IllegalAction("question", f"{wanted} is not legal now")

    # --- trying out
    def apply(self, number: int) -> None:
        """Carries out an action. The number must be one of `legal()`: it is not checked."""
        self._marks.append(self.engine.trail_len)
        self.engine.apply(number)

    def undo(self, steps: int = 1) -> None:
        """Takes back the last actions; only those that were applied to this state."""
        if steps < 0 or steps > len(self._marks):
            raise IllegalAction("nothing", f"{len(self._marks)} actions can be taken back, not {steps}")
        if steps:
            at = len(self._marks) - steps
            self.engine.undo(self._marks[at])
            del self._marks[at:]

    def clone(self) -> State:
        """An independent state in the same position; what was applied before cannot be taken back in it."""
        return State(self.rules, self.engine.clone())

    def __copy__(self) -> State:
        return self.clone()

    def playout(self, seed: int) -> tuple[int, ...]:
        """The scores after random play to the end; the state stays as it is. A scripted game has no end: refused."""
        if self.rules.scripted:
            raise IllegalAction("scripted", "a scripted game has no end, so it cannot be played out")
        spare = self._spare
        if spare is None:
            spare = self._spare = self.engine.clone()
        spare.copy_from(self.engine)
        rng = Rng(seed)
        playout(spare, rng, Dealer(rng), 1 << 30)
        return tuple([int(spare.s[SCORE + player]) for player in range(spare.players)])

    # --- what the position is
    def key(self) -> bytes:
        """Equal for two states by the same rules exactly when everything that can follow is the same.

        The order in which tiles were laid is no part of it, so `legal()` may list the same actions in another order.
        Numbers of modules' own actions may differ too: a table with these keys should store an `Action` instead.
        """
        return self.engine.key()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.rules.choice == other.rules.choice and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def regions(self) -> list[RegionNumbers]:
        """Every region on the board, in the order in which their first tiles were laid."""
        engine = self.engine
        s = engine.s
        found: list[RegionNumbers] = []
        block = engine.shape.blocks
        last = s[LAST]
        while block <= last:
            end = engine.next_block(block)
            node = engine.node(block, 0)
            while node < end:
                if s[node + PARENT] == node:
                    found.append(self._region(node))
                node += engine.stride
            block = end
        return found

    def _region(self, root: i64) -> RegionNumbers:
        engine = self.engine
        s = engine.s
        kind = s[root + KIND]
        complete = s[root + OPEN] == 0
        tiles = engine.count_tiles(root)
        weights = self.rules.no_weights
        if s[root + STRENGTH]:
            weights = tuple([int(engine.strength(root, player)) for player in range(engine.players)])
        points = engine.points_now(root, kind, complete, tiles)
        open_edges = s[root + OPEN] if self.rules.kind_closes[kind] else 0
        return RegionNumbers(
            root, self.rules.kind_names[kind], tiles, s[root + SIZE], open_edges, complete, weights, points
        )

    def __reduce__(self) -> tuple[object, ...]:
        return State, (self.rules, self.engine)

    def __repr__(self) -> str:
        return f"<State: {self.engine.squares()} tiles, scores {self.scores}, {'over' if self.over else self.seat}>"
