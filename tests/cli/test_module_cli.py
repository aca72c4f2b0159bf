"""`bastide module`, as somebody types it."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from bastide.check import CHECKS
from bastide.cli.group import group
from tests.modules.test_check import copied


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(group, ["module", *map(str, arguments)])


def test_the_modules_in_use_are_listed() -> None:
    assert "inns_and_cathedrals\n" in run("list").output


def test_a_sound_module_passes() -> None:
    said = run("check", "abbot", "--games", "0", "--quick")
    assert (said.exit_code, said.output) == (0, f"abbot: nothing found by {len(CHECKS)} checks\n")


def test_a_broken_one_is_told_in_a_sentence(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "texts.json").write_text("{}", "utf-8")
    said = run("check", folder, "--games", "0", "--quick")
    assert said.exit_code == 1
    assert "the module lanterns cannot be loaded: texts.json: expected texts, at least in 'en'\n" in said.output
    assert said.output.endswith(f"Error: {folder}: 1 findings\n")


def test_something_else_is_refused() -> None:
    said = run("check", "no/such/folder")
    assert said.exit_code == 1
    assert "or a folder, got 'no/such/folder'" in said.output
