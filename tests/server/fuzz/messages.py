"""Messages on the socket: of the player who is asked, of the other one, of a spectator, of who has not said hello."""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack
from typing import Any
from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from bastide.server.api.follow import follow
from bastide.server.api.incoming import BODY
from bastide.server.settings import database_url
from bastide.server.storage.store import Store
from tests.server.client import ENTROPY
from tests.server.fuzz.ground import Ground, many
from tests.server.fuzz.lines import lines_of, shown

NEAR, LEGAL = "near ", "legal "  # stand for a number close to the table's last line, and for one of the legal actions
WORDS = ["place D 1,0 90", "deploy follower 0,0 city N", "pass", "draw D", "discard D", "take follower 0,0 city N",
         "0 pass", "place D 99999999999999999999,0 90", "choose x", "move follower 0,0 city N to 0,1 city N",
         ""]  # fmt: skip
SPOTS = ["city N", "field EL", "road", "city", "crown taxes", ""]
CHOICES: list[dict[str, Any]] = [{}, {"modules": ["river"]}, {"options": {"hand": 3}}, {"aids": False}]
DEEP = 20_000  # brackets
HOW = [*["legal"] * 3, *["whole"] * 6, "mangled", "raw", "first"]
SPECTATOR, ASKED = 2, 3  # who speaks, if not one of the two players

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
near = st.sampled_from([0] * 7 + [-2, -1, 1]).map(lambda by: f"{NEAR}{by}")
legal = st.integers(0, 200).map(lambda number: f"{LEGAL}{number}")
actions = legal | st.sampled_from(WORDS) | st.text(max_size=210)
seats = st.integers(-1, 9) | st.none()
Member = st.SearchStrategy[Any]
FORMS: dict[str, dict[str, Member]] = {  # messages as they are meant, and values that are at least of the right kind
    "play": {"seq": near, "action": actions},
    "undo": {"seq": near, "whole": st.booleans()},
    "takeback": {"seq": near},
    "answer": {"seq": near, "agree": st.booleans()},
    "resign": {"seat": seats},
    "rematch": {},
    "ready": {"entropy": st.text("0123456789abcdefABCDEF", min_size=15, max_size=65), "seat": seats},
    "link": {"link": st.text("0123456789abcdef", min_size=63, max_size=65), "seat": seats},
    "chain": {"chain": st.text("0123456789abcdef", min_size=63, max_size=65), "seat": seats},
    "hello": {"version": st.integers(0, 2), "token": st.text(max_size=65)},
    "chat": {"text": st.sampled_from(["well played", "oh!"]) | st.text(max_size=310)},
    "emote": {"name": st.sampled_from(["wow", "hello", "nothing"])},
    "region": {"cell": st.lists(st.integers(-2, 2), min_size=2, max_size=2), "spot": st.sampled_from(SPOTS)},
    "regions": {"kind": st.sampled_from(SPOTS)},
    "why": {"action": actions},
    "ping": {},
    "beat": {"n": st.integers()},
}
SAID = [*FORMS, *["play"] * 8, *["undo", "takeback", "answer", "chat"] * 2]


@st.composite
def messages(draw: st.DrawFn) -> Any:
    """A message; every other one has something wrong with it."""
    kind = draw(st.sampled_from(SAID))
    message = {"type": kind, **{name: draw(member) for name, member in FORMS[kind].items()}}
    match draw(st.sampled_from(["well"] * 4 + ["lacks", "other", "more", "type"])):
        case "lacks":
            del message[draw(st.sampled_from(sorted(message)))]
        case "other":
            message[draw(st.sampled_from(sorted(message)))] = draw(values)
        case "more":
            message[draw(st.sampled_from(["id", "seat", "seq", "x"]) | st.text(max_size=8))] = draw(values)
        case "type":
            message["type"] = draw(st.sampled_from(sorted(FORMS)) | values)
    return message


SCRAPS = [b'"', b"{", b"\\u", b"\xff", b"-"]
mangled = st.tuples(st.integers(0, 99), st.integers(0, 99), st.binary(max_size=4) | st.sampled_from(SCRAPS))
TEXTS = [
    "", "[" * DEEP, '{"type":"ping","x":' + "[" * DEEP, '{"a":' * DEEP, "1" * 5000, "x" * (BODY + 1),
    '{"type":"ping","id":' + "9" * 5000 + "}",
    '{"type":"ping","id":"\\ud800"}', '{"type":"ping"}{"type":"ping"}', "null", "1e999",
]  # fmt: skip
raw = st.one_of(
    st.binary(max_size=40),
    values.map(json.dumps),
    st.sampled_from(TEXTS),
)


