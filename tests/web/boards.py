"""Positions to show and to measure: games that bots played, as records."""

from __future__ import annotations

from bastide.bots import bot
from bastide.game import Game
from bastide.notation.record import write_record
from bastide.notation.replay import record_of
from bastide.rules import Rules


def position(tiles: int, seed: int = 3, players: int = 2, preset: str = "", modules: tuple[str, ...] = ()) -> str:
    """The record of a game up to the moment when so many tiles lie and somebody must place one; -3: three are left."""
    rules = Rules.of(preset=preset, modules=modules, players=players)
    game = Game(rules, seed=seed)
    player = bot("greedy", seed=seed)
    while not game.over:
        enough = len(game.board) >= tiles if tiles > 0 else game.tiles_left <= -tiles
        if enough and game.tile is not None:
            break
        game.play(player.choose(game.view(game.seat)))
    return write_record(record_of(game))
