"""`bastide admin`: looks after the tables of a server's database. The server may run meanwhile."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.request import urlopen

import click

from bastide.cli.needs import needs
from bastide.errors import BastideError
from bastide.homes import use_listed_only

if TYPE_CHECKING:
    from bastide.server.storage.store import Store
    from bastide.server.tables.checks import Checked

Answer = TypeVar("Answer")
STATUSES = ("waiting", "running", "over", "broken")
database = click.option("--database", default="", help="As for `bastide serve`.")
name = click.argument("table")
reason = click.option("--reason", default="", help="For yourself; players at a table that is closed see it.")


def with_store(where: str, work: Callable[[Store], Awaitable[Answer]], any_form: bool = False) -> Answer:
    """Opens a database that is there for one piece of work, and never changes its form.

    `any_form`: the work can also be done with a database of an older program.
    """
    use_listed_only()
    with needs("server"):
        from bastide.server.api.refusal import Refusal
        from bastide.server.settings import Settings, database_url
        from bastide.server.storage.store import Store

    async def done() -> Answer:
        store = Store(database_url(where or Settings().database, exists=True))
        try:
            if not any_form:
                await store.check_form()
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(done())
    except Refusal as refusal:
        raise BastideError(str(refusal)) from refusal


@click.group()
def command() -> None:
    """Look after a server: its tables, its backups, bans, and who uses it most."""


@command.command()
@database
@click.option("--status", default="", type=click.Choice(["", *STATUSES]), help="Only these.")
def tables(database: str, status: str) -> None:
    """List tables, the latest first."""
    with needs("server"):
        from bastide.server.admin import list_tables
    for entry in with_store(database, lambda store: list_tables(store, status)):
        changed = datetime.fromtimestamp(entry.changed / 1000, UTC).isoformat(" ", "seconds")
        why = f"  {entry.broken}" if entry.broken else ""
        click.echo(f"{entry.name}  {entry.status:<8} {changed}  {entry.lines} lines{why}")


@command.command()
@database
def check(database: str) -> None:
    """Replay all tables that are not over with this program, and name those it cannot play on.

    Run it with a new version before that version serves. It changes nothing, and reads databases of older versions.
    """
    with needs("server"):
        from bastide.server.tables.checks import check_tables

    async def all_checked(store: Store) -> list[Checked]:
        return [checked async for checked in check_tables(store)]

    found = with_store(database, all_checked, any_form=True)
    failed = [checked for checked in found if checked.failure]
    for checked in failed:
        click.echo(f"{checked.name}  {checked.failure}")
    if failed:
        raise BastideError(f"{len(failed)} of {len(found)} tables cannot be played on by this version")
    click.echo(f"{len(found)} tables can be played on")


@command.command()
@database
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(database: str, file: Path) -> None:
    """Write a copy of a SQLite database to a new file, while the server runs."""
    with needs("server"):
        from bastide.server.admin import back_up
    with_store(database, lambda store: back_up(store, file), any_form=True)
    click.echo(f"{file} has a copy of the database")


@command.command()
@database
@name
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="A file; by itself standard output.")
def export(database: str, table: str, out: Path | None) -> None:
    """Write the record of a table, hidden draws included."""
    with needs("server"):
        from bastide.server.admin import export_record
    text = with_store(database, lambda store: export_record(store, table))
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")


@command.command()
@database
@name
def delete(database: str, table: str) -> None:
    """Remove a table with its lines, seats and chat."""
    with needs("server"):
        from bastide.server.admin import delete_table
    with_store(database, lambda store: delete_table(store, table))


@command.command()
@database
@click.option("--days", default=365, show_default=True, type=click.IntRange(0), help="Games that ended so long ago.")
@click.option("--waiting-days", default=30, show_default=True, type=click.IntRange(0), help="Tables that never began.")
@click.option(
    "--abandoned-days",
    default=180,
    show_default=True,
    type=click.IntRange(0),
    help="Games where nobody played so long.",
)
@click.option("--position-days", type=click.IntRange(0), help="Positions so old; without it they are kept.")
def prune(database: str, days: int, waiting_days: int, abandoned_days: int, position_days: int | None) -> None:
    """Remove tables that nobody needs any more, and positions if that is asked for."""
    with needs("server"):
        from bastide.server.admin import prune_positions, prune_tables
        from bastide.server.tables.clock import wall_clock
    count = with_store(database, lambda store: prune_tables(store, wall_clock(), days, waiting_days, abandoned_days))
    click.echo(f"{count} tables were removed")
    if position_days is not None:
        count = with_store(database, lambda store: prune_positions(store, wall_clock(), position_days))
        click.echo(f"{count} positions were removed")


# --- what whoever runs the server decides; every process hears of it within seconds


def decide(database: str, kind: str, subject: str, reason: str) -> None:
    """Stores a decision."""
    with needs("server"):
        from bastide.server.sanctions import Sanction, add_sanction
        from bastide.server.tables.clock import wall_clock
    with_store(database, lambda store: add_sanction(store, Sanction(kind, subject, wall_clock(), reason)))


@command.command()
@database
@click.argument("address")
@reason
def ban(database: str, address: str, reason: str) -> None:
    """Ban an address (for IPv6: its /64)."""
    decide(database, "ban", address, reason)


@command.command()
@database
@click.argument("subject")
@reason
def mute(database: str, subject: str, reason: str) -> None:
    """Refuse chat from an address, or at a table."""
    decide(database, "mute", subject, reason)


@command.command()
@database
@name
@reason
def close(database: str, table: str, reason: str) -> None:
    """Close a table: nobody can see it or play on, until `lift close TABLE`."""
    decide(database, "close", table, reason)


@command.command()
@database
@click.argument("kind", type=click.Choice(["ban", "mute", "close"]))
@click.argument("subject")
def lift(database: str, kind: str, subject: str) -> None:
    """Take a decision back."""
    with needs("server"):
        from bastide.server.sanctions import lift_sanction
    with_store(database, lambda store: lift_sanction(store, kind, subject))


@command.command()
@database
def sanctions(database: str) -> None:
    """List who is banned or muted, and which tables are closed."""
    with needs("server"):
        from bastide.server.sanctions import list_sanctions
    for one in with_store(database, list_sanctions):
        since = datetime.fromtimestamp(one.at / 1000, UTC).isoformat(" ", "seconds")
        click.echo(f"{one.kind:<5} {one.subject}  {since}  {one.reason}".rstrip())


@command.command()
def push_keys() -> None:
    """Make a key for Web Push: with it a server notifies players who are away when their turn begins."""
    with needs("push"):
        from bastide.server.notify.push import new_key
    click.echo(f"BASTIDE_PUSH_KEY={new_key()}")
    click.echo("BASTIDE_PUSH_CONTACT=mailto:YOU@EXAMPLE.ORG")
    click.echo("Keep the key: with another one, everybody has to ask anew to be called.", err=True)


@command.command()
@click.option("--server", default="http://127.0.0.1:8421", show_default=True, help="A server on this machine.")
def spenders(server: str) -> None:
    """List who has asked a server for most work since it started, in ms of one core."""
    try:
        with urlopen(f"{server}/metrics/spenders", timeout=10) as answer:
            found = json.load(answer)
    except OSError as trouble:
        raise BastideError(f"no answer from {server}: {trouble}") from trouble
    for one in found:
        what = ", ".join(f"{name} {units}" for name, units in one["what"].items())
        click.echo(f"{one['units']:>8}  {one['client']}  {what}")
