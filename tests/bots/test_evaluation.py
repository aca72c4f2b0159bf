"""What the evaluation sees in a position, shown on small boards."""

from __future__ import annotations

import pytest
from librt.vecs import vec

from bastide import Game, Rules
from bastide.bots.evaluation import Evaluation
from bastide.bots.weights import Weights
from bastide.game.benchmark import midgame
from bastide.game.board import node_at
from bastide.kernel.offsets import REMAINING, SUPPLY
from bastide.modules.hunters_and_gatherers.rules import BONUS_TURN
from bastide.native import compiled
from bastide.rules.registry import specs
from tests.bots.boards import gold_in_a_forest


def played(*actions: str) -> Game:
    """A scripted game for two."""
    game = Game(Rules.of(), scripted=True)
    for action in actions:
        game.play(action)
    return game


def one_city(spot: str = "city S") -> Game:
    """Red stands in a city (or field) of one tile below the start tile; one tile can close the city."""
    return played("draw E", "place E 0,1 180", f"deploy follower 0,1 {spot}")


def only_roads_left(game: Game) -> Game:
    """All tiles with a city have been seen."""
    for number, tile in enumerate(game.rules.tiles):
        if any(segment.kind == "city" for segment in tile.segments):
            game.engine.put(game.engine.bag + number, 0)
    return game


def expected(game: Game) -> list[float]:
    """The points that both can expect."""
    evaluation = Evaluation(game.rules)
    evaluation.judge(game.engine)
    return list(evaluation.worth)


def likely(game: Game, spot: str) -> float:
    """How likely the region at this spot of the tile on 0,1 is to be completed."""
    evaluation = Evaluation(game.rules)
    evaluation.judge(game.engine)
    node = node_at(game.engine, (0, 1), spot)
    assert node is not None
    root = game.engine.find(node)
    evaluation.chance(game.engine, root)
    return float(evaluation.likely[root])


def test_who_begins_is_a_little_ahead_at_the_beginning() -> None:
    red, blue = expected(played())
    assert 0.7 < red - blue < 3.7, "planners who begin win by 3.05 (4,200 games, ± 0.33)"


def test_a_city_with_one_open_cell_is_likelier_to_be_completed_than_one_with_two() -> None:
    two = played("draw N", "place N 0,1 180", "deploy follower 0,1 city E")
    assert 0 < likely(two, "city E") < likely(one_city(), "city S") < 1


def test_a_hole_that_no_tile_fits_is_never_filled() -> None:
    assert likely(only_roads_left(one_city()), "city S") == 0


def test_a_trapped_follower_is_worth_less() -> None:
    free, trapped = expected(one_city()), expected(only_roads_left(one_city()))
    assert trapped[0] < free[0]
    assert trapped[0] - free[0] < trapped[1] - free[1], "blue has nobody there"


def test_a_farmer_lives_on_the_cities_that_will_be_complete() -> None:
    assert expected(only_roads_left(one_city("field NL")))[0] < expected(one_city("field NL"))[0]


def test_the_fewer_followers_in_hand_the_dearer_is_one_more() -> None:
    game = played()
    evaluation = Evaluation(game.rules)
    values = []
    for followers in (6, 3, 0):
        game.engine.put(SUPPLY, followers)
        evaluation.judge(game.engine)
        values.append(float(evaluation.one_more[0]))
    assert values == sorted(values)
    assert values[0] < values[2]


def test_who_has_no_follower_in_hand_lacks_more_than_the_last_one() -> None:
    game = played()
    evaluation = Evaluation(game.rules)
    worths = []
    for followers in (0, 1):
        game.engine.put(SUPPLY, followers)
        evaluation.judge(game.engine)
        worths.append(float(evaluation.worth[0]))
    assert worths[1] - worths[0] > evaluation.weights.hand, "the price of the last follower alone"


