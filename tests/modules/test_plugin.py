"""A module that another package brings is played everywhere, and no file of ours knows of it."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from bastide.cli.module import SKELETON
from bastide.errors import RecordError
from bastide.homes import PLUGINS, find_package, using_folder
from bastide.notation.record import read_record, write_record
from bastide.notation.replay import new_game
from bastide.server.browser.files import sources
from tests.modules.installed import FILE, GUIDE, IN_THE_GUIDE, NAME, installed, written
from tests.server.served import address_of, bastide

VERSION = "0.1.0"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return installed(tmp_path_factory.mktemp("plugin"))


def python(code: str, environment: Mapping[str, str]) -> str:
    """What a program prints that runs where the plug-in is installed."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE).stdout


def run(environment: Mapping[str, str], *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bastide.cli", *map(str, arguments)]
    return subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


PLAYED = f"""
import json, pickle
from bastide import Game, bot
from bastide.analysis import review
from bastide.art import board_svg
from bastide.notation.jcz_words import Dialect
from bastide.notation.record import read_record
from bastide.rulebook import load
from bastide.rules.texts import word
game = Game(preset="{NAME}", seed=3)
players = [bot("greedy", 0), bot("planner", 1)]
while not game.over:
    game.play(players[game.seat].choose(game.view(game.seat)))
    if len(game.board) == 30:
        middle = game.copy()
print(json.dumps({{
    "ends": game.outcome is not None,
    "laid": sum(laid.tile.id.startswith("FORDS") for laid in game.board.values()),
    "record": game.record(),
    "same": Game.from_record(game.record()) == game and pickle.loads(pickle.dumps(game)) == game,
    "position": Game.from_position(middle.position()).position() == middle.position(),
    "drawn": "s-fords" in board_svg(game.board),
    "judged": len(review(read_record(game.record())).turns) > 0,
    "word": word(game.rules, "parts", "{NAME}"),
    "rule": load("fr")["FORDS-2"].module,
    "jcz": Dialect().sets["{NAME}:1"],
}}))
"""


def test_it_is_played_written_read_drawn_and_judged(environment: dict[str, str]) -> None:
    told = json.loads(python(PLAYED, environment))
    assert told.pop("laid") > 0
    record = told.pop("record")
    assert f"modules {NAME}\nplugin {NAME} {VERSION}\n" in record
    assert told == {
        "ends": True,
        "same": True,
        "position": True,
        "drawn": True,
        "judged": True,
        "word": NAME,
        "rule": NAME,
        "jcz": NAME,
    }
    with pytest.raises(RecordError, match=rf"expected the plug-in {NAME} {VERSION}, which is not installed"):
        new_game(read_record(record))  # here nobody has installed it
    assert write_record(read_record(record)) == record


def test_the_terminal_lists_plays_and_replays_it(environment: dict[str, str], tmp_path: Path) -> None:
    assert f"{NAME:24}{VERSION}\n" in run(environment, "module", "list").stdout
    saved = tmp_path / "game.txt"
    played = run(environment, "play", "--seats", "greedy,greedy", "--preset", NAME, "--seed", "5", "--save", saved)
    assert played.returncode == 0, played.stdout
    replayed = run(environment, "replay", saved)
    assert replayed.returncode == 0, replayed.stdout
    assert "it was played with" not in replayed.stdout
    saved.write_text(saved.read_text("utf-8").replace(f"plugin {NAME} {VERSION}", f"plugin {NAME} 0.0.9"), "utf-8")
    assert f"it was played with {NAME} 0.0.9, here is {VERSION}" in run(environment, "replay", saved).stdout
    assert "FORDS-2" in run(environment, "rules", "FORDS-2").stdout
    assert "FORDS-A" in run(environment, "tiles", NAME).stdout


def test_the_arena_plays_what_the_guide_shows(environment: dict[str, str]) -> None:
    pytest.importorskip("pyarrow")
    arguments = ("--players", "greedy,random", "--games", "2", "--workers", "1", "--json")
    played = run(environment, "arena", *arguments, "--modules", f"{IN_THE_GUIDE},{NAME}")
    assert played.returncode == 0, played.stdout
    assert "greedy" in played.stdout


def test_the_guide_shows_the_module_that_the_command_writes() -> None:
    shown = dict(FILE.findall(GUIDE.read_text("utf-8")))
    files = [path for path in SKELETON.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    whole = {path.relative_to(SKELETON).as_posix(): path.read_text("utf-8") for path in files}
    assert {name: text for name, text in whole.items() if name in shown} == shown
    assert set(whole) - set(shown) == {
        "__init__.py",
        "README.md",
        "tests/__init__.py",
        "tests/test_waymarks.py",
        "waymarks/__init__.py",
    }


def test_learners_play_it(environment: dict[str, str]) -> None:
    pytest.importorskip("gymnasium")
    code = f"""
from bastide.env.gym import BastideEnv
env = BastideEnv(modules=("{NAME}",))
row, info = env.reset(seed=1)
for _ in range(20):
    row, reward, ended, cut, info = env.step(int(info["action_mask"].argmax()))
print(env.observation_space.contains(row))
"""
    assert python(code, environment) == "True\n"


def test_its_own_tests_pass(environment: dict[str, str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(written(tmp_path) / "tests")]
    done = subprocess.run(command, env=environment, cwd=tmp_path, text=True, stdout=subprocess.PIPE)
    assert "2 passed" in done.stdout, done.stdout


def fetched(address: str, path: str, body: object = None) -> str:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://{address}{path}", data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return str(answer.read().decode())


def test_a_server_offers_it_where_the_operator_lists_it(environment: dict[str, str], tmp_path: Path) -> None:
    found = {"PYTHONPATH": environment["PYTHONPATH"], "XDG_CACHE_HOME": str(tmp_path)}
    arguments = ("serve", "--port", "0", "--database", str(tmp_path / "tables.sqlite3"))
    with bastide(*arguments, **found, **{PLUGINS: NAME}) as process:
        address = address_of(process)
        catalogue = json.loads(fetched(address, "/api/catalogue"))
        assert NAME in [module["name"] for module in catalogue["modules"]]
        (preset,) = [preset for preset in catalogue["presets"] if preset["name"] == NAME]
        assert preset["texts"]["en"]["name"] == "Fords"
        bots = [{"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "random"}]
        made = json.loads(fetched(address, "/api/tables", {"preset": NAME, "seats": bots}))
        drawings = json.loads(fetched(address, "/api/choice", {"preset": NAME}))["drawings"]
        assert "FORDS-A" in fetched(address, drawings["data"])
        (picture,) = json.loads(fetched(address, f"/api/rulepages/{NAME}?theme=day"))
        assert (picture["rules"], picture["sums"]) == (["FORDS-2"], ["3 + 1 = 4"])
        record = fetched(address, f"/api/tables/{made['table']}/record")
        while record.count("\n") < 40:
            time.sleep(0.2)
            record = fetched(address, f"/api/tables/{made['table']}/record")
        assert f"plugin {NAME} {VERSION}\n" in record
    with bastide(*arguments, **found) as process:
        assert NAME not in fetched(address_of(process), "/api/catalogue")


def test_a_server_that_lists_a_missing_one_does_not_start(environment: dict[str, str], tmp_path: Path) -> None:
    said = run({**environment, PLUGINS: "dragons"}, "serve", "--port", "0", "--database", tmp_path / "tables.sqlite3")
    assert (said.returncode, said.stdout) == (
        1,
        f"Error: {PLUGINS} lists dragons, which no installed package brings\n",
    )


def test_a_plug_in_that_fails_is_named(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    (tmp_path / NAME / "__init__.py").touch()
    (tmp_path / NAME / "rules.py").write_text("MODULE = unknown\n")
    broken = {**environment, "PYTHONPATH": f"{tmp_path}:{environment['PYTHONPATH']}"}
    said = run(broken, "play", "--seats", "greedy,greedy")
    assert said.returncode == 1
    assert f"the plug-in {NAME} {VERSION} cannot be loaded: rules.py: NameError" in said.stdout


def test_the_folder_of_a_project_does_not_hide_the_package_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Installed with `pip install -e`, a plug-in was not found by a Python that ran beside its project."""
    package = tmp_path / NAME / NAME / "__init__.py"
    package.parent.mkdir(parents=True)
    package.touch()
    monkeypatch.syspath_prepend(tmp_path)
    found = find_package(NAME)
    assert found is not None
    assert found.origin == str(package)


def test_a_site_has_the_plug_ins_that_are_in_use() -> None:
    """Its catalogue offered them, and its engine did not know them."""
    with using_folder(Path(__file__).parent / "lanterns"), ZipFile(BytesIO(gzip.decompress(sources()))) as archive:
        assert {"lanterns/rules.py", "lanterns/tiles.json", "lanterns/texts.json"} <= set(archive.namelist())
        entry = archive.read("lanterns-unreleased.dist-info/entry_points.txt").decode()
        assert entry == "[bastide.modules]\nlanterns = lanterns\n"
    with ZipFile(BytesIO(gzip.decompress(sources()))) as archive:
        assert not [name for name in archive.namelist() if not name.startswith("bastide/")]


def test_it_cannot_be_begun_twice_or_under_a_name_that_is_taken(tmp_path: Path) -> None:
    written(tmp_path)
    assert "is there already" in run(os.environ, "module", "new", NAME, "--into", tmp_path).stdout
    for name, why in {
        "river": "there is a module 'river' already",
        "json": "there is a Python package 'json' already",
        "class": "'class' is a keyword of Python",
        "My-Module": "expected a name of small letters, digits and _",
    }.items():
        assert why in run(os.environ, "module", "new", name, "--into", tmp_path).stdout


SPOILT = {
    "tiles.json": "fords/tiles.json, file: expected a readable JSON file",
    "rules.py": "rules.py: SyntaxError",
}


@pytest.mark.parametrize("file", SPOILT)
def test_a_plugin_that_stops_everything_is_named_with_a_remedy(file: str, tmp_path: Path) -> None:
    environment = installed(tmp_path)
    with tmp_path.joinpath("site", NAME, file).open("a", encoding="utf-8") as spoilt:
        spoilt.write("}{")
    said = run(environment, "play", "--seats", "greedy,greedy").stdout
    assert f"the plug-in {NAME} {VERSION} cannot be loaded: {SPOILT[file]}" in said
    assert "repair or uninstall it, or leave it out of BASTIDE_PLUGINS" in said
