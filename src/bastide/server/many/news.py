"""News between processes through Redis.

Redis only carries news. What it loses while it is away is read from the database again, so nothing depends on it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable

from litestar.channels.backends.base import ChannelsBackend
from redis.asyncio import Redis
from redis.exceptions import RedisError

from bastide.server.notices import CHANNEL, MISSED

RETRY = 0.5  # seconds between two attempts to reach Redis, and between two looks at the database meanwhile
WAIT = 5.0  # seconds for one answer of Redis

log = logging.getLogger("bastide.server")


class SteadyRedis(ChannelsBackend):
    """Publishes and listens through Redis, and goes on when Redis comes back."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(url, socket_timeout=WAIT)
        self._channels: set[str] = set()
        self._untold = False  # was something lost that others wait for?

    async def on_startup(self) -> None:
        """Connections are made when they are needed."""

    async def on_shutdown(self) -> None:
        """Gives all connections back."""
        await self._redis.aclose()

    async def publish(self, data: bytes, channels: Iterable[str]) -> None:
        """Tells all processes. What Redis did not take is made up for as soon as it takes something again."""
        try:
            for channel in channels:
                if self._untold:
                    await self._redis.publish(channel, MISSED)
                self._untold = False
                await self._redis.publish(channel, data)
        except (RedisError, OSError) as error:
            self._untold = True
            log.warning("Redis takes no news: %s", error)

    async def subscribe(self, channels: Iterable[str]) -> None:
        """To be listened to from now on."""
        self._channels.update(channels)

    async def unsubscribe(self, channels: Iterable[str]) -> None:
        """Not to be listened to any more."""
        self._channels.difference_update(channels)

    async def get_history(self, channel: str, limit: int | None = None) -> list[bytes]:
        """The database has the history."""
        raise NotImplementedError

    async def stream_events(self) -> AsyncGenerator[tuple[str, bytes], None]:
        """All news, for ever; MISSED after every break and as long as it lasts."""
        while True:
            try:
                async with self._redis.pubsub() as heard:
                    await heard.subscribe(CHANNEL)
                    yield CHANNEL, MISSED
                    while True:
                        message = await heard.get_message(ignore_subscribe_messages=True, timeout=1.0)
                        if message is not None and CHANNEL in self._channels:
                            yield CHANNEL, message["data"]
            except (RedisError, OSError) as error:
                log.warning("Redis is away: %s", error)
            await asyncio.sleep(RETRY)
            yield CHANNEL, MISSED
