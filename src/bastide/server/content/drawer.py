"""Draws what is in play: once for all that looks the same, one at a time, in a process of its own."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

import msgspec

from bastide.art.theme import themes
from bastide.errors import OptionError
from bastide.rules import Rules
from bastide.server.api.refusal import Refusal
from bastide.server.content.drawings import KEPT, choice_of, draw_file, look_of, read_cached, write_cached
from bastide.server.content.pages import JSON, SVG, Content
from bastide.server.tasks import begin_shared
from bastide.server.thinking.bots import PATIENT, ProcessPool
from bastide.server.thinking.jobs import BotFailed

SECONDS = 120.0  # for one drawing
RULES = 256  # choices of rules that are remembered


class Drawer:
    """Keeps drawings in memory and on the disk, and makes those that are not there."""

    def __init__(self) -> None:
        self._pool = ProcessPool(1, PATIENT)
        self._contents: OrderedDict[str, Content] = OrderedDict()
        self._under_way: dict[str, asyncio.Task[Content]] = {}
        self._rules: OrderedDict[tuple[str, str, str], Rules] = OrderedDict()  # by the words of an address

    def known_rules(self, edition: str, modules: str, options: str) -> Rules | None:
        """The rules that an address names, if somebody has asked for them lately."""
        return self._rules.get((edition, modules, options))

    def remember_rules(self, rules: Rules, edition: str, modules: str, options: str) -> None:
        """Finding them again would be dear."""
        self._rules[edition, modules, options] = rules
        while len(self._rules) > RULES:
            self._rules.popitem(last=False)

    async def find(self, rules: Rules, file: str) -> Content | None:
        """A file of drawings that was made before, or is being made; nothing if it must be drawn."""
        name = name_of(rules, file)
        if name in self._contents:
            self._contents.move_to_end(name)
            return self._contents[name]
        if name in self._under_way:
            return await asyncio.shield(self._under_way[name])
        body = await asyncio.to_thread(read_cached, name)
        return None if body is None else await self._keep(name, file, body)

    async def draw(self, rules: Rules, file: str) -> Content:
        """A file of drawings; whoever asks for it meanwhile gets the same."""
        if file != "data.json" and file.removesuffix(".svg") not in themes():
            raise OptionError(f"unknown theme {file.removesuffix('.svg')!r}; there are {', '.join(themes())}")
        name = name_of(rules, file)
        if name not in self._under_way:
            task = self._under_way[name] = begin_shared(self._draw(name, rules, file))
            task.add_done_callback(lambda _: self._under_way.pop(name))
        return await asyncio.shield(self._under_way[name])

    async def _draw(self, name: str, rules: Rules, file: str) -> Content:
        try:
            text = await self._pool.ask(draw_file, msgspec.json.encode({**choice_of(rules), "file": file}), SECONDS)
        except BotFailed as failure:
            raise Refusal("unavailable", f"this could not be drawn: {failure}") from failure
        body = text.encode()
        await asyncio.to_thread(write_cached, name, body)
        return await self._keep(name, file, body)

    async def _keep(self, name: str, file: str, body: bytes) -> Content:
        """In memory, compressed once."""
        content = await asyncio.to_thread(Content(body, JSON if file == "data.json" else SVG).pack)
        self._contents[name] = content
        while len(self._contents) > 2 * KEPT:
            self._contents.popitem(last=False)
        return content

    def close(self) -> None:
        """Nobody asks any more."""
        self._pool.close()


def name_of(rules: Rules, file: str) -> str:
    """Under which name a drawing is kept: the same for all rules that look the same."""
    return f"{look_of(rules)} {file}"
