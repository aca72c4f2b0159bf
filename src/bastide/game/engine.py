"""The engine: who decides what next, which actions there are, what they do. Unchecked: `apply` trusts `legal`."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.game.keys import key_of
from bastide.kernel.offsets import (
    AGENDA,
    BLOCK,
    CELL,
    CLOSED,
    CLOSED_LEN,
    EXTRA,
    F_MORE,
    F_PLAYER,
    F_QUESTION,
    F_SUBJECT,
    HEAD,
    KIND,
    LAST,
    LOOK,
    NSEG,
    PIECES,
    POS,
    REMAINING,
    SEGMENTS,
    STRENGTH,
    SUPPLY,
    TARGET_SHIFT,
    TOP,
)
from bastide.kernel.offsets import TARGET as TARGET
from bastide.kernel.torus import unpack
from bastide.native import i64
from bastide.rules.actions import Place
from bastide.rules.position import (
    DEPLOY,
    DONE,
    DRAW,
    DRAWN,
    ENDING,
    FIRST_FREE,
    LAID,
    OVER,
    PLACE,
    PLAYED,
    SCORING,
    Position,
)
from bastide.rules.rules import Rules

DISCARD: Final = -1  # the only action when a tile fits nowhere
PASS: Final = 0  # deploy nothing; otherwise 1 + piece * SEGMENTS + segment, or a module's target
TRAIL_ROOM: Final = 512


class Engine(Position):
    """One game in progress, built for speed: actions are numbers, nothing is checked, no history is kept.

    Not for users: `State` is. Whoever calls `game.engine.apply` leaves that Game with a history that no longer fits.
    """

    def __init__(self, rules: Rules, state: vec[i64]) -> None:
        super().__init__(rules.shape, state, TRAIL_ROOM, rules.players, rules.tables)
        self.rules = rules
        self.winners: i64 = 0  # bits: who won the region being scored

    def clone(self) -> Engine:
        """An independent copy of the position; the trail stays behind."""
        return Engine(self.rules, self.s[:])

    def twin(self) -> Engine:
        """An independent copy that can be undone as far as this one."""
        copy = self.clone()
        copy.trail = self.trail[:]
        copy.trail_len = self.trail_len
        return copy

    def take_over(self, other: Engine) -> None:
        """The same position as another engine by the same rules; the trail is forgotten."""
        self.s = other.s[:]
        self.trail_len = 0

    def key(self) -> bytes:
        """Equal for two positions by the same rules exactly when everything that can follow is the same."""
        return key_of(self, self.rules)

    def __reduce__(self) -> tuple[object, ...]:
        return restored, (self.rules, list(self.s))

    def clear(self) -> None:
        """Nothing lies on the table yet."""
        self.s = self.shape.empty[:]

    def reset(self) -> None:
        """Back to the beginning: the start tiles lie, nobody has drawn."""
        self.clear()
        rules = self.rules
        start = rules.start
        i: i64 = 0
        while i < i64(len(start)):
            self.lay(start[i], start[i + 1], start[i + 2], start[i + 3])
            i += 4
        self.join_start()
        for m in rules.begun:
            m.begun(self)
        self.trail_len = 0

    def join_start(self) -> None:
        """Makes the segments one that run across the squares of a big tile."""
        rules = self.rules
        joins = rules.joins
        i: i64 = 0
        while i < i64(len(joins)):
            a = self.s[CELL + rules.start[4 * joins[i] + 1]]
            b = self.s[CELL + rules.start[4 * joins[i + 2] + 1]]
            self.join(self.node(a, joins[i + 1]), self.node(b, joins[i + 3]), 0)
            i += 4

    # --- what can be done
    def legal(self) -> i64:
        """Writes the actions for the frame on top to `actions`; returns how many. 0: the game is over."""
        question = self.question()
        if question == PLACE:
            return self.places(self.subject())
        if question == DEPLOY:
            return self.spots()
        if question == DRAW:
            return self.draws(self.subject())
        if question == OVER:
            return 0
        return self.rules.frames[question - FIRST_FREE].legal(self, question)

    def chance(self) -> bool:
        """Does the dealer decide next?"""
        question = self.question()
        return question == DRAW or (question >= FIRST_FREE and self.rules.chance[question - FIRST_FREE] == 1)

    def places(self, tile_type: i64) -> i64:
        """Where a tile can be laid; it is discarded if it fits nowhere."""
        actions = self.actions
        n = self.fitting(tile_type, actions)
        filters = self.rules.may_place[tile_type]
        if len(filters) > 0:
            kept: i64 = 0
            for i in range(n):
                move = actions[i]
                if self.why_not_place(tile_type, move >> 2, move & 3) == 0:
                    actions[kept] = move
                    kept += 1
            n = kept
            for m in filters:
                n = m.narrow(self, tile_type, n)
        if n == 0:
            actions[0] = DISCARD
            return 1
        return n

    def fitting_places(self, tile_type: i64) -> list[i64]:
        """Every cell * 4 + rotation where a tile of this type fits, whatever modules say; `actions` is written over."""
        count = self.fitting(tile_type, self.actions)
        return [self.actions[i] for i in range(count)]

    def why_not_place(self, tile_type: i64, cell: i64, rotation: i64) -> i64:
        """The first reason that a module has against this place, 0 for none."""
        for m in self.rules.may_place[tile_type]:
            reason = m.may_place(self, tile_type, cell, rotation)
            if reason:
                return reason
        return 0

    def spots(self) -> i64:
        """Where the player can put a piece: on the tile just laid, and wherever modules allow besides."""
        s = self.s
        rules = self.rules
        actions = self.actions
        actions[0] = PASS
        n: i64 = 1
        supply = SUPPLY + s[s[TOP] + F_PLAYER] * PIECES
        available: i64 = 0  # bits of the pieces that the player has
        for piece in range(rules.pieces):
            if s[supply + piece]:
                available |= 1 << piece
        limited = len(rules.may_stand) > 0
        node = s[LAST] + HEAD
        for seg in range(self.looks[s[s[LAST] + LOOK] + NSEG]):
            fitting_pieces = available & rules.pieces_on[s[node + KIND]]
            if fitting_pieces:
                root = self.find(node)
                piece = 0
                while fitting_pieces:
                    if (
                        fitting_pieces & 1
                        and self.why_not_deploy(piece, root) == 0
                        and (not limited or self.why_not_stand(piece, node) == 0)
                    ):
                        actions[n] = 1 + piece * SEGMENTS + seg
                        n += 1
                    fitting_pieces >>= 1
                    piece += 1
            node += self.stride
        for m in rules.targets:
            n = m.targets(self, n)
        return n

    def why_not_deploy(self, piece: i64, root: i64) -> i64:
        """Why a piece may not be put into a region: 0 it may, -1 a follower is there already, or a module's reason."""
        rules = self.rules
        if self.tables.weight[piece] == 0:
            return rules.piece_owner[piece].welcomes(self, piece, root)
        if self.s[root + STRENGTH]:
            return -1
        for m in rules.may_deploy:
            reason = m.may_deploy(self, piece, root)
            if reason:
                return reason
        return 0

    def why_not_stand(self, piece: i64, node: i64) -> i64:
        """Why a piece may not be put on this very segment, whatever is in its region: 0, or a module's reason."""
        for m in self.rules.may_stand:
            reason = m.may_stand(self, piece, node)
            if reason:
                return reason
        return 0

    # --- doing it
    def apply(self, action: i64) -> None:
        """Carries out one of the legal actions and goes on to the next question."""
        s = self.s
        top = s[TOP]
        question = s[top + F_QUESTION]
        if question == PLACE:
            if action == DISCARD:
                self.discard(top)
            else:
                self.place(top, action >> 2, action & 3)
        elif question == DEPLOY:
            if action >= TARGET:
                self.rules.target_of[(action >> TARGET_SHIFT) - 1].deploy_at(self, action & (TARGET - 1))
            elif action != PASS:
                piece = (action - 1) // SEGMENTS
                self.deploy(s[top + F_PLAYER], piece, self.node(s[LAST], (action - 1) % SEGMENTS))
            self.after_deploy(top)
        elif question == DRAW:
            self.draw(top, action)
        else:
            self.rules.frames[question - FIRST_FREE].apply(self, question, action)
            self.settle()

    def draw(self, top: i64, tile_type: i64) -> None:
        """A tile comes out of its pile."""
        s = self.s
        self.take_from_bag(tile_type, s[top + F_SUBJECT])
        self.put(top + F_QUESTION, PLACE)
        self.put(top + F_SUBJECT, tile_type)
        listener = self.listener
        if listener is not None:
            listener.drawn(s[top + F_PLAYER], tile_type)
        if len(self.rules.drawn) > 0:
            self.tell_drawn(top, 0)

    def tell_drawn(self, top: i64, first: i64) -> None:
        """Tells the modules of the tile drawn, from number `first` on; leaves when one asks somebody something."""
        s = self.s
        drawn = self.rules.drawn
        for i in range(first, i64(len(drawn))):
            drawn[i].drawn(self, s[top + F_SUBJECT])
            if s[TOP] != top:
                self.put(top + F_QUESTION, DRAWN)
                self.put(top + F_MORE, i + 1)
                return
        if s[top + F_QUESTION] != PLACE:
            self.put(top + F_QUESTION, PLACE)

    def discard(self, top: i64) -> None:
        """The tile fits nowhere; the player draws another."""
        tile_type = self.s[top + F_SUBJECT]
        self.tell_discarded(self.s[top + F_PLAYER], tile_type)
        pile = self.pile_of(tile_type)
        if pile < self.tables.main_piles:
            self.open_turn(top)
        else:
            self.draw_again(top, pile)

    def draw_again(self, top: i64, pile: i64) -> None:
        """A tile for this frame, from the piles of the turns or from a side pile."""
        if pile < self.tables.main_piles:
            pile = self.next_pile()
        if self.s[REMAINING + pile] or self.rules.scripted:
            self.put(top + F_QUESTION, DRAW)
            self.put(top + F_SUBJECT, pile)
        else:
            self.no_tile(top)

    def no_tile(self, top: i64) -> None:
        """No tile is left: the game ends, or the extra turn is forfeited."""
        if top == AGENDA:
            self.finish()
        else:
            self.put(top + F_QUESTION, DONE)
            self.settle()

    def place(self, top: i64, cell: i64, rotation: i64) -> None:
        """Lays the tile and tells everybody."""
        s = self.s
        tile_type = s[top + F_SUBJECT]
        self.lay(tile_type, cell, rotation, 0)
        self.put(top + F_QUESTION, DEPLOY)
        listener = self.listener
        if listener is not None:
            listener.placed(s[top + F_PLAYER], tile_type, cell, rotation)
        if len(self.rules.placed) > 0:
            self.tell_placed(top, 0)

    def tell_placed(self, top: i64, first: i64) -> None:
        """Tells the modules of the tile laid, from number `first` on; leaves when one asks somebody something."""
        s = self.s
        placed = self.rules.placed
        for i in range(first, i64(len(placed))):
            placed[i].placed(self, s[LAST])
            if s[TOP] != top:
                self.put(top + F_QUESTION, LAID)
                self.put(top + F_MORE, i + 1)
                return
        if s[top + F_QUESTION] != DEPLOY:
            self.put(top + F_QUESTION, DEPLOY)

    def deploy(self, player: i64, piece: i64, node: i64) -> None:
        """Puts a piece on a segment and tells everybody."""
        self.stand(player, piece, node)
        for m in self.rules.deployed:
            m.deployed(self, piece, node)

    def take_back(self, player: i64, piece: i64, node: i64) -> None:
        """Takes a piece from a segment without scoring and tells everybody."""
        self.lift(player, piece, node)
        for m in self.rules.lifted:
            m.lifted(self, player, piece, node)

    def after_deploy(self, top: i64) -> None:
        """Scoring comes next, unless somebody must be asked before."""
        if self.s[TOP] != top:
            self.put(top + F_QUESTION, PLAYED)
            self.put(top + F_MORE, 0)
        elif len(self.rules.piece_placed) > 0:
            self.tell_piece_placed(top, 0)
        else:
            self.score_closed(top, 0)

    def tell_piece_placed(self, top: i64, first: i64) -> None:
        """Tells the modules that the player's piece is placed; leaves when one asks somebody something."""
        s = self.s
        told = self.rules.piece_placed
        for i in range(first, i64(len(told))):
            told[i].piece_placed(self, s[top + F_PLAYER])
            if s[TOP] != top:
                self.put(top + F_QUESTION, PLAYED)
                self.put(top + F_MORE, i + 1)
                return
        self.score_closed(top, 0)

    # --- without a question
    def settle(self) -> None:
        """Carries out automatic frames until somebody must decide.

        Six questions are no questions: DRAWN, LAID, PLAYED and ENDING call the hooks of modules one after another,
        SCORING scores closed regions, DONE ends a frame. When a hook pushes a frame, the automatic frame below it
        keeps the number of the next module (or region) and goes on there.
        """
        while True:
            top = self.s[TOP]
            question = self.s[top + F_QUESTION]
            if question == SCORING:
                self.score_closed(top, self.s[top + F_SUBJECT])
            elif question == LAID:
                self.tell_placed(top, self.s[top + F_MORE])
            elif question == PLAYED:
                self.tell_piece_placed(top, self.s[top + F_MORE])
            elif question == DRAWN:
                self.tell_drawn(top, self.s[top + F_MORE])
            elif question == ENDING:
                self.finish_tile(top, self.s[top + F_MORE])
            elif question != DONE:
                return
            elif top == AGENDA:
                self.end_turn(top)
            else:
                self.pop()

    def score_closed(self, top: i64, first: i64) -> None:
        """Scores the closed regions from number `first` on; leaves when a hook asks somebody something."""
        s = self.s
        i = first
        while i < s[CLOSED_LEN]:
            root = s[CLOSED + i]
            i += 1
            for m in self.rules.closed:
                m.closed(self, root, s[root + KIND])
            if s[root + STRENGTH]:
                self.score(root, True)
            if s[TOP] != top:
                self.put(top + F_QUESTION, SCORING)
                self.put(top + F_SUBJECT, i)
                return
        self.finish_tile(top, 0)

    def score(self, root: i64, finished: bool) -> None:
        """Makes the score of a region and gives it to whoever is strongest there; finished, its pieces go home."""
        rules = self.rules
        kind = self.s[root + KIND]
        self.begin_score()
        self.tiles = self.count_tiles(root)
        rules.scorer[kind].score(self, root, kind, finished)
        for m in rules.adjusters[kind]:
            m.adjust(self, root, kind, finished)
        self.award(root)
        if finished:
            for m in rules.scored:
                m.scored(self, root, kind, self.winners)
            self.send_home(root)

    def points_now(self, root: i64, kind: i64, finished: bool, tiles: i64) -> i64:
        """What a region of so many tiles would score now, without the winners' own bonuses. Changes nothing."""
        rules = self.rules
        mark = self.trail_len
        self.begin_score()
        self.tiles = tiles
        rules.scorer[kind].score(self, root, kind, finished)
        for m in rules.adjusters[kind]:
            m.adjust(self, root, kind, finished)
        self.undo(mark)
        return self.points

    def award(self, root: i64) -> None:
        """Gives the score just made to whoever is strongest in the region, with each winner's own bonus."""
        rules = self.rules
        kind = self.s[root + KIND]
        winners = self.leaders(self.s[root + STRENGTH])
        if winners & (winners - 1):
            for m in rules.tiebreakers:
                winners = m.break_tie(self, root, kind, winners)
        self.winners = winners
        points = self.points
        shared = self.parts
        player: i64 = 0
        while winners >> player:
            if winners >> player & 1:
                if len(rules.bonuses[kind]) > 0:
                    self.points = points
                    if self.listener is not None:
                        self.parts = shared[:]
                    for m in rules.bonuses[kind]:
                        m.bonus(self, root, kind, player)
                self.gain(player, root, kind)
            player += 1

    def finish_tile(self, top: i64, first: i64) -> None:
        """One tile is done; the turn may go on."""
        s = self.s
        player = s[top + F_PLAYER]
        told = self.rules.tile_done
        for i in range(first, i64(len(told))):
            told[i].tile_done(self, player)
            if s[TOP] != top:
                self.put(top + F_QUESTION, ENDING)
                self.put(top + F_MORE, i + 1)
                return
        if s[EXTRA] == 1:
            self.put(EXTRA, 2)
            self.put(top + F_QUESTION, DONE)
            self.push(DONE, player, 0)
            self.open_turn(s[TOP])
        elif top == AGENDA:
            self.end_turn(top)  # the usual case, without a detour
        else:
            self.put(top + F_QUESTION, DONE)
            self.settle()

    def end_turn(self, top: i64) -> None:
        """The next player's turn begins, if there is a tile for it."""
        s = self.s
        player = s[top + F_PLAYER]
        if s[EXTRA]:
            self.put(EXTRA, 0)
        player += 1
        if player == self.players:
            player = 0
        self.put(top + F_PLAYER, player)
        self.open_turn(top)
        if len(self.rules.turn_started) > 0 and self.question() != OVER:
            for m in self.rules.turn_started:
                m.turn_started(self, player)

    def open_turn(self, top: i64) -> None:
        """A turn begins: a tile is drawn, unless a module has another way."""
        for m in self.rules.turn_begins:
            answer = m.turn_begins(self, top)
            if answer > 0:
                return
            if answer < 0:
                self.no_tile(top)
                return
        self.draw_again(top, 0)

    def finish(self) -> None:
        """The game is over: everything that still counts is scored."""
        self.put(TOP, AGENDA)
        self.put(AGENDA + F_QUESTION, OVER)
        for i in range(self.list_occupied()):
            root = self.occupied_regions[i]
            self.score(root, False)
            for m in self.rules.scored_at_end:
                m.scored_at_end(self, root, self.s[root + KIND], self.winners)
        for m in self.rules.final:
            m.final(self)

    def place_of(self, node: i64) -> Place:
        """Where a segment lies, as actions name it: `1,0 city N`."""
        s = self.s
        block = s[node + BLOCK]
        segment = (node - block - HEAD) // self.stride
        spot = self.rules.tiles[self.type_of(block)].spot(segment, self.rotation_of(block))
        return Place(unpack(s[block + POS]), spot)


def new_engine(rules: Rules) -> Engine:
    """A new game. Interpreted code must make its engines here: vectors that it passes to compiled code leak."""
    engine = Engine(rules, rules.shape.empty[:])
    engine.reset()
    return engine


def restored(rules: Rules, state: list[i64]) -> Engine:
    """An engine as it was pickled, without its trail."""
    return Engine(rules, vec[i64](state))
