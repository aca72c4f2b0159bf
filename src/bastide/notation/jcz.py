"""Imports saved games of JCloisterZone (.jcz): each becomes a record, its assertions become checks.

A module says in its file jcz.json which sets, elements, rules, pieces and features of these files it plays. What no
module names is refused, so a file never turns into another game than the one that was played.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate

from bastide.errors import BastideError, ModuleError, RecordError
from bastide.game import CHANCE, Game
from bastide.game.actions import Action
from bastide.game.events import Scored
from bastide.geometry import HALVES, SIDES, turn_half, turn_side
from bastide.notation.jcz_words import Dialect, Json
from bastide.notation.record import Check, End, Header, Line, Note, Record, Start, Turn, read_record
from bastide.notation.replay import Replay, new_game
from bastide.rules.build import compiled
from bastide.rules.choose import BASE, choose
from bastide.rules.types import appearance, settle
from bastide.tiles.model import Tile

PASS = Action("pass")
GARDEN = "G"  # ends the names of tiles that have a garden in newer printings
ROTATIONS = {"R0": 0, "R90": 1, "R180": 2, "R270": 3}
HAS = re.compile(r"(?P<name>.+) has (?P<points>-?\d+) points?\.?")
LOCATION = re.compile(r"_?([NESW]+|[NESW][LR](?:\.[NESW][LR])*)")
SCORED = re.compile(r"(?P<name>.+) scored (?P<feature>\w+) for (?P<points>-?\d+) points?\.?")


@dataclass(frozen=True)
class Imported:
    """The record of a saved game, and the assertions that have no check in it because nothing here can tell."""

    record: Record
    skipped: tuple[str, ...]


def import_jcz(text: str) -> Imported:
    """The saved game that the text of a .jcz file says."""
    try:
        raw = json.loads(text)
    except ValueError as error:
        raise BastideError(f"expected a saved game in JSON: {error}") from error
    return _Import(Json(raw, "file")).imported()


class _Import:
    """One file on its way to a record."""

    def __init__(self, file: Json) -> None:
        self.file = file
        self.dialect = Dialect()
        self.notes: list[str] = []
        names = [player.get("name").text() for player in file.get("players").items()]
        self.players = {name: seat for seat, name in enumerate(names)}
        if len(self.players) < len(names):
            file.get("players").refuse("players of different names")
        self.names = tuple(re.sub(r"[\s:;#]+", "_", name) for name in self.players)
        annotations = file.get("gameAnnotations", {})
        self.order = [tile.text() for tile in annotations.get("drawOrder", []).items()]
        self.end_turn = annotations.get("endTurn", 0).number()
        self.modules, self.options = self._choice(file.get("setup"))
        self.rules = compiled(choose("", self.modules, len(self.names), "", self.options))
        self.tiles = self._tiles()
        self.number = 0.0  # the last random number that a message brought

    def imported(self) -> Imported:
        """The whole file."""
        header = Header(
            title=" ".join(self.file.get("test", {}).get("description", "").text().split()),
            modules=self.modules,
            options=tuple(self.options.items()),
            players=self.names,
            start=tuple(self._start(tile) for tile in self.file.get("setup").get("start").items()),
            scripted=bool(self.order),
            notes=tuple(self.notes),
        )
        # Printed and read again, so that every line has its number.
        record = read_record(str(Record(header, tuple(self._lines(new_game(Record(header, ())))))))
        return self._with_checks(record)

    # --- which game it was

    def _choice(self, setup: Json) -> tuple[tuple[str, ...], dict[str, str | int]]:
        """The modules and options; sets and elements that nobody here plays are refused by name."""
        dialect, options = self.dialect, dict[str, str | int]()
        sets = dict(setup.get("sets").members())
        present = {name: element for name, element in setup.get("elements").members() if element.value}
        for name, copies in sets.items():
            if name not in dialect.sets:
                raise ModuleError(f"this game needs the box {name!r}, which is not here")
            if copies.value != 1 and not self.order:
                copies.refuse("1 copy of the box")
        for name, element in present.items():
            if name not in dialect.elements:
                raise ModuleError(f"this game needs {name!r}, which no box here has")
            if element.value != dialect.elements[name]:
                element.refuse(str(dialect.elements[name]))
        modules = [dialect.sets[name] for name in sets] + [dialect.module_of[name] for name in present]
        for name in sets:
            for part in dialect.inseparable[dialect.sets[name]]:
                if part not in present:
                    raise ModuleError(f"this game plays {name!r} without {part!r}, which cannot be done here")
        for module in modules:
            options |= dialect.always[module]
        for name, absent in dialect.without.items():
            if name not in present and dialect.module_of[name] in modules:
                options |= absent
        for name, rule in setup.get("rules", {}).members():
            if name not in dialect.rules:
                self.notes.append(f"# means nothing with these boxes: rule {name} {rule.value}")
            elif str(rule.value) not in dialect.rules[name]:
                rule.refuse(" or ".join(dialect.rules[name]))
            else:
                options |= dialect.rules[name][str(rule.value)]
        return tuple(m for m in dict.fromkeys(modules) if m != BASE), options

    def _tiles(self) -> dict[str, Tile]:
        """The tile types in play by their names in these files."""
        types = settle(self.rules.layout)
        refs = [(ref, id) for box in self.rules.layout.boxes.values() for id, ref in box.extra["refs"].items()]
        named = {
            ref["jcz"]: types.types[types.number[id]].tile for ref, id in refs if "jcz" in ref and id in types.number
        }
        plain = {name.removesuffix(GARDEN): tile for name, tile in named.items()}  # the same tile in older printings
        return plain | named

    # --- what was played

    def _tile(self, name: Json) -> Tile:
        if name.text() not in self.tiles:
            name.refuse("a tile of the boxes in play")
        return self.tiles[name.text()]

    def _start(self, start: Json) -> Start:
        tile, turn = self._tile(start.get("tile")), start.get("rotation").number()
        return Start(tile.id, (start.get("x").number(), start.get("y").number()), first_turn(tile, turn % 4))

    def _turns(self) -> list[list[Json]]:
        """The messages of each turn, without COMMIT; one that was taken back does not count."""
        turns: list[list[Json]] = [[]]
        for message in self.file.get("replay").items():
            kind = message.get("type").value
            if kind == "COMMIT":
                turns.append([])
            elif kind != "UNDO":
                turns[-1].append(message)
            elif turns[-1]:
                turns[-1].pop()
            else:
                message.refuse("something in this turn to undo")
        return turns

    def _lines(self, game: Game) -> Iterator[Line]:
        """Plays along on `game`: whose turn it is, and what chance may bring, only a game can tell."""
        *whole, broken_off = self._turns()
        for number, messages in enumerate(whole):
            yield self._turn(game, messages, True)
            if number + 1 == self.end_turn:
                yield End()
        if broken_off:
            yield self._turn(game, broken_off, False)

    def _turn(self, game: Game, messages: list[Json], whole: bool) -> Turn:
        """The messages of one turn; a question that nobody was asked there is answered with `pass`."""
        seat = game.turn
        before = len(game.history)
        if not messages:
            raise BastideError("replay: expected PLACE_TILE in every turn, found none before a COMMIT")
        for message in messages:
            if message.get("player", seat).value != seat:
                message.get("player").refuse(f"{seat}, whose turn it is")
            self._message(game, message, seat)
        if whole:
            self._chance(game)
            self._pass(game)
        return Turn(self.names[seat], tuple(action for _, action in game.history[before:]))

    def _message(self, game: Game, message: Json, seat: int) -> None:
        """One message: a tile is laid, a piece deployed, a question answered."""
        kind, payload = message.get("type").value, message.get("payload", {})
        answers = self.dialect.messages.get(kind)
        number = payload.get("random", -1)
        if number.value != -1:
            self.number = number.fraction()
        self._chance(game)
        if kind == "PLACE_TILE" and game.seat == CHANCE:
            for action in self._placing(payload):
                self._play(game, action)
        elif kind == "DEPLOY_MEEPLE" and game.tile is None:
            self._play(game, self._deploy(game, payload, seat))
        elif kind == "PASS" and PASS in game.legal:
            self._play(game, PASS)
        elif answers:
            answer = payload.get("value")
            if answer.value not in answers:
                answer.refuse(f"one of {', '.join(answers)}")
            self._pass(game)
            self._play(game, Action.parse(answers[answer.value]))
            self._chance(game)
        elif answers is None:
            message.refuse("PLACE_TILE, then DEPLOY_MEEPLE or PASS, then COMMIT")

    def _chance(self, game: Game) -> None:
        """Tokens are drawn by the number in the message: so far along the bag, in the order that program keeps."""
        while game.seat == CHANCE and game.legal[0].tile in self.dialect.tokens:
            game.engine.legal()
            weights = {action: int(game.engine.weights[i]) for i, action in enumerate(game.legal)}
            bag = sorted(weights, key=lambda action: self.dialect.tokens[action.tile or ""])
            at = int(self.number * sum(weights.values()))
            ends = accumulate(weights[action] for action in bag)
            self._play(game, next(action for action, end in zip(bag, ends, strict=True) if at < end))

    def _pass(self, game: Game) -> None:
        """There was nothing to deploy, and nobody was asked."""
        if game.seat != CHANCE and not game.over and PASS in game.legal:
            self._play(game, PASS)

    def _play(self, game: Game, action: Action) -> None:
        try:
            game.play(action)
        except BastideError as error:
            raise BastideError(f"this game cannot be played here: {action}: {error}") from error

    def _placing(self, payload: Json) -> Iterator[Action]:
        """The draws and the placement of a tile."""
        tile = self._tile(payload.get("tileId"))
        turn = first_turn(tile, self._rotation(payload.get("rotation")))
        yield from self._draws(payload.get("tileId").text(), tile)
        yield Action("place", tile=tile.id, cell=payload.get("position").cell(), rotation=turn)

    def _draws(self, name: str, tile: Tile) -> Iterator[Action]:
        """The draw of a tile; those that come before it in the order of draws fitted nowhere."""
        at = self.order.index(name) if name in self.order else -1
        for other in self.order[: max(at, 0)]:
            unfit = self._tile(Json(other, "gameAnnotations.drawOrder"))
            yield Action("draw", tile=unfit.id)
            yield Action("discard", tile=unfit.id)
        del self.order[: at + 1]
        yield Action("draw", tile=tile.id)

    def _rotation(self, rotation: Json) -> int:
        if rotation.value not in ROTATIONS:
            rotation.refuse(f"one of {', '.join(ROTATIONS)}")
        return ROTATIONS[rotation.value]

    def _deploy(self, game: Game, payload: Json, seat: int) -> Action:
        owner, _, kind = payload.get("meepleId").text().rpartition(".")[0].partition(".")
        if owner != str(seat) or kind not in self.dialect.pieces:
            payload.get("meepleId").refuse(f"a piece of player {seat}: {', '.join(self.dialect.pieces)}")
        pointer = payload.get("pointer")
        feature = pointer.get("feature")
        if feature.value not in self.dialect.features:
            feature.refuse(f"one of {', '.join(self.dialect.features)}")
        cell = pointer.get("position").cell()
        laid = game.board.get(cell)
        if laid is None:
            pointer.get("position").refuse("a cell with a tile")
        spot = spot_at(laid.tile, laid.turn, self.dialect.features[feature.value], pointer.get("location"))
        return Action("deploy", piece=self.dialect.pieces[kind], cell=cell, spot=spot)

    # --- what it asserts

    def _with_checks(self, record: Record) -> Imported:
        """The record with its checks: points at the end, single scores behind the line where they are first true."""
        happened = _scores_by_line(record)
        after: dict[int, list[Check]] = {}
        skipped: list[str] = []
        for sentence in (item.text() for item in self.file.get("test", {}).get("assertions", []).items()):
            said = HAS.fullmatch(sentence) or SCORED.fullmatch(sentence)
            words = said.groupdict() if said else {}
            seat = self.players.get(words.get("name", ""))
            kind = self._kind(words.get("feature", ""))
            if seat is None or ("feature" in words and not kind):
                skipped.append(sentence)
                continue
            last = len(record.lines) - 1
            points, name = int(words["points"]), self.names[seat]
            if kind:
                line = next((i for i, scores in happened.items() if (seat, kind, points) in scores), last)
                after.setdefault(line, []).append(Check(f"scored {name} {kind} {points}"))
            else:
                after.setdefault(last, []).append(Check(f"score {name} {points}"))
        lines = [
            *after.get(-1, []),
            *(part for i, line in enumerate(record.lines) for part in (line, *after.get(i, []))),
        ]
        lines += [Note(f"# not checked: {sentence}") for sentence in skipped]
        return Imported(read_record(str(replace(record, lines=tuple(lines)))), tuple(skipped))

    def _kind(self, feature: str) -> str:
        return {name.lower(): kind for name, kind in self.dialect.features.items()}.get(feature.lower(), "")


def _scores_by_line(record: Record) -> dict[int, set[tuple[int, str, int]]]:
    """Seat, kind and points of everything that is scored, by the line (counted from 0) that brings it."""
    found: dict[int, set[tuple[int, str, int]]] = {}
    first = record.lines[0].line if record.lines else 0
    try:
        for step in Replay(record):
            scores = {(e.seat, e.kind, e.points) for e in step.events if isinstance(e, Scored)}
            found.setdefault(step.line.line - first, set()).update(scores)
    except RecordError as error:
        line = record.lines[error.line - first]
        raise BastideError(f"this game cannot be played here: {error.message}, in the turn '{line}'") from error
    return found


def first_turn(tile: Tile, turn: int) -> int:
    """The first turn that looks like this one: the only legal one of them."""
    return next(t for t in range(4) if appearance(tile, t) == appearance(tile, turn))


def spot_at(tile: Tile, turn: int, kind: str, location: Json) -> str:
    """The name of a segment that is given by all the sides or half sides it reaches as the tile lies."""
    place = LOCATION.fullmatch(location.text())
    wanted = set(re.findall("[NESW][LR]?", place[1])) if place else set[str]()  # a cloister's has a name of its own
    for index, segment in enumerate(tile.segments):
        reached = {SIDES[turn_side(s, turn)] for s in segment.sides} | {
            HALVES[turn_half(h, turn)] for h in segment.halves
        }
        if segment.kind == kind and reached == wanted:
            return tile.spot(index, turn)
    return location.refuse(f"the sides of a {kind} on tile {tile.id} as it lies")
