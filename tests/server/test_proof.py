"""The proof in a record: good ones are accepted, every kind of tampering is refused."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from bastide.cli.replay import command
from bastide.errors import BastideError
from bastide.game.game import COLOURS
from bastide.notation.record import read_record, write_record
from bastide.notation.replay import record_of
from bastide.server.api import responses
from bastide.server.draws.fair import Dealer
from bastide.server.draws.proof import Proof, ProofError, order_of, verify
from bastide.server.tables.checks import Stored, replay
from bastide.server.tables.records import log_of
from bastide.server.tables.setup import Chair, Setup
from bastide.server.tables.table import Line, Table
from tests.server.client import House
from tests.server.sample import SEED, a_waiting_table, chain_of, give_links, link_of

ROOT = Path(__file__).parents[2]
VERIFIER = ROOT / "scripts" / "verify-draws.mjs"
VECTORS = Path(__file__).parent / "vectors"
CHOICES: list[dict[str, Any]] = [
    {},
    {"options": {"hand": 3}},
    {"modules": ["river", "inns_and_cathedrals", "traders_and_builders"]},
    {"modules": ["hunters_and_gatherers"]},
    {"players": 3, "bots": 1, "shuffle": True},
    {"players": 4, "bots": 2, "preset": "everything"},
    {"players": 3, "chains": False},
]
SPENT = 900  # actions, far more than a game has


def whole_game(
    seed: int = 1, players: int = 2, bots: int = 0, chains: bool = True, fair: int = 2, **wanted: Any
) -> tuple[Table, list[Line]]:
    """A game to its end as people play it: with actions and turns taken back, and chains that are lost."""
    table, random = a_waiting_table(players, SEED, fair, chains, bots=bots, **wanted), Random(seed)
    lines = [] if table.wanted else table.begin(0)
    lines += give_links(table)
    people = players - bots
    lost = random.randrange(20, 60) if chains else SPENT
    for number in range(SPENT):
        if table.outcome is not None:
            break
        seat = table.decides
        person = table.chairs[seat].entropy and seat not in table.out
        link = link_of(table, seat) if chains and person and number < lost and random.random() < 0.5 else ""
        lines += table.play(str(random.choice(table.playing.legal)), 0, link=link)
        if table.outcome is None and number == lost and table.wanted:
            lines += table.change_chain(table.wanted[0], chain_of(7).end, 0)
        lines += give_links(table)
        chance = random.random()
        if table.outcome is None and person and chance < 0.1 and table.take_back(seat) and people > 1:
            lines += table.take_turn_back(seat, 0) if fair > 1 else table.add(f"undo {table.take_back(seat)}", 0)
        elif table.may_undo(table.decides) and chance > 0.9 and seat == table.decides and person:
            lines += table.add("undo 1", 0)
        if table.outcome is None and number == 100 and people > 2:
            lines += table.add(f"resign {next(c.seat for c in table.chairs if c.entropy)}", 0)
            lines += give_links(table)
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
        assert verify(read_record(record_text(seed, **wanted))).draws > 10


def test_a_proof_of_version_1_is_accepted_and_says_what_it_does_not_show() -> None:
    verified = verify(read_record(record_text(fair=1, chains=False)))
    assert verified.draws > 70
    assert "Version 1: it is not shown that the server took no draw back and made it again." in verified.unchecked


def test_what_was_not_checked_is_said() -> None:
    verified = verify(read_record(record_text(players=3, bots=1)))
    assert [sentence.split(":")[0] for sentence in verified.unchecked[:2]] == [
        "No commitment was given to compare with",
        "No part of a seat was given to compare with",
    ]
    assert "green is no person and has no part in the draws." in verified.unchecked
    assert any(sentence.startswith("Rules, start tiles and names are those that") for sentence in verified.unchecked)
    lost = [sentence for sentence in verified.unchecked if "changed the chain 1 times" in sentence]
    assert len(lost) == 1


def test_a_proof_does_not_disturb_the_record(good: str) -> None:
    assert write_record(read_record(good)) == good


def lines_of(text: str, start: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith(start)]


def another(digits: str) -> str:
    """The same number of hex digits, one of them another."""
    return ("0" if digits[0] != "0" else "1") + digits[1:]


def at(text: str, start: str, change: Callable[[str], str], number: int = 5) -> str:
    """One line of the proof that begins like this is another one; nothing: it is gone."""
    lines = text.split("\n")
    where = [n for n, line in enumerate(lines) if line.startswith(f"# proof {start}")]
    chosen = where[min(number, len(where) - 1)]
    changed = change(lines[chosen])
    return "\n".join([*lines[:chosen], *(changed.split("\n") if changed else []), *lines[chosen + 1 :]])


def other_digits(line: str) -> str:
    head, _, digits = line.rpartition(" ")
    head, mark, digits = (head, "", digits) if ":" not in digits else (head, *re.split("(?<=:)", digits))
    return f"{head} {mark}{another(digits)}"


def other_seed_with_its_commitment(text: str) -> str:
    seed = "ab" * 32
    text = re.sub(r"(proof seed )\w+", rf"\g<1>{seed}", text)
    return re.sub(r"(commitment )\w+", rf"\g<1>{hashlib.sha256(bytes.fromhex(seed)).hexdigest()}", text)


def entropies_exchanged(text: str) -> str:
    first, second = lines_of(text, "# proof entropy")
    return text.replace(first, "@").replace(second, first).replace("@", second)


def draws_exchanged(text: str) -> str:
    draws = lines_of(text, "# proof line draw ")
    first = draws[0]
    second = next(draw for draw in draws if draw != first)
    return text.replace(first, "@", 1).replace(second, first, 1).replace("@", second, 1)


def other_last_draw(text: str) -> str:
    drawn = lines_of(text, "# proof line draw ")[-1].rpartition(" ")[2]
    better = "A" if drawn != "A" else "D"
    return re.sub(rf"(# proof line draw ){drawn}\n(?!.*line draw)", rf"\g<1>{better}\n", text, flags=re.S)


def without_the_proof(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("# proof")) + "\n"


def older_version(text: str) -> str:
    return at(text, "version", lambda line: "")


def forged_consent(text: str) -> str:
    """The turn of a player is taken back although he did not agree."""
    return at(text, "line agree", lambda line: "", 0)


FORGERIES: dict[str, Callable[[str], str]] = {
    "another seed": lambda text: at(text, "seed", other_digits),
    "another commitment": lambda text: at(text, "commitment", other_digits),
    "a seed chosen after the game, with its commitment": other_seed_with_its_commitment,
    "another chain for a seat": lambda text: at(text, "entropy", other_digits, 0),
    "the chains of two seats exchanged": entropies_exchanged,
    "a seat left out of the draws": lambda text: at(text, "entropy", lambda line: "", 0),
    "a person made a bot": lambda text: at(text, "entropy", lambda line: "# proof entropy -", 0),
    "a seat that gave entropy only": lambda text: at(text, "entropy", lambda line: f"# proof entropy {'ab' * 16}", 0),
    "another last draw": other_last_draw,
    "two draws exchanged": draws_exchanged,
    "a draw left out": lambda text: at(text, "line draw", lambda line: ""),
    "a draw made twice": lambda text: at(text, "line draw", lambda line: f"{line}\n{line}"),
    "a draw taken back and made again": lambda text: at(
        text, "line draw", lambda line: f"{line}\n# proof line undo 1\n{line}"
    ),
    "a link that is not of the chain": lambda text: at(text, "line link", other_digits),
    "a link left out": lambda text: at(text, "line link", lambda line: ""),
    "a link shown twice": lambda text: at(text, "line link", lambda line: f"{line}\n{line}"),
    "a chain changed when no link was wanted": lambda text: at(
        text, "line draw", lambda line: f"{line}\n# proof line chain 0 {'ab' * 32}"
    ),
    "a chain changed instead of a link": lambda text: at(
        text, "line link", lambda line: f"# proof line chain {line.split()[3]} {'ab' * 32}"
    ),
    "a take-back without consent": forged_consent,
    "a take-back that nobody asked for": lambda text: at(text, "line ask", lambda line: "", 0),
    "a consent to nothing": lambda text: at(text, "line draw", lambda line: f"{line}\n# proof line agree 1"),
    "more taken back than was asked for": lambda text: re.sub(
        r"(line agree \d\n# proof line undo )(\d+)", lambda m: m[1] + str(int(m[2]) + 1), text, count=1
    ),
    "an action by who does not decide": lambda text: text.replace("# proof line 0 pass", "# proof line 1 pass", 1),
    "another action in the record": lambda text: text.replace("; pass\n", "\n", 1),
    "lines after the end": lambda text: text + "# proof line 0 pass\n",
    "a game that is not over": lambda text: at(text, "line", lambda line: "", 10_000),
    "a game ended by hand": lambda text: at(text, "line draw", lambda line: "# proof line end", 10_000),
    "a second beginning": lambda text: at(text, "line begin", lambda line: f"{line}\n{line}"),
    "seats shuffled afterwards": lambda text: at(text, "line begin", lambda line: f"{line} 1 0"),
    "other rules": lambda text: text.replace("\nplayers", "\nmodules river\nplayers", 1),
    "the version before": older_version,
    "a version that nobody knows": lambda text: at(text, "version", lambda line: "# proof version 3"),
    "a word that nobody knows": lambda text: at(text, "line draw", lambda line: f"{line}\n# proof line again"),
    "no proof at all": without_the_proof,
    "points from the beginning": lambda text: text.replace("\n\n", "\nscores 50 0\n\n", 1),
    "a tile from the beginning": lambda text: text.replace("\n\n", "\ntiles D 0,0 0\n\n", 1),
    "the past in other digits": lambda text: text.replace("# proof past 0", "# proof past \u0660"),
    "the past in two digits": lambda text: text.replace("# proof past 0", "# proof past 00"),
    "another seed in the header": lambda text: text.replace("\n\n", f"\n# proof seed {'ab' * 32}\n\n", 1),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forgery_is_refused(good: str, forgery: str, tmp_path: Path) -> None:
    assert verify(read_record(good)).draws > 70
    changed = FORGERIES[forgery](good)
    assert changed != good
    file = tmp_path / "game.txt"
    file.write_text(changed)
    done = CliRunner().invoke(command, [str(file), "--verify"])
    assert isinstance(done.exception, BastideError), done.output


class DishonestTable(Table):
    """The table of a server that draws, takes back and draws again until it likes the tile."""

    disliked = frozenset("UVD")

    def deal(self, at: int) -> list[Line]:
        lines = super().deal(at)
        for attempt in range(20):
            if not lines or not lines[-1].text.startswith("draw ") or self.playing.tile not in self.disliked:
                break
            lines.append(self._add("undo 1", at))
            dealer = Dealer(self.seed, [chair.entropy or "" for chair in self.chairs])
            lines.append(self._add(str(dealer.deal(self.playing, attempt, "again")), at))
        return lines


def test_a_server_that_draws_again_until_it_likes_the_tile_is_refused(tmp_path: Path) -> None:
    """It plays the whole game like this; players see nothing but a tile each turn."""
    honest = a_waiting_table(2, SEED, 2, True)
    table = DishonestTable("", honest.setup, SEED, "", honest.chairs)
    lines, random = [*table.begin(0), *give_links(table)], Random(1)
    while table.outcome is None:
        lines += table.play(str(random.choice(table.playing.legal)), 0)
        lines += give_links(table)
    assert sum(line.text == "undo 1" for line in lines) > 10
    record = Proof.of(table, lines).added_to(record_of(table.playing))
    with pytest.raises(ProofError, match="nobody may take that back without the consent"):
        verify(record)
    hidden = [line for n, line in enumerate(lines) if not forgotten(lines, n)]  # the same without a trace of it
    with pytest.raises(ProofError, match="was due"):
        verify(Proof.of(table, hidden).added_to(record_of(table.playing)))


def forgotten(lines: Sequence[Line], n: int) -> bool:
    """Is this a line that a dishonest server would rather not show?"""
    return lines[n].text == "undo 1" or (n + 1 < len(lines) and lines[n + 1].text == "undo 1")


# --- the second verifier


def log_text(table: Table, lines: Sequence[Line]) -> bytes:
    """What `GET /api/tables/ID/log` answers."""
    return msgspec.json.encode(log_of(table, lines))


def run_second_verifier(*files: Path | str) -> subprocess.CompletedProcess[str]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    return subprocess.run([node, str(VERIFIER), *map(str, files)], capture_output=True, text=True, check=False)


def test_the_second_verifier_accepts_the_same_games(tmp_path: Path) -> None:
    for number, wanted in enumerate(CHOICES):
        (tmp_path / f"{number}.json").write_bytes(log_text(*whole_game(number, **wanted)))
    done = run_second_verifier(*sorted(tmp_path.iterdir()))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("draws agree. Not checked: whether ") == len(CHOICES)


NOT_WITHOUT_AN_ENGINE = {  # what only `bastide replay --verify` finds, for it knows the rules and reads the record
    "an action by who does not decide",
    "another action in the record",
    "lines after the end",
    "a game that is not over",
    "other rules",
    "no proof at all",
    "a seat left out of the draws",
    "points from the beginning",
    "a tile from the beginning",
    "the past in other digits",
    "the past in two digits",
    "another seed in the header",
}


def test_the_second_verifier_refuses_the_same_forgeries(good: str, tmp_path: Path) -> None:
    table, lines = whole_game()
    honest = msgspec.json.decode(log_text(table, lines))
    names = [name for name in FORGERIES if name not in NOT_WITHOUT_AN_ENGINE]
    for name in names:
        forged = read_forged(honest, FORGERIES[name](good))
        (tmp_path / f"{name}.json").write_bytes(msgspec.json.encode(forged))
    done = run_second_verifier(*sorted(tmp_path.iterdir()))
    accepted = [line for line in done.stdout.splitlines() if "REFUSED" not in line]
    assert accepted == []
    assert done.stdout.count("REFUSED") == len(names) > 20


def read_forged(honest: dict[str, Any], text: str) -> dict[str, Any]:
    """The log of a forged record; bags and who gets a tile stay as they were."""
    said = [line.removeprefix("# proof ").partition(" ") for line in lines_of(text, "# proof ")]
    found = {word: [rest for other, _, rest in said if other == word] for word, _, _ in said}
    return {
        **honest,
        "version": int(found.get("version", ["1"])[0]),
        "commitment": found["commitment"][0],
        "seed": found["seed"][0],
        "entropies": ["" if part == "-" else part for part in found["entropy"]],
        "lines": [{"seq": n, "at": 0, "text": line, "lag": 0} for n, line in enumerate(found["line"], 1)],
    }


@pytest.mark.parametrize("file", sorted(VECTORS.glob("*.json")), ids=lambda file: file.stem)
def test_the_vectors_are_what_tables_draw(file: Path) -> None:
    """Committed logs: both verifiers, and the server, must find the same draws for ever."""
    log = msgspec.json.decode(file.read_bytes(), type=responses.Log)
    rules = log.rules
    modules = tuple(name for name in rules.modules if name != "base")
    setup = Setup(rules.edition, modules, rules.options, len(log.entropies), fair=log.version)
    chairs = [
        Chair(n, "human" if part else "bot", "", COLOURS[n], entropy=part) for n, part in enumerate(log.entropies)
    ]
    stored = [Line(line.seq, line.at, line.text) for line in log.lines]
    setup = msgspec.structs.replace(setup, shuffle=bool(order_of([line.text for line in stored], len(chairs))))
    assert replay(Stored("vector", msgspec.json.encode(setup).decode(), log.seed, chairs, stored)).failure == ""
    done = run_second_verifier("--commitment", log.commitment, file)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"all {len(log.bags)} draws agree" in done.stdout


def test_the_second_verifier_accepts_tiles_that_join_a_pile() -> None:
    """Of a plug-in: dragons come later, and weigh more than tiles of which some have left the pile unseen."""
    done = run_second_verifier(VECTORS / "plugin" / "tiles-that-join.json")
    assert "all 141 draws agree" in done.stdout
    assert "what lay in the bag at first (107, then 12 more and 18;" in done.stdout


def test_what_was_noted_before_the_game_is_compared(good: str) -> None:
    noted = re.search(r"commitment (\w+)", good)
    assert noted is not None
    assert verify(read_record(good), noted[1]).draws > 70
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
    assert "all 2 draws follow from the seed" in done.output
