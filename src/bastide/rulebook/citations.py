"""Which tests and scenarios cite which rule, read from their files without running them.

A test cites rules with the marker `@pytest.mark.rule("BASE-12", ...)` on itself, on its class or as `pytestmark` of its
file; a scenario cites them with the line `rules BASE-12 ...` in its header.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import bastide
from bastide.errors import BastideError, RecordError
from bastide.homes import homes
from bastide.notation.record import load_record
from bastide.rulebook import Rule

PACKAGE = Path(bastide.__file__).parent
HOUSE_RULES = "house_rules"  # the page of rules that no box has


@dataclass(frozen=True)
class Citation:
    """`where` (a test `tests/x.py::test_y` or a scenario `base/x.txt`) cites the rule."""

    rule: str
    where: str
    scenario: bool


def tests_folder() -> Path | None:
    """The folder `tests` of the checkout this package runs from, or of the checkout that is the current folder."""
    for root in (PACKAGE.parent.parent, Path.cwd()):
        if (root / "src" / "bastide").is_dir() and (root / "tests").is_dir():
            return root / "tests"
    return None


def implemented() -> set[str]:
    """The modules that have rules in code, and the house rules that all of them declare."""
    return {*homes(), HOUSE_RULES}


def in_tests(folder: Path) -> Iterator[Citation]:
    """The citations of all test files below a folder, but for those that test the oracle and not the engine."""
    for path in sorted(set(folder.rglob("test_*.py")) - set(folder.rglob("test_oracle_*.py"))):
        name = path.relative_to(folder.parent).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        yield from _in_body(tree, name, ())


def _in_body(node: ast.Module | ast.ClassDef, name: str, inherited: Sequence[str]) -> Iterator[Citation]:
    """Citations of the tests of a file or class; its own marks count for each of them."""
    own = [rule for child in node.body if _assigns_pytestmark(child) for rule in _rules_in(child)]
    for child in node.body:
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        where = f"{name}::{child.name}"
        rules = [*inherited, *own, *(rule for mark in child.decorator_list for rule in _rules_in(mark))]
        if isinstance(child, ast.ClassDef):
            yield from _in_body(child, where, rules)
        elif child.name.startswith("test_"):
            yield from (Citation(rule, where, scenario=False) for rule in dict.fromkeys(rules))


def _assigns_pytestmark(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "pytestmark" for t in node.targets)


def _rules_in(node: ast.AST) -> Iterator[str]:
    """The ids in every `pytest.mark.rule(...)` below a node, so also in the marks of `pytest.param`."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.rule":
            for argument in call.args:
                if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
                    raise BastideError(
                        f"line {call.lineno}: expected rule ids as plain texts, found {ast.unparse(call)}"
                    )
                yield argument.value


def scenario_files() -> list[Path]:
    """The scenarios of all modules."""
    return [path for home in homes().values() for path in sorted(home.folder.glob("scenarios/*.txt"))]


def scenario_name(path: Path) -> str:
    """`base/a_knight_closes_his_own_city.txt`."""
    return f"{path.parent.parent.name}/{path.name}"


def in_scenarios() -> Iterator[Citation]:
    """The citations of all scenarios."""
    for path in scenario_files():
        try:
            record = load_record(path)
        except RecordError as error:
            raise BastideError(f"{scenario_name(path)}, {error}") from error
        for rule in record.header.rules:
            yield Citation(rule, scenario_name(path), scenario=True)


def problems(book: Mapping[str, Rule], citations: Sequence[Citation], modules: set[str]) -> list[str]:
    """What `bastide rules --check` complains about; nothing when every rule of these modules is tested."""
    found = [f"{c.where} cites {c.rule}, which does not exist" for c in citations if c.rule not in book]
    tested = {c.rule for c in citations}
    shown = {c.rule for c in citations if c.scenario}
    for rule in book.values():
        if rule.module not in modules:
            continue
        if rule.id not in tested:
            found.append(f"{rule.id} has no test")
        elif rule.examples and rule.id not in shown:
            found.append(f"{rule.id} has an example, but no scenario")
    return found
