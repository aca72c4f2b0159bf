"""`bastide rules`: the numbered rules with the tests that show them."""

from __future__ import annotations

import json
import textwrap
from collections import defaultdict
from collections.abc import Mapping, Sequence

import click

from bastide.errors import BastideError
from bastide.rulebook import Rule, load
from bastide.rulebook.citations import Citation, implemented, in_scenarios, in_tests, problems, tests_folder

WIDTH = 100
NO_TESTS = "no folder of tests here: only scenarios are known; run this in a checkout of Bastide to see all"


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--module", default="", help="Only the rules of this module.")
@click.option("--json", "as_json", is_flag=True, help="For a program to read.")
@click.option("--check", is_flag=True, help="Fail if a rule in code has no test, or a test cites an unknown rule.")
def command(ids: tuple[str, ...], module: str, as_json: bool, check: bool) -> None:
    """The numbered rules, each with its tests; with IDs (such as BASE-12) their whole text."""
    book = load()
    folder = tests_folder()
    if check and folder is None:
        raise BastideError(f"nothing can be checked: {NO_TESTS}")
    citations = [*in_scenarios(), *(in_tests(folder) if folder else ())]
    chosen = choose(book, ids, module)
    if check:
        report(book, citations, implemented() & {rule.module for rule in chosen})
        return
    tests = defaultdict(list)
    for citation in citations:
        tests[citation.rule].append(citation.where)
    if as_json:
        click.echo(json.dumps([as_object(rule, tests[rule.id]) for rule in chosen], indent=1, ensure_ascii=False))
        return
    if folder is None:
        click.echo(f"({NO_TESTS})", err=True)
    for rule in chosen:
        show(rule, tests[rule.id], whole=bool(ids))


def choose(book: Mapping[str, Rule], ids: Sequence[str], module: str) -> list[Rule]:
    """The rules that were asked for."""
    for name in ids:
        if name.upper() not in book:
            raise BastideError(f"no rule has the id {name!r}")
    modules = {rule.module for rule in book.values()}
    if module and module not in modules:
        raise BastideError(f"no rules of a module {module!r}; there are {', '.join(sorted(modules))}")
    rules = [book[name.upper()] for name in ids] or list(book.values())
    return [rule for rule in rules if not module or rule.module == module]


def as_object(rule: Rule, tests: list[str]) -> dict[str, object]:
    """A rule as JSON."""
    return {
        "id": rule.id,
        "module": rule.module,
        "section": rule.section,
        "text": rule.text,
        "examples": rule.examples,
        "silent": rule.silent,
        "implemented": rule.module in implemented(),
        "tests": tests,
    }


def show(rule: Rule, tests: list[str], whole: bool) -> None:
    """A rule and its tests: all of it, or one line."""
    click.echo(click.style(f"{rule.id:10}", bold=True), nl=False)
    if whole:
        click.echo(f"{rule.page}, {rule.section}")
        for line in textwrap.wrap(rule.text, WIDTH - 10):
            click.echo(f"{'':10}{line}")
    else:
        click.echo(textwrap.shorten(rule.text, WIDTH - 10, placeholder=" ..."))
    for test in tests:
        click.echo(click.style(f"{'':12}{test}", dim=True))
    if not tests:
        missing = "no test" if rule.module in implemented() else "not in code yet"
        click.echo(click.style(f"{'':12}{missing}", fg="red" if rule.module in implemented() else "yellow"))


def report(book: Mapping[str, Rule], citations: Sequence[Citation], modules: set[str]) -> None:
    """What is wrong with the rules of these modules, or how much is right."""
    found = problems(book, citations, modules)
    for problem in found:
        click.echo(problem)
    count = sum(rule.module in modules for rule in book.values())
    rules = f"{count} rules of {', '.join(sorted(modules))}"
    if found:
        raise BastideError(f"{rules}: {len(found)} problems")
    cited = [citation for citation in citations if book[citation.rule].module in modules]
    scenarios = {citation.where for citation in cited if citation.scenario}
    tests = {citation.where for citation in cited if not citation.scenario}
    click.echo(f"{rules}: all of them are shown, by {len(scenarios)} scenarios and {len(tests)} tests")
