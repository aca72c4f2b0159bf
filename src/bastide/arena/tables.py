"""Results as tables: one row for each seat of each game, as CSV always and as Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from bastide.arena.match import Result
from bastide.arena.schedule import labels

Row = dict[str, str | int | float]


def rows(entrants: Sequence[str], results: Sequence[Result]) -> list[Row]:
    """One row for each seat; every row has every source that anybody scored from."""
    names = labels(entrants)
    sources = sorted({source for result in results for seat in result.sources for source in seat})
    table: list[Row] = []
    for result in sorted(results, key=lambda r: r.id):
        for seat, entrant in enumerate(result.seats):
            row: Row = {
                "game": result.id,
                "pair": result.pair,
                "seed": result.seed,
                "seat": seat,
                "player": names[entrant],
                "score": result.scores[seat],
                "won": (seat in result.winners and 1 / len(result.winners)) or 0.0,
                "margin": result.margin(entrant),
                "decisions": result.decisions[seat],
                "seconds": result.seconds[seat],
                "farmers": result.farmers[seat],
                "idle_farmers": result.idle[seat],
                "fault": result.fault if result.faulty == seat else "",
            }
            row |= {f"points_{source.replace(' ', '_')}": result.sources[seat].get(source, 0) for source in sources}
            table.append(row)
    return table


def write_csv(path: Path, table: Sequence[Row]) -> None:
    """The table as text."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, table[0] if table else ["game"])
        writer.writeheader()
        writer.writerows(table)


def write_parquet(path: Path, table: Sequence[Row]) -> bool:
    """The table as Parquet; False if pyarrow is not installed."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError:
        return False
    parquet.write_table(pyarrow.Table.from_pylist(list(table)), path)
    return True
