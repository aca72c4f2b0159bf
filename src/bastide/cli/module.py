"""`bastide module`: looks at the modules in use, checks one, begins a new one."""

from __future__ import annotations

from pathlib import Path

import click

from bastide.errors import BastideError
from bastide.homes import homes


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
