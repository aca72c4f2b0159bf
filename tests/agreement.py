"""Random games in which the engine and the oracle must agree after every action.

`agree` plays one game; tests/fuzz.py plays many.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from bastide.game import CHANCE, Game, Scored
from bastide.game.board import blocks, figures_on
from bastide.geometry import Cell
from bastide.kernel.places import FIGURE, LAST, LOOK, LOOK_LEN, POS
from bastide.kernel.torus import unpack
from bastide.rules import Rules
from bastide.tiles.model import Tile
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

    def rules(self) -> Rules:
        return Rules.of(self.edition, self.modules, self.players, **dict(self.options))

    def __str__(self) -> str:
        words = ["+".join(self.modules) or "base", f"{self.players} players", self.edition]
        return " ".join([*(w for w in words if w), *(f"{k}={v}" for k, v in self.options)])


def agree(setting: Setting, seed: int, undo: bool = True, thorough: bool = True) -> int:
    """Plays one random game on both sides; returns the number of actions."""
    rules = setting.rules()
    game = Game(rules)
    options = {name: value for name, value in rules.options.items() if name not in NOT_PLAYED}
    oracle = Oracle(rules.module_names, options, setting.players)
    random = Random(seed)
    while not game.over:
        drew = bool(game.history) and game.history[-1][1].verb == "draw"  # changes no region
        compare(game, oracle, seed, thorough and not drew)
        action = choice(game, oracle, random)
        if undo and random.random() < 0.2:  # done, taken back, done again
            before = list(game.engine.s)
            game.play(action)
            game.undo()
            changed = [i for i, (a, b) in enumerate(zip(before, game.engine.s, strict=True)) if a != b]
            fresh = end_of_blocks(game)
            expect(not [i for i in changed if i < fresh], game, seed, "undo", "the state as it was", changed[:9])
        events = game.play(action)
        oracle.play(action)
        told = Counter((e.seat, e.points, e.kind) for e in events if isinstance(e, Scored))
        wanted = Counter(scored for scored in oracle.scored if scored[1])
        expect(told == wanted, game, seed, "scores told", wanted, told)
    compare(game, oracle, seed, True)
    return len(game.history)


def end_of_blocks(game: Game) -> int:
    """The state behind the last tile is scratch: nobody reads it."""
    s = game.engine.s
    return int(s[LAST] + game.engine.looks[s[s[LAST] + LOOK] + LOOK_LEN])


def choice(game: Game, oracle: Oracle, random: Random) -> str:
    """A random action, draws by their weights."""
    if game.seat != CHANCE:
        return str(random.choice(game.legal))
    weights = oracle.weights()
    names = sorted(weights)
    return random.choices(names, [weights[name] for name in names])[0]


def compare(game: Game, oracle: Oracle, seed: int, thorough: bool) -> None:
    """Everything that can be asked of both."""
    expect(game.over == oracle.over(), game, seed, "over", oracle.over(), game.over)
    if not game.over:
        expect(game.seat == oracle.seat(), game, seed, "who decides", oracle.seat(), game.seat)
        expect(game.turn == oracle.turn(), game, seed, "whose turn", oracle.turn(), game.turn)
        mine, theirs = Counter(map(str, game.legal)), Counter(oracle.legal())
        difference = f"only engine {sorted(mine - theirs)}, only oracle {sorted(theirs - mine)}"
        expect(mine == theirs, game, seed, "legal actions", "the same", difference)
    if game.seat == CHANCE and not game.over:
        game.engine.legal()
        weights = {str(a): int(game.engine.weights[i]) for i, a in enumerate(game.legal)}
        expect(weights == oracle.weights(), game, seed, "weights", oracle.weights(), weights)
    expect(list(game.scores) == oracle.scores(), game, seed, "scores", oracle.scores(), game.scores)
    supply = [{k: v for k, v in game.supply(seat).items() if v} for seat in range(len(game.names))]
    wanted = [{k: v for k, v in hand.items() if v} for hand in oracle.supply()]
    expect(supply == wanted, game, seed, "supply", wanted, supply)
    expect(game.left == oracle.left(), game, seed, "tiles left", oracle.left(), game.left)
    if thorough:
        closes = {kind.name for kind in game.rules.layout.kinds.values() if kind.closes}
        mine_all = regions(game)
        theirs_all = {(kind, spots, done and kind in closes, who) for kind, spots, done, who in oracle.regions()}
        detail = f"only engine {mine_all - theirs_all}, only oracle {theirs_all - mine_all}"
        expect(mine_all == theirs_all, game, seed, "regions", "the same", detail)


def regions(game: Game) -> set[Any]:
    """All regions as the oracle describes them, read off the state node by node."""
    engine = game.engine
    kinds = list(engine.rules.layout.kinds.values())
    spots: dict[int, list[tuple[Cell, str]]] = {}
    figures: dict[int, Counter[tuple[int, str]]] = {}
    for block in blocks(engine):
        cell = unpack(engine.s[block + POS])
        names = spot_names(engine.rules.tiles[engine.type_of(block)], engine.turn_of_tile(block))
        for segment, name in enumerate(names):
            node = engine.node(block, segment)
            root = engine.find(node)
            spots.setdefault(root, []).append((cell, name))
            if engine.s[node + FIGURE]:
                found = figures.setdefault(root, Counter())
                found.update((figure.seat, figure.piece) for figure in figures_on(engine, node))
    return {
        (
            kinds[engine.kind_of(root)].name,
            frozenset(places),
            bool(engine.complete(root)),
            frozenset(figures.get(root, Counter()).items()),
        )
        for root, places in spots.items()
    }


NAMES: dict[tuple[int, int], tuple[Tile, list[str]]] = {}


def spot_names(tile: Tile, turn: int) -> list[str]:
    """The names of a tile's segments as it lies."""
    key = id(tile), turn
    if key not in NAMES:
        NAMES[key] = tile, [tile.spot(segment, turn) for segment in range(len(tile.segments))]
    return NAMES[key][1]


def expect(holds: bool, game: Game, seed: int, what: str, wanted: object, got: object) -> None:
    """Raises with everything needed to see the difference again."""
    if not holds:
        past = "\n".join(str(action) for _, action in game.history)
        raise Disagreement(f"seed {seed}: {what}: oracle {wanted}, engine {got}, after\n{past}")
