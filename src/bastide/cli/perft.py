"""`bastide perft`: counts the ways in which given tiles can be played."""

from __future__ import annotations

import json

import click
from librt.vecs import vec

from bastide.cli.choice import chooses_rules, rules_of
from bastide.errors import OptionError
from bastide.game import Engine
from bastide.game.actions import action_of
from bastide.game.perft import leaves
from bastide.native import i64
from bastide.rules import Rules


@click.command()
@click.argument("tiles", nargs=-1, required=True)
@click.option("--players", default=2, show_default=True)
@click.option("--divide", is_flag=True, help="Also show the count for each first placement.")
@click.option("--json", "as_json", is_flag=True, help="For a program to read.")
@chooses_rules
def command(
    tiles: tuple[str, ...],
    players: int,
    divide: bool,
    as_json: bool,
    edition: str,
    modules: str,
    preset: str,
    settings: tuple[str, ...],
) -> None:
    """Count the positions after TILES were drawn in this order and played in every legal way."""
    rules = rules_of(edition, modules, preset, settings, players, scripted=True)
    found = divided(rules, tiles)
    total = sum(found.values())
    if as_json:
        click.echo(json.dumps({"tiles": tiles, "leaves": total, "first": found}))
        return
    if divide:
        for action, count in found.items():
            click.echo(f"{count:>12,}  {action}")
    click.echo(f"{total:>12,}  in all")


def divided(rules: Rules, tiles: tuple[str, ...]) -> dict[str, int]:
    """The count for each way to answer the first question after the first draw."""
    numbers = [rules.type_named(name) for name in tiles]
    if -1 in numbers:
        raise OptionError(f"expected tiles in play, got {tiles[numbers.index(-1)]!r}")
    game = Engine(rules, rules.shape.empty[:])
    game.reset()
    game.apply(numbers[0])
    mark = game.trail_len
    draws = vec[i64](numbers)
    found: dict[str, int] = {}
    for number in list(game.actions[: game.legal()]):
        text = str(action_of(game, number))
        game.apply(number)
        found[text] = leaves(game, draws, 1)
        game.undo(mark)
    return found
