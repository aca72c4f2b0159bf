"""The proof of fair draws: in the record of a game that is over, and checked by anybody (docs/fair-draws.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn

from msgspec import structs

from bastide.errors import BastideError
from bastide.game import CHANCE, Action
from bastide.notation.record import Note, Record
from bastide.notation.replay import Replay
from bastide.server.api.incoming import StartTile
from bastide.server.api.refusal import Refusal
from bastide.server.draws.fair import PREFIX, bag, commitment
from bastide.server.draws.links import CHAIN, has_chain
from bastide.server.tables.setup import Chair, Setup
from bastide.server.tables.table import BOT, HUMAN, NOBODY, Line, Table

MARK = "# proof "
NOTHING = "-"  # a bot's entropy
SEED = re.compile(r"[0-9a-f]{64}")
ENTROPY = re.compile(r"([0-9a-fA-F]{16,64})?|chain:[0-9a-f]{64}")
PAST = re.compile(r"0|[1-9][0-9]{0,3}")
ONCE = ("version", "commitment", "seed", "past")  # lines of a proof that stand there once; the first one has no version
# Every line that may stand in a game, in the one way in which it is written.
LINE = re.compile(
    r"begin( \d)*|draw \S+|(link|chain) \d [0-9a-f]{64}|(ask|agree|resign|time) \d|undo [1-9]\d*|credit \d+ \d+|end|"
    r"\d \S.*",
    re.ASCII,
)


class ProofError(BastideError):
    """The draws of a game are not proved."""


@dataclass(frozen=True)
class Proof:
    """All that is needed besides the record."""

    commitment: str
    seed: str
    entropies: tuple[str, ...]
    past: int  # actions of the record that came with the table
    lines: tuple[str, ...]
    version: int

    @classmethod
    def of(cls, table: Table, lines: Sequence[Line]) -> Proof:
        """The proof of a table that is over."""
        entropies = tuple(chair.entropy or "" for chair in table.chairs)
        texts = tuple(line.text for line in lines)
        return cls(commitment(table.seed), table.seed, entropies, len(table.setup.past), texts, table.setup.fair)

    def added_to(self, record: Record) -> Record:
        """The record with the proof as comments at its end."""
        said = [
            *([f"version {self.version}"] if self.version > 1 else ()),
            f"commitment {self.commitment}",
            f"seed {self.seed}",
            *(f"entropy {entropy or NOTHING}" for entropy in self.entropies),
            f"past {self.past}",
            *(f"line {text}" for text in self.lines),
        ]
        return replace(record, lines=(*record.lines, Note(), *(Note(MARK + text) for text in said)))


@dataclass(frozen=True)
class Verified:
    """What came of checking a proof."""

    draws: int  # that stand in the game, or were taken back
    commitment: str
    unchecked: list[str] = field(default_factory=list)  # what the proof does not show, in sentences


def read_proof(record: Record) -> Proof:
    """The proof that a record carries."""
    found: dict[str, list[str]] = {word: [] for word in (*ONCE, "entropy", "line")}
    if any(note.startswith(MARK) for note in record.header.notes):
        refuse("expected the proof after the game, found a line of it in the header")
    for note in record.lines:
        if isinstance(note, Note) and note.note.startswith(MARK):
            word, _, rest = note.note.removeprefix(MARK).partition(" ")
            if word not in found:
                refuse(f"line {note.line}: expected one of {', '.join(found)} after {MARK.strip()!r}, found {word!r}")
            found[word].append(rest)
    if not any(found.values()):
        refuse("this record carries no proof of its draws")
    found["version"] = found["version"] or ["1"]
    for once in ONCE:
        if len(found[once]) != 1:
            refuse(f"expected one line {MARK + once!r}, found {len(found[once])}")
    ((version,), (past,)) = found["version"], found["past"]
    if version not in map(str, PREFIX):
        refuse(f"expected a version of the proof out of {', '.join(map(str, PREFIX))}, found {version!r}")
    if not PAST.fullmatch(past):
        refuse(f"expected a number after {MARK + 'past'!r}, found {past!r}")
    entropies = tuple("" if entropy == NOTHING else entropy for entropy in found["entropy"])
    lines = tuple(found["line"])
    return Proof(found["commitment"][0], found["seed"][0], entropies, int(past), lines, int(version))


def verify(record: Record, seen: str = "", own: Sequence[str] = ()) -> Verified:
    """What was checked; refused if a draw, or anything that it depends on, is not as it must be.

    `seen` is the commitment that somebody noted before the game, `own` the ends of chains (or entropies) that he gave.
    """
    proof = read_proof(record)
    if record.header.scripted:
        refuse("the draws of a puzzle are given; there is nothing to prove")
    if record.header.position:
        refuse("expected a game from its beginning, found a position: nobody proves how it came about")
    if not SEED.fullmatch(proof.seed):
        refuse("expected a seed of 64 hex digits")
    if commitment(proof.seed) != proof.commitment:
        refuse("the seed is not the one that was committed to")
    if seen and seen.lower() != proof.commitment:
        refuse("the commitment is not the one that was shown before the game")
    players = record.header.players
    if len(proof.entropies) != len(players):
        refuse(f"expected an entropy for each of {len(players)} players, found {len(proof.entropies)}")
    for entropy in proof.entropies:
        if not ENTROPY.fullmatch(entropy) or (has_chain(entropy) and proof.version == 1):
            refuse(f"this is no part of a seat in the draws: {entropy!r}")
    parts = [entropy.lower().removeprefix(CHAIN) for entropy in proof.entropies]
    for given in own:
        if given.lower().removeprefix(CHAIN) not in parts:
            refuse(f"no seat gave {given!r} before the game")
    playing = Replay(record)
    for step in playing:
        if step.failure:
            refuse(f"{step.line}: {step.failure}")
    past = [str(action) for _, action in playing.game.history[: proof.past]]
    checker = Checker(table_of(record, proof, past))
    for text in proof.lines:
        checker.play(text)
    table = checker.table
    if table.game != playing.game:
        refuse("the lines do not lead to the game of the record")
    if table.outcome is None:
        refuse("the game is not over, and a seed is shown only then")
    return Verified(table.draws_made, proof.commitment, list(unchecked(proof, players, seen, own)))


def unchecked(proof: Proof, names: Sequence[str], seen: str, own: Sequence[str]) -> Iterator[str]:
    """What a good proof does not show, in sentences."""
    if not seen:
        yield f"No commitment was given to compare with: {proof.commitment} must be what was shown before the game."
    if not own:
        yield "No part of a seat was given to compare with: somebody must know the end of his own chain."
    if proof.past:
        yield f"The first {proof.past} actions came with the table: it began with a record, whose draws nobody proves."
    if proof.version == 1:
        yield "Version 1: it is not shown that the server took no draw back and made it again."
    changed = [int(text.split()[1]) for text in proof.lines if text.startswith("chain ")]
    for seat, (name, entropy) in enumerate(zip(names, proof.entropies, strict=True)):
        if not entropy:
            yield f"{name} is no person and has no part in the draws."
        elif not has_chain(entropy) and proof.version > 1:
            yield f"{name} gave entropy and no chain: the server could know the tiles of {name} beforehand."
        elif seat in changed:
            yield f"{name} changed the chain {changed.count(seat)} times; those draws went on without a link of {name}."
    yield "Rules, start tiles and names are those that the record tells: nobody commits to them before the game."
    yield "Whether somebody else wrote what a player did, or whether time was really up, only that player can tell."


def table_of(record: Record, proof: Proof, past: Sequence[str]) -> Table:
    """The table before its first line; before its seats are shuffled, if they are."""
    head = record.header
    order = order_of(proof.lines, len(head.players))
    setup = Setup(
        edition=head.edition,
        modules=head.modules,
        options=dict(head.options),
        players=len(head.players),
        start=tuple(StartTile(tile.tile, tile.cell, tile.rotation) for tile in head.start),
        past=tuple(past),
        fair=proof.version,
        shuffle=bool(order),
    )
    chairs = [
        Chair(seat, HUMAN if entropy else BOT, name, name, entropy=entropy)
        for seat, (name, entropy) in enumerate(zip(head.players, proof.entropies, strict=True))
    ]
    return Table("", setup, proof.seed, "", seats_before(chairs, order))


def order_of(lines: Sequence[str], players: int) -> list[int]:
    """How the seats were shuffled, by the line `begin`; nothing if they were not."""
    begun = next((text.split()[1:] for text in lines if text.startswith("begin ")), [])
    order = [int(old) for old in begun if old.isdecimal()]
    if begun and sorted(order) != list(range(players)):
        refuse(f"expected each of {players} seats once after 'begin', found {' '.join(begun)!r}")
    return order


def seats_before(chairs: Sequence[Chair], order: Sequence[int]) -> list[Chair]:
    """Who sat where before the seats were shuffled."""
    if not order:
        return list(chairs)
    return [structs.replace(chairs[order.index(old)], seat=old) for old in range(len(chairs))]


class Checker:
    """Plays the lines of a proof one after the other; refuses one that could not come."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.number = 0
        self._asked = NOBODY  # the seat that asked for a take-back,
        self._agreed: set[int] = set()  # and who agreed

    def play(self, text: str) -> None:
        """Goes on by one line, if it could come now."""
        self.number += 1
        table, word = self.table, text.partition(" ")[0]
        if table.outcome is not None:
            self._refuse(f"{text!r} comes after the end of the game")
        if table.game is None and word not in ("begin", "link", "chain"):
            self._refuse(f"expected 'begin' before anything else, found {text!r}")
        if self._asked != NOBODY and word not in ("agree", "undo"):
            self._refuse(f"expected the consents to a take-back, found {text!r}")
        if not LINE.fullmatch(text):
            self._refuse(f"nobody knows the line {text!r}")
        try:
            if table.setup.fair > 1 and word in RULES:
                RULES[word](self, text)
            elif word == "begin" and text != "begin":
                self._refuse(f"expected 'begin', found {text!r}")
            elif word == "draw":
                self._draw(text)
            elif word.isdecimal():
                self._action(text)
            if word == "begin" and table.game is not None:
                self._refuse("'begin' stands there twice")
            table.apply(Line(self.number, 0, text))
        except (BastideError, Refusal, ValueError, IndexError) as error:
            if isinstance(error, ProofError):
                raise
            self._refuse(f"{text!r} cannot be played: {error}")

    def _begin(self, text: str) -> None:
        """The seats, if they were shuffled, are those that follow."""
        table = self.table
        if table.wanted:
            self._refuse(f"{text!r} before the link of seat {table.wanted[0]}")
        if not table.setup.shuffle or table.game is not None:
            return
        order = table.next_order()
        if text.split()[1:] != [str(old) for old in order]:
            self._refuse(f"{text!r}, but the seats had to be {' '.join(map(str, order))}")
        table.reseat(order)

    def _draw(self, text: str) -> None:
        """Is this what had to be drawn?"""
        table = self.table
        if table.playing.seat != CHANCE:
            self._refuse(f"{text!r}, but nothing is drawn now")
        if table.wanted:
            self._refuse(f"{text!r} before the link of seat {table.wanted[0]}")
        due = str(table.next_draw())
        if text != due:
            came, wanted = text.partition(" ")[2], due.partition(" ")[2]
            self._refuse(f"draw {table.draws_made} was {came!r}, but {wanted!r} was due")

    def _link(self, text: str) -> None:
        """A link comes when it is wanted, and is the next one of its chain."""
        word, seat, digits = text.split()
        if word == "link":
            self.table.check_link(int(seat), digits)
        elif int(seat) not in self.table.wanted:
            self._refuse(f"{text!r}, but no link of this seat is wanted")

    def _action(self, text: str) -> None:
        """An action comes from the seat that decides, and is written in one way."""
        seat, _, action = text.partition(" ")
        if int(seat) != self.table.decides:
            self._refuse(f"{text!r}, but the seat {self.table.decides} decides")
        if str(Action.parse(action)) != action:
            self._refuse(f"expected '{Action.parse(action)}', found {action!r}")

    def _ask(self, text: str) -> None:
        """A person asks for a take-back."""
        seat = int(text.split()[1])
        if seat not in self._people():
            self._refuse(f"{text!r}, but nobody sits there")
        self._asked, self._agreed = seat, {seat}

    def _agree(self, text: str) -> None:
        """Somebody else agrees to it."""
        seat = int(text.split()[1])
        if self._asked == NOBODY or seat in self._agreed or seat not in self._people():
            self._refuse(f"{text!r}, but there is nothing to agree to")
        self._agreed.add(seat)

    def _undo(self, text: str) -> None:
        """Own actions since the last draw may be taken back, and a turn if everybody agreed."""
        table, count = self.table, int(text.split()[1])
        if self._asked != NOBODY:
            missing = [seat for seat in self._people() if seat not in self._agreed]
            if missing:
                self._refuse(f"{text!r}, but seat {missing[0]} did not agree")
            if count != table.take_back(self._asked):
                self._refuse(f"{text!r}, but {table.take_back(self._asked)} actions were to be taken back")
        elif table.decides not in self._people() or not 0 < count <= table.may_undo(table.decides):
            self._refuse(f"{text!r}, but nobody may take that back without the consent of the others")
        self._asked = NOBODY

    def _end(self, text: str) -> None:
        """Only a puzzle is ended."""
        self._refuse(f"{text!r}, but the game is no puzzle")

    def _leave(self, text: str) -> None:
        """A seat gives up, or is out of time; once."""
        seat = int(text.split()[1])
        if seat in self.table.out or seat not in range(len(self.table.chairs)):
            self._refuse(f"{text!r}, but the seat is out already, or there is none")

    def _people(self) -> list[int]:
        return [chair.seat for chair in self.table.chairs if chair.entropy and chair.seat not in self.table.out]

    def _refuse(self, why: str) -> NoReturn:
        refuse(f"line {self.number}: {why}")


# What is checked of a line before it is played, by its first word; everything else is an action.
RULES = {
    "begin": Checker._begin,
    "draw": Checker._draw,
    "link": Checker._link,
    "chain": Checker._link,
    "ask": Checker._ask,
    "agree": Checker._agree,
    "undo": Checker._undo,
    "end": Checker._end,
    "resign": Checker._leave,
    "time": Checker._leave,
}


@dataclass(frozen=True)
class SeenDraw:
    """What must be known of a draw by who checks it without an engine."""

    seat: int  # who got it
    bag: list[tuple[str, int]]  # what could be drawn, with its weights


def draws_of(setup: Setup, chairs: Sequence[Chair], lines: Sequence[Line]) -> list[SeenDraw]:
    """Every draw of a table, those taken back too; nothing where a puzzle gives the draws."""
    table = Table("", setup, "", "", chairs)
    found = []
    for line in lines:
        if line.text.startswith("draw ") and not setup.scripted:
            found.append(SeenDraw(table.playing.turn, bag(table.playing)))
        table.apply(line)
    return found


def refuse(why: str) -> NoReturn:
    """The draws are not proved."""
    raise ProofError(why)
