"""The group of commands: loads what is asked for, and says in one line what is wrong."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from types import ModuleType

import click
import pytest
from click.testing import CliRunner

from bastide.cli import COMMANDS
from bastide.cli.group import group
from bastide.cli.needs import needs
from bastide.cli.serve import PORT
from bastide.errors import BastideError, IllegalAction
from bastide.server.settings import Settings


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command `refuse` that the engine says no to."""

    @click.command()
    @click.option("--times", type=int)
    def command(times: int) -> None:
        raise IllegalAction("occupied")

    module = ModuleType("bastide.cli.refuse")
    module.command = command  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(COMMANDS, "refuse", "refuse")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    shown = CliRunner().invoke(group, [name, "--help"])
    assert shown.exit_code == 0
    assert shown.output.startswith(f"Usage: bastide {name}")


def test_the_group_lists_its_commands() -> None:
    shown = CliRunner().invoke(group, ["--help"])
    assert shown.exit_code == 0
    assert [line.split()[0] for line in shown.output.partition("Commands:\n")[2].splitlines()] == list(COMMANDS)


def test_python_m_bastide_is_the_same_command() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "bastide", "tiles", "--help"], capture_output=True, text=True, timeout=60
    )
    assert shown.returncode == 0
    assert shown.stdout.startswith("Usage: bastide tiles")


@pytest.mark.usefixtures("refusing")
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["refuse"], 1, "somebody stands in this region"),
        (["refuse", "--times", "x"], 2, "Invalid value for '--times': 'x' is not a valid integer."),
        (["refuse", "more"], 2, "Got unexpected extra argument (more)"),
        (["shuffle"], 2, "No such command 'shuffle'."),
        (["--loud"], 2, "No such option '--loud'."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_line(arguments: list[str], code: int, message: str) -> None:
    refused = CliRunner().invoke(group, arguments)
    assert (refused.exit_code, refused.stdout) == (code, "")
    assert re.fullmatch(rf"Error: {re.escape(message)}( \(bastide.* --help says more\))?\n", refused.stderr)


@pytest.mark.parametrize("taken", [False, True])
def test_without_arguments_the_game_is_opened(monkeypatch: pytest.MonkeyPatch, taken: bool) -> None:
    """At a free port, if something else listens at the usual one."""
    opened: list[tuple[str, int]] = []

    def listen(host: str, port: int) -> socket.socket:
        if taken and port:
            raise BastideError("taken")
        opened.append((host, port))
        return socket.create_server((host, 0))

    def run(_: Settings, listening: socket.socket, workers: int) -> None:
        listening.close()

    monkeypatch.setattr("bastide.server.run.listen", listen)
    monkeypatch.setattr("bastide.server.run.run", run)
    monkeypatch.setattr("webbrowser.open", lambda address: None)
    shown = CliRunner().invoke(group, [])
    assert shown.exit_code == 0, shown.output
    assert opened == [("127.0.0.1", 0 if taken else PORT)]
    assert shown.stdout.startswith("Bastide is at http://localhost:")


def test_without_its_packages_the_command_line_says_how_to_get_them() -> None:
    hide_click = "import sys; sys.modules['click'] = None; from bastide.cli import main; main()"
    told = subprocess.run([sys.executable, "-c", hide_click], capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert told.stderr.splitlines()[-1] == "bastide: the command line needs click: pip install 'bastide[play]'"


def test_a_command_names_the_package_that_it_misses() -> None:
    with pytest.raises(BastideError, match=r"this needs litestar: pip install 'bastide\[server\]'"), needs("server"):
        raise ModuleNotFoundError(name="litestar")


def test_a_missing_file_of_our_own_is_not_blamed_on_a_package() -> None:
    with pytest.raises(ModuleNotFoundError), needs("server"):
        raise ModuleNotFoundError(name="bastide.server.gone")
