"""The engine: what actions do, and who decides what next. Unchecked: `apply` trusts `legal`."""

from __future__ import annotations

from librt.vecs import vec

from bastide.game.choices import DISCARD as DISCARD
from bastide.game.choices import PASS as PASS
from bastide.game.choices import Choices
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
    POS,
    REMAINING,
    SEGMENTS,
    STRENGTH,
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
)
from bastide.rules.rules import Rules


class Engine(Choices):
    """One game in progress, built for speed: actions are numbers, nothing is checked, no history is kept.

    Not for users: `State` is. Whoever calls `game.engine.apply` leaves that Game with a history that no longer fits.
    """

    def __init__(self, rules: Rules, state: vec[i64]) -> None:
        super().__init__(rules, state)
        self.winners: i64 = 0  # bits: who won the region being scored

    def clone(self) -> Engine:
        """An independent copy of the position; the trail stays behind."""
        return Engine(self.rules, self.s[:])

    def copy_with_trail(self) -> Engine:
        """An independent copy that can be undone as far as this one."""
        copy = self.clone()
        copy.trail = self.trail[:]
        copy.trail_len = self.trail_len
        return copy

    def copy_from(self, other: Engine) -> None:
        """The same position as another engine by the same rules; the trail is forgotten."""
        self.s = other.s[:]
        self.trail_len = 0

    def key(self) -> bytes:
        """The key of the position. Positions with the same rules have equal keys exactly if their futures are equal."""
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
        for m in rules.game_started:
            m.game_started(self)
        self.trail_len = 0

    def join_start(self) -> None:
        """Joins the segments that run across the squares of a big tile."""
        rules = self.rules
        joins = rules.joins
        i: i64 = 0
        while i < i64(len(joins)):
            a = self.s[CELL + rules.start[4 * joins[i] + 1]]
            b = self.s[CELL + rules.start[4 * joins[i + 2] + 1]]
            self.join(self.node(a, joins[i + 1]), self.node(b, joins[i + 3]), 0)
            i += 4

    # --- carrying out actions
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
        """Takes a tile out of its pile."""
        s = self.s
        self.take_from_bag(tile_type, s[top + F_SUBJECT])
        self.put(top + F_QUESTION, PLACE)
        self.put(top + F_SUBJECT, tile_type)
        listener = self.listener
        if listener is not None:
            listener.drawn(s[top + F_PLAYER], tile_type)
        if len(self.rules.drawn) > 0 or self.tables.turn_due:
            self.tell_drawn(top, 0)

    def tell_drawn(self, top: i64, first: i64) -> None:
        """Calls the hook `drawn` of the modules from number `first` on. Stops when one asks a question."""
        s = self.s
        if self.tables.turn_due and s[self.tables.turn_due]:
            self.put(self.tables.turn_due, 0)
            self.tell_turn_started()
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
        """Asks for the next tile of this frame, from the piles of the turns or from a side pile."""
        if pile < self.tables.main_piles:
            pile = self.next_pile()
        if self.s[REMAINING + pile] or self.rules.scripted:
            self.put(top + F_QUESTION, DRAW)
            self.put(top + F_SUBJECT, pile)
        else:
            self.no_tile(top)

    def no_tile(self, top: i64) -> None:
        """Handles an empty pile: the game ends, or the extra turn is forfeited."""
        if top == AGENDA:
            self.finish()
        else:
            self.put(top + F_QUESTION, DONE)
            self.settle()

    def place(self, top: i64, cell: i64, rotation: i64) -> None:
        """Lays the tile, then tells the listener and the modules."""
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
        """Calls the hook `placed` of the modules from number `first` on. Stops when one asks a question."""
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
        """Puts a piece on a segment, then tells the listener and the modules."""
        self.stand(player, piece, node)
        for m in self.rules.deployed:
            m.deployed(self, piece, node)

    def take_back(self, player: i64, piece: i64, node: i64) -> None:
        """Takes a piece from a segment without scoring, then tells the listener and the modules."""
        self.lift(player, piece, node)
        for m in self.rules.lifted:
            m.lifted(self, player, piece, node)

    def after_deploy(self, top: i64) -> None:
        """Continues with scoring, unless a module asks a question first."""
        if self.s[TOP] != top:
            self.put(top + F_QUESTION, PLAYED)
            self.put(top + F_MORE, 0)
        elif len(self.rules.piece_placed) > 0:
            self.tell_piece_placed(top, 0)
        else:
            self.score_closed(top, 0)

    def tell_piece_placed(self, top: i64, first: i64) -> None:
        """Calls the hook `piece_placed` of the modules from number `first` on. Stops when one asks a question."""
        s = self.s
        modules = self.rules.piece_placed
        for i in range(first, i64(len(modules))):
            modules[i].piece_placed(self, s[top + F_PLAYER])
            if s[TOP] != top:
                self.put(top + F_QUESTION, PLAYED)
                self.put(top + F_MORE, i + 1)
                return
        self.score_closed(top, 0)

    # --- without a question
    def settle(self) -> None:
        """Carries out automatic frames until somebody must decide.

        Nobody answers six of the questions: DRAWN, LAID, PLAYED and ENDING call the hooks of modules one after another,
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
        """Scores the closed regions from number `first` on. Stops when a hook asks a question."""
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
        """Scores a region for whoever is strongest there. If it is finished, its pieces go home."""
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
        """Everything about one tile is done. The turn may continue."""
        s = self.s
        player = s[top + F_PLAYER]
        modules = self.rules.tile_done
        for i in range(first, i64(len(modules))):
            modules[i].tile_done(self, player)
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
            if self.tables.turn_due:  # scripted: the game may be ended here, and then this turn has not begun
                self.put(self.tables.turn_due, 1)
            else:
                self.tell_turn_started()

    def tell_turn_started(self) -> None:
        """Tells the modules that a turn has begun. If the next player has no tile, it is the turn of another one."""
        for m in self.rules.turn_started:
            m.turn_started(self, self.active_player())

    def open_turn(self, top: i64) -> None:
        """Begins a turn: a tile is drawn, unless a module begins the turn differently."""
        for m in self.rules.begin_turn:
            answer = m.begin_turn(self, top)
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
    """Restores a pickled engine, without its trail."""
    return Engine(rules, vec[i64](state))
