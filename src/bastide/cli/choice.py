"""The options with which commands choose their rules and players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from bastide.errors import OptionError
from bastide.rules import Rules

Command = TypeVar("Command", bound=Callable[..., Any])


def chooses_rules(command: Command) -> Command:
    """Adds --edition, --modules, --preset, --option; the command gets them as keyword arguments."""
    for add in (
        click.option(
            "--option", "settings", multiple=True, metavar="NAME=VALUE", help="Set one option; may be repeated."
        ),
        click.option("--preset", default="", help="A named choice of edition, modules and options."),
        click.option("--modules", default="", metavar="NAME,NAME", help="Boxes besides the base game."),
        click.option("--edition", default="", help="A named set of options: bigbox2014, classic, anniversary2021."),
    ):
        command = add(command)
    return command


def rules_of(
    edition: str, modules: str, preset: str, settings: tuple[str, ...], players: int, scripted: bool = False
) -> Rules:
    """Compiles what the options of the command line say."""
    options: dict[str, str | int] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise OptionError(f"--option: expected NAME=VALUE, got {setting!r}")
        options[name.strip()] = value.strip()
    names = [name.strip() for name in modules.split(",") if name.strip()]
    return Rules.of(edition, modules=names, players=players, preset=preset, scripted=scripted, **options)


def takes_code(command: Command) -> Command:
    """Adds --code: anybody's bots, straight from their files."""
    add = click.option(
        "--code", "codes", multiple=True, metavar="FILE", help="One more player: the bot in this file; may be repeated."
    )
    return add(command)


def players_of(names: str, codes: tuple[str, ...]) -> list[str]:
    """The players of a list such as `human,greedy`, then those that come from files."""
    return [*(name.strip() for name in names.split(",") if name.strip()), *(f"python:{code}" for code in codes)]
