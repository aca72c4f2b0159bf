"""The server as a browser has it: the same messages, kept in the browser's own database."""

from __future__ import annotations

import asyncio
import inspect
import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from bastide.bots import levels
from bastide.bots.thinkers import SearchBot
from bastide.notation.record import read_record
from bastide.server.api.follow import follow
from bastide.server.browser.http import Answer
from bastide.server.browser.page import PageServer
from bastide.server.browser.script import ScriptShelves
from bastide.server.browser.store import BrowserStore, Change
from bastide.server.browser.thoughts import think, think_by_time
from bastide.server.storage.store import Store


class Shelf:
    """A database of a browser, in memory. Pages that share it are pages of one browser."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    async def get(self, shelf: str, key: str) -> str | None:
        await asyncio.sleep(0)
        return self.kept.get((shelf, key))

    async def all(self, shelf: str, start: str) -> list[str]:
        await asyncio.sleep(0)
        return [text for (where, key), text in sorted(self.kept.items()) if where == shelf and key.startswith(start)]

    async def commit(self, changes: Sequence[Change]) -> bool:
        await asyncio.sleep(0)
        if any(self.kept.get((one.shelf, one.key)) != one.was for one in changes):
            return False
        for one in changes:
            self.kept.pop((one.shelf, one.key), None)
            if one.now is not None:
                self.kept[one.shelf, one.key] = one.now
        return True

    async def forget(self, table: str) -> None:
        await asyncio.sleep(0)
        for shelf, key in [*self.kept]:
            if key.split(" ")[0] == table:
                del self.kept[shelf, key]


class Brain:
    """The other worker; it thinks at once, or waits until it is stopped."""

    def __init__(self) -> None:
        self.slow = False
        self.stopped: list[dict[str, Any]] = []
        self._waiting: asyncio.Future[str] | None = None

    async def ask(self, kind: str, data: str) -> str:
        if self.slow:
            self._waiting = asyncio.get_running_loop().create_future()
            return await self._waiting
        return think(kind, data)

    def stop(self, data: str) -> None:
        self.stopped.append(json.loads(data))
        assert self._waiting is not None
        self._waiting.set_exception(RuntimeError("stopped"))


class Page:
    """A page at a table: what it said and heard."""

    def __init__(self, server: PageServer, table: str, number: int = 1) -> None:
        self.server, self.number = server, number
        self.received: list[dict[str, Any]] = []
        self.closed = 0
        self._state: dict[str, Any] | None = None
        server.connect(number, table, self._hear, self._close)
        self.say(type="hello", version=2)

    def _hear(self, text: str) -> None:
        """Of a change, the whole state that it leads to."""
        message = json.loads(text)
        if message["type"] in ("state", "change"):
            message = self._state = follow(self._state, message)
            assert message is not None, "a change was left out"
        self.received.append(message)

    def _close(self, code: int) -> None:
        self.closed = code

    def say(self, **message: Any) -> None:
        self.server.hear(self.number, json.dumps(message))

    async def state(self, seq: int = 0) -> dict[str, Any]:
        """The first state from a line on at which somebody is asked, or the game is over."""
        for _ in range(2000):
            message: dict[str, Any]
            for message in reversed(self.received):
                if message["type"] == "state" and message["seq"] >= seq:
                    game = message["game"]
                    if game is None or game["question"] or game["outcome"]:
                        return message
            await asyncio.sleep(0.005)
        raise AssertionError(f"no state came: {[message['type'] for message in self.received[-5:]]}")


def opened(shelf: Shelf, brain: Brain | None = None) -> PageServer:
    return PageServer(shelf, brain or Brain(), lambda _: None)


def body(answer: Answer) -> Any:
    assert answer.status < 300, answer.text
    return json.loads(answer.text)


async def new_table(server: PageServer, **wish: Any) -> str:
    seats = wish.pop("seats", [{"kind": "human"}, {"kind": "bot", "bot": "bot:1"}])
    return str(body(await server.ask("POST", "/api/tables", json.dumps({"seats": seats, **wish})))["table"])


async def begun(server: PageServer, **wish: Any) -> Page:
    page = Page(server, await new_table(server, **wish))
    state = await page.state()
    for seat in state["mine"]:
        page.say(type="ready", entropy="00" * 8, seat=seat)
    await page.state(1)
    return page


async def play(page: Page, turns: int) -> dict[str, Any]:
    """Plays the first legal action so many times, or until the game is over."""
    state = await page.state(1)
    for _ in range(turns):
        if state["status"] == "over":
            break
        page.say(type="play", seq=state["seq"], action=state["game"]["question"]["actions"][0]["text"])
        state = await page.state(state["seq"] + 1)
    return state


def test_a_whole_game_is_played_kept_and_told_again() -> None:
    async def run() -> None:
        shelf = Shelf()
        server = opened(shelf)
        page = await begun(server)
        table = page.received[0]["table"]
        await play(page, 10)
        before = (await page.state())["seq"]
        page.server.hear(1, None)  # the page is loaded again: everything else is gone
        again = opened(shelf)
        state = await Page(again, table).state()
        assert (state["seq"], state["mine"]) == (before, [0])
        page = Page(again, table, 2)
        state = await play(page, 500)
        assert state["status"] == "over"
        replay = body(await again.ask("GET", f"/api/tables/{table}/replay", ""))
        assert replay["steps"][-1]["scores"] == state["game"]["scores"]
        record = await again.ask("GET", f"/api/tables/{table}/record", "")
        assert record.kind.startswith("text/plain")
        assert len(read_record(record.text).header.players) == 2
        assert body(await again.ask("GET", f"/api/tables/{table}/log", ""))["lines"][0]["text"] == "begin"

    asyncio.run(run())


def test_what_is_acknowledged_is_kept_already() -> None:
    async def run() -> None:
        shelf = Shelf()
        page = await begun(opened(shelf), seats=[{"kind": "human"}, {"kind": "human"}])
        state = await page.state(1)
        page.say(type="play", id=7, seq=state["seq"], action=state["game"]["question"]["actions"][0]["text"])
        while not any(message.get("re") == 7 for message in page.received):
            await asyncio.sleep(0)
        done = next(message for message in page.received if message.get("re") == 7)
        assert done["type"] == "done"
        kept = [json.loads(text) for text in await shelf.all("lines", state["table"])]
        assert kept[-1]["seq"] == done["seq"]

    asyncio.run(run())


class Script:
    """What the worker's script has of the database; at times it has no room."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf, self.full = shelf, False
        self.get, self.all, self.forget = shelf.get, shelf.all, shelf.forget

    async def commit(self, text: str) -> bool:
        if self.full:
            raise OSError("QuotaExceededError: no room")
        return await self.shelf.commit(msgspec.json.decode(text, type=list[Change]))


