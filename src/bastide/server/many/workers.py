"""Bots in workers: servers put questions into a queue of SAQ in Redis, `bastide work` answers them.

SAQ and not arq: it is being developed (arq is in maintenance only), finds jobs whose worker died by their missing
heartbeats, and takes a second question with the same key for the same one.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

import msgspec
from redis.exceptions import RedisError
from saq import Queue, Status, Worker
from saq.job import UNSUCCESSFUL_TERMINAL_STATUSES

from bastide.server.thinking import BotFailed, Job, Thinkers

QUEUE = "bastide"
LOOK = 0.03  # seconds between two looks for an answer
HEARTBEAT = 2  # seconds after which a worker that says nothing is dead
RETRY = 0.5  # seconds until the question is put again
KEPT = 60  # seconds for which an answer is kept

log = logging.getLogger("bastide.server")


class Workers:
    """Asks workers, as long as it takes to find one that lives."""

    def __init__(self, redis: str, seconds: float) -> None:
        self.seconds = seconds
        self._queue = Queue.from_url(redis, name=QUEUE)

    async def choose(self, job: Job) -> str:
        """The action that the bot chooses; BotFailed if it crashes or nobody answers in time."""
        try:
            async with asyncio.timeout(self.seconds):
                attempt = 0
                while True:
                    with suppress(RedisError, OSError):
                        answer = await self._ask(job, f"{job.table}:{job.seq}:{attempt}")
                        if answer is not None:
                            return answer
                        attempt += 1
                    await asyncio.sleep(RETRY)
        except TimeoutError as late:
            raise BotFailed(f"no answer within {self.seconds:g} seconds") from late

    async def _ask(self, job: Job, key: str) -> str | None:
        """The answer to a question that is put under this key; None if it was lost or its worker died."""
        data = msgspec.json.encode(job).decode()
        await self._queue.enqueue("think", key=key, data=data, timeout=int(self.seconds), heartbeat=HEARTBEAT, ttl=KEPT)
        while True:
            found = await self._queue.job(key)
            if found is None or found.stuck or found.status == Status.ABORTED:
                return None
            if found.status == Status.COMPLETE:
                return read_answer(found.result)
            if found.status in UNSUCCESSFUL_TERMINAL_STATUSES:
                raise BotFailed((found.error or "").strip().rpartition("\n")[2])
            await asyncio.sleep(LOOK)

    async def close(self) -> None:
        """Gives the connections back."""
        await self._queue.disconnect()


def read_answer(result: dict[str, str]) -> str:
    """The action that a worker sent, or why there is none."""
    if "failure" in result:
        raise BotFailed(result["failure"])
    return result["action"]


async def think(context: dict[str, Any], *, data: str) -> dict[str, str]:
    """Runs in a worker: asks a bot, and shows meanwhile that the worker lives."""
    beating = asyncio.create_task(beat(context["job"]))
    try:
        return {"action": await context["thinkers"].choose(msgspec.json.decode(data, type=Job))}
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
    thinkers = Thinkers(bots, seconds)

    async def startup(context: dict[str, Any]) -> None:
        context["thinkers"] = thinkers

    worker: Worker[Any] = Worker(
        Queue.from_url(redis, name=QUEUE),
        functions=[think],
        concurrency=bots,
        startup=startup,
        timers={"sweep": 1, "schedule": 1, "abort": 1, "worker_info": 10},
        dequeue_timeout=1.0,
    )
    try:
        await worker.start()
    finally:
        await thinkers.close()
