"""The search: finds what is there to be found, keeps its budget, can be stopped, sees nothing hidden."""

from __future__ import annotations

from functools import partial
from threading import Timer

import pytest

from bastide import Game, Rules, View, bot
from bastide.bots.budget import Budget
from bastide.bots.contract import hidden_positions, hidden_twins, hiding_rules
from bastide.bots.evaluation import Evaluation
from bastide.bots.search import MIN_ROUNDS, Search, Turn
from bastide.bots.thinkers import SearchBot, Thinker, UctBot
from bastide.errors import BotError
from bastide.game import Action, Dealer, Engine, Rng
from bastide.game.benchmark import midgame
from bastide.kernel.offsets import REMAINING
from bastide.native import compiled, i64
from bastide.rules import Listener
from bastide.rules.position import OVER
from tests.bots.boards import gold_in_a_forest

THINKERS = ["planner", "uct:8", "search:60", "greedy", "bot:3"]


def last_turn(rules: Rules, seed: int, draws: int) -> Engine:
    """A random game shortly before its end: somebody is to place a tile and so many come after it."""
    game = midgame(rules, seed, 10)
    rng = Rng(seed)
    dealer = Dealer(rng)
    while game.tiles_left(0) > draws or game.chance() or game.question() != 2:
        game.apply(dealer.deal(game) if game.chance() else game.actions[rng.below(game.legal())])
    return game


@pytest.mark.parametrize("name", ["planner", "greedy"])
def test_at_the_end_the_own_city_is_completed(name: str) -> None:
    game = Game(Rules.of(), scripted=True)
    red = ("draw E", "place E 0,1 180", "deploy follower 0,1 city S")
    blue = ("draw E", "place E 0,-1 180", "pass")
    for action in (*red, *blue, "draw E"):
        game.play(action)
    game.engine.put(REMAINING, 0)
    assert str(bot(name, 1).choose(game.view(0))) == "place E 0,2 0"


def test_a_scripted_game_can_be_searched_but_not_played_out() -> None:
    game = Game(Rules.of(), scripted=True)
    game.play("draw E")
    assert bot("search:60").choose(game.view(0)) in game.legal
    game.engine.put(REMAINING, 0)  # even now any tile may come: there is no end to look at
    assert bot("search:60").choose(game.view(0)) in game.legal
    with pytest.raises(BotError, match="scripted"):
        bot("uct:5").choose(game.view(0))


def begun(game: Engine) -> Search:
    """A search that has looked for turns to try."""
    search = Search(Evaluation(game.rules), 1)
    search.begin([game])
    return search


def test_the_last_turn_is_solved() -> None:
    """What the solver chooses is as good as anything else, tried out to the end."""
    game = last_turn(Rules.of(), 4, 0)
    search = begun(game)
    search.solve(1_000_000)
    assert search.decided()
    seat = game.player()
    leads = {int(action): best_end(game, int(action), seat) for action in list(game.actions[: game.legal()])}
    assert leads[search.choice()[0]] == max(leads.values())


def best_end(game: Engine, action: int, seat: i64) -> int:
    """The best lead that a player reaches after an action that is the last but for the piece."""
    mark = game.trail_len
    game.apply(action)
    if game.question() == OVER:
        best = int(game.score_of(seat) - game.score_of(1 - seat))
    else:
        best = max(best_end(game, int(a), seat) for a in list(game.actions[: game.legal()]))
    game.undo(mark)
    return best


@pytest.mark.skipif(not compiled(), reason="interpreted, this takes a minute")
def test_with_a_tile_to_come_the_others_best_answer_counts() -> None:
    """The expected lead of each turn is the mean over the draws of what the best answer leaves."""
    game = last_turn(Rules.of(), 4, 1)
    seat = game.player()
    search = begun(game)
    search.solve(1_000_000)
    for turn in search.race:
        mark = game.trail_len
        for action in turn.actions:
            game.apply(action)
        kinds = list(game.actions[: game.legal()])
        counts = [int(count) for count in list(game.weights[: len(kinds)])]
        leads = []
        for kind in kinds:
            drawn = game.trail_len
            game.apply(kind)
            answers = list(game.actions[: game.legal()])
            leads.append(-max(best_end(game, int(answer), 1 - seat) for answer in answers))
            game.undo(drawn)
        mean = sum(lead * count for lead, count in zip(leads, counts, strict=True)) / sum(counts)
        assert turn.total == pytest.approx(mean)
        game.undo(mark)


def test_an_end_too_far_away_is_left_to_the_race() -> None:
    game = last_turn(Rules.of(), 4, 1)
    search = begun(game)
    search.solve(5)
    assert not search.decided()
    search.run(3)
    assert search.choice()[0] in list(game.actions[: game.legal()])


def test_all_turns_of_a_round_meet_the_same_draws() -> None:
    """Trials of the same turn under two names cannot differ: so one of them leaves the race."""
    search = begun(last_turn(Rules.of(), 9, 40))
    best = search.race[0]
    search.race = [best, Turn(best.actions, best.lead)]
    search.run(2 * MIN_ROUNDS)
    assert best.results == search.race[1].results
    search.run(1)
    assert search.decided()


