"""How a server is run: one class, one variable of the environment for each member (docs/running-a-server.md)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from bastide.errors import BastideError, OptionError
from bastide.server.content.pages import STATIC
from bastide.server.tables.clock import ServerClock

EXAMPLE = "postgresql+asyncpg://USER:SECRET@HOST/DATABASE"


def text(variable: str, default: str = "") -> str:
    """A member that is a text, from the environment."""
    value: str = field(default_factory=lambda: os.environ.get(variable, default))
    return value


def number(variable: str, default: int) -> int:
    """A member that is a number, from the environment."""

    def read() -> int:
        said = os.environ.get(variable, str(default))
        if not said.isdecimal():
            raise OptionError(f"{variable}: expected a whole number, got {said!r}")
        return int(said)

    value: int = field(default_factory=read)
    return value


@dataclass(frozen=True)
class Settings:
    """Everything that can be chosen about a server."""

    database: str = text("BASTIDE_DATABASE")
    redis: str = text("BASTIDE_REDIS")  # none: one process, which does everything itself
    bots: int = number("BASTIDE_BOTS", 1)  # processes in which bots think
    bot_seconds: int = number("BASTIDE_BOT_SECONDS", 60)
    tables_per_hour: int = number("BASTIDE_TABLES_PER_HOUR", 100)  # of one address
    sockets: int = number("BASTIDE_SOCKETS", 100)  # of one address, open at once
    hosts: str = text("BASTIDE_HOSTS")  # names of this server, with commas
    budget: int = number("BASTIDE_BUDGET", 200)  # of one client, in ms of work a second
    push_key: str = text("BASTIDE_PUSH_KEY")  # of `bastide admin push-keys`; none: nobody is called
    push_contact: str = text("BASTIDE_PUSH_CONTACT")  # mailto: or https:, for the push services
    page: Path = STATIC
    moment: Callable[[], int] = field(default_factory=ServerClock)  # what time it is; tests have their own

    @property
    def host_names(self) -> list[str]:
        """The names of this server."""
        return [name.strip().lower() for name in self.hosts.split(",") if name.strip()]


def database_url(text: str, exists: bool = False) -> str:
    """The address of a database; a bare path is a file of SQLite, nothing is one in the user's data folder.

    `exists`: a file that is not there is refused, not made.
    """
    if "://" in text:
        try:
            make_url(text).get_dialect()
        except (ArgumentError, NoSuchModuleError) as error:
            raise OptionError(f"--database: expected a path or a URL such as {EXAMPLE}: {error}") from error
        return text
    path = Path(text) if text else data_folder() / "tables.sqlite3"
    if not exists:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = f"{path.parent}: the folder for the games cannot be made ({error.strerror})"
            raise BastideError(f"{why}; name another place with --database") from error
    elif not path.is_file():
        raise BastideError(f"there is no database at {path}")
    return URL.create("sqlite+aiosqlite", database=str(path.absolute())).render_as_string()  # whatever letters it has


def data_folder() -> Path:
    """Where programs of this user keep what they need to remember."""
    usual = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else os.environ.get("XDG_DATA_HOME")
    return Path(usual or Path.home() / ".local" / "share") / "bastide"
