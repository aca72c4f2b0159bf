"""Hooks that no box of ours needs: what they promise to modules of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import pytest

from bastide.art import board_svg
from bastide.game import Action, Game, Rng, Scored
from bastide.game.events import Counted
from bastide.notation.ascii import draw_board
from bastide.notation.position import position_lines
from bastide.rules import Layout, Module, Position, Rules, Spec
from bastide.rules.module import Token

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


# --- turn_started
class Wages(Module):
    """A point for whoever begins a turn, and a question that is asked before the tile is drawn."""

    asks = False

    def declare(self, layout: Layout) -> None:
        self.part = layout.part("wages", "HOOK-1")
        self.source = layout.source("wages")
        self.frame = layout.frame(self, "greet")

    def turn_started(self, pos: Position, player: int) -> None:
        pos.begin_score()
        pos.part(self.part, 1, 1)
        pos.gain(player, 0, self.source)
        if self.asks:
            pos.push(self.frame, player, 0)

    def legal(self, pos: Position, frame: int) -> int:
        pos.actions[0] = 0
        return 1

    def apply(self, pos: Position, frame: int, action: int) -> None:
        pos.pop()

    def action_of(self, pos: Position, frame: int, number: int) -> Action:
        return Action("choose", choice="hello")


class Greetings(Wages):
    asks = True


@pytest.mark.parametrize("make", [Wages, Greetings])
def test_every_turn_but_the_first_is_told_once(make: Callable[[], Module]) -> None:
    rules = Rules.of(modules=["river", *BOXES, spec_of(make.__name__.lower(), make)], players=3)
    wages, turns = 0, 0
    for seed in range(1, 4):
        rng = Rng(seed)
        game = Game(rules, seed=seed)
        turn = game.turn
        while not game.over:
            events = game.play(game.legal[rng.below(len(game.legal))])
            paid = [event.seat for event in events if isinstance(event, Scored) and event.kind == "wages"]
            wages += len(paid)
            if game.turn != turn and not game.over:
                turn = game.turn
                turns += 1
                assert paid == [turn]
            else:
                assert paid == []
    assert wages == turns > 0


def test_after_a_discard_the_turn_does_not_begin_again() -> None:
    game = Game(Rules.of(modules=[spec_of("wages", Wages)]), scripted=True, start=[("B", (0, 0), 0)])
    for action in ("draw C", "discard C", "draw B", "place B 1,0 0"):
        game.play(action)
        assert game.scores == (0, 0)
    game.play("pass")
    assert game.scores == (0, 0)  # scripted: whether there is another turn only the next draw tells
    ended = game.copy()
    ended.finish()
    assert ended.scores == (0, 0)
    assert any(line == "field turn_due 1" for line in position_lines(game.engine, game.names))
    game.play("draw C")
    assert game.scores == (0, 1)
    game.play("discard C")
    assert game.scores == (0, 1)


def test_the_turn_of_whoever_has_a_tile_is_told() -> None:
    """At the end hands differ in size: then the turn is that of the next player who holds a tile."""
    rules = Rules.of(modules=["river", spec_of("wages", Wages)], players=3, hand=3)
    for seed in range(1, 6):
        rng = Rng(seed)
        game = Game(rules, seed=seed)
        turn = game.turn
        while not game.over:
            events = game.play(game.legal[rng.below(len(game.legal))])
            paid = [event.seat for event in events if isinstance(event, Scored) and event.kind == "wages"]
            assert paid == ([game.turn] if game.turn != turn and not game.over else [])
            turn = game.turn


# --- scored_at_end
class Comfort(Module):
    """At the end a point for everybody who did not win a region in which he stands."""

    def declare(self, layout: Layout) -> None:
        self.part = layout.part("comfort", "HOOK-2")
        self.source = layout.source("comfort")

    def scored_at_end(self, pos: Position, root: int, kind: int, winners: int) -> None:
        for player in range(pos.players):
            if pos.strength(root, player) and not winners >> player & 1:
                pos.begin_score()
                pos.part(self.part, 1, 1)
                pos.gain(player, 0, self.source)


def test_every_region_that_is_scored_at_the_end_is_told_with_its_winners() -> None:
    rules = Rules.of(modules=[spec_of("comfort", Comfort)])
    told = 0
    for seed in range(1, 21):
        rng = Rng(seed)
        game = Game(rules, seed=seed)
        comforted = [0, 0]
        while not game.over:
            for event in game.play(game.legal[rng.below(len(game.legal))]):
                if isinstance(event, Scored) and event.kind == "comfort":
                    comforted[event.seat] += 1
        told += sum(comforted)
        beaten = [0, 0]
        for region in game.regions:
            for seat, weight in region.weights.items():
                beaten[seat] += 0 < weight < max(region.weights.values())
        assert comforted == beaten
    assert told > 0


# --- neutral figures on cells
class Stray(Module):
    """A wolf that goes to every tile that is laid, and an inn that stays where it began."""

    def declare(self, layout: Layout) -> None:
        self.wolf = layout.field(1, "wolf", holds="square")

    def game_started(self, pos: Position) -> None:
        pos.put(self.wolf, pos.first_block())

    def placed(self, pos: Position, block: int) -> None:
        pos.put(self.wolf, block)

    def tokens_on_table(self, pos: Position) -> list[Token]:
        cells = {"wolf": pos.coordinates_of(pos.s[self.wolf]), "inn": pos.coordinates_of(pos.first_block())}
        return [Token(-1, name, f"{x},{y}", 1) for name, (x, y) in cells.items()]


def test_a_figure_of_nobody_stands_on_a_tile_and_is_drawn_there() -> None:
    game = Game(Rules.of(modules=[spec_of("stray", Stray)]), draws="by hand")
    assert [(token.name, token.where) for token in game.tokens] == [("wolf", "0,0"), ("inn", "0,0")]
    both = svg_of(game)
    assert 'href="#day-k-wolf" transform="translate(30 30)' in both
    assert 'href="#day-k-inn" transform="translate(52 52)' in both  # beside the other
    game.play("draw E")
    events = game.play("place E 0,-1 180")
    assert Counted(-1, "wolf", "0,-1", 1) in events
    assert 'href="#day-k-wolf" transform="translate(30-70)' in svg_of(game)
    drawn = [line[5:] for line in draw_board(game).splitlines()]
    assert (drawn[2][1], drawn[7][1]) == ("W", "I")
    game.undo()
    assert [(token.name, token.where) for token in game.tokens] == [("wolf", "0,0"), ("inn", "0,0")]


def svg_of(game: Game) -> str:
    return board_svg(game.board)
