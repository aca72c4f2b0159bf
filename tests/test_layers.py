"""Imports go one way, the core knows no expansion, and nothing hidden decides a game."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bastide.rules.registry import find
from tests.vectors import Vectors

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src/bastide"
MODULES = SRC / "modules"
ORACLE = ROOT / "tests/oracle"

# From the bottom up. A part imports from parts below its own line only. PACKAGE is what `import bastide` gives,
# DRAWINGS are the files art.py of the modules.
PACKAGE = "bastide"
DRAWINGS = "drawings"
LAYERS = (
    {"errors"},
    {"_guard"},
    {"homes"},
    {"native"},
    {"geometry"},
    {"tiles"},
    {"kernel"},
    {"rules"},
    {"game"},
    {"modules"},
    {"notation", "art", "bots"},
    {DRAWINGS},
    {PACKAGE},
    {"rulebook", "analysis"},
    {"arena", "check", "env"},
    {"server"},
    {"cli"},
    {"__main__"},
)
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}
CORE = ("errors", "native", "geometry", "kernel", "rules", "game")

# Packages of others that a part may import.
FOREIGN = {
    "native": {"mypy_extensions"},
    "kernel": {"librt"},
    "rules": {"librt"},
    "game": {"librt"},
    "modules": {"librt"},
    "bots": {"librt"},
    "art": {"PIL", "resvg_py"},
    "arena": {"gymnasium", "minari", "numpy", "pyarrow", "ray"},
    "env": {"gymnasium", "librt", "numpy", "pettingzoo", "pyspiel"},
    "server": {
        "aiosqlite",
        "alembic",
        "anyio",
        "cryptography",
        "litestar",
        "msgspec",
        "prometheus_client",
        "redis",
        "saq",
        "sqlalchemy",
        "uvicorn",
        "websockets",
    },
    "cli": {"click", "rich", "uvicorn"},
}


def sources() -> list[Path]:
    found = sorted(SRC.rglob("*.py"))
    assert found
    return found


def part_of(path: Path) -> str:
    """`kernel` for src/bastide/kernel/board.py, `errors` for src/bastide/errors.py."""
    match path.relative_to(SRC).parts:
        case ("__init__.py",):
            return PACKAGE
        case ("modules", _, "art.py"):
            return DRAWINGS
        case (name, *_):
            return name.removesuffix(".py")
    raise AssertionError(path)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imports(path: Path) -> Iterator[str]:
    """Dotted names of all imports of a file, wherever they stand: `from a.b import c` is a.b.c."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = [*package(path)[: 1 - node.level or None]] if node.level else []
            origin += [node.module] if node.module else []
            yield from (".".join([*origin, alias.name]) for alias in node.names)


def package(path: Path) -> tuple[str, ...]:
    """The dotted name of the package that a file belongs to, in parts."""
    return path.relative_to(SRC.parent if path.is_relative_to(SRC) else ROOT).parent.parts


def imported_part(name: str) -> str:
    """`kernel` for bastide.kernel.board.Board; the package itself for bastide.Game."""
    part = name.split(".")[1] if "." in name else PACKAGE
    return part if part in LEVEL else PACKAGE


def expansions() -> set[str]:
    found = {path.parent.name for path in MODULES.glob("*/*.json")} - {"base"}
    assert found
    return found


def segment_kinds() -> set[str]:
    """What is printed on tiles: roads, rivers, lakes. Drawing one needs its name, without knowing its rules."""
    boxes = [json.loads(path.read_text("utf-8")) for path in MODULES.glob("*/tiles*.json")]
    return {segment["kind"] for box in boxes for tile in box["tiles"] for segment in tile["segments"]}


