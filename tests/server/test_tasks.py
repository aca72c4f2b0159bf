"""Tasks in the background end, whatever they do."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from bastide.server.tasks import end


def test_a_server_hung_for_ever_because_a_bots_task_lost_its_cancellation() -> None:
    asked = 0

    async def deaf() -> None:
        """Asks again and again, and loses a cancellation on the way, as `wait_for` of Python 3.11 may."""
        nonlocal asked
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        while True:
            asked += 1
            await asyncio.sleep(0.01)

    async def stop() -> bool:
        task = asyncio.create_task(deaf())
        await asyncio.sleep(0)
        await asyncio.wait_for(end([task]), 30)
        return task.cancelled()

    assert asyncio.run(stop())
    assert asked  # the first cancellation was lost


def test_what_a_task_raised_is_not_told_again() -> None:
    told: list[object] = []

    async def fail() -> None:
        raise ValueError("a test")

    async def stop() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
        failing, waiting = asyncio.create_task(fail()), asyncio.create_task(asyncio.sleep(60))
        await asyncio.sleep(0)
        await end([failing, waiting])
        assert waiting.cancelled()
        assert failing.done()

    asyncio.run(stop())
    assert told == []
