"""Imports go one way, the core knows no expansion, and nothing hidden decides a game."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from bastide.rules.registry import find

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
    {"arena", "env"},
    {"server"},
    {"cli"},
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
    "arena": {"pyarrow", "ray"},
    "env": {"gymnasium", "librt", "numpy", "pettingzoo", "pyspiel"},
    "server": {
        "alembic",
        "anyio",
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
