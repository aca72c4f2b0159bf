"""A position as text: everything about it, and nothing about what happened before. See docs/notation.md.

The lines stand in the header of a record. What follows from the rest (supplies, the bag) is written only where it
differs; tiles stand in the order in which they were laid, because the order of legal actions follows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from bastide.game.board import blocks, figures_on
from bastide.game.engine import Engine
from bastide.kernel.offsets import (
    AGENDA,
    EXTRA,
    F_LEN,
    F_MORE,
    F_PLAYER,
    F_QUESTION,
    F_SUBJECT,
    FIGURE,
    HIDDEN,
    PIECES,
    POS,
    SCORE,
    STANDING_LEN,
    SUPPLY,
    TOP,
)
from bastide.kernel.torus import unpack
from bastide.notation.values import NONE, Values
from bastide.rules.layout import Field, Secret
from bastide.rules.piles import JOINED
from bastide.rules.position import DRAWN, PLACE

TILES_A_LINE = 8
FIGURES_A_LINE = 4
EXTRA_TURN = ("no", "due", "had")


def position_lines(engine: Engine, names: Sequence[str]) -> list[str]:
    """The entries that say where everything is, as they stand in the header of a record."""
    values = Values(engine, names)
    return [
        *wrapped("tiles", tiles(engine), TILES_A_LINE),
        *wrapped("figures", figures(engine, values), FIGURES_A_LINE),
        f"scores {' '.join(str(engine.s[SCORE + seat]) for seat in range(len(names)))}",
        *supplies(engine, values),
        *bag(engine),
        *(f"hidden {pile} {n}" for i, pile in enumerate(values.piles) if (n := engine.s[HIDDEN + i])),
        *([f"extra_turn {EXTRA_TURN[engine.s[EXTRA]]}"] if engine.s[EXTRA] else []),
        *(line for field in engine.rules.layout.fields for line in field_line(values, field)),
        f"agenda {'; '.join(frames(values))}",
    ]


def known_lines(engine: Engine, names: Sequence[str], seat: int) -> list[str]:
    """The same as one seat knows it, or somebody who has none: what others hold hidden is only counted.

    Their tiles are among the unseen ones; counted things of all others lie together.
    """
    known = engine.clone()
    lines: list[str] = []
    for secret in engine.rules.layout.secrets:
        counts: list[str] = []
        together: Counter[str] = Counter()
        for who, name in enumerate(names):
            held = put_aside(known, secret, who) if who != seat else []
            counts += [f"{name} {len(held)}"] if held else []
            together.update(held)
        name = next(field.name for field in engine.rules.layout.fields if field.at == secret.at)
        if counts:
            lines.append(f"secret {name} {'; '.join(counts)}")
        if counts and secret.things:
            in_order = [f"{thing} {together[thing]}" for thing in secret.things if together[thing]]
            lines.append(f"things {name} {' '.join(in_order)}")
    seen_by = names[seat] if 0 <= seat < len(names) else NONE
    return [*position_lines(known, names), f"seen_by {seen_by}", *lines] if lines else position_lines(known, names)


def put_aside(engine: Engine, secret: Secret, who: int) -> list[str]:
    """Takes what a player holds hidden out of a position, tiles back into the bag; returns the names."""
    found: list[str] = []
    for i in range(secret.size):
        at = secret.at + who * secret.size + i
        held = int(engine.s[at])
        engine.put(at, 0)
        if secret.things:
            found += [secret.things[i]] * held
        elif held:
            found.append(engine.rules.tiles[held - 1].id)
            engine.add(engine.bag + held - 1, 1)
    return found


def wrapped(name: str, parts: Iterator[str], number: int) -> list[str]:
    """Lines of some parts each."""
    found = list(parts)
    return [f"{name} {'; '.join(found[at : at + number])}" for at in range(0, len(found), number)]


def tiles(engine: Engine) -> Iterator[str]:
    """`D 0,0 90`, as they were laid."""
    for block in blocks(engine):
        x, y = unpack(engine.s[block + POS])
        yield f"{engine.rules.tiles[engine.type_of(block)].id} {x},{y} {90 * engine.rotation_of(block)}"


def figures(engine: Engine, values: Values) -> Iterator[str]:
    """`red follower 0,0 city N`."""
    for i in range(engine.s[STANDING_LEN]):
        node = engine.s[engine.standing + i]
        for figure in figures_on(engine, node):
            yield f"{values.names[figure.seat]} {figure.piece} {engine.place_of(node)}"


def supplies(engine: Engine, values: Values) -> Iterator[str]:
    """The supplies that differ from what is not on the board."""
    usual = usual_supply(engine)
    for seat, name in enumerate(values.names):
        found = {piece: engine.s[SUPPLY + seat * PIECES + i] for i, piece in enumerate(values.pieces)}
        other = [f"{piece} {n}" for i, (piece, n) in enumerate(found.items()) if n != usual[seat, i]]
        if other:
            yield f"supply {name} {' '.join(other)}"


def bag(engine: Engine) -> Iterator[str]:
    """The tiles of which another number is in the bag than follows from the rest."""
    usual = usual_bag(engine)
    found = [int(engine.s[engine.bag + tile_type]) for tile_type in range(engine.rules.types)]
    other = [f"{engine.rules.tiles[tile_type].id} {n}" for tile_type, n in enumerate(found) if n != usual[tile_type]]
    if other:
        yield f"bag {' '.join(other)}"


def field_line(values: Values, field: Field) -> Iterator[str]:
    """What a module keeps, if it is not nothing: `field goods red wine 2; blue cloth 1`."""
    if field.holds == "nothing":
        return
    s = values.engine.s
    owners = values.names if field.per_player else ("",)
    found = []
    for seat, owner in enumerate(owners):
        numbers = [int(s[field.at + seat * field.size + i]) for i in range(field.size)]
        if any(numbers):
            found.append(f"{owner} {field_words(values, field, numbers)}".strip())
    if found:
        yield f"field {field.name} {'; '.join(found)}"


def field_words(values: Values, field: Field, numbers: Sequence[int]) -> str:
    """Slots with their names, or a list without the zeros at its end."""
    words = [values.write(field.holds, number, field.values) for number in numbers]
    if field.slots:
        return " ".join(f"{slot} {word}" for slot, word, n in zip(field.slots, words, numbers, strict=True) if n)
    last = max(i for i, number in enumerate(numbers) if number)
    return " ".join(words[: last + 1])


def frames(values: Values) -> Iterator[str]:
    """Who decides what, the question that is asked now last."""
    s = values.engine.s
    for at in range(AGENDA, s[TOP] + 1, F_LEN):
        question = int(s[at + F_QUESTION])
        words = [
            values.names[s[at + F_PLAYER]],
            values.frames[question],
            values.write(values.subjects[question], s[at + F_SUBJECT]),
        ]
        if values.counts(question):
            words.append(str(s[at + F_MORE]))
        yield " ".join(word for word in words if word)


# --- what follows from the rest


def usual_supply(engine: Engine) -> dict[tuple[int, int], int]:
    """Per seat and piece: all that stand neither on the board nor in a field of a module."""
    s = engine.s
    pieces = engine.rules.layout.pieces
    usual = {(seat, i): piece.count for seat in range(engine.players) for i, piece in enumerate(pieces)}
    words = [s[s[engine.standing + i] + FIGURE] for i in range(s[STANDING_LEN])]
    words += [value for value in field_values(engine, "figure") if value]
    for word in words:
        while word:
            figure = engine.first_figure(word)
            usual[engine.owner(figure), engine.piece(figure)] -= 1
            word = engine.other_figures(word)
    return usual


def usual_bag(engine: Engine) -> list[int]:
    """Per tile type: all that lie neither on the board nor with somebody; the start tiles were never in the bag."""
    s = engine.s
    rules = engine.rules
    start = Counter(rules.start[i] for i in range(0, len(rules.start), 4))
    laid = Counter(engine.type_of(block) for block in blocks(engine))
    taken = Counter(value - 1 for value in field_values(engine, "type") if value)
    for at in range(AGENDA, s[TOP] + 1, F_LEN):
        if s[at + F_QUESTION] in (PLACE, DRAWN):
            taken[s[at + F_SUBJECT]] += 1
    first = engine.shape.empty
    tables = engine.tables
    joined = s[tables.waiting + JOINED] if tables.waiting else 0
    return [
        first[engine.bag + tile_type]
        + joined * tables.waits[tile_type]
        - max(0, laid[tile_type] - start[tile_type])
        - taken[tile_type]
        for tile_type in range(engine.rules.types)
    ]


def field_values(engine: Engine, holds: str) -> Iterator[int]:
    """All numbers of the fields that hold such things."""
    for field in engine.rules.layout.fields:
        if field.holds == holds:
            size = field.size * (engine.players if field.per_player else 1)
            yield from (engine.s[field.at + i] for i in range(size))


__all__ = ["EXTRA_TURN", "NONE", "known_lines", "position_lines", "usual_bag", "usual_supply"]
