"""What a messenger shows of a link to a table: Open Graph tags in the head of the page.

Browsers do not need them: they say how they fetch (`Sec-Fetch-Mode`), and get the page as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from importlib.util import find_spec

import msgspec

from bastide.art.png import png
from bastide.errors import BastideError
from bastide.rules.registry import find
from bastide.rules.texts import describe
from bastide.server.api import responses
from bastide.server.api.refusal import Refusal
from bastide.server.content import pictures
from bastide.server.content.drawings import from_cache
from bastide.server.content.pages import Content
from bastide.server.tables import lobby
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.setup import Setup

TABLE = re.compile(r"table/([a-z0-9]{12})")
WIDE, HIGH = 1200, 720  # pixels of the picture
HEAD_ENDS = b"</head>"
WORDS = {
    "en": {
        "invites": "{name} invites you to play",
        "free": "A seat is free at this table",
        "running": "A game of {names}",
        "over": "A game of {names}, finished",
    },
    "fr": {
        "invites": "{name} vous invite à jouer",
        "free": "Une place est libre à cette table",
        "running": "Une partie de {names}",
        "over": "Une partie de {names}, terminée",
    },
}


def wants_preview(name: str, headers: Mapping[str, str]) -> str:
    """The table that a link is about, if a program asks what it shows; "" for browsers and other pages."""
    found = TABLE.fullmatch(name)
    return found[1] if found and "sec-fetch-mode" not in headers else ""


async def with_preview(page: Content, registry: TableRegistry, table: str, address: str, language: str) -> Content:
    """The page with tags about a table; as it is where there is no such table."""
    spoken = "fr" if language.lower().startswith("fr") else "en"
    try:
        listed = await registry.store.listed(table)
        played = describe(msgspec.json.decode(listed.row.setup, type=Setup).choice(), spoken)
    except (Refusal, BastideError):  # no such table, or a box that is not here any more
        return page
    summary = lobby.summary(registry, listed, ())
    tags = "".join(
        f'<meta property="og:{name}" content="{escape(value)}" />\n'
        for name, value in tags_of(summary, str(played), address, spoken).items()
    )
    return Content(page.body.replace(HEAD_ENDS, tags.encode() + HEAD_ENDS, 1), page.kind, page.cache)


def tags_of(summary: responses.Summary, played: str, address: str, language: str) -> dict[str, str]:
    """The tags: who plays or invites, which boxes, edition and house rules, a landscape of the last box."""
    words = WORDS[language]
    named = [seat.name for seat in summary.seats if seat.kind == "human" and seat.name != seat.colour]
    if summary.status == "waiting":
        title = words["invites"].format(name=named[0]) if named else words["free"]
    else:
        title = words[summary.status].format(names=", ".join(named) or "Bastide")
    tags = {
        "type": "website",
        "site_name": "Bastide",
        "url": f"{address}/table/{summary.table}",
        "title": summary.title or title,
        "description": played,
    }
    if summary.title:
        tags["description"] = f"{title}. {tags['description']}"
    if find_spec("resvg_py"):
        tags |= {
            "image": f"{address}/api/pictures/{boxes_of(summary)[-1]}.png",
            "image:type": "image/png",
            "image:width": str(WIDE),
            "image:height": str(HIGH),
        }
    return tags


def boxes_of(summary: responses.Summary) -> list[str]:
    """The modules of a table, as people see them: a game of its own stands alone."""
    alone = [module for module in summary.modules if find(module).standalone]
    return alone or list(summary.modules)


@lru_cache(maxsize=16)
def preview_png(module: str) -> bytes:
    """The landscape of a module in pixels; messengers show no SVG."""
    return from_cache(f"preview {module}", lambda: png(pictures.picture(module, "day").decode(), WIDE))
