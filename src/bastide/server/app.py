"""The application: routes, headers, refusals, and what runs as long as the server does."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Response
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.base import ChannelsBackend
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from bastide.errors import BastideError
from bastide.server.analysis_cache import AnalysisCache
from bastide.server.bots import BotService, LocalBots
from bastide.server.caretaker import Caretaker
from bastide.server.checks import warn_of_stranded_tables
from bastide.server.clock import ServerClock
from bastide.server.drawer import Drawer
from bastide.server.http import HANDLERS, address_of, known_key
from bastide.server.incoming import BODY, NESTED
from bastide.server.limits import Limits
from bastide.server.logs import begin_request
from bastide.server.metrics import FAULTS, REFUSED
from bastide.server.notices import CHANNEL
from bastide.server.pages import built_page
from bastide.server.refusal import Refusal
from bastide.server.registry import TableRegistry
from bastide.server.responses import Problem
from bastide.server.sanctions import Warden
from bastide.server.secret import hash_secret
from bastide.server.settings import Settings, database_url
from bastide.server.socket import same_site, table_socket
from bastide.server.store import Store

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


class JsonRequest(Request[Any, Any, Any]):
    """A request whose body may be JSON of any depth; what is too deep to be read is refused like any other nonsense."""

    async def json(self) -> Any:
        """The body."""
        try:
            return await super().json()
        except RecursionError as error:
            raise Refusal("shape", NESTED) from error


def create_app(settings: Settings | None = None) -> Litestar:
    """A server; its tables are those of the database."""
    used = settings or Settings()
    backend, bots, join = several_processes(used) if used.redis else single_process(used)
    channels = ChannelsPlugin(backend, channels=[CHANNEL])
    store = Store(database_url(used.database))
    registry = TableRegistry(store, lambda data: channels.publish(data, CHANNEL), used.moment)
    analyses = AnalysisCache(registry, bots)
    limits = Limits(used.tables_per_hour, used.sockets, used.budget, used.moment)
    caretaker = Caretaker(registry, bots, Warden(registry, limits))
    drawer = Drawer()
    page = built_page(used.page)

    @asynccontextmanager
    async def running(_: Litestar) -> AsyncIterator[None]:
        try:
            await store.open()
            if isinstance(used.moment, ServerClock):
                used.moment.start_from(await store.last_moment())
            await warn_of_stranded_tables(store)
            join(await store.name_of_installation())
            await caretaker.credit()
            heard = registry.peers.on_notice
            async with channels.start_subscription(CHANNEL) as subscriber, subscriber.run_in_background(heard):
                sweeping = asyncio.create_task(caretaker.sweep())
                try:
                    yield
                finally:
                    drawer.close()
                    await analyses.close()
                    await caretaker.close()
                    await sweeping
                    await registry.peers.close()
        finally:
            await store.close()

    async def begin(request: Request[Any, Any, Any]) -> None:
        await begin_http(request, limits)

    return Litestar(
        [*HANDLERS, table_socket],
        plugins=[channels],
        lifespan=[running],
        dependencies={
            "registry": Provide(lambda: registry, sync_to_thread=False),
            "analyses": Provide(lambda: analyses, sync_to_thread=False),
            "limits": Provide(lambda: limits, sync_to_thread=False),
            "drawer": Provide(lambda: drawer, sync_to_thread=False),
            "page": Provide(lambda: page, sync_to_thread=False),
        },
        request_class=JsonRequest,
        before_request=begin,
        response_headers=HEADERS,
        logging_config=None,  # whoever runs the server decides
        request_max_body_size=BODY,
        compression_config=CompressionConfig("gzip", gzip_compress_level=5, exclude_opt_key="ready_made"),
        exception_handlers={
            Refusal: refusal_response,
            BastideError: lambda request, error: refusal_response(request, Refusal.of(error)),
            HTTPException: client_error_response,
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


Parts = tuple[ChannelsBackend, BotService, Callable[[str], None]]  # the last is told the name of the installation


def single_process(settings: Settings) -> Parts:
    """One process tells itself the news and lets bots think in processes of its own."""
    return MemoryChannelsBackend(), LocalBots(settings.bots, settings.bot_seconds), lambda _: None


def several_processes(settings: Settings) -> Parts:
    """Several processes tell each other the news through Redis; bots think in workers."""
    from bastide.server.many.news import SteadyRedis  # Redis is needed by nobody else
    from bastide.server.many.workers import WorkerBots

    news, workers = SteadyRedis(settings.redis), WorkerBots(settings.redis, settings.bot_seconds)

    def join(installation: str) -> None:
        news.join(installation)
        workers.join(installation)

    return news, workers, join


async def begin_http(request: Request[Any, Any, Any], limits: Limits) -> None:
    """Before anything else is done about a request."""
    begin_request(str(request.path_params.get("table", "")))
    address = address_of(request)
    limits.admit(address)
    check_origin(request)
    price = request.route_handler.opt.get("price")
    if price is not None:
        key = known_key(request)
        limits.spend(address, price, [f"key {hash_secret(key)}"] if key else [])


def check_origin(request: Request[Any, Any, Any]) -> None:
    """Refuses requests that a page of another site makes in somebody's name."""
    if request.method != "GET" and not same_site(request.headers.get("origin"), request.headers.get("host")):
        raise Refusal("origin")


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
    log.error("%s %s", request.method, request.url.path, exc_info=error)
    return refusal_response(request, Refusal("internal"))
