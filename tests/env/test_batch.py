"""The compiled batch: the same games as `Game` plays, many at once; codes and observations place by place."""

from __future__ import annotations

from typing import Any

import pytest

from bastide.bots.contract import hidden_positions, hiding_rules
from bastide.errors import IllegalAction, OptionError
from bastide.game import Game, Rng
from bastide.game.batch import Batch, random_steps
from bastide.game.observation import HEADER, SEGMENT, SQUARE, Observer
from bastide.game.secrets import secrets_of
from bastide.game.seeds import mixed
from bastide.rules import Rules
from bastide.rules.registry import presets, specs
from tests.playthrough import choices

ALL = [{"preset": name} for name in presets()] + [{"modules": (s.name,)} for s in specs().values() if s.standalone]
EXACT = 2**24  # larger whole numbers are not exact in float32
IDS = [str(next(iter(choice.values()))) for choice in ALL]


@pytest.mark.parametrize("choice", ALL, ids=IDS)
@pytest.mark.parametrize("players", [2, 4])
def test_a_game_of_the_batch_is_the_game_that_its_seed_deals(choice: dict[str, str], players: int) -> None:
    rules = Rules.of(players=players, **choice)  # type: ignore[arg-type]
    batch = Batch(rules, 2, 9)
    game = Game(rules, seed=mixed(9, 1))
    points = [0] * players
    while not batch.ended[1]:
        assert not game.over
        assert batch.seats[1] == game.seat
        assert batch.counts[1] == len(game.legal)
        codes = [batch.legal[batch.room + i] for i in range(batch.counts[1])]
        assert len(set(codes)) == len(codes)
        assert all(0 <= code < batch.size for code in codes)
        batch.random_step()
        game.play(game.legal[codes.index(batch.actions[1])])
        points = [points[seat] + batch.gains[players + seat] for seat in range(players)]
    assert game.over
    assert tuple(batch.finals[players + seat] for seat in range(players)) == game.scores == tuple(points)
    assert list(batch.scores)[players:] == [0] * players  # the next game has begun


def test_given_actions_play_what_random_actions_played() -> None:
    one, other = Batch(Rules.of(), 3, 4), Batch(Rules.of(), 3, 4)
    for _ in range(300):
        one.random_step()
        other.step(list(one.actions))
        assert list(other.legal[: other.counts[0]]) == list(one.legal[: one.counts[0]])
    assert list(one.finals) == list(other.finals)
    assert sum(one.finals) > 0


def test_an_illegal_code_changes_nothing_anywhere() -> None:
    batch = Batch(Rules.of(), 2, 4)
    before = [list(engine.s) for engine in batch.engines]
    with pytest.raises(IllegalAction, match="game 1: the action 99999 is not legal now"):
        batch.step([batch.legal[0], 99999])
    assert [list(engine.s) for engine in batch.engines] == before


def test_wrong_sizes_are_refused() -> None:
    with pytest.raises(OptionError, match="games: expected one or more, got 0"):
        Batch(Rules.of(), 0, 1)
    with pytest.raises(OptionError, match="actions: expected 1, got 2"):
        Batch(Rules.of(), 1, 1).step([0, 0])


def test_games_of_a_batch_have_different_tiles() -> None:
    batch = Batch(Rules.of(), 16, 1)
    assert len({engine.subject() for engine in batch.engines}) > 5


def test_games_end_and_begin_again() -> None:
    assert random_steps(Batch(Rules.of(), 2, 1), 450) == 6  # about 142 decisions a game


def played(rules: Rules, actions: int, seed: int = 8) -> Game:
    game, rng = Game(rules, seed=seed), Rng(seed)
    while not game.over and actions:
        game.play(game.legal[rng.below(len(game.legal))])
        actions -= 1
    return game


def row(game: Game, seat: int) -> list[int]:
    return list(Observer(game.rules).row(game.engine, seat))


