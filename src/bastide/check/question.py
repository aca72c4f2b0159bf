"""Before an action: the question that is asked, its answers, and what hooks say that only answer"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from bastide.check.finding import Broken, blame
from bastide.check.watched import Watched
from bastide.check.wording import spoken
from bastide.errors import ActionSyntaxError
from bastide.game import Action
from bastide.game.actions import action_of
from bastide.game.board import tokens_of
from bastide.kernel.offsets import KIND
from bastide.rules.module import Token
from bastide.rules.position import DEPLOY, FIRST_FREE, PLACE
from bastide.rules.texts import texts

UNWRITTEN: Final = -(1 << 50)  # stands in the lists of actions before a question is asked
LISTED: Final = 512  # entries of these lists that are looked at
A_CELL: Final = re.compile(r"\s*[-+]?\d+\s*,\s*[-+]?\d+\s*")


class Questions(Watched):
    """Looks at a game before every action."""

    def look(self) -> list[Action]:
        """Looks at the question now asked; returns its legal actions."""
        engine = self.game.engine
        before = list(engine.s)
        numbers = self.listed(before)
        actions = [action_of(engine, number) for number in numbers]
        self.unchanged(before, "`action_of`")
        self.check_texts(actions)
        self.check_subject()
        self.check_answers(before)
        return actions

    def listed(self, before: list[int]) -> list[int]:
        """The numbers of the legal actions, all of them written now."""
        engine = self.game.engine
        for numbers in (engine.actions, engine.weights):
            for i in range(min(LISTED, len(numbers))):
                numbers[i] = UNWRITTEN
        count = engine.legal()
        self.unchanged(before, f"the legal actions of {self.asked()}")
        if count == 0:
            raise Broken("legal", f"expected at least one legal action for {self.asked()}, got none")
        found = [int(engine.actions[i]) for i in range(count)]
        if UNWRITTEN in found:
            says = f"expected as many legal actions for {self.asked()} as the hook returns, {count};"
            raise Broken("legal", f"{says} it wrote {count - found.count(UNWRITTEN)}")
        if engine.chance():
            self.check_weights([int(engine.weights[i]) for i in range(count)])
        return found

    def check_weights(self, weights: Sequence[int]) -> None:
        """Every outcome of chance has a positive weight."""
        if min(weights) <= 0:
            got = ["none" if weight == UNWRITTEN else weight for weight in weights]
            raise Broken("legal", f"expected weights above 0 for {self.asked()}, got {got}")

    def check_texts(self, actions: Sequence[Action]) -> None:
        """Every action has one text, which nothing else has and which is read as the same action."""
        for text, count in Counter(map(str, actions)).items():
            if count > 1:
                raise Broken("action", f"expected different actions for {self.asked()}, got {text!r} {count} times")
        for action in actions:
            try:
                again = Action.parse(str(action))
            except ActionSyntaxError as error:
                raise Broken("action", f"expected an action that can be read, got {str(action)!r}: {error}") from error
            if again != action:
                raise Broken("action", f"expected {str(action)!r} to be read as {action!r}, got {again!r}")
        engine = self.game.engine
        pieces = {piece.name for piece in self.game.rules.layout.pieces}
        pieces |= {name for module in self.game.rules.module_names for name in texts(module).get("pieces", {})}
        for action in actions:
            if action.piece is not None and action.piece not in pieces:
                raise Broken("action", f"expected a piece ({', '.join(sorted(pieces))}) in {str(action)!r}")
        question = engine.question()
        if question >= FIRST_FREE and self.game.rules.frames[question - FIRST_FREE] in self.own:
            self.check_words(actions)

    def check_words(self, actions: Sequence[Action]) -> None:
        """What the module's own questions offer has a word in its languages."""
        tiles = {tile.id for tile in self.game.rules.tiles}
        names = [action.choice or action.tile for action in actions if action.verb in ("choose", "draw")]
        for language in spoken(self.home):
            words = texts(self.home.name, language).get("choices", {})
            for name in names:
                if name is not None and name not in tiles and name not in words:
                    raise Broken("texts", f"texts.json, {language}: expected a text for choices: {name}, got none")

    def check_subject(self) -> None:
        """What the question is about is declared: the number of a segment or tile means nothing in another game."""
        engine = self.game.engine
        question = engine.question() - FIRST_FREE
        if question >= 0 and self.game.rules.layout.frames[question].holds == "number":
            held = self.holds(int(engine.subject()))
            if held:
                name = self.game.rules.layout.frames[question].name
                says = f"expected the question {name!r} to be declared with holds={held!r}, for its subject is one"
                raise Broken("position", says)

    def check_answers(self, before: list[int]) -> None:
        """Hooks that bots and people ask write nothing."""
        engine, rules = self.game.engine, self.game.rules
        self.check_tokens(tokens_of(engine))
        self.unchanged(before, "`tokens_on_table`")
        for module in rules.value:
            for player in range(rules.players):
                module.value(engine, player)
        self.unchanged(before, "`value`")
        roots = [engine.occupied_regions[i] for i in range(engine.list_occupied())]
        for root in roots:
            for module in rules.prize:
                module.prize(engine, root, engine.s[root + KIND])
        self.unchanged(before, "`prize`")
        for root in roots:
            engine.points_now(root, engine.s[root + KIND], False, engine.count_tiles(root))
        self.unchanged(before, "`score` or `adjust`, which bots try out,")

    def check_tokens(self, tokens: Sequence[Token]) -> None:
        """Every token is somebody's or nobody's; one that lies on a cell lies on a tile."""
        on_cells = [token for token in tokens if A_CELL.fullmatch(token.where)]
        cells = {f"{x},{y}" for x, y in self.game.board} if on_cells else set()
        for token in tokens:
            if not -1 <= token.seat < len(self.game.names):
                raise Broken("tokens", f"expected tokens of players, or of nobody (-1); got {token}")
            if token in on_cells and token.where not in cells:
                raise Broken("tokens", f"expected tokens on cells with tiles, written as 2,-1; got {token}")

    def check_refusals(self) -> None:
        """What modules forbid is explained."""
        before = list(self.game.engine.s)
        for action in self.forbidden():
            try:
                explained = self.game.explain(action)
            except Broken:
                raise
            except Exception as error:
                says = f"expected a reason of `layout.reason` against {str(action)!r}; {blame(error, self.home.folder)}"
                raise Broken("reasons", says) from error
            if explained is None:
                raise Broken("reasons", f"expected a reason against {str(action)!r}, got none")
            self.unchanged(before, "hooks that give a reason, such as `why_not_target` and `why_narrowed`,")

    def forbidden(self) -> Iterator[Action]:
        """Placements that would fit, and pieces on the last tile, that are not legal."""
        game, engine = self.game, self.game.engine
        legal = set(game.legal)
        if engine.question() == PLACE:
            places = engine.fitting_places(engine.subject())
            yield from {action_of(engine, number) for number in places} - legal
        elif engine.question() == DEPLOY:
            for segment in range(engine.segments(engine.last_block())):
                place = engine.place_of(engine.node(engine.last_block(), segment))
                for piece in game.rules.layout.pieces:
                    action = Action.with_piece("deploy", piece.name, place)
                    if action not in legal:
                        yield action
