"""Games in which the engine and the oracle must agree after every action.

`agree` plays one game, at random or with bots; tests/fuzz.py plays many.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from bastide.bots import Bot, bot
from bastide.game import CHANCE, Event, Game, Scored
from bastide.geometry import Cell
from bastide.kernel.offsets import FIGURE, FIGURE_BITS, FIGURE_MASK, LAST, POS, STANDING_LEN
from bastide.kernel.torus import unpack
from bastide.rules import Rules
from tests.oracle import Oracle


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
        return Rules.of(self.edition, modules=self.modules, players=self.players, **dict(self.options))

    def __str__(self) -> str:
        words = ["+".join(self.modules) or "base", f"{self.players} players", self.edition]
        return " ".join([*(w for w in words if w), *(f"{k}={v}" for k, v in self.options)])


def agree(setting: Setting, seed: int, bots: str = "random") -> int:
    """Plays one game on both sides; returns the number of actions. `bots` names who decides for all seats."""
    rules = setting.rules()
    pair = Pair(Game(rules, draws="by hand"), Oracle(rules.module_names, dict(rules.options), setting.players), seed)
    random = Random(seed)
    player = bot(bots, seed)
    while not pair.game.over:
        pair.compare()
        action = pair.choice(random, player)
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
    nodes: dict[int, tuple[Cell, str]] = field(default_factory=dict)  # the segments in the engine's state ...
    spots: list[tuple[Cell, int]] = field(default_factory=list)  # ... and, in the same order, on the oracle's table

    # --- playing ---

    def choice(self, random: Random, player: Bot) -> str:
        """What the bot chooses; draws by their weights."""
        if self.game.seat != CHANCE:
            return str(player.choose(self.game.view(self.game.seat)))
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
        before = self.game.engine.key()
        self.game.play(action)
        self.game.undo()
        self.same("undo", self.game.engine.key(), before)

    # --- comparing ---

    def compare(self) -> None:
        """Everything that can be asked of both."""
        game, oracle = self.game, self.oracle
        self.same("over", game.over, oracle.over())
        if not game.over:
            self.same("who decides", None if game.seat == CHANCE else game.seat, oracle.player())
            self.same("whose turn", game.turn, oracle.turn())
            legal = [str(action) for action in game.legal]
            theirs = oracle.legal()
            self.same("number of legal actions", len(legal), len(theirs))
            self.same("legal actions", set(legal), theirs)
            if game.seat == CHANCE:
                self.same("weights", dict(zip(legal, game.engine.weights, strict=False)), oracle.weights())
        self.same("scores", list(game.scores), oracle.scores())
        self.same(
            "supply", [in_hand(game.supply(seat)) for seat in range(len(game.names))], [*map(in_hand, oracle.supply())]
        )
        self.same("tiles left", game.tiles_left, oracle.left())
        if self.look() or game.over:  # only a new tile changes regions
            self.same_regions()
        self.same("pieces", self.pieces(), oracle.pieces())
        shown = game.tokens
        tokens = Counter({(token.seat, token.name, token.where): 0 for token in shown})
        for token in shown:
            tokens[token.seat, token.name, token.where] += token.number
        self.same("tokens", tokens, oracle.tokens())
        seats = range(len(game.names))
        self.same("held in secret", [Counter(game.secrets(seat)) for seat in seats], [*map(oracle.hidden, seats)])
        if game.outcome:
            self.same("winners", sorted(game.outcome.winners), oracle.who_won())

    def pieces(self) -> Counter[tuple[int, str, Cell, str]]:
        """Every piece on the table: whose, what, where."""
        engine = self.game.engine
        names = [piece.name for piece in engine.rules.layout.pieces]
        found: Counter[tuple[int, str, Cell, str]] = Counter()
        for node in engine.s[engine.standing : engine.standing + engine.s[STANDING_LEN]]:
            rest = engine.s[node + FIGURE]
            while rest:
                figure = (rest & FIGURE_MASK) - 1
                found[figure & 7, names[figure >> 3], *self.nodes[node]] += 1
                rest >>= FIGURE_BITS
        return found

    def same_regions(self) -> None:
        """The same segments hang together, of the same kind, and the same regions are complete."""
        engine, areas = self.game.engine, self.oracle.areas()
        kinds = [kind.name for kind in engine.rules.layout.kinds.values()]
        self.same("number of segments", len(self.nodes), len(areas))
        roots = [engine.find(node) for node in self.nodes]
        theirs = [areas[spot] for spot in self.spots]
        both = set(zip(roots, theirs, strict=True))
        mine = {(root, kinds[engine.kind_of(root)], bool(engine.complete(root))) for root in set(roots)}
        if len(both) != len(mine) or mine != {(root, area.kind, self.oracle.complete(area)) for root, area in both}:
            self.same("regions", self.described(roots), {(a.kind, a.names, self.oracle.complete(a)) for a in theirs})

    def described(self, roots: list[int]) -> set[tuple[str, frozenset[tuple[Cell, str]], bool]]:
        """All regions: kind, segments, whether they are complete."""
        engine = self.game.engine
        kinds = [kind.name for kind in engine.rules.layout.kinds.values()]
        segments: dict[int, list[tuple[Cell, str]]] = {}
        for root, place in zip(roots, self.nodes.values(), strict=True):
            segments.setdefault(root, []).append(place)
        return {
            (kinds[engine.kind_of(root)], frozenset(places), bool(engine.complete(root)))
            for root, places in segments.items()
        }

    def look(self) -> bool:
        """Notes the nodes of the tiles laid since the last look; were there any?"""
        engine = self.game.engine
        block = first = self.seen or engine.shape.blocks
        while block <= engine.s[LAST]:
            tile, turn = engine.rules.tiles[engine.type_of(block)], engine.rotation_of(block)
            cell = unpack(engine.s[block + POS])
            for segment in range(len(tile.segments)):
                name = tile.spot(segment, turn)
                self.nodes[engine.node(block, segment)] = cell, name
                self.spots.append((cell, self.oracle.number(cell, name)))
            block = engine.next_block(block)
        self.seen = block
        return block != first

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
