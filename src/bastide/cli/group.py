"""The group of all commands. It imports each only when it is called, and reports errors in one line.

Exit codes: 1 for something that Bastide refuses, 2 for a command line that cannot be understood.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import click

from bastide.cli import COMMANDS
from bastide.errors import BastideError


class Misuse(click.ClickException):
    """The command line cannot be understood."""

    exit_code = 2


@contextmanager
def one_line() -> Iterator[None]:
    """Errors meant for people leave this block as one line each."""
    try:
        yield
    except BastideError as refusal:
        raise click.ClickException(str(refusal)) from refusal
    except click.UsageError as wrong:
        path = wrong.ctx.command_path if wrong.ctx else "bastide"
        raise Misuse(f"{wrong.format_message()} ({path} --help says more)") from wrong


class Commands(click.Group):
    """The commands of the table in `bastide.cli`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"bastide.cli.{COMMANDS[cmd_name]}").command
        return command

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with one_line():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with one_line():
            return super().invoke(ctx)


def _version() -> str:
    try:
        return version("bastide")
    except PackageNotFoundError:
        return "(sources, not installed)"


@click.group(
    "bastide", cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(_version())
@click.pass_context
def group(context: click.Context) -> None:
    """Play the Carcassonne family of board games; look into games, rules and tiles.

    Without a command the game opens in the browser.
    """
    if context.invoked_subcommand is None:
        from bastide.cli.serve import open_game

        open_game()
