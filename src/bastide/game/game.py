"""Game: checks every action, explains what is illegal, keeps the history, draws tiles."""
# interpreted: speaks to people

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Unpack

from bastide.errors import BastideError, EngineLimit, IllegalAction, OptionError
from bastide.game.actions import Action, Fields, action_of
from bastide.game.board import Board, Region, node_at, region_of, regions, tokens_of
from bastide.game.checked import (
    as_action,
    check_kinds,
    checked_draws,
    checked_list,
    checked_names,
    checked_seat,
    checked_seed,
)
from bastide.game.dealer import Dealer, Rng
from bastide.game.engine import new_engine
from bastide.game.events import Drawn, Ended, Event
from bastide.game.explain import why_not
from bastide.game.legal import LegalActions
from bastide.game.outcome import Outcome
from bastide.game.reporter import Reporter, first_counts
from bastide.game.seats import CHANCE, SPECTATOR
from bastide.game.secrets import secrets_of
from bastide.game.start import Start, lay_start
from bastide.game.state import State
from bastide.game.texts import texts
from bastide.geometry import Cell
from bastide.kernel.offsets import F_QUESTION, TOP
from bastide.rules.module import Token
from bastide.rules.position import DRAW, OVER, PLACE
from bastide.rules.rules import Rules
from bastide.rules.spec import Spec, Value

if TYPE_CHECKING:
    from bastide.game.view import View

COLOURS = ("red", "blue", "green", "yellow", "black", "white", "orange", "purple")


