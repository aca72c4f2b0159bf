"""Forged games before all three verifiers: `bastide replay --verify`, that of the page, scripts/verify-draws.mjs."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from bastide.game import Action
from bastide.notation.replay import record_of
from bastide.server.draws.fair import Dealer, bag, hash_lines
from bastide.server.draws.links import CHAIN, hash_link
from bastide.server.draws.proof import Proof, ProofError, verify
from bastide.server.tables.records import log_of
from bastide.server.tables.table import Line, Table
from tests.server.sample import SEED, a_waiting_table, give_links, link_of

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
BUNDLER = WEB / "node_modules" / ".bin" / "rolldown"


@dataclass(frozen=True)
class Game:
    """A game to its end with all that is shown of it."""

    table: Table
    proof: Proof

    @property
    def lines(self) -> list[str]:
        return list(self.proof.lines)

    def at(self, start: str, number: int = 0) -> int:
        """Where the line of this number stands that begins like this."""
        return [n for n, text in enumerate(self.proof.lines) if text.startswith(start)][number]

    def with_lines(self, lines: Sequence[str]) -> Game:
        return replace(self, proof=replace(self.proof, lines=tuple(lines)))

    def with_line(self, at: int, *texts: str) -> Game:
        """Other lines instead of one."""
        return self.with_lines([*self.proof.lines[:at], *texts, *self.proof.lines[at + 1 :]])


@lru_cache(maxsize=2)
def honest(shuffle: bool = False) -> Game:
    """Two people and a bot; a turn is taken back with everybody's consent, and one gives up before the end."""
    table = a_waiting_table(3, SEED, 2, True, bots=1, shuffle=shuffle)
    lines = [*([] if table.wanted else table.begin(0)), *give_links(table)]
    random = Random(5)
    people = [chair.seat for chair in table.chairs if chair.entropy]
    for number in range(900):
        if table.outcome is not None:
            break
        seat = table.decides
        person = seat in people and seat not in table.out
        lines += table.play(str(random.choice(table.playing.legal)), 0, link=link_of(table, seat) if person else "")
        lines += give_links(table)
        if person and number % 9 == 8 and table.outcome is None and table.take_back(seat) and not table.out:
            lines += table.take_turn_back(seat, 0)
            lines += give_links(table)
        if number == 120:
            lines += [*table.add(f"resign {people[-1]}", 0), *give_links(table)]
    return Game(table, Proof.of(table, lines))


def bot_of(game: Game) -> int:
    return next(chair.seat for chair in game.table.chairs if not chair.entropy)


def quitter(game: Game) -> int:
    return next(iter(game.table.out))


def swap(game: Game, first: int, second: int) -> Game:
    lines = game.lines
    lines[first], lines[second] = lines[second], lines[first]
    return game.with_lines(lines)


def move(game: Game, at: int, to: int) -> Game:
    lines = game.lines
    lines.insert(to, lines.pop(at))
    return game.with_lines(lines)


def seats_exchanged(game: Game) -> Game:
    """Each link stands under the name of the other player."""
    turned = {"link 0": "link 1", "link 1": "link 0"}
    return game.with_lines([turned.get(text[:6], text[:6]) + text[6:] for text in game.lines])


def next_link(game: Game) -> Game:
    """A seat shows two links at once; the second one is really its next."""
    at = game.at("link", 4)
    later = next(text for text in game.lines[at + 1 :] if text.startswith(game.lines[at][:7]))
    return game.with_line(at, game.lines[at], later)


def chain_begins_later(game: Game) -> Game:
    """A seat commits to a chain that begins with its second link, and never shows the first."""
    at = game.at("link 0")
    link = game.lines[at].split()[2]
    entropies = (f"{CHAIN}{link}", *game.proof.entropies[1:])
    return replace(game.with_line(at), proof=replace(game.with_line(at).proof, entropies=entropies))


def with_proof(game: Game, **changed: Any) -> Game:
    return replace(game, proof=replace(game.proof, **changed))


