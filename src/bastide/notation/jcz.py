"""Imports saved games of JCloisterZone (.jcz): each becomes a record, its assertions become checks.

A module says in its file jcz.json which sets, elements, rules, pieces and features of these files it plays. What no
module names is refused, so a file never turns into another game than the one that was played.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby

from bastide.errors import BastideError, RecordError
from bastide.game import CHANCE, Game
from bastide.game.actions import Action, Place
from bastide.game.events import Scored
from bastide.geometry import HALVES, SIDES, Cell, rotate_half, rotate_side
from bastide.notation.jcz_setup import Setup
from bastide.notation.jcz_words import Dialect, Json
from bastide.notation.record import Check, End, Header, Line, Note, Record, Start, Turn, read_record
from bastide.notation.replay import Replay, new_game, plugins_of
from bastide.rules.build import compiled
from bastide.rules.choose import choose
from bastide.rules.types import appearance, settle
from bastide.tiles.model import Segment, Tile

PASS = Action("pass")
GARDEN = "G"  # ends the names of tiles that have a garden in newer printings
NAME = 40  # letters of a player's name
DIGITS = 6  # of points that an assertion may have
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
    except (ValueError, RecursionError) as error:
        raise BastideError(f"expected a saved game in JSON: {error}") from error
    try:
        return _Import(Json(raw, "file")).imported()
    except RecursionError as error:  # just shallow enough to be read, but not to be quoted in a refusal
        raise BastideError("expected a saved game in JSON: it is nested too deep") from error


class _Import:
    """One file on its way to a record."""

    def __init__(self, file: Json) -> None:
        self.file = file
        self.dialect = Dialect()
        names = [player.get("name").text() for player in file.get("players").items()]
        self.seats = {name: seat for seat, name in enumerate(names) if names.count(name) == 1}  # who is meant for sure
        self.names = different_names(names)
        annotations = file.get("gameAnnotations", {})
        self.order = [tile.text() for tile in annotations.get("drawOrder", []).items()]
        self.end_turn = annotations.get("endTurn", 0).number()
        self.setup = Setup(self.dialect, file.get("setup"), file.get("replay"), bool(self.order))
        self.rules = compiled(choose("", self.setup.modules, len(self.names), "", self.setup.options))
        self.tiles = self._tiles()
        initial = file.get("initialRandom", -1)
        self.number = -1.0 if initial.value == -1 else initial.fraction()  # the last random number; -1: none yet

    def imported(self) -> Imported:
        """The whole file."""
        header = Header(
            title=self.file.get("test", {}).get("description", "").line(),
            modules=self.setup.modules,
            plugins=plugins_of(self.setup.modules),
            options=tuple(self.setup.unusual().items()),
            players=self.names,
            start=tuple(self._start(tile) for tile in self.file.get("setup").get("start", []).items()),
            scripted=bool(self.order),
            notes=tuple(self.setup.notes),
        )
        # Printed and read again, so that every line has its number.
        record = read_record(str(Record(header, tuple(self._lines(new_game(Record(header, ())))))))
        return self._with_checks(record)

    def _tiles(self) -> dict[str, Tile]:
        """The tile types in play by their names in these files."""
        types = settle(self.rules.layout)
        refs = [(ref, id) for box in self.rules.layout.boxes.values() for id, ref in box.extra["refs"].items()]
        named = {
            ref["jcz"]: types.types[types.number[id]].tile for ref, id in refs if "jcz" in ref and id in types.number
        }
        older = {name.removesuffix(GARDEN): tile for name, tile in named.items()}  # the same tile in older printings
        newer = {name + GARDEN: tile for name, tile in named.items()}
        return newer | older | named

    # --- what was played

    def _tile(self, name: Json) -> Tile:
        return self.tiles.get(name.text()) or name.refuse("a tile of the boxes in play")

    def _start(self, start: Json) -> Start:
        tile = self._tile(start.get("tile"))
        cell = Json([start.get("x").value, start.get("y").value], start.path).cell()
        return Start(tile.id, cell, first_rotation(tile, start.get("rotation", 0).quarter_turns()))

    def _turns(self) -> list[list[Json]]:
        """The messages of each turn, COMMIT the last of them; one that was taken back does not count."""
        messages: list[Json] = []
        for message in self.file.get("replay").items():
            if message.get("type").value != "UNDO":
                messages.append(message)
            elif messages:
                messages.pop()
            else:
                message.refuse("something to undo")
        turns: list[list[Json]] = [[]]
        for message in messages:
            turns[-1].append(message)
            if message.get("type").value == "COMMIT":
                turns.append([])
        return turns

    def _lines(self, game: Game) -> Iterator[Line]:
        """Plays along on `game`: whose turn it is, and what chance may bring, only a game can tell."""
        *whole, broken_off = self._turns()
        for number, (*messages, commit) in enumerate(whole):
            yield from self._turn(game, messages, True)
            self._read_random(commit.get("payload", {}))
            if number + 1 == self.end_turn:
                yield End()
                return
        yield from self._turn(game, broken_off, False)
        unfit = sum(action.verb == "discard" for _, action in game.history)  # that program counts them as well
        if unfit and not broken_off and not game.over and len(whole) + unfit == self.end_turn:
            yield End()

    def _turn(self, game: Game, messages: list[Json], whole: bool) -> Iterator[Turn]:
        """The messages of one turn; a question that nobody was asked there is answered with `pass`."""
        before = len(game.history)
        self.laid = False
        for message in messages:
            self._message(game, message)
        if whole and not self.laid:
            raise BastideError("replay: expected PLACE_TILE in every turn, found none before a COMMIT")
        if whole:
            self._chance(game)
            self._pass(game)
        for seat, actions in groupby(game.history[before:], key=lambda entry: entry[0]):
            yield Turn(self.names[seat], tuple(action for _, action in actions))

    def _message(self, game: Game, message: Json) -> None:
        """One message: a tile is laid, a piece deployed or taken back, a question answered."""
        kind, payload = message.get("type").text(), message.get("payload", {})
        answers = self.dialect.messages.get(kind)
        self._read_random(payload)
        self._chance(game)
        if kind == "MOVE_NEUTRAL_FIGURE":
            self._move(game, message, payload)
            return
        if answers != {} and message.get("player", game.turn).value != game.turn:  # {}: nobody decides anything
            message.get("player").refuse(f"{game.turn}, whose turn it is")
        if kind == "PLACE_TILE" and game.seat == CHANCE:
            self._place(game, payload)
        elif kind == "DEPLOY_MEEPLE" and game.tile is None and not game.over:
            self._play(game, self._deploy(game, payload))
        elif kind == "RETURN_MEEPLE" and game.tile is None and not game.over:
            self._play(game, self._take_back(game, payload))
        elif kind == "PASS" and self.laid:
            self._pass(game)
        elif answers:
            self._answer(game, payload.get("value"), answers)
        elif answers is None:
            message.refuse("PLACE_TILE, then DEPLOY_MEEPLE or PASS, then COMMIT")

    def _read_random(self, payload: Json) -> None:
        """The random number of a message, if it has one."""
        number = payload.get("random", -1)
        if number.value != -1:
            self.number = number.fraction()

    def _move(self, game: Game, message: Json, payload: Json) -> None:
        """A figure of nobody goes to a tile, or beside a piece; in the middle of a turn others may move it too."""
        figure = payload.get("figureId")
        name = figure.text().partition(".")[0]
        if name not in self.dialect.figures:
            figure.refuse(f"one of {', '.join(self.dialect.figures)}" if self.dialect.figures else "no figure")
        goal = payload.get("to")
        if isinstance(goal.value, dict):
            cell, spot = self._spot(game, goal.get("featurePointer"))
        else:
            cell, spot = goal.cell(), ""
        action = Action.parse(f"{self.dialect.figures[name]} {Place(cell, spot)}")
        if action not in game.legal:
            self._pass(game)  # it moves when the player's piece is placed, and there nobody was asked for one
        if message.get("player", game.seat).value != game.seat:
            message.get("player").refuse(f"{game.seat}, who decides")
        self._play(game, action)

    def _answer(self, game: Game, answer: Json, answers: Mapping[str, str]) -> None:
        """A question of a module."""
        if answer.text() not in answers:
            answer.refuse(f"one of {', '.join(answers)}")
        self._pass(game)
        self._play(game, Action.parse(answers[answer.text()]))
        self._chance(game)

    def _chance(self, game: Game) -> None:
        """Tokens are drawn by the number in the message: so far along the bag, in the order that program keeps."""
        while game.seat == CHANCE and game.legal[0].tile in self.dialect.tokens:
            game.engine.legal()
            weights = {action: int(game.engine.weights[i]) for i, action in enumerate(game.legal)}
            bag = sorted(weights, key=lambda action: self.dialect.tokens[action.tile or ""])
            if self.number < 0:
                raise BastideError("replay: expected a random number before a token is drawn, found none")
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

    def _place(self, game: Game, payload: Json) -> None:
        """A tile is drawn and placed."""
        tile = self._tile(payload.get("tileId"))
        rotation = first_rotation(tile, payload.get("rotation").quarter_turns())
        cell = payload.get("position").cell()
        self._draw(game, payload.get("tileId").text(), tile)
        self._play(game, Action("place", tile=tile.id, cell=cell, rotation=rotation))
        self.laid = True

    def _draw(self, game: Game, name: str, tile: Tile) -> None:
        """The draw of a tile; those that come before it in the order of draws, or in its pile, fitted nowhere."""
        at = self.order.index(name) if name in self.order else -1
        for other in self.order[: max(at, 0)]:
            unfit = self._tile(Json(other, "gameAnnotations.drawOrder"))
            self._play(game, Action("draw", tile=unfit.id))
            self._play(game, Action("discard", tile=unfit.id))
        del self.order[: at + 1]
        draw = Action("draw", tile=tile.id)
        while draw not in game.legal and self._drop(game):
            pass  # a file without an order of draws does not say what became of the rest of the river
        self._play(game, draw)

    def _drop(self, game: Game) -> bool:
        """Draws a tile that fits nowhere and lays it aside; is there one?"""
        for action in list(game.legal):
            game.play(action)
            if game.legal[0].verb == "discard":
                game.play(game.legal[0])
                return True
            game.undo()
        return False

    def _deploy(self, game: Game, payload: Json) -> Action:
        piece = self._piece(game, payload.get("meepleId"))
        cell, spot = self._spot(game, payload.get("pointer"))
        return Action("deploy", piece=piece, cell=cell, spot=spot)

    def _take_back(self, game: Game, payload: Json) -> Action:
        """A piece comes back before its time, for a reason that a module knows."""
        source, pointer = payload.get("source"), payload.get("pointer")
        if source.text() not in self.dialect.returns:
            source.refuse(f"one of {', '.join(self.dialect.returns)}")
        cell, spot = self._spot(game, pointer.get("featurePointer", pointer.value))
        piece = self.dialect.returns[source.text()]
        named = self._piece(game, pointer.get("meepleId"), anybody=not piece)
        return Action("take", piece=piece or named, cell=cell, spot=spot)

    def _piece(self, game: Game, name: Json, anybody: bool = False) -> str:
        """The kind of a piece of the player who decides, or of anybody."""
        owner, _, kind = name.text().rpartition(".")[0].partition(".")
        if not (anybody or owner == str(game.turn)) or kind not in self.dialect.pieces:
            name.refuse(f"a piece of player {game.turn}: {', '.join(self.dialect.pieces)}")
        return self.dialect.pieces[kind]

    def _spot(self, game: Game, pointer: Json) -> tuple[Cell, str]:
        """The cell and the segment of a feature. The oldest files name it by its location alone."""
        features = self.dialect.features
        feature = pointer.get("feature", "")
        if feature.value and feature.text() not in features:
            feature.refuse(f"one of {', '.join(features)}")
        cell = pointer.get("position").cell()
        laid = game.board.get(cell)
        if laid is None:
            pointer.get("position").refuse("a cell with a tile")
        kinds = {features[feature.text()]} if feature.value else set(features.values())
        return cell, spot_at(laid.tile, laid.rotation, kinds, pointer.get("location", ""))

    # --- what it asserts

    def _with_checks(self, record: Record) -> Imported:
        """The record with its checks: points at the end, single scores behind the line where they are first true."""
        happened = _scores_by_line(record)
        after: dict[int, list[Check]] = {}
        skipped: list[str] = []
        for sentence in (item.line() for item in self.file.get("test", {}).get("assertions", []).items()):
            said = HAS.fullmatch(sentence) or SCORED.fullmatch(sentence)
            words = said.groupdict() if said else {}
            seat = self.seats.get(words["name"]) if said else None
            kind = self._kind(words.get("feature", ""))
            if seat is None or ("feature" in words and not kind) or len(words["points"]) > DIGITS:
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
        kinds = {**self.dialect.features, **self.dialect.sources}
        return {name.lower(): kind for name, kind in kinds.items()}.get(feature.lower(), "")


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


def different_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names as a record can have them: one word each, the second Ann is Ann_2."""
    found: list[str] = []
    for name in names:
        word = re.sub(r"[\s:;#]+", "_", name)[:NAME] or "player"
        endings = ("", *(f"_{number}" for number in range(2, len(names) + 1)))
        found.append(next(word + ending for ending in endings if word + ending not in found))
    return tuple(found)


