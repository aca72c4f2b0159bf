"""`check_module` finds nothing in our modules, and every fault in copies of the module beside this file."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from bastide.check import CHECKS, check_module
from bastide.errors import ModuleError
from bastide.homes import OURS, homes
from bastide.native import compiled
from bastide.rules.registry import specs

SAMPLE = Path(__file__).parent / "lanterns"
GAMES = 2


class Broken(NamedTuple):
    """A fault: what is replaced in a file of the sample, and the finding that it is meant for."""

    name: str
    file: str
    old: str
    new: str
    check: str
    says: str


BROKEN = [
    Broken("no_python", "rules.py", "class Lanterns(", "class Lanterns((", "load", "SyntaxError"),
    Broken("no_module", "rules.py", "MODULE = Spec(", "OTHER = Spec(", "load", "expected MODULE = Spec"),
    Broken("other_name", "rules.py", 'name="lanterns"', 'name="lamps"', "load", "expected the name 'lanterns'"),
    Broken(
        "kernel",
        "rules.py",
        "from bastide.native",
        "from bastide.kernel.offsets import SCORE\nfrom bastide.native",
        "imports",
        "got bastide.kernel.offsets.SCORE",
    ),
    Broken(
        "own_chance",
        "rules.py",
        "from bastide.native",
        "import random\nfrom bastide.native",
        "imports",
        "expected chance to come from a frame",
    ),
    Broken("prefix_taken", "rules.py", 'prefix="LAMP"', 'prefix="BASE"', "spec", "which base has"),
    Broken("option_taken", "rules.py", 'Option("wind", (', 'Option("hand", (', "spec", "got one that base has"),
    Broken("one_value", "rules.py", '("blows", "still")', '("blows",)', "spec", "at least two different values"),
    Broken("players", "rules.py", "    order=50,", "    order=50,\n    players=(6, 3),", "spec", "the smaller first"),
    Broken("tile_count", "tiles.json", '"count": 16', '"count": 17', "tiles", "count"),
    Broken("tile_open", "tiles.json", '"SL", "SR", "WL"]', '"SL", "SR"]', "tiles", "LA-A"),
    Broken("box_unknown", "rules.py", 'boxes=("lanterns",)', 'boxes=("lantern",)', "tiles", "got 'lantern'"),
    Broken("tile_taken", "tiles.json", '"LA-A"', '"IC-A"', "tiles", "IC-A"),
    Broken(
        "tiles_not_added",
        "rules.py",
        'layout.box("lanterns").tiles)',
        'layout.box("lanterns").tiles[:1])',
        "tiles",
        "the tile LA-B",
    ),
    Broken("kind_unknown", "rules.py", 'adjusts(self, "road")', 'adjusts(self, "castle")', "declare", "castle"),
    Broken(
        "declares_twice",
        "rules.py",
        'self.oil = layout.per_player(1, "oil")',
        'self.oil = layout.per_player(2 if hasattr(self, "oil") else 1, "oil")',
        "declare",
        "the same fields both times",
    ),
    Broken("piece_twice", "rules.py", '"keeper", layout', '"follower", layout', "names", "'follower' twice"),
    Broken("piece_beside", "rules.py", '"keeper", layout', '"builder", layout', "names", "beside traders_and_builders"),
    Broken("piece_on_sea", "rules.py", '0, ["road"])', '0, ["sea"])', "names", "got 'sea'"),
    Broken("mark_unknown", "rules.py", '(["road"], "lantern")', '(["road"], "lantren")', "names", "got 'lantren'"),
    Broken("text_missing", "texts.json", '"keeper": "keeper"', '"keepr": "keeper"', "texts", "pieces: keeper"),
    Broken("text_of_choice", "texts.json", '"red": "red lamp", ', "", "texts", "choices: red"),
    Broken(
        "french_begun", "texts.json", '  "rules": {', '  "fr": {"name": "Lanternes"},\n  "rules": {', "texts", "fr: "
    ),
    Broken("language", "texts.json", '  "rules": {', '  "tlh": {},\n  "rules": {', "texts", "got tlh"),
    Broken("prompt_no_rule", "texts.json", '"light": ["LAMP-2"]', "", "texts", "rules: prompts light"),
    Broken("rule_unknown", "rules.py", '"lanterns", "LAMP-1"', '"lanterns", "LAMP-9"', "rulebook", "got 'LAMP-9'"),
    Broken("rule_gap", "rulebook.md", "- LAMP-2", "- LAMP-5", "rulebook", "expected rule LAMP-2, found LAMP-5"),
    Broken("scenario", "scenarios/one_lantern.txt", "blue road 4", "blue road 5", "scenarios", "line 11"),
    Broken("not_drawn", "art.py", '("road", "lantern"): paint_lantern', "", "drawn", "painter for 'lantern'"),
    Broken("piece_not_drawn", "art.py", '"keeper": Piece(PERSON)', "", "drawn", "piece 'keeper'"),
    Broken("colour", "palette.json", '"night": {"lantern"', '"night": {"lamp"', "drawn", "lantern"),
    Broken(
        "hook_fails",
        "rules.py",
        "pos.push(self.wind, player, 0)",
        "pos.push(self.breeze, player, 0)",
        "fails",
        "line 85, in tile_done",
    ),
    Broken("no_answer", "rules.py", "        return 2\n", "        return 0\n", "legal", "the question 'light'"),
    Broken("no_weight", "rules.py", "= 1 + number", "= number", "legal", "weights above 0"),
    Broken("one_text", "rules.py", "choice=LAMPS[number]", "choice=LAMPS[0]", "action", "'choose red' 2 times"),
    Broken("no_verb", "rules.py", 'Action("choose", choice', 'Action("light", choice', "action", "'light red'"),
    Broken(
        "value_writes",
        "rules.py",
        "return 100 * pos",
        "pos.add(self.oil + player, 1)\n        return 100 * pos",
        "writes",
        "`value` to change nothing, but the field 'oil'",
    ),
    Broken(
        "legal_writes",
        "rules.py",
        "        for number in range(2):",
        "        pos.add(self.oil, 1)\n        for number in range(2):",
        "writes",
        "the legal actions of",
    ),
    Broken(
        "no_put",
        "rules.py",
        "pos.add(self.oil + player, 1)",
        "pos.s[self.oil + player] += 1",
        "undo",
        "the field 'oil'",
    ),
    Broken(
        "own_state",
        "rules.py",
        "        player = pos.player()\n        if frame",
        "        player = pos.player()\n        self.lit = getattr(self, 'lit', 0) + 1\n        if frame",
        "state",
        "lit changed",
    ),
    Broken(
        "piece_lost",
        "rules.py",
        "            pos.add(self.oil + player, 1)",
        "            pos.to_place(player, self.keeper, 'nowhere')",
        "pieces",
        "'keeper'",
    ),
    Broken(
        "points",
        "rules.py",
        "            pos.add(self.oil + player, 1)",
        "            pos.add(SCORE + player, 1)",
        "points",
        "expected the scores to be what was scored",
    ),
    Broken("no_reason", "rules.py", "return self.clouds if", "return 99 if", "reasons", "expected a reason"),
    Broken(
        "field_of_two_words",
        "rules.py",
        '(1, "oil")',
        '(1, "oil lamp")',
        "position",
        "expected a position that can be written and read",
    ),
    Broken(
        "secret_shown", "rules.py", "pos.s[self.oil + player])", "pos.s[self.lamps + 2 * player])", "secrets", "`shows`"
    ),
    Broken(
        "never_ends",
        "rules.py",
        "            pos.add(self.lamps + 2 * player + action, 1)\n",
        "            return\n",
        "ends",
        "the question 'light' again",
    ),
    Broken(
        "leak",
        "rules.py",
        "        player = pos.player()\n        if frame",
        "        player = pos.player()\n        LEFT.append(bytearray(100_000))\n        if frame",
        "memory",
        "kB more",
    ),
]
# What some of the faults need besides.
BEFORE = {
    "points": "from bastide.kernel.offsets import SCORE\n",
    "leak": "LEFT: list[bytearray] = []\n",
}


def copied(folder: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, folder / SAMPLE.name, ignore=shutil.ignore_patterns("__pycache__")))


def test_the_sample_is_sound(tmp_path: Path) -> None:
    assert check_module(copied(tmp_path), games=GAMES) == []


@pytest.mark.parametrize("fault", BROKEN, ids=[fault.name for fault in BROKEN])
def test_a_broken_module_is_caught(fault: Broken, tmp_path: Path) -> None:
    if fault.check == "memory" and not compiled():
        pytest.skip("measured with the compiled engine only")
    folder = copied(tmp_path)
    file = folder / fault.file
    text = file.read_text("utf-8")
    assert text.count(fault.old) == 1
    text = text.replace(fault.old, fault.new)
    if fault.name in BEFORE:
        text = text.replace('LAMPS = ("red"', f'{BEFORE[fault.name]}LAMPS = ("red"')
    file.write_text(text, "utf-8")
    found = check_module(folder, games=GAMES, every_option=False)
    assert [str(finding) for finding in found if finding.check == fault.check and fault.says in str(finding)], found


def test_every_check_has_a_fault_that_it_catches() -> None:
    assert set(CHECKS) - {fault.check for fault in BROKEN} == {"together", "copy", "record"}


@pytest.mark.parametrize("module", [name for name, home in homes().items() if not home.plugin])
def test_our_modules_are_sound(module: str) -> None:
    assert check_module(module, games=1 if compiled() else 0, every_option=False) == []


def test_a_module_in_a_folder_is_in_use_only_while_it_is_checked(tmp_path: Path) -> None:
    check_module(copied(tmp_path), games=0, every_option=False)
    assert SAMPLE.name not in specs()


def test_what_is_no_module_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModuleError, match="unknown module 'dragon'; there are abbot"):
        check_module("dragon")
    with pytest.raises(ModuleError, match=r"expected one folder with a rules.py, found 0"):
        check_module(tmp_path)
    assert check_module(OURS / "river", games=0, every_option=False) == []


def test_the_guide_ends_with_the_check_and_lists_all_of_it() -> None:
    guide = (Path(__file__).parents[2] / "docs/writing-a-module.md").read_text("utf-8")
    last = guide.rpartition("\n## ")[2]
    assert last.startswith("The last step: check it")
    assert [line for line in last.splitlines() if line.startswith("| `")] == [
        f"| `{k}` | {v} |" for k, v in CHECKS.items()
    ]
