"""`bastide par`: how many points a good bot scores alone with a deck."""

from __future__ import annotations

import json

import click

from bastide.bots.par import BOT, par
from bastide.cli.choice import chooses_rules, rules_of


@click.command()
@click.option("--seed", type=int, required=True, help="The tiles, as `bastide play --seats human --seed` draws them.")
@click.option("--json", "as_json", is_flag=True, help="For a program to read.")
@chooses_rules
def command(seed: int, as_json: bool, edition: str, modules: str, preset: str, settings: tuple[str, ...]) -> None:
    """Say how many points a good player scores alone with the tiles of a seed."""
    points = par(rules_of(edition, modules, preset, settings, 1), seed)
    if as_json:
        click.echo(json.dumps({"seed": seed, "par": points, "bot": BOT}))
        return
    click.echo(f"Par of seed {seed}: {points} points, made by {BOT}.")
