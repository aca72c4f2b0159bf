"""A position as the rules see it: the board, the agenda, supplies, scores. Every hook gets one."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.errors import EngineLimit
from bastide.kernel.offsets import (
    BLOCK,
    BORDER,
    EXTRA,
    F_MORE,
    F_QUESTION,
    F_SUBJECT,
    FIGURE,
    FIGURE_BITS,
    FIGURE_MASK,
    FIGURE_ROOM,
    FLAGS,
    HEAD,
    OPEN,
    PIECES,
    RING,
    SCORE,
    STANDING_LEN,
    STRENGTH,
    SUPPLY,
)
from bastide.kernel.shape import Shape
from bastide.native import i64
from bastide.rules.actions import Place
from bastide.rules.listener import Listener, Part
from bastide.rules.piles import Piles, Tables

# --- kinds of frames that the engine itself understands; modules get the numbers after these
OVER: Final = 0
DRAW: Final = 1  # chance: subject = the pile
PLACE: Final = 2  # subject = tile type
DEPLOY: Final = 3
DRAWN: Final = 4  # no question: subject = tile type, more = the next module to tell
LAID: Final = 5  # no question: more = the next module to tell
PLAYED: Final = 6  # no question: more = the next module to tell that a piece was placed, or none
SCORING: Final = 7  # no question: subject = next of the closed regions
ENDING: Final = 8  # no question: more = the next module to tell that a tile is done
DONE: Final = 9  # no question: everything about a tile is done
FIRST_FREE: Final = 10


class Position(Piles):
    """The board and everything that a rule can read or change."""

    def __init__(self, shape: Shape, state: vec[i64], trail_room: i64, players: i64, tables: Tables) -> None:
        super().__init__(shape, state, trail_room, tables)
        self.players: i64 = players
        self.standing: i64 = shape.standing
        self.listener: Listener | None = None
        self.parts: list[Part] = []  # of the score being made, only when there is a listener
        self.points: i64 = 0  # of the score being made
        self.tiles: i64 = 0  # of the region being scored
        self.count: i64 = 0  # what the score being made counted, for those who adjust it
        self.occupied_regions = shape.blank[: shape.figures]  # scratch: regions with followers, see list_occupied()
        self.scratch = shape.blank[: shape.scratch]  # for a list that is needed for a moment only

    # --- players
    def supply(self, player: i64, piece: i64) -> i64:
        """How many pieces of a kind a player has in the supply."""
        return self.s[SUPPLY + player * PIECES + piece]

    def score_of(self, player: i64) -> i64:
        """Points of a player."""
        return self.s[SCORE + player]

    # --- turns and tiles
    def grant_extra_turn(self) -> None:
        """Grants the player an extra turn after this one: at most one, even if several modules grant it."""
        if self.s[EXTRA] == 0:
            self.put(EXTRA, 1)

    def play_tile(self, frame: i64, tile_type: i64) -> None:
        """Continues a frame as if this tile had just been drawn in it."""
        self.put(frame + F_SUBJECT, tile_type)
        self.put(frame + F_MORE, 0)
        self.put(frame + F_QUESTION, DRAWN)

    def tell_discarded(self, player: i64, tile_type: i64) -> None:
        """A tile that fits nowhere left the game."""
        listener = self.listener
        if listener is not None:
            listener.discarded(player, tile_type)

    # --- lists of regions
    def list_occupied(self) -> i64:
        """Writes the regions with followers to `occupied_regions`, in the order of their tiles; returns how many."""
        s = self.s
        roots = self.occupied_regions
        count: i64 = 0
        for i in range(s[STANDING_LEN]):
            root = self.find(s[self.standing + i])
            if s[root + STRENGTH] == 0:
                continue
            at = count  # sorted as they come: they are few
            while at > 0 and roots[at - 1] > root:
                roots[at] = roots[at - 1]
                at -= 1
            if at > 0 and roots[at - 1] == root:
                while at < count:  # known already: close the gap again
                    roots[at] = roots[at + 1]
                    at += 1
            else:
                roots[at] = root
                count += 1
        return count

    def bordering(self, root: i64, closed: bool) -> i64:
        """Writes the different regions, closed or open, on which a region borders to `scratch`; returns how many."""
        s = self.s
        regions = self.scratch
        count: i64 = 0
        node = root
        while True:
            border = s[node + BORDER]
            other = s[node + BLOCK] + HEAD
            while border:
                if border & 1:
                    region = self.find(other)
                    if (s[region + OPEN] == 0) == closed:
                        regions[count] = region
                        i: i64 = 0
                        while regions[i] != region:
                            i += 1
                        if i == count:
                            count += 1
                border >>= 1
                other += self.stride
            node = s[node + RING]
            if node == root:
                return count

    # --- pieces
    def stand(self, player: i64, piece: i64, node: i64) -> None:
        """Puts a piece from the player's supply on a segment."""
        s = self.s
        root = self.find(node)
        at = SUPPLY + player * PIECES + piece
        self.put(at, s[at] - 1)
        figures = s[node + FIGURE]
        if figures >> (FIGURE_BITS * (FIGURE_ROOM - 1)):
            raise EngineLimit(f"a segment holds at most {FIGURE_ROOM} pieces")
        if figures == 0:
            self.add_standing(node)
        self.put(node + FIGURE, figures << FIGURE_BITS | self.figure(player, piece))
        weight = self.tables.weight[piece]
        if weight:
            self.put(root + STRENGTH, s[root + STRENGTH] + (weight << (8 * player)))
        flag = self.tables.stands[piece]
        if flag:
            self.put(root + FLAGS, s[root + FLAGS] | flag << player)
        listener = self.listener
        if listener is not None:
            listener.deployed(player, piece, node)

    def lift(self, player: i64, piece: i64, node: i64) -> None:
        """Moves one piece from a segment back into its owner's supply, without scoring."""
        s = self.s
        self.take_off(node, self.figure(player, piece))
        self.return_piece(player, piece, node)
        root = self.find(node)
        weight = self.tables.weight[piece]
        if weight:
            self.put(root + STRENGTH, s[root + STRENGTH] - (weight << (8 * player)))
        flag = self.tables.stands[piece]
        if flag and not self.stands_in(root, player, piece):
            self.put(root + FLAGS, s[root + FLAGS] & ~(flag << player))

    def take_off(self, node: i64, figure: i64) -> None:
        """Removes one figure from the packed word of a segment."""
        rest = self.s[node + FIGURE]
        kept: i64 = 0
        shift: i64 = 0
        found = False
        while rest:
            one = rest & FIGURE_MASK
            rest >>= FIGURE_BITS
            if one == figure and not found:
                found = True
            else:
                kept |= one << shift
                shift += FIGURE_BITS
        if not found:
            raise ValueError("no such piece stands there")
        self.put(node + FIGURE, kept)
        if kept == 0:
            self.remove_standing(node)

    def add_standing(self, node: i64) -> None:
        """Adds a segment to the list of those with pieces."""
        count = self.s[STANDING_LEN]
        self.put(self.standing + count, node)
        self.put(STANDING_LEN, count + 1)

    def remove_standing(self, node: i64) -> None:
        """Removes a segment from the list of those with pieces."""
        s = self.s
        at = self.standing
        while s[at] != node:
            at += 1
        last = s[STANDING_LEN] - 1
        self.put(at, s[self.standing + last])
        self.put(STANDING_LEN, last)

    def move_to_place(self, player: i64, piece: i64, place: str) -> None:
        """Moves a piece from the supply to a place of a module's own, which keeps it in a field."""
        self.add(SUPPLY + player * PIECES + piece, -1)
        listener = self.listener
        if listener is not None:
            listener.left_supply(player, piece, place)

    def return_from_place(self, player: i64, piece: i64, place: str) -> None:
        """Moves a piece from a place of a module's own back to the supply."""
        self.add(SUPPLY + player * PIECES + piece, 1)
        listener = self.listener
        if listener is not None:
            listener.came_back(player, piece, place)

    def relocate(self, start: i64, goal: i64) -> None:
        """Moves the only piece of a segment to an empty segment of the same region."""
        listener = self.listener
        if listener is not None:
            figure = self.s[start + FIGURE]
            listener.moved(self.owner(figure), self.piece(figure), start, goal)
        self.put(goal + FIGURE, self.s[start + FIGURE])
        self.put(start + FIGURE, 0)
        self.remove_standing(start)
        self.add_standing(goal)

    def stands_in(self, root: i64, player: i64, piece: i64) -> i64:
        """A segment of the region where such a piece of the player stands, 0 if there is none."""
        node = root
        while True:
            if self.stands_on(node, player, piece):
                return node
            node = self.s[node + RING]
            if node == root:
                return 0

    def stands_on(self, node: i64, player: i64, piece: i64) -> i64:
        """How many such pieces of the player stand on this very segment."""
        rest = self.s[node + FIGURE]
        count: i64 = 0
        while rest:
            if rest & FIGURE_MASK == self.figure(player, piece):
                count += 1
            rest >>= FIGURE_BITS
        return count

    def followers_on(self, node: i64, player: i64) -> i64:
        """How many followers of the player stand on this very segment, whatever they weigh."""
        rest = self.s[node + FIGURE]
        count: i64 = 0
        while rest:
            figure = rest & FIGURE_MASK
            if self.owner(figure) == player and self.tables.weight[self.piece(figure)]:
                count += 1
            rest >>= FIGURE_BITS
        return count

    def list_followers(self, root: i64, player: i64, count: i64) -> i64:
        """Adds the followers that a player has in a region to `actions`, each kind once for each segment.

        The numbers are those of `pack_target`; returns how many actions there are now.
        """
        weight = self.tables.weight
        node = root
        while True:
            if self.s[node + FIGURE]:
                for piece in range(i64(len(weight))):
                    if weight[piece] and self.stands_on(node, player, piece):
                        self.actions[count] = self.pack_target(node, piece)
                        count += 1
            node = self.s[node + RING]
            if node == root:
                return count

    def clear_tile(self, block: i64, pieces: i64) -> None:
        """Takes back every piece of these kinds (bits) that stands on a tile, whoever owns it."""
        for segment in range(self.segments(block)):
            node = self.node(block, segment)
            rest = self.s[node + FIGURE]
            while rest:
                figure = rest & FIGURE_MASK
                rest >>= FIGURE_BITS
                if pieces >> self.piece(figure) & 1:
                    self.take_back(self.owner(figure), self.piece(figure), node)
                    rest = self.s[node + FIGURE]  # others may have gone with it

    def return_piece(self, player: i64, piece: i64, node: i64) -> None:
        """A piece goes back into its owner's supply."""
        at = SUPPLY + player * PIECES + piece
        self.put(at, self.s[at] + 1)
        listener = self.listener
        if listener is not None:
            listener.returned(player, piece, node)

    def send_home(self, root: i64) -> None:
        """All figures that the last count_tiles() found in the region go back to their owners."""
        s = self.s
        for i in range(self.figure_count):
            node = self.figure_nodes[i]
            rest = s[node + FIGURE]
            while rest:
                figure = rest & FIGURE_MASK
                self.return_piece(self.owner(figure), self.piece(figure), node)
                rest >>= FIGURE_BITS
            self.put(node + FIGURE, 0)
            self.remove_standing(node)
        self.put(root + STRENGTH, 0)
        if s[root + FLAGS] & self.shape.presence:
            self.put(root + FLAGS, s[root + FLAGS] & ~self.shape.presence)

    # --- scoring
    def begin_score(self) -> None:
        """Begins a new score. Add its parts next, then call `gain` or `award`."""
        self.points = 0
        self.count = 0
        if self.listener is not None:
            self.parts = []

    def part(self, name: i64, count: i64, each: i64) -> None:
        """Adds a part to the score being made."""
        self.points += count * each
        if self.listener is not None:
            word, rule = self.tables.parts[name]
            self.parts.append(Part(word, count, each, rule))

    def gain(self, player: i64, root: i64, source: i64) -> None:
        """Gives the current score to one player. A score of no points is not reported."""
        if self.points == 0:
            return
        self.put(SCORE + player, self.s[SCORE + player] + self.points)
        listener = self.listener
        if listener is not None:
            listener.scored(player, self.points, root, source, self.parts)

    # --- what the engine adds; modules may call these too
    def deploy(self, player: i64, piece: i64, node: i64) -> None:
        """Puts a piece from the supply on a segment and tells the modules."""
        raise NotImplementedError

    def why_not_deploy(self, piece: i64, root: i64) -> i64:
        """Why a piece may not be put into a region: 0 it may, -1 a follower is there already, or a module's reason."""
        raise NotImplementedError

    def why_not_stand(self, piece: i64, node: i64) -> i64:
        """Why a piece may not be put on this very segment, whatever is in its region: 0, or a module's reason."""
        raise NotImplementedError

    def place_of(self, node: i64) -> Place:
        """Where a segment lies, as actions name it: `1,0 city N`."""
        raise NotImplementedError

    def take_back(self, player: i64, piece: i64, node: i64) -> None:
        """Returns a piece without scoring its region, and tells the modules: another piece may stand alone now."""
        raise NotImplementedError

    def places(self, tile_type: i64) -> i64:
        """Writes where a tile can be laid to `actions`; -1 alone if it fits nowhere."""
        raise NotImplementedError

    def score(self, root: i64, finished: bool) -> None:
        """Scores a region for whoever is strongest in it. The engine implements this."""
        raise NotImplementedError

    def award(self, root: i64) -> None:
        """Gives the current score to whoever is strongest in the region. The engine implements this."""
        raise NotImplementedError
