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
    HIDDEN,
    OPEN,
    PIECES,
    PILE,
    REMAINING,
    RING,
    SCORE,
    STANDING_LEN,
    STRENGTH,
    SUPPLY,
)
from bastide.kernel.shape import Shape
from bastide.native import i64
from bastide.rules.access import Access
from bastide.rules.actions import Place
from bastide.rules.listener import Listener, Part

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


class Tables:
    """What a position needs to know of the rules. All games with the same rules share it."""

    def __init__(
        self,
        weight: list[i64],
        stands: list[i64],
        parts: list[tuple[str, str]],
        bag: i64,
        main: i64,
        piles: list[tuple[i64, i64]],
        scripted: bool,
    ) -> None:
        self.weight = vec[i64](weight)  # per piece: what it counts for a majority; 0 = no follower
        self.stands = vec[i64](stands)  # per piece: first of its eight presence flags, 0 = has none
        self.parts = parts  # names of score parts with their rules
        self.bag: i64 = bag  # offset of the bag: per tile type, how many are unseen
        self.main_piles: i64 = main  # piles from which turns draw; the others belong to modules
        self.pile_first = vec[i64]([first for first, _end in piles])  # per pile: the first of its types ...
        self.pile_end = vec[i64]([end for _first, end in piles])  # ... and the one after its last
        self.scripted: bool = scripted  # any tile may be drawn, in any number


