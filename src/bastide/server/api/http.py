"""The HTTP part of the protocol (docs/protocol.md); Litestar describes it at /api/schema/openapi.json."""

from __future__ import annotations

import asyncio
import gzip
from functools import lru_cache
from typing import Annotated, Any, TypeVar, cast

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody, PathParameter, QueryParameter

from bastide.server import metrics
from bastide.server.api import incoming, outgoing, responses
from bastide.server.api.changes import Change
from bastide.server.api.limits import Limits
from bastide.server.api.origins import browser_key, is_secure
from bastide.server.api.prices import is_local
from bastide.server.api.refusal import Refusal
from bastide.server.api.secret import COOKIE, SECURE_COOKIE, YEAR, new_secret
from bastide.server.background import in_long_thread, in_thread
from bastide.server.browser.files import NoEngine, engine_files
from bastide.server.content import catalogue, drawings, lessons, pictures, previews
from bastide.server.content.drawer import Drawer
from bastide.server.content.pages import INDEX, JSON, SVG, Content, kind_of
from bastide.server.tables import lobby, matchmaking, records
from bastide.server.tables.registry import TableRegistry
from bastide.server.thinking.analysis_cache import AnalysisCache

ROOM = incoming.RECORD + incoming.BODY  # bytes of a body that may carry a record
SHOWN = 20  # clients in the list of those that ask for most
READY_MADE = {"ready_made": True}  # compressed already
PACKED = 5  # how much is tried to make an answer small, of 9
Told = TypeVar("Told")
Req = Request[Any, Any, Any]
Open = NamedDependency[TableRegistry]
Limit = NamedDependency[Limits]
Draw = NamedDependency[Drawer]
Analyses = NamedDependency[AnalysisCache]
Page = NamedDependency[dict[str, Content]]
Name = Annotated[str, PathParameter(max_length=64)]
Word = Annotated[str, QueryParameter(max_length=64)]
Words = Annotated[str, QueryParameter(max_length=4000)]


def bearer(request: Req) -> str:
    """The seat token of a program."""
    word, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if word.lower() == "bearer" else ""