def filled(free_side: float) -> float:
    """How much of what is open around a monk below the start tile will be filled."""
    game = played("draw B", "place B 0,1 0", "deploy follower 0,1 cloister")
    weights = Weights()
    weights.free_side = free_side
    evaluation = Evaluation(game.rules, weights)
    evaluation.judge(game.engine)
    node = node_at(game.engine, (0, 1), "cloister")
    assert node is not None
    return float(evaluation.filled[game.engine.find(node)])


def test_a_cell_with_many_free_sides_may_not_take_the_tile_that_fits_now() -> None:
    assert 0 < filled(Weights().free_side) < filled(1.0)


def test_a_city_that_most_tiles_open_further_will_be_larger() -> None:
    small = Weights()
    small.larger = 0.0
    game = one_city()
    evaluation = Evaluation(game.rules, small)
    evaluation.judge(game.engine)
    assert expected(game)[0] > float(evaluation.worth[0])


def test_gold_in_a_forest_promises_a_bonus_tile_as_long_as_there_are_any() -> None:
    game = gold_in_a_forest()
    promising = expected(game)[0]
    game.engine.put(REMAINING + game.rules.tables.main_piles, 0)  # the pile of bonus tiles
    assert expected(game)[0] < promising


def test_who_is_about_to_draw_a_bonus_tile_has_something_coming() -> None:
    game = gold_in_a_forest(
        *("draw hg014", "place hg014 0,1 0", "pass", "draw hg002", "place hg002 -2,0 0", "pass"),
        *("draw hg045", "place hg045 0,0 0", "pass"),
    )
    (hunters,) = game.rules.modules
    assert [hunters.value(game.engine, seat) for seat in (0, 1)] == [0, BONUS_TURN]
    game.play("draw hg088")
    assert [hunters.value(game.engine, seat) for seat in (0, 1)] == [0, 0]


def test_a_point_of_ones_own_is_aimed_at_rather_than_one_less_for_the_other() -> None:
    evaluation = Evaluation(Rules.of())
    more, less = vec[float]([11.0, 10.0]), vec[float]([10.0, 9.0])
    assert evaluation.ahead(more, 0) == evaluation.ahead(less, 0)
    assert evaluation.aim(more, 0) > evaluation.aim(less, 0)


def test_when_the_game_is_over_the_points_are_the_points() -> None:
    game = played("draw E", "place E 0,-1 180", "deploy follower 0,-1 city S")
    game.finish()
    assert expected(game) == [4.0, 0.0]


@pytest.mark.parametrize("module", specs())
def test_judging_changes_nothing(module: str) -> None:
    rules = Rules.of(modules=() if module == "base" else (module,))
    evaluation = Evaluation(rules)
    for number in range(10 if compiled() else 2):
        game = midgame(rules, 7919 * number + 1, 30 + 12 * number)
        before = game.key()
        evaluation.judge(game)
        first = list(evaluation.worth)
        assert game.key() == before
        evaluation.judge(game)
        assert list(evaluation.worth) == first


def test_ties_are_broken_by_the_figures_of_the_region_itself() -> None:
    """Hills break ties: which region was looked at before must not matter."""
    rules = Rules.of(modules=["hills_and_sheep"])
    evaluation = Evaluation(rules)
    game = midgame(rules, 498898, 123)  # with a tie
    worths = set()
    for number in range(int(game.list_occupied())):
        game.count_tiles(game.occupied_regions[number])
        evaluation.judge(game)
        worths.add(tuple(evaluation.worth))
        game.list_occupied()
    assert len(worths) == 1


def test_two_evaluations_agree_whatever_they_judged_before() -> None:
    rules = Rules.of()
    used, fresh = Evaluation(rules), Evaluation(rules)
    for steps in (20, 60, 100):
        used.judge(midgame(rules, 3, steps))
    game = midgame(rules, 5, 120)
    used.judge(game)
    fresh.judge(game.clone())
    assert list(used.worth) == list(fresh.worth)
