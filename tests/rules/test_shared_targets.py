"""What modules share: orders of single hooks, pieces on other tiles, clearing a tile."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from bastide.game import Game, Rng
from bastide.rules import Layout, Module, Position, Rules, Spec
from bastide.rules.elsewhere import Elsewhere


def spec_of(name: str, make: Callable[[], Module], order: int = 90, **orders: int) -> Spec:
    def made(options: Mapping[str, object]) -> list[Module]:
        return [make()]

    return Spec(name=name, make=made, order=order, prefix="HOOK", orders=orders)


# --- orders
class Talker(Module):
    """Says its name whenever it is told something."""

    said: list[str] = []  # noqa: RUF012 - of all talkers together
    name = "first"

    def placed(self, pos: Position, block: int) -> None:
        Talker.said.append(f"{self.name} placed")

    def tile_done(self, pos: Position, player: int) -> None:
        Talker.said.append(f"{self.name} done")


class Second(Talker):
    name = "second"


def test_a_module_may_come_earlier_or_later_in_a_single_hook() -> None:
    rules = Rules.of(modules=[spec_of("first", Talker, 80), spec_of("second", Second, 81, tile_done=10)])
    game = Game(rules, draws="by hand")
    game.play("draw E")
    Talker.said.clear()
    game.play("place E 0,-1 180")
    game.play("pass")
    assert Talker.said == ["first placed", "second placed", "second done", "first done"]


# --- elsewhere
class Gate(Module):
    """Followers may always stand anywhere."""

    def __init__(self) -> None:
        self.elsewhere: Elsewhere | None = None

    def declare(self, layout: Layout) -> None:
        self.elsewhere = layout.elsewhere()

    def targets(self, pos: Position, count: int) -> int:
        assert self.elsewhere is not None
        return self.elsewhere.offer_anywhere(pos, count)


def test_what_two_modules_offer_is_offered_once() -> None:
    one = Rules.of(modules=[spec_of("gate", Gate)])
    two = Rules.of(modules=[spec_of("gate", Gate), spec_of("door", Gate)])
    for rules in (one, two):
        game = Game(rules, draws="by hand")
        game.play("draw V")
        game.play("place V -1,0 270")
        offered = [str(action) for action in game.legal]
        assert len(offered) == len(set(offered)) == 1 + 3 + 4  # pass, road and two fields, and all of the start tile
        game.play("deploy follower 0,0 city N")
        assert [str(figure.piece) for figure in game.board.figures] == ["follower"]


# --- clear_tile, list_followers
class Flood(Module):
    """Every tile laid floods the tiles beside it: all pieces there go home."""

    def declare(self, layout: Layout) -> None:
        self.pieces = layout.pieces

    def placed(self, pos: Position, block: int) -> None:
        for side in range(4):
            beside = pos.tile_beside(block, side)
            if beside:
                pos.clear_tile(beside, (1 << len(self.pieces)) - 1)


@pytest.mark.parametrize("shepherds", [1, 2])
def test_all_pieces_of_a_tile_go_home_and_take_with_them_what_depends_on_them(shepherds: int) -> None:
    boxes = ["traders_and_builders", "hills_and_sheep", "inns_and_cathedrals", "abbot", "anniversary"]
    rules = Rules.of(modules=[*boxes, spec_of("flood", Flood)], players=3, shepherds=shepherds)
    flooded = 0
    for seed in range(1, 3):
        rng = Rng(seed)
        game = Game(rules, seed=seed)
        while not game.over:
            before = len(game.board.figures)
            game.play(game.legal[rng.below(len(game.legal))])
            flooded += len(game.board.figures) < before
            beside = [figure for figure in game.board.figures if figure.piece in ("builder", "pig")]
            for figure in beside:
                region = game.region(figure.cell, figure.spot)
                assert region.weights[figure.seat] > 0
            keepers = {figure.seat for figure in game.board.figures if figure.piece == "shepherd"}
            assert {token.seat for token in game.tokens if token.where == "shepherd" and token.number} <= keepers
            for seat in range(3):
                standing = sum(f.seat == seat and f.piece == "shepherd" for f in game.board.figures)
                assert game.supply(seat)["shepherd"] + standing == shepherds
    assert flooded > 40


def test_the_followers_of_a_region_are_listed_by_player() -> None:
    game = Game(Rules.of(modules=["inns_and_cathedrals"]), scripted=True, start=[("D", (0, 0), 0)])
    for action in ("draw E", "place E 0,-1 180", "deploy big_follower 0,-1 field NL"):
        game.play(action)
    engine = game.engine
    for i in range(engine.standing_count()):
        root = engine.find(engine.standing_node(i))
        assert engine.list_followers(root, 0, 0) == 1
        assert engine.rules.layout.pieces[engine.piece_of(engine.actions[0])].name == "big_follower"
        assert engine.list_followers(root, 1, 0) == 0
