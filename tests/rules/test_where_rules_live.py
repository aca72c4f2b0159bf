"""A reader finds where a rule lives: the code names its id, or docs/architecture.md does, whose tables are true."""

from __future__ import annotations

import re
from pathlib import Path

from bastide.rulebook import load
from bastide.rules.module import Module

ROOT = Path(__file__).parents[2]
ID = re.compile(r"\b([A-Z]+)-(\d+)(?: to \1-(\d+))?")


def ids(text: str) -> set[str]:
    """All rule ids in a text, those of a range (`BASE-9 to BASE-11`) too."""
    found = set()
    for prefix, first, last in ID.findall(text):
        found |= {f"{prefix}-{number}" for number in range(int(first), int(last or first) + 1)}
    return found


def test_every_rule_is_named_where_it_is_carried_out_or_in_the_table() -> None:
    sources = [*(ROOT / "src/bastide").rglob("*.py"), ROOT / "docs/architecture.md"]
    named = ids("\n".join(path.read_text("utf-8") for path in sources))
    assert len(named) > 100
    assert set(load()) - named == set()


ARCHITECTURE = ROOT / "docs/architecture.md"
PLUGIN = ROOT / "plugins/princess_and_dragon/princess_and_dragon"
HOOKS = frozenset(name for name in dir(Module) if not name.startswith("_"))


def section(title: str) -> str:
    """A section of the architecture page."""
    return ARCHITECTURE.read_text("utf-8").partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_the_table_has_every_hook_and_each_example_has_the_hook() -> None:
    found: list[str] = []
    for names, _, example in re.findall(r"^\| (`[^|]+) \| ([^|]*) \| ([^|]*) \|$", section("Hooks"), re.MULTILINE):
        module = example.partition(":")[0]
        folder = PLUGIN if module.startswith("the plug-in") else ROOT / "src/bastide/modules" / module
        sources = "\n".join(path.read_text("utf-8") for path in folder.glob("*.py")) if folder.is_dir() else ""
        for hook in re.findall(r"`(\w+)`", names):
            assert not sources or f"def {hook}(" in sources, f"{module} has no {hook}"
            assert sources or module in ("every module", "anniversary"), example
            found.append(hook)
    assert sorted(found) == sorted(HOOKS)


def test_the_table_has_every_file_of_the_server() -> None:
    """In its folder; of folders without files in the table only the folder."""
    server = ROOT / "src/bastide/server"
    named: set[Path] = set()
    folder, whole = server, set()
    for place, names in re.findall(r"^\|([^|]*)\|([^|]*)\|[^|]*\|$", section("The server"), re.MULTILINE)[2:]:
        folder = server / place.strip("`/ ") if place.strip() else folder
        named |= {folder / name for name in re.findall(r"`(\w+)`", names)}
        if not names.strip():
            whole.add(folder)
    files = {path.with_suffix("") for path in server.glob("**/*.py") if path.stem != "__init__"}
    migrations = server / "storage/migrations"
    inside = {path for path in files if path.is_relative_to(migrations) or any(path.is_relative_to(f) for f in whole)}
    assert files - inside | {migrations} == named
