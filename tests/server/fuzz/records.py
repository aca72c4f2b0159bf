"""Save files: good records in which words, lines or letters were lost, doubled, moved or replaced; and nonsense."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from bastide.game import Game, Rng
from bastide.notation.record import write_record
from bastide.notation.replay import record_of
from bastide.rules import Rules
from bastide.rules.choose import BASE
from bastide.rules.registry import specs
from tests.server.fuzz.ground import Ground, many

LONG = "9" * 5000  # digits that neither the engine nor Python takes for a number
SCRAPS = [
    "", " ", ";", ":", "#", "\0", "\n\n", "\r", "draw", "place", "deploy", "take", "choose", "pass", "discard", "end",
    "90", "360", "-1,0", "0,0", "1000,1000", "9999999999", "-9223372036854775809", LONG, f"{LONG},0", "٣", "²", "check",
    "check score red 1", f"check score red {LONG}", "option hand", "option hand 3", f"option hand {LONG}",
    "players a b", "players red", "modules river", "start D 0,0 0", "start D 99999,0 0", f"start D {LONG},0 0",
    "draws scripted", "red:", "bastide 1", "bastide 2", "title é", "goal x", "edition c3", "é", "\u202e", "\ud800",
    "city N", "follower",
]  # fmt: skip
ACTIONS = (0, 3, 20, 60)  # lengths of records


def a_record(names: tuple[str, ...], actions: int) -> str:
    """A good record of a game at random."""
    game = Game(Rules.of(modules=names), draws="by hand")
    rng = Rng(actions + 1)
    while not game.over and len(game.history) < actions:
        game.play(game.legal[rng.below(len(game.legal))])
    return write_record(record_of(game, "a game"))


@cache
def good_records() -> list[str]:
    """Records of the base game and of every box that goes with it."""
    boxes = [name for name, found in specs().items() if name != BASE and not found.standalone]
    choices = [(), *((name,) for name in boxes)]
    return [a_record(names, actions) for names in choices for actions in ACTIONS]


@st.composite
def broken_records(draw: st.DrawFn) -> str:
    """A good record that somebody has worked on."""
    text = draw(st.sampled_from(good_records()))
    for _ in range(draw(st.integers(0, 4))):
        unit = draw(st.sampled_from(["\n", " ", ""]))
        parts = text.split(unit) if unit else list(text)
        at, other = (draw(st.integers(0, max(0, len(parts) - 1))) for _ in range(2))
        match draw(st.sampled_from(["drop", "double", "swap", "scrap", "graft", "cut"])) if parts else "":
            case "drop":
                del parts[at]
            case "double":
                parts.insert(other, parts[at])
            case "swap":
                parts[at], parts[other] = parts[other], parts[at]
            case "scrap":
                parts[at] = draw(st.sampled_from(SCRAPS) | st.text(max_size=6))
            case "graft":  # a line of another record
                parts[at] = draw(st.sampled_from(draw(st.sampled_from(good_records())).split("\n")))
            case "cut":
                del parts[at:]
        text = unit.join(parts)
    return text


def fuzz_records(ground: Ground, count: int, start: int) -> int:
    """Every save file is refused, or it is a table or position like any other. No other game changes."""
    tried = 0
    other = ground.make("human", "human")["table"]

    @many(count, start)
    @given(text=broken_records() | st.text(st.characters(), max_size=100), draws=st.just([]) | st.lists(st.text()))
    def send(text: str, draws: list[str]) -> None:
        nonlocal tried
        if ground.enough:
            return
        tried += 1
        if tried % 2:
            made = ground.ask("POST", "/api/positions", body={"record": text, "draws": draws})
            if made is not None and made.status_code == 201:
                ground.ask("GET", f"/api/positions/{made.json()['position']}")
        else:
            seats = [{"kind": "human"}] * 2
            made = ground.ask("POST", "/api/tables", body={"record": text, "draws": draws, "seats": seats})
            if made is not None and made.status_code == 201:
                ground.ask("GET", f"/api/tables/{made.json()['table']}/state")

    with ground.unchanged([other], "save files"):
        send()
    return tried
