"""Hooks that no box of ours needs: what they promise to modules of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from bastide.game import Action, Game, Rng
from bastide.rules import Layout, Module, Position, Rules, Spec

BOXES = ["traders_and_builders", "hills_and_sheep", "inns_and_cathedrals"]


def spec_of(name: str, make: Callable[[], Module]) -> Spec:
    def made(options: Mapping[str, object]) -> list[Module]:
        return [make()]

    return Spec(name=name, make=made, order=90, prefix="HOOK")


# --- may_stand
class Guarded(Module):
    """Nobody stands on the first segment of a tile."""

    def declare(self, layout: Layout) -> None:
        self.guarded = layout.reason("guarded", "the first segment of a tile is guarded")

    def may_stand(self, pos: Position, piece: int, node: int) -> int:
        return self.guarded if pos.segment_of(node) == 0 else 0


@cache
def guarded(*modules: str) -> Rules:
    return Rules.of(modules=[*modules, spec_of("guarded", Guarded)])


def deploys(game: Game) -> set[str]:
    return {action.piece or "" for action in game.legal if action.verb == "deploy"}


def test_no_piece_of_any_box_stands_where_a_module_forbids_the_segment() -> None:
    rng = Rng(5)
    game = Game(guarded(*BOXES), seed=5)
    offered: set[str] = set()
    while not game.over:
        for action in game.legal:
            if action.verb == "deploy" and action.cell is not None:
                block = game.engine.last_block()
                spots = [
                    str(game.engine.place_of(game.engine.node(block, i))) for i in range(game.engine.segments(block))
                ]
                assert f"{action.cell[0]},{action.cell[1]} {action.spot}" in spots[1:]
        offered |= deploys(game)
        game.play(game.legal[rng.below(len(game.legal))])
    assert {"follower", "big_follower", "builder", "pig", "shepherd"} <= offered


def test_the_refusal_of_a_segment_gives_the_reason_of_the_module() -> None:
    game = Game(guarded(), draws="by hand")
    game.play("draw E")
    game.play("place E 0,-1 180")
    spot = str(game.engine.place_of(game.engine.node(game.engine.last_block(), 0)))
    assert game.explain(f"deploy follower {spot}") == "the first segment of a tile is guarded"


def test_an_extra_piece_of_another_box_asks_the_segment_too() -> None:
    """A companion beside an own follower goes round the region's filters, but not round this one."""
    rng = Rng(3)
    game = Game(guarded("anniversary"), seed=3)
    seen = 0
    while not game.over:
        for action in game.legal:
            if action.verb == "deploy" and action.cell is not None:
                seen += 1
                assert action.spot != first_spot(game, action)
        game.play(game.legal[rng.below(len(game.legal))])
    assert seen > 50


def first_spot(game: Game, action: Action) -> str:
    """The spot of the first segment of the tile on the action's cell."""
    engine = game.engine
    block = engine.first_block()
    while engine.coordinates_of(block) != action.cell:
        block = engine.next_block(block)
    return engine.place_of(engine.node(block, 0)).spot