class Guest:
    """One socket at a table, and what was heard of it."""

    def __init__(self, ground: Ground, table: str, seat: int, token: str) -> None:
        self.ground, self.table, self.seat, self.token = ground, table, seat, token
        self.state: dict[str, Any] = {}
        self._entered = ExitStack()
        self._enter()

    def _enter(self) -> None:
        self.socket = self._entered.enter_context(connect_to(self.ground, self.table))
        self.socket.send(json.dumps({"type": "hello", "version": 2, "token": self.token}))
        self.hear("state")

    def leave(self) -> None:
        """Closes the socket."""
        self._entered.close()

    def hear(self, kind: str) -> list[dict[str, Any]]:
        """Everything until a message of a kind."""
        heard: list[dict[str, Any]] = []
        while not heard or heard[-1]["type"] != kind:
            heard.append(json.loads(self.socket.recv(self.ground.patience)))
            if heard[-1]["type"] in ("state", "change"):
                followed = follow(self.state or None, heard[-1])
                if followed is None:
                    raise AssertionError("a change was left out")
                self.state = followed
        return heard

    def say(self, text: str | bytes) -> list[dict[str, Any]]:
        """Sends a message, and a ping so that the end of the answers is known; nothing if the server closes for it."""
        try:
            self.socket.send(text)
            self.socket.send('{"type": "ping", "id": "end"}')
            heard = self.hear("pong")
            while heard[-1]["re"] != "end":
                heard += self.hear("pong")
        except ConnectionClosed as closed:
            if len(text) <= BODY:  # longer ones end the connection
                self.ground.fault(text, f"the socket was closed: {closed}")
        except TimeoutError:
            self.ground.fault(text, "no answer on the socket")
        else:
            return heard[:-1]
        self.leave()
        self._enter()
        return []


class Stage:
    """A table with two players and a spectator, and the lines that their messages must have left there."""

    def __init__(self, ground: Ground, number: int) -> None:
        self.ground = ground
        made = ground.make("human", "human", **CHOICES[number % len(CHOICES)])
        self.table = made["table"]
        tokens = [seat["token"] for seat in made["seats"]]
        self.guests = [Guest(ground, self.table, seat, token) for seat, token in enumerate([*tokens, ""])]
        self.guests[-1].seat = -1
        for guest in self.guests[:2]:
            guest.say(json.dumps({"type": "ready", "entropy": ENTROPY}))
        self.seq = 0
        self.read()
        self.before = ground.stored([self.table])

    @property
    def over(self) -> bool:
        """Has the game come to its end?"""
        return any(guest.state["status"] == "over" for guest in self.guests)

    @property
    def asked(self) -> int:
        """The player who decides now, as far as was told."""
        latest = max(self.guests, key=lambda guest: guest.state["seq"]).state
        return max(0, latest["game"]["decides"]) if latest["game"] else 0

    def read(self) -> list[str]:
        """New lines that are stored, but for what chance brought."""
        statement = 'select seq, text from lines where "table" = ? and seq > ? order by seq'
        new = self.ground.rows(statement, self.table, self.seq)
        if [seq for seq, _ in new] != list(range(self.seq + 1, self.seq + 1 + len(new))):
            self.ground.fault(self.table, f"lines are not numbered one by one: {new} after {self.seq}")
        self.seq += len(new)
        return [text for _, text in new if shown(text)]

    def legal(self, number: int) -> str:
        """One of the actions that the player who is asked may choose; others may try it too."""
        guest = self.guests[self.asked]
        if guest.state["seq"] != self.seq:
            guest.say('{"type": "ping"}')
        question = (guest.state["game"] or {}).get("question") or {"actions": [{"text": "pass"}]}
        action: str = question["actions"][number % len(question["actions"])]["text"]
        return action

    def filled(self, message: Any) -> Any:
        """The message with what only the moment can tell."""
        if not isinstance(message, dict):
            return message
        message = dict(message)
        for name, said in message.items():
            if isinstance(said, str) and said.startswith(NEAR):
                message[name] = self.seq + int(said.removeprefix(NEAR))
            elif isinstance(said, str) and said.startswith(LEGAL):
                message[name] = self.legal(int(said.removeprefix(LEGAL)))
        return message

    def send(self, text: str | bytes, guest: Guest) -> None:
        """Sends a message; exactly what it may do is stored afterwards."""
        heard = guest.say(text)
        answers = [said for said in heard if said["type"] in ("done", "refused")]
        if any(said.get("code") in ("internal", "unavailable") for said in answers):
            self.ground.fault(text, f"answered {answers}")
        expected = lines_of(text, guest.seat) if any(said["type"] == "done" for said in answers) else []
        lines = self.read()
        if list(map(shown, lines)) != expected:
            self.ground.fault((guest.seat, text), f"stored {lines}, answered {answers}")
        self.ground.listen(text)

    def leave(self) -> None:
        """At the end the seats are what they were, and what is stored can be played."""
        for guest in self.guests:
            guest.leave()
        if self.ground.stored([self.table])["seats"] != self.before["seats"]:
            self.ground.fault(self.table, "the seats were changed")
        try:
            asyncio.run(loaded(database_url(str(self.ground.database)), self.table))
        except Exception as error:
            self.ground.fault(self.table, f"what is stored cannot be played: {error!r}")


