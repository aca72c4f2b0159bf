"""News between processes through Redis.

Redis only carries news. What it loses is read from the database again, so nothing depends on it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable
from time import monotonic

from litestar.channels.backends.base import ChannelsBackend
from redis.asyncio import Redis
from redis.exceptions import RedisError

from bastide.server.notices import CHANNEL, MISSED, channel_of

RETRY = 0.5  # seconds between two attempts to reach Redis, and between two looks at the database meanwhile
WAIT = 2.0  # seconds for one answer of Redis
SILENT = 2.0  # seconds: every process says twice a second that it lives, so a Redis that is silent for longer hangs
AWAY = (RedisError, OSError, TimeoutError)

log = logging.getLogger("bastide.server")


class SteadyRedis(ChannelsBackend):
    """Publishes and listens through Redis, and goes on when Redis comes back."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(url, socket_timeout=WAIT, socket_connect_timeout=WAIT, socket_keepalive=True)
        self._channel = ""
        self._joined = asyncio.Event()
        self._publish_again = 0.0  # Redis took no news; until this moment it is not tried again
        self._away = False

    def join(self, installation: str) -> None:
        """Speaks and listens to the processes of one installation only."""
        self._channel = channel_of(installation)
        self._joined.set()

    async def on_startup(self) -> None:
        """Connections are made when they are needed."""

    async def on_shutdown(self) -> None:
        """Gives all connections back."""
        await self._redis.aclose()

    async def publish(self, data: bytes, channels: Iterable[str]) -> None:
        """Tells all processes. What Redis does not take is lost; the others notice by the numbers of the notices."""
        if monotonic() < self._publish_again:
            return
        try:
            await self._redis.publish(self._channel, data)
        except AWAY as error:
            self._publish_again = monotonic() + RETRY
            self._note_away(error)

    async def subscribe(self, channels: Iterable[str]) -> None:
        """There is one channel, and it is listened to as soon as the installation is known."""

    async def unsubscribe(self, channels: Iterable[str]) -> None:
        """It is listened to until the process ends."""

    async def get_history(self, channel: str, limit: int | None = None) -> list[bytes]:
        """The database has the history."""
        raise NotImplementedError(f"{channel}: news is not kept")

    async def stream_events(self) -> AsyncGenerator[tuple[str, bytes], None]:
        """All news, for ever; MISSED after every break and as long as it lasts."""
        await self._joined.wait()
        while True:
            try:
                async with self._redis.pubsub() as heard:
                    await heard.subscribe(self._channel)
                    yield CHANNEL, MISSED
                    last = monotonic()
                    while monotonic() - last < SILENT:
                        message = await heard.get_message(ignore_subscribe_messages=True, timeout=RETRY)
                        if message is not None:
                            last = monotonic()
                            self._away = False
                            yield CHANNEL, message["data"]
                self._note_away(TimeoutError(f"nothing was heard for {SILENT:g} seconds, not even from this process"))
            except AWAY as error:
                self._note_away(error)
            await asyncio.sleep(RETRY)
            yield CHANNEL, MISSED

    def _note_away(self, error: Exception) -> None:
        """Written to the log once for each outage."""
        if not self._away:
            log.warning("Redis is away: %s: %s", type(error).__name__, error)
        self._away = True
