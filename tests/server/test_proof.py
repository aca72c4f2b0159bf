"""The proof in a record: good ones are accepted, every kind of tampering is refused."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from bastide.cli.replay import command
from bastide.notation.record import read_record, write_record
from bastide.notation.replay import record_of
from bastide.server.proof import Proof, ProofError, verify
from bastide.server.table import Line, Table
from tests.server.client import House
from tests.server.sample import a_fresh_beginning, a_table

CHOICES: list[dict[str, Any]] = [
    {},
    {"options": {"hand": 3}},
    {"modules": ["river", "inns_and_cathedrals", "traders_and_builders"]},
    {"modules": ["hunters_and_gatherers"]},
]


def whole_game(seed: int = 1, **wanted: Any) -> tuple[Table, list[Line]]:
    """A game to its end, with actions taken back now and then."""
    table, random = a_table(**wanted), Random(seed)
    lines = [*a_fresh_beginning(table)]
    while table.outcome is None:
        seat = table.decides
        lines += table.play(str(random.choice(table.playing.legal)), 0)
        if table.outcome is None and random.random() < 0.05 and table.take_back(seat):
            lines += table.add(f"undo {table.take_back(seat)}", 0)
    return table, lines


def record_text(seed: int = 1, **wanted: Any) -> str:
    table, lines = whole_game(seed, **wanted)
    return write_record(Proof.of(table, lines).added_to(record_of(table.playing)))


@pytest.fixture(scope="module")
def good() -> str:
    return record_text()


@pytest.mark.parametrize("wanted", CHOICES, ids=str)
def test_games_with_their_proof_are_accepted(wanted: dict[str, Any]) -> None:
    for seed in range(3):
        assert verify(read_record(record_text(seed, **wanted))) > 10


def test_a_proof_does_not_disturb_the_record(good: str) -> None:
    assert write_record(read_record(good)) == good


def swapped(text: str, first: str, second: str) -> str:
    """Two lines change places."""
    return text.replace(first, "@").replace(second, first).replace("@", second)


def lines_of(text: str, start: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith(start)]


def another(digits: str) -> str:
    """The same number of hex digits, one of them another."""
    return ("0" if digits[0] != "0" else "1") + digits[1:]


def other_seed(text: str) -> str:
    return re.sub(r"(seed )(\w+)", lambda m: m[1] + another(m[2]), text)


def other_commitment(text: str) -> str:
    return re.sub(r"(commitment )(\w+)", lambda m: m[1] + another(m[2]), text)


def other_seed_with_its_commitment(text: str) -> str:
    seed = "ab" * 32
    text = re.sub(r"(proof seed )\w+", rf"\g<1>{seed}", text)
    return re.sub(r"(commitment )\w+", rf"\g<1>{hashlib.sha256(bytes.fromhex(seed)).hexdigest()}", text)


def other_entropy(text: str) -> str:
    return re.sub(r"(entropy )(\w+)", lambda m: m[1] + another(m[2]), text, count=1)


def entropies_exchanged(text: str) -> str:
    return swapped(text, *lines_of(text, "# proof entropy"))


def entropy_left_out(text: str) -> str:
    return text.replace(lines_of(text, "# proof entropy")[0] + "\n", "")


def other_draw(text: str) -> str:
    """Another last tile."""
    drawn = lines_of(text, "# proof line draw ")[-1].rpartition(" ")[2]
    better = "A" if drawn != "A" else "D"
    return re.sub(rf"(# proof line draw ){drawn}\n(?!.*line draw)", rf"\g<1>{better}\n", text, flags=re.S)


def draws_exchanged(text: str) -> str:
    draws = lines_of(text, "# proof line draw ")
    first = draws[0]
    second = next(draw for draw in draws if draw != first)
    return text.replace(first, "@", 1).replace(second, first, 1).replace("@", second, 1)


def action_changed_in_the_lines(text: str) -> str:
    return text.replace("# proof line 0 pass", "# proof line 1 pass", 1)


def action_changed_in_the_record(text: str) -> str:
    changed = text.replace("; pass\n", "\n", 1)
    assert changed != text
    return changed


def line_left_out(text: str) -> str:
    return text.replace(lines_of(text, "# proof line draw ")[5] + "\n", "", 1)


def line_doubled(text: str) -> str:
    line = lines_of(text, "# proof line draw ")[5]
    return text.replace(line, f"{line}\n{line}", 1)


def taken_back_in_secret(text: str) -> str:
    """A draw that the server did not like, and a second attempt."""
    line = lines_of(text, "# proof line draw ")[5]
    return text.replace(line, f"{line}\n# proof line undo 1\n{line}", 1)


def more_after_the_end(text: str) -> str:
    return text + "# proof line 0 pass\n"


def end_left_out(text: str) -> str:
    return text.replace(lines_of(text, "# proof line")[-1] + "\n", "", 1)


def other_rules(text: str) -> str:
    return text.replace("\nplayers", "\nmodules river\nplayers", 1)


def proof_left_out(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("# proof")) + "\n"


TAMPERING: list[Callable[[str], str]] = [
    other_seed,
    other_commitment,
    other_seed_with_its_commitment,
    other_entropy,
    entropies_exchanged,
    entropy_left_out,
    other_draw,
    draws_exchanged,
    action_changed_in_the_lines,
    action_changed_in_the_record,
    line_left_out,
    line_doubled,
    taken_back_in_secret,
    more_after_the_end,
    end_left_out,
    other_rules,
    proof_left_out,
]


@pytest.mark.parametrize("tamper", TAMPERING, ids=lambda tamper: tamper.__name__)
def test_tampering_is_refused(good: str, tamper: Callable[[str], str], tmp_path: Path) -> None:
    assert verify(read_record(good))
    changed = tamper(good)
    assert changed != good
    file = tmp_path / "game.txt"
    file.write_text(changed)
    assert CliRunner().invoke(command, [str(file), "--verify"]).exit_code != 0


def test_what_was_noted_before_the_game_is_compared(good: str) -> None:
    noted = re.search(r"commitment (\w+)", good)
    assert noted is not None
    assert verify(read_record(good), noted[1])
    with pytest.raises(ProofError, match="not the one that was shown"):
        verify(read_record(good), "0" * 64)


def test_a_downloaded_record_proves_its_draws(house: House, tmp_path: Path) -> None:
    with house.two() as (red, _):
        assert "# proof" not in house.get(f"/api/tables/{red.table}/record").text
        red.play_first()
        red.do("undo", seq=red.state["seq"])
        red.play_first()
        red.play("pass")
        red.do("resign")
        file = tmp_path / "game.txt"
        file.write_text(house.get(f"/api/tables/{red.table}/record").text)
    done = CliRunner().invoke(command, [str(file), "--verify", "--commitment", red.state["fair"]["commitment"]])
    assert done.exit_code == 0, done.output
    assert "all 2 draws follow" in done.output
