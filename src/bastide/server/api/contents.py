"""What can be played and learnt, as HTTP tells it (docs/protocol.md): catalogue, drawings, lessons, pictures."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from bastide.server.api.incoming import Clock
from bastide.server.api.outgoing import Value

Count = Annotated[int, Meta(ge=1)]
Point = tuple[float, float]  # in a tile of 100 x 100


# --- the catalogue


class Option(Struct, frozen=True):
    """Something that a module lets people choose; the first value is the default."""

    name: str
    values: tuple[Value, ...]
    rule: str


class HouseRule(Option, frozen=True):
    """Something that no book has."""

    texts: dict[str, dict[str, str]]  # by language: name, says


class Module(Struct, frozen=True):
    """A box, or a game of its own."""

    name: str
    texts: dict[str, dict[str, Any]]  # by language
    options: list[Option]
    house_rules: list[HouseRule]
    standalone: bool
    players: tuple[Count, Count]
    prefix: str
    rules: int
    lesson: bool
    pictures: bool


class Edition(Struct, frozen=True, omit_defaults=True):
    """A named set of options."""

    name: str
    modules: list[str]
    options: dict[str, Value]
    players: tuple[Count, Count] | None = None


class PresetTable(Struct, frozen=True, omit_defaults=True):
    """What a preset says about the table."""

    clock: Clock | None = None
    aids: bool | None = None


class Preset(Struct, frozen=True):
    """A named choice."""

    name: str
    edition: str
    modules: list[str]
    options: dict[str, Value]
    table: PresetTable | None
    picture: str
    texts: dict[str, dict[str, str]]  # by language: name, summary


class LongestTexts(Struct, frozen=True):
    """How long names and texts may be, and how many seats a table may have."""

    name: int
    chat: int
    title: int
    seats: int


class Catalogue(Struct, frozen=True):
    """Everything that a page must know before a table is made."""

    version: int
    game: str
    modules: list[Module]
    editions: list[Edition]
    presets: list[Preset]
    bots: list[str]
    colours: tuple[str, ...]
    themes: list[str]
    emotes: tuple[str, ...]
    clocks: list[str]
    limits: LongestTexts


# --- drawings


class Segment(Struct, frozen=True, omit_defaults=True):
    """A part of a tile: a road, a city."""

    kind: str
    names: list[str]
    sides: list[str]
    outline: str
    spots: list[Point]
    marks: dict[str, int] | None = None


class TileDrawing(Struct, frozen=True, omit_defaults=True):
    """What belongs to the drawing of a tile."""

    id: str
    segments: list[Segment]
    places: dict[str, list[Point]]
    marks: dict[str, Any] | None = None


class KindDrawing(Struct, frozen=True):
    """How a kind of land looks."""

    ground: bool
    around: bool


class PieceDrawing(Struct, frozen=True):
    """How a piece looks."""

    lies: bool
    scale: float


class DrawingData(Struct, frozen=True):
    """Outlines and places of everything in play."""

    tiles: dict[str, TileDrawing]
    kinds: dict[str, KindDrawing]
    pieces: dict[str, PieceDrawing]


# --- learning


class Spoken(Struct, frozen=True, omit_defaults=True):
    """Words in the languages that a module speaks: English always."""

    en: str
    fr: str | None = None


class LessonStep(
    Spoken, frozen=True, omit_defaults=True, forbid_unknown_fields=True, rename={"to_do": "do", "otherwise": "else"}
):
    """One sentence of a lesson, and what goes with it."""

    to_do: str | None = None  # the action that the learner is to take
    otherwise: Spoken | None = None  # said about any other action
    other: list[str] | None = None  # actions of the other player
    show: str | None = None  # a region to look at: cell and spot
    end: bool | None = None  # the final scoring is on show


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be made, and what the page says and lights at it."""

    record: list[str]
    draws: list[str]
    steps: list[LessonStep]


class RulePicture(Struct, frozen=True):
    """A drawn board that shows a rule, ready to be shown."""

    svg: str
    rules: list[str]
    texts: dict[str, str]  # by language
    sums: list[str]  # "3×2 + 1×2 = 8", for those who do not see them
