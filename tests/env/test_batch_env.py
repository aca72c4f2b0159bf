"""The batch as numpy arrays."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed: no arrays to look at")

from bastide.bots.bot import RandomBot  # noqa: E402
from bastide.env import BatchEnv  # noqa: E402
from bastide.errors import IllegalAction, OptionError  # noqa: E402


def test_masks_say_what_legal_lists() -> None:
    env = BatchEnv(games=5, seed=2)
    for _ in range(50):
        masks = env.masks()
        assert masks.shape == (5, env.actions_size)
        for game in range(5):
            assert set(np.flatnonzero(masks[game])) == set(env.legal[game, : env.counts[game]])
        env.step(env.legal[:, 0])


def test_arrays_are_views_of_what_goes_on() -> None:
    env = BatchEnv(games=3, seed=2)
    scores, seen = env.scores, env.observe()
    before = seen.copy()
    for _ in range(100):
        env.random_step()
    assert scores.sum() > 0
    assert env.observe() is seen
    assert (seen[:, 7] > before[:, 7]).all()  # tiles on the board
    assert (seen[:, 1] == env.seats).all()


def test_an_illegal_action_is_refused() -> None:
    env = BatchEnv(games=2)
    with pytest.raises(IllegalAction, match="game 0"):
        env.step(np.array([env.actions_size, env.legal[1, 0]]))


@pytest.mark.parametrize("observation", ["row", "candidates", "planes", "regions"])
@pytest.mark.parametrize("actions", ["codes", "list", "window"])
def test_every_mode_steps_within_its_spaces(observation: str, actions: str) -> None:
    env = BatchEnv(games=3, observation=observation, actions=actions, opponents="random")
    seen, _ = env.reset(seed=5)
    for _ in range(30):
        assert env.observation_space.contains(seen)
        seen, rewards, done, truncated, _ = env.step(env.masks().argmax(axis=1))
        assert rewards.shape == done.shape == truncated.shape == (3,)
        assert (env.seats == env.learners).all()


def played(env: BatchEnv, steps: int) -> list[list[float]]:
    return [env.step(env.legal[:, 0])[1].tolist() for _ in range(steps)]


def test_the_same_seed_gives_the_same_games() -> None:
    env = BatchEnv(games=3, opponents="random", actions="list")
    traces = []
    for seed in (7, 7, 8):
        env.reset(seed=seed)
        traces.append(played(env, 100))
    assert traces[0] == traces[1] != traces[2]
    env.reset(seed=[1, 2, 1])
    seen = env.observe([0, 0, 0])
    assert (seen[0] == seen[2]).all()
    assert not (seen[0] == seen[1]).all()


def test_a_seed_of_numpy_deals_like_one_of_python() -> None:
    """It was taken for a list of seeds: TypeError."""
    env = BatchEnv(games=2, actions="list")
    dealt = []
    for seed in (7, np.int64(7)):
        env.reset(seed=seed)
        dealt.append(env.save(0))
    assert dealt[0] == dealt[1]
    with pytest.raises(OptionError, match="seed: expected 0 to"):
        env.reset(seed=-1)


@pytest.mark.parametrize("opponents", ["random", "greedy"])
def test_rewards_add_up_to_the_final_margins(opponents: str) -> None:
    env = BatchEnv(games=2, opponents=opponents, actions="list", seat=1)
    env.reset(seed=2)
    totals, finished = np.zeros(2), np.zeros(2)
    while not finished.all():
        _, rewards, done, _, info = env.step(env.legal[:, 0])
        totals += np.where(finished, 0, rewards)
        for game in np.flatnonzero(done & (finished == 0)):
            assert totals[game] == info["finals"][game, 1] - info["finals"][game, 0]
            finished[game] = 1


def test_outcomes_as_rewards() -> None:
    env = BatchEnv(games=4, opponents="random", actions="list", rewards="outcome")
    env.reset(seed=2)
    met = set()
    for _ in range(160):
        _, rewards, done, _, info = env.step(env.legal[:, 0])
        assert not rewards[~done].any()
        for game in np.flatnonzero(done):
            own = info["finals"][game, env.learners[game]]
            assert rewards[game] == np.sign(own - np.delete(info["finals"][game], env.learners[game])[0])
            met.add(float(rewards[game]))
    assert met


def test_a_function_plays_the_other_seats_of_all_games() -> None:
    asked = []

    def last(rows: Any, masks: Any) -> Any:
        asked.append(len(rows))
        assert (rows.any(axis=2).sum(axis=1) == masks.sum(axis=1)).all()
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    env = BatchEnv(games=5, opponents=last, observation="candidates", actions="list")
    env.reset(seed=1)
    played(env, 20)
    assert max(asked) > 1


@pytest.mark.parametrize("observation", ["row", "planes"])
def test_a_saved_game_goes_on_the_same_in_another_place(observation: str) -> None:
    env = BatchEnv(games=3, actions="list", observation=observation)
    env.reset(seed=3)
    played(env, 50)
    env.clone(0, to=2)
    for _ in range(60):
        env.step(env.legal[:, 0])
        assert env.scores[0].tolist() == env.scores[2].tolist()
    seen = env.observe()
    part = seen["planes"] if observation == "planes" else seen
    assert (part[0] == part[2]).all()
    assert not (part[0] == part[1]).all()


def test_a_loaded_game_has_the_learner_of_the_saved_one() -> None:
    """The learner of the other place was asked for another seat's action, and paid for it."""
    env = BatchEnv(games=2, actions="list", opponents=lambda _, masks: masks.argmax(axis=1))
    env.reset(seed=3)
    played(env, 20)
    assert env.learners == [0, 1]
    env.clone(0, to=1)
    assert env.seats.tolist() == env.learners == [0, 0]
    for _ in range(30):
        _, rewards, *_ = env.step(env.legal[:, 0])
        assert rewards[0] == rewards[1]
    alone = BatchEnv(games=1, actions="list")
    alone.reset(seed=4)
    while alone.seats[0] != 1:
        played(alone, 1)
    env.load(0, alone.save(0))
    assert env.seats.tolist() == env.learners