def test_a_move_for_which_there_is_no_room_is_refused_and_can_be_made_later() -> None:
    async def run() -> None:
        script = Script(Shelf())
        page = await begun(
            PageServer(ScriptShelves(script), Brain(), lambda _: None), seats=[{"kind": "human"}, {"kind": "human"}]
        )
        state = await page.state(1)
        script.full = True
        page.say(type="play", id=7, seq=state["seq"], action=state["game"]["question"]["actions"][0]["text"])
        while not any(message.get("re") == 7 for message in page.received):
            await asyncio.sleep(0)
        refused = next(message for message in page.received if message.get("re") == 7)
        assert (refused["type"], refused["code"]) == ("refused", "unavailable")
        assert "no room" in refused["message"]
        answer = await page.server.ask("POST", "/api/tables", json.dumps({"seats": [{"kind": "human"}]}))
        assert (answer.status, json.loads(answer.text)["code"]) == (503, "unavailable")
        script.full = False
        assert (await play(page, 1))["seq"] > state["seq"]

    asyncio.run(run())


def test_two_pages_of_one_browser_do_not_write_over_each_other() -> None:
    async def run() -> None:
        shelf = Shelf()
        first = await begun(opened(shelf), seats=[{"kind": "human"}, {"kind": "human"}])
        state = await first.state(1)
        second = Page(opened(shelf), state["table"])
        await second.state(1)
        actions = [choice["text"] for choice in state["game"]["question"]["actions"]]
        await play(first, 1)
        second.say(type="play", id=1, seq=state["seq"], action=actions[-1])
        while not any(message.get("re") == 1 for message in second.received):
            await asyncio.sleep(0)
        refused = next(message for message in second.received if message.get("re") == 1)
        assert (refused["type"], refused["code"]) == ("refused", "stale")
        lines = [json.loads(text)["seq"] for text in await shelf.all("lines", state["table"])]
        assert lines == sorted(set(lines))

    asyncio.run(run())