class Position(Access):
    """The board and everything that a rule can read or change."""

    def __init__(self, shape: Shape, state: vec[i64], trail_room: i64, players: i64, tables: Tables) -> None:
        super().__init__(shape, state, trail_room)
        self.players: i64 = players
        self.tables = tables
        self.bag: i64 = tables.bag
        self.standing: i64 = shape.standing
        self.listener: Listener | None = None
        self.parts: list[Part] = []  # of the score being made, only when there is a listener
        self.points: i64 = 0  # of the score being made
        self.tiles: i64 = 0  # of the region being scored
        self.count: i64 = 0  # what the score being made counted, for those who adjust it
        self.actions = shape.blank[: shape.actions]
        self.weights = shape.blank[: shape.outcomes]  # of chance's actions
        self.occupied_regions = shape.blank[: shape.figures]  # scratch: regions with followers, see list_occupied()
        self.scratch = shape.blank[: shape.scratch]  # for a list that is needed for a moment only

    def grant_extra_turn(self) -> None:
        """The player gets an extra turn after this one; at most one, even if several modules grant it."""
        if self.s[EXTRA] == 0:
            self.put(EXTRA, 1)

    # --- players and piles
    def supply(self, player: i64, piece: i64) -> i64:
        """How many pieces of a kind a player has in the supply."""
        return self.s[SUPPLY + player * PIECES + piece]

    def score_of(self, player: i64) -> i64:
        """Points of a player."""
        return self.s[SCORE + player]

    def tiles_left(self, pile: i64) -> i64:
        """Tiles that can still be drawn from a pile."""
        return self.s[REMAINING + pile]

    def land_pile(self) -> i64:
        """The last of the piles from which turns draw: ordinary tiles."""
        return self.tables.main_piles - 1

    def next_pile(self) -> i64:
        """The pile from which turns draw now: the first that is not empty, else the last."""
        s = self.s
        pile = s[PILE]
        while s[REMAINING + pile] <= 0 and pile + 1 < self.tables.main_piles:
            pile += 1
        if pile != s[PILE]:
            self.put(PILE, pile)
        return pile

    def pile_of(self, tile_type: i64) -> i64:
        """The pile to which a tile type belongs."""
        pile: i64 = 0
        while not self.tables.pile_first[pile] <= tile_type < self.tables.pile_end[pile]:
            pile += 1
        return pile

    def draws(self, pile: i64) -> i64:
        """Writes every tile type that can come from a pile to `actions`, with its weight; returns how many."""
        s = self.s
        tables = self.tables
        first = tables.pile_first[pile]
        end = tables.pile_end[pile]
        if tables.scripted and pile < tables.main_piles:  # any tile, whatever the piles hold
            first = 0
            end = tables.pile_end[tables.main_piles - 1]
        n: i64 = 0
        for tile_type in range(first, end):
            count = s[self.bag + tile_type]
            if tables.scripted:
                count = 1
            if count:
                self.actions[n] = tile_type
                self.weights[n] = count
                n += 1
        return n

    def in_pile(self, pile: i64) -> i64:
        """Tiles of a pile that nobody has seen: those that can be drawn and those that left it unseen."""
        return self.s[REMAINING + pile] + self.s[HIDDEN + pile]

    def tile_in_pile(self, pile: i64, number: i64) -> i64:
        """The type of the unseen tile with this number, from 0 on, if a pile were sorted by types."""
        s = self.s
        tile_type = self.tables.pile_first[pile]
        at = self.bag
        while True:
            number -= s[at + tile_type]
            if number < 0:
                return tile_type
            tile_type += 1

    def take_from_bag(self, tile_type: i64, pile: i64) -> None:
        """A tile comes out of its pile."""
        s = self.s
        if self.tables.scripted:
            pile = self.pile_of(tile_type)
        self.put(self.bag + tile_type, s[self.bag + tile_type] - 1)
        self.put(REMAINING + pile, s[REMAINING + pile] - 1)

    def hide(self, pile: i64) -> None:
        """A tile leaves the pile unseen: nobody knows which, so the bag still counts it."""
        self.put(REMAINING + pile, self.s[REMAINING + pile] - 1)
        self.put(HIDDEN + pile, self.s[HIDDEN + pile] + 1)

    def play_tile(self, frame: i64, tile_type: i64) -> None:
        """Goes on in a frame as if this tile had just been drawn in it."""
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
            self.enlist(node)
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
        """Takes one piece from a segment back into its owner's supply, without any scoring."""
        s = self.s
        self.take_off(node, self.figure(player, piece))
        self.home(player, piece, node)
        root = self.find(node)
        weight = self.tables.weight[piece]
        if weight:
            self.put(root + STRENGTH, s[root + STRENGTH] - (weight << (8 * player)))
        flag = self.tables.stands[piece]
        if flag and not self.stands_in(root, player, piece):
            self.put(root + FLAGS, s[root + FLAGS] & ~(flag << player))

    def take_off(self, node: i64, figure: i64) -> None:
        """Removes one of the figures of a segment from its word."""
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
            self.delist(node)

    def enlist(self, node: i64) -> None:
        """The first piece comes on a segment."""
        count = self.s[STANDING_LEN]
        self.put(self.standing + count, node)
        self.put(STANDING_LEN, count + 1)

    def delist(self, node: i64) -> None:
        """The last piece has left a segment."""
        s = self.s
        at = self.standing
        while s[at] != node:
            at += 1
        last = s[STANDING_LEN] - 1
        self.put(at, s[self.standing + last])
        self.put(STANDING_LEN, last)

    def to_place(self, player: i64, piece: i64, place: str) -> None:
        """A piece leaves the supply for a place of a module's own, which keeps it in a field."""
        self.add(SUPPLY + player * PIECES + piece, -1)
        listener = self.listener
        if listener is not None:
            listener.left_supply(player, piece, place)

    def from_place(self, player: i64, piece: i64, place: str) -> None:
        """A piece comes back to the supply from a place of a module's own."""
        self.add(SUPPLY + player * PIECES + piece, 1)
        listener = self.listener
        if listener is not None:
            listener.came_back(player, piece, place)

    def relocate(self, start: i64, goal: i64) -> None:
        """The one piece of a segment goes to an empty segment of the same region."""
        listener = self.listener
        if listener is not None:
            figure = self.s[start + FIGURE]
            listener.moved(self.owner(figure), self.piece(figure), start, goal)
        self.put(goal + FIGURE, self.s[start + FIGURE])
        self.put(start + FIGURE, 0)
        self.delist(start)
        self.enlist(goal)

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

    def home(self, player: i64, piece: i64, node: i64) -> None:
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
                self.home(self.owner(figure), self.piece(figure), node)
                rest >>= FIGURE_BITS
            self.put(node + FIGURE, 0)
            self.delist(node)
        self.put(root + STRENGTH, 0)
        if s[root + FLAGS] & self.shape.presence:
            self.put(root + FLAGS, s[root + FLAGS] & ~self.shape.presence)

    # --- scoring
    def begin_score(self) -> None:
        """Nothing scored yet: parts come next, then `gain` or `award`."""
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
        """Gives the score just made to one player; nothing is told of a score of no points."""
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
        """Takes a piece back without scoring its region, and tells the modules: it may leave another piece alone."""
        raise NotImplementedError

    def places(self, tile_type: i64) -> i64:
        """Writes where a tile can be laid to `actions`; -1 alone if it fits nowhere."""
        raise NotImplementedError

    def score(self, root: i64, finished: bool) -> None:
        """Scores a region for whoever is strongest in it; the engine knows how."""
        raise NotImplementedError

    def award(self, root: i64) -> None:
        """Gives the score just made to whoever is strongest in the region; the engine knows how."""
        raise NotImplementedError
