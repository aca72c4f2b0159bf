"""What an attentive player could work out: the server counts it for everybody."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from bastide.game import Game, Rng, View
from bastide.game.board import node_at, region_of
from bastide.geometry import opposite, step
from bastide.rules import Rules
from bastide.rules.looks import edge
from bastide.server.tables.prospects import prospect_of
from bastide.server.tables.setup import Setup
from bastide.server.tables.show import aids_for, state_of
from bastide.server.tables.table import Table
from bastide.tiles.model import Tile
from tests.server.sample import a_table, played


def shown(table: Table, seat: int = 0) -> dict[str, Any]:
    game: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(state_of(table, [seat], 0)))["game"]
    return game


def aids(table: Table, seat: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(aids_for(table, [seat])))
    return found


def fits(game: Game, tile: Tile, cell: tuple[int, int]) -> bool:
    """Do the sides of a tile match those around a cell in some turn? Worked out from what is printed."""
    beside = [(side, game.board[step(cell, side)]) for side in range(4) if step(cell, side) in game.board]
    return any(
        all(
            edge(tile, (side - turn) % 4) == edge(laid.tile, (opposite(side) - laid.rotation) % 4)
            for side, laid in beside
        )
        for turn in range(4)
    )


def test_every_open_cell_says_how_many_unseen_tiles_fit() -> None:
    for number, table in enumerate(played(a_table(), seed=5)):
        if number % 20 or table.outcome is not None:
            continue
        game, found = table.playing, aids(table)
        tiles = {tile.id: tile for tile in game.rules.tiles}
        assert sum(found["unseen"].values()) == game.tiles_left
        for cell in found["cells"]:
            where = tuple(cell["cell"])
            assert where not in game.board
            assert cell["fits"] == sum(n for name, n in found["unseen"].items() if fits(game, tiles[name], where))
            in_hand = game.tile is not None and fits(game, tiles[game.tile], where)
            assert cell["dead"] == (cell["fits"] == 0 and not in_hand)


def test_pieces_beside_a_dead_cell_are_trapped() -> None:
    found = 0
    for table in played(a_table(), seed=5):
        seen = aids(table)
        dead = {tuple(cell["cell"]) for cell in seen["cells"] if cell["dead"]}
        for figure in seen["trapped"]:
            region = table.playing.region(tuple(figure["cell"]), figure["spot"])
            around = {step(cell, direction) for cell, _ in region.spots for direction in range(8)}
            assert not region.complete
            assert region.kind != "field"
            assert around & dead
            found += 1
    assert found


def choices(table: Table) -> dict[str, dict[str, Any]]:
    return {choice["text"]: choice for choice in shown(table)["question"]["actions"]}


def test_an_action_says_what_it_brings() -> None:
    table = a_table(draws=["E", "E", "E"])
    closing = choices(table)["place E 0,-1 180"]
    assert not {"gain", "worth"} & closing.keys()  # nobody stands there yet
    table.play("place E 0,-1 180", 0)
    knight = choices(table)["deploy follower 0,-1 city S"]
    assert (knight["gain"], knight["worth"]) == ([4, 0], [4, 0])
    assert "gain" not in choices(table)["pass"]
    farmer = choices(table)["deploy follower 0,-1 field NL"]
    assert "gain" not in farmer
    assert farmer["worth"] == [3, 0]  # one complete city beside his field
    table.play("deploy follower 0,-1 city S", 0)
    assert table.playing.scores == (4, 0)


def test_looking_at_what_actions_bring_changes_nothing() -> None:
    table = a_table(options={"hand": 3})
    before = list(table.playing.engine.s)
    shown(table)
    assert list(table.playing.engine.s) == before
    assert [str(action) for action in table.playing.legal] == list(choices(table))


def test_a_table_keeps_its_rules_whatever_others_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were looked up in a cache of all tables at every state; other choices of rules could push them out of it."""
    table = a_table()
    first = state_of(table, [0], 0)

    def made_again(self: Setup) -> Rules:
        raise AssertionError("the rules were made again")

    monkeypatch.setattr(Setup, "rules", made_again)
    proposed = table.copy()
    proposed.play(str(proposed.playing.legal[0]), 1000)
    state = state_of(proposed, [0], 1000)
    assert (state.rules, state.drawings) == (first.rules, first.drawings)


def test_the_projection_is_what_the_end_would_bring() -> None:
    for number, table in enumerate(played(a_table(), seed=5)):
        if number % 20:
            continue
        ended = table.playing
        if not ended.over:
            ended = Game.from_record(ended.record().replace("\n\n", "\ndraws scripted\n\n", 1))
            ended.finish()
        assert shown(table)["projected"] == list(ended.scores)


def test_what_others_hide_is_not_projected() -> None:
    for number, table in enumerate(played(a_table(modules=["over_hill_and_dale"]), seed=1)):
        if number == 60:
            own, other = shown(table, seat=0)["projected"]
            assert own is not None
            assert other is None
            break


def test_the_tiles_that_close_a_region_close_it() -> None:
    """Every region with one gap: lay each unseen tile there, as the engine does, and look whether it is finished."""
    seen = 0
    for number, table in enumerate(played(a_table(), seed=5)):
        if number % 30 or table.playing.over or table.playing.tile is None:
            continue
        view = View(table.playing, 0)
        engine = view.imagine(Rng(1)).engine
        for region in view.regions:
            told = prospect_of(engine, view.unseen, *region.spots[0])
            if told.gaps != 1 or region.kind == "cloister":
                continue
            seen += 1
            closing = 0
            for name, count in view.unseen.items():
                tile_type = engine.rules.type_named(name)
                for place in engine.fitting_places(tile_type):
                    mark = engine.trail_len
                    engine.lay(tile_type, place >> 2, place & 3, 0)
                    node = node_at(engine, *region.spots[0])
                    assert node is not None
                    closed = region_of(engine, node).complete
                    engine.undo(mark)
                    if closed:
                        closing += count
                        break
            assert told.closers == closing, region
    assert seen > 20