async def loaded(database: str, table: str) -> None:
    """Plays what is stored of a table."""
    store = Store(database)
    try:
        await store.load(table)
    finally:
        await store.close()


def connect_to(ground: Ground, table: str) -> ClientConnection:
    """A socket at a table."""
    path = f"ws://{ground.address}/api/tables/{quote(table, safe='')}/socket"
    return connect(path, open_timeout=ground.patience, close_timeout=1, compression=None, max_size=None)


def mangle(message: Any, at: int, until: int, scrap: bytes) -> bytes:
    """The message with a part replaced."""
    text = json.dumps(message).encode()
    return text[:at] + scrap + text[until:]


def knock(ground: Ground, table: str, text: str | bytes) -> None:
    """Says something else than hello, or to another table; the server answers and closes, or lets one in."""
    try:
        with connect_to(ground, table) as socket:
            socket.send(text)
            answer = json.loads(socket.recv(ground.patience))
            if answer["type"] != "welcome" and answer.get("code") in ("internal", "unavailable", None):
                ground.fault((table, text), f"answered {answer}")
    except ConnectionClosed as closed:
        if closed.rcvd is None or closed.rcvd.code not in (1007, 1008, 1009):
            ground.fault((table, text), f"the socket was closed: {closed}")
    except InvalidStatus as refused:
        if refused.response.status_code >= 500:
            ground.fault((table, text), f"status {refused.response.status_code}")
    except TimeoutError:
        ground.fault((table, text), "no answer on the socket")
    ground.listen((table, text))


def fuzz_messages(ground: Ground, count: int, start: int) -> int:
    """Whoever says whatever: only what a player may do changes the game."""
    sent = 0
    stage = Stage(ground, start)

    @many(count, start)
    @given(
        message=messages(),
        whom=st.sampled_from([0, 1, SPECTATOR, ASKED, ASKED]),
        how=st.sampled_from(HOW),
        part=mangled,
        nonsense=raw,
        place=st.sampled_from(["here", "nowhere", ""]) | st.text(max_size=20),
    )
    def say(message: Any, whom: int, how: str, part: tuple[int, int, bytes], nonsense: str | bytes, place: str) -> None:
        nonlocal sent, stage
        if ground.enough:
            return
        sent += 1
        guest = stage.guests[stage.asked if whom == ASKED else whom]
        message = stage.filled(message)
        match how:
            case "legal":  # so that the game goes on; or somebody who is not asked tries it
                action = {"type": "play", "seq": stage.seq, "action": stage.legal(part[0])}
                stage.send(json.dumps(action), guest)
            case "whole":
                stage.send(json.dumps(message), guest)
            case "mangled":
                text = mangle(message, *part)
                stage.send(text if sent % 2 else text.decode(errors="replace"), guest)
            case "raw":
                stage.send(nonsense, guest)
            case "first":
                knock(ground, stage.table if place == "here" else place, json.dumps(message))
        if stage.over and sent % 16 == 0:  # some things can be said after the end only
            stage.leave()
            stage = Stage(ground, start + sent)

    say()
    stage.leave()
    return sent
