"""What people see of a module: texts, rules, scenarios, drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from xml.etree import ElementTree

from bastide import rulebook
from bastide.art import big_tile_svg, piece_svg, tile_svg
from bastide.art import kit as art_kit
from bastide.art.picture import Picture
from bastide.art.theme import themes
from bastide.check.declared import layout_of, rules_with, settings
from bastide.check.finding import Finding, blame
from bastide.check.sources import check_cited
from bastide.check.wording import TEXTS, spoken
from bastide.errors import BastideError, ModuleError, RecordError
from bastide.homes import Home
from bastide.notation.record import Check, Record, load_record, read_record
from bastide.notation.replay import replay
from bastide.rules.spec import Spec
from bastide.rules.texts import ENGLISH, languages, missing
from bastide.tiles import boxes
from bastide.tiles.load import LAYOUT
from bastide.tiles.model import Tile

PICTURES = "pictures.json"


def check_texts(home: Home, spec: Spec) -> Iterator[Finding]:
    """Every language that the module has is complete, with every value of its options."""
    found: dict[str, None] = {}
    try:
        for language in languages(spec.name):
            for options in settings(spec):
                found |= dict.fromkeys(f"{language}: {gap}" for gap in missing(rules_with(spec, options), language))
    except Exception as error:
        yield Finding("texts", TEXTS, blame(error, home.folder))
    for gap in found:
        yield Finding("texts", TEXTS, f"expected a text for {gap}, got none")


def check_rulebook(home: Home, spec: Spec) -> Iterator[Finding]:
    """The module has a page of rules, and cites only rules that exist."""
    try:
        book = rulebook.load()
    except BastideError as error:
        yield Finding("rulebook", "rulebook.md", str(error))
        return
    own = [rule for rule in book.values() if rule.module == spec.name]
    if not own:
        says = f"expected a page of numbered rules that says 'module: {spec.name}', got none"
        yield Finding("rulebook", "rulebook.md", says)
    for rule in own:
        if not rule.id.startswith(f"{spec.prefix}-"):
            says = f"expected rule ids that begin with {spec.prefix}-, as MODULE says, got {rule.id}"
            yield Finding("rulebook", rule.page, says)
            break
    for where, rule_id in cited(home, spec):
        if rule_id not in book:
            yield Finding("rulebook", where, f"expected the id of a rule that exists, got {rule_id!r}")
    yield from check_cited(home, spec, book)
    for language in spoken(home):
        page = home.folder / f"rulebook.{language}.md"
        if home.plugin and language != ENGLISH and not page.is_file():
            yield Finding("rulebook", page.name, f"expected the rules in {language}, as texts.json has it; got none")


def cited(home: Home, spec: Spec) -> Iterator[tuple[str, str]]:
    """Every rule id that the module names, and where."""
    for option in spec.all_options:
        yield f"rules.py, option {option.name}", option.rule
    found = dict.fromkeys(part for options in settings(spec) for part in layout_of(spec, options).parts)
    for name, rule_id in found:
        yield f"rules.py, part {name!r}", rule_id
    for group, entries in (home.json(TEXTS) or {}).get("rules", {}).items():
        for name, ids in entries.items():
            for rule_id in ids:
                yield f"{TEXTS}, rules, {group} {name}", rule_id


def check_scenarios(home: Home) -> Iterator[Finding]:
    """Every scenario and every picture of rules can be played, cites rules that exist, and its checks hold."""
    records: dict[str, Callable[[], Record]] = {}
    for path in sorted(home.folder.glob("scenarios/*.txt")):
        records[f"scenarios/{path.name}"] = partial(load_record, path)
    cited: dict[str, list[str]] = {}
    try:
        for number, picture in enumerate(home.json(PICTURES) or [], start=1):
            where = f"{PICTURES}, picture {number}"
            records[where] = partial(read_record, "\n".join(picture["record"]) + "\n")
            cited[where] = [*picture["rules"]]
            for language in spoken(home):
                if not isinstance(picture[language], str):
                    yield Finding("scenarios", where, f"expected a sentence {language!r}, got {picture[language]!r}")
    except Exception as error:
        yield Finding("scenarios", PICTURES, f"expected record, rules and en, got {blame(error, home.folder)}")
    book = rulebook.load()
    for where, read in records.items():
        try:
            record = read()
            replay(record)
        except RecordError as error:
            yield Finding("scenarios", where, str(error))
        except Exception as error:
            yield Finding("scenarios", where, blame(error, home.folder))
        else:
            if where.startswith("scenarios/") and not any(isinstance(line, Check) for line in record.lines):
                yield Finding("scenarios", where, "expected at least one line that begins with check, got none")
            for rule_id in [*record.header.rules, *cited.get(where, [])]:
                if rule_id not in book:
                    yield Finding("scenarios", where, f"expected the id of a rule that exists, got {rule_id!r}")


def check_drawn(home: Home, spec: Spec) -> Iterator[Finding]:
    """Its tiles, what is printed on them, and its pieces are drawn in every theme."""
    try:
        known = [*themes()]
        pieces = art_kit.pieces()
    except Exception as error:
        yield Finding("drawn", "art.py", f"expected drawings, got {blame(error, home.folder)}")
        return
    for piece in layout_of(spec, {}).pieces:
        if piece.name not in pieces:
            yield Finding("drawn", "art.py", f"expected a drawing of the piece {piece.name!r}, got none")
    for box in (boxes()[name] for name in spec.boxes):
        try:
            for theme in known:
                for tile in box.tiles:
                    tile_svg(tile, theme=theme)
                for big in box.big:
                    big_tile_svg(big, theme=theme)
        except Exception as error:
            says = f"expected a drawing of every tile of {box.name}, got {blame(error, home.folder)}"
            yield Finding("drawn", f"art.py, theme {theme}", says)
            return
        yield from undrawn_marks(spec, box.tiles)
        yield from (Finding("drawn", "art.py", says) for says in misdrawn(box.tiles, known[0]))
    for name in pieces if spec.game else (piece.name for piece in layout_of(spec, {}).pieces if piece.name in pieces):
        for theme in known:
            piece_svg(name, seat=0, theme=theme)


def misdrawn(tiles: Iterable[Tile], theme: str) -> Iterator[str]:
    """Drawings that no program can read, that look different each time, or that have a class without a style."""
    classes = {f"{theme}-{name}" for name in art_kit.styles()}
    for tile in tiles:
        try:
            svg = ElementTree.fromstring(tile_svg(tile, theme=theme))
        except ElementTree.ParseError as error:
            yield f"expected SVG that can be read for the tile {tile.id}: {error}"
            return
        used = {name for element in svg.iter() for name in element.get("class", "").split()}
        for name in sorted(name for name in used - classes if name.startswith(f"{theme}-") and name != f"{theme}-up"):
            yield f"expected a style for the class {name.removeprefix(f'{theme}-')!r} on the tile {tile.id}, got none"
            return
        if not looks_alike(tile, tile):
            yield f"expected the tile {tile.id} to be drawn alike each time, got another drawing"
            return


def undrawn_marks(spec: Spec, tiles: Iterable[Tile]) -> Iterator[Finding]:
    """Marks that mean something in this module's rules and that one does not see: the first of them."""
    layout = layout_of(spec, {})
    counted = {
        (kind.name, mark) for kind in layout.kinds.values() for mark in [*kind.slots.values(), *kind.flags.values()]
    }
    for tile in tiles:
        for index, segment in enumerate(tile.segments):
            for mark in segment.marks:
                if (segment.kind, mark) in counted and looks_alike(tile, without_mark(tile, index, mark)):
                    says = f"expected a painter for {mark!r} on {segment.kind!r}, as on the tile {tile.id}, got none"
                    yield Finding("drawn", "art.py", says)
                    return
        printed = {name: value for name, value in tile.marks.items() if name in LAYOUT}
        meant = [mark for mark in tile.marks if mark in layout.tile_marks]
        if meant and looks_alike(tile, replace(tile, marks=printed)):
            says = f"expected a painter for {' or '.join(meant)!r} on whole tiles, as on {tile.id}, got none"
            yield Finding("drawn", "art.py", says)
            return


def without_mark(tile: Tile, index: int, mark: str) -> Tile:
    """The tile without a mark of one of its segments."""
    segments = list(tile.segments)
    marks = {name: number for name, number in segments[index].marks.items() if name != mark}
    segments[index] = replace(segments[index], marks=marks)
    return replace(tile, segments=tuple(segments))


def looks_alike(tile: Tile, bare: Tile) -> bool:
    """Is a tile drawn as it would be without a mark? One that cannot be drawn without it is not."""
    try:
        return Picture(tile).inside() == Picture(bare).inside()
    except ModuleError:
        return False
