"""All checks of a module, one after another. Those that need a working module wait for those that make it one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from bastide.check.declared import (
    check_boxes,
    check_declare,
    check_kinds_used,
    check_names,
    check_tiles_used,
    check_together,
    layout_of,
    rules_with,
    rules_with_many,
    settings,
    usual_players,
)
from bastide.check.files import check_contents, check_files
from bastide.check.finding import Finding, blame
from bastide.check.hooks import check_asked, check_hooks, own_modules
from bastide.check.memory import check_memory
from bastide.check.played import check_played, numbers_of_players
from bastide.check.project import check_project
from bastide.check.shown import check_drawn, check_rulebook, check_scenarios, check_texts
from bastide.check.sources import check_comparisons, check_imports
from bastide.check.spec import check_made, check_options_read, check_spec
from bastide.check.wording import check_words
from bastide.errors import ModuleError
from bastide.homes import Home, homes, using_folder
from bastide.rules.registry import load_spec, specs
from bastide.rules.rules import Rules
from bastide.rules.spec import Spec

GAMES = 5
PLAYED = ("fails", "ends", "legal", "returns")  # after these no game can be played to its end


def check_module(module: str | Path, games: int = GAMES, every_option: bool = True) -> list[Finding]:
    """Everything that is wrong with a module: one in use by its name, or any by the path of its folder.

    `games` random games are played with the usual options; `every_option`: and one with each other value of an option,
    with other numbers of players, and with many boxes.
    """
    if isinstance(module, str):
        if module not in homes():
            raise ModuleError(f"unknown module {module!r}; there are {', '.join(homes())}")
        return list(findings(homes()[module], games, every_option))
    folder = package_folder(module)
    with using_folder(folder) as home:
        return list(findings(home, games, every_option))


def package_folder(path: Path) -> Path:
    """The folder with the module's rules.py: the path itself, or the one package of a project."""
    found = [path] if (path / "rules.py").is_file() else [file.parent for file in sorted(path.glob("*/rules.py"))]
    found = found or [file.parent for file in sorted(path.glob("src/*/rules.py"))]
    if len(found) != 1:
        raise ModuleError(f"{path}: expected one folder with a rules.py, found {len(found)}")
    return found[0]


def findings(home: Home, games: int, every_option: bool) -> Iterator[Finding]:
    """The findings, in the order of the checks."""
    try:
        spec = load_spec(home)
        specs()  # every other module can be loaded beside it
    except (Exception, SystemExit) as error:
        yield Finding("load", "rules.py", blame(error.__cause__ or error, home.folder))
        return
    broken = list(check_files(home))
    if broken:
        yield from broken
        return
    broken += check_project(home)
    try:
        broken += check_imports(home)
    except SyntaxError as error:
        yield Finding("imports", "a file of the module", f"expected Python; {error}")
        return
    broken += [*check_spec(spec), *check_comparisons(home, spec), *check_boxes(home, spec)]
    broken += [] if stopped(broken, "spec", "tiles") else check_made(home, spec)
    if not stopped(broken, "spec", "tiles"):
        broken += check_declare(home, spec)
    if not stopped(broken, "spec", "tiles", "declare"):
        broken += [*check_options_read(spec), *check_tiles_used(spec), *check_kinds_used(spec)]
        broken += [
            *check_names(home, spec),
            *check_hooks(own_modules(home, rules_with(spec, {}))),
            *check_asked(own_modules(home, rules_with(spec, {})), [layout_of(spec, given) for given in settings(spec)]),
            *check_together(home, spec),
        ]
        broken += [*check_texts(home, spec), *check_words(home, spec)]
        broken += [*check_rulebook(home, spec), *check_drawn(home, spec)]
        broken += [] if stopped(broken, "rulebook") else [*check_scenarios(home), *check_contents(home, spec)]
        broken += check_games(home, to_play(spec, games, every_option))
        broken += check_memory(rules_with(spec, {})) if games and not stopped(broken, *PLAYED) else []
    yield from dict.fromkeys(broken)


def stopped(found: list[Finding], *checks: str) -> bool:
    """Has one of these checks found something?"""
    return any(finding.check in checks for finding in found)


def check_games(home: Home, choices: Iterable[tuple[Rules, int]]) -> Iterator[Finding]:
    """Random games; of each check only the first finding, for others would say the same again."""
    seen: set[str] = set()
    for rules, seed in choices:
        for finding in check_played(home, rules, seed):
            if finding.check not in seen:
                yield finding
            seen.add(finding.check)


def to_play(spec: Spec, games: int, every_option: bool) -> Iterator[tuple[Rules, int]]:
    """The choices of rules that are played, each with a seed."""
    usual = rules_with(spec, {})
    if usual.layout.secrets:  # of two players each would know what the other holds
        usual = rules_with(spec, {}, max(3, usual_players(spec)))
    yield from ((usual, seed) for seed in range(1, games + 1))
    if not every_option:
        return
    for number, options in enumerate(settings(spec)):
        if options:
            yield rules_with(spec, options), 100 + number
    for players in numbers_of_players(usual):
        yield rules_with(spec, {}, players), 200 + players
    if not spec.game:
        yield rules_with_many(spec), 300
