"""News through Redis, some of it without a Redis."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import Any, Self

import pytest

pytest.importorskip("redis", reason="the package redis is not installed")
from bastide.server.many.news import RedisNews
from bastide.server.tables.notices import ALL, MISSED
from tests.services import RedisServer


class Ear:
    """Remembers what it hears."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.followed: list[int] = []

    def on_notice(self, data: bytes) -> None:
        self.heard.append(data)

    def on_followed(self, shard: int) -> None:
        self.followed.append(shard)

    async def until_followed(self, shard: int) -> None:
        until = monotonic() + 20
        while shard not in self.followed and monotonic() < until:
            await asyncio.sleep(0.01)
        assert shard in self.followed

    async def until_heard(self, data: bytes) -> None:
        until = monotonic() + 20
        while data not in self.heard and monotonic() < until:
            await asyncio.sleep(0.01)
        assert data in self.heard


class Deaf:
    """A subscription whose waiting loses a cancellation, as `wait_for` of Python 3.11 may do."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is open."""

    async def subscribe(self, *_: bytes) -> None:
        """Nothing is heard on any channel."""

    async def get_message(self, **_: Any) -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0.05)


def test_a_server_can_stop_although_a_cancellation_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    async def stop() -> bool:
        news = RedisNews("redis://127.0.0.1:1/0")
        monkeypatch.setattr(news._redis, "pubsub", Deaf)

        async def listen() -> None:
            async with news.listening("here", Ear()):
                await asyncio.sleep(0.02)  # it waits for news now

        listening = asyncio.create_task(listen())
        done, _ = await asyncio.wait([listening], timeout=20)
        return listening in done

    assert asyncio.run(stop())


def test_only_shards_that_are_followed_are_heard(redis: RedisServer) -> None:
    async def talk() -> None:
        one, other, stranger = (RedisNews(redis.url) for _ in range(3))
        ear, other_ear, stranger_ear = Ear(), Ear(), Ear()
        one.follow(7)
        stranger.follow(7)
        async with (
            one.listening("home", ear),
            other.listening("home", other_ear),
            stranger.listening("elsewhere", stranger_ear),
        ):
            await ear.until_followed(7)
            await stranger_ear.until_followed(7)
            for listener in (ear, other_ear, stranger_ear):
                await listener.until_followed(ALL)
            other.publish(7, b"seven")
            other.publish(8, b"eight")
            other.publish(ALL, b"all")
            await ear.until_heard(b"all")
            assert ear.heard == [b"seven", b"all"]
            one.follow(8)
            one.unfollow(7)
            await ear.until_followed(8)
            other.publish(7, b"seven again")
            other.publish(8, b"eight again")
            await ear.until_heard(b"eight again")
            assert ear.heard == [b"seven", b"all", b"eight again"]
            other.publish(8, b"the last")
        assert other_ear.heard == [b"all"]
        assert stranger_ear.heard == []

    asyncio.run(talk())


def test_what_is_said_while_a_server_stops_is_told(redis: RedisServer) -> None:
    """And what is said even later breaks nothing."""

    async def stop() -> None:
        one, other, ear = RedisNews(redis.url), RedisNews(redis.url), Ear()
        async with one.listening("home", ear):
            await ear.until_followed(ALL)
            async with other.listening("home", Ear()):
                other.publish(ALL, b"goodbye")
            other.publish(ALL, b"nobody hears this")
            await ear.until_heard(b"goodbye")
            assert ear.heard == [b"goodbye"]

    asyncio.run(stop())


def test_shards_are_followed_again_after_a_break() -> None:
    async def interrupt() -> None:
        with RedisServer() as own:
            news, ear = RedisNews(own.url), Ear()
            async with news.listening("home", ear):
                news.follow(7)
                await ear.until_followed(7)
                own.kill()
                await ear.until_heard(MISSED)
                ear.followed.clear()
                own.start()
                await ear.until_followed(7)
                await ear.until_followed(ALL)
                await asyncio.sleep(0.6)  # after an outage Redis is left alone for a moment
                news.publish(7, b"again")
                await ear.until_heard(b"again")

    asyncio.run(interrupt())
