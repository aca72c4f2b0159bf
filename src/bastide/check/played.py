"""What a module does in games: random ones, looked at before and after every action"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from bastide.art import board_svg
from bastide.check.declared import usual_players
from bastide.check.effect import Effects
from bastide.check.finding import Broken, Finding, blame
from bastide.check.hidden import Hidden
from bastide.check.hooks import own_modules, watching
from bastide.check.kept import changed, everything_kept
from bastide.check.question import Questions
from bastide.errors import BastideError
from bastide.game import Game, Rng
from bastide.game.engine import Engine
from bastide.game.events import Event, Scored
from bastide.homes import Home
from bastide.notation.position import usual_supply
from bastide.rules.rules import Rules

OFTEN: Final = 10  # actions between two looks at what takes longer: texts, copies, secrets
EARLY: Final = 60  # actions: a moment in the middle of a game
ON: Final = 6  # actions that are played on from a position that was read
A_TILE: Final = 20  # actions: no game needs so many for each tile


def check_played(home: Home, rules: Rules, seed: int) -> Iterator[Finding]:
    """One random game; the first thing that is wrong ends it."""
    where = f"in a random game of {', '.join(rules.module_names)} for {rules.players}, seed {seed}"
    try:
        with watching(own_modules(home, rules)):
            Played(home, Game(rules, draws="by hand"), seed).play()
    except Broken as broken:
        yield Finding(broken.check, where, broken.says)
    except Exception as error:
        yield Finding("fails", where, f"expected no error, got {blame(error, home.folder)}")


class Played(Questions, Effects, Hidden):
    """A game that is played by chance and looked at after every action."""

    def __init__(self, home: Home, game: Game, seed: int) -> None:
        super().__init__(home, game, seed)
        self.kept = everything_kept(home, game.rules.modules)
        self.points: Counter[int] = Counter()
        self.add(game.first_events)

    def play(self) -> None:
        """The whole game."""
        game = self.game
        most = A_TILE * game.rules.shape.squares
        while not game.over:
            if len(game.history) == most:
                raise Broken(
                    "ends", f"expected the end of the game within {most} actions; it asks {self.asked()} again"
                )
            actions = self.look()
            self.check_secret_actions(actions)
            action = actions[self.rng.below(len(actions))]
            self.check_noted(action)
            self.add(self.carry_out(action))
            if len(game.history) % OFTEN == 0 or game.over:
                self.look_closer()
        if game.engine.tiles_waiting():
            raise Broken("ends", "expected `release_waiting_tiles` before the game ends, but tiles still wait")
        self.check_picture()
        if any(self.points[seat] != score for seat, score in enumerate(game.scores)):
            scored = [self.points[seat] for seat in range(len(game.scores))]
            raise Broken("points", f"expected the scores to be what was scored, {scored}, got {list(game.scores)}")

    def add(self, events: Sequence[Event]) -> None:
        """Counts points as they are told."""
        for event in events:
            if isinstance(event, Scored):
                self.points[event.seat] += event.points

    def look_closer(self) -> None:
        """Everything that is too slow for every action."""
        game = self.game
        self.check_state()
        self.check_pieces()
        if not game.over:
            self.check_refusals()
            self.check_secrets()
        self.check_same("copy", "a copy of the game", game.copy())
        self.check_position()
        if game.over or len(game.history) == EARLY:  # these play everything again
            self.check_same("copy", "the game, pickled and read again,", pickle.loads(pickle.dumps(game)))
            self.check_record()

    def check_state(self) -> None:
        """Modules have not changed."""
        name = changed(self.kept, everything_kept(self.home, self.game.rules.modules))
        if name:
            says = f"expected the module to keep nothing while games are played, but {name} changed"
            raise Broken("state", f"{says}; keep it in a field of the layout")

    def check_pieces(self) -> None:
        """What is in the supply, on the board and in fields that hold figures is what every player began with."""
        engine = self.game.engine
        for (seat, piece), number in usual_supply(engine).items():
            if engine.supply(seat, piece) != number:
                name = self.game.rules.layout.pieces[piece].name
                says = f"expected {number} of {name!r} in the supply of player {seat}, for so many are not elsewhere"
                raise Broken("pieces", f"{says}; got {engine.supply(seat, piece)}")

    def check_same(self, check: str, what: str, other: Game) -> None:
        """Another game is in the same position."""
        game = self.game
        if other != game or list(other.legal) != list(game.legal):
            raise Broken(check, f"expected {what} to be the same game, got a different one: {difference(game, other)}")

    def check_record(self) -> None:
        """The record gives the same game."""
        try:
            again = Game.from_record(self.game.record())
        except BastideError as error:
            raise Broken("record", f"expected a record that can be read, got {error}") from error
        self.check_same("record", "what the record says", again)

    def check_position(self) -> None:
        """The text of the position gives the same position, from which the game goes on alike."""
        game = self.game
        self.check_addresses()
        try:
            text = game.position()
            again = Game.from_position(text)
        except Broken:
            raise
        except Exception as error:
            says = f"expected a position that can be written and read, got {blame(error, self.home.folder)}"
            raise Broken("position", says) from error
        if again.position() != text or again.engine.key() != game.engine.key():
            raise Broken("position", f"expected the same position from its text, got {difference(game, again)}")
        if list(again.legal) != list(game.legal):
            raise Broken("position", "expected the same legal actions in a position that was read, got others")
        one, other = (played_on(twin, self.rng.x) for twin in (game.copy(), again))
        if one != other:
            raise Broken("position", "expected the game to go on alike from a position that was read; it does not")

    def check_addresses(self) -> None:
        """A field that holds a segment or a tile says so: their numbers mean nothing in another game."""
        values = self.fields()
        for field in self.game.rules.layout.fields:
            for held in {self.holds(value) for value in values[field.name]} if field.holds == "number" else ():
                if held:
                    says = f"expected the field {field.name!r} to be declared with holds={held!r}, for it holds one"
                    raise Broken("position", says)

    def check_picture(self) -> None:
        """The board can be drawn with everything that lies on it."""
        try:
            board_svg(self.game.board)
        except Exception as error:
            raise Broken("drawn", f"expected a picture of the board, got {blame(error, self.home.folder)}") from error


def difference(game: Game, other: Game) -> str:
    """The first line in which two positions differ."""
    lines = zip(game.position().splitlines(), other.position().splitlines(), strict=False)
    return next((f"{one!r} became {two!r}" for one, two in lines if one != two), "something no text shows")


def played_on(game: Game, seed: int) -> list[object]:
    """What happens when some random actions follow."""
    rng = Rng(seed)
    told: list[object] = []
    for _ in range(ON):
        if game.over:
            break
        told += [str(game.play(game.legal[rng.below(len(game.legal))])), game.scores]
    return told


def walk(engine: Engine, rng: Rng) -> int:
    """Plays a whole random game on an engine; returns the number of actions."""
    engine.reset()
    count = 0
    while number := engine.legal():
        engine.apply(engine.actions[rng.below(number)])
        count += 1
    return count


def numbers_of_players(rules: Rules) -> list[int]:
    """The fewest and the most players of a box, where they are not the usual number; and one alone."""
    spec = rules.choice.specs[-1]
    fewest, most = rules.choice.specs[0].fewest_and_most(rules.edition)
    return [players for players in dict.fromkeys((1, fewest, most)) if players != usual_players(spec)]
