"""`bastide import`: turns a saved game of JCloisterZone into a record."""

from __future__ import annotations

from pathlib import Path

import click

from bastide.errors import BastideError
from bastide.notation.jcz import Imported, import_jcz
from bastide.notation.record import Check
from bastide.notation.replay import Replay


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the record to this file.")
@click.option("--check", is_flag=True, help="Check what the saved game asserts; fail if something does not hold.")
def command(file: Path, out: Path | None, check: bool) -> None:
    """Turn a saved game of JCloisterZone (.jcz) into a record."""
    try:
        imported = import_jcz(file.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise BastideError(f"{file.name}: expected text in UTF-8, found other bytes") from error
    except BastideError as error:
        raise BastideError(f"{file.name}: {error}") from error
    if out is not None:
        out.write_text(str(imported.record), encoding="utf-8")
    elif not check:
        click.echo(str(imported.record), nl=False)
    if check and show_checks(imported):
        raise SystemExit(1)


def show_checks(imported: Imported) -> int:
    """The assertions one by one and their count; returns how many failed."""
    results = [(step, step.failure) for step in Replay(imported.record) if isinstance(step.line, Check)]
    for step, failure in results:
        click.secho(f"{step}: {failure or 'holds'}", fg="red" if failure else "green")
    for sentence in imported.skipped:
        click.secho(f"skipped: {sentence}", fg="yellow")
    failed = sum(bool(failure) for _, failure in results)
    click.echo(f"{len(results) - failed} passed, {failed} failed, {len(imported.skipped)} skipped")
    return failed
