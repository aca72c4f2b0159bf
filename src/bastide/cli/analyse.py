"""`bastide analyse`: a game move by move, with what each move gave away."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bastide.analysis import as_json, as_svg, as_text, review, totals
from bastide.arena.decisions import records_in
from bastide.errors import BastideError, OptionError
from bastide.notation.record import load_record


@click.command()
@click.argument("games", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--judge", default="outlook", show_default=True, help="What counts: outlook, score, search, search:20000."
)
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Also draw the course of the game here.")
@click.option("--json", "json_wanted", is_flag=True, help="For a program to read.")
def command(games: tuple[Path, ...], judge: str, svg: Path | None, json_wanted: bool) -> None:
    """Judge every move of a record: its loss against the best one found, turning points, what fields brought.

    `search` tries every turn again and again with tiles that may come (10,000 positions, or as many as you say) and
    tells how sure it is: a loss of 2.0 ± 0.5 lies between 1.5 and 2.5 with 95 %. `outlook` judges at a glance by the
    points to be expected at the end, `score` by the points if the game ended with the turn.
    Several records, or a folder of them (also of an arena), get a line for each game and one for each player.
    """
    files = records_in(games)
    if len(files) != 1:
        many(files, judge, svg, json_wanted)
        return
    found = review(load_record(files[0]), judge)
    if svg:
        svg.write_text(as_svg(found) + "\n", encoding="utf-8")
    click.echo(json.dumps(as_json(found), indent=1, ensure_ascii=False) if json_wanted else "\n".join(as_text(found)))


def many(files: list[Path], judge: str, svg: Path | None, json_wanted: bool) -> None:
    """A line for each game as soon as it is judged, then one for each player."""
    if not files:
        raise BastideError("expected records, found none")
    if svg:
        raise OptionError(f"--svg: expected one game to draw, got {len(files)}")
    reviews = []
    for file in files:
        found = review(load_record(file), judge)
        reviews.append(found)
        if json_wanted:
            click.echo(json.dumps({"game": file.stem, **as_json(found)}, ensure_ascii=False))
        else:
            seats = range(len(found.names))
            lines = [f"{found.names[seat]} {found.scores[seat]} (gave away {found.loss(seat):.1f})" for seat in seats]
            click.echo(f"{file.stem}: {', '.join(lines)}")
    if not json_wanted:
        click.echo("\n".join(["", *totals(reviews)]))
