"""Messages, requests and save files made from real ones by a few changes: cheap, so that there can be a million."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from bastide.server.content.catalogue import EMOTES, VERSION
from tests.server.client import ENTROPY
from tests.server.fuzz.inside import Inside, Visitor
from tests.server.fuzz.lines import MIGHT_ADD, lines_of, shown
from tests.server.fuzz.mutants import Mutants
from tests.server.fuzz.records import SCRAPS as RECORD_SCRAPS
from tests.server.fuzz.records import good_records
from tests.server.sample import Chain, chain_of

SPECTATOR, ASKED = 2, 3  # who speaks, if not one of the two players
SHORT = 700  # letters of most save files: what comes late in a long one is dear to reach
WHO = [0, 1, SPECTATOR, ASKED, ASKED, ASKED]
TABLES: list[dict[str, Any]] = [
    {},
    {"modules": ["river"]},
    {"options": {"hand": 3}},
    {"aids": False},
    {"modules": ["inns_and_cathedrals", "traders_and_builders"]},
    {"clock": {"kind": "sudden", "seconds": 3600}},
]
KINDS = [*["play"] * 6, "undo", "undo", "takeback", "takeback", "answer", "answer", "resign", "rematch", "ready",
         "link", "chain", "hello", "chat", "emote", "state", "aids", "region", "regions", "why", "ping",
         "beat"]  # fmt: skip


# --- messages


class Round:
    """A table with two players and a spectator, and the lines that their messages must have left there."""

    def __init__(self, attacked: Inside, mutants: Mutants, number: int) -> None:
        self.attacked, self.mutants = attacked, mutants
        self.chains = [chain_of(seat) for seat in range(2)] if number % 3 == 2 else []
        self.wanted = TABLES[number % len(TABLES)]
        self.visitors: list[Visitor] = []
        self.table, self.seq = "", 0

    async def begin(self) -> None:
        """The game begins."""
        made = await self.attacked.make("human", "human", **self.wanted)
        self.table = made["table"]
        seated = [(seat["seat"], seat["token"]) for seat in made["seats"]]
        self.visitors = [Visitor(self.attacked, self.table, seat, token) for seat, token in (*seated, (-1, ""))]
        for visitor in self.visitors:
            await visitor.enter()
        for seat, visitor in enumerate(self.visitors[:2]):
            part = {"chain": self.chains[seat].end} if self.chains else {"entropy": ENTROPY}
            await visitor.say(json.dumps({"type": "ready", **part}))
        await self.give_links()
        self.read()

    async def give_links(self) -> None:
        """Shows the links that are wanted, so that the game goes on."""
        for seat, chain in enumerate(self.chains):
            fair = self.visitors[seat].state["fair"]
            end = fair["ends"].get(str(seat), "")
            if seat in fair["wanted"]:  # by the chain, or by another one if a message has changed it
                said = {"type": "link", "link": chain.after(end)} if goes_on(chain, end) else new_chain(chain)
                await self.visitors[seat].say(json.dumps(said))

    @property
    def over(self) -> bool:
        """Has the game come to its end?"""
        return any(visitor.state.get("status") == "over" for visitor in self.visitors)

    @property
    def asked(self) -> int:
        """The player who decides now, as far as was told."""
        latest = max((visitor.state for visitor in self.visitors), key=lambda state: int(state.get("seq", 0)))
        return max(0, latest["game"]["decides"]) if latest.get("game") else 0

    def read(self) -> list[str]:
        """New lines that are stored, but for what chance brought."""
        statement = 'select seq, text from lines where "table" = ? and seq > ? order by seq'
        new = self.attacked.rows(statement, self.table, self.seq)
        if [seq for seq, _ in new] != list(range(self.seq + 1, self.seq + 1 + len(new))):
            self.attacked.fault(self.table, f"lines are not numbered one by one: {new} after {self.seq}")
        self.seq += len(new)
        return [text for _, text in new]

    def question(self) -> list[dict[str, Any]]:
        """What can be done now."""
        game = self.visitors[self.asked].state.get("game") or {}
        actions: list[dict[str, Any]] = (game.get("question") or {"actions": [{"text": "pass"}]})["actions"]
        return actions

    def meant(self, kind: str) -> dict[str, Any]:
        """A message of a kind as a program would send it."""
        random, state = self.mutants.random, self.visitors[self.asked].state
        actions = self.question()
        members: dict[str, Callable[[], dict[str, Any]]] = {
            "play": lambda: {"seq": self.seq, "action": random.choice(actions)["text"], **self.own_link()},
            "undo": lambda: {"seq": self.seq, "whole": random.random() < 0.3},
            "takeback": lambda: {"seq": self.seq},
            "answer": lambda: {"seq": self.seq, "agree": random.random() < 0.5},
            "resign": lambda: {"seat": random.choice((None, 0, 1))},
            "ready": lambda: {"entropy": ENTROPY},
            "link": lambda: self.own_link() or {"link": "0" * 64},
            "chain": lambda: {"chain": "0" * 64},
            "hello": lambda: {"version": VERSION, "token": self.visitors[0].token},
            "chat": lambda: {"text": "well played"},
            "emote": lambda: {"name": random.choice(list(EMOTES))},
            "region": lambda: {"cell": [0, 0], "spot": random.choice(("city N", "road E", "field W"))},
            "regions": lambda: {"kind": random.choice(("", "city", "road"))},
            "why": lambda: {"action": random.choice(actions)["text"]},
            "beat": lambda: {"n": random.randrange(3)},
        }
        more = members[kind]() if kind in members else {}
        return {"type": kind, "id": state.get("n", 0), **more}

    def own_link(self) -> dict[str, Any]:
        """The next link of the chain of who is asked."""
        if not self.chains:
            return {}
        ends = self.visitors[self.asked].state["fair"]["ends"]
        end, chain = ends.get(str(self.asked), ""), self.chains[self.asked]
        return {"link": chain.after(end)} if goes_on(chain, end) else {}

    async def send(self, text: str, visitor: Visitor) -> None:
        """Sends a message; exactly what it may do is stored afterwards."""
        heard = await visitor.say(text)
        answers = [said for said in heard if said["type"] in ("done", "refused")]
        if any(said.get("code") in ("internal", "unavailable") for said in answers):
            self.attacked.fault(text, f"answered {answers}")
        done = any(said["type"] == "done" for said in answers)
        expected, lines = lines_of(text, visitor.seat) if done else [], self.read()
        found = [line for line in map(shown, lines) if line]
        if done and found != expected:
            found = [line for line in found if line.split()[0] not in MIGHT_ADD]
        if found != expected:
            self.attacked.fault((visitor.seat, text), f"stored {lines}, answered {answers}")
        self.attacked.listen(text)
        if visitor.closed is not None:
            self.attacked.fault(text, f"the socket was closed: {visitor.closed}")
            await visitor.enter()
        if done and lines:
            for other in self.visitors:
                if other is not visitor:
                    await other.say('{"type": "ping"}')
            await self.give_links()
            self.read()

    async def leave(self) -> None:
        """What is stored at the end can be played."""
        for visitor in self.visitors:
            await visitor.leave()
        answer = await self.attacked.ask("GET", f"/api/tables/{self.table}/replay")
        if answer.status != 200:
            self.attacked.fault(self.table, f"what is stored cannot be played: {answer.content!r}")


def goes_on(chain: Chain, end: str) -> bool:
    """Is there a link after this end?"""
    return end in chain.links and chain.links.index(end) > 0


def new_chain(chain: Chain) -> dict[str, Any]:
    """A message that goes on with this chain from its beginning."""
    return {"type": "chain", "chain": chain.end}


async def knock(attacked: Inside, table: str, text: str) -> None:
    """Says something else than hello, or to another table; the server answers and closes, or lets one in."""
    visitor = Visitor(attacked, table, -1, "")
    for answer in await visitor.enter(text):
        if answer["type"] == "refused" and answer.get("code") in ("internal", "unavailable", None):
            attacked.fault((table, text), f"answered {answer}")
    if visitor.closed not in (None, 1008, 1009):
        attacked.fault((table, text), f"the socket was closed: {visitor.closed}")
    await visitor.leave()
    attacked.listen((table, text))


async def quick_messages(attacked: Inside, count: int, seed: int) -> int:
    """Whoever says whatever: only what a player may do changes the game."""
    mutants, sent, number = Mutants(seed), 0, seed
    random = mutants.random
    turn = Round(attacked, mutants, number)
    await turn.begin()
    while sent < count and not attacked.enough:
        sent += 1
        kind, whom = random.choice(KINDS), random.choice(WHO)
        visitor = turn.visitors[turn.asked if whom == ASKED else whom]
        if kind in ("resign", "rematch") and not mutants.sometimes(0.1):
            kind = "play"  # else few games would last
        message: Any = turn.meant(kind)
        pick = random.random()
        if pick < 0.25:
            await turn.send(json.dumps(message), visitor)
            continue
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            message = mutants.changed(message)
        if pick < 0.75:
            await turn.send(json.dumps(message), visitor)
        elif pick < 0.97:
            await turn.send(mutants.mangled(message).decode(errors="replace"), visitor)
        else:
            place = random.choice(
                (turn.table, turn.table, mutants.words().replace("/", "").replace("\ud800", ""), "nowhere")
            )
            await knock(attacked, place, json.dumps(message))
        if turn.over and mutants.sometimes(0.1):  # some things can be said after the end only
            await turn.leave()
            number += 1
            turn = Round(attacked, mutants, number)
            await turn.begin()
    await turn.leave()
    return sent


# --- requests

PRICED = ("/api/choice", "/api/tables", "/api/positions")  # what is made from a body is behind these
PLACES = ["", "x", "é", "../..", "%00", "a" * 64, "a" * 65, "-1", "[]", "{}", "null", "0"]
FILES = ["day.svg", "night.svg", "data.json", "base.svg", "base.png", "nothing.svg", "../base.svg", ".svg"]
QUERIES = ["", "at=-1", "at=3", "at=99999999999999999999", "modules=base,,x", "modules=river", "options=a:b", "%ff=%00",
           "theme=x", "theme=day", "language=fr", "language=\u00e9", "edition=c3", "&&=&"]  # fmt: skip
METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "BREW"]
LINES = {
    "origin": ["null", "http://[", "http://[::1", "https://example.net", "http://127.0.0.1:99999", "\xff", "//", ""],
    "host": ["", "[", "example.net", "localhost:x", "a" * 300, "127.0.0.1"],
    "cookie": ["bastide=", "bastide=\xff", "bastide=" + "a" * 500, "bastide", "=;=;", 'bastide="'],
    "authorization": ["Bearer", "Bearer \xff", "bearer x", "Basic x", "Bearer " + "a" * 500],
    "content-type": ["text/plain", "application/json; charset=utf-16", "application/json; charset=nothing",
                     "multipart/form-data", "application/x-www-form-urlencoded", "application/msgpack", "\xff", ""],
    "accept": ["text/html", "image/*;q=x", "\xff", "", "application/json"],
    "accept-encoding": ["gzip;q=0", "br", "\xff", "gzip"],
    "if-none-match": ['"x"', "*", "\xff"],
    "accept-language": ["fr", "\xff", "x" * 300],
    "user-agent": ["WhatsApp/2", "\xff"],
    "x-forwarded-for": ["x", "::1", "\xff"],
    "range": ["bytes=0-", "bytes=-1"],
}  # fmt: skip
CHOSEN = 12  # choices of rules in a batch: compiling them is dear, and what is chosen once is chosen again


class Street:
    """What an attacker may know: tables, a position, an invite, the words of the catalogue; bodies that are meant."""

    def __init__(self, attacked: Inside, mutants: Mutants) -> None:
        self.attacked, self.mutants = attacked, mutants

    async def look(self) -> None:
        """Makes a waiting table, a running one, one that is over, one with free seats, a position."""
        attacked = self.attacked
        waiting, running, over = [await attacked.make("human", kind) for kind in ("open", "human", "human")]
        for made in (running, over):
            visitors = [Visitor(attacked, made["table"], seat["seat"], seat["token"]) for seat in made["seats"]]
            for visitor in visitors:
                await visitor.enter()
                await visitor.say(json.dumps({"type": "ready", "entropy": ENTROPY}))
            if made is over:
                await visitors[0].say('{"type": "resign"}')
            for visitor in visitors:
                await visitor.leave()
        self.watched = [made["table"] for made in (waiting, running, over)]  # tables that nothing of this may change
        self.free = await attacked.make(*["open"] * 8)
        self.position = (await attacked.tell("/api/positions", {"record": good_records()[2]})).json["position"]
        self.catalogue = (await attacked.ask("GET", "/api/catalogue")).json
        self.paths = (await attacked.ask("GET", "/api/schema/openapi.json")).json["paths"]
        self.choices = [self.choice() for _ in range(CHOSEN)]

    def choice(self) -> dict[str, Any]:
        """A choice of rules in words that exist."""
        random, modules = self.mutants.random, self.catalogue["modules"]
        options = [(option["name"], value) for module in modules for option in module["options"]
                   for value in option["values"]]  # fmt: skip
        said: dict[str, Any] = {"modules": [random.choice(modules)["name"] for _ in range(random.randrange(3))]}
        if self.mutants.sometimes(0.3):
            said["edition"] = random.choice(self.catalogue["editions"])["name"]
        if self.mutants.sometimes(0.2):
            said = {"preset": random.choice(self.catalogue["presets"])["name"]}
        if self.mutants.sometimes(0.5):
            said["options"] = dict([random.choice(options)])
        return said

    def body(self, path: str) -> dict[str, Any]:
        """What is meant to be sent to a path."""
        random = self.mutants.random
        if path.endswith("/choice"):
            return {**random.choice(self.choices), "players": random.randrange(2, 4)}
        if path == "/api/tables":
            return self.table()
        if path.endswith("/positions"):
            return {"record": random.choice(good_records()[:20]), "title": "a game", "goal": "", "draws": []}
        bodies: dict[str, dict[str, Any]] = {
            "join": {"invite": self.free["invite"], "name": "é", "colour": "red", "seat": random.randrange(8)},
            "fill": {"bot": random.choice(self.catalogue["bots"])},
            "enter": {"token": "a" * 43},
            "call": {"endpoint": "https://example.net/x", "p256dh": "a" * 87, "auth": "b" * 22},
        }
        return bodies.get(path.rpartition("/")[2], {})

    def table(self) -> dict[str, Any]:
        """A table that somebody may want. No bots: they would play."""
        random = self.mutants.random
        seats = [{"kind": random.choice(("human", "open"))} for _ in range(2)]
        wanted: dict[str, Any] = {"seats": seats, "title": "a table", "public": random.random() < 0.5}
        more: list[dict[str, Any]] = [
            {},
            random.choice(self.choices),
            {"position": self.position},
            {"record": random.choice(good_records()[:20])},
            {"start": [{"tile": random.choice("DEUW"), "cell": [n, 0], "turn": random.randrange(4)} for n in range(2)]},
            {"draws": random.choices(["D", "E", "U", "W"], k=4)},
            {"clock": {"kind": "increment", "seconds": 60, "increment": 5}},
        ]
        return {**wanted, **random.choice(more)}

    def path(self, described: str) -> str:
        """A path with something in its places."""
        random = self.mutants.random
        places = {
            "table": [*self.watched, self.free["table"]],
            "position": [self.position],
            "file": FILES,
            "rule": ["BASE-12", "BASE-99999"],
            "module": ["base", "river"],
            "seat": ["0", "1", "9"],
            "path": ["table/x", "assets/../x", "engine/x", "metrics"],
        }
        for name, known in places.items():
            described = described.replace(f"{{{name}}}", random.choice(known if random.random() < 0.8 else PLACES))
        return described


async def quick_requests(attacked: Inside, count: int, seed: int) -> int:
    """Described requests with changes. No game changes of those to which the sender has no key."""
    mutants, sent = Mutants(seed), 0
    random, street = mutants.random, Street(attacked, mutants)
    await street.look()
    paths = [*street.paths, *PRICED * 4, *(path for path, said in street.paths.items() if "post" in said), "/{path}"]
    with attacked.unchanged(street.watched, "requests"):
        while sent < count and not attacked.enough:
            sent += 1
            described = random.choice(paths)
            methods = [method.upper() for method in street.paths.get(described, {"get": 0})]
            method = random.choice(methods) if mutants.sometimes(0.95) else random.choice(METHODS)
            body: Any = street.body(described)
            for _ in range(random.choice((0, 1, 1, 1, 2))):
                body = mutants.changed(body)
            text = json.dumps(body).encode() if mutants.sometimes(0.85) else mutants.mangled(body)
            headers = {}
            if mutants.sometimes(0.2):
                name = random.choice(list(LINES))
                headers[name] = random.choice(LINES[name])
            query = random.choice(QUERIES).encode() if mutants.sometimes(0.3) else b""
            path = street.path(described)
            if "drawings" in path and b"modules" in query:
                query = b""  # drawing anew takes a second; hypothesis does it
            await attacked.ask(method, path, text if method != "GET" else b"", headers, query)
    return sent


# --- save files


async def quick_records(attacked: Inside, count: int, seed: int) -> int:
    """Every save file is refused, or it is a table or position like any other. No other game changes."""
    mutants, tried = Mutants(seed), 0
    random, known = mutants.random, good_records()
    lines = [line for record in known for line in record.split("\n")]
    short = [record for record in known if len(record) < SHORT]
    with attacked.unchanged([(await attacked.make("human", "human"))["table"]], "save files"):
        while tried < count and not attacked.enough:
            tried += 1
            text = random.choice(short if mutants.sometimes(0.9) else known)
            for _ in range(random.choice((0, 1, 1, 1, 2, 4))):
                text = mutants.text(text, RECORD_SCRAPS if mutants.sometimes(0.7) else lines)
            draws = [] if mutants.sometimes(0.8) else mutants.changed(["D", "E"])
            if tried % 2:
                made = await attacked.tell("/api/positions", {"record": text, "draws": draws})
                if made.status == 201:
                    await attacked.ask("GET", f"/api/positions/{made.json['position']}")
            else:
                seats = [{"kind": "human"}] * 2
                made = await attacked.tell("/api/tables", {"record": text, "draws": draws, "seats": seats})
                if made.status == 201:
                    await attacked.ask("GET", f"/api/tables/{made.json['table']}/state")
    return tried
