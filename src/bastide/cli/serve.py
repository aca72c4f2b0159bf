"""`bastide serve`: a server to play at in the browser."""

from __future__ import annotations

import os
import socket
import threading
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bastide.bots import bot
from bastide.bots.roster import CODE
from bastide.cli.choice import takes_code
from bastide.cli.needs import needs
from bastide.errors import BastideError, OptionError
from bastide.homes import homes, use_listed_only

if TYPE_CHECKING:
    from bastide.server.settings import Settings

PORT = 8421
THIS_MACHINE = ("127.0.0.1", "::1", "localhost")
LOCAL = ("127.0.0.1", "0.0.0.0", "::1", "::")


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other machines in.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option("--database", default="", help="A file of SQLite, or a URL; by itself a file in the user's data folder.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1), help="Processes; several need Redis.")
@click.option("--open", "show", is_flag=True, help="Open the page in the browser.")
@takes_code
def command(host: str, port: int, database: str, workers: int, show: bool, codes: tuple[str, ...]) -> None:
    """Run a server to play at in the browser, alone or with others.

    With --code the page offers the bot of this file as an opponent; only on this machine, for it runs somebody's code.
    """
    use_listed_only()
    homes()  # a plug-in that is listed and missing is refused now, not at the first table
    with needs("play"):
        from bastide.server.run import listen
        from bastide.server.settings import Settings
    offer(codes, host)
    settings = replace(Settings(), database=database) if database else Settings()
    serve(settings, listen(host, port), host, workers, show)


def offer(codes: tuple[str, ...], host: str) -> None:
    """The bots of these files can be chosen at tables; a file that is none, or a host that others reach, is refused."""
    if not codes:
        return
    if host not in THIS_MACHINE:
        raise OptionError(f"--code: expected a host of this machine ({', '.join(THIS_MACHINE)}), got {host}")
    files = [str(Path(code).absolute()) for code in codes]
    for file in files:
        bot(f"python:{file}").close()
    os.environ[CODE] = os.pathsep.join(files)  # the processes of the server and of the bots have it too


def open_game() -> None:
    """Opens the game in the browser, with every installed plug-in; if something else listens there, at a free port."""
    with needs("play"):
        from bastide.server.run import listen
        from bastide.server.settings import Settings
    try:
        listening = listen("127.0.0.1", PORT)
    except BastideError:
        listening = listen("127.0.0.1", 0)
    serve(Settings(), listening, "127.0.0.1", 1, show=True)


def serve(settings: Settings, listening: socket.socket, host: str, workers: int, show: bool) -> None:
    """Says where the page is, shows it, and serves until Ctrl-C."""
    from bastide.server.run import run

    address = f"http://{'localhost' if host in LOCAL else host}:{listening.getsockname()[1]}/"
    click.echo(f"Bastide is at {address} (Ctrl-C ends it; games are kept)")
    if show:
        threading.Timer(1.0, webbrowser.open, [address]).start()
    run(settings, listening, workers)
