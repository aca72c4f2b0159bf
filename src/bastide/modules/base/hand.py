"""The tactical variant: every player holds tiles, hidden from the others (BASE-29)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bastide.kernel.places import AGENDA, F_KIND, F_MORE, F_WHAT, F_WHO, TOP
from bastide.native import i64
from bastide.rules.actions import Action
from bastide.rules.layout import Layout
from bastide.rules.module import Module
from bastide.rules.position import DONE, DRAWN, Position
from bastide.rules.spec import Value
from bastide.tiles.model import Tile

ROOM: Final = 4  # places for a player's tiles: type + 1, 0 where none is
CHOOSES_ON: Final = 1  # subject of a deal after which the same player chooses again
UNFIT: Final = 1 << 20  # marks the actions of a player none of whose tiles fits


class Hand(Module):
    """A turn begins with the choice of a tile from the hand and ends with a draw into it."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.size: i64 = int(options["hand"])
        self.last_drawn: bool = options["tactical_end"] == "last_drawn"
        self.tiles: list[Tile] = []
        self.hands: i64 = 0
        self.drew: i64 = 0  # 1 while the tile being played came from the hand: its player then draws
        self.ended: i64 = 0  # 1 when drawing the last tile has ended the game (tactical_end=last_drawn)
        self.deal: i64 = 0
        self.choose: i64 = 0

    def declare(self, layout: Layout) -> None:
        self.drew = layout.field(name="from_hand")
        self.ended = layout.field(name="last_drawn")
        self.deal = layout.frame(self, "deal", chance=True)
        self.choose = layout.frame(self, "choose", holds="nothing")
        self.hands = layout.secret_tiles(ROOM, "hand", self.deal)

    def ready(self, tiles: list[Tile]) -> None:
        self.tiles = tiles

    # --- hands
    def held(self, game: Position, who: i64) -> i64:
        """How many tiles a player holds."""
        count: i64 = 0
        for i in range(i64(ROOM)):
            if game.s[self.hands + who * ROOM + i]:
                count += 1
        return count

    def change(self, game: Position, who: i64, old: i64, new: i64) -> None:
        """Replaces one entry of a hand, keeping it in order so that equal hands are equal states."""
        hand = self.hands + who * ROOM
        at: i64 = 0
        while game.s[hand + at] != old:
            at += 1
        while at > 0 and game.s[hand + at - 1] < new:
            game.put(hand + at, game.s[hand + at - 1])
            at -= 1
        while at + 1 < ROOM and game.s[hand + at + 1] > new:
            game.put(hand + at, game.s[hand + at + 1])
            at += 1
        game.put(hand + at, new)

    def land(self, game: Position) -> i64:
        """The pile from which hands are filled."""
        return game.tables.main_piles - 1

    # --- the course of the game
    def begun(self, game: Position) -> None:
        for i in range(game.players):
            for _tile in range(self.size):
                game.push(self.deal, game.players - 1 - i, 0)
        if game.tables.main_piles == 1:
            game.put(AGENDA + F_KIND, self.choose)

    def turn_begins(self, game: Position, top: i64) -> i64:
        """While another pile lasts turns draw from it; then whoever still holds tiles plays."""
        s = game.s
        if s[self.ended]:
            return -1
        if game.next_pile() < self.land(game):
            return 0
        for i in range(game.players):
            who = (s[top + F_WHO] + i) % game.players
            if self.held(game, who):
                if i and top != AGENDA:
                    return -1
                game.put(top + F_WHO, who)
                game.put(top + F_KIND, self.choose)
                return 1
        return -1

    def part_ended(self, game: Position, who: i64) -> None:
        if game.s[self.drew]:
            game.put(self.drew, 0)
            if game.left(self.land(game)):
                game.push(self.deal, who, 0)
            elif self.last_drawn:
                game.put(self.ended, 1)  # the last tile left the pile unseen

    # --- the two questions
    def legal(self, game: Position, frame: i64) -> i64:
        if frame == self.deal:
            return game.draws(self.land(game))
        who = game.who()
        fitting: list[i64] = []
        unfit: list[i64] = []
        for i in range(i64(ROOM)):
            held = game.s[self.hands + who * ROOM + i] - 1
            if held < 0 or held in fitting or held in unfit:
                continue
            game.places(held)
            if game.actions[0] < 0:
                unfit.append(held)
            else:
                fitting.append(held)
        n: i64 = 0
        for kind in fitting or unfit:
            game.actions[n] = kind if fitting else kind | UNFIT
            n += 1
        return n

    def apply(self, game: Position, frame: i64, action: i64) -> None:
        if frame == self.deal:
            self.fill(game, action)
            return
        s = game.s
        top = s[TOP]
        who = s[top + F_WHO]
        kind = action & (UNFIT - 1)
        self.change(game, who, kind + 1, 0)
        if action & UNFIT:
            game.tell_discarded(who, kind)
            if game.left(self.land(game)):
                game.put(top + F_KIND, self.deal)
                game.put(top + F_WHAT, CHOOSES_ON)
            elif self.held(game, who) == 0:
                game.put(top + F_KIND, DONE)
        else:
            game.put(self.drew, 1)
            self.play(game, top, kind)

    def fill(self, game: Position, kind: i64) -> None:
        """A tile is drawn into a hand; by option the last one is played at once."""
        s = game.s
        top = s[TOP]
        who = s[top + F_WHO]
        game.take_from_bag(kind, self.land(game))
        if self.last_drawn and game.left(self.land(game)) == 0:
            game.put(self.ended, 1)
            self.play(game, top, kind)
        else:
            self.change(game, who, 0, kind + 1)
            if s[top + F_WHAT] == CHOOSES_ON:
                game.put(top + F_KIND, self.choose)
            else:
                game.pop()

    def play(self, game: Position, top: i64, kind: i64) -> None:
        """The tile is on the table: from here on it is as if it had been drawn."""
        game.put(top + F_WHAT, kind)
        game.put(top + F_MORE, 0)
        game.put(top + F_KIND, DRAWN)

    def action_of(self, game: Position, frame: i64, number: i64) -> Action:
        name = self.tiles[number & (UNFIT - 1)].id
        if frame == self.deal:
            return Action("draw", tile=name)
        return Action("discard", tile=name) if number & UNFIT else Action("choose", choice=name)
