"""Records: save file, replay, scenario, puzzle and network log as one text (see docs/notation.md).

`read_record` and `write_record` are inverse: what one prints the other reads back, comments included.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bastide.errors import RecordError
from bastide.game.actions import Action
from bastide.geometry import Cell
from bastide.notation.checks import read_check
from bastide.notation.words import NUMBER, Words, read_action
from bastide.rules.spec import Value

VERSION = 1
NAME = re.compile(r"[^\s:;#]+")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")  # they would end a line, or bend a terminal
POSITION = (
    "tiles",
    "figures",
    "scores",
    "supply",
    "bag",
    "hidden",
    "extra_turn",
    "field",
    "agenda",
    "seen_by",
    "secret",
    "things",
)


@dataclass(frozen=True)
class Start:
    """A tile that lies on the table before the first turn; `rotation` in quarter turns."""

    tile: str
    cell: Cell
    rotation: int = 0

    def __str__(self) -> str:
        return f"{self.tile} {self.cell[0]},{self.cell[1]} {90 * self.rotation}"


@dataclass(frozen=True)
class PositionLine:
    """One entry of a position: `figures red follower 0,0 city N`."""

    name: str
    text: str
    line: int = field(default=0, compare=False)

    @classmethod
    def of(cls, entry: str) -> PositionLine:
        """The entry that `str` wrote."""
        name, _, text = entry.partition(" ")
        return cls(name, text)

    def __str__(self) -> str:
        return f"{self.name} {self.text}"


@dataclass(frozen=True)
class Header:
    """What must be known before the first turn; an empty entry is an absent one."""

    title: str = ""
    rules: tuple[str, ...] = ()
    edition: str = ""
    modules: tuple[str, ...] = ()
    plugins: tuple[tuple[str, str], ...] = ()  # of these modules: name and version
    options: tuple[tuple[str, Value], ...] = ()
    players: tuple[str, ...] = ()
    start: tuple[Start, ...] = ()
    scripted: bool = False
    goal: str = ""
    position: tuple[PositionLine, ...] = ()  # where the game begins, if not at its beginning
    notes: tuple[str, ...] = ()  # comments that stand in the header


@dataclass(frozen=True)
class Turn:
    """`red: draw E; place E 0,-1 180; pass`."""

    player: str
    actions: tuple[Action, ...]
    note: str = ""
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.player}: {'; '.join(map(str, self.actions))}"


@dataclass(frozen=True)
class Check:
    """`check score red 2`: the words after `check`, already known to be well formed."""

    text: str
    note: str = ""
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"check {self.text}"


@dataclass(frozen=True)
class End:
    """`end`: the game stops here and the final scoring is done."""

    note: str = ""
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return "end"


@dataclass(frozen=True)
class Note:
    """A line for people: a comment, or an empty line."""

    note: str = ""
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return ""


Line = Turn | Check | End | Note


@dataclass(frozen=True)
class Record:
    """A whole game or the beginning of one."""

    header: Header
    lines: tuple[Line, ...] = ()

    def __str__(self) -> str:
        return write_record(self)


# --- printing


def write_record(record: Record) -> str:
    """The text of a record, in its one canonical form."""
    head = record.header
    entries = [
        f"bastide {VERSION}",
        *head.notes,
        *_entry("title", head.title),
        *_entry("rules", " ".join(head.rules)),
        *_entry("edition", head.edition),
        *_entry("modules", " ".join(head.modules)),
        *(f"plugin {name} {version}" for name, version in head.plugins),
        *(f"option {name} {value}" for name, value in head.options),
        *_entry("players", " ".join(head.players)),
        *(f"start {tile}" for tile in head.start),
        *_entry("draws", "scripted" if head.scripted else ""),
        *_entry("goal", head.goal),
        *map(str, head.position),
    ]
    body = [_with_note(line) for line in record.lines]
    return "\n".join([*entries, "", *body]).rstrip("\n") + "\n"


def one_line(text: str) -> str:
    """A text as a record can have it: without control characters."""
    return CONTROL.sub(" ", text)


def _entry(name: str, value: str) -> list[str]:
    if CONTROL.search(value):
        raise RecordError(1, f"{name}: expected one line without control characters, found {value!r}")
    return [f"{name} {value}"] if value else []


def _with_note(line: Line) -> str:
    return f"{line} {line.note}".strip()


# --- reading


def load_record(path: Path) -> Record:
    """The record in a file."""
    try:
        return read_record(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise RecordError(line, "expected text in UTF-8, found other bytes") from error


def read_record(text: str) -> Record:
    """Reads a record; a malformed one is refused with line and reason."""
    if not isinstance(text, str):
        raise RecordError(1, f"expected the text of a record, found {text!r}")
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[0].split() != ["bastide", str(VERSION)]:
        raise RecordError(1, f"expected 'bastide {VERSION}', found {lines[0].strip()!r}")
    size = next((at for at, line in enumerate(lines) if not line.strip()), len(lines))
    header = _read_header(lines[1:size])
    body = [_read_line(at, line.strip(), header.players) for at, line in enumerate(lines[size + 1 :], size + 2)]
    while body and body[-1] == Note():
        body.pop()
    return Record(header, tuple(body))


def _read_header(lines: list[str]) -> Header:
    found: dict[str, list[Any]] = {}  # what each entry says, by the member of Header
    seen = set[str]()
    for at, line in enumerate(lines, 2):
        if line.startswith("#"):
            found.setdefault("notes", []).append(line.rstrip())
            continue
        words = Words(at, line)
        name = words.word("an entry of the header")
        if name not in _ENTRIES:
            words.refuse(f"expected one of {', '.join(_ENTRIES)} or an empty line, found {name!r}")
        if name in seen and name not in _AGAIN:
            words.refuse(f"{name} stands twice in the header")
        member, read = _ENTRIES[name]
        said = read(words)
        if member == "options" and (name := f"option {said[0]}") in seen:
            words.refuse(f"{name} is set twice")
        found.setdefault(member, []).append(said)
        words.end()
        seen.add(name)
    members: dict[str, Any] = {name: tuple(said) if name in _LISTS else said[0] for name, said in found.items()}
    head = Header(**members)
    if not head.players:
        raise RecordError(len(lines) + 1, "expected 'players' in the header, found none")
    if head.start and head.position:
        raise RecordError(head.position[0].line, "expected either 'start' or a position in the header, found both")
    return head


def _plugin(words: Words) -> tuple[str, str]:
    return words.word("the name of a plug-in"), words.word("its version")


def _option(words: Words) -> tuple[str, Value]:
    name, value = words.word("the name of an option"), words.word("its value")
    return name, int(value) if NUMBER.fullmatch(value) else value


def _players(words: Words) -> tuple[str, ...]:
    names = tuple(words.rest("the players' names").split())
    for name in names:
        if not NAME.fullmatch(name):
            words.refuse(f"expected a player's name without : ; #, found {name!r}")
    if len(set(names)) < len(names):
        words.refuse("two players have the same name")
    return names


def _draws(words: Words) -> bool:
    how = words.word("'scripted'")
    if how != "scripted":
        words.refuse(f"expected 'draws scripted', found {how!r}")
    return True


def _position(name: str, words: Words) -> PositionLine:
    return PositionLine(name, words.rest("what is where"), words.line)


# Each entry of the header: the member of Header that it fills, and how it is read.
_ENTRIES: dict[str, tuple[str, Callable[[Words], Any]]] = {
    "title": ("title", lambda words: words.rest("a text")),
    "rules": ("rules", lambda words: tuple(words.rest("rule ids").split())),
    "edition": ("edition", lambda words: words.word("an edition")),
    "modules": ("modules", lambda words: tuple(words.rest("modules").split())),
    "plugin": ("plugins", _plugin),
    "option": ("options", _option),
    "players": ("players", _players),
    "start": ("start", lambda words: Start(words.word("a tile"), words.cell(), words.rotation())),
    "draws": ("scripted", _draws),
    "goal": ("goal", lambda words: words.rest("a text")),
    **{name: ("position", partial(_position, name)) for name in POSITION},
}
_LISTS = ("notes", "plugins", "options", "start", "position")  # members that several lines fill
_AGAIN = ("plugin", "option", "start", "tiles", "figures", "supply", "hidden", "field", "secret", "things")


def _read_line(at: int, text: str, players: tuple[str, ...]) -> Line:
    said, note = _split_note(text)
    if not said:
        return Note(note, at)
    if said == "end":
        return End(note, at)
    first, _, rest = said.partition(" ")
    if first == "check":
        return Check(read_check(Words(at, rest, players)), note, at)
    player, colon, actions = said.partition(":")
    if not colon:
        raise RecordError(at, f"expected 'NAME: action; ...', 'check ...', 'end' or '# ...', found {said!r}")
    if player not in players:
        raise RecordError(at, f"expected a player ({', '.join(players)}), found {player!r}")
    return Turn(player, tuple(read_action(at, part.strip()) for part in actions.split(";")), note, at)


def _split_note(text: str) -> tuple[str, str]:
    """What a line says, and its comment: from a `#` at the beginning or after a space to the end of the line."""
    if text.startswith("#"):
        return "", text
    said, mark, note = text.partition(" #")
    return said.rstrip(), mark.lstrip() + note