def test_what_is_surely_worse_leaves_the_race() -> None:
    search = begun(last_turn(Rules.of(), 9, 40))
    good, bad = Turn([0], 0.0), Turn([1], 0.0)
    search.race = [good, bad]
    search.rounds = 4
    good.results, bad.results = [5.0, 9.0, 4.0, 8.0], [1.0, 6.0, 1.0, 4.0]
    good.total, bad.total = 26.0, 12.0
    assert search.clearly_worse(bad, good)
    bad.results[0], bad.total = 13.0, 24.0
    assert not search.clearly_worse(bad, good), "once it was much better: who knows"


def test_the_first_opinion_of_the_evaluation_counts_as_some_trials() -> None:
    search = begun(last_turn(Rules.of(), 9, 40))
    liked, other = Turn([0], 3.0), Turn([1], 2.0)
    search.race = [other, liked]
    for turn, result in ((liked, 5.0), (other, 6.0)):
        turn.results.append(result)
        turn.total += result
    search.eliminate()
    assert search.choice() == liked.actions, "5 * 3 + 5 against 5 * 2 + 6"


class Draws(Listener):
    """Who draws."""

    def __init__(self) -> None:
        self.seats: list[int] = []

    def drawn(self, player: i64, kind: i64) -> None:
        self.seats.append(int(player))


def draws_of_trial(game: Engine, turn: Turn) -> list[int]:
    """Who draws in the first trial of a turn."""
    search = begun(game)
    game.listener = draws = Draws()
    search.trial(turn)
    return draws.seats


def test_with_four_players_a_trial_goes_on_to_the_own_next_turn() -> None:
    game = last_turn(Rules.of(players=4), 9, 40)
    seat = int(game.player())
    assert draws_of_trial(game, begun(game).race[0]) == [(seat + i) % 4 for i in (1, 2, 3, 4)]


def test_a_turn_that_is_asked_for_stays_in_the_race() -> None:
    """Even the worst of all, and the best that begins with the same tile: both are compared with the best."""
    search = begun(last_turn(Rules.of(), 9, 40))
    worst = search.all[-1]
    assert worst not in search.race
    search.ask(list(worst.actions))
    alike = next(turn for turn in search.all if turn.actions[0] == worst.actions[0])
    for _ in range(2 * MIN_ROUNDS):
        search.run(len(search.race))
    assert worst in search.race
    assert alike in search.race
    assert search.gap(worst, search.race[0]) > 0


def test_an_extra_turn_takes_no_turn_from_a_trial() -> None:
    """Blue closes a forest with gold and draws a bonus tile: still red, blue and red draw after that."""
    game = gold_in_a_forest("draw hg014", "place hg014 0,1 0", "pass", "draw hg002", "place hg002 -2,0 0", "pass")
    game.play("draw hg045")
    place = Action.parse("place hg045 0,0 0")
    closing = next(turn for turn in begun(game.engine).race if turn.actions[0] == game.legal.number(place))
    assert draws_of_trial(game.engine, closing) == [1, 0, 1, 0]


def test_searching_changes_nothing() -> None:
    rules = Rules.of(preset="bigbox2014")
    game = last_turn(rules, 9, 30)
    before = game.key()
    begun(game).run(60 if compiled() else 5)
    assert game.key() == before


def test_a_turn_is_thought_out_once() -> None:
    """The piece follows the tile without another thought, but not in another game."""
    game = Game(Rules.of(), seed=77_777)
    player = SearchBot(1, Budget(count=200))
    game.play(player.choose(game.view(0)))
    judged = player.search.spent()
    player.choose(game.view(0))
    assert player.search.spent() == judged
    player.choose(Game(Rules.of(), seed=4).view(0))
    assert player.search.spent() > judged


def test_who_has_less_time_looks_at_less() -> None:
    game = Game(Rules.of(), seed=77_777)
    for _ in range(60):
        game.play(game.legal[0])
    hasty, patient = SearchBot(1, Budget(ms=1)), SearchBot(1, Budget(ms=60_000))
    assert hasty.choose(game.view(game.seat)) in game.legal
    assert patient.choose(game.view(game.seat)) in game.legal
    assert hasty.search.spent() < patient.search.spent()


def test_it_can_be_stopped() -> None:
    game = Game(Rules.of(), seed=77_777)
    player = SearchBot(1, Budget(ms=600_000))
    Timer(0.1, player.stop).start()
    assert player.choose(game.view(0)) in game.legal


def test_a_stop_while_it_prepares_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(Rules.of(), seed=77_777)
    uct, search = UctBot(1, Budget(count=200)), SearchBot(1, Budget(count=3_000))
    for player in (uct, search):
        monkeypatch.setattr(player, "worlds", partial(stop_and_prepare, player))
        assert player.choose(game.view(0)) in game.legal
    assert uct.uct.spent() < 200
    assert search.search.spent() < 3_000


def stop_and_prepare(player: Thinker, view: View) -> list[Engine]:
    """What somebody's `stop` is like that comes before the first trial."""
    player.stop()
    return Thinker.worlds(player, view)


@pytest.mark.parametrize("name", THINKERS)
def test_what_is_hidden_changes_no_choice(name: str) -> None:
    """Games that differ only in what the other players hold, and in what will be drawn."""
    positions = [position for rules in hiding_rules() for position in hidden_positions(rules)]
    assert positions
    for game, seat in positions:
        twins = hidden_twins(game, seat)
        others = [other for other in range(3) if other != seat]
        assert any(twin.secrets(o) != game.secrets(o) for twin in twins for o in others), "something is different"
        assert {bot(name, 1).choose(View(twin, seat)) for twin in [game, *twins]} == {
            bot(name, 1).choose(View(game, seat))
        }
