"""`bastide loadtest`: many tables at a server on this machine, and how fast it answers."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.request import urlopen

import click

from bastide.cli.needs import needs
from bastide.errors import OptionError

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@click.command()
@click.option("--address", default="127.0.0.1:8421", show_default=True, help="HOST:PORT of a server on this machine.")
@click.option("--tables", default=300, show_default=True, type=click.IntRange(1, 2000), help="Of two sockets each.")
@click.option("--pace", default=2.0, show_default=True, type=click.FloatRange(0.01), help="Seconds between two moves.")
@click.option("--seconds", default=60.0, show_default=True, type=click.FloatRange(1, 3600), help="How long.")
@click.option("--games", default=0, type=click.IntRange(0), help="Stop earlier, when so many games are over.")
@click.option("--open", "opened", default=10, show_default=True, type=click.IntRange(1), help="Tables opened a second.")
@click.option("--watchers", default=0, type=click.IntRange(0, 2000), help="Sockets that watch the first table.")
@click.option("--deflate", is_flag=True, help="Messages are compressed, as browsers ask for.")
@click.option("--process", type=int, help="Number of the server's process, to tell what it takes.")
@click.option("--records", type=click.Path(file_okay=False, path_type=Path), help="Keep the games played to the end.")
def command(
    address: str,
    tables: int,
    pace: float,
    seconds: float,
    games: int,
    opened: int,
    watchers: int,
    deflate: bool,
    process: int | None,
    records: Path | None,
) -> None:
    """Let programs play at many tables of a server on this machine, and say how fast it was.

    Every table has two sockets; whoever is asked plays at random. When all are open,
    times are counted from sending a move until it is acknowledged, and until both screens have the new position.
    Every ten seconds a line says what came since the last one. "Sent late" is what the clients waited for themselves.
    The server must allow so many tables and sockets of one address: see docs/running-a-server.md.
    """
    if address.rpartition(":")[0] not in LOOPBACK:
        raise OptionError(f"--address: expected one of {', '.join(LOOPBACK)} with a port, got {address!r}")
    with needs("server"):
        from bastide.server.load.figures import Figures, Usage, Watch, report
        from bastide.server.load.players import play
        from bastide.server.run import raise_file_limit

    def usage() -> Usage:
        return Usage.of(process) if process else Usage()

    def begin(so_far: Figures) -> None:
        used.append(usage())
        watch.begin(so_far)

    raise_file_limit()
    used, watch = [usage()], Watch(usage)  # both again when all tables are open: opening them is not counted
    figures, pairs = asyncio.run(
        play(
            address,
            tables,
            pace,
            seconds,
            games,
            opened,
            watchers,
            deflate,
            watch=lambda so_far: click.echo(watch.tell(so_far), err=True),
            begun=begin,
        )
    )
    click.echo(report(figures, used[-1], usage()))
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
        for table in (table for pair in pairs for table in pair.finished):
            with urlopen(f"http://{address}/api/tables/{table}/record") as answer:
                (records / f"{table}.txt").write_bytes(answer.read())
    if figures.errors:
        raise OptionError(f"{len(figures.errors)} errors")
    if not figures.moves:
        raise OptionError(f"--address: nothing could be played at {address}")
