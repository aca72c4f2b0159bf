"""`bastide export`: games as data, a row for each decision."""

from __future__ import annotations

from pathlib import Path

import click

from bastide.analysis.judges import JUDGES
from bastide.arena.decisions import export, records_in


@click.command()
@click.argument("records", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "-o", "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help=".parquet, .csv, .jsonl"
)
@click.option("--judge", type=click.Choice([*JUDGES, "none"]), default="outlook", show_default=True, help="Of losses.")
@click.option("--candidates", is_flag=True, help="With the features of all legal actions, not only of the chosen one.")
def command(records: tuple[Path, ...], out: Path, judge: str, candidates: bool) -> None:
    """Write a row for each decision of records: features, number of legal actions, the chosen one, its loss, the end.

    RECORDS are files, folders of files, or the folder of an arena. Games that were not finished are left out.
    """
    games, rows = export(records_in(records), out, "" if judge == "none" else judge, candidates)
    click.echo(f"{out}: {rows} decisions of {games} games")
