"""The Python files of a module, read but not run: what they import, call, compare, and which rules they name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from bastide.check.finding import Finding
from bastide.homes import Home
from bastide.rules.spec import Spec

# All that the rules of a module may import of Bastide, besides its own folder: no offsets, no engine.
FOR_RULES: Final = ("bastide.rules", "bastide.geometry", "bastide.tiles.model", "bastide.native", "bastide.errors")
CHANCE_MODULES: Final = ("random", "secrets", "uuid", "numpy")
OUTSIDE_MODULES: Final = (
    "time",
    "datetime",
    "os",
    "sys",
    "io",
    "pathlib",
    "logging",
    "socket",
    "subprocess",
    "threading",
    "asyncio",
    "urllib",
)
OUTSIDE_CALLS: Final = ("print", "input", "open", "exec", "eval", "globals", "__import__")
OTHER_EACH_TIME: Final = ("hash", "id")  # what they return differs from process to process
IN_ORDER: Final = (
    "list",
    "tuple",
    "enumerate",
    "iter",
    "next",
    "zip",
    "map",
)  # of what these are given the order matters
DRAWINGS: Final = "art.py"  # which imports bastide.art


def check_imports(home: Home) -> Iterator[Finding]:
    """The rules import only the public modules, and depend on nothing but the position."""
    own = f"{home.package}."
    for where, tree in trees(home):
        for line, name in imports(tree):
            if name.partition(".")[0] == "bastide" and not name.startswith((*FOR_RULES, own)):
                says = f"expected imports of {', '.join(FOR_RULES)} only, got {name}"
                yield Finding("imports", f"{where}, line {line}", says)
            if name.partition(".")[0] in CHANCE_MODULES:
                says = f"expected chance to come from a frame with chance=True, got an import of {name}"
                yield Finding("imports", f"{where}, line {line}", says)
            if name.partition(".")[0] in OUTSIDE_MODULES:
                says = f"expected rules that depend on nothing but the position, got an import of {name}"
                yield Finding("imports", f"{where}, line {line}", says)
        for line, name in calls(tree):
            if name in OUTSIDE_CALLS:
                says = f"expected rules that neither read nor write anything outside the position, got {name}()"
                yield Finding("imports", f"{where}, line {line}", says)
            if name in OTHER_EACH_TIME:
                says = f"expected rules that are the same in every process, got {name}(), which is not"
                yield Finding("imports", f"{where}, line {line}", says)
        for line in walks_through_sets(tree):
            says = "expected an order that is the same in every process, such as sorted(...); got that of a set"
            yield Finding("imports", f"{where}, line {line}", says)


def trees(home: Home) -> Iterator[tuple[str, ast.Module]]:
    """The names of all files with rules, with what is in them."""
    for path in sorted(home.folder.rglob("*.py")):
        if path.name != DRAWINGS:
            yield path.relative_to(home.folder).as_posix(), ast.parse(path.read_text("utf-8"), path.name)


def imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The lines and dotted names of all imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def calls(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The lines and names of all functions that are called by their name alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.lineno, node.func.id


def walks_through_sets(tree: ast.Module) -> Iterator[int]:
    """The lines in which the order of a set matters."""
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.comprehension) and is_set(node.iter):
            yield node.iter.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IN_ORDER:
            yield from (argument.lineno for argument in node.args if is_set(argument))


def is_set(node: ast.expr) -> bool:
    """Is this a set, as far as one can see?"""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")
    return called or isinstance(node, ast.Set | ast.SetComp)


def check_comparisons(home: Home, spec: Spec) -> Iterator[Finding]:
    """Options are compared with values that they can have."""
    known = {option.name: option for option in spec.all_options}
    for where, tree in trees(home):
        for line, name, value in compared(tree):
            if name in known and value not in known[name].values:
                says = f"option {name!r}: expected a comparison with {known[name].expected}, got {value!r}"
                yield Finding("spec", f"{where}, line {line}", says)


def compared(tree: ast.Module) -> Iterator[tuple[int, str, object]]:
    """The lines in which `options["name"]` is compared with a text, the name and the text."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq)):
            continue
        left, right = node.left, node.comparators[0]
        if isinstance(left, ast.Subscript) and isinstance(left.slice, ast.Constant) and isinstance(right, ast.Constant):
            yield node.lineno, str(left.slice.value), right.value


def check_cited(home: Home, spec: Spec, book: Mapping[str, object]) -> Iterator[Finding]:
    """Comments and docstrings name only rules of this module that exist."""
    rule_id = re.compile(rf"\b{re.escape(spec.prefix)}-\d+\b")
    for path in sorted(home.folder.rglob("*.py")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            yield from (
                Finding(
                    "rulebook", f"{where(home, path)}, line {number}", f"expected a rule that exists, got {found!r}"
                )
                for found in rule_id.findall(line)
                if found not in book
            )


def where(home: Home, path: Path) -> str:
    """A file of the module, as findings name it."""
    return path.relative_to(home.folder).as_posix()
