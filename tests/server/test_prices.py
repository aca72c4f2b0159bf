"""Work has a price: whoever asks for too much waits, and nobody else does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from litestar.handlers import HTTPRouteHandler
from litestar.testing import TestClient
from msgspec.inspect import StructType, UnionType, type_info

from bastide.game import Event, Game
from bastide.notation.record import read_record
from bastide.rules import Rules
from bastide.server.api.feed import SAME_MOMENT
from bastide.server.api.http import HANDLERS
from bastide.server.api.incoming import Question
from bastide.server.api.limits import Limits
from bastide.server.api.prices import BURST, PRICES, Budgets, client_of
from bastide.server.api.refusal import Refusal
from bastide.server.app import create_app
from bastide.server.content import drawer, drawings
from bastide.server.content.drawer import Drawer, name_of
from bastide.server.content.drawings import cache_folder, read_cached, render, write_cached
from bastide.server.content.pages import Content
from bastide.server.settings import Settings, database_url
from bastide.server.storage.store import Store
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.setup import Setup
from bastide.server.thinking.bots import ProcessPool
from tests.server.client import House
from tests.server.sample import a_fresh_beginning, a_table

SWITCHES = ("hand:3", "small_city:two_points", "farmers:per_city", "farmer_points:4", "tactical_end:last_drawn",
            "first_player:random", "first_player_tied:loses")  # fmt: skip


def test_whoever_has_spent_too_much_waits() -> None:
    moment = [0]
    budgets = Budgets(100, lambda: moment[0])
    for _ in range(100 * BURST // PRICES["replay"]):
        budgets.spend(["192.0.2.1"], "replay")
    with pytest.raises(Refusal, match="wait 1 seconds"):
        budgets.spend(["192.0.2.1"], "replay")
    budgets.spend(["192.0.2.2"], "replay")
    moment[0] = 1000
    budgets.spend(["192.0.2.1"], "replay")


def test_a_seat_or_a_browser_has_one_budget_wherever_it_comes_from() -> None:
    budgets = Budgets(100, lambda: 0)
    for n in range(100 * BURST // PRICES["undo"]):
        budgets.spend([f"192.0.2.{n}", "seat abc 0"], "undo")
    with pytest.raises(Refusal):
        budgets.spend(["192.0.2.200", "seat abc 0"], "undo")


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("testclient", "testclient"),
    ],
)
def test_a_household_is_one_client(address: str, client: str) -> None:
    assert client_of(address) == client


def test_the_machine_itself_is_not_limited() -> None:
    limits = Limits(1, 1, 1, lambda: 0)
    for _ in range(100):
        limits.spend("127.0.0.1", "analysis")


def test_every_request_and_every_message_has_its_price() -> None:
    free = {"/", "/healthz", "/metrics", "/metrics/spenders", "/{path:path}"}
    for handler in HANDLERS:
        assert isinstance(handler, HTTPRouteHandler)
        assert handler.opt.get("price") in PRICES or set(handler.paths) <= free, handler.paths
    messages = type_info(Question)
    assert isinstance(messages, UnionType)
    for message in messages.types:
        assert isinstance(message, StructType)
        assert message.tag in PRICES


def test_requests_and_messages_are_paid_from_one_budget(database: str) -> None:
    settings = Settings(database=database, page=Path("/nonexistent"), budget=20)  # 400 at once
    with TestClient(create_app(settings)) as client, House(client).two() as (red, _):
        while House(client).post("/api/choice", players=2).status_code == 200:
            pass
        refused = red.ask("chat", text="hello")
        assert (refused["type"], refused["code"]) == ("refused", "rate")
        assert red.ask("ping")["type"] in ("pong", "refused")


def test_chat_is_not_flooded(database: str) -> None:
    """Sixty lines within a moment; the clock of the server stands still, however long the test takes."""
    settings = Settings(database=database, page=Path("/nonexistent"), moment=lambda: 1_000_000)
    with TestClient(create_app(settings)) as client:
        table = House(client).make("human", "open")["table"]
        with House(client).at(table) as watching:
            said = [watching.ask("chat", text="x" * 300)["type"] for _ in range(60)]
    most = settings.budget * BURST // PRICES["chat"]
    assert said == ["done"] * said.count("done") + ["refused"] * said.count("refused")
    assert most - 2 < said.count("done") < most < 50  # what making the table cost is missing


# --- drawings


def test_options_that_change_no_picture_have_the_same_drawings() -> None:
    usual, other = Rules.of(), Rules.of(hand=3)
    assert name_of(usual, "data.json") == name_of(other, "data.json")
    assert render(usual, "data.json") == render(other, "data.json")
    assert name_of(usual, "day.svg") != name_of(usual, "night.svg")
    assert name_of(Rules.of(modules=["river"]), "data.json") != name_of(usual, "data.json")


def test_who_asks_for_the_same_drawing_meanwhile_gets_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    async def ask(self: object, function: object, data: bytes, seconds: float) -> str:
        drawn.append(data)
        await asyncio.sleep(0.01)
        return "<svg/>"

    monkeypatch.setattr(ProcessPool, "ask", ask)
    monkeypatch.setattr(drawer, "read_cached", lambda name: None)
    monkeypatch.setattr(drawer, "write_cached", lambda name, body: None)

    async def six() -> list[object]:
        artist, rules = Drawer(), Rules.of()
        return list(await asyncio.gather(*(artist.draw(rules, "day.svg") for _ in range(6))))

    assert len({id(content) for content in asyncio.run(six())}) == 1
    assert len(drawn) == 1


def test_the_folder_of_drawings_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(drawings, "CACHE_BYTES", 5000)
    for number in range(20):
        write_cached(str(number), b"x" * 1000)
    assert len(list(cache_folder().iterdir())) == 5
    assert read_cached("19") == b"x" * 1000
    assert read_cached("0") is None


def test_rules_that_nobody_has_asked_for_have_the_price_of_a_choice(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are compiled first, even if what is drawn for them is there."""

    async def there(*_: object) -> Content:
        return Content(b"{}", "application/json")

    monkeypatch.setattr(Drawer, "find", there)
    settings = Settings(database=database, page=Path("/nonexistent"), moment=lambda: 1_000_000)
    at_once = settings.budget * BURST
    choices = [",".join(options) for count in range(8) for options in combinations(SWITCHES, count)]
    with TestClient(create_app(settings)) as client:
        asked = [client.get(f"/api/drawings/data.json?options={choice}").status_code for choice in choices]
    assert asked[0] == 200
    assert asked.count(200) == at_once // (PRICES["choice"] + PRICES["drawing"]) < len(choices) == len(set(choices))


