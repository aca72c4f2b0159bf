"""`bastide perft`: counts the ways in which given tiles can be played."""

from __future__ import annotations

import json

import click

from bastide.cli.choice import chooses_rules, rules_of
from bastide.game.perft import divided


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
