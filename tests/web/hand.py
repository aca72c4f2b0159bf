"""A player's hand: does with the page what a person does, and notes every fault of the page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import bastide.modules

MODULES = Path(bastide.modules.__file__).parent
CENTRE_AT_REST = """async (spot) => {
  const centre = () => {
    const {x, y, width, height} = spot.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  for (let before, now = centre(), still = 0; still < 3; before = now) {
    await new Promise(requestAnimationFrame);
    now = centre();
    still = String(now) === String(before) ? still + 1 : 0;
  }
  return centre();
}"""
LOST = re.compile(r"ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket connection to")


class Hand:
    """One browser with one page."""

    def __init__(self, context: Any, home: str) -> None:
        self.context = context
        self.home = home
        self.faults: list[str] = []
        self.may_lose_the_server = False
        context.on("request", self._requested)
        context.on("console", self._said)
        context.on("weberror", lambda error: self.faults.append(f"error: {error.error}"))
        self.page = context.new_page()
        self.page.set_default_timeout(60_000)

    def _requested(self, request: Any) -> None:
        if not request.url.startswith((self.home, self.home.replace("http", "ws"), "data:", "blob:")):
            self.faults.append(f"request to another host: {request.url}")

    def _said(self, message: Any) -> None:
        if message.type == "error" and not (self.may_lose_the_server and LOST.search(message.text)):
            self.faults.append(f"console: {message.text} {message.location}")

    # --- the table
    def at_the_table(self) -> None:
        self.page.wait_for_selector(".play")

    @property
    def seq(self) -> str:
        return str(self.page.get_attribute(".play", "data-seq"))

    def asked(self) -> str:
        """Waits until this player is asked or the game is over; the kind of question, "over" at the end.

        Takes the device where it has to be handed over.
        """
        self.page.wait_for_selector('.play:not([data-asked=""]), .final', state="attached")
        if self.page.locator("#take-device").count():
            self.page.click("#take-device")
        self.page.wait_for_selector('.play:not([data-asked=""]), .final')
        self.page.wait_for_selector(".world:not(.blank)", state="attached")
        return "over" if self.page.locator(".final").count() else str(self.page.get_attribute(".play", "data-asked"))

    def targets(self) -> list[str]:
        """The spots that are lit."""
        found: list[str] = self.page.locator("[data-target]").evaluate_all("all => all.map(one => one.dataset.target)")
        return list(dict.fromkeys(found))

    def point(self, target: str) -> None:
        """Clicks (or taps) a lit spot, as soon as it stays where it is: the board moves when something is laid."""
        spot = self.page.locator(f'[data-target="{target}"]').last
        x, y = spot.evaluate(CENTRE_AT_REST)
        if self.page.evaluate("matchMedia('(pointer: coarse)').matches"):
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def press(self, button: str) -> None:
        """Presses a button that answers the question, and waits for the answer to have been taken."""
        before = self.seq
        self.page.locator(button).first.click()
        # Attached, not visible: the device may now have to be handed over, and the table is covered then.
        self.page.wait_for_selector(f'.play:not([data-seq="{before}"])', state="attached")

    def answer(self) -> None:
        """Some legal answer to whatever is asked."""
        targets = self.targets()
        if targets:
            self.point(targets[0])
            self.press("#confirm")
        elif self.page.locator("#pass").count():
            self.press("#pass")
        else:
            self.press("[data-action]")

    def play(self, action: str) -> None:
        """One certain action, by the same clicks as a person."""
        verb, _, rest = action.partition(" ")
        plain = self.page.locator(f'.ask [data-action="{action}"]')
        if plain.count():
            return self.press(f'.ask [data-action="{action}"]')
        what, _, where = rest.partition(" ")
        where = where.rpartition(" to ")[2] if verb == "move" else where
        target = {"place": where.rpartition(" ")[0], "choose": what}.get(verb, where)
        if target not in self.targets():
            raise AssertionError(f"{target} is not lit for {action}; lit are {self.targets()}")
        self.point(target)
        for _ in range(8):  # every further tap turns the tile, or brings the next piece
            self.page.wait_for_selector("#confirm")
            if self.page.get_attribute("#confirm", "data-action") == action:
                return self.press("#confirm")
            self.point(target)
        raise AssertionError(f"{action} is not among the choices of {target}")

    # --- behind the page
    def api(self, method: str, path: str, **options: Any) -> Any:
        """A request with the browser's cookie."""
        answer = self.context.request.fetch(self.home + path, method=method, **options)
        assert answer.ok, answer.text()
        return answer.json()

    def short_game(self) -> str:
        """The address of a new table: the base game with a few kinds of tile, against the computer."""
        few = "+".join(f"{kind}=0" for kind in "ACFGHIJKLMNOPQRSTUWX")
        seats = [{"kind": "human"}, {"kind": "bot", "bot": "greedy"}]
        made = self.api("POST", "/api/tables", data={"seats": seats, "options": {"tile_counts": few}})
        return str(made["link"])

    def state(self) -> Any:
        """What the server tells this browser about the table."""
        table = self.page.url.split("/table/")[1].split("?")[0]
        return self.api("GET", f"/api/tables/{table}/state")

    def log(self) -> list[str]:
        """What was done at the table so far."""
        return [entry["action"] for entry in self.state()["game"]["log"]]

    def played(self) -> list[str]:
        """What the players did so far, each with the name of who did it."""
        state = self.state()
        names = [seat["name"] for seat in state["seats"]]
        return [
            f"{names[entry['seat']]}: {entry['action']}"
            for entry in state["game"]["log"]
            if not entry["action"].startswith("draw ")
        ]

    def open_record(self, record: str, draws: list[str]) -> None:
        """A table that goes on from a record, all seats at this screen."""
        names = re.search(r"^players (.+)$", record, re.M)
        assert names, record
        seats = [{"kind": "human", "name": name} for name in names[1].split()]
        wish = {"record": record, "seats": seats, **({"draws": draws} if draws else {})}
        self.page.goto(self.api("POST", "/api/tables", data=wish)["link"])
        self.at_the_table()


def scenario(name: str, stop: str) -> tuple[str, list[str], list[str]]:
    """A module's scenario: its record up to an action, the draws that follow, and what the players do from there on."""
    module, _, title = name.partition("/")
    lines = (MODULES / module / "scenarios" / f"{title}.txt").read_text("utf-8").splitlines()
    record: list[str] = []
    draws: list[str] = []
    rest: list[str] = []
    for line in (line.split(" #")[0].rstrip() for line in lines if not line.startswith(("#", "check", "end"))):
        player, colon, actions = line.partition(": ")
        if not colon or " " in player:
            record.append(line)
            continue
        done = []
        for action in actions.split("; "):
            if not rest and action != stop:
                done.append(action)
            elif action.startswith("draw "):
                draws.append(action.removeprefix("draw "))
            else:
                rest.append(f"{player}: {action}")
        if done:
            record.append(f"{player}: {'; '.join(done)}")
    assert rest, f"{name} has no {stop!r}"
    return "\n".join(record) + "\n", draws, rest
