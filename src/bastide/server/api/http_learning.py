"""The HTTP part of learning (docs/protocol.md): the rules in pictures, puzzles from the collection and from games."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter

from bastide.server.api.http import READY_MADE, Analyses, Name, Open, Req, Word, bearer
from bastide.server.api.origins import browser_key
from bastide.server.content import puzzles, rule_pictures
from bastide.server.content.pages import JSON, Content
from bastide.server.tables import lobby

Seat = Annotated[int | None, QueryParameter(ge=0, le=7)]


@get("/api/puzzles", opt={**READY_MADE, "price": "catalogue"}, media_type=JSON)
async def get_puzzles(request: Req) -> Response[bytes]:
    """The collection of puzzles: name, module and level of each."""
    return list_content().answer(request)


@lru_cache(maxsize=1)
def list_content() -> Content:
    """The list, compressed once."""
    return Content(puzzles.listed(), JSON)


@get("/api/puzzles/{puzzle:str}", opt={**READY_MADE, "price": "catalogue"}, media_type=JSON)
async def get_puzzle(request: Req, puzzle: Name) -> Response[bytes]:
    """One puzzle, with what every answer is worth."""
    return puzzle_content(puzzle).answer(request)


@lru_cache(maxsize=128)
def puzzle_content(name: str) -> Content:
    """A puzzle, compressed once."""
    return Content(puzzles.puzzle_called(name), JSON)


@get("/api/tables/{table:str}/puzzles", opt={"price": "analysis"}, media_type=JSON)
async def get_table_puzzles(
    request: Req, table: Name, registry: Open, analyses: Analyses, seat: Seat = None
) -> list[dict[str, Any]]:
    """The three dearest turns of a seat (by default one's own) in a game that is over, each as a puzzle."""
    mine = await lobby.held_seats(registry, table, browser_key(request), bearer(request))
    return await puzzles.of_table(registry, analyses, table, mine, seat)


@get("/api/rulepages/{module:str}", opt={**READY_MADE, "price": "picture"}, media_type=JSON)
async def get_rule_page(request: Req, module: Name, theme: Word = "day") -> Response[bytes]:
    """The rules of a module in pictures."""
    return (await asyncio.to_thread(rule_page_content, module, theme)).answer(request)


@lru_cache(maxsize=64)
def rule_page_content(module: str, theme: str) -> Content:
    """The pictures, compressed once."""
    return Content(rule_pictures.page_of(module, theme), JSON).pack()


HANDLERS = [get_rule_page, get_puzzles, get_puzzle, get_table_puzzles]
