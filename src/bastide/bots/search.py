"""The search: whole turns race against each other, each tried again and again with the draws that may come.

The evaluation names the turns worth trying. One trial plays a turn, then some turns of everybody by the best that the
evaluation knows, and judges where that led. In the n-th trial all turns meet the same draws, so that they are compared
by what they do and not by their luck. What the evaluation thought of a turn at first counts as some trials more. Turns
that are surely worse than the best leave the race.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from librt.vecs import vec

from bastide.bots.evaluation import Evaluation
from bastide.bots.planner import DEPTH, WORST, Planner, same_turn
from bastide.game.dealer import MASK32, Dealer, Rng
from bastide.game.engine import Engine
from bastide.native import i64
from bastide.rules.position import DRAW, OVER

MOST_TURNS: Final = 10  # turns in a race at most ...
MOST_BEHIND: Final = 5.0  # ... and the points by which the evaluation may think less of them than of the best
PRIOR_TRIALS: Final = 5.0  # trials that the evaluation's first opinion is worth
TURNS_AHEAD: Final = 3  # turns of others and oneself that a trial goes on for, more if there are more players
MIN_ROUNDS: Final = 4  # rounds before a turn can leave the race
CLEAR_ERRORS: Final = 1.0  # standard errors by which it must be worse than the best
GOLDEN: Final = 0.6180339887498949


class Turn:
    """One way to play the turn, and how it fared."""

    def __init__(self, actions: list[int], lead: float) -> None:
        self.actions = actions
        self.lead = lead  # what the evaluation expects
        self.results: list[float] = []  # of each trial
        self.total = PRIOR_TRIALS * lead  # of all trials, and of the opinion
        self.asked = False  # does somebody want to know what it is worth? Then it stays in the race


class Search:
    """Searches positions of one set of rules."""

    def __init__(self, evaluation: Evaluation, seed: i64) -> None:
        self.evaluation = evaluation
        self.planner = Planner(evaluation)
        self.rng = Rng(seed)
        self.dealer = Dealer(self.rng)
        self.seed: i64 = seed
        self.worlds: list[Engine] = []  # the position as it may be: more than one only where things are hidden
        self.all: list[Turn] = []  # ways to play the turn, best first in the eyes of the evaluation
        self.race: list[Turn] = []  # those that are tried
        self.next: i64 = 0  # whose trial comes next
        self.rounds: i64 = 0
        self.phase: float = 0.0
        self.solved = False  # everything to the end was looked at
        self.limit: i64 = 0  # positions judged when that is given up

    def begin(self, worlds: list[Engine]) -> None:
        """A new question: the position as it may be."""
        self.worlds = worlds
        self.all = []
        self.race = []
        self.next = 0
        self.rounds = 0
        self.solved = False
        game = worlds[0]
        self.list_turns(game, game.player(), [])
        self.all.sort(key=lead_of, reverse=True)
        best = self.all[0].lead
        for turn in self.all:
            if i64(len(self.race)) < MOST_TURNS and turn.lead >= best - MOST_BEHIND:
                self.race.append(turn)

    def ask(self, actions: list[int]) -> None:
        """What is this turn worth? It is tried, and the best that goes on after each of its actions."""
        for length in range(len(actions)):
            for turn in self.all:
                if turn.actions[: length + 1] == actions[: length + 1]:
                    turn.asked = True
                    if turn not in self.race:
                        self.race.append(turn)
                    break

    def list_turns(self, game: Engine, seat: i64, before: list[int]) -> None:
        """All ways to go on with a turn."""
        leads = self.planner.values(game, seat)
        actions = game.actions[: game.legal()]
        turn = game.active_player()
        for i in range(i64(len(actions))):
            line = [*before, int(actions[i])]
            mark = game.trail_len
            game.apply(actions[i])
            if len(line) < DEPTH and same_turn(game, turn, seat):
                self.list_turns(game, seat, line)
            else:
                self.all.append(Turn(line, leads[i]))
            game.undo(mark)

    def choice(self) -> list[int]:
        """The actions of the best turn."""
        return self.race[0].actions

    def decided(self) -> bool:
        """Is there nothing to choose?"""
        return len(self.race) < 2 or self.solved

    def spent(self) -> i64:
        """Positions judged so far."""
        return self.planner.leaves

    # --- trials
    def run(self, trials: i64) -> None:
        """So many trials more."""
        for _trial in range(trials):
            if self.next == i64(len(self.race)):
                self.eliminate()
                if self.decided():
                    return
            turn = self.race[self.next]
            result = self.trial(turn)
            turn.results.append(result)
            turn.total += result
            self.next += 1

    def eliminate(self) -> None:
        """After each round: the best comes first, what is surely worse leaves."""
        self.next = 0
        self.rounds += 1
        self.rank()
        if self.rounds < MIN_ROUNDS:
            return
        best = self.race[0]
        kept = [best]
        for turn in self.race[1:]:
            if turn.asked or not self.clearly_worse(turn, best):
                kept.append(turn)
        self.race = kept

    def rank(self) -> None:
        """The best comes first."""
        self.race.sort(key=total_of, reverse=True)

    def mean(self, turn: Turn) -> float:
        """What a turn is worth, as far as it is known."""
        return turn.total if self.solved else turn.total / (float(len(turn.results)) + PRIOR_TRIALS)

    def clearly_worse(self, turn: Turn, best: Turn) -> bool:
        """Is a turn surely worse than the best?"""
        return self.gap(turn, best) >= CLEAR_ERRORS * self.error(turn, best)

    def gap(self, turn: Turn, best: Turn) -> float:
        """By how many points a turn is worse than another, as far as both are known."""
        return self.mean(best) - self.mean(turn)

    def error(self, turn: Turn, best: Turn) -> float:
        """The standard error of that, by the trials that both have had."""
        n = i64(len(turn.results))
        if self.solved or n < 2:
            return 0.0
        mean = (best.total - turn.total - PRIOR_TRIALS * (best.lead - turn.lead)) / float(n)
        squares: float = 0.0
        for i in range(n):
            off = best.results[i] - turn.results[i] - mean
            squares += off * off
        return sqrt(squares / float(n - 1) / float(n))

    def trial(self, turn: Turn) -> float:
        """Plays a turn and some more, all by the evaluation; returns what the end of it is worth."""
        game = self.worlds[self.rounds % i64(len(self.worlds))]
        planner = self.planner
        seat = game.player()
        mark = game.trail_len
        for action in turn.actions:
            game.apply(action)
        self.seed_trial(self.rounds)
        ahead = TURNS_AHEAD if game.players < TURNS_AHEAD else game.players
        turns: i64 = 0
        last = seat  # whose turn it was; extra turns are not counted
        while True:
            if game.question() == OVER or (game.question() == DRAW and turns == ahead):
                planner.leaves += 1
                self.evaluation.judge(game)
                result = self.evaluation.aim(self.evaluation.worth, seat)
                break
            if game.chance():
                if game.question() == DRAW and game.active_player() != last:
                    turns += 1
                    last = game.active_player()
                game.apply(self.draw(game))
                continue
            planner.reply(game, game.player())
            if turns == ahead:
                result = self.evaluation.aim(planner.worth, seat)
                break
            for i in range(planner.length):
                game.apply(planner.line[i])
        game.undo(mark)
        return result

    # --- the last turns
    def solve(self, most: i64) -> None:
        """Looks at everything to the end of the game, if that is known and not more than `most` positions away."""
        game = self.worlds[0]
        if len(self.worlds) > 1 or game.rules.scripted or self.cost(game, most) > float(most):
            return
        self.limit = self.planner.leaves + most
        seat = game.player()
        for turn in self.race:
            mark = game.trail_len
            for action in turn.actions:
                game.apply(action)
            turn.total = self.evaluation.ahead(self.outcome(game), seat)
            game.undo(mark)
        if self.planner.leaves < self.limit:
            self.rank()
            self.solved = True
            return
        for turn in self.race:
            turn.total = PRIOR_TRIALS * turn.lead

    def cost(self, game: Engine, most: i64) -> float:
        """About how many positions there are to the end, or some number above `most`."""
        kinds: i64 = 0
        for tile_type in range(game.rules.types):
            if game.s[game.bag + tile_type]:
                kinds += 1
        self.evaluation.look_ahead(game)
        left = self.evaluation.draws
        cost = float(len(self.race))
        while left > 0.0 and cost <= float(most):
            cost *= float(kinds * i64(len(self.all)))
            left -= 1.0
        return cost

    def outcome(self, game: Engine) -> vec[float]:
        """Everybody's points if all go on as well as possible; past the limit, what the evaluation thinks."""
        mark = game.trail_len
        found = vec[float]([0.0] * game.players)
        if game.question() == OVER or self.planner.leaves >= self.limit:
            self.planner.leaves += 1
            self.evaluation.judge(game)
            return self.evaluation.worth[:]
        actions = game.actions[: game.legal()]
        if game.chance():
            weights = game.weights[: i64(len(actions))]
            total: float = 0.0
            for weight in weights:
                total += float(weight)
            for i in range(i64(len(actions))):
                game.apply(actions[i])
                one = self.outcome(game)
                game.undo(mark)
                for player in range(game.players):
                    found[player] += float(weights[i]) / total * one[player]
            return found
        seat = game.player()
        best: float = WORST
        for action in actions:
            game.apply(action)
            one = self.outcome(game)
            game.undo(mark)
            lead = self.evaluation.ahead(one, seat)
            if lead > best:
                best = lead
                found = one
        return found

    def seed_trial(self, n: i64) -> None:
        """Chance for the n-th trial of a turn: the same for all of them."""
        self.phase = GOLDEN * float(n + 1) + float(self.seed & 1023) / 1024.0
        self.phase -= float(int(self.phase))
        mixed = ((n + 1) * 0x9E3779B1 ^ (self.seed + 1) * 0x85EBCA6B) & MASK32
        self.rng.x = mixed if mixed else 1
        for _warm in range(i64(4)):
            self.rng.below(2)

    def draw(self, game: Engine) -> i64:
        """Chance's answer."""
        if game.question() != DRAW:
            return self.dealer.deal(game)
        if game.rules.scripted:  # nobody knows what will be drawn
            return game.actions[self.rng.below(game.legal())]
        return self.stratified_draw(game) if self.phase >= 0.0 else self.dealer.draw(game)

    def stratified_draw(self, game: Engine) -> i64:
        """The first draw of a trial: over many trials, each tile as often as the bag has it."""
        pile = game.subject()
        number = i64(int(self.phase * float(game.in_pile(pile))))
        self.phase = -1.0
        return game.tile_in_pile(pile, number)


def lead_of(turn: Turn) -> float:
    """What the evaluation expects of a turn."""
    return turn.lead


def total_of(turn: Turn) -> float:
    """What a turn brought in all trials together, and what was thought of it."""
    return turn.total
