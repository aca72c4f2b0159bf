"""Bots of others: from a file, and as programs that speak lines of JSON."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pytest

from bastide import Game, Rules, bot
from bastide.bots import check_bot
from bastide.bots.external import ProgramBot
from bastide.bots.files import fingerprint
from bastide.errors import BotError
from bastide.native import compiled

EXAMPLES = Path(__file__).parents[2] / "examples"
STEPS = 20 if compiled() else 3
FEW = [Rules.of(players=3), Rules.of(hand=3)]


def program(tmp_path: Path, body: str) -> str:
    """A program whose answer to each line is what `body` prints; it says hello properly."""
    file = tmp_path / "program.py"
    file.write_text(
        "import json, sys, time\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    if asked['ask'] == 'hello':\n"
        "        print('{}', flush=True)\n"
        "        continue\n"
        f"    {body}\n"
    )
    return f"{sys.executable} {file}"


def test_the_example_in_a_file_keeps_to_the_contract() -> None:
    check_bot(lambda seed: bot(f"python:{EXAMPLES / 'my_bot.py'}", seed), steps=STEPS)


def test_the_example_that_searches_keeps_to_the_contract() -> None:
    check_bot(lambda seed: bot(f"python:{EXAMPLES / 'my_search.py'}", seed), FEW, steps=STEPS)


PROGRAMS = EXAMPLES / "programs"
TEMPLATES = {  # how each is built, if it must be, and how it is started
    "python": ([], [sys.executable, str(PROGRAMS / "bot.py")]),
    "node": ([], ["node", str(PROGRAMS / "bot.js")]),
    "rust": (["rustc", "-O", str(PROGRAMS / "bot.rs"), "-o", "{out}"], ["{out}"]),
    "c++": (["g++", "-O2", "-std=c++17", "-Wall", "-Werror", str(PROGRAMS / "bot.cpp"), "-o", "{out}"], ["{out}"]),
}


@pytest.mark.parametrize("language", list(TEMPLATES))
def test_the_programs_in_four_languages_keep_to_the_contract(language: str, tmp_path: Path) -> None:
    build, start = ([word.format(out=tmp_path / "bot") for word in words] for words in TEMPLATES[language])
    for needed in {*build[:1], start[0]}:
        if needed != str(tmp_path / "bot") and shutil.which(needed) is None:
            pytest.skip(f"{needed} is not installed")
    if build:
        done = subprocess.run(build, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    check_bot(lambda seed: bot(f"program:{shlex.join(start)}", seed), FEW, steps=STEPS)


def test_one_of_several_bots_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "two.py"
    file.write_text(
        "from bastide.bots import Bot\n"
        "class First(Bot):\n    def choose(self, view):\n        return view.legal[0]\n"
        "class Last(Bot):\n    def choose(self, view):\n        return view.legal[-1]\n"
    )
    game = Game(Rules.of(), seed=5_000_000)
    assert bot(f"python:{file}:Last").choose(game.view(0)) == game.legal[-1]
    with pytest.raises(BotError, match="expected one subclass of Bot, found 2"):
        bot(f"python:{file}")
    with pytest.raises(BotError, match="called Third, found 0"):
        bot(f"python:{file}:Third")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x = ", "SyntaxError"),
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("x = 1", "found 0"),
        ("import no_such_module_anywhere", "ModuleNotFoundError"),
        (
            "from bastide.bots import Bot\nclass B(Bot):\n    def __init__(self, a, b): pass\n",
            "is made with a seed",
        ),
    ],
)
def test_a_file_that_holds_no_bot_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "broken.py"
    file.write_text(text)
    with pytest.raises(BotError, match=complaint):
        bot(f"python:{file}")


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(BotError, match="no such file"):
        bot("python:nowhere.py")


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("sys.exit()", "ended without an answer"),
        ("print('hello there', flush=True)", "expected a line of JSON"),
        ("print('[1]', flush=True)", "expected an object"),
        ("print('[' * 100_000, flush=True)", "expected a line of JSON"),
        ("print('1' * 10_000, flush=True)", "expected a line of JSON"),
        ("sys.stdout.buffer.write(bytes([255, 10])); sys.stdout.flush()", "expected a line of JSON"),
        ("while True: sys.stdout.write('x' * 999_999)", "expected a line of JSON"),
        ("while True: print('{}')", "expected an answer such as"),
        ("print('{}', flush=True)", "expected an answer such as"),
        ("""print('{"action": "dance"}', flush=True)""", "begins with one of"),
        ("""print('{"action": "pass"}', flush=True)""", "not legal now"),
    ],
)
def test_a_program_that_answers_wrongly_is_refused(tmp_path: Path, body: str, complaint: str) -> None:
    game = Game(Rules.of(), seed=5_000_000)
    wrong = ProgramBot(program(tmp_path, body))
    with pytest.raises(BotError, match=complaint):
        wrong.choose(game.view(0))
    wrong.close()


def test_nobody_waits_for_ever(tmp_path: Path) -> None:
    game = Game(Rules.of(), seed=5_000_000)
    slow = ProgramBot(program(tmp_path, "time.sleep(600)"), seconds=0.5)
    with pytest.raises(BotError, match=r"no answer within 0\.5 seconds"):
        slow.choose(game.view(0))
    assert slow.process is None, "and it was ended"


def alive(process: int) -> bool:
    try:
        return "zombie" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    body = "import subprocess; print(subprocess.Popen(['sleep', '600']).pid, file=open('child', 'w')); time.sleep(600)"
    game = Game(Rules.of(), seed=5_000_000)
    busy = ProgramBot(program(tmp_path, body.replace("'child'", repr(str(tmp_path / "child")))), seconds=2)
    with pytest.raises(BotError, match="no answer within 2 seconds"):
        busy.choose(game.view(0))
    child = int((tmp_path / "child").read_text())
    for _ in range(100):  # it has been told; a busy machine takes a moment
        if not alive(child):
            return
        time.sleep(0.1)
    raise AssertionError("it still runs")


def test_a_program_that_does_not_exist_is_refused() -> None:
    game = Game(Rules.of(), seed=5_000_000)
    with pytest.raises(BotError, match="no_such_program"):
        bot("program:./no_such_program").choose(game.view(0))


LISTENER = """
import json, sys
notes = open({notes!r}, "a")
for line in sys.stdin:
    notes.write(line)
    notes.flush()
    asked = json.loads(line)
    if asked["ask"] == "hello":
        print("{{}}", flush=True)
    elif asked["ask"] == "choose":
        legal = asked["legal"]
        print(json.dumps({{"try": [legal[0]]}}), flush=True)
        tried = json.loads(sys.stdin.readline())
        notes.write(json.dumps(tried) + "\\n")
        print(json.dumps({{"try": [legal[0], "dance"]}}), flush=True)
        refused = json.loads(sys.stdin.readline())
        notes.write(json.dumps(refused) + "\\n")
        print(json.dumps({{"action": legal[0]}}), flush=True)
