"""What is told of a table after the first state: only what is new, and it leads to the same as the whole state."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest

from bastide.server.api.changes import SPLICED, splice
from bastide.server.api.feed import REMEMBERED, Feed
from bastide.server.api.follow import SPLICED as FOLLOWED
from bastide.server.api.follow import follow
from bastide.server.api.incoming import Clock
from bastide.server.draws.links import has_chain
from bastide.server.tables.aids import figure_of
from bastide.server.tables.show import figures_of, land_of, state_of
from bastide.server.tables.table import Table
from tests.server.client import House
from tests.server.sample import SEED, a_table, a_waiting_table, give_links, link_of, played
from tests.server.test_views import ALONE, BOXES

MEDIAN, MEDIAN_OF_EIGHT = 1500, 4000  # bytes of a move for one client, in the base game and in everything for eight


def whole(table: Table, mine: list[int], now: int) -> dict[str, Any]:
    """The table as HTTP would tell it."""
    found: dict[str, Any] = json.loads(msgspec.json.encode(state_of(table, mine, now)))
    return found


def play_and_follow(table: Table, seed: int, moves: int) -> list[int]:
    """Random moves, some taken back. Everybody who looks follows the changes; the bytes of each are returned."""
    random, sizes = Random(seed), []
    eyes = [[], *([chair.seat] for chair in table.chairs), [0, 1]]
    feeds = [Feed() for _ in eyes]
    pictures: list[dict[str, Any] | None] = [None for _ in eyes]
    for now in range(moves):
        for number, (mine, feed) in enumerate(zip(eyes, feeds, strict=True)):
            before = feed.n
            feed.update(state_of(table, mine, now))
            texts = feed.news_after(before) if before else [feed.whole()]
            assert texts is not None
            sizes += [len(text.encode()) for text in texts if before]
            for text in texts:
                pictures[number] = follow(pictures[number], json.loads(text))
            assert pictures[number] == {**whole(table, mine, now), "n": feed.n}
        if table.outcome is not None:
            break
        seat = table.decides
        if table.may_undo(seat) and random.random() < 0.1:
            table.add("undo 1", now)
        else:
            link = link_of(table, seat) if has_chain(table.chairs[seat].entropy) else ""
            table.play(str(random.choice(table.playing.legal)), now, link=link)
            give_links(table, now)
    return sizes


@pytest.mark.parametrize(
    ("players", "most", "wanted"),
    [
        (2, MEDIAN, {"chains": True}),
        (3, MEDIAN, {"options": {"hand": 3}, "clock": Clock("sudden", 900)}),
        (8, MEDIAN_OF_EIGHT, {"preset": "everything"}),
    ],
)
def test_changes_lead_to_what_the_whole_state_shows(players: int, most: int, wanted: dict[str, Any]) -> None:
    table = a_table(players, **wanted)
    give_links(table)
    sizes = play_and_follow(table, seed=players, moves=60)
    assert len(sizes) > 100
    assert sorted(sizes)[len(sizes) // 2] <= most


def test_a_splice_leads_from_any_list_to_any_other() -> None:
    random = Random(1)
    for _ in range(500):
        old, new = ([random.randrange(3) for _ in range(random.randrange(6))] for _ in range(2))
        found = splice(old, new)
        assert [*old[: found.at], *found.add, *old[found.at + found.drop :]] == new
        assert found.drop <= len(old)
    assert splice([1, 2, 3], [1, 2, 3, 4]).add == [4]
    assert (splice([1, 2, 3], [1, 3]).at, splice([1, 2, 3], [1, 3]).drop) == (1, 1)
    assert set(FOLLOWED) == SPLICED


def test_time_that_passes_is_no_change() -> None:
    table, feed = a_table(clock=Clock("sudden", 900)), Feed()
    feed.update(state_of(table, [0], 1000))
    feed.update(state_of(table, [0], 2000))
    assert feed.n == 1


def test_whoever_is_far_behind_gets_the_whole_state() -> None:
    """A client that reads slowly never gets a long queue of changes."""
    table, feed = a_table(), Feed()
    feed.update(state_of(table, [], 0))
    for now in range(REMEMBERED):
        table.play(str(table.playing.legal[0]), now)
        feed.update(state_of(table, [], now))
    assert len(feed.news_after(1) or ()) == REMEMBERED
    table.play(str(table.playing.legal[0]), REMEMBERED)
    feed.update(state_of(table, [], REMEMBERED))
    assert feed.news_after(1) is None
    assert json.loads(feed.whole())["n"] == feed.n
    assert feed.news_after(feed.n) == []


def test_a_beginning_is_told_whole() -> None:
    table, feed = a_waiting_table(2, SEED, 2, False), Feed()
    feed.update(state_of(table, [], 0))
    table.begin(1)
    feed.update(state_of(table, [], 1))
    assert feed.news_after(1) is None


def test_what_was_missed_is_asked_for(house: House) -> None:
    with house.two() as (red, blue):
        first = blue.seen(red.state["seq"])
        blue.seen(red.play_first()["seq"])
        change = blue.received[-1]
        assert change["type"] == "change"
        assert follow({**first, "n": first["n"] - 1}, change) is None  # one between them is missing
        assert follow(None, change) is None
        assert not {"rules", "drawings", "seats"} & change.keys()
        before = len(blue.received)
        answer = blue.ask("state")
        assert answer["type"] == "done"
        while not (whole := [message for message in blue.received[before:] if message["type"] == "state"]):
            blue.next()  # it comes before or after the answer
        assert whole[-1]["seq"] == answer["seq"]
        red.play_first()
        blue.seen(red.state["seq"])  # and what comes then fits to it
        assert blue.game["tiles"] == red.game["tiles"]


def test_all_who_watch_get_the_same_text(house: House) -> None:
    with house.two() as (red, _), house.at(red.table) as one, house.at(red.table) as other:
        for watching in (one, other):
            watching.seen(red.state["seq"])
        red.play_first()
        for watching in (one, other):
            watching.seen(red.state["seq"])
        assert one.received[-1] == other.received[-1]
        assert one.received[-1]["type"] == "change"


@pytest.mark.parametrize("module", [*BOXES, *ALONE])
def test_the_land_is_followed_tile_by_tile(module: str) -> None:
    """Only new tiles are looked at; what is shown is what lies there, also after something was taken back."""
    for number, table in enumerate(played(a_table(players=2, modules=[module]), seed=7)):
        if number % 7 == 0:
            table.growing_cache.pop("land", None)
        land, board = land_of(table), table.playing.board
        assert [(tile.tile, tile.cell, tile.turn) for tile in land.tiles] == [
            (laid.tile.id, laid.cell, laid.rotation) for laid in board.values()
        ]
        assert figures_of(table) == [figure_of(figure) for figure in board.figures]
        if number > 40:
            break
