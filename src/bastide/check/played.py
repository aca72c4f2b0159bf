"""What a module does in games: random ones, looked at after every action."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from bastide.check.declared import usual_players
from bastide.check.finding import Broken, Finding, blame
from bastide.errors import ActionSyntaxError, BastideError
from bastide.game import CHANCE, Action, Game, Rng, View
from bastide.game.actions import action_of
from bastide.game.board import tokens_of
from bastide.game.engine import Engine
from bastide.game.events import Event, Scored
from bastide.homes import Home
from bastide.kernel.offsets import KIND
from bastide.notation.position import usual_supply
from bastide.rules.module import Module
from bastide.rules.position import DEPLOY, FIRST_FREE, PLACE
from bastide.rules.rules import Rules
from bastide.rules.texts import languages, texts

OFTEN: Final = 10  # actions between two looks at what takes longer: texts, copies, secrets
EARLY: Final = 60  # actions: a moment in the middle of a game
ON: Final = 6  # actions that are played on from a position that was read
A_TILE: Final = 20  # actions: no game needs so many for each tile
TWINS: Final = 3  # positions that differ only in what is hidden


def check_played(home: Home, rules: Rules, seed: int) -> Iterator[Finding]:
    """One random game; the first thing that is wrong ends it."""
    where = f"in a random game of {', '.join(rules.module_names)} for {rules.players}, seed {seed}"
    try:
        game = Game(rules, draws="by hand")
        Watched(home, game, seed).play()
    except Broken as broken:
        yield Finding(broken.check, where, broken.says)
    except Exception as error:
        yield Finding("fails", where, f"expected no error, got {blame(error, home.folder)}")


class Watched:
    """A game that is played by chance and looked at after every action."""

    def __init__(self, home: Home, game: Game, seed: int) -> None:
        self.home = home
        self.game = game
        self.rng = Rng(seed)
        self.own = [m for m in game.rules.modules if type(m).__module__.startswith(home.package)]
        self.kept = [kept_by(module) for module in game.rules.modules]
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
            self.take_back(actions[self.rng.below(len(actions))])
            if len(game.history) % OFTEN == 0 or game.over:
                self.look_closer()
        if any(self.points[seat] != score for seat, score in enumerate(game.scores)):
            scored = [self.points[seat] for seat in range(len(game.scores))]
            raise Broken("points", f"expected the scores to be what was scored, {scored}, got {list(game.scores)}")

    def asked(self) -> str:
        """The question that is asked now, in words."""
        question = self.game.engine.question()
        names = {PLACE: "where the tile is placed", DEPLOY: "which piece is placed"}
        if question >= FIRST_FREE:
            return f"the question {self.game.rules.layout.frames[question - FIRST_FREE].name!r}"
        return names.get(question, "which tile is drawn")

    # --- before an action
    def look(self) -> list[Action]:
        """Looks at the question now asked; returns its legal actions."""
        engine = self.game.engine
        before = list(engine.s)
        count = engine.legal()
        self.unchanged(before, f"the legal actions of {self.asked()}")
        if count == 0:
            raise Broken("legal", f"expected at least one legal action for {self.asked()}, got none")
        numbers = [engine.actions[i] for i in range(count)]
        if engine.chance():
            self.check_weights([engine.weights[i] for i in range(count)])
        actions = [action_of(engine, number) for number in numbers]
        self.check_texts(actions)
        self.check_answers(before)
        return actions

    def check_weights(self, weights: Sequence[int]) -> None:
        """Every outcome of chance has a positive weight."""
        if min(weights) <= 0:
            raise Broken("legal", f"expected weights above 0 for {self.asked()}, got {list(weights)}")

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
        question = engine.question()
        if question >= FIRST_FREE and self.game.rules.frames[question - FIRST_FREE] in self.own:
            self.check_words(actions)

    def check_words(self, actions: Sequence[Action]) -> None:
        """What the module's own questions offer has a word in its languages."""
        tiles = {tile.id for tile in self.game.rules.tiles}
        names = [action.choice or action.tile for action in actions if action.verb in ("choose", "draw")]
        for language in languages(self.home.name):
            words = texts(self.home.name, language).get("choices", {})
            for name in names:
                if name is not None and name not in tiles and name not in words:
                    raise Broken("texts", f"texts.json, {language}: expected a text for choices: {name}, got none")

    def check_answers(self, before: list[int]) -> None:
        """Hooks that bots and people ask write nothing."""
        engine, rules = self.game.engine, self.game.rules
        tokens_of(engine)
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

    def unchanged(self, before: list[int], what: str) -> None:
        """The position is as it was."""
        engine = self.game.engine
        if list(engine.s) != before:
            at = next(i for i, value in enumerate(before) if engine.s[i] != value)
            raise Broken("writes", f"expected {what} to change nothing, but {self.named(at)} changed")

    def named(self, at: int) -> str:
        """A place of the position by its name, if a module reserved it."""
        for field in self.game.rules.layout.fields:
            if field.at <= at < field.at + field.size * (len(self.game.names) if field.per_player else 1):
                return f"the field {field.name!r}"
        return f"number {at} of the position"

    # --- the action
    def take_back(self, action: Action) -> None:
        """Plays an action, takes it back, and plays it again; and once in a copy to which nobody listens."""
        game = self.game
        before, fields = game.engine.key(), self.fields()
        quiet, number = game.engine.clone(), game.legal.number(action)
        assert number is not None
        events = game.play(action)
        key = game.engine.key()
        quiet.apply(number)
        if quiet.key() != key:
            says = f"expected {str(action)!r} to have the same effect without a listener, got another position"
            raise Broken("listener", says)
        game.undo()
        if game.engine.key() != before:
            name = next((name for name, values in self.fields().items() if values != fields[name]), "")
            what = f"the field {name!r}" if name else "something"
            says = f"expected undo to restore everything after {str(action)!r}, but {what} stays changed"
            raise Broken("undo", f"{says}; write with `pos.put`")
        again = game.play(action)
        if game.engine.key() != key or str(events) != str(again):
            raise Broken(
                "undo", f"expected {str(action)!r} to have the same effect again, got another position or event"
            )
        self.add(events)

    def fields(self) -> dict[str, list[int]]:
        """The numbers in the fields of all modules, by name."""
        engine, players = self.game.engine, len(self.game.names)
        return {
            field.name: [engine.s[field.at + i] for i in range(field.size * (players if field.per_player else 1))]
            for field in self.game.rules.layout.fields
        }

    def add(self, events: Sequence[Event]) -> None:
        """Counts points as they are told."""
        for event in events:
            if isinstance(event, Scored):
                self.points[event.seat] += event.points

    # --- now and then
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
        for module, kept in zip(self.game.rules.modules, self.kept, strict=True):
            if kept_by(module) != kept:
                name = changed(module, kept)
                says = f"expected {type(module).__name__} to keep nothing while games are played, but {name} changed"
                raise Broken("state", f"{says}; keep it in a field of the layout")

    def check_pieces(self) -> None:
        """What is in the supply, on the board and in fields that hold figures is what every player began with."""
        engine = self.game.engine
        for (seat, piece), number in usual_supply(engine).items():
            if engine.supply(seat, piece) != number:
                name = self.game.rules.layout.pieces[piece].name
                says = f"expected {number} of {name!r} in the supply of player {seat}, for so many are not elsewhere"
                raise Broken("pieces", f"{says}; got {engine.supply(seat, piece)}")

    def check_refusals(self) -> None:
        """What modules forbid is explained."""
        for action in self.forbidden():
            try:
                explained = self.game.explain(action)
            except Exception as error:
                says = f"expected a reason of `layout.reason` against {str(action)!r}; {blame(error, self.home.folder)}"
                raise Broken("reasons", says) from error
            if explained is None:
                raise Broken("reasons", f"expected a reason against {str(action)!r}, got none")

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
        try:
            text = game.position()
            again = Game.from_position(text)
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

    def check_secrets(self) -> None:
        """What others hold hidden changes neither what a seat sees nor its legal actions."""
        game = self.game
        if not game.rules.layout.secrets:
            return
        for seat in range(len(game.names)):
            seen = visible(game, seat)
            for number in range(TWINS):
                twin = game.copy()
                twin.engine = View(game, seat).imagine(Rng(self.rng.x + number)).engine
                for what, value in visible(twin, seat).items():
                    if value != seen[what]:
                        says = f"expected {what} to tell player {seat} nothing of what others hold hidden"
                        raise Broken("secrets", f"{says}; they differ: {seen[what]} and {value}")


def visible(game: Game, seat: int) -> dict[str, object]:
    """What a seat sees of a game."""
    asked = game.seat in (seat, CHANCE)
    return {
        "`tokens_on_table`": tokens_of(game.engine),
        "its legal actions": [str(action) for action in game.legal] if asked and game.seat != CHANCE else [],
        "its position": game.view(seat).position(),
    }


def kept_by(module: Module) -> dict[str, str]:
    """The attributes of a module and the lists of its class, as texts. A compiled module has no others."""
    shared = {name: value for name, value in vars(type(module)).items() if isinstance(value, list | dict | set)}
    return {name: repr(value) for name, value in {**shared, **getattr(module, "__dict__", {})}.items()}


def changed(module: Module, kept: dict[str, str]) -> str:
    """The attributes of a module that changed."""
    now = kept_by(module)
    return ", ".join(name for name in {**kept, **now} if kept.get(name) != now.get(name))


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