def after(game: Game, start: str, *texts: str, number: int = 0) -> Game:
    at = game.at(start, number)
    return game.with_line(at, game.lines[at], *texts)


def tile_after_take_back(game: Game) -> Game:
    """After a take-back with all consents another tile comes than the one that was drawn before."""
    at = next(n for n in range(game.at("agree"), len(game.lines)) if game.lines[n].startswith("draw "))
    other = next(text for text in game.lines if text.startswith("draw ") and text != game.lines[at])
    return game.with_line(at, other)


def consents_to_nothing_new(game: Game) -> Game:
    """Everybody seems to agree that the server draws the last tile again."""
    at = game.at("draw", 7)
    people = [chair.seat for chair in game.table.chairs if chair.entropy]
    asked = [f"ask {people[0]}", *(f"agree {seat}" for seat in people[1:]), "undo 1"]
    return game.with_line(at, game.lines[at], *asked, game.lines[at])


def taken_back_for_a_bot(game: Game) -> Game:
    """The server takes back what its own bot did, and lets it act again."""
    at = game.at(f"{bot_of(game)} ", 3)
    return game.with_line(at, game.lines[at], "undo 1", game.lines[at])


def taken_back_for_a_stand_in(game: Game) -> Game:
    """The server takes back what it did for a seat that is out."""
    out = game.at("resign")
    at = next(n for n in range(out + 1, len(game.lines)) if game.lines[n].startswith(f"{quitter(game)} "))
    return game.with_line(at, game.lines[at], "undo 1", game.lines[at])


def stand_in_shows_links(game: Game) -> Game:
    """A seat that is out adds links before the next draw, as if somebody sat there."""
    seat = quitter(game)
    shown = [text.split()[2] for text in game.lines if text.startswith(f"link {seat} ")]
    assert shown
    return after(game, "resign", f"link {seat} {'00' * 32}")


def order_of_seats(game: Game) -> Game:
    at = game.at("begin")
    word, *order = game.lines[at].split()
    return game.with_line(at, " ".join([word, *order[1:], order[0]]))


