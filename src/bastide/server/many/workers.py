"""Bots in workers: servers put questions into queues of SAQ in Redis, `bastide work` answers them.

Games to be analysed have a queue of their own, so that no bot waits behind one.

SAQ and not arq: it is being developed (arq is in maintenance only), finds jobs whose worker died by their missing
heartbeats, and takes a second question with the same key for the same one.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any

import msgspec
from redis.exceptions import RedisError
from saq import Queue, Status, Worker
from saq.job import UNSUCCESSFUL_TERMINAL_STATUSES

from bastide.server.tables.notices import short_name
from bastide.server.thinking.bots import LocalBots
from bastide.server.thinking.jobs import BotFailed, Job

QUEUE = "bastide"
REVIEWS = "bastide-analysis"
LOOK = 0.03  # seconds between two looks for an answer
HEARTBEAT = 2  # seconds after which a worker that says nothing is dead
RETRY = 0.5  # seconds until the question is put again
KEPT = 60  # seconds for which an answer is kept

log = logging.getLogger("bastide.server")


class WorkerBots:
    """Asks workers, as long as it takes to find one that lives."""

    def __init__(self, redis: str, seconds: float) -> None:
        self.seconds = seconds
        self._installation = ""
        self._bots = Queue.from_url(redis, name=QUEUE)
        self._reviews = Queue.from_url(redis, name=REVIEWS)

    def join(self, installation: str) -> None:
        """Questions of one installation are told apart from those of others with the same Redis, and of copies."""
        self._installation = short_name(installation)

    async def choose(self, job: Job) -> str:
        """The action that the bot chooses; BotFailed if it crashes or thinks too long. It waits for a worker."""
        key = f"{self._installation}:{job.table}:{job.seq}"
        return await self._answer(self._bots, "think", msgspec.json.encode(job).decode(), key)

    async def review(self, record: str) -> str:
        """The analysis of a record, as JSON; who asks for the same one meanwhile gets the same answer."""
        key = hashlib.sha256(record.encode()).hexdigest()
        try:
            async with asyncio.timeout(self.seconds):
                return await self._answer(self._reviews, "analyse", record, key)
        except TimeoutError as late:
            raise BotFailed(f"no answer within {self.seconds:g} seconds") from late

    async def _answer(self, queue: Queue, function: str, data: str, key: str) -> str:
        """Asks until a worker that lives has answered. The worker counts the time, from when it begins."""
        attempt = 0
        while True:
            with suppress(RedisError, OSError):
                answer = await self._ask(queue, function, data, f"{key}:{attempt}")
                if answer is not None:
                    return answer
                attempt += 1
            await asyncio.sleep(RETRY)

    async def _ask(self, queue: Queue, function: str, data: str, key: str) -> str | None:
        """The answer to a question that is put under this key; None if it was lost or its worker died."""
        await queue.enqueue(function, key=key, data=data, timeout=2 * int(self.seconds), heartbeat=HEARTBEAT, ttl=KEPT)
        while True:
            found = await queue.job(key)
            if found is None or found.stuck or found.status == Status.ABORTED:
                return None
            if found.status == Status.COMPLETE:
                return read_answer(found.result)
            if found.status in UNSUCCESSFUL_TERMINAL_STATUSES:
                raise BotFailed((found.error or "").strip().rpartition("\n")[2])
            await asyncio.sleep(LOOK)

    async def close(self) -> None:
        """Gives the connections back."""
        await self._bots.disconnect()
        await self._reviews.disconnect()


def read_answer(result: dict[str, str]) -> str:
    """What a worker sent, or why there is nothing."""
    if "failure" in result:
        raise BotFailed(result["failure"])
    return result["answer"]


async def think(context: dict[str, Any], *, data: str) -> dict[str, str]:
    """Runs in a worker: asks a bot."""
    return await run_with_heartbeat(context, context["bots_here"].choose(msgspec.json.decode(data, type=Job)))


async def analyse(context: dict[str, Any], *, data: str) -> dict[str, str]:
    """Runs in a worker: judges a game."""
    return await run_with_heartbeat(context, context["bots_here"].review(data))


async def run_with_heartbeat(context: dict[str, Any], thinking: Awaitable[str]) -> dict[str, str]:
    """What comes of it; meanwhile it is shown that the worker lives."""
    beating = asyncio.create_task(beat(context["job"]))
    try:
        return {"answer": await thinking}
    except BotFailed as failure:
        return {"failure": str(failure)}
    finally:
        beating.cancel()


async def beat(job: Any) -> None:
    """Says again and again that a question is being thought about."""
    while True:
        await asyncio.sleep(HEARTBEAT / 4)
        with suppress(RedisError, OSError):
            await job.update()


async def work(redis: str, bots: int, seconds: float) -> None:
    """Answers questions until it is told to stop."""
    bots_here = LocalBots(bots, seconds)

    async def startup(context: dict[str, Any]) -> None:
        context["bots_here"] = bots_here

    common: dict[str, Any] = {
        "startup": startup,
        "timers": {"sweep": 1, "schedule": 1, "abort": 1, "worker_info": 10},
        "dequeue_timeout": 1.0,
    }
    moves: Worker[Any] = Worker(Queue.from_url(redis, name=QUEUE), [think], concurrency=bots, **common)
    reviews: Worker[Any] = Worker(Queue.from_url(redis, name=REVIEWS), [analyse], concurrency=1, **common)
    reviews.SIGNALS = []  # the worker beside it hears them, and ends both
    try:
        async with asyncio.TaskGroup() as both:
            reviewing = both.create_task(reviews.start())
            await moves.start()
            reviewing.cancel()
    finally:
        await bots_here.close()
