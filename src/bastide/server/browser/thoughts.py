"""What takes long: bots, analyses, drawings. Another worker does it, so that a table never waits for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

import msgspec

from bastide.bots import levels
from bastide.bots.budget import Budget
from bastide.bots.thinkers import SearchBot
from bastide.server.content.drawings import draw_file
from bastide.server.content.rule_pictures import draw_page
from bastide.server.thinking.jobs import BotFailed, Job, answer_job, review_record

MASTER = 6  # the level that searches; all below it are as strong here as on a server
MASTER_MS = 3000  # on a server one; the engine of a browser is not compiled and judges a tenth of the positions


def think_by_time() -> None:
    """The master searches for longer, and yet plays weaker than on a server (docs/how-strong.md)."""
    levels.LEVELS[MASTER] = lambda seed: SearchBot(seed, Budget(ms=MASTER_MS))


THOUGHTS: Mapping[str, Callable[[bytes], str]] = {
    "choose": answer_job,
    "review": review_record,
    "draw": draw_file,
    "pictures": draw_page,
}


def think(kind: str, data: str) -> str:
    """Runs in the worker that thinks."""
    return THOUGHTS[kind](data.encode())


class Thinker(Protocol):
    """The other worker. What it cannot do, and what was stopped, raises an exception that says why."""

    def ask(self, kind: str, data: str) -> Awaitable[str]: ...
    def stop(self, data: str) -> None: ...


class WorkerBots:
    """Bots that think in the other worker, one question after the other."""

    def __init__(self, thinker: Thinker) -> None:
        self._thinker = thinker
        self._jobs: dict[str, Job] = {}  # by table

    async def choose(self, job: Job) -> str:
        """The action that the bot chooses; BotFailed if it fails or is stopped."""
        self._jobs[job.table] = job
        try:
            return await self.ask("choose", text_of(job))
        finally:
            if self._jobs.get(job.table) is job:
                del self._jobs[job.table]

    async def review(self, record: str) -> str:
        """The analysis of a record, as JSON."""
        return await self.ask("review", record)

    async def ask(self, kind: str, data: str) -> str:
        """Anything that takes long."""
        try:
            return await self._thinker.ask(kind, data)
        except Exception as error:
            raise BotFailed(str(error)) from error

    def moved_on(self, table: str, seq: int) -> None:
        """A table has another line: whoever still thinks about the one before is stopped."""
        job = self._jobs.get(table)
        if job is not None and job.seq != seq:
            del self._jobs[table]
            self._thinker.stop(text_of(job))

    async def close(self) -> None:
        """Nobody asks any more."""


def text_of(job: Job) -> str:
    """A question as the other worker gets it."""
    return msgspec.json.encode(job).decode()
