"""The tactical variant: every player holds tiles, hidden from the others (BASE-29)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bastide.native import i64
from bastide.rules.actions import Action
from bastide.rules.layout import Layout
from bastide.rules.module import Module
from bastide.rules.position import DONE, Position
from bastide.rules.spec import Value
from bastide.tiles.model import Tile

ROOM: Final = 4  # places for a player's tiles: type + 1, 0 where none is
CHOOSES_ON: Final = 1  # subject of a deal after which the same player chooses again
UNFIT: Final = 1 << 20  # marks the actions of a player who has no tile that fits


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
        layout.fewest_tiles = int(self.size) * layout.players + int(self.last_drawn)

    def ready(self, tiles: list[Tile]) -> None:
        self.tiles = tiles

    # --- hands
    def tiles_held(self, pos: Position, player: i64) -> i64:
        """How many tiles a player holds."""
        count: i64 = 0
        for i in range(i64(ROOM)):
            if pos.s[self.hands + player * ROOM + i]:
                count += 1
        return count

    def change(self, pos: Position, player: i64, old: i64, new: i64) -> None:
        """Replaces one entry of a hand, keeping it in order so that equal hands are equal states."""
        hand = self.hands + player * ROOM
        at: i64 = 0
        while pos.s[hand + at] != old:
            at += 1
        while at > 0 and pos.s[hand + at - 1] < new:
            pos.put(hand + at, pos.s[hand + at - 1])
            at -= 1
        while at + 1 < ROOM and pos.s[hand + at + 1] > new:
            pos.put(hand + at, pos.s[hand + at + 1])
            at += 1
        pos.put(hand + at, new)

    def land(self, pos: Position) -> i64:
        """The pile from which hands are filled."""
        return pos.land_pile()

    # --- the course of the game
    def game_started(self, pos: Position) -> None:
        for i in range(pos.players):
            for _tile in range(self.size):
                pos.push(self.deal, pos.players - 1 - i, 0)
        if pos.next_pile() == self.land(pos):
            pos.set_question(pos.turn_frame(), self.choose)

    def begin_turn(self, pos: Position, top: i64) -> i64:
        """Turns draw from another pile as long as it lasts; then everybody who still holds tiles plays."""
        s = pos.s
        if s[self.ended]:
            return -1
        if pos.next_pile() < self.land(pos):
            return 0
        for i in range(pos.players):
            player = (pos.player_of(top) + i) % pos.players
            if self.tiles_held(pos, player):
                if i and top != pos.turn_frame():
                    return -1
                pos.set_player(top, player)
                pos.set_question(top, self.choose)
                return 1
        return -1

    def tile_done(self, pos: Position, player: i64) -> None:
        if pos.s[self.drew]:
            pos.put(self.drew, 0)
            if pos.tiles_left(self.land(pos)):
                pos.push(self.deal, player, 0)
            elif self.last_drawn:
                pos.put(self.ended, 1)  # the last tile left the pile unseen

    # --- the two questions
    def legal(self, pos: Position, frame: i64) -> i64:
        if frame == self.deal:
            return pos.draws(self.land(pos))
        player = pos.player()
        fitting: list[i64] = []
        unfit: list[i64] = []
        for i in range(i64(ROOM)):
            held = pos.s[self.hands + player * ROOM + i] - 1
            if held < 0 or held in fitting or held in unfit:
                continue
            pos.places(held)
            if pos.actions[0] < 0:
                unfit.append(held)
            else:
                fitting.append(held)
        n: i64 = 0
        for tile_type in fitting or unfit:
            pos.actions[n] = tile_type if fitting else tile_type | UNFIT
            n += 1
        return n

    def apply(self, pos: Position, frame: i64, action: i64) -> None:
        if frame == self.deal:
            self.fill(pos, action)
            return
        top = pos.top()
        player = pos.player_of(top)
        tile_type = action & (UNFIT - 1)
        self.change(pos, player, tile_type + 1, 0)
        if action & UNFIT:
            pos.tell_discarded(player, tile_type)
            if pos.tiles_left(self.land(pos)):
                pos.set_question(top, self.deal)
                pos.set_subject(top, CHOOSES_ON)
            elif self.tiles_held(pos, player) == 0:
                pos.set_question(top, DONE)
        else:
            pos.put(self.drew, 1)
            self.play(pos, top, tile_type)

    def fill(self, pos: Position, tile_type: i64) -> None:
        """A tile is drawn into a hand; by option the last one is played at once."""
        top = pos.top()
        player = pos.player_of(top)
        pos.take_from_bag(tile_type, self.land(pos))
        if self.last_drawn and pos.tiles_left(self.land(pos)) == 0:
            pos.put(self.ended, 1)
            self.play(pos, top, tile_type)
        else:
            self.change(pos, player, 0, tile_type + 1)
            if pos.subject_of(top) == CHOOSES_ON:
                pos.set_question(top, self.choose)
            else:
                pos.pop()

    def play(self, pos: Position, top: i64, tile_type: i64) -> None:
        """Puts the tile on the table; from here on it is treated as if it had been drawn."""
        pos.play_tile(top, tile_type)

    def why_impossible(self, pos: Position) -> str:
        dealt: i64 = 0
        for player in range(pos.players):
            wanted = self.tiles_held(pos, player)
            drew = False
            frame = pos.top()
            while frame >= pos.turn_frame():
                deals = pos.question_of(frame) == self.deal
                if deals and frame == pos.turn_frame() and pos.subject_of(frame) != CHOOSES_ON:
                    return "expected the turn below 'deal', found nothing"
                if pos.player_of(frame) == player:
                    wanted += int(deals)
                    dealt += int(deals)
                    drew = drew or pos.s[self.drew] != 0
                frame = pos.frame_below(frame)
            if wanted + int(drew) > self.size:
                return f"expected at most {self.size} tiles in a hand, those to be drawn included"
            for i in range(i64(ROOM - 1)):
                if pos.s[self.hands + player * ROOM + i] < pos.s[self.hands + player * ROOM + i + 1]:
                    return "expected the tiles of a hand in order, the last type first"
        if dealt > pos.tiles_left(self.land(pos)):
            return "expected as many tiles as are to be drawn"
        return ""

    def action_of(self, pos: Position, frame: i64, number: i64) -> Action:
        name = self.tiles[number & (UNFIT - 1)].id
        if frame == self.deal:
            return Action("draw", tile=name)
        return Action("discard", tile=name) if number & UNFIT else Action("choose", choice=name)
