"""Tasks in the background, and how they end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Iterable
from typing import Any, TypeVar

SLICE = 1.0  # seconds of a time limit that are counted at once

Result = TypeVar("Result")

AGAIN = 1.0  # seconds until a task that has not ended is cancelled again


def begin_shared(work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
    """A task for which several may wait, each behind `shield`. If all have left, nobody is told that it failed."""
    task = asyncio.create_task(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return task


async def within(seconds: float, work: Awaitable[Result]) -> Result:
    """What this comes to. TimeoutError after so many seconds in which this process ran: it may have stood still."""
    waiting = asyncio.ensure_future(work)
    try:
        while seconds > 0:
            done, _ = await asyncio.wait({waiting}, timeout=min(SLICE, seconds))
            if done:
                return waiting.result()
            seconds -= SLICE
    finally:
        waiting.cancel()
    raise TimeoutError


async def end(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancels tasks until all of them have ended. What came of them is not raised.

    Once may not be enough: a cancellation that comes together with an answer is lost in `wait_for` of Python 3.11.
    """
    tasks = list(tasks)
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=AGAIN)
    await asyncio.gather(*tasks, return_exceptions=True)  # errors have been seen, so that nobody is told of them later
