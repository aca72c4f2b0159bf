"""Draws that can be checked afterwards, by nothing but the protocol's description."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from bastide.cli.replay import command
from bastide.game import CHANCE
from bastide.server.api.incoming import Clock
from bastide.server.api.refusal import Refusal
from bastide.server.draws.fair import Dealer, bag, commitment, new_seed
from tests.server.client import ENTROPY, House
from tests.server.sample import SEED, Chain, a_table, a_waiting_table, chain_of, give_links, link_of, played


def test_the_draws_are_those_that_the_page_describes() -> None:
    """Written from docs/fair-draws.md alone; the game without take-backs, and every draw needs two links at most."""
    table = a_table(chains=True)
    lines = [line.text for line in [*give_links(table)]]
    random = Random(1)
    while table.outcome is None:
        played_now = [*table.play(str(random.choice(table.playing.legal)), 0), *give_links(table)]
        lines += [line.text for line in played_now]
    parts = [f"chain:{chain_of(seat).end}" for seat in range(2)]
    key = hashlib.sha256("\n".join(["bastide draws 2", SEED, *parts]).encode()).digest()
    game, _ = table.setup.game(["red", "blue"])
    added: list[str] = []
    number = 0
    for text in lines:
        word, _, rest = text.partition(" ")
        if word == "link":
            added.append(rest)
            continue
        if word == "draw":
            names = [name for name, weight in bag(game) for _ in range(weight)]
            told = hashlib.sha256("\n".join(added).encode()).hexdigest()
            value = int.from_bytes(hmac.digest(key, f"{number}.0.{told}".encode(), "sha256")[:8], "big")
            assert rest == names[value % len(names)]
            number += 1
        game.play(text if word == "draw" else rest)
    assert number == 71
    assert len(added) > 100


def test_a_table_of_version_1_draws_as_it_began() -> None:
    table = a_table(fair=1)
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


def test_who_acted_last_and_who_gets_the_tile_add_a_link_each() -> None:
    table = a_table(chains=True)
    assert table.wanted == [0]  # the first tile is for seat 0, and nobody has acted
    assert [line.text.split()[0] for line in give_links(table)] == ["link", "draw"]
    table.play(str(table.playing.legal[0]), 0)
    table.play("pass", 0)
    assert (table.wanted, table.decides, table.awaited) == ([0, 1], -1, 0)
    table.reveal(1, link_of(table, 1), 0)
    assert table.wanted == [0]
    assert [line.text.split()[0] for line in table.reveal(0, link_of(table, 0), 0)] == ["link", "draw"]
    assert table.decides == 1


def test_a_link_comes_with_the_action_that_ends_the_turn() -> None:
    table = a_table(chains=True)
    give_links(table)
    table.play(str(table.playing.legal[0]), 0, link=link_of(table, 0))
    assert not table.wanted  # the turn goes on: the link is not used
    table.play("pass", 0, link=link_of(table, 0))
    assert table.wanted == [1]


def test_a_tile_is_not_known_before_the_one_who_gets_it_asks() -> None:
    """Whoever knows the seed and plays at seat 0 does not know what seat 1 draws: each link gives another tile."""
    due = set()
    for number in range(20):
        table = a_table(chains=True)
        table.chairs[1].entropy = f"chain:{Chain(number).end}"
        give_links(table)
        table.play(str(table.playing.legal[0]), 0, link=link_of(table, 0))
        table.play("pass", 0, link=link_of(table, 0))
        due.add(table.reveal(1, Chain(number).after(Chain(number).end), 0)[-1].text)
    assert len(due) > 5


def test_a_turn_that_is_played_anew_leads_to_the_same_tile() -> None:
    """So nobody, and no server, draws again until it likes the tile."""
    table = a_table(chains=True)
    give_links(table)
    for place in list(table.playing.legal)[:5]:
        table.play(str(place), 0)
        table.play("pass", 0)
        drawn = [*give_links(table), *table.deal(0)]
        tile = table.playing.tile
        assert tile is not None
        assert len(drawn) in (0, 3)  # the links are asked for once
        lines = table.take_turn_back(0, 0)
        assert [line.text.split()[0] for line in lines] == ["ask", "agree", "undo"]
    assert [action.tile for _, action in table.playing.history] == [table.playing.tile]
    assert len(table.links.revealed[1]) == 1


def test_a_draw_does_not_wait_for_who_is_out() -> None:
    table = a_table(players=3, chains=True)
    give_links(table)
    table.play(str(table.playing.legal[0]), 0, link=link_of(table, 0))
    table.play("pass", 0, link=link_of(table, 0))
    assert table.wanted == [1]
    assert [line.text.split()[0] for line in table.add("time 1", 0)] == ["time", "draw"]
    assert table.bot_to_move == "greedy"


def test_a_chain_that_was_lost_is_changed_and_the_draw_goes_on() -> None:
    table = a_table(chains=True)
    other = Chain("other")
    assert [line.text.split()[0] for line in table.change_chain(0, other.end, 0)] == ["chain", "draw"]
    table.play(str(table.playing.legal[0]), 0)
    table.play("pass", 0, link=other.after(other.end))
    assert table.wanted == [1]


def test_a_link_is_taken_when_it_is_wanted_and_the_next_one() -> None:
    table = a_table(chains=True)
    with pytest.raises(Refusal, match="no link of this seat is wanted"):
        table.reveal(1, link_of(table, 1), 0)
    with pytest.raises(Refusal, match="not the next link"):
        table.reveal(0, link_of(table, 1), 0)


def test_the_clock_of_who_is_waited_for_runs() -> None:
    table = a_table(chains=True, clock=Clock("turn", seconds=60))
    assert table.clock.running == 0
    table.reveal(0, link_of(table, 0), 20_000)
    assert table.clock.deadline == 60_000  # the tile brings no new time


def test_nobody_but_people_has_a_part() -> None:
    table = a_waiting_table(3, SEED, 2, True, bots=1)
    table.begin(0)
    give_links(table)
    while table.outcome is None:
        table.play(str(table.playing.legal[0]), 0)
        give_links(table)
    assert sorted(table.links.revealed) == [0, 1]


def test_shuffled_seats_follow_from_what_everybody_added() -> None:
    orders = set()
    for number in range(30):
        table = a_waiting_table(3, f"{number:064x}", 2, True, shuffle=True)
        assert table.wanted == [0, 1, 2]
        lines = give_links(table)
        words = lines[3].text.split()
        assert words[0] == "begin"
        orders.add(tuple(words[1:]))
        assert [chair.entropy for chair in table.chairs] == [f"chain:{chain_of(int(n)).end}" for n in words[1:]]
        assert [chair.seat for chair in table.chairs] == [0, 1, 2]
        assert table.playing.names == tuple(chair.colour for chair in table.chairs)
    assert len(orders) == 6


def test_who_shuffles_takes_the_seat_that_follows(house: House) -> None:
    """Tokens and open sockets go with the people."""
    made = house.make("human", "human", "random", shuffle=True)
    tokens = [seat["token"] for seat in made["seats"]]
    with house.at(made["table"], tokens[0]) as red, house.at(made["table"], tokens[1]) as blue:
        red.commit(chain_of(0))
        blue.commit(chain_of(1))
        for player in (red, blue):
            while not player.state["fair"]["wanted"]:
                player.until("state")
            player.give_links()
        for player in (red, blue):
            while player.state["status"] == "waiting":
                player.until("state")
        seats = [seat["name"] for seat in red.state["seats"]]
        assert sorted(seats) == ["blue", "random", "red"]
        assert red.state["mine"] == [seats.index("red")]
        assert blue.state["mine"] == [seats.index("blue")]
    with house.at(made["table"], tokens[0]) as red:
        assert red.state["mine"] == [seats.index("red")]


def test_a_game_of_two_pages_with_chains_is_proved(house: House, tmp_path: Path) -> None:
    with house.two_with_chains() as (red, blue):
        for _ in range(6):
            for player in (red, blue):
                player.await_question()
                player.play_first()
                if player.game["question"]:
                    player.play("pass")
        red.seen(blue.state["seq"])
        red.do("resign")
        file = tmp_path / "game.txt"
        file.write_text(house.get(f"/api/tables/{red.table}/record").text)
        noted = ["--commitment", red.state["fair"]["commitment"], "--own", chain_of(0).end]
    done = CliRunner().invoke(command, [str(file), "--verify", *noted])
    assert done.exit_code == 0, done.output
    assert re.search(r"all 1[0-9] draws follow", done.output)
    assert "No commitment" not in done.output
    assert "Whether somebody else wrote what a player did" in done.output


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
