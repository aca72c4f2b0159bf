"""What lies on the table besides tiles and pieces on segments: goods, sheep, a pig on a wheel."""

from __future__ import annotations

from bastide.game import Game


def played(game: Game, *actions: str) -> Game:
    """The game after these actions."""
    for action in actions:
        game.play(action)
    return game


def test_a_game_of_the_first_box_has_none() -> None:
    assert Game().tokens == []


def test_goods_lie_in_front_of_their_owner() -> None:
    start = [("E", (0, 0), 1), ("TB-Q", (1, 0), 0)]
    game = Game(modules=["traders_and_builders"], scripted=True, start=start)
    played(game, "draw E", "place E 2,0 270", "pass")
    assert game.tokens == [(0, "wine", "", 1)]


def test_sheep_lie_beside_the_shepherd_until_a_wolf_comes() -> None:
    game = Game(modules=["hills_and_sheep"], scripted=True)
    played(game, "draw B", "place B 0,1 0", "deploy shepherd 0,1 field NL", "draw sheep_3")
    assert game.tokens == [(0, "sheep_3", "shepherd", 1)]
    played(game, "draw B", "place B 0,2 0", "pass", "draw B", "place B 0,3 0", "choose grow", "draw wolf")
    assert game.tokens == []


def test_a_follower_on_the_crown_stands_on_no_tile() -> None:
    game = Game(modules=["wheel_of_fortune"], scripted=True)
    assert game.tokens == [(-1, "pig", "fortune", 1)]
    played(game, "draw V.w1", "place V.w1 -1,3 180", "deploy follower crown storm")
    assert game.tokens == [(-1, "pig", "taxes", 1), (0, "follower", "crown storm", 1)]
    assert game.board.figures == []
    assert game.supply(0)["follower"] == 6