def test_a_thought_is_stopped_when_nobody_wants_it_any_more() -> None:
    async def run() -> None:
        brain = Brain()
        page = await begun(opened(Shelf(), brain))
        state = await page.state(1)
        brain.slow = True
        while not any(message["type"] == "thinking" for message in page.received):  # the turn is the bot's
            page.say(type="play", seq=state["seq"], action=state["game"]["question"]["actions"][-1]["text"])
            await asyncio.sleep(0.05)
            states = [message for message in page.received if message["type"] == "state"]
            state = states[-1]
            if not state["game"]["question"]:
                break
        page.say(type="resign", id=9)
        while not any(message.get("re") == 9 for message in page.received):
            await asyncio.sleep(0.005)
        assert [job["table"] for job in brain.stopped] == [state["table"]]

    asyncio.run(run())


def test_only_the_master_plays_otherwise_than_on_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    served = dict(levels.LEVELS)
    monkeypatch.setattr(levels, "LEVELS", dict(served))
    think_by_time()
    assert [number for number, made in levels.LEVELS.items() if made is not served[number]] == [max(served)]
    master = levels.LEVELS[max(served)](1)
    assert isinstance(master, SearchBot)
    assert master.budget.ms == 3000


def test_a_position_travels_in_its_link() -> None:
    async def run() -> None:
        server = opened(Shelf())
        page = await begun(server)
        await play(page, 4)
        table = (await page.state())["table"]
        record = (await server.ask("GET", f"/api/tables/{table}/record?at=6", "")).text
        made = body(await server.ask("POST", "/api/positions", json.dumps({"record": record, "title": "Mine"})))
        other = opened(Shelf())  # another browser
        shown = body(await other.ask("GET", f"/api/positions/{made['position']}", ""))
        assert (shown["title"], len(shown["replay"]["steps"])) == ("Mine", 7)
        assert await new_table(other, position=made["position"])
        broken = await other.ask("GET", f"/api/positions/{made['position'][:-9]}", "")
        assert (broken.status, json.loads(broken.text)["code"]) == (404, "table")

    asyncio.run(run())


def test_what_is_refused_is_refused_as_on_a_server() -> None:
    async def run() -> None:
        server = opened(Shelf())
        assert (await server.ask("GET", "/api/tables/nothing/state", "")).status == 404
        assert (await server.ask("GET", "/api/nothing", "")).status == 404
        wrong = await server.ask("POST", "/api/tables", "{")
        assert (wrong.status, json.loads(wrong.text)["code"]) == (400, "shape")
        page = Page(server, "nothing")
        while not page.closed:
            await asyncio.sleep(0)
        assert (page.closed, page.received[-1]["code"]) == (1008, "table")

    asyncio.run(run())


def test_a_table_that_is_left_is_forgotten() -> None:
    async def run() -> None:
        shelf = Shelf()
        server = opened(shelf)
        page = await begun(server)
        table = (await page.state(1))["table"]
        assert [one["table"] for one in body(await server.ask("GET", "/api/tables", ""))["tables"]] == [table]
        assert (await server.ask("POST", f"/api/tables/{table}/leave", "")).status == 204
        assert body(await server.ask("GET", "/api/tables", ""))["tables"] == []
        assert shelf.kept == {}

    asyncio.run(run())


async def listed(server: PageServer) -> list[str]:
    return [one["table"] for one in body(await server.ask("GET", "/api/tables", ""))["tables"]]


