"""Positions a few actions after those of a batch, many at once: the leaves of a search, for a network to judge."""

from __future__ import annotations

from bastide.errors import IllegalAction, OptionError
from bastide.game.batch import Batch
from bastide.game.dealer import Dealer, Rng
from bastide.game.engine import Engine
from bastide.game.observation_writer import ObservationWriter
from bastide.game.secrets import redeal
from bastide.kernel.shape import zeros
from bastide.native import i64
from bastide.rules.position import OVER
from bastide.rules.rules import Rules


class Leaves:
    """Room for a number of leaves. All vectors are written in place.

    Per leaf: `seats` who decides there, `counts` how many actions are legal, `over`. Per leaf and player: `scores`.
    """

    def __init__(self, rules: Rules, room: i64, seed: i64) -> None:
        self.rules = rules
        self.room: i64 = room
        self.players: i64 = rules.players
        self.rng = Rng(seed)
        self.dealer = Dealer(self.rng)  # its own: what the games will really draw must not be seen
        self.seats = zeros(room)
        self.counts = zeros(room)
        self.over = zeros(room)
        self.scores = zeros(room * self.players)

    def look(self, batch: Batch, games: list[i64], paths: list[list[i64]], writer: ObservationWriter) -> None:
        """Plays each path from its game's position, writes what is seen there, and undoes it. The games do not change.

        A path is a list of indices into the lists of legal actions. What the player to move cannot know is dealt anew.
        """
        if len(games) != len(paths) or i64(len(games)) > self.room:
            raise OptionError(f"expected as many paths as games, at most {self.room}, got {len(games)}, {len(paths)}")
        for leaf in range(i64(len(games))):
            number = games[leaf]
            if number < 0 or number >= batch.games:
                raise OptionError(f"leaf {leaf}: expected a game from 0 to {batch.games - 1}, got {number}")
            game = batch.engines[number]
            mark = game.trail_len
            redeal(game, batch.seats[number], self.rng)
            refused = self.walk(game, paths[leaf])
            if refused < 0:
                self.write(leaf, game, writer)
            game.undo(mark)
            game.legal()  # listed again, as the batch expects it
            if refused >= 0:
                raise IllegalAction("leaf", f"leaf {leaf}: action {refused} of its path is not legal there")

    def walk(self, game: Engine, path: list[i64]) -> i64:
        """Plays a path; the dealer answers. Returns -1, or which action of the path is not legal."""
        for step in range(i64(len(path))):
            place = path[step]
            if place < 0 or place >= game.legal():
                return step
            game.apply(game.actions[place])
            while game.chance():
                game.apply(self.dealer.deal(game))
        return -1

    def write(self, leaf: i64, game: Engine, writer: ObservationWriter) -> None:
        """A leaf as whoever decides there sees it; of a game that is over only the scores are written."""
        over = game.question() == OVER
        seat: i64 = 0
        count: i64 = 0
        if not over:
            seat = game.player()
            count = game.legal()
        self.over[leaf] = 1 if over else 0
        self.seats[leaf] = seat
        self.counts[leaf] = count
        for player in range(self.players):
            self.scores[leaf * self.players + player] = game.score_of(player)
        writer.invalidate(leaf)
        writer.write(leaf, game, seat, count)
