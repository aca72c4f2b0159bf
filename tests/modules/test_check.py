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


class Broken(NamedTuple):
    """A fault: what is replaced in a file of the sample, and the finding that it is meant for."""

    name: str
    file: str
    old: str
    new: str
    check: str
    says: str


NEW = ""  # what is replaced in a file that the sample does not have

BROKEN = [
    Broken("exits", "rules.py", "class Lanterns(", "raise SystemExit\n\n\nclass Lanterns(", "load", "SystemExit"),
    Broken("texts_no_json", "texts.json", '"en": {', '"en": ', "files", "expected JSON"),
    Broken("save_words_list", "jcz.json", NEW, "[]", "files", "expected an object, got list"),
    Broken("save_words_group", "jcz.json", NEW, '{"numbres": {}}', "files", "expected an object with some of always"),
    Broken("save_words_taken", "jcz.json", NEW, '{"sets": ["basic:1"]}', "files", "'basic:1', which base has"),
    Broken("save_words_option", "jcz.json", NEW, '{"numbers": {"lamp": "lamps"}}', "files", "exist, got 'lamps'"),
    Broken(
        "preset_module", "presets.json", NEW, '{"lamps": {"modules": ["lamps"]}}', "files", "unknown module 'lamps'"
    ),
    Broken(
        "preset_no_text", "presets.json", NEW, '{"lamps": {"modules": ["lanterns"]}}', "files", "its name in texts.json"
    ),
    Broken("theme", "palette.json", '"night": {', '"nihgt": {}, "night": {', "files", "got 'nihgt'"),
    Broken("lesson", "lesson.json", NEW, '{"record": ["bastide 2"]}', "files", "expected 'bastide 1'"),
    Broken("puzzle", "puzzles.json", NEW, '[{"record": ["bastide 2"]}]', "files", "expected 'bastide 1'"),
    Broken(
        "french_page",
        "rulebook.fr.md",
        NEW,
        "---\nmodule: lanterns\nprefix: LAMP\n---\n# Lanternes\n- LAMP-1 Un.\n",
        "files",
        "LAMP-4, got LAMP-1",
    ),
    Broken(
        "clock",
        "rules.py",
        "from bastide.native",
        "import time\nfrom bastide.native",
        "imports",
        "got an import of time",
    ),
    Broken(
        "prints",
        "rules.py",
        "        return [Token(",
        "        print()\n        return [Token(",
        "imports",
        "got print()",
    ),
    Broken("hook_misspelt", "rules.py", "def tile_done(", "def tiles_done(", "names", "expected the hook 'tile_done'"),
    Broken(
        "hook_order", "rules.py", "    order=50,", "    order=50,\n    orders={'target': 1},", "spec", "got 'target'"
    ),
    Broken(
        "edition_value",
        "rules.py",
        "    order=50,",
        "    order=50,\n    editions={'classic': {'wind': 'storm'}},",
        "spec",
        "expected one of blows, still, got 'storm'",
    ),
    Broken(
        "edition_players",
        "rules.py",
        "    order=50,",
        "    order=50,\n    edition_players={'classic': (5, 2)},",
        "spec",
        "got 'classic'",
    ),
    Broken("box_twice", "rules.py", '("lanterns",)', '("lanterns", "lanterns")', "spec", "got 'lanterns' twice"),
    Broken("value_of_words", "rules.py", '"still")', '"is still")', "spec", "got 'is still'"),
    Broken("many_pieces", "rules.py", '"keeper", 1', '"keeper", 99', "spec", "from 0 to 15, got 99"),
    Broken("count_of_nothing", "rules.py", '"keepers", "keeper"', '"keepers", "kepeer"', "names", "got 'kepeer'"),
    Broken("element_mark", "rules.py", 'marks=("moon",)', 'marks=("mooon",)', "names", "got 'mooon'"),
    Broken(
        "list_of_the_class",
        "rules.py",
        "    def ready(self",
        "    SEEN: list[int] = []\n\n"
        "    def drawn(self, pos: Position, tile_type: i64) -> None:\n"
        "        self.SEEN.append(1)\n\n"
        "    def ready(self",
        "state",
        "SEEN changed",
    ),
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
    Broken("field_beside", "rules.py", '(1, "oil")', '(1, "goods")', "together", "two fields are called 'goods'"),
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
    Broken(
        "picture", "pictures.json", "deploy follower 1,0 road E", "deploy follower 1,0 city E", "scenarios", "picture 1"
    ),
    Broken("picture_of_no_rule", "pictures.json", '"LAMP-1"', '"LAMP-99"', "scenarios", "got 'LAMP-99'"),
    Broken("picture_without_words", "pictures.json", '"en"', '"fr"', "scenarios", "expected record, rules and en"),
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
        "asks_the_listener",
        "rules.py",
        "        elif action == 1:",
        "        elif action == 1 and pos.listener is not None:",
        "listener",
        "the same effect in a copy without a listener",
    ),
    Broken(
        "begins_otherwise",
        "rules.py",
        "    def ready(self",
        "    def game_started(self, pos: Position) -> None:\n"
        "        pos.put(self.oil, next(LEFT))\n\n"
        "    def ready(self",
        "copy",
        "pickled and read again",
    ),
    Broken("no_record", "rules.py", 'WINDS = ("calm",', 'WINDS = ("calm;",', "record", "expected a record"),
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
        "            pos.move_to_place(player, self.keeper, 'nowhere')",
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
        "secret_shown",
        "rules.py",
        "pos.s[self.oil + player])",
        "pos.s[self.lamps + 2 * player])",
        "secrets",
        "`tokens_on_table`",
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
    Broken(
        "options_no_comma", "rules.py", '"LAMP-2"),),', '"LAMP-2")),', "load", "options: expected a tuple of Option"
    ),
    Broken(
        "box_no_comma",
        "rules.py",
        'boxes=("lanterns",)',
        'boxes=("lanterns")',
        "load",
        "boxes: expected a tuple of str",
    ),
    Broken("marks_no_comma", "rules.py", 'marks=("moon",)', 'marks="moon"', "load", "'moons', marks: expected a tuple"),
    Broken("order_text", "rules.py", "order=50", 'order="50"', "load", "order: expected a number, got '50'"),
    Broken(
        "players_one", "rules.py", "    order=50,", "    order=50,\n    players=4,", "load", "players: expected a tuple"
    ),
    Broken(
        "no_version",
        "../pyproject.toml",
        NEW,
        "[project]\nname='x'\n",
        "project",
        "expected version in [project], got none",
    ),
    Broken(
        "no_entry_point", "../pyproject.toml", NEW, "[project]\nname='x'\n", "project", 'expected lanterns = "PACKAGE"'
    ),
    Broken("files_left_out", "../pyproject.toml", NEW, "[project]\nname='x'\n", "project", "texts and tiles are not"),
    Broken(
        "engine", "rules.py", "from bastide.native", "import bastide\nfrom bastide.native", "imports", "got bastide"
    ),
    Broken(
        "own_hash",
        "rules.py",
        "return 100 * pos.s[self.oil + player]",
        "return hash('oil') % 9",
        "imports",
        "got hash()",
    ),
    Broken("order_of_a_set", "rules.py", "in range(2):", "in {0, 1}:", "imports", "got that of a set"),
    Broken("option_misread", "rules.py", '== "blows"', '== "blosw"', "spec", "one of blows, still, got 'blosw'"),
    Broken(
        "option_unknown", "rules.py", 'options["wind"]', 'options.get("wnid")', "spec", "some module has, got 'wnid'"
    ),
    Broken(
        "option_not_read", "rules.py", 'options["wind"] == "blows"', "True", "spec", "'wind': expected rules that ask"
    ),
    Broken(
        "no_list", "rules.py", "return [Lanterns(options)]", "return Lanterns(options)", "spec", "a list of modules"
    ),
    Broken(
        "made_once",
        "rules.py",
        "return [Lanterns(options)]",
        "return MADE or MADE.append(Lanterns(options)) or MADE",
        "spec",
        "expected new modules each time",
    ),
    Broken(
        "no_keepers",
        "rules.py",
        "        self.lamps =",
        '        assert layout.piece_count("keepers")\n        self.lamps =',
        "declare",
        "declare, keepers=0: expected no error, got AssertionError",
    ),
    Broken(
        "parameters", "rules.py", "def final(self, pos: Position)", "def final(self, pos, root)", "names", "def final("
    ),
    Broken(
        "hook_hidden",
        "rules.py",
        "self.oil = layout",
        "self.prize = self.oil = layout",
        "names",
        "the attribute 'prize'",
    ),
    Broken("question_of_words", "rules.py", '(self, "light")', '(self, "light it")', "names", "question 'light it'"),
    Broken(
        "kind_nobody_declares",
        "tiles.json",
        '"field": {"shape": "ground"}',
        '"field": {"shape": "ground"}, "pond": {"shape": "inner"}',
        "names",
        "got 'pond'",
    ),
    Broken("hint_misspelt", "texts.json", '"parts": {', '"hitns": {}, "parts": {', "texts", "got 'hitns'"),
    Broken(
        "text_list", "texts.json", '"keeper": "keeper"', '"keeper": ["keeper"]', "texts", "expected a text, got ['keep"
    ),
    Broken(
        "place_for_a_word", "texts.json", "do you light?", "do you light, {nmae}?", "texts", "no braces, got {nmae}"
    ),
    Broken("two_choices_alike", "texts.json", '"red lamp"', '"green lamp"', "texts", "for 'red' and 'green'"),
    Broken("name_of_another", "texts.json", '"name": "Lanterns"', '"name": "The River"', "texts", "as river has"),
    Broken(
        "rules_of_nothing", "texts.json", '"pieces": {"keeper": [', '"pieces": {"kepeer": [', "texts", "got 'kepeer'"
    ),
    Broken("rule_in_a_comment", "rules.py", "LAMP-3: the keeper", "LAMP-8: the keeper", "rulebook", "got 'LAMP-8'"),
    Broken(
        "nothing_checked",
        "scenarios/one_lantern.txt",
        "check scored blue road 4\ncheck parts blue road tiles 3x1, lanterns 1x1\n",
        "",
        "scenarios",
        "begins with check",
    ),
    Broken("svg_broken", "art.py", 'r="4"/>', 'r="4">', "drawn", "expected SVG that can be read"),
    Broken(
        "class_misspelt", "art.py", '<circle class="lantern"', '<circle class="lanter"', "drawn", "the class 'lanter'"
    ),
    Broken(
        "drawn_otherwise",
        "art.py",
        ".points(12)[4])",
        ".points(12)[SEEN.append(index) or len(SEEN) % 12])",
        "drawn",
        "alike each time",
    ),
    Broken(
        "colour_of_five",
        "palette.json",
        "#ffd75e",
        "#ffd75",
        "files",
        "expected a colour such as #8fa0ad, got '#ffd75'",
    ),
    Broken(
        "token_not_drawn", "rules.py", 'Token(player, "oil", "",', 'Token(-1, "oil", "0,0", 1 +', "drawn", "picture of"
    ),
    Broken("token_on_nothing", "rules.py", '"oil", "",', '"oil", "90,90", 1 +', "tokens", "expected tokens on cells"),
    Broken(
        "token_of_nobody", "rules.py", "[Token(player,", "[Token(player + 7,", "tokens", "expected tokens of players"
    ),
    Broken(
        "returns_nothing",
        "rules.py",
        "        return 2\n",
        "        pass\n",
        "returns",
        "`legal` of Lanterns to return",
    ),
    Broken(
        "returns_true", "rules.py", "return self.clouds if rotation == 2 else 0", "return True", "returns", "got True"
    ),
    Broken("no_weights", "rules.py", "            pos.weights[number] = 1 + number\n", "", "legal", "above 0"),
    Broken("counts_too_many", "rules.py", "        return 2\n", "        return 3\n", "legal", "it wrote 2"),
    Broken(
        "name_writes",
        "rules.py",
        "        if frame == self.light:\n            return",
        "        pos.add(self.oil, 1)\n        if frame == self.light:\n            return",
        "writes",
        "`action_of` to change nothing",
    ),
    Broken(
        "reason_writes",
        "rules.py",
        "    def final(",
        "    def why_not_target(self, pos: Position, piece: i64, place: Place) -> i64:\n"
        "        pos.add(self.oil, 1)\n"
        "        return 0\n\n"
        "    def final(",
        "writes",
        "`why_not_target`",
    ),
    Broken(
        "own_global",
        "rules.py",
        "        player = pos.player()\n        if frame",
        "        player = pos.player()\n        LEFT.append(bytearray(1))\n        if frame",
        "state",
        "LEFT changed",
    ),
    Broken("number_of_a_segment", "rules.py", ', holds="segment")', ")", "position", "with holds='segment'"),
    Broken(
        "number_of_a_tile",
        "rules.py",
        "pos.push(self.light, pos.active_player(), 0)",
        "pos.push(self.light, pos.active_player(), block)",
        "position",
        "with holds='square'",
    ),
    Broken("holds_nothing", "rules.py", 'holds="segment")', 'holds="nothing")', "position", "'last_keeper' must hold"),
    Broken(
        "points_alone",
        "rules.py",
        "pos.part(self.p_lantern, pos.total(root, self.lanterns), 1)",
        "pos.points += 1",
        "points",
        "add up",
    ),
    Broken("not_begun", "rules.py", "            pos.begin_score()\n", "", "points", "expected `begin_score`"),
    Broken("points_of_nobody", "rules.py", "pos.gain(player, 0", "pos.gain(player + 1, 0", "points", "got player 3"),
    Broken(
        "secret_noted",
        "rules.py",
        "            pos.add(self.lamps + 2 * player + action, 1)",
        "            pos.add(self.lamps + 2 * player + action, 1)\n"
        "            if pos.listener is not None:\n"
        "                pos.listener.noted(player, 'lamps', str(pos.s[self.lamps]))",
        "secrets",
        "expected what is noted of 'choose",
    ),
    Broken(
        "secret_in_the_way",
        "rules.py",
        "return self.clouds if rotation == 2",
        "return self.clouds if rotation == 2 + pos.s[self.lamps] % 2",
        "secrets",
        "expected its legal actions",
    ),
    Broken(
        "never_asked",
        "rules.py",
        '        layout.restricts(self, lambda tile: "moon" in tile.marks)\n',
        "",
        "names",
        "`layout.restricts` in",
    ),
    Broken(
        "no_sentence",
        "rules.py",
        '"a keeper stands beside an own follower"',
        '" "',
        "names",
        "'keeper_alone': expected",
    ),
    Broken("said_twice", "texts.json", '"parts": {', '"parts": {}, "parts": {', "files", "'parts' stands twice"),
    Broken(
        "no_python_beside", "helpers.py", NEW, "def helps(:", "imports", "expected Python; invalid syntax (helpers.py"
    ),
    Broken(
        "no_such_piece",
        "rules.py",
        'with_piece("take", "keeper"',
        'with_piece("take", "kepeer"',
        "action",
        "'take kepeer",
    ),
    Broken(
        "waits_for_ever",
        "rules.py",
        '        layout.tile_mark("moon")',
        '        layout.tile_mark("moon")\n        layout.waiting_tiles(lambda tile: "moon" in tile.marks)',
        "ends",
        "expected `release_waiting_tiles`",
    ),
]
# What some of the faults need besides.
BEFORE = {
    "points": "from bastide.kernel.offsets import SCORE\n",
    "leak": "LEFT: list[bytearray] = []\n",
    "begins_otherwise": "from itertools import count\n\nLEFT = count()\n",
    "own_global": "LEFT: list[bytearray] = []\n",
    "made_once": "MADE: list[Module] = []\n",
    "reason_writes": "from bastide.rules.actions import Place\n",
}
IN_GAMES = list(CHECKS)[list(CHECKS).index("fails") :]  # the others need no game ...
PLAYED = {"text_of_choice", "token_not_drawn"}  # ... but for these
# What some replace in another file.
BESIDES = {
    "no_record": ("texts.json", '"calm"', '"calm;"'),
    "kind_nobody_declares": ("tiles.json", '"WL"]}],', '"WL"]}, {"kind": "pond"}],'),
    "drawn_otherwise": ("art.py", "ART = Kit(", "SEEN: list[int] = []\nART = Kit("),
}


