"""How long the dearest requests of a stranger hold the loop, in processor time.

    python bench/held.py [TIMES]

`bench/stall.py` measures what others feel, which a busy machine spoils. This sends the same requests straight to the
application (ASGI) and tells the longest step of the loop while they are answered: for so long nobody else is served.
What runs in threads and processes meanwhile is not counted.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from asyncio import events
from pathlib import Path
from time import thread_time
from typing import Any

from httpx import ASGITransport, AsyncClient
from stall import HUMANS, long_game, requests

from bastide.server.app import create_app
from bastide.server.settings import Settings

longest = 0.0
run_one = events.Handle._run


def run_measured(handle: Any) -> None:
    """One step of the loop, with its time."""
    global longest
    begun = thread_time()
    run_one(handle)
    longest = max(longest, thread_time() - begun)


async def measure(times: int) -> None:
    """All kinds of requests, one after the other."""
    global longest
    record = long_game(8, preset="everything")
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(database=f"{folder}/tables.sqlite3", page=Path("/nonexistent")))
        transport = ASGITransport(app)  # type: ignore[arg-type]
        async with app.lifespan(), AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=60) as client:
            await client.post("/api/tables", json={"seats": HUMANS})
            position = (await client.post("/api/positions", json={"record": record})).json()["position"]
            for name, ask in requests(position, record).items():
                held = []
                for n in range(times):
                    method, path, body = ask(n)
                    longest = 0.0
                    if method:
                        await client.request(method, path, json=body)
                    else:
                        await asyncio.sleep(0.5)
                    held.append(1000 * longest)
                held.sort()
                print(f"{name}: median {held[times // 2]:.1f} ms, longest {held[-1]:.1f} ms", flush=True)


if __name__ == "__main__":
    events.Handle._run = run_measured  # type: ignore[method-assign, assignment]
    asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 10))