def words(path: Path) -> Iterator[str]:
    """All names and texts of a file's code. Docstrings and comments may speak of whatever they like."""
    syntax = tree(path)
    documents = {id(node.value) for node in ast.walk(syntax) if isinstance(node, ast.Expr)}
    for node in ast.walk(syntax):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node.value
        for field in ("id", "attr", "name", "arg"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                yield value


def names_in(path: Path, names: set[str]) -> list[str]:
    whole_words = re.compile(rf"(?<![a-z])({'|'.join(sorted(names))})(?![a-z0-9])", re.IGNORECASE)
    return [f"{path.relative_to(ROOT)}: {word!r}" for word in words(path) if whole_words.search(word)]


def own_words(module: str) -> set[str]:
    """Its boxes, editions and the values of its options: a river may be named after the same anniversary as a box."""
    spec = find(module)
    return {*spec.boxes, *spec.editions, *(str(value) for option in spec.options for value in option.values)}


def test_every_part_has_a_layer() -> None:
    assert {part_of(path) for path in sources()} <= set(LEVEL)


def test_every_folder_with_code_is_a_package() -> None:
    assert [path.parent for path in sources() if not path.with_name("__init__.py").exists()] == []


def test_imports_go_one_way() -> None:
    wrong = [
        f"{path.relative_to(SRC)} imports {name}"
        for path in sources()
        for name in imports(path)
        if name.split(".")[0] == PACKAGE
        and imported_part(name) != part_of(path)
        and LEVEL[imported_part(name)] >= LEVEL[part_of(path)]
    ]
    assert wrong == []


def test_no_module_is_imported_by_name_but_by_itself() -> None:
    wrong = [
        f"{path.relative_to(SRC)} imports {name}"
        for path in sources()
        for name in imports(path)
        if name.startswith("bastide.modules.") and path.relative_to(SRC).parts[:2] != tuple(name.split(".")[1:3])
    ]
    assert wrong == []


# All that the rules of a module may import of Bastide, besides its own folder: no offsets, no engine.
FOR_MODULES = ("bastide.rules", "bastide.geometry", "bastide.tiles.model", "bastide.native", "bastide.errors")


def test_modules_know_nothing_of_the_kernel() -> None:
    wrong = [
        f"{path.relative_to(SRC)} imports {name}"
        for path in sources()
        if part_of(path) == "modules"
        for name in imports(path)
        if name.startswith("bastide.")
        and not name.startswith((*FOR_MODULES, f"bastide.modules.{path.relative_to(MODULES).parts[0]}."))
    ]
    assert wrong == []


def test_only_the_command_line_needs_packages_of_others() -> None:
    wrong = [
        f"{path.relative_to(SRC)} imports {name}"
        for path in sources()
        for name in imports(path)
        if name.split(".")[0] not in {PACKAGE, *sys.stdlib_module_names, *FOREIGN.get(part_of(path), set())}
    ]
    assert wrong == []


def test_the_core_names_no_expansion() -> None:
    assert [word for path in sources() if part_of(path) in CORE for word in names_in(path, expansions())] == []


def test_nothing_else_names_an_expansion_either() -> None:
    names = expansions() - segment_kinds()
    elsewhere = [path for path in sources() if part_of(path) not in (*CORE, "modules", DRAWINGS)]
    assert [word for path in elsewhere for word in names_in(path, names)] == []


def test_a_module_names_no_other_module() -> None:
    names = expansions() - segment_kinds()
    for path in sorted(MODULES.glob("*/**/*.py")):
        home = path.relative_to(MODULES).parts[0]
        own = {f"{path.relative_to(ROOT)}: {word!r}" for word in own_words(home)}
        assert set(names_in(path, names - {home})) - own == set()


def test_the_page_names_no_module_and_no_piece() -> None:
    """What it needs to know of them stands in the catalogue and in the data of the drawings."""
    modules = {home.parent.name: json.loads(home.read_text("utf-8"))["en"] for home in MODULES.glob("*/texts.json")}
    pieces = {name for texts in modules.values() for name in texts.get("pieces", {})}
    used = re.compile(rf"[\"'`/_](?:{'|'.join(sorted(modules.keys() | pieces))})[\"'`/]")
    wrong = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in sorted(ROOT.glob("web/src/**/*"))
        if path.suffix in (".ts", ".svelte", ".css")
        for found in used.finditer(path.read_text("utf-8"))
    ]
    assert modules
    assert wrong == []


def test_nobody_draws_from_the_global_random_generator() -> None:
    """Whoever needs chance makes a generator of his own from a seed."""
    wrong = [
        f"{path.relative_to(SRC)}: {use}"
        for path in sources()
        for use in [*imports(path), *used_of("random", path)]
        if use.startswith(("random.", "librt.random")) and use != "random.Random"
    ]
    assert wrong == []


def used_of(module: str, path: Path) -> Iterator[str]:
    """Attributes of an imported module that a file uses: `random.shuffle`."""
    if module in imports(path):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == module:
                yield ast.unparse(node)


def test_the_oracle_shares_no_code_with_the_engine() -> None:
    files = [path for path in sorted(ORACLE.rglob("*.py")) if not path.name.startswith("test_")]
    assert files
    wrong = [
        f"{path.relative_to(ORACLE)} imports {name}"
        for path in files
        for name in imports(path)
        if not name.startswith("tests.oracle") and name.split(".")[0] not in sys.stdlib_module_names
    ]
    assert wrong == []


# --- vectors stay on their side
INTERPRETED = re.compile(r"^# interpreted: \S", re.MULTILINE)
COMPILED = ("kernel", "rules", "game", "modules", "bots")


def is_compiled(path: Path) -> bool:
    """As setup.py chooses what to compile."""
    if path.name in ("__init__.py", "art.py") or part_of(path) not in COMPILED:
        return False
    return not INTERPRETED.search(path.read_text("utf-8"))


@cache
def vectors() -> tuple[Vectors, list[Path]]:
    """What is known of vectors, and the files that must hand none over."""
    compiled = [path for path in sources() if is_compiled(path)]
    plain = [path for path in sources() if path not in compiled]
    plain += [*sorted((ROOT / "bench").glob("*.py")), *sorted((ROOT / "examples").glob("*.py"))]
    return Vectors(map(tree, compiled), map(tree, plain)), plain


def test_no_vector_goes_from_interpreted_to_compiled_code() -> None:
    """It would never be freed: see "What to know" in CONTRIBUTING.md."""
    known, plain = vectors()
    assert [f"{path.relative_to(ROOT)}: {text}" for path in plain for text in known.offences(tree(path))] == []


@pytest.mark.parametrize(
    "code",
    [
        "engine.fitting(kind, out)",
        "best_of(game.engine, numbers, 0, 1)",
        "codes.list_them(game.engine.actions)",
        "codes.list_them(engine.weights[:count])",
        "codes.list_them(zeros(4), 0)",
        "codes.list_them(at=vec[i64]([1, 2]))",
        "Shape(vec[i16](fits))",
        "room = zeros(4)\ncodes.list_them(room)",
        "room = vec[i64](numbers)\ncodes.list_them(room[1:])",
        "self.room = zeros(4)\nself.codes.list_them(self.room)",
        "def vec_of(n: list[int]) -> vec[i64]: ...\nShape(vec_of(numbers))",
        "rules.start = vec[i64](squares)",
        "setattr(rules, hook, vec[Module](modules))",
    ],
)
def test_a_vector_that_goes_over_is_found(code: str) -> None:
    known, _ = vectors()
    assert known.offences(ast.parse(code)) != []


def test_what_only_reads_a_vector_is_allowed() -> None:
    known, _ = vectors()
    reading = "list(engine.actions[:3]); np.array(zeros(4)); engine.actions[0]; self.room = zeros(4); engine.lay(1, 2)"
    assert known.offences(ast.parse(reading)) == []
