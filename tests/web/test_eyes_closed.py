"""Eyes closed: a program that knows nothing but the accessibility tree plays whole games by typed commands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from bastide import Game, Rules
from tests.web.hand import Hand
from tests.web.test_everybody import faults

Visit = Callable[..., Hand]
WORDS = {
    "en": {"line": "Command", "log": "Typed commands", "moves": "moves", "play": "play", "players": "players"},
    "fr": {"line": "Commande", "log": "Commandes tapées", "moves": "coups", "play": "jouer", "players": "joueurs"},
}
OVER = {"en": "The game is over", "fr": "La partie est finie"}
PATIENCE = 3000  # looks at the tree for one answer: whole minutes, for a machine with other work


class BlindPlayer:
    """Reads the accessibility tree and types. Nothing of the page is looked at in another way."""

    def __init__(self, hand: Hand, language: str) -> None:
        self.page = hand.page
        self.words = WORDS[language]
        self.language = language
        self.tree = hand.context.new_cdp_session(hand.page)
        self.tree.send("Accessibility.enable")
        self.last = ""  # the answer that was heard last

    def find(self, role: str, name: str) -> dict[str, Any] | None:
        """A node that is not hidden, by its role and name."""
        root = self.tree.send("DOM.getDocument", {"depth": 0})["root"]["backendNodeId"]
        wanted = {"backendNodeId": root, "role": role, "accessibleName": name}
        found = self.tree.send("Accessibility.queryAXTree", wanted)["nodes"]
        return next((node for node in found if not node.get("ignored")), None)

    def inside(self, node: dict[str, Any]) -> list[dict[str, Any]]:
        """What is directly inside a node."""
        found: list[dict[str, Any]] = self.tree.send("Accessibility.getChildAXNodes", {"id": node["nodeId"]})["nodes"]
        return found

    def text(self, node: dict[str, Any]) -> str:
        """What is read out."""
        if value(node, "role") == "StaticText":
            return value(node, "name")
        return " ".join(self.text(one) for one in self.inside(node)).strip()

    def lines(self, name: str) -> list[dict[str, Any]]:
        """The paragraphs of a log."""
        log = self.find("log", name)
        return self.inside(log) if log else []

    def begin(self) -> None:
        """Waits for the line to type in, and goes there."""
        for _ in range(PATIENCE):
            line = self.find("textbox", self.words["line"])
            if line is not None:
                self.tree.send("DOM.focus", {"backendNodeId": line["backendDOMNodeId"]})
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("there is no line to type in")

    def ask(self, command: str) -> str:
        """Types a command and hears the answer."""
        self.page.keyboard.insert_text(command)
        self.page.keyboard.press("Enter")
        return self.heard(f"no answer to {command}").removeprefix(command).strip()

    def heard(self, otherwise: str) -> str:
        """The next answer."""
        for _ in range(PATIENCE):
            lines = self.lines(self.words["log"])
            if lines and lines[-1]["nodeId"] != self.last:
                self.last = lines[-1]["nodeId"]
                return self.text(lines[-1])
            self.page.wait_for_timeout(20)
        raise AssertionError(otherwise)

    def play(self, choose: Callable[[list[str]], int]) -> bool:
        """Answers what is asked; is the game over?"""
        for _ in range(PATIENCE):
            told = self.ask(self.words["moves"])
            if told.startswith(OVER[self.language]):
                return True
            numbers = re.findall(r"(?:^|\. )(\d+)\s?: (.*?)(?=\. \d+\s?: |$)", told)
            if numbers:
                self.ask(f"{self.words['play']} {choose([move for _, move in numbers]) + 1}")
                return False
            self.page.wait_for_timeout(200)  # somebody else plays
        raise AssertionError("it was never asked")


def value(node: dict[str, Any], member: str) -> str:
    return str(node.get(member, {}).get("value", ""))


def at_a_table(visit: Visit, language: str, bots: int, **wish: Any) -> tuple[Hand, BlindPlayer]:
    hand = visit(locale={"en": "en-GB", "fr": "fr-FR"}[language])
    seats = [{"kind": "human", "name": "Ann"}, *[{"kind": "bot", "bot": "greedy"}] * bots]
    made = hand.api("POST", "/api/tables", data={"seats": seats, **wish})
    hand.page.evaluate("localStorage.setItem('bastide.settings', JSON.stringify({ spoken: true }))")
    hand.page.goto(made["link"])
    player = BlindPlayer(hand, language)
    player.begin()
    return hand, player


def first_piece(moves: list[str]) -> int:
    """Some move that does something, if there is one."""
    return next((n for n, move in enumerate(moves) if "(pass)" not in move), 0)


def short_deck(module: str) -> str:
    """The house rule that leaves every fifth kind of tile, for a short game."""
    kinds = Game(Rules.of(modules=[module])).view(0).unseen
    return "+".join(f"{kind}=0" for number, kind in enumerate(kinds) if number % 5)


@pytest.mark.parametrize(
    ("language", "module"),
    [("en", "inns_and_cathedrals"), ("fr", "hunters_and_gatherers"), ("en", "over_hill_and_dale")],
)
def test_a_whole_game_by_words_alone(visit: Visit, language: str, module: str) -> None:
    bots = 2
    hand, player = at_a_table(visit, language, bots, modules=[module], options={"tile_counts": short_deck(module)})
    turns = 0
    while not player.play(first_piece):
        turns += 1
        assert turns < 150
    decided = [line.startswith("Ann: ") for line in hand.played()]
    assert 0 < decided.count(True) == turns < len(decided)  # all that were hers, by words
    said = player.ask(player.words["players"])
    assert len(re.findall(r"\d+ points", said)) == bots + 1
    state = hand.state()  # only now: was it told as it is?
    scores = [int(points) for points in re.findall(r"(\d+) points", said)]
    assert state["status"] == "over"
    assert state["game"]["left"] == 0  # the deal is random, but every tile was drawn
    assert scores == state["game"]["scores"]


def test_everything_can_be_asked_for(visit: Visit) -> None:
    hand, player = at_a_table(
        visit, "en", 1, start=[{"tile": "D", "cell": [0, 0], "turn": 1}], draws=["E", "C", "C", "C"]
    )
    assert player.ask("tile").startswith("Tile E. north: city, east: field, south: field, west: field.")
    start = player.ask("what 0,0")
    assert "0,0: Tile D, turned 90 degrees" in start
    sides = dict(re.findall(r"(north|east|south|west): (\w+)", start))
    assert sides == {"north": "road", "east": "city", "south": "road", "west": "field"}
    assert "city E reaches east, city, 1 tile, 1 open end, nobody" in start
    hole = player.ask("what 1,0")
    assert "1,0 is empty" in hole
    assert "west of it city" in hole
    assert "your tile fits, turned 270" in hole
    assert "has no tile beside it" in player.ask("what 9,9")
    assert "open towards 1,0" in player.ask("region 0,0 city E")
    assert "There is no cloister at 0,0. There are: city E, road N," in player.ask("region 0,0 cloister")
    assert "Not possible: " in player.ask("place E 0,-1 0")
    assert player.ask("nonsense").startswith("“nonsense” is not known here")
    assert "follower" in player.ask("player 2")
    assert "Done: lay at 1,0" in player.ask("place E 1,0 270")
    assert "That could be: deploy follower 1,0" in player.ask("deploy")
    assert "Done: follower on city (west)" in player.ask("city W")
    news = [player.text(line) for line in player.lines("")]
    assert any("You lay a tile at 1,0: tile with city (west)" in line for line in news)
    assert any("You score 4 for city" in line for line in news)
    assert "city E reaches east, city, 2 tiles, finished, nobody there" in player.ask("what 0,0")
    assert faults(hand, "typed commands") == []

    hand.page.keyboard.press("Escape")  # to the board: keys ask, too
    for pressed, said in (("1", "Ann, 4 points"), (".", "is empty"), (";", "tile"), ("2", "points")):
        hand.page.keyboard.press(pressed)
        assert said in player.heard(f"{pressed} says nothing")


def test_french_words_are_understood(visit: Visit) -> None:
    _, player = at_a_table(visit, "fr", 1, start=[{"tile": "D", "cell": [0, 0], "turn": 1}], draws=["E", "C", "C"])
    assert player.ask("tuile").startswith("Tuile E. nord\u00a0: ville, est\u00a0: pré")
    assert "ville E touche est, ville, 1 tuile, 1 bout ouvert, personne" in player.ask("quoi 0,0")
    assert "ouverte vers 1,0" in player.ask("zone 0,0 ville E")
    assert "Fait\u00a0: " in player.ask("poser 1,0 270")
    assert "Fait\u00a0: " in player.ask("placer partisan ville ouest")
    assert ", 4 points" in player.ask("joueur 1")


def test_the_key_for_commands_opens_the_line(visit: Visit) -> None:
    hand = visit()
    hand.page.get_by_role("button", name="Play: Base game").click()
    hand.asked()
    hand.page.locator("#board").focus()
    hand.page.keyboard.press("/")
    hand.page.get_by_label("Command", exact=True).wait_for()
    hand.page.keyboard.type("help")
    hand.page.keyboard.press("Enter")
    hand.page.get_by_text("what 0,-1: what lies there").wait_for()