FORGERIES: dict[str, Callable[[Game], Game]] = {
    "two links of a chain exchanged": lambda g: swap(g, g.at("link 0", 2), g.at("link 0", 3)),
    "a link shown before the action": lambda g: move(g, g.at("link 0", 3), g.at("link 0", 3) - 2),
    "a link shown after its draw": lambda g: move(g, g.at("link 0", 3), g.at("link 0", 3) + 2),
    "two links shown at once": next_link,
    "links under the other's name": seats_exchanged,
    "a chain that begins later": chain_begins_later,
    "the link of a bot": lambda g: after(g, "draw", f"link {bot_of(g)} {'00' * 32}", number=3),
    "a stand-in that shows links": stand_in_shows_links,
    "a stand-in's action taken back": taken_back_for_a_stand_in,
    "a bot's action taken back": taken_back_for_a_bot,
    "another tile after a take-back": tile_after_take_back,
    "a draw made again with consents": consents_to_nothing_new,
    "the consent of a bot instead of a person's": lambda g: g.with_line(g.at("agree"), f"agree {bot_of(g)}"),
    "the consent of who asked": lambda g: g.with_line(g.at("agree"), g.lines[g.at("ask")].replace("ask", "agree")),
    "a take-back that a bot asks for": lambda g: g.with_line(g.at("ask"), f"ask {bot_of(g)}"),
    "a consent twice": lambda g: after(g, "agree", g.lines[g.at("agree")]),
    "nothing taken back after consents": lambda g: g.with_line(g.at("undo")),
    "a take-back of nothing": lambda g: g.with_line(g.at("undo"), "undo 0"),
    "a take-back of less than nothing": lambda g: g.with_line(g.at("undo"), "undo -1"),
    "a take-back of half an action": lambda g: g.with_line(g.at("undo"), g.lines[g.at("undo")] + ".5"),
    "everything taken back": lambda g: g.with_line(g.at("undo"), "undo 9999"),
    "no beginning": lambda g: g.with_line(g.at("begin")),
    "a draw before the beginning": lambda g: move(g, g.at("begin"), 2),
    "the commitment left out": lambda g: with_proof(g, commitment=""),
    "a seed in other letters": lambda g: with_proof(g, seed=g.proof.seed.upper().replace("5", "5")),
    "a chain in other letters": lambda g: with_proof(
        g, entropies=(g.proof.entropies[0].upper(), *g.proof.entropies[1:])
    ),
    "a version that is not there yet": lambda g: with_proof(g, version=3),
    "the version before": lambda g: with_proof(g, version=1),
    "a seat that resigns and is nowhere": lambda g: after(g, "draw", "resign 7", number=3),
    "a seat that resigns twice": lambda g: after(g, "resign", g.lines[g.at("resign")]),
    "a link with something behind it": lambda g: g.with_line(g.at("link", 3), g.lines[g.at("link", 3)] + " 0"),
    "a seat in other digits": lambda g: g.with_line(
        g.at("link", 3), g.lines[g.at("link", 3)].replace("link ", "link 0")
    ),
    "a seat in digits of another script": lambda g: g.with_line(
        g.at("link 0"), g.lines[g.at("link 0")].replace("link 0", "link \u0660")
    ),
    "a draw with a second space": lambda g: g.with_line(g.at("draw", 3), g.lines[g.at("draw", 3)].replace(" ", "  ")),
    "a line that nobody knows": lambda g: after(g, "draw", "shuffle", number=3),
    "a puzzle's end": lambda g: after(g, "draw", "end", number=3),
    "a credit of less than nothing": lambda g: after(g, "draw", "credit -5 -5", number=3),
    "half a credit": lambda g: after(g, "draw", "credit 5", number=3),
    "a take-back with a sign": lambda g: g.with_line(g.at("undo"), g.lines[g.at("undo")].replace(" ", " +")),
    "a take-back with something behind it": lambda g: g.with_line(g.at("ask"), g.lines[g.at("ask")] + " 1"),
    "a seat that resigns in two digits": lambda g: g.with_line(g.at("resign"), f"resign 0{quitter(g)}"),
    "a seat out of time in the middle of a draw": lambda g: g.with_line(
        g.at("link 0", 3), f"time {g.lines[g.at('link 0', 3)].split()[1]}", g.lines[g.at("link 0", 3)]
    ),
    "a seat put out before its link": lambda g: g.with_line(g.at("link 1", 3), "resign 1"),
    "a seat put out from the beginning": lambda g: after(g, "begin", "time 1"),
    "the same seed and the chains of another game": lambda g: with_proof(
        g, entropies=(*g.proof.entropies[1::-1], *g.proof.entropies[2:])
    ),
    "the log without its end": lambda g: g.with_lines(g.lines[: g.at("draw", 60)]),
    "the log without its beginning": lambda g: g.with_lines(["begin", *g.lines[g.at("draw", 10) :]]),
    "a chain changed at will": lambda g: g.with_line(
        g.at("link", 3), f"chain {g.lines[g.at('link', 3)].split()[1]} {g.lines[g.at('link', 3)].split()[2]}"
    ),
}
SHUFFLED: dict[str, Callable[[Game], Game]] = {
    "seats in another order": order_of_seats,
    "seats that were not shuffled": lambda g: g.with_line(g.at("begin"), "begin"),
    "a seat twice": lambda g: g.with_line(g.at("begin"), "begin 0 0 1"),
    "seats shuffled before everybody has shown a link": lambda g: move(g, g.at("begin"), g.at("begin") - 1),
    "links of the shuffle under the other's name": seats_exchanged,
}
ALL = [*((name, False) for name in FORGERIES), *((name, True) for name in SHUFFLED)]


def forged(name: str, shuffle: bool) -> Game:
    good = honest(shuffle)
    bad = (SHUFFLED if shuffle else FORGERIES)[name](good)
    assert bad.proof != good.proof
    return bad


