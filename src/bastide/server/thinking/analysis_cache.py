"""Analyses of games that are over: made by whoever lets bots think, once for all who ask, and the latest are kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

import msgspec

from bastide.server.api.refusal import Refusal
from bastide.server.api.responses import Analysis
from bastide.server.tables.records import record_text
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.table import OVER
from bastide.server.tasks import begin_shared, end
from bastide.server.thinking.jobs import BotFailed, BotService

KEPT = 100  # analyses in memory
PENDING = 20  # that are computed or wait for it


class AnalysisCache:
    """The analyses that this process knows or has asked for."""

    def __init__(self, registry: TableRegistry, bots: BotService) -> None:
        self.registry = registry
        self.bots = bots
        self._done: OrderedDict[str, Analysis] = OrderedDict()
        self._pending: dict[str, asyncio.Task[Analysis]] = {}

    async def of(self, name: str) -> Analysis:
        """The analysis of a table. Refused while its game goes on, for it would be an aid."""
        async with self.registry.locked(name) as open_table:
            await self.registry.catch_up(open_table)
            if open_table.table.status != OVER:
                raise Refusal("waiting" if open_table.table.game is None else "running")
        if name in self._done:
            self._done.move_to_end(name)
            return self._done[name]
        if name not in self._pending:
            if len(self._pending) >= PENDING:
                raise Refusal("rate", f"{PENDING} games are being analysed; wait a little")
            self._pending[name] = begin_shared(self._make(name))
        return await asyncio.shield(self._pending[name])  # others wait for it too

    async def _make(self, name: str) -> Analysis:
        try:
            text = await self.bots.review(await record_text(self.registry, name, None))
        except BotFailed as failure:
            raise Refusal("unavailable", f"the game could not be analysed: {failure}") from failure
        finally:
            del self._pending[name]
        made = self._done[name] = msgspec.json.decode(text, type=Analysis)
        while len(self._done) > KEPT:
            self._done.popitem(last=False)
        return made

    async def close(self) -> None:
        """Nobody waits any more."""
        await end(self._pending.values())
