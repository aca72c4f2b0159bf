"""Games as data: a row for each decision of a record, for learners and statistics."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bastide.analysis.judges import Judge, judge
from bastide.errors import BastideError
from bastide.game import CHANCE, Game, Rng
from bastide.game.candidates import ROOM, Candidates
from bastide.notation.record import Record, load_record
from bastide.notation.replay import new_game, replay

Decision = dict[str, Any]
AT_ONCE = 5000  # rows that are written together


def decisions(record: Record, name: str = "", judged_by: str = "", candidates: bool = False) -> Iterator[Decision]:
    """Every decision of a finished game, in order; none of a game that was not finished.

    `judged_by` is the name of a judge of `bastide.analysis`, for the columns `best` and `loss`. With `candidates` each
    row has the features of all legal actions, not only of the one that was chosen.
    """
    played = replay(record)
    outcome = played.outcome
    if outcome is None:
        return
    game = new_game(record)
    judging = judge(judged_by, game.rules) if judged_by else None
    writer = Candidates(game.rules, 1)
    rng = Rng(1)
    for n, (seat, action) in enumerate(played.history, 1):
        if game.seat != CHANCE:
            legal = [str(one) for one in game.legal]
            rows = features(game, seat, writer, rng)
            chosen = legal.index(str(action))
            yield {
                "game": name,
                "n": n,
                "seat": seat,
                "player": game.names[seat],
                "verb": action.verb,
                "action": str(action),
                "legal": len(legal),
                "chosen": chosen,
                "lead": margin(game.scores, seat),
                "tiles_left": game.tiles_left,
                **losses(game, seat, legal, chosen, judging, rng),
                "final_margin": margin(played.scores, seat),
                "won": (seat in outcome.winners) / len(outcome.winners),
                "features": rows[chosen] if chosen < len(rows) else [],
                **({"candidates": rows} if candidates else {}),
            }
        game.play(action)


def features(game: Game, seat: int, writer: Candidates, rng: Rng) -> list[list[int]]:
    """The rows of docs/environments.md ("Candidates"), one for each legal action, at most 128."""
    engine = game.view(seat).imagine(rng).engine
    count = int(engine.legal())
    writer.write(0, engine, seat, count)
    return [list(map(int, writer.row(i))) for i in range(min(count, ROOM))]


def losses(game: Game, seat: int, legal: list[str], chosen: int, judging: Judge | None, rng: Rng) -> Decision:
    """What the judge says of a decision: the best action, and the points given away."""
    if judging is None:
        return {}
    values = judging.values(game.view(seat).imagine(rng).engine, seat)
    best = max(range(len(values)), key=values.__getitem__)
    best = chosen if values[chosen] == values[best] else best
    return {"best": legal[best], "loss": round(values[best] - values[chosen], 4)}


def margin(scores: Sequence[int], seat: int) -> float:
    """A seat's points less the mean of the others'; alone, the points themselves."""
    others = len(scores) - 1
    return scores[seat] - (sum(scores) - scores[seat]) / others if others else float(scores[seat])


def records_in(paths: Iterable[Path]) -> list[Path]:
    """The files among these, and those of the folders: `*.txt`, also in `games/` of an arena."""
    found: list[Path] = []
    for path in paths:
        games = path / "games" if (path / "games").is_dir() else path
        found += sorted(games.glob("*.txt")) if path.is_dir() else [path]
    return found


def export(files: Sequence[Path], out: Path, judged_by: str = "", candidates: bool = False) -> tuple[int, int]:
    """Writes the decisions of all records to `out`, by its ending `.csv`, `.jsonl` or `.parquet`.

    Returns how many games and decisions were written; games that were not finished are left out.
    """
    if out.suffix not in WRITERS:
        raise BastideError(f"{out}: expected a name that ends with {', '.join(WRITERS)}")
    counted = [0, 0]

    def rows() -> Iterator[Decision]:
        for file in files:
            before = counted[1]
            for decision in decisions(load_record(file), file.stem, judged_by, candidates):
                counted[1] += 1
                yield decision
            counted[0] += counted[1] > before

    WRITERS[out.suffix](out, rows())
    return counted[0], counted[1]


def write_csv(out: Path, rows: Iterator[Decision]) -> None:
    """Lists are JSON in a cell."""
    with out.open("w", newline="", encoding="utf-8") as file:
        writer = None
        for row in rows:
            if writer is None:
                writer = csv.DictWriter(file, list(row))
                writer.writeheader()
            writer.writerow({k: json.dumps(v) if isinstance(v, list) else v for k, v in row.items()})


def write_jsonl(out: Path, rows: Iterator[Decision]) -> None:
    """One object a line."""
    with out.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def write_parquet(out: Path, rows: Iterator[Decision]) -> None:
    """Columns; needs pyarrow."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError as missing:
        raise BastideError("Parquet needs pyarrow: pip install 'bastide[arena]'") from missing
    writer = None
    batch: list[Decision] = []
    numbers = pyarrow.list_(pyarrow.int16())

    def flush() -> None:
        nonlocal writer
        table = pyarrow.Table.from_pylist(batch)
        for name, kind in (("features", numbers), ("candidates", pyarrow.list_(numbers))):
            if name in table.column_names:
                table = table.set_column(table.column_names.index(name), name, table[name].cast(kind))
        if writer is None:
            writer = parquet.ParquetWriter(out, table.schema, compression="zstd")
        writer.write_table(table)
        batch.clear()

    for row in rows:
        batch.append(row)
        if len(batch) == AT_ONCE:
            flush()
    if batch:
        flush()
    if writer is None:
        raise BastideError(f"{out}: expected a finished game, found none")
    writer.close()


WRITERS = {".csv": write_csv, ".jsonl": write_jsonl, ".parquet": write_parquet}