def log_text(game: Game) -> bytes:
    """The log that a server would show with this proof: bags and who gets a tile stay as they were."""
    proof = game.proof
    shown = honest(bool(game.table.setup.shuffle))
    log = log_of(shown.table, [Line(n, 0, text) for n, text in enumerate(shown.proof.lines, 1)])
    found = msgspec.to_builtins(log)
    found |= {
        "version": proof.version,
        "commitment": proof.commitment,
        "seed": proof.seed,
        "entropies": list(proof.entropies),
        "lines": [{"seq": n, "at": 0, "text": text, "lag": 0} for n, text in enumerate(proof.lines, 1)],
    }
    return json.dumps(found).encode()


@pytest.mark.parametrize("shuffle", [False, True])
def test_the_honest_game_is_accepted(shuffle: bool) -> None:
    game = honest(shuffle)
    assert sum(text.startswith("agree") for text in game.lines) > 3
    assert verify(game.proof.added_to(record_of(game.table.playing))).draws > 70


@pytest.mark.parametrize(("name", "shuffle"), ALL, ids=str)
def test_replay_refuses(name: str, shuffle: bool) -> None:
    game = forged(name, shuffle)
    with pytest.raises(ProofError):
        verify(game.proof.added_to(record_of(game.table.playing)))


# --- logs whose bags, or whose owners of tiles, are not true


