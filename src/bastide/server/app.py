"""The application: routes, headers, refusals, and what runs as long as the server does."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from time import perf_counter
from typing import Any

from litestar import Litestar, Request, Response
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException, InternalServerException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from bastide.errors import BastideError
from bastide.server.api import http_learning, http_push
from bastide.server.api.http import HANDLERS, address_of
from bastide.server.api.incoming import BODY, NESTED
from bastide.server.api.limits import Limits
from bastide.server.api.origins import browser_key, check_origin
from bastide.server.api.refusal import Refusal
from bastide.server.api.responses import Problem
from bastide.server.api.secret import hash_secret
from bastide.server.api.websocket import table_socket
from bastide.server.content.drawer import Drawer
from bastide.server.content.pages import built_page
from bastide.server.logs import begin_request
from bastide.server.metrics import FAULTS, HTTP, REFUSED
from bastide.server.notify.calls import Caller, signer_of
from bastide.server.sanctions import SanctionPoller
from bastide.server.settings import Settings, database_url
from bastide.server.storage.store import Store
from bastide.server.tables.caretaker import Caretaker
from bastide.server.tables.checks import warn_of_stranded_tables
from bastide.server.tables.clock import ServerClock
from bastide.server.tables.notices import Hearer, News
from bastide.server.tables.registry import TableRegistry
from bastide.server.thinking.analysis_cache import AnalysisCache
from bastide.server.thinking.bots import LocalBots
from bastide.server.thinking.jobs import BotService

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}

log = logging.getLogger("bastide.server")


class ClientGone(Exception):
    """The client has left before its request was there; nobody reads the answer."""


class JsonRequest(Request[Any, Any, Any]):
    """A request whose body may be JSON of any depth; what is too deep to be read is refused like any other nonsense."""

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """The body in pieces."""
        try:
            async for piece in super().stream():
                yield piece
        except InternalServerException as error:  # Litestar's word for a client that has gone
            raise ClientGone from error

    async def json(self) -> Any:
        """The body."""
        try:
            return await super().json()
        except RecursionError as error:
            raise Refusal("shape", NESTED) from error
        except UnicodeDecodeError as error:
            raise Refusal("shape", f"expected JSON in UTF-8: {error}") from error


def create_app(settings: Settings | None = None) -> Litestar:
    """A server; its tables are those of the database."""
    used = settings or Settings()
    news, bots, listening = several_processes(used) if used.redis else single_process(used)
    store = Store(database_url(used.database))
    registry = TableRegistry(store, news, used.moment)
    analyses = AnalysisCache(registry, bots)
    limits = Limits(used.tables_per_hour, used.sockets, used.budget, used.moment, used.host_names)
    caretaker = Caretaker(registry, bots, SanctionPoller(registry, limits))
    calls = Caller(registry, signer_of(used))
    registry.commit_listeners.append(calls.lines_committed)
    drawer = Drawer()
    page = built_page(used.page)

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        try:
            await store.open()
            if isinstance(used.moment, ServerClock):
                used.moment.start_from(await store.last_moment())
            await warn_of_stranded_tables(store)
            await asyncio.to_thread(app.openapi_schema.to_schema)  # else the first who asks for it stops everybody
            name = await store.name_of_installation()
            await caretaker.credit()
            async with listening(name, registry.peers):
                sweeping = asyncio.create_task(caretaker.sweep())
                try:
                    yield
                finally:
                    drawer.close()
                    await calls.close()
                    await analyses.close()
                    await caretaker.close()
                    await sweeping
                    await registry.peers.close()
        finally:
            await store.close()

    async def begin(request: Request[Any, Any, Any]) -> None:
        await begin_http(request, limits)

    return Litestar(
        [*HANDLERS, *http_learning.HANDLERS, *http_push.HANDLERS, table_socket],
        lifespan=[running],
        dependencies={
            "registry": Provide(lambda: registry, sync_to_thread=False),
            "analyses": Provide(lambda: analyses, sync_to_thread=False),
            "limits": Provide(lambda: limits, sync_to_thread=False),
            "calls": Provide(lambda: calls, sync_to_thread=False),
            "drawer": Provide(lambda: drawer, sync_to_thread=False),
            "page": Provide(lambda: page, sync_to_thread=False),
        },
        request_class=JsonRequest,
        before_request=begin,
        after_response=measure_http,
        response_headers=HEADERS,
        logging_config=None,  # whoever runs the server decides
        request_max_body_size=BODY,
        compression_config=CompressionConfig("gzip", gzip_compress_level=5, exclude_opt_key="ready_made"),
        exception_handlers={
            Refusal: refusal_response,
            BastideError: lambda request, error: refusal_response(request, Refusal.of(error)),
            HTTPException: client_error_response,
            ClientGone: lambda request, error: refusal_response(
                request, Refusal("shape", "the request is not complete")
            ),
            Exception: fault_response,
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


Listening = Callable[[str, Hearer], AbstractAsyncContextManager[None]]  # to the processes of an installation
Parts = tuple[News | None, BotService, Listening]


def single_process(settings: Settings) -> Parts:
    """One process has nobody to tell news, and lets bots think in processes of its own."""
    return None, LocalBots(settings.bots, settings.bot_seconds), lambda *_: nullcontext()


def several_processes(settings: Settings) -> Parts:
    """Several processes tell each other the news through Redis; bots think in workers."""
    from bastide.server.many.news import RedisNews  # Redis is needed by nobody else
    from bastide.server.many.workers import WorkerBots

    news, workers = RedisNews(settings.redis), WorkerBots(settings.redis, settings.bot_seconds)

    def listening(installation: str, hearer: Hearer) -> AbstractAsyncContextManager[None]:
        workers.join(installation)
        return news.listening(installation, hearer)

    return news, workers, listening


async def begin_http(request: Request[Any, Any, Any], limits: Limits) -> None:
    """Before anything else is done about a request."""
    begin_request(str(request.path_params.get("table", "")))
    request.state.begun = perf_counter()
    address = address_of(request)
    limits.check_ban(address)
    check_origin(request, address, limits.hosts, changes=request.method != "GET")
    price = request.route_handler.opt.get("price")
    if price is not None:
        key = browser_key(request)
        limits.spend(address, price, [f"key {hash_secret(key)}"] if key else [])


async def measure_http(request: Request[Any, Any, Any]) -> None:
    """A request was answered."""
    begun = request.state.get("begun")
    if begun is not None:
        HTTP.labels(request.route_handler.handler_name).observe(perf_counter() - begun)


def refusal_response(_: Request[Any, Any, Any], refusal: Refusal) -> Response[Problem]:
    """A refusal as JSON."""
    REFUSED.labels(refusal.code).inc()
    problem = Problem(refusal.code, refusal.message, refusal.reason)
    return Response(problem, status_code=refusal.status, headers=HEADERS)


def client_error_response(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """What Litestar refuses itself: bodies of the wrong form, paths that do not exist."""
    if error.status_code >= 500:
        return fault_response(request, error)
    code = "too_big" if error.status_code == 413 else "shape"
    extra = error.extra if isinstance(error.extra, list) else []
    more = "; ".join(f"{where.get('key', 'body')}: {where.get('message', '')}" for where in extra)
    message = f"{error.detail}: {more}" if more else error.detail
    return Response(Problem(code, message), status_code=error.status_code, headers=HEADERS)


def fault_response(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """A fault of the server; what exactly stays in its log."""
    FAULTS.inc()
    log.error("%s %s", request.method, request.scope["path"], exc_info=error)
    return refusal_response(request, Refusal("internal"))
