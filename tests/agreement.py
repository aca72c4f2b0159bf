"""Random games in which the engine and the oracle must agree after every action.

`agree` plays one game; tests/fuzz.py plays many.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from bastide.game import CHANCE, Event, Game, Scored
from bastide.game.board import figures_on
from bastide.geometry import Cell
from bastide.kernel.places import FIGURE, LAST, LOOK, LOOK_LEN, POS, STANDING_LEN
from bastide.kernel.torus import unpack
from bastide.rules import Rules
from tests.oracle import Oracle

NOT_PLAYED = ("copies", "first_player", "first_player_tied")  # options that the oracle need not know


class Disagreement(AssertionError):
    """Engine and oracle differ; the message holds the game so far as a list of actions."""


@dataclass(frozen=True)
class Setting:
    """A choice of rules to compare under."""

    modules: tuple[str, ...] = ()
    players: int = 2
    options: tuple[tuple[str, Any], ...] = ()
    edition: str = ""

    @cache  # noqa: B019 - a handful of settings
    def rules(self) -> Rules:
        return Rules.of(self.edition, self.modules, self.players, **dict(self.options))

    def __str__(self) -> str:
        words = ["+".join(self.modules) or "base", f"{self.players} players", self.edition]
        return " ".join([*(w for w in words if w), *(f"{k}={v}" for k, v in self.options)])


def agree(setting: Setting, seed: int) -> int:
    """Plays one random game on both sides; returns the number of actions."""
    rules = setting.rules()
    options = {name: value for name, value in rules.options.items() if name not in NOT_PLAYED}
    pair = Pair(Game(rules), Oracle(rules.module_names, options, setting.players), seed)
    random = Random(seed)
    while not pair.game.over:
        pair.compare()
        action = pair.choice(random)
        if random.random() < 0.2:
            pair.play_and_undo(action)
        pair.play(action)
    pair.compare()
    return len(pair.game.history)


@dataclass
class Pair:
    """One game, played by the engine and by the oracle."""

    game: Game
    oracle: Oracle
    seed: int
    seen: int = 0  # the first block that `nodes` does not know yet
    nodes: dict[int, tuple[Cell, str]] = field(default_factory=dict)
    roots: list[int] = field(default_factory=list)
    spots: dict[int, frozenset[tuple[Cell, str]]] = field(default_factory=dict)  # by root

    # --- playing ---

    def choice(self, random: Random) -> str:
        """A random action, draws by their weights."""
        if self.game.seat != CHANCE:
            return str(random.choice(self.game.legal))
        weights = self.oracle.weights()
        names = sorted(weights)
        return random.choices(names, [weights[name] for name in names])[0]

    def play(self, action: str) -> None:
        """One action on both sides, and the scores it told of."""
        events: list[Event] = self.game.play(action)
        self.oracle.play(action)
        told = Counter((e.seat, e.points, e.kind) for e in events if isinstance(e, Scored))
        self.same("scores told", told, Counter(scored for scored in self.oracle.scored if scored[1]))

    def play_and_undo(self, action: str) -> None:
        """What is taken back leaves no trace."""
        end = self.end_of_blocks()
        before = list(self.game.engine.s[:end])
        self.game.play(action)
        self.game.undo()
        self.same("undo", list(self.game.engine.s[:end]), before)

    def end_of_blocks(self) -> int:
        """The state behind the last tile is scratch: nobody reads it."""
        engine = self.game.engine
        return int(engine.s[LAST] + engine.looks[engine.s[engine.s[LAST] + LOOK] + LOOK_LEN])

    # --- comparing ---

    def compare(self) -> None:
        """Everything that can be asked of both."""
        game, oracle = self.game, self.oracle
        self.same("over", game.over, oracle.over())
        if not game.over:
            self.same("who decides", game.seat, oracle.seat())
            self.same("whose turn", game.turn, oracle.turn())
            legal = [str(action) for action in game.legal]
            self.same("number of legal actions", len(legal), len(oracle.legal()))
            self.same("legal actions", set(legal), oracle.legal())
            if game.seat == CHANCE:
                self.same("weights", dict(zip(legal, game.engine.weights, strict=False)), oracle.weights())
        self.same("scores", list(game.scores), oracle.scores())
        self.same(
            "supply", [in_hand(game.supply(seat)) for seat in range(len(game.names))], [*map(in_hand, oracle.supply())]
        )
        self.same("tiles left", game.left, oracle.left())
        drew = bool(game.history) and game.history[-1][1].verb == "draw"
        if not drew:  # a draw changes no region
            self.same("regions", self.regions(), oracle.regions())

    def regions(self) -> set[Any]:
        """All regions as the oracle describes them, read off the state node by node."""
        self.look()
        engine = self.game.engine
        roots = [engine.find(node) for node in self.nodes]
        if roots != self.roots:
            spots: dict[int, list[tuple[Cell, str]]] = {}
            for root, place in zip(roots, self.nodes.values(), strict=True):
                spots.setdefault(root, []).append(place)
            self.roots, self.spots = roots, {root: frozenset(places) for root, places in spots.items()}
        listed = list(engine.s[engine.standing : engine.standing + engine.s[STANDING_LEN]])
        self.same("segments with pieces", sorted(listed), sorted(n for n in self.nodes if engine.s[n + FIGURE]))
        figures: dict[int, Counter[tuple[int, str]]] = {}
        for node in listed:
            found = figures.setdefault(engine.find(node), Counter())
            found.update((figure.seat, figure.piece) for figure in figures_on(engine, node))
        kinds = [kind.name for kind in engine.rules.layout.kinds.values()]
        return {
            (
                kinds[engine.kind_of(root)],
                places,
                bool(engine.complete(root)),
                frozenset(figures[root].items()) if root in figures else frozenset(),
            )
            for root, places in self.spots.items()
        }

    def look(self) -> None:
        """Notes the nodes of the tiles laid since the last look."""
        engine = self.game.engine
        block = self.seen or engine.shape.blocks
        while block <= engine.s[LAST]:
            tile, turn = engine.rules.tiles[engine.type_of(block)], engine.turn_of_tile(block)
            cell = unpack(engine.s[block + POS])
            for segment in range(len(tile.segments)):
                self.nodes[engine.node(block, segment)] = cell, tile.spot(segment, turn)
            block += engine.looks[engine.s[block + LOOK] + LOOK_LEN]
        self.seen = block

    def same(self, what: str, engine: Any, oracle: Any) -> None:
        """Raises with everything needed to see the difference again."""
        if engine == oracle:
            return
        if isinstance(engine, set):
            engine, oracle = engine - oracle, oracle - engine
        past = "\n".join(str(action) for _, action in self.game.history)
        raise Disagreement(f"seed {self.seed}: {what}: engine {engine}, oracle {oracle}, after\n{past}")


def in_hand(pieces: dict[str, int]) -> dict[str, int]:
    """A supply without the pieces that are used up."""
    return {piece: count for piece, count in pieces.items() if count}
