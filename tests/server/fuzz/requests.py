"""Requests: by schemathesis from the description of all paths, right and wrong ones; and what no description says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import schemathesis.openapi
from hypothesis import given
from hypothesis import strategies as st
from requests import RequestException, Session
from schemathesis import Case, GenerationMode
from schemathesis.core.result import Ok

from tests.server.client import ENTROPY
from tests.server.fuzz.ground import Ground, many
from tests.server.fuzz.messages import DEEP, Guest
from tests.server.fuzz.records import good_records

SVG = ["day.svg", "night.svg", "data.json", "base.svg", "nothing.svg", "../base.svg", ".svg"]
NONSENSE = ["", "x", "é", "../..", "%00", "a" * 64, "a" * 65, "-1", "[]", "{}", "null"]
METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "BREW"]
HEADERS = {
    "origin": ["null", "http://[", "http://[::1", "https://example.net", "http://127.0.0.1:99999", "\xff", "//", ""],
    "host": ["", "[", "example.net", "localhost:x", "a" * 300],
    "cookie": ["bastide=", "bastide=\xff", "bastide=" + "a" * 5000, "bastide", "=;=;", 'bastide="'],
    "authorization": ["Bearer", "Bearer \xff", "bearer x", "Basic x", "Bearer " + "a" * 5000],
    "content-type": ["text/plain", "application/json; charset=utf-16", "application/json; charset=nothing",
                     "multipart/form-data", "application/x-www-form-urlencoded", "application/msgpack", "\xff", ""],
    "accept": ["text/html", "image/*;q=x", "\xff", ""],
    "accept-encoding": ["gzip;q=0", "br", "\xff"],
    "if-none-match": ['"x"', "*", "\xff"],
    "content-length": ["-1", "x", "0", "99999999999999999999999"],
    "range": ["bytes=0-", "bytes=-1"],
    "x-forwarded-for": ["x", "::1", "\xff"],
    "x-forwarded-proto": ["https", "\xff"],
    "transfer-encoding": ["x"],
}  # fmt: skip
DEEPER = ("/api/tables", "/api/choice", "/api/positions")  # there is more behind these
BODIES: list[bytes] = [
    b"", b"{", b"null", b"[]", b"{}", b"\xff", b"\xef\xbb\xbf{}", b"\x00", b'{"seats":' + b"[" * DEEP, b"[" * DEEP,
    b'{"a":' * DEEP, b"1" * 5000, b"x" * 400_000, b'{"seats":[{"kind":"human"}],"seats":1}',
    b'{"seats":[{"kind":"human","name":"\\ud800"},{"kind":"human"}]}',
    b'{"seats":[{"kind":"human"},{"kind":"human"}],"clock":{"kind":"sudden","seconds":1e400}}',
    b'{"seats":[{"kind":"human"},{"kind":"human"}],"options":{"hand":99999999999999999999999}}',
    b'{"seats":[{"kind":"human"},{"kind":"human"}],"options":{"hand":-9223372036854775809}}',
    b'{"record":"bastide 1"}', b'{"record":"x","title":"\\u0000"}', b'{"invite":"\\ud800"}', b'{"token":"\\udfff"}',
]  # fmt: skip


@dataclass
class Known:
    """What an attacker may know: names of tables, a position, an invite; and all words of the catalogue."""

    watched: list[str]  # tables that nothing of this may change
    free: dict[str, Any]  # a table with free seats
    position: str
    catalogue: dict[str, Any]

    @property
    def tables(self) -> list[str]:
        """Names of tables that exist."""
        return [*self.watched, self.free["table"]]


def met(ground: Ground) -> Known:
    """A waiting table, a running one, one that is over, one with free seats; a position."""
    waiting, running, over = (ground.make("human", kind) for kind in ("open", "human", "human"))
    for made in (running, over):
        players = [Guest(ground, made["table"], seat["seat"], seat["token"]) for seat in made["seats"]]
        for player in players:
            player.say(json.dumps({"type": "ready", "entropy": ENTROPY}))
        if made is over:
            players[0].say('{"type": "resign"}')
        for player in players:
            player.leave()
    kept = ground.client.post("/api/positions", json={"record": good_records()[2]}).json()["position"]
    catalogue = ground.client.get("/api/catalogue").json()
    return Known([made["table"] for made in (waiting, running, over)], ground.make(*["open"] * 8), kept, catalogue)


def wishes(known: Known) -> st.SearchStrategy[dict[str, Any]]:
    """Members of a body in words that exist, in whatever combination. No bots: they would play."""
    modules = [module["name"] for module in known.catalogue["modules"]]
    options = [(option["name"], value) for module in known.catalogue["modules"] for option in module["options"]
               for value in option["values"]]  # fmt: skip
    tiles = st.sampled_from(["D", "E", "U", "W", "x"])
    cells = st.lists(st.integers(-2, 2), min_size=2, max_size=2)
    seats = st.fixed_dictionaries(
        {"kind": st.sampled_from(["human", "open"])}, optional={"colour": st.sampled_from(known.catalogue["colours"])}
    )
    members: dict[str, st.SearchStrategy[Any]] = {
        "preset": st.sampled_from([preset["name"] for preset in known.catalogue["presets"]]),
        "edition": st.sampled_from([edition["name"] for edition in known.catalogue["editions"]]),
        "modules": st.lists(st.sampled_from(modules), max_size=4),
        "options": st.lists(st.sampled_from(options), max_size=4).map(dict),
        "players": st.integers(0, 9),
        "start": st.lists(st.fixed_dictionaries({"tile": tiles, "cell": cells, "turn": st.integers(0, 3)}), max_size=3),
        "draws": st.lists(tiles, max_size=6),
        "position": st.sampled_from([known.position, "x"]),
        "record": st.sampled_from(good_records()),
        "invite": st.just(known.free["invite"]),
        "seat": st.integers(0, 7),
        "colour": st.sampled_from(known.catalogue["colours"]),
    }

    @st.composite
    def wish(draw: st.DrawFn) -> dict[str, Any]:
        names = draw(st.lists(st.sampled_from(sorted(members)), max_size=4))
        return {"seats": draw(st.lists(seats, min_size=2, max_size=8)), **{name: draw(members[name]) for name in names}}

    return wish()


def encoded(body: dict[str, Any]) -> bytes:
    """A body as it is sent."""
    return json.dumps(body).encode()


def place(known: Known) -> st.SearchStrategy[dict[str, str]]:
    """What may stand in a path."""
    return st.fixed_dictionaries(
        {
            "table": st.sampled_from([*known.tables, *NONSENSE]),
            "position": st.sampled_from([known.position, *NONSENSE]),
            "file": st.sampled_from([*SVG, *NONSENSE]),
            "rule": st.sampled_from(["BASE-12", "BASE-99999", *NONSENSE]),
        },
    )


def fuzz_requests(ground: Ground, count: int, start: int) -> int:
    """Described requests and others. No game changes of those to which the sender has no key."""
    known = met(ground)
    with ground.unchanged(known.watched, "requests"):
        described = fuzz_described(ground, known, count * 2 // 3, start)
        return described + fuzz_undescribed(ground, known, count - described, start)


def fuzz_described(ground: Ground, known: Known, count: int, start: int) -> int:
    """Requests from the description, with some of its words replaced by such as exist."""
    schema = schemathesis.openapi.from_dict(ground.client.get("/api/schema/openapi.json").json())
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    operations += [operation for operation in operations if operation.path in DEEPER] * 3
    cases = [operation.as_strategy(generation_mode=mode) for operation in operations for mode in GenerationMode]
    sent = 0

    @many(count, start)
    @given(case=st.one_of(cases), where=place(known), wish=wishes(known), salt=st.integers(0, 2))
    def ask(case: Case[Any], where: dict[str, str], wish: dict[str, Any], salt: int) -> None:
        nonlocal sent
        if ground.enough:
            return
        sent += 1
        if salt and isinstance(case.path_parameters, dict):
            case.path_parameters.update(
                (name, value) for name, value in where.items() if value and name in case.path_parameters
            )
        if salt == 1 and isinstance(case.body, dict):
            case.body.update(wish)
        elif salt == 2 and case.path in DEEPER:
            case.body = wish
        call(ground, case, session)

    with Session() as session:
        ask()
    return sent


def call(ground: Ground, case: Case[Any], session: Session) -> None:
    """Sends a request of schemathesis."""
    sent = (case.method, case.formatted_path, case.query, case.headers, case.body)
    try:
        session.cookies.clear()
        answer = case.call(base_url=f"http://{ground.address}", session=session, timeout=ground.patience)
    except RequestException as error:
        ground.fault(sent, f"no answer: {error!r}")
        return
    ground.judge(sent, answer.status_code, ",".join(answer.headers.get("content-type", [])), answer.content)


def fuzz_undescribed(ground: Ground, known: Known, count: int, start: int) -> int:
    """Methods, headers and bodies that the description does not have."""
    schema = ground.client.get("/api/schema/openapi.json").json()
    paths = st.sampled_from(
        [*schema["paths"], "/", "/api/", "/api/schema/socket.json", "/metrics", "/table/x", "/assets/../x"]
    )
    headers = st.fixed_dictionaries({}, optional={name: st.sampled_from(said) for name, said in HEADERS.items()})
    sent = 0

    @many(count, start)
    @given(
        path=paths,
        method=st.sampled_from(METHODS),
        said=st.just({}) | headers,
        body=st.sampled_from(BODIES) | st.binary(max_size=100) | wishes(known).map(encoded),
        where=place(known),
        query=st.sampled_from(
            ["", "?", "?at=-1", "?at=99999999999999999999", "?modules=base,,x", "?options=a:b", "?%ff=%00", "?theme=x"]
        ),
    )
    def ask(path: str, method: str, said: dict[str, str], body: bytes, where: dict[str, str], query: str) -> None:
        nonlocal sent
        if ground.enough:
            return
        sent += 1
        for name, value in where.items():
            path = path.replace(f"{{{name}}}", value)
        lines = {"content-type": "application/json", **said}
        ground.shout(method, f"{path}{query}", lines, body)

    ask()
    return sent
