"""`bastide module`: looks at the modules in use, checks one, begins a new one."""

from __future__ import annotations

import keyword
import re
from importlib.util import find_spec
from pathlib import Path

import click

from bastide.errors import BastideError
from bastide.homes import homes

SKELETON = Path(__file__).parent / "skeleton"
ITS_NAME = "waymarks"  # in files of the skeleton, and in their names
NAME = re.compile(r"[a-z][a-z0-9_]*[a-z0-9]")


@click.group()
def command() -> None:
    """The modules in use; check one, or begin one of your own."""


@command.command("list")
def show() -> None:
    """All modules in use, with the versions of plug-ins."""
    for home in homes().values():
        click.echo(f"{home.name:24}{home.version}".rstrip())


@command.command()
@click.argument("module", metavar="NAME|PATH")
@click.option("--games", default=5, show_default=True, type=click.IntRange(0), help="Random games, usual options.")
@click.option("--quick", is_flag=True, help="Play no games with other options, players and boxes.")
def check(module: str, games: int, quick: bool) -> None:
    """Check a module in use by its name, or one in a folder: everything that Bastide expects of it."""
    from bastide.check import CHECKS, check_module

    found = check_module(module if module in homes() else existing(module), games, not quick)
    for finding in found:
        click.echo(str(finding))
    if found:
        raise BastideError(f"{module}: {len(found)} findings")
    click.echo(f"{module}: nothing found by {len(CHECKS)} checks")


def existing(module: str) -> Path:
    """The path of a folder."""
    path = Path(module)
    if not path.is_dir():
        raise BastideError(f"expected a module ({', '.join(homes())}) or a folder, got {module!r}")
    return path


@command.command()
@click.argument("name")
@click.option("--into", default=".", type=click.Path(file_okay=False, path_type=Path), help="Where its folder is made.")
def new(name: str, into: Path) -> None:
    """Begin a module of your own: a folder with a small one that works, its tests, and all that a plug-in needs."""
    check_name(name)
    goal = into / name
    if goal.exists():
        raise BastideError(f"{goal} is there already")
    for file in sorted(SKELETON.rglob("*")):
        if file.is_file() and file.suffix != ".pyc" and file != SKELETON / "__init__.py":
            copy_renamed(file, goal, name)
    click.echo(f"{goal}: a module that works; {goal / 'README.md'} says what comes next")


def check_name(name: str) -> None:
    """Refuses a name that a Python package cannot have, or that is taken."""
    if not NAME.fullmatch(name):
        raise BastideError(f"expected a name of small letters, digits and _, such as ferries, got {name!r}")
    if keyword.iskeyword(name):
        raise BastideError(f"expected another name: {name!r} is a keyword of Python")
    if name in homes():
        raise BastideError(f"expected another name: there is a module {name!r} already")
    found = find_spec(name)
    if name == "tests" or (found is not None and found.origin is not None):  # a folder without Python has no origin
        raise BastideError(f"expected another name: there is a Python package {name!r} already")


def copy_renamed(file: Path, goal: Path, name: str) -> None:
    """Copies a file of the skeleton, with its name replaced by the new one."""
    path = goal / renamed(file.relative_to(SKELETON).as_posix(), name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(renamed(file.read_text("utf-8"), name), "utf-8")


def renamed(text: str, name: str) -> str:
    """Replaces the three forms of the name: of the module, of its class, and of its rule ids."""
    text = text.replace(ITS_NAME, name)
    text = text.replace(ITS_NAME.capitalize(), "".join(part.capitalize() for part in name.split("_")))
    return text.replace(ITS_NAME.upper(), name.replace("_", "").upper())