@pytest.mark.parametrize("damaged", [b"", b"abc", b"\0" * 4, "one byte", "cut", "other rules"], ids=str)
def test_bytes_that_are_no_saved_game_are_refused(damaged: bytes | str) -> None:
    env = BatchEnv(games=1)
    saved = env.save(0)
    known = {
        "one byte": saved[:800] + bytes([saved[800] ^ 1]) + saved[801:],
        "cut": saved[:-8],
        "other rules": BatchEnv(games=1, small_city="two_points").save(0),
    }
    before = env.observe().copy()
    with pytest.raises(OptionError, match="saved: expected what `save` returned"):
        env.load(0, known[damaged] if isinstance(damaged, str) else damaged)
    assert (env.observe() == before).all()
    env.load(0, saved)


def test_games_seats_and_actions_that_are_none_are_refused() -> None:
    """A seat of -1 was shown the table with its own pieces gone."""
    env = BatchEnv(games=2, actions="list")
    for ask in (lambda: env.save(2), lambda: env.save(-1), lambda: env.clone(0, to=2), lambda: env.load(9, b"")):
        with pytest.raises(OptionError, match="game: expected 0 to 1"):
            ask()
    for seats in ([0, 2], [-1, 0], [0], [[0, 1]], [0.0, 1.0]):
        with pytest.raises(OptionError, match="seats: expected"):
            env.observe(seats)
    for actions in ([0], [0.0, 0.0], [[0, 0]], ["0", "0"]):
        with pytest.raises(OptionError, match="actions: expected 2 whole numbers"):
            env.step(actions)


def test_a_copy_of_a_batch_goes_on_as_the_original_does() -> None:
    env = BatchEnv(games=3, actions="list", observation="candidates", opponents="random")
    env.reset(seed=3)
    played(env, 30)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert (twin.observe() == env.observe()).all()
    twin = copy.deepcopy(env)
    assert played(env, 50) == played(twin, 50)


def test_bits_and_odds() -> None:
    env = BatchEnv(games=2, actions="list")
    env.reset(seed=1)
    assert env.bits().shape == (2, 16)
    assert (np.unpackbits(env.bits(), axis=1, bitorder="little") == env.masks()).all()
    odds = env.odds()
    assert odds.sum(axis=1) == pytest.approx([1, 1])
    assert round(1 / odds[odds > 0].min()) == 70  # 72 tiles, one lies, one is in hand


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"opponents": "nobody"}, "opponents: expected random, greedy, planner or a function, got 'nobody'"),
        ({"opponents": ["greedy"]}, "opponents: expected random, greedy, planner or a function"),
        ({"opponents": RandomBot}, "opponents: expected random, greedy, planner or a function"),
        ({"seat": 2}, "seat: expected 0 to 1"),
        ({"games": 0}, "games: expected 1 to"),
        ({"seed": None}, "seed: expected 0 to"),
        ({"actions": "words"}, "actions: expected one of codes, list, window"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        BatchEnv(**arguments)


def position(env: BatchEnv, game: int) -> tuple[bytes, bytes]:
    """The generator and everything that counts of a position."""
    return env.save(game)[8:16], env.batch.engines[game].key()


def test_leaves_are_what_comes_after_their_paths_and_change_nothing() -> None:
    env = BatchEnv(games=2, actions="list", observation="candidates")
    env.reset(seed=4)
    played(env, 41)
    assert (env.counts > 1).all()
    before = [position(env, game) for game in range(2)]
    found = env.leaves([0, 1, 1], [[], [0], [1, 0]])
    assert [position(env, game) for game in range(2)] == before
    assert (found["observation"][0] == env.observe()[0]).all()
    assert (found["observation"].any(axis=2).sum(axis=1) == found["counts"]).all()
    env.step(np.array([0, 0]))  # the games still know what is legal
    assert found["scores"][1].tolist() == env.scores[1].tolist()
    assert found["counts"].shape == found["seats"].shape == found["over"].shape == (3,)


def test_a_leaf_after_the_last_action_is_over_and_has_the_final_scores() -> None:
    env = BatchEnv(games=1, actions="list", observation="row")
    env.reset(seed=4)
    while not (last := env.leaves([0], [[0]]))["over"][0]:
        env.step(np.array([0]))
    expected = last["scores"][0].tolist()
    env.step(np.array([0]))
    assert env.done[0]
    assert env.finals[0].tolist() == expected


def test_leaves_do_not_tell_what_will_be_drawn() -> None:
    """The tile after a whole turn is drawn by another generator each time."""
    env = BatchEnv(games=1, actions="list", observation="row")
    env.reset(seed=4)
    tiles = set()
    for _ in range(60):
        tiles.add(int(env.leaves([0], [[0, 0]])["observation"][0, 4]))
    assert len(tiles) > 5


def test_a_path_that_cannot_be_walked_is_refused() -> None:
    env = BatchEnv(games=1, actions="list")
    before = position(env, 0)
    with pytest.raises(IllegalAction, match="leaf 1: action 1 of its path is not legal there"):
        env.leaves([0, 0], [[0], [0, 500]])
    with pytest.raises(OptionError, match="leaf 0: expected a game from 0 to 0, got 3"):
        env.leaves([3], [[]])
    assert position(env, 0) == before
    env.step(np.array([0]))
