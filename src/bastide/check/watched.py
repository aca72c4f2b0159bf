"""A random game that is looked at after every action: what all checks of it need"""

from __future__ import annotations

from bastide.check.finding import Broken
from bastide.check.hooks import own_modules
from bastide.game import Game, Rng
from bastide.game.board import blocks
from bastide.homes import Home
from bastide.rules.position import DEPLOY, FIRST_FREE, PLACE


class Watched:
    """A game of some module, with the numbers of its fields and words for what goes on."""

    def __init__(self, home: Home, game: Game, seed: int) -> None:
        self.home = home
        self.game = game
        self.rng = Rng(seed)
        self.own = own_modules(home, game.rules)

    def asked(self) -> str:
        """The question that is asked now, in words."""
        question = self.game.engine.question()
        names = {PLACE: "where the tile is placed", DEPLOY: "which piece is placed"}
        if question >= FIRST_FREE:
            return f"the question {self.game.rules.layout.frames[question - FIRST_FREE].name!r}"
        return names.get(question, "which tile is drawn")

    def named(self, at: int) -> str:
        """A place of the position by its name, if a module reserved it."""
        for field in self.game.rules.layout.fields:
            if field.at <= at < field.at + field.size * (len(self.game.names) if field.per_player else 1):
                return f"the field {field.name!r}"
        return f"number {at} of the position"

    def unchanged(self, before: list[int], what: str) -> None:
        """The position is as it was."""
        engine = self.game.engine
        if list(engine.s) != before:
            at = next(i for i, value in enumerate(before) if engine.s[i] != value)
            raise Broken("writes", f"expected {what} to change nothing, but {self.named(at)} changed")

    def holds(self, value: int) -> str:
        """What a number stands for if it is the number of something on the board; else empty."""
        engine = self.game.engine
        if value < engine.first_block() or value > engine.last_block() + engine.shape.look_size:
            return ""
        for block in blocks(engine):
            if value == block:
                return "square"
            if value in [engine.node(block, segment) for segment in range(engine.segments(block))]:
                return "segment"
        return ""

    def fields(self) -> dict[str, list[int]]:
        """The numbers in the fields of all modules, by name."""
        engine, players = self.game.engine, len(self.game.names)
        return {
            field.name: [engine.s[field.at + i] for i in range(field.size * (players if field.per_player else 1))]
            for field in self.game.rules.layout.fields
        }