def test_the_same_drawing_costs_little(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def there(*_: object) -> Content:
        return Content(b"{}", "application/json")

    monkeypatch.setattr(Drawer, "find", there)
    settings = Settings(database=database, page=Path("/nonexistent"), moment=lambda: 1_000_000)
    with TestClient(create_app(settings)) as client:
        assert {client.get("/api/drawings/data.json").status_code for _ in range(300)} == {200}


def test_a_drawing_comes_from_its_own_process(house: House) -> None:
    answer = house.get("/api/drawings/data.json?options=hand:3")
    assert answer.status_code == 200, answer.text
    assert "tiles" in answer.json()
    assert house.get("/api/drawings/dusk.svg").json()["code"] == "option"


# --- states


def test_a_state_is_encoded_once_for_all_who_look_with_the_same_eyes(database: str) -> None:
    """A hundred spectators of one table get the same text; who has a seat, or a new moment, gets another."""
    time = [1000]

    async def look() -> None:
        store = Store(database_url(database))
        await store.open()
        registry = TableRegistry(store, None, lambda: time[0])
        table = a_table()
        await store.add(table, a_fresh_beginning(table))

        async def whole(*mine: int) -> str:
            return (await registry.feed(table.name, mine, anew=True)).whole()

        first = await whole()
        assert await whole() is first
        assert (msgspec.json.decode(first)["mine"], msgspec.json.decode(await whole(0))["mine"]) == ([], [0])
        time[0] += SAME_MOMENT + 1
        assert msgspec.json.decode(await whole())["now"] == time[0]
        await store.close()

    asyncio.run(look())


# --- tables


PAST = "bastide 1\nplayers red blue\n\nred: draw E; place E 0,-1 180; pass\nblue: draw U; place U 1,0 0; pass\n"


@pytest.mark.parametrize("shuffle", [False, True])
def test_what_came_with_a_table_is_played_in_a_thread(
    house: House, shuffle: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole game takes longer than anybody should wait who plays at another table."""
    on_the_loop: list[bool] = []

    def game(setup: Setup, names: Sequence[str]) -> tuple[Game, list[list[Event]]]:
        with suppress(RuntimeError):
            on_the_loop.append(asyncio.get_running_loop() is not None)
        return play_past(setup, names)

    play_past = Setup.game
    monkeypatch.setattr(Setup, "game", game)
    with house.two(record=PAST, shuffle=shuffle) as (red, _):
        assert len(red.game["tiles"]) == 3
        colours = [seat["colour"] for seat in red.state["seats"]]
        record = read_record(house.get(f"/api/tables/{red.table}/record").text)
        assert list(record.header.players) == colours
    assert on_the_loop == []
