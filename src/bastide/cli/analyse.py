"""`bastide analyse`: a game move by move, with what each move gave away."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bastide.analysis import as_json, as_svg, as_text, review
from bastide.analysis.judges import JUDGES
from bastide.notation.record import load_record


@click.command()
@click.argument("game", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--judge", type=click.Choice(list(JUDGES)), default="outlook", show_default=True, help="What counts.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Also draw the course of the game here.")
@click.option("--json", "json_wanted", is_flag=True, help="For a program to read.")
def command(game: Path, judge: str, svg: Path | None, json_wanted: bool) -> None:
    """Judge every move of a record: its loss against the best one found, turning points, what fields brought.

    `outlook` judges by the points to be expected at the end, `score` by the points if the game ended with the turn.
    """
    found = review(load_record(game), judge)
    if svg:
        svg.write_text(as_svg(found) + "\n", encoding="utf-8")
    click.echo(json.dumps(as_json(found), indent=1, ensure_ascii=False) if json_wanted else "\n".join(as_text(found)))