@lru_cache
def lying_about_turns() -> dict[str, Any]:
    """The log of a server that says that every tile is for the first seat, so that it need not ask the other one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, "_draw_seats", lambda self: draw_seats(self, 0))
        table = a_waiting_table(2, SEED, 2, True)
        lines = [*table.begin(0), *give_links(table)]
        random = Random(5)
        while table.outcome is None:
            link = link_of(table, table.decides)
            lines += [*table.play(str(random.choice(table.playing.legal)), 0, link=link), *give_links(table)]
        game = Game(table, Proof.of(table, lines))
        found = log_of_game(game, table)
    return {**found, "gets": [0] * len(found["gets"]), "game": game_seen(game)}


def draw_seats(table: Table, getting: int) -> list[int]:
    """Who adds a link if this seat gets the tile; once between two actions."""
    history, given = list(zip(table.playing.history, table.played, strict=True)), set()
    while history and history[-1][0][1].verb == "draw":
        _, drawn = history.pop()
        given |= {int(link.split()[0]) for link in drawn.links}
    acted = history[-1][0][0] if history else getting
    return [seat for seat in dict.fromkeys((acted, getting)) if seat not in given]


@lru_cache
def honest_log() -> dict[str, Any]:
    """The log of the honest game, and what everybody has seen of it."""
    return {**log_of_game(honest(), honest().table), "game": game_seen(honest())}


def bags_without(name: str, first: int) -> dict[str, Any]:
    """The log of an honest game with a bag that has lost a tile which nobody drew."""
    found = honest_log()
    bags = [[[tile, left] for tile, weight in bag if (left := weight - (tile == name))] if n == first else bag
            for n, bag in enumerate(found["bags"])]  # fmt: skip
    return {**found, "bags": bags}


def downgraded() -> dict[str, Any]:
    """A table of version 2 that is shown as one of version 1, in which a server may draw again."""
    table = a_waiting_table(2, SEED, 1, True)
    lines, random = [*table.begin(0)], Random(5)
    while table.outcome is None:
        lines += table.play(str(random.choice(table.playing.legal)), 0)
    game = Game(table, Proof.of(table, lines))
    return {**log_of_game(game, table), "game": game_seen(game)}


class ChoosingTable(Table):
    """The table of a server that draws what it likes, and then shows bags with something that is not there, from which
    just that was due."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.shown: list[list[tuple[str, int]]] = []

    def next_draw(self) -> Action:
        dealer = Dealer(self.seed, self._entropies(), self.setup.fair)
        added = [*(link for entry in self.played for link in entry.links), *self._draw_links()]
        there = bag(self.playing)
        names = [name for name, weight in there for _ in range(weight)]
        liked = max(len(names) // 2, 5)  # of these it draws one
        for more in count():
            number = dealer.below(len(names) + more, self.standing_draws, hash_lines(added))
            if number < min(liked, len(names)):
                break
        self.shown.append([*there, *([("nothing", more)] if more else [])])
        return Action("draw", tile=names[number])


def drawn_at_will() -> dict[str, Any]:
    """Tiles come by their names, those of the first half of the alphabet first."""
    waiting = a_waiting_table(2, SEED, 2, True)
    table = ChoosingTable("", waiting.setup, SEED, "", waiting.chairs)
    lines, random = [*table.begin(0), *give_links(table)], Random(5)
    while table.outcome is None:
        lines += [*table.play(str(random.choice(table.playing.legal)), 0), *give_links(table)]
    game = Game(table, Proof.of(table, lines))
    return {**log_of_game(game, table), "bags": table.shown, "game": game_seen(game)}


def each_from_its_own_pile() -> dict[str, Any]:
    """Bags in which nothing lies but the tiles of the kind that was drawn."""
    found = honest_log()
    names = [text.removeprefix("draw ") for text in honest().lines if text.startswith("draw ")]
    bags = [[[name, dict(bag)[name]]] for name, bag in zip(names, found["bags"], strict=True)]
    return {**found, "bags": bags}


def of_another_form() -> dict[str, dict[str, Any]]:
    """Logs of no game: a verifier says so, and comes to an end."""
    found = honest_log()
    [first, *others], lines, rules = found["bags"], found["lines"], found["rules"]
    weights: dict[str, Callable[[int], Any]] = {
        "texts": str,
        "fractions": lambda weight: weight + 0.5,
        "nothing": lambda _: None,
        "0": lambda _: 0,
    }
    bags = {f"weights that are {name}": [[[kind, change(weight)] for kind, weight in first], *others]
            for name, change in weights.items()}  # fmt: skip
    return {
        **{name: {**found, "bags": changed} for name, changed in bags.items()},
        "a bag with a kind twice": {**found, "bags": [[*first, first[0]], *others]},
        "no bags": {**found, "bags": None},
        "a line that is no text": {**found, "lines": [*lines, {**lines[-1], "seq": len(lines) + 1, "text": None}]},
        "lines that are not numbered": {**found, "lines": [{**line, "seq": 1} for line in lines]},
        "an entropy that is no text": {**found, "entropies": [None, *found["entropies"][1:]]},
        "the log of a puzzle": {**found, "rules": {**rules, "scripted": True}},
        "a version that is a text": {**found, "version": "2"},
    }


def untrue_logs() -> dict[str, dict[str, Any]]:
    """By name; a bag that lost a tile leads now and then to the same draws, and then only the bag is wrong."""
    bags = honest_log()["bags"]
    lost = {f"draw {n} without a {name}": bags_without(name, n) for n in range(10, 40, 6) for name, _ in bags[n]}
    return {
        "all tiles for one": lying_about_turns(),
        "shown as version 1": downgraded(),
        "drawn at will": drawn_at_will(),
        "each tile from its own pile": each_from_its_own_pile(),
        **of_another_form(),
        **lost,
    }


def log_of_game(game: Game, table: Table) -> dict[str, Any]:
    """The log as it is shown."""
    found: dict[str, Any] = msgspec.to_builtins(
        log_of(table, [Line(n, 0, text) for n, text in enumerate(game.proof.lines, 1)])
    )
    return found


def write_untrue_logs(folder: Path) -> list[Path]:
    files = []
    for name, log in untrue_logs().items():
        files.append(folder / f"{name}.json")
        files[-1].write_text(json.dumps(log))
    return files


def test_the_second_verifier_refuses_untrue_logs(tmp_path: Path) -> None:
    done = node(ROOT / "scripts" / "verify-draws.mjs", *write_untrue_logs(tmp_path))
    assert [line for line in done.stdout.splitlines() if "REFUSED" not in line] == []
    assert "the bag has lost or gained" in done.stdout
    assert "drawn for somebody else" in done.stdout
    [at_will] = [line for line in done.stdout.splitlines() if "drawn at will.json" in line]
    assert "the bag has lost or gained" in at_will


def write_logs(folder: Path) -> list[Path]:
    """The honest games first, then every forgery."""
    files = []
    for number, (name, game) in enumerate(
        [("honest", honest()), ("honest, shuffled", honest(True)), *((name, forged(name, s)) for name, s in ALL)]
    ):
        files.append(folder / f"{number:02} {name}.json")
        files[-1].write_bytes(log_text(game))
    return files


def node(*arguments: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed")
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False, **more)


def test_the_second_verifier_refuses_the_same(tmp_path: Path) -> None:
    files = write_logs(tmp_path)
    done = node(ROOT / "scripts" / "verify-draws.mjs", *files)
    accepted = [line for line in done.stdout.splitlines() if "REFUSED" not in line]
    assert [line.partition(".json")[0].rpartition("/")[2] for line in accepted] == ["00 honest", "01 honest, shuffled"]


LOOK = """
import { check } from "./fair.mjs";
import { readFileSync } from "node:fs";
for (const file of process.argv.slice(2)) {
  const proof = JSON.parse(readFileSync(file, "utf8"));
  const found = check(proof, JSON.parse(readFileSync("game.json", "utf8"))[file]);
  console.log(JSON.stringify([file, found.filter((one) => one.good === false).map((one) => one.what)]));
}
"""


def test_the_page_refuses_the_same(tmp_path: Path) -> None:
    if not BUNDLER.exists():
        pytest.skip("the page's packages are not installed: npm install in web")
    source, bundle = WEB / "src" / "lib" / "fair.ts", tmp_path / "fair.mjs"
    subprocess.run([BUNDLER, source, "--format", "esm", "--file", bundle], check=True, capture_output=True)
    (tmp_path / "look.mjs").write_text(LOOK)
    (tmp_path / "logs").mkdir()
    files = write_logs(tmp_path / "logs")
    seen = {False: game_seen(honest()), True: game_seen(honest(True))}
    shuffled = [False, True, *(shuffle for _, shuffle in ALL)]
    (tmp_path / "game.json").write_text(
        json.dumps({str(file): seen[shuffle] for file, shuffle in zip(files, shuffled, strict=True)})
    )
    (tmp_path / "untrue").mkdir()
    untrue = write_untrue_logs(tmp_path / "untrue")
    seen_there = {str(file): json.loads(file.read_text())["game"] for file in untrue}
    known = json.loads((tmp_path / "game.json").read_text())
    (tmp_path / "game.json").write_text(json.dumps({**known, **seen_there}))
    done = node("look.mjs", *files, *untrue, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = {Path(file).stem: wrong for file, wrong in map(json.loads, done.stdout.splitlines())}
    assert ["bag"] in found.values()
    assert "gets" in found["all tiles for one"]
    assert found["drawn at will"] == found["each tile from its own pile"] == ["bag"]
    accepted = [Path(file).stem for file, wrong in map(json.loads, done.stdout.splitlines()) if not wrong]
    assert accepted == ["00 honest", "01 honest, shuffled"]


def game_seen(game: Game) -> list[str]:
    """The actions as every player has seen them."""
    return [str(action) for _, action in game.table.playing.history]


def test_a_chain_that_was_changed_is_named() -> None:
    """Whoever runs the server and plays may do that; nobody can hide it."""
    table = a_waiting_table(2, SEED, 2, True)
    lines = [*table.begin(0), *give_links(table)]
    while table.outcome is None:
        lines += table.play(str(table.playing.legal[0]), 0)
        while table.wanted:
            seat = table.wanted[0]
            if seat == 0 and len(lines) % 3 == 0:
                lines += table.change_chain(0, hash_link(link_of(table, 0)), 0)
            else:
                lines += table.reveal(seat, link_of(table, seat), 0)
    told = verify(Proof.of(table, lines).added_to(record_of(table.playing))).unchecked
    assert any("changed the chain" in sentence for sentence in told)
