"""One game of an arena: reproducible, fair in pairs, kept as a record."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from bastide.arena.match import Fixture, Table, play, points_by_source, seat_names
from bastide.arena.schedule import check, fixtures
from bastide.errors import OptionError
from bastide.notation.record import read_record
from bastide.notation.replay import replay
from bastide.rules import Rules

BASE = Table.of(Rules.of())


def pair(table: Table = BASE, bots: tuple[str, ...] = ("random", "random")) -> list[Fixture]:
    return list(fixtures(bots, table.seats, 2, seed=5))


def test_the_same_fixture_gives_the_same_game() -> None:
    fixture = pair()[0]
    assert play(BASE, fixture).record == play(BASE, fixture).record


def test_both_games_of_a_pair_draw_the_same_tiles_though_they_go_differently() -> None:
    one, other = (play(BASE, fixture).record for fixture in pair())
    tiles = [re.findall(r"draw (\w+)", record) for record in (one, other)]
    assert tiles[0] == tiles[1]
    assert one != other


def test_other_pairs_have_other_tiles() -> None:
    first = [re.findall(r"draw (\w+)", play(BASE, f).record)[:10] for f in fixtures(("random", "random"), 2, 8, 5)]
    assert len({tuple(tiles) for tiles in first}) == 4


def test_a_result_is_what_its_record_says() -> None:
    result = play(BASE, pair()[0])
    game = replay(read_record(result.record))
    assert game.over
    assert game.scores == result.scores
    assert tuple(sum(sources.values()) for sources in result.sources) == result.scores
    assert sum(result.decisions) == sum(action.verb != "draw" for _, action in game.history)
    standing = Counter(figure.seat for figure in game.board.figures if figure.spot.startswith("field"))
    assert result.farmers == (standing[0], standing[1])
    assert all(0 <= idle <= farmers for idle, farmers in zip(result.idle, result.farmers, strict=True))


@pytest.mark.parametrize("seats", [3, 4])
def test_at_larger_tables_two_bots_hold_every_seat_once_in_a_pair(seats: int) -> None:
    table = Table.of(Rules.of(players=seats))
    first, second = pair(table)
    assert first.seats == (0, 1, 0, 1)[:seats]
    assert second.seats == (1, 0, 1, 0)[:seats]
    result = play(table, first)
    assert result.share(0) + result.share(1) == 1
    assert result.margin(0) == pytest.approx(-result.margin(1))


def test_every_pairing_plays_every_deck() -> None:
    games = list(fixtures(("a", "b", "c"), 2, 4, seed=1))
    assert [game.id for game in games[:6]] == [
        "1v2-0001a", "1v2-0001b", "1v3-0001a", "1v3-0001b", "2v3-0001a", "2v3-0001b",
    ]  # fmt: skip
    assert len({game.id for game in games}) == len(games) == 12
    assert {game.pair: game.seed for game in games}.keys() == {1, 2}
    assert len({game.seed for game in games}) == 2


@pytest.mark.parametrize(
    ("entrants", "seats", "games", "said"),
    [
        (["random"], 2, 4, "players: expected two or more bots, got random"),
        (["random", "greedy"], 2, 3, "games: expected an even number"),
        (["random", "greedy"], 9, 4, "seats: expected 2 to 8, got 9"),
    ],
)
def test_what_cannot_be_played_in_pairs_is_refused(entrants: list[str], seats: int, games: int, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        check(entrants, seats, games)


def test_names_in_records_are_words_and_differ() -> None:
    assert seat_names(("search:400ms", "greedy", "greedy", "my bot.py")) == (
        "search-400ms", "greedy", "greedy.2", "my-bot.py",
    )  # fmt: skip


def test_nothing_scored_is_no_source() -> None:
    assert points_by_source([], 0) == {}
