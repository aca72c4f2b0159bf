"""`bastide export`: games as data, a row for each decision."""

from __future__ import annotations

from pathlib import Path

import click

from bastide.analysis.judges import JUDGES
from bastide.arena.decisions import export, records_in
from bastide.errors import OptionError


@click.command()
@click.argument("records", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help=".parquet, .csv, .jsonl")
@click.option("--minari", "dataset", metavar="ID", help="Instead, a data set of Minari: bastide/planner-v0")
@click.option("--judge", type=click.Choice([*JUDGES, "none"]), default="outlook", show_default=True, help="Of losses.")
@click.option("--candidates", is_flag=True, help="With the features of all legal actions, not only of the chosen one.")
def command(records: tuple[Path, ...], out: Path | None, dataset: str | None, judge: str, candidates: bool) -> None:
    """Write a row for each decision of records: features, number of legal actions, the chosen one, its loss, the end.

    RECORDS are files, folders of files, or the folder of an arena. Games that were not finished are left out.
    """
    files = records_in(records)
    if dataset and not out:
        from bastide.arena.minari import write_dataset

        games, rows = write_dataset(files, dataset)
    elif out and not dataset:
        games, rows = export(files, out, "" if judge == "none" else judge, candidates)
    else:
        raise OptionError("expected one of --out and --minari")
    click.echo(f"{out or dataset}: {rows} decisions of {games} games")
