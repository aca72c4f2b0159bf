"""What a module brings before any game: its boxes, and what `declare` reserves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from bastide.check.finding import Finding, blame
from bastide.errors import BastideError
from bastide.homes import Home
from bastide.rules.build import compiled
from bastide.rules.choose import choose, in_order, resolve
from bastide.rules.layout import Layout
from bastide.rules.registry import presets, specs
from bastide.rules.rules import Rules
from bastide.rules.spec import Spec, Value
from bastide.tiles import boxes
from bastide.tiles.catalogue import gather

NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
OFFSET, SUMS = 1000, 8  # arbitrary first offset and number of sums of a layout that is only inspected

Options = Mapping[str, Value]


def usual_players(spec: Spec) -> int:
    """Two, or as many as the box needs."""
    return max(2, spec.players[0])


def rules_with(spec: Spec, options: Options, players: int = 0) -> Rules:
    """The rules of a module alone, or with the base game that it adds to."""
    return compiled(choose("", [spec.name], players or usual_players(spec), "", options))


def settings(spec: Spec) -> Iterator[Options]:
    """The usual options, then every other value of every option and house rule that is on or off; at last the least.

    That is as few of every piece and as few copies of the box as house rules allow: often none.
    """
    yield {}
    for option in spec.all_options:
        if option in spec.options or len(option.values) == 2:
            yield from ({option.name: value} for value in option.values[1:])
    if spec.pieces:
        yield {piece.name: piece.least for piece in spec.pieces}
    if spec.boxes and not spec.game:
        yield {spec.copies: 0}


# --- tiles


def check_boxes(home: Home, spec: Spec) -> Iterator[Finding]:
    """The box files can be read, alone and beside all others, and the Spec names them."""
    brought: dict[str, str] = {}
    for path in sorted(home.folder.glob("tiles*.json")):
        try:
            brought |= dict.fromkeys(gather([path]), path.name)
        except BastideError as error:
            yield Finding("tiles", path.name, str(error))
            return
    try:
        known = boxes()
    except BastideError as error:
        yield Finding("tiles", "beside other boxes", str(error))
        return
    for name in spec.boxes:
        if name not in known:
            yield Finding("tiles", "rules.py, MODULE", f"boxes: expected one of {', '.join(known)}, got {name!r}")
    for name, file in brought.items():
        if name not in spec.boxes:
            yield Finding("tiles", file, f"expected its box {name!r} among the boxes of MODULE, got {spec.boxes}")


def check_tiles_used(spec: Spec) -> Iterator[Finding]:
    """Every tile of its boxes is in play with some value of its options."""
    played: set[str] = set()
    for options in settings(spec):
        layout = layout_of(spec, options)
        played |= {tile.id for tile, _ in layout.tiles} | {start.tile for start in layout.start}
        played |= {tile.id for tile in layout.big}
    for name in spec.boxes:
        box = boxes()[name]
        for tile in [*(tile.id for tile in box.tiles), *(tile.id for tile in box.big)]:
            if tile not in played:
                says = f"expected `declare` to add the tile {tile} of the box {name} with some option; it never does"
                yield Finding("tiles", "rules.py, declare", says)


def check_kinds_used(spec: Spec) -> Iterator[Finding]:
    """Every kind of land on its tiles is declared by some module: others are left out of the tiles."""
    declared = {kind for other in specs().values() for kind in layout_of(other, {}).kinds}
    for name in spec.boxes:
        for tile in boxes()[name].tiles:
            for kind in dict.fromkeys(segment.kind for segment in tile.segments if segment.kind not in declared):
                says = f"expected kinds of land that a module declares ({', '.join(sorted(declared))}), got {kind!r}"
                yield Finding("names", f"the tile {tile.id} of the box {name}", says)
                return


# --- declare


def layout_of(spec: Spec, options: Options, others: Iterable[str] = ()) -> Layout:
    """What the module, and those it is played with, reserve."""
    chosen = in_order([spec.name, *others])
    values = resolve(chosen, "", options)
    layout = Layout(values, chosen, boxes(), usual_players(spec), OFFSET, SUMS)
    for one in chosen:
        for module in one.make(values):
            module.declare(layout)
    return layout


def check_declare(home: Home, spec: Spec) -> Iterator[Finding]:
    """For every value of every option: `declare` does not fail, and does the same twice; the rules compile."""
    for options in settings(spec):
        where = f"rules.py, declare, {said(options)}"
        try:
            yield from (Finding("declare", where, says) for says in differences(spec, options))
        except Exception as error:
            yield Finding("declare", where, f"expected no error, got {blame(error, home.folder)}")
            return
    for options in settings(spec):
        try:
            rules_with(spec, options)
        except Exception as error:
            yield Finding(
                "declare", f"rules.py, {said(options)}", f"the rules do not compile: {blame(error, home.folder)}"
            )
            return


def said(options: Options) -> str:
    """Options as people write them."""
    return ", ".join(f"{name}={value}" for name, value in options.items()) or "usual options"


def differences(spec: Spec, options: Options) -> Iterator[str]:
    """What the same modules reserve differently the second time."""
    chosen = in_order([spec.name])
    values = resolve(chosen, "", options)
    modules = [module for one in chosen for module in one.make(values)]
    found = []
    for _ in range(2):
        layout = Layout(values, chosen, boxes(), usual_players(spec), OFFSET, SUMS)
        for module in modules:
            module.declare(layout)
        found.append(reserved(layout))
    first, second = found
    for group in first:
        if first[group] != second[group]:
            yield f"expected the same {group} both times, got {first[group]} and then {second[group]}"


def reserved(layout: Layout) -> dict[str, list[object]]:
    """Everything in a layout that can be compared."""
    return {
        "kinds": [(kind.name, kind.closes, kind.around, kind.slots, kind.flags) for kind in layout.kinds.values()],
        "pieces": [(piece.name, piece.count, piece.weight, piece.kinds) for piece in layout.pieces],
        "parts": [*layout.parts],
        "sources": [*layout.sources],
        "frames": [(frame.name, frame.chance, frame.holds) for frame in layout.frames],
        "fields": [*layout.fields],
        "secrets": [*layout.secrets],
        "reasons": [*layout.reasons],
        "targets": [len(layout.targets)],
        "tiles": [(tile.id, tile.count, pile) for tile, pile in layout.tiles],
        "start tiles": [*layout.start],
        "piles": [*layout.piles, *layout.side_piles],
    }


# --- names


def check_names(home: Home, spec: Spec) -> Iterator[Finding]:
    """Declared names are unique, also together with each other box, and refer to things that exist."""
    layout = layout_of(spec, {})
    for piece in layout.pieces:
        for kind in piece.kinds:
            if kind not in layout.kinds:
                says = f"piece {piece.name!r}: expected kinds of land ({', '.join(layout.kinds)}), got {kind!r}"
                yield Finding("names", "rules.py, declare", says)
    for count in spec.pieces:
        if count.piece not in (piece.name for piece in layout.pieces):
            says = f"pieces, {count.name}: expected a piece that `declare` declares, got {count.piece!r}"
            yield Finding("names", "rules.py, MODULE", says)
    for code, sentence in layout.reasons:
        if not sentence.strip():
            yield Finding("names", "rules.py, declare", f"reason {code!r}: expected a sentence, got none")
    yield from unknown_elements(spec, layout)
    yield from unknown_marks(layout)
    for what, name in one_word(layout):
        if not NAME.fullmatch(name):
            says = f"{what} {name!r}: expected small letters, digits and _, for its name stands in records"
            yield Finding("names", "rules.py, declare", says)
    beside = [other.name for other in specs().values() if other.name != spec.name and not other.game]
    for others in [[], *([name] for name in beside if not spec.standalone)]:
        beside_it = f" beside {others[0]}" if others else ""
        try:
            declared = named(layout_of(spec, {}, others))
        except Exception as error:
            says = f"expected no error{beside_it}, got {blame(error, home.folder)}"
            yield Finding("together", "rules.py, declare", says)
            return
        for what, names in declared.items():
            for name in twice(names):
                says = f"expected {what}s of different names{beside_it}, got {name!r} twice"
                yield Finding("names", "rules.py, declare", says)


def named(layout: Layout) -> dict[str, list[str]]:
    """The names that must be different, by what they name."""
    return {
        "piece": [piece.name for piece in layout.pieces],
        "question": [frame.name for frame in layout.frames],
        "reason": [code for code, _ in layout.reasons],
        "source": layout.sources,
    }


def one_word(layout: Layout) -> Iterator[tuple[str, str]]:
    """What is named by one word in actions, records and positions."""
    yield from (("piece", piece.name) for piece in layout.pieces)
    yield from (("question", frame.name) for frame in layout.frames)
    yield from (("reason", code) for code, _ in layout.reasons)
    yield from (("source", source) for source in layout.sources)
    yield from (("field", field.name) for field in layout.fields)


def marks_on_segments() -> set[str]:
    """The marks on segments of all tiles of all boxes in use."""
    tiles = [tile for box in boxes().values() for tile in box.tiles]
    tiles += [square.tile for box in boxes().values() for big in box.big for square in big.squares]
    return {mark for tile in tiles for segment in tile.segments for mark in segment.marks}


def marks_on_tiles() -> set[str]:
    """The marks on whole tiles of all boxes in use."""
    found = {mark for box in boxes().values() for tile in box.tiles for mark in tile.marks}
    return found | {mark for box in boxes().values() for big in box.big for mark in big.marks}


def unknown_elements(spec: Spec, layout: Layout) -> Iterator[Finding]:
    """Elements of the Spec whose marks no tile shows, or whose kinds of land nobody declares."""
    for element in spec.elements:
        for mark in element.marks:
            if mark not in marks_on_tiles() | marks_on_segments():
                says = f"element {element.name!r}: expected marks that are printed on tiles, got {mark!r}"
                yield Finding("names", "rules.py, MODULE", says)
        for kind in element.kinds:
            if kind not in layout.kinds:
                says = f"element {element.name!r}: expected kinds of land that are declared, got {kind!r}"
                yield Finding("names", "rules.py, MODULE", says)


def unknown_marks(layout: Layout) -> Iterator[Finding]:
    """Marks that `declare` counts and no tile of any box in use shows."""
    on_tiles = marks_on_tiles()
    printed = on_tiles | marks_on_segments()
    for kind in layout.kinds.values():
        for mark in [*kind.slots.values(), *kind.flags.values()]:
            if mark not in printed:
                says = f"expected a mark that is printed on a tile, got {mark!r} for the kind {kind.name!r}"
                yield Finding("names", "rules.py, declare", says)
    for mark in layout.tile_marks:
        if mark not in on_tiles:
            yield Finding("names", "rules.py, declare", f"expected a mark that is printed on whole tiles, got {mark!r}")


def twice(names: Iterable[str]) -> list[str]:
    """The names that come more than once."""
    return [name for name, count in Counter(names).items() if count > 1]


def check_together(home: Home, spec: Spec) -> Iterator[Finding]:
    """With the largest choice of boxes that there is."""
    if spec.game:
        return
    try:
        rules_with_many(spec)
    except Exception as error:
        yield Finding("together", "with many boxes", f"the rules do not compile: {blame(error, home.folder)}")


def rules_with_many(spec: Spec) -> Rules:
    """The rules of a module together with the largest choice of boxes that there is."""
    largest = max(presets().values(), key=lambda preset: len(preset.get("modules", ())))
    modules = [*largest["modules"], *([spec.name] if spec.name not in largest["modules"] else [])]
    return compiled(choose(str(largest["edition"]), modules, 2, "", largest.get("options", {})))
