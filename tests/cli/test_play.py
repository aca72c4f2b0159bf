"""`bastide play`, as somebody types it."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from bastide.cli.group import group

MY_BOT = Path(__file__).parents[2] / "examples/my_bot.py"


def test_a_bot_from_a_file_plays_against_another() -> None:
    shown = CliRunner().invoke(group, ["play", "--seats", "random", "--code", str(MY_BOT), "--seed", "3"])
    assert shown.exit_code == 0, shown.output
    assert "blue: place" in shown.output
    assert "Winner: " in shown.output


def test_a_person_plays_against_a_bot_from_a_file() -> None:
    shown = CliRunner().invoke(group, ["play", "--code", str(MY_BOT), "--seed", "3"], input="quit\n")
    assert shown.exit_code == 0, shown.output
    assert "The game ends here." in shown.output