async def written_beside(request: Req, answer: Told) -> Response[Told]:
    """An answer that may have megabytes: it is written and compressed beside the loop."""
    body, headers = await in_long_thread(msgspec.json.encode, answer), {"Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["Content-Encoding"] = await in_long_thread(gzip.compress, body, PACKED), "gzip"
    return Response(cast(Told, body), media_type=JSON, headers=headers)


def address_of(request: Req) -> str:
    """Where a request comes from; a web server before this one says it in X-Forwarded-For."""
    return request.client.host if request.client else ""


def key_cookie(request: Req, key: str) -> list[Cookie]:
    """The cookie that carries the key."""
    secure = is_secure(request)
    name = SECURE_COOKIE if secure else COOKIE
    return [Cookie(key=name, value=key, max_age=YEAR, httponly=True, samesite="lax", secure=secure, path="/")]


# --- catalogue


@get("/api/catalogue", opt={**READY_MADE, "price": "catalogue"}, media_type=JSON)
async def get_catalogue(request: Req) -> Response[bytes]:
    """Modules with their texts, editions, presets, bots, colours."""
    return (await asyncio.to_thread(catalogue_content)).answer(request)


@lru_cache(maxsize=1)
def catalogue_content() -> Content:
    """The catalogue, compressed once."""
    return Content(catalogue.catalogue(), JSON).pack()


@get("/api/rules", opt={"price": "rules"})
async def get_rules(modules: Words = "", language: Word = "en") -> list[responses.Rule]:
    """The numbered rules of some modules, or of all."""
    return await in_thread(catalogue.rules_of, [name for name in modules.split(",") if name], language)


@get("/api/rules/{rule:str}", opt={"price": "rules"})
async def get_rule(rule: Name, language: Word = "en") -> responses.Rule:
    """One rule by its id."""
    return await in_thread(catalogue.rule_of, rule, language)


@get("/api/lessons/{module:str}", opt={**READY_MADE, "price": "catalogue"}, media_type=JSON)
async def get_lesson(request: Req, module: Name) -> Response[bytes]:
    """What the page teaches about a module."""
    return lesson_content(module).answer(request)


@lru_cache(maxsize=64)
def lesson_content(module: str) -> Content:
    """A lesson, compressed once."""
    return Content(lessons.lesson_of(module), JSON)


@post("/api/choice", status_code=200, opt={"price": "choice"})
async def post_choice(data: JSONBody[incoming.WantedRules]) -> responses.Chosen:
    """What a choice of rules comes to, or why it cannot be played."""
    return await in_thread(catalogue.resolve_choice, data)


@get("/api/drawings/{file:str}", opt={**READY_MADE, "price": "drawing"})
async def get_drawings(
    request: Req,
    file: Name,
    drawer: Draw,
    limits: Limit,
    edition: Word = "",
    modules: Words = "",
    options: Words = "",
) -> Response[bytes]:
    """A sheet of symbols (`day.svg`) or the outlines (`data.json`) of everything in play."""
    if file != "data.json" and not file.endswith(".svg"):
        raise Refusal("table", f"there is no drawing {file!r}")
    rules = drawer.known_rules(edition, modules, options)
    if rules is None:
        limits.spend(address_of(request), "choice")
        rules = await in_thread(drawings.rules_for, edition, modules, options)
        drawer.remember_rules(rules, edition, modules, options)
    content = await drawer.find(rules, file)
    if content is None:
        limits.spend(address_of(request), "new drawing")
        content = await drawer.draw(rules, file)
    return content.answer(request)


@get("/api/pictures/{file:str}", opt={**READY_MADE, "price": "picture"})
async def get_picture(request: Req, file: Name, theme: Word = "day") -> Response[bytes]:
    """A small landscape that shows what a module brings (`base.svg`; `base.png` for previews of links)."""
    return (await in_thread(picture_content, file, theme)).answer(request)


@lru_cache(maxsize=64)
def picture_content(file: str, theme: str) -> Content:
    """The picture of a module, compressed once."""
    if file.endswith(".png") and theme == "day":
        return Content(previews.preview_png(file.removesuffix(".png")), "image/png")
    if not file.endswith(".svg"):
        raise Refusal("table", f"there is no picture {file!r}")
    return Content(pictures.picture(file.removesuffix(".svg"), theme), SVG).pack()


# --- tables


@post("/api/tables", request_max_body_size=ROOM, opt={"price": "table"})
async def post_table(
    request: Req, data: JSONBody[incoming.NewTable], registry: Open, limits: Limit
) -> Response[responses.MadeTable]:
    """Makes a table; the answer has the tokens of the seats that were taken."""
    limits.count_table(address_of(request))
    if all(seat.kind == "bot" for seat in data.seats):
        limits.spend(address_of(request), "table of bots")
    key = browser_key(request) or new_secret()
    return Response(await lobby.make(registry, data, key), status_code=201, cookies=key_cookie(request, key))


@get("/api/tables", opt={"price": "tables"})
async def get_tables(request: Req, registry: Open) -> responses.Summaries:
    """The tables of this browser."""
    return responses.Summaries(await lobby.summaries(registry, browser_key(request)))


@get("/api/public", opt={"price": "tables"})
async def get_public_tables(registry: Open) -> responses.PublicTables:
    """Tables that everybody may join or watch."""
    return responses.PublicTables(await matchmaking.public_tables(registry))


@get("/api/tables/{table:str}", opt={"price": "tables"})
async def get_table(request: Req, table: Name, registry: Open) -> responses.Summary:
    """A table in short."""
    mine = await lobby.held_seats(registry, table, browser_key(request), bearer(request))
    return await lobby.summary_of(registry, table, mine)


@post("/api/tables/{table:str}/join", opt={"price": "seat"})
async def post_join(
    request: Req, table: Name, data: JSONBody[incoming.Join], registry: Open
) -> Response[responses.Joined]:
    """Takes a free seat."""
    key = browser_key(request) or new_secret()
    return Response(await lobby.join(registry, table, data, key), status_code=201, cookies=key_cookie(request, key))


@post("/api/tables/{table:str}/fill", status_code=204, opt={"price": "seat"})
async def post_fill(request: Req, table: Name, data: JSONBody[incoming.Fill], registry: Open) -> None:
    """The computer takes the free seats."""
    held = await lobby.held_seats(registry, table, browser_key(request), bearer(request))
    await matchmaking.fill(registry, table, data.bot, held)


@post("/api/tables/{table:str}/enter", status_code=200, opt={"price": "seat"})
async def post_enter(
    request: Req, table: Name, data: JSONBody[incoming.Enter], registry: Open
) -> Response[responses.Entered]:
    """Comes back to a seat by its link."""
    key = browser_key(request) or new_secret()
    entered = await lobby.enter(registry, table, data.token, key)
    return Response(entered, status_code=200, cookies=key_cookie(request, key))


@post("/api/tables/{table:str}/leave", status_code=204, opt={"price": "seat"})
async def post_leave(request: Req, table: Name, registry: Open) -> None:
    """This browser forgets its seats at a table."""
    key = browser_key(request)
    if key is not None:
        await lobby.leave(registry, table, key)


@post("/api/tables/{table:str}/seats/{seat:int}/link", status_code=200, opt={"price": "seat"})
async def post_link(request: Req, table: Name, seat: FromPath[int], registry: Open) -> responses.TakenSeat:
    """Gives an own seat a new link; the old one opens it no more."""
    key = browser_key(request)
    held = await lobby.held_seats(registry, table, key, bearer(request))
    token = await lobby.replace_link(registry, table, seat, held, key)
    return responses.TakenSeat(seat, token, lobby.link(table, token))


@get("/api/tables/{table:str}/state", opt={"price": "state"})
async def get_state(request: Req, table: Name, registry: Open) -> outgoing.State:
    """What the socket would send now."""
    mine = await lobby.held_seats(registry, table, browser_key(request), bearer(request))
    return await registry.state(table, mine)


@get("/api/tables/{table:str}/replay", opt={"price": "replay", **READY_MADE})
async def get_replay(request: Req, table: Name, registry: Open) -> Response[responses.Replay]:
    """All positions of a game."""
    mine = await lobby.held_seats(registry, table, browser_key(request), bearer(request))
    return await written_beside(request, await records.replay(registry, table, mine))


@get("/api/tables/{table:str}/record", media_type="text/plain", opt={"price": "record"})
async def get_record(
    table: Name, registry: Open, at: Annotated[int | None, QueryParameter(ge=0)] = None
) -> Response[str]:
    """The record of a game, for download."""
    text = await records.record_text(registry, table, at)
    name = f"bastide-{table}.txt"
    return Response(text, media_type="text/plain", headers={"Content-Disposition": f'attachment; filename="{name}"'})


@get("/api/tables/{table:str}/log", opt={"price": "log"})
async def get_log(table: Name, registry: Open) -> responses.Log:
    """Every line of a game that is over, with the proof of its draws."""
    return await records.log_of_table(registry, table)


@get("/api/tables/{table:str}/analysis", opt={"price": "analysis"})
async def get_analysis(table: Name, analyses: Analyses) -> responses.Analysis:
    """What every move of a game that is over was worth. The first who asks waits until it is computed."""
    return await analyses.of(table)


@post("/api/positions", request_max_body_size=ROOM, opt={"price": "position"})
async def post_position(
    request: Req, data: JSONBody[incoming.NewPosition], registry: Open, limits: Limit
) -> responses.StoredPosition:
    """Keeps a position or puzzle."""
    limits.count_table(address_of(request))
    return await records.store_position(registry, data)


@get("/api/positions/{position:str}", opt={"price": "position", **READY_MADE})
async def get_position(request: Req, position: Name, registry: Open) -> Response[responses.Position]:
    """A position that was kept."""
    return await written_beside(request, await records.position(registry, position))


# --- the rest


@get("/api/schema/socket.json", include_in_schema=False, media_type=JSON, opt={**READY_MADE, "price": "catalogue"})
async def get_socket_schema(request: Req) -> Response[bytes]:
    """The JSON schema of all messages of the socket."""
    return (await asyncio.to_thread(socket_schema)).answer(request)


@lru_cache(maxsize=1)
def socket_schema() -> Content:
    """The schema, compressed once."""
    (sent, received), parts = msgspec.json.schema_components(
        (incoming.Incoming, outgoing.Outgoing | Change), ref_template="#/$defs/{name}"
    )
    return Content(msgspec.json.encode({"client": sent, "server": received, "$defs": parts}), JSON).pack()


@get("/healthz")
async def get_health(registry: Open) -> responses.Health:
    """The server can store something, and looks after clocks and bots."""
    await registry.check_health()
    return responses.Health(True)


@get("/metrics/spenders", include_in_schema=False)
async def get_spenders(request: Req, limits: Limit) -> list[responses.Spender]:
    """Who has asked this process for most work; for `bastide admin spenders` on this machine."""
    if not is_local(address_of(request)):
        raise Refusal("token", "figures are shown on the machine itself only")
    return [responses.Spender(client, spent.total(), dict(spent.most_common())) for client, spent in limits.top(SHOWN)]


@get("/metrics", include_in_schema=False, media_type="text/plain")
async def get_metrics(request: Req) -> Response[bytes]:
    """Figures for Prometheus; for this machine only, a web server before it decides who else may see them."""
    if not is_local(address_of(request)):
        raise Refusal("token", "figures are shown on the machine itself only")
    return Response(await asyncio.to_thread(metrics.exposition), media_type="text/plain; version=0.0.4")


@get(["/", "/{path:path}"], include_in_schema=False, opt=READY_MADE)
async def get_page(
    request: Req, page: Page, registry: Open, limits: Limit, path: FromPath[str] = ""
) -> Response[bytes]:
    """A file of the page; other paths are the page's own and show its beginning."""
    name = path.strip("/")
    if name.startswith("api/"):
        raise NotFoundException(detail=f"there is nothing at {path}")
    if name.startswith("engine/"):
        return (await asyncio.to_thread(engine_content, name.removeprefix("engine/"))).answer(request)
    content = page.get(name, page[INDEX])
    table = previews.wants_preview(name, request.headers)
    if table:
        limits.spend(address_of(request), "tables")
        address = f"{'https' if is_secure(request) else 'http'}://{request.headers.get('host', '')}"
        language = request.headers.get("accept-language", "")
        content = await previews.with_preview(content, registry, table, address, language)
    return content.answer(request)


def engine_content(name: str) -> Content:
    """A file of the engine for browsers, with which the page plays where this server cannot be reached."""
    try:
        return engine_contents()[name]
    except (KeyError, NoEngine) as error:
        raise NotFoundException(detail=f"there is no engine for browsers here, or no file {name} of it") from error


@lru_cache(maxsize=1)
def engine_contents() -> dict[str, Content]:
    """All its files."""
    return {name: Content(body, kind_of(name)).pack() for name, body in engine_files().items()}


HANDLERS = [
    get_catalogue,
    get_rules,
    get_rule,
    get_lesson,
    post_choice,
    get_drawings,
    get_picture,
    post_table,
    get_tables,
    get_table,
    post_join,
    post_fill,
    get_public_tables,
    post_enter,
    post_leave,
    post_link,
    get_state,
    get_replay,
    get_record,
    get_log,
    get_analysis,
    post_position,
    get_position,
    get_socket_schema,
    get_health,
    get_spenders,
    get_metrics,
    get_page,
]
