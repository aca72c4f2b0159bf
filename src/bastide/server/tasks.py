"""Tasks in the background, and how they end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

AGAIN = 1.0  # seconds until a task that has not ended is cancelled again


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
