"""The proof of fair draws: in the record of a game that is over, and checked by anybody (docs/protocol.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from bastide.errors import BastideError
from bastide.game import CHANCE
from bastide.notation.record import Note, Record
from bastide.notation.replay import Replay
from bastide.server.fair import bag, commitment
from bastide.server.incoming import StartTile
from bastide.server.setup import Chair, Setup
from bastide.server.table import HUMAN, Line, Table

MARK = "# proof "
NOTHING = "-"  # a bot's entropy
HEX = re.compile(r"[0-9a-f]+")
SEED = 64  # hex digits


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

    @classmethod
    def of(cls, table: Table, lines: Sequence[Line]) -> Proof:
        """The proof of a table that is over."""
        entropies = tuple(chair.entropy or "" for chair in table.chairs)
        texts = tuple(line.text for line in lines)
        return cls(commitment(table.seed), table.seed, entropies, len(table.setup.past), texts)

    def added_to(self, record: Record) -> Record:
        """The record with the proof as comments at its end."""
        said = [
            f"commitment {self.commitment}",
            f"seed {self.seed}",
            *(f"entropy {entropy or NOTHING}" for entropy in self.entropies),
            f"past {self.past}",
            *(f"line {text}" for text in self.lines),
        ]
        return replace(record, lines=(*record.lines, Note(), *(Note(MARK + text) for text in said)))


def read_proof(record: Record) -> Proof:
    """The proof that a record carries."""
    found: dict[str, list[str]] = {"commitment": [], "seed": [], "entropy": [], "past": [], "line": []}
    for note in record.lines:
        if isinstance(note, Note) and note.note.startswith(MARK):
            word, _, rest = note.note.removeprefix(MARK).partition(" ")
            if word not in found:
                refuse(f"line {note.line}: expected one of {', '.join(found)} after {MARK.strip()!r}, found {word!r}")
            found[word].append(rest)
    if not any(found.values()):
        refuse("this record carries no proof of its draws")
    for once in ("commitment", "seed", "past"):
        if len(found[once]) != 1:
            refuse(f"expected one line {MARK + once!r}, found {len(found[once])}")
    (past,) = found["past"]
    if not past.isdecimal():
        refuse(f"expected a number after {MARK + 'past'!r}, found {past!r}")
    entropies = tuple("" if entropy == NOTHING else entropy for entropy in found["entropy"])
    return Proof(found["commitment"][0], found["seed"][0], entropies, int(past), tuple(found["line"]))


def verify(record: Record, seen: str = "") -> int:
    """How many draws were checked; refused if one of them, or anything that it depends on, is not as it must be.

    `seen` is the commitment that somebody noted before the game.
    """
    proof = read_proof(record)
    if record.header.scripted:
        refuse("the draws of a puzzle are given; there is nothing to prove")
    if not HEX.fullmatch(proof.seed) or len(proof.seed) != SEED:
        refuse(f"expected a seed of {SEED} hex digits")
    if commitment(proof.seed) != proof.commitment:
        refuse("the seed is not the one that was committed to")
    if seen and seen.lower() != proof.commitment:
        refuse("the commitment is not the one that was shown before the game")
    players = len(record.header.players)
    if len(proof.entropies) != players:
        refuse(f"expected an entropy for each of {players} players, found {len(proof.entropies)}")
    playing = Replay(record)
    for step in playing:
        if step.failure:
            refuse(f"{step.line}: {step.failure}")
    history = [(seat, str(action)) for seat, action in playing.game.history]
    table = table_of(record, proof, [action for _, action in history[: proof.past]])
    for number, text in enumerate(proof.lines, 1):
        play(table, number, text)
    if table.game is None or [(seat, str(action)) for seat, action in table.game.history] != history:
        refuse("the lines do not lead to the game of the record")
    if table.outcome is None:
        refuse("the game is not over, and a seed is shown only then")
    return table.draws_made


def table_of(record: Record, proof: Proof, past: Sequence[str]) -> Table:
    """The table before its first line."""
    head = record.header
    setup = Setup(
        edition=head.edition,
        modules=head.modules,
        options=dict(head.options),
        players=len(head.players),
        start=tuple(StartTile(tile.tile, tile.cell, tile.rotation) for tile in head.start),
        past=tuple(past),
    )
    chairs = [
        Chair(seat, HUMAN, name, name, entropy=entropy)
        for seat, (name, entropy) in enumerate(zip(head.players, proof.entropies, strict=True))
    ]
    return Table("", setup, proof.seed, "", chairs)


def play(table: Table, number: int, text: str) -> None:
    """Goes on by one line, if it could come now."""
    word = text.partition(" ")[0]
    if (word == "begin") != (table.game is None):
        refuse(f"line {number}: expected 'begin' as the first line and never again, found {text!r}")
    if table.outcome is not None:
        refuse(f"line {number}: {text!r} comes after the end of the game")
    if word == "draw":
        check_draw(table, number, text)
    elif word.isdecimal() and int(word) != table.decides:
        refuse(f"line {number}: {text!r}, but the seat {table.decides} decides")
    try:
        table.apply(Line(number, 0, text))
    except (BastideError, ValueError, IndexError) as error:
        refuse(f"line {number}: {text!r} cannot be played: {error}")


def check_draw(table: Table, number: int, text: str) -> None:
    """Is this what had to be drawn?"""
    if table.playing.seat != CHANCE:
        refuse(f"line {number}: {text!r}, but nothing is drawn now")
    due = str(table.next_draw())
    if text != due:
        came, wanted = text.partition(" ")[2], due.partition(" ")[2]
        refuse(f"line {number}: draw {table.draws_made} was {came!r}, but {wanted!r} was due")


def bags(setup: Setup, chairs: Sequence[Chair], lines: Sequence[Line]) -> list[list[tuple[str, int]]]:
    """What could be drawn in each draw of a table, with its weights; nothing where a puzzle gives the draws."""
    table = Table("", setup, "", "", chairs)
    found = []
    for line in lines:
        if line.text.startswith("draw ") and not setup.scripted:
            found.append(bag(table.playing))
        table.apply(line)
    return found


def refuse(why: str) -> NoReturn:
    """The draws are not proved."""
    raise ProofError(why)
