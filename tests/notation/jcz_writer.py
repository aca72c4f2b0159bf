"""Writes games that were played here as JCloisterZone would save them, by its format and not by our importer.

Sets, elements, numbers and rules are drawn by lot; which options they mean is said here once more, by hand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from bastide.game import Action, Game
from bastide.geometry import HALVES, SIDES
from bastide.rules import Rules
from bastide.rules.types import settle

Saved = dict[str, Any]

FEATURES = {"city": "City", "road": "Road", "field": "Field", "cloister": "Monastery", "garden": "Garden"}
PIECES = {"follower": "small", "big_follower": "big"}  # the others have one name in both programs
SHEEP = ["sheep_1"] * 4 + ["sheep_2"] * 5 + ["sheep_3"] * 5 + ["sheep_4"] * 2 + ["wolf"] * 2  # as its bag is ordered
# Elements by box, with the option that each sets: a number of pieces, or a switch.
BOXES: dict[str, tuple[str, dict[str, str], dict[str, str]]] = {
    "inns_and_cathedrals": (
        "inns-and-cathedrals:1",
        {"big-follower": "big_followers"},
        {"inn": "inns", "cathedral": "cathedrals"},
    ),
    "traders_and_builders": (
        "traders-and-builders:2",
        {"builder": "builders", "pig": "pigs"},
        {"traders": "goods"},
    ),
    "hills_and_sheep": ("hills-and-sheep:1", {"shepherd": "shepherds"}, {"hill": "hills", "vineyard": "vineyards"}),
    "river": ("river/1:1", {}, {}),
}
RULES: dict[str, dict[Any, tuple[str, str]]] = {
    "tiny-city-scoring": {"2": ("small_city", "two_points"), "4": ("small_city", "normal")},
    "inn-and-cathedral-final-scoring": {
        "zero": ("unfinished_inns", "nothing"),
        "ignore": ("unfinished_inns", "as_usual"),
    },
    "hill-tiebreaker": {
        "at-least-one-follower": ("hill_tiebreak", "any"),
        "number-of-followers": ("hill_tiebreak", "most_on_hills"),
    },
}
BOX_OF = {"inn-and-cathedral-final-scoring": "inns_and_cathedrals", "hill-tiebreaker": "hills_and_sheep"}
NOTHING: list[Saved] = [{"pig-herd": True}, {"princess": True}, {"mayor": 1}, {"king": False}, {"dragon": 0}, {}]


@dataclass
class Table:
    """What is played: as the file says it, and as options."""

    sets: dict[str, int] = field(default_factory=lambda: {"basic:1": 1})
    elements: Saved = field(default_factory=dict)
    rules: Saved = field(default_factory=dict)
    modules: list[str] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=lambda: {"more_players": "on"})

    def number(self, element: str, option: str, count: int) -> None:
        """How many of a piece everybody has; 0 is not written."""
        self.elements |= {element: count} if count else {}
        self.options[option] = count

    def switch(self, element: str, option: str, on: bool) -> None:
        """What is absent is switched off."""
        self.elements |= {element: True} if on else {}
        self.options[option] = "on" if on else "off"


def a_table(random: Random) -> Table:
    """Boxes, elements, numbers and rules by lot."""
    table = Table()
    table.number("small-follower", "followers", random.choice([7, 7, 2, 10]))
    if random.random() < 0.8:
        table.elements["farmers"] = True
    else:
        table.options["farmers"] = "off"
    for box, (name, numbers, switches) in BOXES.items():
        if random.random() < 0.4:
            table.modules.append(box)
            table.sets[name] = 1
            for element, option in numbers.items():
                table.number(element, option, random.choice([0, 1, 1, 2]))
            for element, option in switches.items():
                table.switch(element, option, random.random() < 0.6)
    if "river" in table.modules:
        table.options |= {"river_sheep": "off", "river_vineyards": "off"}
    if "hills_and_sheep" in table.modules:
        table.options |= {"shepherd_action": "after", "closed_flock": "home"}
    if random.random() < 0.4:  # in every box of the base game; only elements bring it into play
        table.modules.append("abbot")
        table.sets = {"basic:2" if name == "basic:1" else name: 1 for name in table.sets}  # the printing with gardens
        table.number("abbot", "abbots", random.choice([1, 2]))
        table.switch("garden", "gardens", random.random() < 0.6)
    for rule, values in RULES.items():
        if random.random() < 0.5 and BOX_OF.get(rule, "") in ("", *table.modules):
            value = random.choice(list(values))
            table.rules[rule] = value
            table.options |= dict([values[value]])
    for element, value in random.choice(NOTHING).items():
        table.elements.setdefault(element, value)
    return table


class Writer:
    """One game by random players on its way to a file."""

    def __init__(self, seed: int, table: Table | None = None) -> None:
        self.random = Random(seed)
        self.table = table or a_table(self.random)
        self.players = self.random.choice([1, 2, 3, 5, 6])
        self.scripted = bool(table) or self.random.random() < 0.7
        self.rules = Rules.of(modules=self.table.modules, players=self.players, **self.table.options)
        self.game = Game(self.rules, seed=seed)
        self.names = self._names()
        self.replay: list[Saved] = []
        self.order: list[str] = []
        self.bag = SHEEP[:]
        self.deployed = 0
        self.laid_aside = False  # only an order of draws tells of a tile that fitted nowhere

    def _names(self) -> dict[str, str]:
        """The name of each tile in that program."""
        types = settle(self.rules.layout)
        return {
            types.types[types.number[tile]].tile.id: ref["jcz"]
            for box in self.rules.layout.boxes.values()
            for tile, ref in box.extra["refs"].items()
            if "jcz" in ref and tile in types.number
        }

    def written(self, turns: int = 0) -> Saved:
        """The file; after so many turns the game breaks off and is scored, if all draws are in the file."""
        game, start = self.game, Game(self.rules, draws="by hand").board.items()
        told = 0
        while not game.over and not (self.scripted and turns and len(game.board) > turns and game.tile):
            game.play(self.random.choice(list(game.legal)))
            for seat, action in game.history[told:]:
                self._write(seat, action)
            told = len(game.history)
            self._count_sheep()
        self.replay.append({"type": "COMMIT", "payload": {"random": 0.5}})
        annotations = {"drawOrder": self.order, "endTurn": sum(m["type"] == "COMMIT" for m in self.replay)}
        scores = game.scores if game.over else self._scored(told)
        return {
            "appVersion": self.random.choice(["5.7.1", "6.2.0", "7.0.0"]),
            "initialRandom": 0.5,
            "test": {"assertions": [f"P{seat} has {score} points." for seat, score in enumerate(scores)]},
            "setup": {
                "sets": self.table.sets,
                "elements": self.table.elements,
                "rules": self.table.rules,
                "start": [
                    {"tile": self.names[laid.tile.id], "x": x, "y": y, "rotation": laid.rotation}
                    for (x, y), laid in start
                ],
                "timer": None,
            },
            "players": [{"name": f"P{seat}", "slot": seat} for seat in range(self.players)],
            "gameAnnotations": annotations if self.scripted or self.laid_aside else None,
            "replay": self.replay,
        }

    def _scored(self, told: int) -> tuple[int, ...]:
        """The points of a game that breaks off before its last draw is placed."""
        again = Game(self.rules.with_scripted(True))
        for _, action in self.game.history[: told - 1]:
            again.play(action)
        self.order.pop()
        again.finish()
        return again.scores

    def _write(self, seat: int, action: Action) -> None:
        """What an action is in that program; draws are in the order of draws only."""
        write = {
            "draw": self._draw,
            "discard": self._discard,
            "place": self._place,
            "deploy": self._deploy,
            "take": self._take,
            "choose": self._choose,
            "pass": self._pass,
        }
        write[action.verb](seat, action)

    def _say(self, seat: int, kind: str, **payload: Any) -> None:
        who = {"player": seat} if self.random.random() < 0.5 else {}
        self.replay.append({"type": kind, "payload": payload, **who})

    def _draw(self, seat: int, action: Action) -> None:
        tile = action.tile or ""
        if tile in self.names:
            self.order.append(self.names[tile])
            return
        if self.replay[-1]["type"] == "DEPLOY_MEEPLE":  # whichever client sends it
            self._say(self.random.randrange(self.players), "SHEPHERD_CONFIRM")
        at = self.bag.index(tile) + self.random.randrange(self.bag.count(tile))
        self.replay[-1]["payload"]["random"] = (at + 0.5) / len(self.bag)
        self.bag.remove(tile)

    def _discard(self, seat: int, action: Action) -> None:
        self.laid_aside = True

    def _place(self, seat: int, action: Action) -> None:
        if self.replay:
            self.replay.append({"type": "COMMIT", "payload": {"random": self.random.random()}})
        turned = f"R{90 * (action.rotation or 0)}"
        self._say(
            seat, "PLACE_TILE", tileId=self.names[action.tile or ""], rotation=turned, position=list(action.cell or ())
        )

    def _deploy(self, seat: int, action: Action) -> None:
        self.deployed += 1
        meeple = f"{seat}.{PIECES.get(action.piece or '', action.piece)}.{self.deployed}"
        self._say(seat, "DEPLOY_MEEPLE", pointer=self._pointer(action), meepleId=meeple)

    def _take(self, seat: int, action: Action) -> None:
        pointer = {"featurePointer": self._pointer(action), "meepleId": f"{seat}.abbot.1"}
        self._say(seat, "RETURN_MEEPLE", pointer=pointer, source="ABBOT_RETURN")

    def _choose(self, seat: int, action: Action) -> None:
        self._say(seat, "FLOCK_EXPAND_OR_SCORE", value="EXPAND" if action.choice == "grow" else "SCORE")

    def _pass(self, seat: int, action: Action) -> None:
        if self.random.random() < 0.5:  # some versions do not ask
            self._say(seat, "PASS")

    def _pointer(self, action: Action) -> Saved:
        """A feature by all that it reaches, as the tile lies."""
        assert action.cell
        laid = self.game.board[action.cell]
        tile, turn = laid.tile, laid.rotation
        spots = [tile.spot(number, turn) for number in range(len(tile.segments))]
        segment = tile.segments[spots.index(action.spot or "")]
        sides = "".join(SIDES[side] for side in sorted((side + turn) % 4 for side in segment.sides))
        halves = ".".join(HALVES[half] for half in sorted((half + 2 * turn) % 8 for half in segment.halves))
        if sides and halves:  # shares a side with another: it is named by the sides that it has for itself
            halves = ""
        return {"position": list(action.cell), "feature": FEATURES[segment.kind], "location": sides or halves or "I"}

    def _count_sheep(self) -> None:
        """Sheep that came home, and wolves, go back into the bag."""
        lying = [token.name for token in self.game.tokens if token.name in SHEEP for _ in range(token.number)]
        self.bag = SHEEP[:]
        for name in lying:
            self.bag.remove(name)