"""


def test_a_program_is_told_tiles_regions_time_what_it_tries_and_the_end(tmp_path: Path) -> None:
    file, notes = tmp_path / "listener.py", tmp_path / "notes"
    file.write_text(LISTENER.format(notes=str(notes)))
    game = Game(Rules.of(), seed=5_000_000)
    player = ProgramBot(f"{sys.executable} {file}", seed=9)
    player.time_ms = 20_000
    assert player.choose(game.view(0)) == game.legal[0]
    player.ended(game.view(0))
    assert player.process is None
    hello, choose, tried, refused, end = (json.loads(line) for line in notes.read_text().splitlines())
    assert (hello["protocol"], hello["seed"], hello["seat"], hello["players"]) == (2, 9, 0, ["red", "blue"])
    tiles = {tile["tile"]: tile for tile in hello["tiles"]}
    assert sum(tile["count"] for tile in tiles.values()) == 72
    assert tiles["U"]["segments"][0]["kind"] in ("road", "field")
    assert {spot.split()[0] for segment in tiles["U"]["segments"] for spot in segment["spots"]} == {"road", "field"}
    assert choose["time_ms"] == 20_000
    assert {region["kind"] for region in choose["regions"]} == {"city", "road", "field"}
    game.play(choose["legal"][0])
    assert tried["legal"] == [str(action) for action in game.legal]
    assert (tried["seat"], tried["scores"], tried["over"]) == (0, [0, 0], False)
    assert len(tried["regions"]) == len(game.regions)
    assert "dance" in refused["refused"]
    assert end == {"ask": "end", "scores": [0, 0], "winners": []}


def test_bots_may_import_files_beside_them_and_two_folders_do_not_mix(tmp_path: Path) -> None:
    game = Game(Rules.of(), seed=5_000_000)
    for folder, place in (("one", 0), ("two", -1)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "taste.py").write_text(f"PLACE = {place}\n")
        (tmp_path / folder / "mine.py").write_text(
            "from taste import PLACE\nfrom bastide.bots import Bot\n"
            "class Mine(Bot):\n    def choose(self, view):\n        return view.legal[PLACE]\n"
        )
    chosen = [bot(f"python:{tmp_path / folder / 'mine.py'}").choose(game.view(0)) for folder in ("one", "two")]
    assert chosen == [game.legal[0], game.legal[-1]]
    assert "taste" not in sys.modules


def test_a_bot_is_another_when_a_package_beside_it_was_edited(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from parts import taste\n")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/__init__.py").write_text("from . import taste\n")
    (tmp_path / "parts/taste.py").write_text("PLACE = 0\n")
    (tmp_path / "other.py").write_text("")
    before = fingerprint(f"python:{tmp_path / 'mine.py'}")
    (tmp_path / "other.py").write_text("# not imported\n")
    assert fingerprint(f"python:{tmp_path / 'mine.py'}") == before
    (tmp_path / "parts/taste.py").write_text("PLACE = 1\n")
    assert fingerprint(f"python:{tmp_path / 'mine.py'}") != before


def test_a_package_offers_bots_by_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "masons-1.0.dist-info").mkdir()
    (tmp_path / "masons-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: masons\nVersion: 1.0\n")
    (tmp_path / "masons-1.0.dist-info/entry_points.txt").write_text(
        "[bastide.bots]\nmason = masons:Mason\nbroken = masons:NAME\n"
    )
    (tmp_path / "masons.py").write_text(
        "from bastide.bots import Bot\nNAME = 'mason'\n"
        "class Mason(Bot):\n    def choose(self, view):\n        return view.legal[-1]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    game = Game(Rules.of(), seed=5_000_000)
    assert bot("mason").choose(game.view(0)) == game.legal[-1]
    before = fingerprint("mason")
    (tmp_path / "masons.py").write_text((tmp_path / "masons.py").read_text() + "# edited\n")
    assert fingerprint("mason") != before
    assert fingerprint("greedy") == f"bastide {version('bastide')}"
    with pytest.raises(BotError, match="broken: expected a subclass of Bot in masons:NAME"):
        bot("broken")