def test_an_observation_place_by_place() -> None:
    game = played(Rules.of(players=3), 61)
    observer = Observer(game.rules)
    seen = row(game, 1)
    assert seen[1] == 1
    assert seen[2] == (game.seat - 1) % 3
    assert seen[3] == (game.turn - 1) % 3
    assert seen[4] == (game.rules.type_named(game.tile) + 1 if game.tile else 0)
    assert seen[6] == game.tiles_left
    assert seen[7] == len(game.board)
    assert seen[HEADER : HEADER + 3] == [game.scores[1], game.scores[2], game.scores[0]]
    assert seen[observer.supplies : observer.unseen] == [game.supply(seat)["follower"] for seat in (1, 2, 0)]
    unseen = game.view(1).unseen
    assert seen[observer.unseen : observer.fields] == [unseen.get(tile.id, 0) for tile in game.rules.tiles]
    figures = {(figure.cell, figure.spot): figure for figure in game.board.figures}
    for number, (cell, laid) in enumerate(game.board.items()):
        at = observer.squares + number * observer.square_size
        assert seen[at : at + SQUARE] == [game.rules.type_named(laid.tile.id) + 1, laid.rotation, *cell]
        for segment in range(len(laid.tile.segments)):
            place = at + SQUARE + segment * SEGMENT
            region = game.region(cell, laid.tile.spot(segment, laid.rotation))
            figure = figures.get((cell, laid.tile.spot(segment, laid.rotation)))
            assert seen[place : place + 2] == ([(figure.seat - 1) % 3 + 1, 1] if figure else [0, 0])
            assert seen[place + 2] == (region.open if region.kind != "field" else 1)
            assert seen[place + 3] == region.weights.get(1, 0)
            assert seen[place + 4] == max(region.weights.get(0, 0), region.weights.get(2, 0))
    assert not any(seen[observer.squares + len(game.board) * observer.square_size :])


@pytest.mark.parametrize("choice", [{}, {"preset": "everything"}])
def test_a_row_is_written_whole_whatever_game_stood_there(choice: dict[str, str]) -> None:
    """A long game, one that has just begun, one with other tiles: each looks as it does on zeros."""
    rules = Rules.of(**choice)  # type: ignore[arg-type]
    observer = Observer(rules)
    for actions, seed in ((90, 8), (3, 8), (60, 5), (61, 6), (0, 1), (400, 9)):
        game = played(rules, actions, seed)
        assert list(observer.row(game.engine, 0)) == row(game, 0)


def test_hidden_things_of_others_are_not_observed() -> None:
    """The real game and one in which everything that the seat does not know is dealt anew look the same."""
    for rules in hiding_rules():
        positions = hidden_positions(rules)
        assert positions, "nobody holds anything"
        for game, seat in positions:
            seen = row(game, seat)
            twins = [game.view(seat).imagine(Rng(mixed(number))).engine for number in range(5)]
            hands = [[secrets_of(twin, other) for other in range(3)] for twin in twins]
            assert any(hand != hands[0] for hand in hands)
            assert all(hand[seat] == list(game.secrets(seat)) for hand in hands)
            assert all(list(Observer(rules).row(twin, seat)) == seen for twin in twins)


@pytest.mark.parametrize("name", choices())
def test_rows_stay_in_their_space_and_float32_holds_them(name: str) -> None:
    """The games of the playthroughs, looked at by everybody after every action."""
    rules = choices()[name]
    observer = Observer(rules)
    game, rng = Game(rules, seed=1), Rng(1)
    largest = 0
    while not game.over:
        game.play(game.legal[rng.below(len(game.legal))])
        for seat in range(rules.players):
            largest = max(largest, *(abs(int(number)) for number in observer.row(game.engine, seat)))
    assert 0 < largest <= EXACT


def test_a_share_is_seen_in_small_numbers() -> None:
    """The tokens that are shared were packed into one word: float32 lost which ones they are."""
    game = Game(modules=["over_hill_and_dale"], players=3, seed=1)
    dale: Any = game.rules.modules[0]
    engine = game.engine
    crops = [2, 0, 1, 0, 0, 3]
    for crop, tokens in enumerate(crops):
        engine.put(dale.to_share + crop, tokens)
    engine.push(dale.share, 1, 0b011)
    seen = row(game, 1)
    assert max(map(abs, seen)) <= EXACT
    at = Observer(game.rules).fields + 1 + 3 * len(crops)  # behind `piece_placed` and the harvests
    assert seen[at : at + len(crops)] == crops


def test_what_modules_keep_of_a_farmed_city_is_no_part_of_a_row() -> None:
    """It is scratch with packed strengths: eight players made it larger than any space."""
    rules = Rules.of("classic", players=8, more_players="on", farmers="per_city")
    game, rng = Game(rules, seed=3), Rng(3)
    while not game.over:
        game.play(game.legal[rng.below(len(game.legal))])
    assert max(map(abs, row(game, 0))) <= EXACT