def test_a_game_that_cannot_be_read_is_listed_says_why_and_is_read_by_a_version_that_can() -> None:
    async def run() -> None:
        shelf = Shelf()
        server = opened(shelf)
        page = await begun(server)
        played = await play(page, 2)
        table = played["table"]
        line = ("lines", f"{table} {played['seq']:06d}")
        whole = shelf.kept[line]
        text = json.loads(whole)["text"]
        shelf.kept[line] = whole.replace(text, "0 place Z 99,99 0")  # what other rules allowed

        newer = opened(shelf)
        assert await listed(newer) == [table]
        answer = await newer.ask("GET", f"/api/tables/{table}/state", "")
        assert (answer.status, json.loads(answer.text)["code"]) == (409, "unreadable")
        assert "IllegalAction" in json.loads(answer.text)["message"]
        refused = Page(newer, table, 2)
        while not refused.closed:
            await asyncio.sleep(0)
        assert refused.received[-1]["code"] == "unreadable"
        assert "IllegalAction" in refused.received[-1]["message"]
        assert (await play(await begun(newer), 1))["seq"] > 1  # other games go on
        assert shelf.kept[line] != whole, "nothing is repaired"

        shelf.kept[line] = whole
        assert (await Page(opened(shelf), table, 3).state())["seq"] == played["seq"]

    asyncio.run(run())


@pytest.mark.parametrize("damage", ["{", '{"name": "here"}', '"text"'])
def test_what_is_damaged_disturbs_no_other_game_and_can_be_left(damage: str) -> None:
    async def run() -> None:
        shelf = Shelf()
        server = opened(shelf)
        first = (await play(await begun(server), 1))["table"]
        second = (await play(await begun(server), 1))["table"]
        shelf.kept["tables", first] = damage

        again = opened(shelf)
        assert await listed(again) == [second]
        await again.start()  # bots and clocks are looked after
        assert (await play(Page(again, second, 2), 3))["seq"] > 1
        answer = await again.ask("GET", f"/api/tables/{first}", "")
        assert (answer.status, json.loads(answer.text)["code"]) == (409, "unreadable")
        assert (await again.ask("POST", f"/api/tables/{first}/leave", "")).status == 204
        assert {key.split(" ")[0] for _, key in shelf.kept} == {second}

    asyncio.run(run())


def test_time_is_given_back_to_games_that_an_earlier_version_kept() -> None:
    async def run() -> None:
        shelf = Shelf()
        clock = {"kind": "sudden", "seconds": 60}
        page = await begun(opened(shelf), seats=[{"kind": "human"}, {"kind": "human"}], clock=clock)
        state = await play(page, 1)
        kept = json.loads(shelf.kept["tables", state["table"]])
        for moment in ("changed", "deadline"):  # the page was closed an hour ago
            kept[moment] -= 3_600_000
        earlier = {name: kept[name] for name in sorted(kept)}  # in another order
        shelf.kept["tables", state["table"]] = json.dumps({**earlier, "public": False, "broken": None})
        again = opened(shelf)
        await again.start()
        state = await Page(again, state["table"], 2).state(state["seq"] + 1)
        assert state["status"] == "running"

    asyncio.run(run())


@pytest.mark.parametrize("name", [name for name in vars(BrowserStore) if not name.startswith("_") and name != "sqlite"])
def test_the_store_has_the_methods_of_the_server_store(name: str) -> None:
    def parameters(kind: type) -> list[str]:
        return list(inspect.signature(getattr(kind, name)).parameters)[
            : len(inspect.signature(getattr(Store, name)).parameters)
        ]

    assert parameters(BrowserStore) == parameters(Store)


def test_no_package_of_the_server_is_needed() -> None:
    """In a browser there is only what Pyodide brings, msgspec and librt."""
    code = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"litestar", "sqlalchemy", "prometheus_client", "uvicorn", "alembic"}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "prometheus_client" else found(name, *rest)
import bastide.server.browser.page
"""
    subprocess.run([sys.executable, "-c", code], check=True)
