"""The HTTP part of the protocol (docs/protocol.md) without HTTP: a method, a path and a body are answered."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from bastide.errors import BastideError
from bastide.server.api import incoming, responses
from bastide.server.api.incoming import NESTED
from bastide.server.api.refusal import Refusal
from bastide.server.browser.links import content_of, name_of
from bastide.server.content import catalogue, lessons, puzzles
from bastide.server.tables import lobby, matchmaking, records
from bastide.server.tables.registry import TableRegistry
from bastide.server.thinking.analysis_cache import AnalysisCache

KEY = "this browser"  # all tables here are its own
JSON, TEXT, SVG = "application/json", "text/plain; charset=utf-8", "image/svg+xml"

Body = TypeVar("Body")
encode = msgspec.json.Encoder().encode


@dataclass(frozen=True)
class Request:
    """What is asked."""

    words: tuple[str, ...]  # of the path, where a route has none
    query: dict[str, str]
    body: str

    def read(self, kind: type[Body]) -> Body:
        """The body; refused if it has another form."""
        try:
            return msgspec.json.decode(self.body, type=kind)
        except msgspec.DecodeError as error:
            raise Refusal("shape", str(error)) from error
        except RecursionError as error:
            raise Refusal("shape", NESTED) from error


@dataclass(frozen=True)
class Answer:
    """What is answered, as the page would get it over HTTP."""

    status: int
    kind: str
    text: str


class Http:
    """Answers requests of the page."""

    def __init__(
        self, registry: TableRegistry, analyses: AnalysisCache, draw: Callable[[str, str], Awaitable[str]]
    ) -> None:
        """`draw` makes a file of drawings (`day.svg`) for an address of drawings."""
        self._registry = registry
        self._analyses = analyses
        self._draw = draw
        table = r"/api/tables/(\w+)"
        self._routes: list[tuple[str, str, Callable[[Request], Awaitable[Any]]]] = [
            ("GET", "/api/catalogue", self._catalogue),
            ("GET", "/api/rules", self._rules),
            ("GET", r"/api/rules/([\w-]+)", self._rule),
            ("GET", r"/api/lessons/(\w+)", self._lesson),
            ("GET", r"/api/rulepages/(\w+)", self._rule_page),
            ("GET", "/api/puzzles", self._puzzles),
            ("GET", r"/api/puzzles/(\w+)", self._puzzle),
            ("POST", "/api/choice", self._choice),
            ("GET", r"/api/drawings/([\w.]+)", self._drawing),
            ("GET", "/api/tables", self._tables),
            ("POST", "/api/tables", self._make),
            ("GET", "/api/public", self._public),
            ("GET", table, self._summary),
            ("POST", f"{table}/join", self._join),
            ("POST", f"{table}/fill", self._fill),
            ("POST", f"{table}/enter", self._enter),
            ("POST", f"{table}/leave", self._leave),
            ("GET", f"{table}/state", self._state),
            ("GET", f"{table}/replay", self._replay),
            ("GET", f"{table}/record", self._record),
            ("GET", f"{table}/log", self._log),
            ("GET", f"{table}/analysis", self._analysis),
            ("GET", f"{table}/puzzles", self._table_puzzles),
            ("POST", "/api/positions", self._keep_position),
            ("GET", r"/api/positions/([\w-]+)", self._position),
        ]

    async def answer(self, method: str, address: str, body: str) -> Answer:
        """Answers one request; what is refused is an answer too."""
        parts = urlsplit(address)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        try:
            for wanted, path, handle in self._routes:
                match = re.fullmatch(path, parts.path)
                if match is not None and wanted == method:
                    return answer_of(await handle(Request(tuple(map(unquote, match.groups())), query, body)))
            return Answer(404, JSON, encode(responses.Problem("shape", f"there is nothing at {parts.path}")).decode())
        except (Refusal, BastideError) as error:
            refusal = error if isinstance(error, Refusal) else Refusal.of(error)
            problem = responses.Problem(refusal.code, refusal.message, refusal.reason)
            return Answer(refusal.status, JSON, encode(problem).decode())

    # --- what can be played
    async def _catalogue(self, _: Request) -> bytes:
        return catalogue.catalogue()

    async def _rules(self, request: Request) -> list[responses.Rule]:
        modules = [name for name in request.query.get("modules", "").split(",") if name]
        return catalogue.rules_of(modules, request.query.get("language", "en"))

    async def _rule(self, request: Request) -> responses.Rule:
        return catalogue.rule_of(request.words[0], request.query.get("language", "en"))

    async def _lesson(self, request: Request) -> bytes:
        return lessons.lesson_of(request.words[0])

    async def _rule_page(self, request: Request) -> Answer:
        wanted = {"module": request.words[0], "theme": request.query.get("theme", "day")}
        return Answer(200, JSON, await self._draw("pictures", encode(wanted).decode()))

    async def _puzzles(self, _: Request) -> bytes:
        return puzzles.listed()

    async def _puzzle(self, request: Request) -> bytes:
        return puzzles.puzzle_called(request.words[0])

    async def _table_puzzles(self, request: Request) -> list[dict[str, Any]]:
        seat = request.query.get("seat")
        mine = await self._mine(request)
        wanted = None if seat is None else int(seat)
        return await puzzles.of_table(self._registry, self._analyses, request.words[0], mine, wanted)

    async def _choice(self, request: Request) -> responses.Chosen:
        return catalogue.resolve_choice(request.read(incoming.WantedRules))

    async def _drawing(self, request: Request) -> Answer:
        file, query = request.words[0], request.query
        wanted = {name: query.get(name, "") for name in ("edition", "modules", "options")}
        text = await self._draw("draw", encode({**wanted, "file": file}).decode())
        return Answer(200, JSON if file.endswith(".json") else SVG, text)

    # --- tables
    async def _tables(self, _: Request) -> responses.Summaries:
        return responses.Summaries(await lobby.summaries(self._registry, KEY))

    async def _make(self, request: Request) -> responses.MadeTable:
        """A position comes as its link, which is longer than a name on a server: it is unfolded first."""
        wish = request.read(dict[str, Any])
        if wish.get("position"):
            kept = content_of(str(wish.pop("position")))
            wish |= {"record": kept.record, "draws": kept.draws, "title": wish.get("title") or kept.title}
        wanted = Request((), {}, encode(wish).decode()).read(incoming.NewTable)
        return await lobby.make(self._registry, wanted, KEY)

    async def _public(self, _: Request) -> responses.PublicTables:
        return responses.PublicTables(await matchmaking.public_tables(self._registry))

    async def _mine(self, request: Request) -> list[int]:
        return await lobby.held_seats(self._registry, request.words[0], KEY, "")

    async def _summary(self, request: Request) -> responses.Summary:
        return await lobby.summary_of(self._registry, request.words[0], await self._mine(request))

    async def _join(self, request: Request) -> responses.Joined:
        return await lobby.join(self._registry, request.words[0], request.read(incoming.Join), KEY)

    async def _fill(self, request: Request) -> None:
        bot = request.read(incoming.Fill).bot
        await matchmaking.fill(self._registry, request.words[0], bot, await self._mine(request))

    async def _enter(self, request: Request) -> responses.Entered:
        return await lobby.enter(self._registry, request.words[0], request.read(incoming.Enter).token, KEY)

    async def _leave(self, request: Request) -> None:
        """A table that nobody has any more is forgotten; one that cannot be read can only be that."""
        name, store = request.words[0], self._registry.store
        try:
            await lobby.leave(self._registry, name, KEY)
            held = await store.key_holders(name)
        except Refusal as refusal:
            if refusal.code != "unreadable":
                raise
            held = []
        if not held:
            await store.remove(name)

    async def _state(self, request: Request) -> Any:
        return await self._registry.state(request.words[0], await self._mine(request))

    async def _replay(self, request: Request) -> responses.Replay:
        return await records.replay(self._registry, request.words[0], await self._mine(request))

    async def _record(self, request: Request) -> str:
        at = request.query.get("at")
        return await records.record_text(self._registry, request.words[0], None if at is None else int(at))

    async def _log(self, request: Request) -> responses.Log:
        return await records.log_of_table(self._registry, request.words[0])

    async def _analysis(self, request: Request) -> responses.Analysis:
        return await self._analyses.of(request.words[0])

    # --- positions
    async def _keep_position(self, request: Request) -> responses.StoredPosition:
        wanted = request.read(incoming.NewPosition)
        await records.store_position(self._registry, wanted)  # refuses what cannot be played
        name = name_of(wanted)
        return responses.StoredPosition(name, f"/position/{name}")

    async def _position(self, request: Request) -> responses.Position:
        return await records.position(self._registry, request.words[0])


def answer_of(found: Any) -> Answer:
    """What a handler returned, for the page."""
    match found:
        case Answer():
            return found
        case None:
            return Answer(204, JSON, "")
        case str():
            return Answer(200, TEXT, found)
        case bytes():
            return Answer(200, JSON, found.decode())
    return Answer(200, JSON, encode(found).decode())