SEVERAL = {
    "holds_nothing",
    "number_of_a_segment",
    "no_such_piece",
}  # games: in the first one the keeper may not be used


def copied(folder: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, folder / SAMPLE.name, ignore=shutil.ignore_patterns("__pycache__")))


def test_the_sample_is_sound(tmp_path: Path) -> None:
    assert check_module(copied(tmp_path), games=1) == []


@pytest.mark.parametrize("fault", BROKEN, ids=[fault.name for fault in BROKEN])
def test_a_broken_module_is_caught(fault: Broken, tmp_path: Path) -> None:
    if fault.check == "memory" and not compiled():
        pytest.skip("measured with the compiled engine only")
    folder = copied(tmp_path)
    file = folder / fault.file
    text = file.read_text("utf-8") if fault.old else ""
    assert not fault.old or text.count(fault.old) == 1
    text = text.replace(fault.old, fault.new)
    if fault.name in BEFORE:
        text = text.replace('LAMPS = ("red"', f'{BEFORE[fault.name]}LAMPS = ("red"')
    file.write_text(text, "utf-8")
    if fault.name in BESIDES:
        name, old, new = BESIDES[fault.name]
        folder.joinpath(name).write_text(folder.joinpath(name).read_text("utf-8").replace(old, new), "utf-8")
    games = 3 if fault.name in SEVERAL else int(fault.check in IN_GAMES or fault.name in PLAYED)
    found = check_module(folder, games=games, every_option=False)
    assert [str(finding) for finding in found if finding.check == fault.check and fault.says in str(finding)], found


def test_every_check_has_a_fault_that_it_catches() -> None:
    assert {fault.check for fault in BROKEN} == set(CHECKS)


@pytest.mark.parametrize("module", [name for name, home in homes().items() if not home.plugin])
def test_our_modules_are_sound(module: str) -> None:
    assert check_module(module, games=1, every_option=False) == []


def test_a_module_in_a_folder_is_in_use_only_while_it_is_checked(tmp_path: Path) -> None:
    check_module(copied(tmp_path), games=0, every_option=False)
    assert SAMPLE.name not in specs()


def test_what_an_installation_left_beside_the_folder_does_no_harm(tmp_path: Path) -> None:
    """A project that was once installed with `pip install -e` was told that there is a module of its name already."""
    folder = copied(tmp_path)
    left = tmp_path / "bastide_lanterns.egg-info"
    left.mkdir()
    (left / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: bastide-lanterns\nVersion: 0.1.0\n", "utf-8")
    (left / "entry_points.txt").write_text("[bastide.modules]\nlanterns = lanterns\n", "utf-8")
    assert check_module(folder, games=0, every_option=False) == []


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