class Game:
    """One game of 1 to 8 players.

    Tiles are drawn automatically. The `seed` decides which: the same seed gives the same tiles again. With
    `draws="by hand"` somebody plays `draw D`. In a scripted game, which is drawn by hand too, any tile may come in any
    number. `start` lays other tiles than usual; they come out of the bag.

    `engine` is the position itself, for reading. Changing it directly (`game.engine.apply`) breaks
    the game; for a search there is `state()`.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        names: Sequence[str] = (),
        seed: int | None = None,
        draws: Literal["by seed", "by hand"] = "by seed",
        scripted: bool | None = None,
        start: Sequence[Start] = (),
        edition: str = "",
        modules: Sequence[str | Spec] = (),
        players: int = 0,
        preset: str = "",
        **options: Value,
    ) -> None:
        check_kinds(players, edition, preset, scripted)
        names = checked_list("names", names)
        if rules is None:
            count = players or len(names) or 2
            rules = Rules.of(edition, modules=modules, players=count, preset=preset, scripted=bool(scripted), **options)
        elif edition or modules or players or preset or options:
            raise OptionError("give either rules or what they are made of, not both")
        elif not isinstance(rules, Rules):
            raise OptionError(f"rules: expected Rules, got {rules!r}")
        self.rules = rules if scripted is None else rules.with_scripted(scripted)
        self.names = checked_names(names or COLOURS[: self.rules.players], self.rules.players)
        by_hand = checked_draws(draws) or self.rules.scripted
        self.seed = checked_seed(seed, by_hand)
        self.start = checked_list("start", start)
        self.began_at: tuple[str, ...] = ()  # the lines of the position where it began, if not at a beginning
        self.history: list[tuple[int, Action]] = []
        self.secret_draws: list[bool] = []  # per action: is it a draw that only one player sees?
        self.engine = new_engine(self.rules)
        if self.start:
            lay_start(self.engine, self.start)
        self._marks: list[tuple[int, int, bool]] = []  # per action: trail, generator before it; dealt by itself?
        self._rng = Rng(self.seed or 0)
        self._dealer = None if self.seed is None else Dealer(self._rng)
        self._stopped_at: int | None = None  # length of the trail before the game was ended by hand
        self._legal: LegalActions | None = None
        self.moment = 0  # grows with every change, also when something is taken back
        # what lay on the table and was drawn before anybody had to decide
        self.first_events: list[Event] = first_counts(self.engine) + self._deal()

    # --- what can be asked
    @property
    def legal(self) -> LegalActions:
        """Everything that can be done now."""
        if self._legal is None:
            self._legal = LegalActions(self)
        return self._legal

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return bool(self.engine.question() == OVER)

    @property
    def seat(self) -> int:
        """Who decides now; CHANCE for a draw."""
        return CHANCE if self.engine.chance() else self.engine.player()

    @property
    def turn(self) -> int:
        """Whose turn it is, whoever decides now; for a draw, who gets it."""
        return self.engine.player() if self.engine.chance() else self.engine.active_player()

    @property
    def tile(self) -> str | None:
        """The tile that is to be placed now."""
        top = self.engine.s[TOP]
        return self.rules.tiles[self.engine.subject()].id if self.engine.s[top + F_QUESTION] == PLACE else None

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of all players."""
        return tuple(self.engine.score_of(seat) for seat in range(self.rules.players))

    @property
    def outcome(self) -> Outcome | None:
        """The ranking, once the game is over."""
        if not self.over:
            return None
        reason = "tiles" if self._stopped_at is None else "stopped"
        return Outcome.of(self.scores, reason, self._first() if self.rules.layout.first_loses_ties else None)

    @property
    def tiles_left(self) -> int:
        """Tiles that will still be drawn in turns, those that wait for something included."""
        piles = range(self.rules.tables.main_piles)
        return sum(self.engine.tiles_left(pile) for pile in piles) + self.engine.tiles_waiting()

    @property
    def board(self) -> Board:
        """The tiles and pieces as they lie now."""
        return Board(self.engine)

    @property
    def tokens(self) -> list[Token]:
        """What else lies on the table: goods, sheep, followers on a wheel."""
        return tokens_of(self.engine)

    def supply(self, seat: int) -> dict[str, int]:
        """The pieces that a player can still place."""
        checked_seat(seat, len(self.names))
        return {piece.name: self.engine.supply(seat, number) for number, piece in enumerate(self.rules.layout.pieces)}

    def secrets(self, seat: int) -> tuple[str, ...]:
        """What a player holds hidden from the others."""
        return tuple(secrets_of(self.engine, checked_seat(seat, len(self.names))))

    def state(self) -> State:
        """The position for a program that searches, with everything that is hidden; see `View.imagine`."""
        return State(self.rules, self.engine.clone())

    def view(self, seat: int = SPECTATOR) -> View:
        """The game through the eyes of a seat, or of a SPECTATOR."""
        from bastide.game.view import View

        return View(self, seat)

    def region(self, cell: Cell, spot: str) -> Region:
        """The region at a spot such as `city N` of the tile on a cell."""
        node = node_at(self.engine, cell, spot)
        if node is None:
            raise IllegalAction("spot", f"there is no {spot} on {cell[0]},{cell[1]}")
        return region_of(self.engine, node)

    @property
    def regions(self) -> list[Region]:
        """All regions on the board."""
        return regions(self.engine)

    def explain(self, action: Action | str) -> str | None:
        """Why an action is illegal now; nothing if it is legal."""
        wanted = as_action(action)
        return None if self.legal.number(wanted) is not None else why_not(self.engine, wanted)[1]

    def find(self, verb: str, **fields: Unpack[Fields]) -> Action:
        """The one legal action that has these fields: `find("place", cell=(1, 0))`; refused if there is no such one."""
        return self.legal.find(verb, **fields)

    # --- what can be done
    def play(self, action: Action | str) -> list[Event]:
        """Carries out a legal action and tells what happened. An illegal one is refused, and nothing changes."""
        wanted = as_action(action)
        number = self.legal.number(wanted)
        if number is None:
            raise IllegalAction(*why_not(self.engine, wanted))
        if wanted.verb == "place" and self.engine.squares() == self.rules.shape.squares:
            raise EngineLimit(f"a scripted game has room for {self.rules.shape.squares} tiles")
        before = len(self._marks)
        try:
            return self._apply(number, wanted, False) + self._deal()
        except BaseException:  # a module failed in the middle, or while tiles were drawn: nothing was asked
            self._rewind(before)
            raise

    def deal_on(self, seed: int) -> list[Event]:
        """From now on the game draws tiles by itself; returns the events of the first draw."""
        self.seed = checked_seed(seed, self.rules.scripted)
        self._rng = Rng(seed)
        self._dealer = Dealer(self._rng)
        return self._deal()

    # --- texts
    def record(self, title: str = "") -> str:
        """Everything that was played, as the text of a record (docs/notation.md)."""
        return texts().write_record(self, title)

    @staticmethod
    def from_record(text: str, seed: int | None = None) -> Game:
        """The game at the end of a record; with a seed, tiles are drawn by themselves from there on."""
        return texts().read_record(text, seed)

    def position(self) -> str:
        """The position as text, hidden things included: everything about it and nothing about the past."""
        return texts().write_position(self, None)

    @staticmethod
    def from_position(text: str, seed: int | None = None) -> Game:
        """A game that begins at a position; with a seed, tiles are drawn by themselves."""
        return texts().read_position(text, seed)

    def undo(self) -> Action | None:
        """Takes the last action back, with the draws that were made for it; after `finish` only that, which is None."""
        if self._stopped_at is not None:
            self.engine.undo(self._stopped_at)
            self._stopped_at = None
            self._changed()
            return None
        if all(dealt for *_, dealt in self._marks):
            raise IllegalAction("nothing")
        last = max(n for n, (*_, dealt) in enumerate(self._marks) if not dealt)
        _, action = self.history[last]
        self._rewind(last)
        return action

    def _rewind(self, count: int) -> None:
        """Undoes until so many actions remain."""
        if len(self._marks) > count:
            mark, self._rng.x, _ = self._marks[count]
            self.engine.undo(mark)
        del self._marks[count:], self.history[count:], self.secret_draws[count:]
        self._changed()

    def copy(self, past: bool = True) -> Game:
        """An independent game in the same position; without its past it begins there, and nothing can be undone."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.engine = self.engine.copy_with_trail()
        twin.history = self.history[:]
        twin.secret_draws = self.secret_draws[:]
        twin._marks = self._marks[:]
        twin._rng = Rng(0)
        twin._rng.x = self._rng.x
        twin._dealer = None if self._dealer is None else Dealer(twin._rng)
        twin._legal = None
        if not past:
            twin.began_at = texts().position_lines(self)
            twin.history, twin.secret_draws, twin._marks, twin.first_events = [], [], [], []
            twin.engine = self.engine.clone()
        return twin

    def finish(self) -> list[Event]:
        """Ends a scripted game here, with the final scoring."""
        if not self.rules.scripted:
            raise IllegalAction("scripted")
        if self.over:
            raise IllegalAction("over")
        engine = self.engine
        mark = engine.trail_len
        reporter = engine.listener = Reporter(engine)
        try:
            engine.finish()
        except BaseException:  # a module failed: the game goes on
            engine.undo(mark)
            raise
        finally:
            engine.listener = None
            self._changed()
        self._stopped_at = mark
        return [*reporter.all_events(), self._ended()]

    # --- within
    def _apply(self, number: int, action: Action, dealt: bool) -> list[Event]:
        """Applies one action, adds it to the history, and reports it."""
        engine = self.engine
        was_chance = engine.chance()
        self.history.append((engine.player(), action))
        self.secret_draws.append(self.rules.layout.is_secret(engine.question()))
        self._marks.append((engine.trail_len, self._rng.x, dealt))
        reporter = Reporter(engine)
        if was_chance and engine.question() != DRAW:
            reporter.events.append(Drawn(engine.player(), action.tile or "", self.secret_draws[-1]))
        engine.listener = reporter
        try:
            engine.apply(number)
        finally:
            engine.listener = None
            self._changed()
        return [*reporter.all_events(), self._ended()] if self.over else reporter.all_events()

    def _changed(self) -> None:
        """Invalidates everything that was read from the position before."""
        self._legal = None
        self.moment += 1

    def _ended(self) -> Ended:
        outcome = self.outcome
        assert outcome is not None
        return Ended(outcome)

    def _deal(self) -> list[Event]:
        """The dealer answers for chance until somebody must decide."""
        events: list[Event] = []
        while self._dealer is not None and self.engine.chance():
            number = self._dealer.deal(self.engine)
            events += self._apply(number, action_of(self.engine, number), True)
        return events

    def _first(self) -> int:
        """The seat that began."""
        field = self.rules.layout.first_seat
        return 0 if field is None else int(self.engine.s[field])

    def __reduce__(self) -> tuple[object, ...]:
        past = [str(action) for _, action in self.history], [dealt for *_, dealt in self._marks]
        began = self.start, self.began_at
        return restored, (self.rules, self.names, self.seed, began, past, self._rng.x, self._stopped_at is not None)

    def __eq__(self, other: object) -> bool:
        """The same rules, players, position and earlier actions; how tiles are drawn does not count."""
        return isinstance(other, Game) and self._identity() == other._identity()

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def _identity(self) -> tuple[object, ...]:
        return self.rules.choice, self.names, self.engine.key(), self.began_at, self.history

    def __repr__(self) -> str:
        try:
            return f"Game.from_record({self.record()!r})"
        except BastideError:  # a module that cannot be found by name
            return f"<Game of {', '.join(self.rules.module_names)}: {len(self.board)} tiles, scores {self.scores}>"

    def __str__(self) -> str:
        return texts().draw(self)


def restored(
    rules: Rules,
    names: tuple[str, ...],
    seed: int | None,
    began: tuple[tuple[Start, ...], tuple[str, ...]],
    past: tuple[list[str], list[bool]],
    generator: int,
    stopped: bool,
) -> Game:
    """A game as it was pickled: the same actions played again."""
    start, position = began
    game = Game(rules, names=names, draws="by hand", start=start)
    if position:
        texts().begin_at(game, position)
    for text, dealt in zip(*past, strict=True):
        game.play(text)
        mark, number, _ = game._marks[-1]
        game._marks[-1] = mark, number, dealt
    game.seed = seed
    game._rng.x = generator
    game._dealer = None if seed is None else Dealer(game._rng)
    if stopped:
        game.finish()
    return game
