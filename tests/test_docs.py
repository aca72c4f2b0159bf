"""What the documentation shows is true: code runs, records hold, commands are understood, links lead somewhere."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from bastide import Game
from bastide.native import compiled
from bastide.notation.record import read_record
from bastide.notation.replay import replay
from tests.snippets import BLOCK, GUIDES, INLINE, PAGES, ROOT, blocks, broken_links, commands, program

NEEDS = {"environments.md": "gymnasium", "learning.md": "gymnasium", "art.md": "resvg_py"}  # besides the engine
WITH_CODE = [page for page in GUIDES if program(page)]
TEXTS = [text for page in GUIDES for text in blocks(page, "") if text.startswith("bastide 1\n")]
RECORDS = [text for text in TEXTS if "check" in text]
POSITIONS = [text for text in TEXTS if "\nagenda" in text]
COMMANDS = sorted({command for page in [*GUIDES, ROOT / "SECURITY.md"] for command in commands(page)})
NAME = re.compile(r"(?<![\w./])(game|pos|view|state|action|rules|layout)\.([a-z_]+)(?![\w/])")
AT_ONCE = ("--help", "tiles", "rules")  # commands that are not only read but also run


def named(page: Path) -> str:
    return page.name


@pytest.mark.skipif(not compiled(), reason="a check of bots takes a minute uncompiled")
@pytest.mark.parametrize("page", WITH_CODE, ids=named)
def test_the_code_runs_as_it_is_copied(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(NEEDS.get(page.name, "bastide"))
    monkeypatch.chdir(tmp_path)
    exec(compile(program(page), page.name, "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("record", RECORDS)
def test_records_hold(record: str) -> None:
    replay(read_record(record))


@pytest.mark.parametrize("position", POSITIONS)
def test_positions_are_written_as_they_are_read(position: str) -> None:
    assert Game.from_position(position).position() == position


@pytest.mark.parametrize("page", [page for page in GUIDES if page.name != "protocol.md"], ids=named)  # speaks of JSON
def test_names_that_are_told_of_exist(page: Path) -> None:
    """`game.legal`, `view.tile` and the like; `pos` is the position that a module's hooks get."""
    game = Game(seed=1)
    meant: dict[str, tuple[object, ...]] = {
        "game": (game,),
        "pos": (game.engine,),
        "view": (game.view(0),),
        "state": (game.state(),),
        "action": (game.legal[0],),
        "rules": (game.rules,),
        "layout": (game.rules.layout,),
    }
    told = [name for code in INLINE.findall(BLOCK.sub("", page.read_text("utf-8"))) for name in NAME.findall(code)]
    assert [f"{who}.{name}" for who, name in told if not any(hasattr(thing, name) for thing in meant[who])] == []


def test_there_is_nothing_else_in_the_form_of_a_record() -> None:
    assert len(RECORDS) + len(POSITIONS) == len(TEXTS)


@pytest.mark.parametrize("page", GUIDES, ids=named)
def test_json_is_json(page: Path) -> None:
    for text in blocks(page, "json"):
        for line in [text] if text.startswith("{\n") or "\n " in text else text.splitlines():
            json.loads(line)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_are_understood(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line reads it without a complaint; what takes no time is also done."""
    pytest.importorskip("click")
    from click.testing import CliRunner

    from bastide.cli.group import group

    monkeypatch.chdir(tmp_path)
    (tmp_path / "FILE").write_text(RECORDS[0], "utf-8")
    (tmp_path / "my_bot.py").write_text((ROOT / "examples/my_bot.py").read_text("utf-8"), "utf-8")
    words = shlex.split(command)[1:]
    if words[0] in AT_ONCE:
        monkeypatch.chdir(ROOT if words[0] == "rules" else tmp_path)
        assert CliRunner().invoke(group, words).exit_code == 0
        return
    read_command(words)


def read_command(words: list[str]) -> None:
    """Lets the command line read these words, and does nothing."""
    import click

    from bastide.cli.group import group

    with click.Context(group) as parent:
        name: str | None = None
        found: click.Command | None = group
        while isinstance(found, click.Group) and words:
            name, found, words = found.resolve_command(parent, words)
        assert found is not None
        if not isinstance(found, click.Group):  # a group may be named as a whole: `bastide admin`
            found.make_context(name, words, parent=parent)


@pytest.mark.parametrize("command", ["serve --colour", "server", "admin drop"])
def test_an_unknown_command_would_be_noticed(command: str) -> None:
    click = pytest.importorskip("click")
    with pytest.raises(click.UsageError, match="No such"):
        read_command(command.split())


@pytest.mark.parametrize("page", GUIDES, ids=named)
def test_shell_lines_are_shell(page: Path) -> None:
    for code in blocks(page, "sh"):
        subprocess.run(["bash", "-n"], input=code, text=True, check=True, timeout=60)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def test_a_broken_link_would_be_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A title\n[here](#a-title) [gone](#b) [no file](none.md)\n`[code](x)`\n", "utf-8")
    assert broken_links(page) == ["#b", "none.md"]


@pytest.mark.parametrize("page", GUIDES, ids=named)
def test_files_that_are_named_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    files = set(re.findall(r"`((?:scripts|examples|bench|tests|docs|deploy)/[\w./-]+)`", text))
    assert [name for name in files if not (ROOT / name).exists()] == []
