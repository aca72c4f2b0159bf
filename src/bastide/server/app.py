"""The application: routes, headers, refusals, and what runs as long as the server does."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from litestar import Litestar, Request, Response
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from bastide.errors import BastideError
from bastide.server.answers import Problem
from bastide.server.http import HANDLERS
from bastide.server.incoming import BODY
from bastide.server.pages import STATIC, built_page
from bastide.server.refusal import Refusal
from bastide.server.socket import same_site, table_socket
from bastide.server.store import Store
from bastide.server.tables import Tables
from bastide.server.thinking import Thinkers

CHANNEL = "tables"
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}

log = logging.getLogger("bastide.server")


@dataclass(frozen=True)
class Settings:
    """How a server is run. Every setting has a variable of the environment, named in docs/running-a-server.md."""

    database: str = field(default_factory=lambda: os.environ.get("BASTIDE_DATABASE", ""))
    bots: int = field(default_factory=lambda: int(os.environ.get("BASTIDE_BOTS", "1")))  # processes
    bot_seconds: float = field(default_factory=lambda: float(os.environ.get("BASTIDE_BOT_SECONDS", "60")))
    page: Path = STATIC


def database_url(text: str) -> str:
    """The address of a database; a bare path is a file of SQLite, nothing is one in the user's data folder."""
    if "://" in text:
        return text
    path = Path(text) if text else data_folder() / "tables.sqlite3"
    path.parent.mkdir(parents=True, exist_ok=True)
    return f"sqlite+aiosqlite:///{path.absolute()}"


def data_folder() -> Path:
    """Where programs of this user keep what they need to remember."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "bastide"


def create_app(settings: Settings | None = None) -> Litestar:
    """A server; its tables are those of the database."""
    used = settings or Settings()
    channels = ChannelsPlugin(MemoryChannelsBackend(), channels=[CHANNEL])
    store = Store(database_url(used.database))
    tables = Tables(store, Thinkers(used.bots, used.bot_seconds), lambda data: channels.publish(data, CHANNEL))
    page = built_page(used.page)

    @asynccontextmanager
    async def running(_: Litestar) -> AsyncIterator[None]:
        await store.open()
        async with channels.start_subscription(CHANNEL) as subscriber, subscriber.run_in_background(tables.heard):
            sweeping = asyncio.create_task(tables.sweep())
            try:
                yield
            finally:
                sweeping.cancel()
                with suppress(asyncio.CancelledError):
                    await sweeping
                await tables.close()
        await store.close()

    return Litestar(
        [*HANDLERS, table_socket],
        plugins=[channels],
        lifespan=[running],
        dependencies={
            "tables": Provide(lambda: tables, sync_to_thread=False),
            "page": Provide(lambda: page, sync_to_thread=False),
        },
        before_request=check_origin,
        response_headers=HEADERS,
        logging_config=None,  # whoever runs the server decides
        request_max_body_size=BODY,
        compression_config=CompressionConfig("gzip", gzip_compress_level=5, exclude_opt_key="ready_made"),
        exception_handlers={
            Refusal: refused,
            BastideError: lambda request, error: refused(request, Refusal.of(error)),
            HTTPException: misunderstood,
            Exception: failed,
        },
        openapi_config=OpenAPIConfig(
            title="Bastide",
            version="1",
            description="Tables, seats and catalogue. Playing itself goes over a WebSocket: see docs/protocol.md.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin()],
            use_handler_docstrings=True,
        ),
    )


def check_origin(request: Request[Any, Any, Any]) -> None:
    """Refuses requests that a page of another site makes in somebody's name."""
    if request.method != "GET" and not same_site(request.headers.get("origin"), request.headers.get("host")):
        raise Refusal("origin")


def refused(_: Request[Any, Any, Any], refusal: Refusal) -> Response[Problem]:
    """A refusal as JSON."""
    problem = Problem(refusal.code, refusal.message, refusal.reason)
    return Response(problem, status_code=refusal.status, headers=HEADERS)


def misunderstood(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """What Litestar refuses itself: bodies of the wrong form, paths that do not exist."""
    if error.status_code >= 500:
        return failed(request, error)
    code = "too_big" if error.status_code == 413 else "shape"
    extra = error.extra if isinstance(error.extra, list) else []
    more = "; ".join(f"{where.get('key', 'body')}: {where.get('message', '')}" for where in extra)
    message = f"{error.detail}: {more}" if more else error.detail
    return Response(Problem(code, message), status_code=error.status_code, headers=HEADERS)


def failed(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """A fault of the server; what exactly stays in its log."""
    log.error("%s %s", request.method, request.url.path, exc_info=error)
    return refused(request, Refusal("internal"))
