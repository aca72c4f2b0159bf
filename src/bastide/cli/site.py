"""`bastide site`: the whole game as a folder of plain files."""

from __future__ import annotations

from pathlib import Path

import click

from bastide.cli.needs import needs


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def command(folder: Path) -> None:
    """Write the game into FOLDER: files that any web server shows, also below a path; no server of ours is needed.

    Whoever opens it plays in the browser, alone, at one screen, against bots; games stay in that browser. Try it with
    `python -m http.server --directory FOLDER`.
    """
    with needs("play"):
        from bastide.server.browser.site import write_site
    size = write_site(folder, say=lambda what: click.echo(f"  {what}", err=True))
    click.echo(f"{folder}: {size / 1e6:.1f} MB")
