"""News between processes through Redis.

Redis only carries news. What it loses is read from the database again, so nothing depends on it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from bastide.server.tables.notices import ALL, MISSED, Hearer, channel_of
from bastide.server.tasks import end

RETRY = 0.5  # seconds between two attempts to reach Redis, and between two looks at the database meanwhile
WAIT = 2.0  # seconds for one answer of Redis
SILENT = 2.0  # seconds: every process says twice a second that it lives, so a Redis that is silent for longer hangs
AWAY = (RedisError, OSError, TimeoutError)

log = logging.getLogger("bastide.server")


class RedisNews:
    """Publishes and listens through Redis, and goes on when Redis comes back."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(url, socket_timeout=WAIT, socket_connect_timeout=WAIT, socket_keepalive=True)
        self._name = ""  # with which all channels begin
        self._wanted: set[int] = {ALL}  # shards
        self._wanted_changed = asyncio.Event()
        self._unsent: list[tuple[int, bytes]] = []
        self._something_unsent = asyncio.Event()
        self._publish_again = 0.0  # Redis took no news; until this moment it is not tried again
        self._away = False

    # --- telling
    def publish(self, shard: int, data: bytes) -> None:
        """Soon tells all processes that follow a shard."""
        self._unsent.append((shard, data))
        self._something_unsent.set()

    async def _send(self) -> None:
        """All that there is to be told. What Redis does not take is lost; the others notice by its numbers."""
        unsent, self._unsent = self._unsent, []
        self._something_unsent.clear()
        if not unsent or monotonic() < self._publish_again:
            return
        try:
            async with self._redis.pipeline(transaction=False) as pipeline:
                for shard, data in unsent:
                    pipeline.publish(self._channel(shard), data)
                await pipeline.execute()
        except AWAY as error:
            self._publish_again = monotonic() + RETRY
            self._note_away(error)

    async def _send_all(self) -> None:
        """For ever. What comes up while Redis is being told goes together."""
        while True:
            await self._something_unsent.wait()
            await self._send()

    # --- hearing
    def follow(self, shard: int) -> None:
        """From now on it is heard what is said there; the hearer is told when."""
        self._wanted.add(shard)
        self._wanted_changed.set()

    def unfollow(self, shard: int) -> None:
        """From now on it is not."""
        self._wanted.discard(shard)
        self._wanted_changed.set()

    @asynccontextmanager
    async def listening(self, installation: str, hearer: Hearer) -> AsyncIterator[None]:
        """Speaks and listens to the processes of one installation in this block. What was said in it is told."""
        self._name = channel_of(installation)
        tasks = [asyncio.create_task(self._listen(hearer)), asyncio.create_task(self._send_all())]
        try:
            yield
        finally:
            await end(tasks)
            await self._send()
            await self._redis.aclose()

    async def _listen(self, hearer: Hearer) -> None:
        """All news, for ever; MISSED after every break and as long as it lasts."""
        while True:
            try:
                async with self._redis.pubsub() as subscription:
                    await self._listen_to(subscription, hearer)
                self._note_away(TimeoutError(f"nothing was heard for {SILENT:g} seconds, not even from this process"))
            except AWAY as error:
                self._note_away(error)
            await asyncio.sleep(RETRY)
            hearer.on_notice(MISSED)

    async def _listen_to(self, subscription: PubSub, hearer: Hearer) -> None:
        """All news until nothing is heard any more."""
        shards: dict[bytes, int] = {}  # that are followed, by channel
        await self._follow_wanted(subscription, shards)
        following = asyncio.create_task(self._keep_following(subscription, shards))
        try:
            last = monotonic()
            while monotonic() - last < SILENT and not following.done():
                message = await subscription.get_message(timeout=RETRY)
                if message is None:
                    continue
                if message["type"] == "message":
                    last, self._away = monotonic(), False
                    hearer.on_notice(message["data"])
                elif message["type"] == "subscribe" and message["channel"] in shards:
                    hearer.on_followed(shards[message["channel"]])
        finally:
            await end([following])
        if not following.cancelled():
            following.result()

    async def _keep_following(self, subscription: PubSub, shards: dict[bytes, int]) -> None:
        """Follows what is wanted, for ever."""
        while True:
            await self._wanted_changed.wait()
            await self._follow_wanted(subscription, shards)

    async def _follow_wanted(self, subscription: PubSub, shards: dict[bytes, int]) -> None:
        """Follows the shards that are wanted, and no others."""
        self._wanted_changed.clear()
        wanted = {self._channel(shard).encode(): shard for shard in self._wanted}
        new, old = wanted.keys() - shards.keys(), shards.keys() - wanted.keys()
        shards.update(wanted)
        for channel in old:
            del shards[channel]
        if new:
            await subscription.subscribe(*new)
        if old:
            await subscription.unsubscribe(*old)

    def _channel(self, shard: int) -> str:
        """Where it is told what happens in a shard."""
        return self._name if shard == ALL else f"{self._name}-{shard}"

    def _note_away(self, error: Exception) -> None:
        """Written to the log once for each outage."""
        if not self._away:
            log.warning("Redis is away: %s: %s", type(error).__name__, error)
        self._away = True
