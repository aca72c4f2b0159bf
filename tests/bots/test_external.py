"""Bots of others: from a file, and as programs that speak lines of JSON."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bastide import Game, Rules, bot
from bastide.bots import check_bot
from bastide.bots.external import ProgramBot
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


def test_the_example_as_a_program_keeps_to_the_contract() -> None:
    check_bot(lambda seed: bot(f"program:{sys.executable} {EXAMPLES / 'program_bot.py'}", seed), FEW, steps=STEPS)


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


def test_a_program_that_does_not_exist_is_refused() -> None:
    game = Game(Rules.of(), seed=5_000_000)
    with pytest.raises(BotError, match="no_such_program"):
        bot("program:./no_such_program").choose(game.view(0))
