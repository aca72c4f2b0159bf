"""What the tests say to a server, in few words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from litestar.testing import TestClient, WebSocketTestSession

from bastide.server.api.follow import follow
from tests.server.sample import Chain, chain_of

PATIENCE = 60.0  # seconds; only a test that has failed already waits so long
ENTROPY = "00112233445566778899aabbccddeeff"


class Player:
    """One socket at a table."""

    def __init__(self, socket: WebSocketTestSession, table: str) -> None:
        self.socket = socket
        self.table = table
        self.state: dict[str, Any] = {}
        self.received: list[dict[str, Any]] = []
        self.chain: Chain | None = None  # as a page has one

    def send(self, type_: str, **members: Any) -> None:
        self.socket.send_json({"type": type_, **members})

    def next(self) -> dict[str, Any]:
        """The next message, whatever it is; of a change, the whole state that it leads to."""
        message: dict[str, Any] = self.socket.receive_json(timeout=PATIENCE)
        self.received.append(message)
        if message["type"] not in ("state", "change"):
            return message
        followed = follow(self.state or None, message)
        assert followed is not None, "a change was left out"
        self.state = followed
        return followed

    def until(self, type_: str) -> dict[str, Any]:
        """The next message of a type."""
        while True:
            message = self.next()
            if message["type"] == type_:
                return message

    def ask(self, type_: str, **members: Any) -> dict[str, Any]:
        """Sends a message and waits for its answer."""
        self.send(type_, id="asked", **members)
        while True:
            message = self.next()
            if message.get("re") == "asked" or (message["type"] == "refused" and message["re"] is None):
                return message  # what cannot be read has no number either

    def commit(self, chain: Chain) -> None:
        """Gets ready as a page does: with a chain, whose links are shown when they are wanted."""
        self.chain = chain
        self.do("ready", chain=chain.end)

    def give_links(self) -> None:
        """Shows the link that is wanted of the own seat, if one is."""
        fair = self.state["fair"]
        for seat in [seat for seat in self.state["mine"] if seat in fair["wanted"]]:
            assert self.chain is not None
            self.do("link", link=self.chain.after(fair["ends"][str(seat)]))

    def hello(self, token: str = "") -> dict[str, Any]:
        answer = self.ask("hello", version=2, token=token)
        if answer["type"] == "welcome":
            self.until("state")
        return answer

    def seen(self, seq: int) -> dict[str, Any]:
        """The state once the table has so many lines."""
        while self.state["seq"] < seq:
            self.until("state")
        return self.state

    def do(self, type_: str, **members: Any) -> dict[str, Any]:
        """Sends a message that must be accepted; returns the state after it."""
        answer = self.ask(type_, **members)
        assert answer["type"] == "done", answer
        return self.seen(answer["seq"])

    def play(self, action: str) -> dict[str, Any]:
        link = {}
        if self.chain is not None:
            end = self.state["fair"]["ends"][str(self.game["decides"])]
            link = {"link": self.chain.after(end)}
        return self.do("play", seq=self.state["seq"], action=action, **link)

    def play_first(self) -> dict[str, Any]:
        return self.play(self.game["question"]["actions"][0]["text"])

    def await_question(self) -> dict[str, Any]:
        """Waits until this player is asked, or the game is over."""
        while not self.state["game"] or (self.game["question"] is None and self.state["status"] != "over"):
            if set(self.state["mine"]) & set(self.state["fair"]["wanted"]):
                self.give_links()
            else:
                self.until("state")
        return self.game

    @property
    def log(self) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.game["log"]
        return entries

    @property
    def game(self) -> dict[str, Any]:
        game: dict[str, Any] = self.state["game"]
        return game


class House:
    """A server, and people who come to it without cookies."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client

    def post(self, path: str, **body: Any) -> httpx.Response:
        self.client.cookies.clear()
        return self.client.post(path, json=body)

    def get(self, path: str, **headers: str) -> httpx.Response:
        self.client.cookies.clear()
        return self.client.get(path, headers=headers)

    def make(self, *seats: str, **more: Any) -> dict[str, Any]:
        """A table; a seat is `human`, `open` or the name of a bot."""
        kinds = [{"kind": seat} if seat in ("human", "open") else {"kind": "bot", "bot": seat} for seat in seats]
        answer = self.post("/api/tables", seats=kinds, **more)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    @contextmanager
    def at(self, table: str, token: str = "") -> Iterator[Player]:
        """Somebody at a table."""
        self.client.cookies.clear()
        with self.client.websocket_connect(f"/api/tables/{table}/socket") as socket:
            player = Player(socket, table)
            answer = player.hello(token)
            assert answer["type"] == "welcome", answer
            yield player

    @contextmanager
    def waiting_for(self, bot: str) -> Iterator[Player]:
        """Somebody who has had the first turn of a game against a bot, whose turn it is now."""
        made = self.make("human", bot)
        with self.at(made["table"], made["seats"][0]["token"]) as red:
            red.do("ready", entropy=ENTROPY)
            red.play_first()
            red.play("pass")
            yield red

    @contextmanager
    def two(self, **more: Any) -> Iterator[tuple[Player, Player]]:
        """Two people who have begun a game with each other."""
        with begun(self, self, **more) as players:
            yield players

    @contextmanager
    def two_with_chains(self, **more: Any) -> Iterator[tuple[Player, Player]]:
        """Two people who have begun a game as pages do."""
        made = self.make("human", "human", **more)
        tokens = [seat["token"] for seat in made["seats"]]
        with self.at(made["table"], tokens[0]) as red, self.at(made["table"], tokens[1]) as blue:
            red.commit(chain_of(0))
            blue.commit(chain_of(1))
            red.await_question()
            yield red, blue


@contextmanager
def begun(one: House, other: House, **more: Any) -> Iterator[tuple[Player, Player]]:
    """Two people who have begun a game with each other, each at a server that may be the same."""
    made = one.make("human", "human", **more)
    tokens = [seat["token"] for seat in made["seats"]]
    with one.at(made["table"], tokens[0]) as red, other.at(made["table"], tokens[1]) as blue:
        red.do("ready", entropy=ENTROPY)
        blue.do("ready", entropy=ENTROPY)
        red.seen(blue.state["seq"])
        yield red, blue
