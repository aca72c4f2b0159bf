"""Draws that can be checked afterwards, by nothing but the protocol's description."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

from bastide.game import CHANCE
from bastide.server.fair import Dealer, PlayerTranscript, commitment, new_seed
from bastide.server.proof import bags
from bastide.server.table import Line
from tests.server.client import ENTROPY, House
from tests.server.sample import SEED, a_fresh_beginning, a_table, played


def test_the_draws_are_those_that_the_protocol_describes() -> None:
    """Written from docs/protocol.md alone."""
    table = a_table()
    for _ in played(table, seed=1):
        pass
    key = hashlib.sha256("\n".join([SEED, f"{0:032x}", f"{1:032x}"]).encode()).digest()
    game, _ = table.setup.game(["red", "blue"])
    number = 0
    told: list[str] = []
    for seat, action in table.playing.history:
        if game.seat == CHANCE:
            n = game.engine.legal()
            weights = [int(w) for w in game.engine.weights[:n]]
            said = hashlib.sha256("\n".join(told).encode()).hexdigest()
            value = int.from_bytes(hmac.digest(key, f"{number}.0.{said}".encode(), "sha256")[:8], "big") % sum(weights)
            names = [a.tile for a, weight in zip(game.legal, weights, strict=True) for _ in range(weight)]
            assert action.tile == names[value]
            number += 1
        else:
            told.append(f"{seat} {action}")
        game.play(action)
    assert number == 71


def test_the_bags_of_the_log_are_enough_to_check_every_draw() -> None:
    """As a page does it, which knows no rules; the river is drawn from a pile of its own."""
    table = a_table(modules=["river"])
    lines = a_fresh_beginning(table)
    seen = len(table.playing.history)
    for _ in played(table, seed=2):
        for seat, action in table.playing.history[seen:]:
            text = str(action) if action.verb == "draw" else f"{seat} {action}"
            lines.append(Line(len(lines) + 1, 0, text))
        seen = len(table.playing.history)
    dealer = Dealer(SEED, [f"{0:032x}", f"{1:032x}"])
    found = iter(bags(table.setup, table.chairs, lines))
    told, draws = PlayerTranscript(), 0
    for line in lines[1:]:
        word, _, name = line.text.partition(" ")
        if word != "draw":
            told.add(line.text)
            continue
        copies = [one for one, weight in next(found) for _ in range(weight)]
        assert copies[dealer.below(len(copies), draws, str(told))] == name
        draws += 1
    assert draws == table.draws_made
    assert next(found, None) is None


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    seed = new_seed()
    assert commitment(seed) == hashlib.sha256(bytes.fromhex(seed)).hexdigest()
    assert len({new_seed() for _ in range(100)}) == 100


def test_entropy_of_every_seat_changes_the_draws() -> None:
    draws = {Dealer(SEED, [first, second]).below(1000, 0, "") for first in "ab" for second in "ab"}
    assert len(draws) == 4


def test_numbers_are_spread_evenly() -> None:
    dealer = Dealer(SEED, ["x"])
    counts = Counter(dealer.below(3, draw, "") for draw in range(9000))
    assert sorted(counts) == [0, 1, 2]
    assert max(counts.values()) - min(counts.values()) < 300  # five standard deviations


def test_a_draw_that_was_taken_back_is_not_made_again() -> None:
    table = a_table()
    table.play(str(table.playing.legal[0]), 0)
    table.play("pass", 0)
    table.add(f"undo {table.take_back(0)}", 0)
    assert table.draws_made == 2
    table.play(str(table.playing.legal[0]), 0)
    told = str(table.transcript)
    draw = table.play("pass", 0)[-1]
    assert str(table.transcript) != told
    before, _ = table.setup.game(["red", "blue"])
    for _, action in table.playing.history[:-1]:
        before.play(action)
    dealer = Dealer(SEED, [f"{0:032x}", f"{1:032x}"])
    assert draw.text == str(dealer.deal(before, 2, str(table.transcript)))


def test_the_next_tile_is_not_decided_before_it_is_drawn() -> None:
    """The same table, seed and bag: where a player puts his tile decides what the next one draws."""
    draws = []
    for place in a_table().playing.legal:
        table = a_table()
        table.play(str(place), 0)
        for deploy in table.playing.legal:
            other = a_table()
            other.play(str(place), 0)
            draws.append(other.play(str(deploy), 0)[-1].text)
    assert len(draws) > 10
    assert len(set(draws)) > 5


def test_what_bots_and_clocks_do_decides_no_draw() -> None:
    """Else the server could try out actions of its own until it liked the draw."""
    table = a_table()
    table.chairs[0].entropy = ""
    told = str(table.transcript)
    table.play(str(table.playing.legal[0]), 0)
    assert str(table.transcript) == told


def test_the_log_proves_it_once_the_game_is_over(house: House) -> None:
    with house.two() as (red, _):
        shown = red.state["fair"]
        assert shown["seed"] is None
        assert shown["entropies"] == [ENTROPY, ENTROPY]
        assert house.get(f"/api/tables/{red.table}/log").json()["code"] == "secret"
        red.play_first()
        red.do("undo", seq=red.state["seq"])
        red.do("resign")
        log = house.get(f"/api/tables/{red.table}/log").json()
    assert log["commitment"] == shown["commitment"] == commitment(log["seed"])
    words = [line["text"].split()[:2] for line in log["lines"]]
    assert words[0] == ["begin"]
    assert [word[0] for word in words] == ["begin", "draw", "0", "undo", "resign"]
    assert [line["seq"] for line in log["lines"]] == [1, 2, 3, 4, 5]
