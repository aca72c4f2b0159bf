"""The OpenSpiel game: OpenSpiel's own simulation and API tests, a playthrough, and the probabilities of draws."""

from __future__ import annotations

import copy
import pickle
import unittest
from pathlib import Path
from random import Random
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed")
pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed: no such game to test")

from bastide.env import load_game  # noqa: E402
from bastide.env.names import ids  # noqa: E402
from bastide.env.spiel import BastideState  # noqa: E402


@pytest.mark.parametrize("id", list(ids()))
def test_openspiel_plays_random_games(id: str) -> None:
    pyspiel.random_sim_test(load_game(id), num_sims=1, serialize=False, verbose=False)


def test_states_survive_being_written_and_read() -> None:
    pyspiel.random_sim_test(load_game(players=3), num_sims=1, serialize=True, verbose=False)


def walk(state: Any, steps: int, seed: int = 3) -> Any:
    rng = Random(seed)
    for _ in range(steps):
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


def test_chance_is_what_the_bag_holds() -> None:
    state = load_game().new_initial_state()
    assert state.is_chance_node()
    outcomes = dict(state.chance_outcomes())
    assert sum(outcomes.values()) == pytest.approx(1)
    assert sorted(round(71 * chance) for chance in outcomes.values())[-3:] == [5, 8, 9]
    assert sum(round(71 * chance) for chance in outcomes.values()) == 71


def test_actions_have_the_words_of_the_notation() -> None:
    state = walk(load_game().new_initial_state(), 1)
    assert state.action_to_string(state.legal_actions()[0]).startswith("place ")


def test_a_copy_goes_its_own_way() -> None:
    state = walk(load_game().new_initial_state(), 40)
    twins = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    before = str(state)
    for twin in twins:
        assert str(twin) == before
        walk(twin, 5)
    assert str(state) == before


def test_returns_add_up_to_zero_and_rewards_to_returns() -> None:
    state = load_game(players=3, rewards="steps").new_initial_state()
    totals = [0.0, 0.0, 0.0]
    while not state.is_terminal():
        walk(state, 1, seed=len(state.history()))
        if state.is_chance_node():
            continue  # rewards are counted where a player decides, and at the end
        totals = [total + reward for total, reward in zip(totals, state.rewards(), strict=True)]
    assert totals == pytest.approx(state.returns())
    assert sum(totals) == pytest.approx(0)


def test_returns_wait_for_the_end_and_stay_within_their_bounds() -> None:
    for returns, most in (("margin", 30 * 72), ("outcome", 1)):
        game = load_game(returns=returns)
        assert (game.min_utility(), game.max_utility()) == (-most, most)
        assert game.get_type().reward_model == pyspiel.GameType.RewardModel.TERMINAL
        state = walk(game.new_initial_state(), 60)
        assert state.returns() == [0.0, 0.0]
        while not state.is_terminal():
            walk(state, 1, seed=len(state.history()))
        assert state.returns() == state.rewards() != [0.0, 0.0]
        assert all(abs(one) <= most for one in state.returns())


def test_bounds_are_wider_with_boxes() -> None:
    """The count of points for a square is one of the base game: a road with an inn is worth more."""
    game = load_game(modules="inns_and_cathedrals")
    assert game.max_utility() == 100 * walk(game.new_initial_state(), 0).engine.shape.squares


def test_information_is_perfect_where_nothing_is_hidden() -> None:
    information = pyspiel.GameType.Information
    assert load_game().get_type().information == information.PERFECT_INFORMATION
    assert load_game(options="hand=3").get_type().information == information.IMPERFECT_INFORMATION


def test_what_is_sampled_looks_the_same_to_its_player_and_hides_something_else() -> None:
    state = walk(load_game(options="hand=3").new_initial_state(), 41)
    while state.is_chance_node():
        walk(state, 1)
    player = state.current_player()
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    twins = [state.resample_from_infostate(player, sampler) for _ in range(5)]
    for twin in twins:
        assert twin.information_state_string(player) == state.information_state_string(player)
        assert twin.observation_string(player) == state.observation_string(player)
    assert len({twin.observation_string(1 - player) for twin in twins}) > 1
    assert "?" in state.information_state_string(player)


def test_openspiels_mcts_plays() -> None:
    """It refuses games with rewards before the end."""
    from open_spiel.python.algorithms import mcts

    game = load_game()
    state = walk(game.new_initial_state(), 150)
    while state.is_chance_node():
        walk(state, 1)
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2.0, 5, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    assert bot.step(state) in state.legal_actions()


def test_openspiels_ismcts_plays() -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    game = load_game(options="hand=3")
    state = walk(game.new_initial_state(), 150)
    while state.is_chance_node():
        walk(state, 1)
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 5, random_state=rng, allow_inconsistent_action_sets=True
    )
    assert bot.step(state) in state.legal_actions()


def test_openspiel_writes_a_playthrough_and_plays_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    flags.FLAGS.mark_as_parsed()
    # It prints each number of each row, which takes a minute: here their sum is enough.
    monkeypatch.setattr(generate_playthrough, "_format_tensor", lambda row, name, *_: [f"{name}: {sum(row):g}"])
    text = generate_playthrough.playthrough(str(load_game()), None, seed=4)
    assert "IsTerminal() = True" in text
    assert 'StringLegalActions() = ["place' in text
    (tmp_path / "playthrough.txt").write_text(text)
    written, again = generate_playthrough.replay(str(tmp_path / "playthrough.txt"))
    assert written == again


def test_openspiels_api_tests_find_nothing_wrong() -> None:
    """Those that it runs for every game of its own, on states of ours."""
    from open_spiel.integration_tests.api_test import EnforceAPIOnPartialTreeBase

    class Ours(EnforceAPIOnPartialTreeBase):  # type: ignore[misc] # OpenSpiel has no types
        game = load_game()
        game_name = "bastide_v2"

    tests = unittest.defaultTestLoader.loadTestsFromTestCase(Ours)
    assert tests.countTestCases() >= 5
    result = unittest.TestResult()
    tests.run(result)
    assert [why for _, why in (*result.errors, *result.failures)] == []


def test_openspiels_simulation_catches_a_broken_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws whose chances do not add up to one."""
    right = BastideState.chance_outcomes
    monkeypatch.setattr(BastideState, "chance_outcomes", lambda state: [(o, p / 2) for o, p in right(state)])
    with pytest.raises(pyspiel.SpielError):
        pyspiel.random_sim_test(load_game(), num_sims=1, serialize=False, verbose=False)
