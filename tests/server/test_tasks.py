"""Tasks in the background end, whatever they do."""

from __future__ import annotations

import asyncio
import gc
import time
from contextlib import suppress

import pytest

from bastide.server import tasks
from bastide.server.tasks import begin_shared, end, within


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


def test_work_that_fails_after_everybody_has_left_is_no_fault() -> None:
    """An analysis, say, whose reader has closed the page."""
    told: list[object] = []

    async def leave() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
        left = asyncio.Event()

        async def fail() -> None:
            await left.wait()
            raise ValueError("a test")

        task = begin_shared(fail())
        waiting = asyncio.ensure_future(asyncio.shield(task))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        left.set()
        await asyncio.wait([task])
        del task

    asyncio.run(leave())
    gc.collect()
    assert told == []


def test_a_time_limit_does_not_count_while_the_process_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot is not late because its machine was paused."""
    monkeypatch.setattr(tasks, "SLICE", 0.05)

    async def pause() -> str:
        thinking = asyncio.create_task(asyncio.sleep(0.6, "an answer"))
        asyncio.get_running_loop().call_soon(time.sleep, 0.5)
        return await within(0.4, thinking)

    assert asyncio.run(pause()) == "an answer"


def test_a_time_limit_ends_what_goes_on_for_ever() -> None:
    async def wait() -> None:
        waiting = asyncio.ensure_future(asyncio.Event().wait())
        with pytest.raises(TimeoutError):
            await within(0.01, waiting)
        await asyncio.wait([waiting])
        assert waiting.cancelled()

    asyncio.run(wait())