def first_rotation(tile: Tile, rotation: int) -> int:
    """The first turn that looks like this one: the only legal one of them."""
    return next(t for t in range(4) if appearance(tile, t) == appearance(tile, rotation))


def spot_at(tile: Tile, rotation: int, kinds: set[str], location: Json) -> str:
    """The name of a segment of one of these kinds, given by all the sides or half sides it reaches as the tile lies.

    Where two segments share a side, each is named by the sides that it has for itself.
    """
    place = LOCATION.fullmatch(location.text())
    wanted = set(re.findall("[NESW][LR]?", place[1])) if place else set[str]()  # a cloister's has a name of its own
    alike = [(index, segment) for index, segment in enumerate(tile.segments) if segment.kind in kinds]
    for ways in (reached, whole_sides, touched_sides):
        found = [index for index, segment in alike if ways(segment, rotation) == wanted]
        if len(found) == 1:
            return tile.spot(found[0], rotation)
    return location.refuse(f"the sides of a {' or '.join(sorted(kinds))} on tile {tile.id} as it lies")


def reached(segment: Segment, rotation: int) -> set[str]:
    """The sides and half sides of a segment as its tile lies."""
    sides = {SIDES[rotate_side(side, rotation)] for side in segment.sides}
    return sides | {HALVES[rotate_half(half, rotation)] for half in segment.halves}


def whole_sides(segment: Segment, rotation: int) -> set[str]:
    """The sides that it has for itself, both their halves."""
    both = {half // 2 for half in segment.halves if half ^ 1 in segment.halves}
    return {SIDES[rotate_side(side, rotation)] for side in {*segment.sides, *both}}


def touched_sides(segment: Segment, rotation: int) -> set[str]:
    """The sides that it reaches at least by half."""
    return {SIDES[rotate_side(side, rotation)] for side in {*segment.sides, *(half // 2 for half in segment.halves)}}
