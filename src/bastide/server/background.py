"""Work that takes long, done in threads: one piece after the other, so that the loop waits for one thread at most."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

SWITCH = 0.0005  # seconds for which a thread may keep the interpreter while the loop wants it

Given = ParamSpec("Given")
Found = TypeVar("Found")

# Whole games are replayed in a line of their own: whoever makes a table does not wait for them.
_short = ThreadPoolExecutor(1, "short")
_long = ThreadPoolExecutor(1, "long")


def share_interpreter() -> None:
    """Threads give way to the loop soon."""
    sys.setswitchinterval(SWITCH)


async def in_thread(work: Callable[Given, Found], *given: Given.args, **named: Given.kwargs) -> Found:
    """What this work comes to; it should take some ms."""
    return await asyncio.get_running_loop().run_in_executor(_short, lambda: work(*given, **named))


async def in_long_thread(work: Callable[Given, Found], *given: Given.args, **named: Given.kwargs) -> Found:
    """The same for work that plays a whole game."""
    return await asyncio.get_running_loop().run_in_executor(_long, lambda: work(*given, **named))
