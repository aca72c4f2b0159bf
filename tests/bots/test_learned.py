"""The tables that the evaluation has learned: read strictly, and looked up as declared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bastide import Rules
from bastide.bots.evaluation import Evaluation
from bastide.bots.learned import FILE, SIZES, learned, read, write
from bastide.errors import BotError
from bastide.game.benchmark import midgame


def told() -> dict[str, dict[str, object]]:
    """What the package's file says."""
    content: dict[str, dict[str, object]] = json.loads(FILE.read_text("utf-8"))
    return content


def test_the_file_says_how_it_was_made() -> None:
    made = told()["made"]
    assert made["command"].startswith("python bench/learn.py ")  # type: ignore[attr-defined]
    assert {"commit", "date", "games", "seed", "rules"} <= set(made)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "learned.json"
    values = [(i % 7 - 3) / 100 for i in range(sum(SIZES.values()))]
    write(file, values, {"command": "by hand", "rules": ["2"]})
    made, found = read(file)
    assert made == {"command": "by hand", "rules": ["2"]}
    assert list(found) == pytest.approx(values)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"learned\.json: expected the learned tables, got .*No such file"):
        read(tmp_path / "learned.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content.pop("made"), "expected an object with 'made' and 'tables'"),
        (lambda content: content["made"].pop("rules"), "expected 'made' to name the rules"),
        (lambda content: content["tables"].pop("join"), "expected the tables completion, .* got "),
        (lambda content: content["tables"].update(more=[1]), "expected the tables completion, .* got .*more"),
        (lambda content: content["tables"]["join"].pop(), "join: expected 1152 whole numbers"),
        (lambda content: content["tables"]["join"].__setitem__(3, 0.5), "join: expected 1152 whole numbers"),
        (lambda content: content["tables"].update(join="none"), "join: expected 1152 whole numbers"),
    ],
)
def test_foreign_tables_are_refused(tmp_path: Path, change: object, message: str) -> None:
    content = told()
    assert callable(change)
    change(content)
    file = tmp_path / "other.json"
    file.write_text(json.dumps(content), "utf-8")
    with pytest.raises(BotError, match=message):
        read(file)


@pytest.mark.parametrize(
    "rules",
    [Rules.of(), Rules.of(players=5), Rules.of(modules=["hunters_and_gatherers"]), Rules.of(preset="bigbox2014")],
    ids=["base", "five players", "hunters_and_gatherers", "bigbox2014"],
)
def test_each_look_counts_once_for_its_player(rules: Rules) -> None:
    looks = 0
    values = [(i % 11 - 5) / 10 for i in range(sum(SIZES.values()))]
    for seed in range(4):
        game = midgame(rules, seed, 40)
        with_tables, without = Evaluation(rules), Evaluation(rules)
        with_tables.corrections.take(values)
        with_tables.corrections.note_looks()
        without.corrections.take([0.0] * len(values))
        with_tables.judge(game)
        without.judge(game)
        noted = [int(n) for n in with_tables.corrections.notes[: with_tables.corrections.noted]]
        expected = list(without.worth)
        for player, at in zip(noted[::2], noted[1::2], strict=True):
            expected[player] += values[at]
        assert list(with_tables.worth) == pytest.approx(expected)
        looks += len(noted) // 2
    assert looks > 100


def test_only_rules_that_were_learned_from_are_corrected() -> None:
    assert any(learned(2, ("base",)))
    assert any(Evaluation(Rules.of()).corrections.values)
    assert Evaluation(Rules.of()).corrections.asked
    for rules in (Rules.of(players=3), Rules.of(modules=["river"]), Rules.of(modules=["hunters_and_gatherers"])):
        assert not any(Evaluation(rules).corrections.values)
        assert not Evaluation(rules).corrections.asked
