"""`bastide work`: lets bots think for servers that share a Redis."""

from __future__ import annotations

import asyncio

import click

from bastide.cli.needs import needs
from bastide.errors import OptionError
from bastide.homes import use_listed_only


@click.command()
@click.option("--redis", default="", help="Where the servers ask, as redis://...; by itself BASTIDE_REDIS.")
@click.option("--bots", type=click.IntRange(1), help="Processes in which bots think; by itself BASTIDE_BOTS, or 1.")
def command(redis: str, bots: int | None) -> None:
    """Let bots think for servers that share a Redis. Run as many as there are cores to spare, on any machine."""
    use_listed_only()
    with needs("online"):
        from bastide.server import logs
        from bastide.server.many.workers import work
        from bastide.server.settings import Settings
    settings = Settings()
    address = redis or settings.redis
    if not address:
        raise OptionError("--redis: expected redis://HOST:PORT, here or in BASTIDE_REDIS")
    logs.set_up()
    asyncio.run(work(address, bots or settings.bots, settings.bot_seconds))
