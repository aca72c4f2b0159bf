"""What is dropped is freed, though positions are vectors of the compiled world. CONTRIBUTING.md tells the rule."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bastide.errors import REASONS
from bastide.game import Game, Rng
from bastide.game.batch import Batch
from bastide.native import compiled
from bastide.rules import Rules
from bastide.rules.build import compiled as compile_rules
from bastide.server.tables.aids import aids_of
from bastide.server.tables.show import state_of
from tests.server.sample import a_table, played

MEMORY = Path("/proc/self/statm")
PAGE = 4096
NOISE = 300_000  # bytes that a process grows by, whatever it does
A_STEP = 200  # bytes; the smallest leak ever met was 475 a step
PRESETS = ["", "everything"]

pytestmark = [
    pytest.mark.skipif(not compiled(), reason="only compiled vectors can leak"),
    pytest.mark.skipif(not MEMORY.exists(), reason="this system does not tell how large a process is"),
]


def resident() -> int:
    """Bytes that the process occupies now."""
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
    return int(MEMORY.read_text().split()[1]) * PAGE


def grown(step: Callable[[], object], steps: int) -> int:
    """By how many bytes the process grows while something is done again and again."""
    for _ in range(max(1, steps // 4)):
        step()
    before = resident()
    for _ in range(steps):
        step()
    return resident() - before


def keeps_nothing(step: Callable[[], object], steps: int) -> bool:
    return grown(step, steps) < NOISE + A_STEP * steps


def midgame(rules: Rules) -> Game:
    game = Game(rules, seed=2)
    for _ in range(40):
        game.play(game.legal[0])
    return game


def test_a_leak_would_be_seen() -> None:
    kept: list[bytearray] = []
    assert not keeps_nothing(lambda: kept.append(bytearray(1000)), 1000)


# --- the engine and games
@pytest.mark.parametrize("preset", PRESETS)
def test_games_copies_and_imagined_positions(preset: str) -> None:
    rules = Rules.of(preset=preset)
    game = midgame(rules)
    assert keeps_nothing(lambda: Game(rules, seed=1), 200)
    assert keeps_nothing(game.copy, 200)
    assert keeps_nothing(lambda: game.view(0).imagine(Rng(1)), 200)


def test_imagined_positions_with_hidden_hands() -> None:
    game = midgame(Rules.of(hand=3))
    assert keeps_nothing(lambda: game.view(0).imagine(Rng(1)), 200)


def test_several_start_tiles() -> None:
    tiles = [("D", (0, 0), 0), ("U", (1, 0), 0)]
    assert keeps_nothing(lambda: Game(scripted=True, start=tiles), 200)


def test_explained_actions() -> None:
    game = Game(scripted=True)
    game.play("draw U")
    turned = "place U 1,0 180"  # looks as it does unturned: only then all places are listed
    assert game.explain(turned) == REASONS["alike"]
    assert keeps_nothing(lambda: game.copy().explain(turned), 200)


def test_rules_that_are_compiled_and_dropped() -> None:
    """A server compiles whatever people choose; it remembers the last few hundred choices."""
    choice = Rules.of(modules=["inns_and_cathedrals"]).choice
    assert keeps_nothing(lambda: compile_rules.__wrapped__(choice), 20)


def test_a_batch() -> None:
    batch = Batch(Rules.of(), 64, 1)

    def step() -> None:
        batch.step([batch.legal[number * batch.room] for number in range(batch.games)])
        batch.observe()

    assert keeps_nothing(step, 1000)


# --- environments
MODES = [("row", "codes"), ("candidates", "list"), ("planes", "window"), ("regions", "list")]


@pytest.mark.parametrize("preset", ["base", "everything"])
@pytest.mark.parametrize(("observation", "actions"), MODES)
def test_gymnasium(preset: str, observation: str, actions: str) -> None:
    np = pytest.importorskip("numpy", reason="numpy is not installed")
    pytest.importorskip("gymnasium", reason="gymnasium is not installed")
    from bastide.env import BastideEnv
    from bastide.env.names import name_of

    env = BastideEnv(name_of(preset), opponents=("random",), observation=observation, actions=actions)
    env.reset(seed=1)

    def step() -> None:
        _, _, ended, _, _ = env.step(np.flatnonzero(env.action_masks())[0])
        if ended:
            env.reset()

    assert keeps_nothing(step, 600)


def test_pettingzoo() -> None:
    np = pytest.importorskip("numpy", reason="numpy is not installed")
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    from bastide.env import BastideAEC

    env = BastideAEC()
    env.reset(seed=1)

    def step() -> None:
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
        if all(env.terminations.values()):
            env.reset()

    assert keeps_nothing(step, 600)


def test_openspiel() -> None:
    pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    from bastide.env import load_game

    game = load_game()
    state = game.new_initial_state()

    def step() -> None:
        nonlocal state
        state.apply_action(state.legal_actions()[0])
        state = game.new_initial_state() if state.is_terminal() else state
        if not state.is_chance_node():
            state.observation_tensor(state.current_player())

    assert keeps_nothing(step, 2000)


@pytest.mark.parametrize(("observation", "actions"), MODES)
def test_arrays_of_a_batch(observation: str, actions: str) -> None:
    pytest.importorskip("gymnasium", reason="gymnasium is not installed")
    from bastide.env import BatchEnv

    env = BatchEnv(games=16, observation=observation, actions=actions)

    def step() -> None:
        env.masks()
        env.step(env.legal[:, 0])
        env.clone(0, to=1)

    assert keeps_nothing(step, 400)


# --- the server
@pytest.mark.parametrize("preset", PRESETS)
def test_aids(preset: str) -> None:
    game = midgame(Rules.of(preset=preset))
    assert keeps_nothing(lambda: aids_of(game.view(0), game.view(0).imagine(Rng(1)).engine), 150)


def test_a_table_from_beginning_to_end() -> None:
    def whole_game() -> None:
        for table in played(a_table(), seed=3):
            state_of(table, [0], 0)

    assert keeps_nothing(whole_game, 2)


@pytest.mark.parametrize("preset", PRESETS)
def test_states_and_positions_are_freed(preset: str) -> None:
    game = midgame(Rules.of(preset=preset))
    text = game.position()

    def everything() -> None:
        state = game.state()
        state.apply(state.legal()[0])
        state.undo()
        assert state.key() == state.clone().key()
        assert state.regions()
        assert state.playout(1)

    assert keeps_nothing(everything, 200)
    assert keeps_nothing(lambda: Game.from_position(text), 60)
