"""A module and a bot that a user writes in plain Python, with the engine as it is installed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bastide.bots import Bot
from bastide.errors import EngineLimit
from bastide.game import CHANCE, Action, Game, Scored, View
from bastide.rules import Layout, Module, Position, Rules, Spec


class Toll(Module):
    """When a road closes, the player whose turn it is takes 0, 1 or 2 points; after every third tile again."""

    def declare(self, layout: Layout) -> None:
        self.road = layout.kind_id("road")
        self.frame = layout.frame(self, "toll")
        self.part = layout.part("toll", "TOLL-1")
        self.source = layout.source("toll")

    def closed(self, pos: Position, root: int, kind: int) -> None:
        if kind == self.road:
            pos.push(self.frame, pos.active_player(), root)

    def tile_done(self, pos: Position, player: int) -> None:
        if pos.s[0] % 3 == 0:
            pos.push(self.frame, player, 0)

    def legal(self, pos: Position, frame: int) -> int:
        for points in range(3):
            pos.actions[points] = points
        return 3

    def apply(self, pos: Position, frame: int, action: int) -> None:
        player = pos.player()
        pos.pop()
        pos.begin_score()
        pos.part(self.part, action, 1)
        pos.gain(player, 0, self.source)

    def action_of(self, pos: Position, frame: int, number: int) -> Action:
        return Action("choose", choice=f"toll_{number}")


def make_toll(options: Mapping[str, object]) -> list[Module]:
    return [Toll()]


TOLL = Spec(name="toll", make=make_toll, order=90, prefix="TOLL")


class Cautious(Bot):
    """Passes where it can, takes the highest toll, otherwise the first action."""

    def choose(self, view: View) -> Action:
        return next((a for a in view.legal if a.verb == "pass"), view.legal[-1])


def test_a_plain_module_asks_and_scores() -> None:
    game = Game(scripted=True, modules=[TOLL])
    game.play("draw W")
    game.play("place W 1,0 0")
    game.play("pass")
    game.play("draw W")
    game.play("place W -1,0 0")
    game.play("pass")  # closes the road, and lies third
    assert game.seat == 1
    assert [str(action) for action in game.legal] == ["choose toll_0", "choose toll_1", "choose toll_2"]
    (scored,) = (event for event in game.play("choose toll_2") if isinstance(event, Scored))
    assert (scored.seat, scored.points, scored.kind, [str(p) for p in scored.parts]) == (1, 2, "toll", ["toll 2x1"])
    assert game.seat == 1
    game.play("choose toll_1")
    assert (game.scores, game.seat) == ((0, 3), CHANCE)


def test_a_plain_bot_plays_a_plain_module_to_the_end() -> None:
    game = Game(seed=11, modules=[TOLL], players=3)
    bot = Cautious()
    while not game.over:
        game.play(bot.choose(game.view(game.seat)))
    tolls = sum(2 for _, action in game.history if action.verb == "choose")
    assert sum(game.scores) == tolls > 0


def test_games_of_a_plain_module_can_be_undone() -> None:
    game = Game(seed=2, modules=[TOLL])
    while not game.over:
        game.play(game.legal[0])
    past = len([1 for _, action in game.history if action.verb != "draw"])
    for _ in range(past):
        game.undo()
    assert game.scores == (0, 0)


class Greed(Module):
    """Asks for more than the engine has room for."""

    def __init__(self, what: str) -> None:
        self.what = what

    def declare(self, layout: Layout) -> None:
        if self.what == "pieces":
            for number in range(17):
                layout.piece(self, f"piece_{number}", 1, 0, ["road"])
        elif self.what == "flags":
            for number in range(8):
                layout.piece(self, f"piece_{number}", 1, 0, ["road"], presence=True)
        elif self.what == "strength":
            layout.piece(self, "giant", 1, 121, ["road"])
        elif self.what == "piles":
            for number in range(8):
                layout.pile_before(f"pile_{number}")

    def placed(self, pos: Position, block: int) -> None:
        for _ in range(40):
            pos.push(10, 0, 0)


@pytest.mark.parametrize("what", ["pieces", "flags", "strength", "piles"])
def test_what_does_not_fit_into_the_state_is_refused(what: str) -> None:
    greedy = Spec(name="greed", make=lambda options: [Greed(what)], order=91, prefix="GREED")
    with pytest.raises(EngineLimit):
        Rules.of(modules=[greedy])


def test_an_agenda_without_end_is_refused() -> None:
    greedy = Spec(name="greed", make=lambda options: [Greed("frames")], order=91, prefix="GREED")
    game = Game(scripted=True, modules=[greedy])
    game.play("draw U")
    with pytest.raises(EngineLimit, match="32 frames"):
        game.play("place U 1,0 0")
    assert (len(game.board), game.tile, len(game.history)) == (1, "U", 1)
