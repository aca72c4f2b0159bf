"""Long work is done one piece after the other, and short work does not wait for it."""

from __future__ import annotations

import asyncio
from threading import Event, Lock

from bastide.server.background import in_long_thread, in_thread


def test_whole_games_are_replayed_one_after_the_other() -> None:
    at_work, most, lock = 0, 0, Lock()

    def work(number: int) -> int:
        nonlocal at_work, most
        with lock:
            at_work += 1
            most = max(most, at_work)
        Event().wait(0.01)
        with lock:
            at_work -= 1
        return number

    async def all_at_once() -> list[int]:
        return await asyncio.gather(*(in_long_thread(work, number) for number in range(8)))

    assert asyncio.run(all_at_once()) == list(range(8))
    assert most == 1


def test_short_work_does_not_wait_for_a_whole_game() -> None:
    ended = Event()

    async def both() -> str:
        game = asyncio.create_task(in_long_thread(ended.wait, 60.0))
        answer = await in_thread(lambda: "made")
        assert not game.done()
        ended.set()
        assert await game
        return answer

    assert asyncio.run(both()) == "made"
