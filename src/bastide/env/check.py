"""`check_env`: checks that a Gymnasium environment of this family keeps its contract. Run it in your tests."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from bastide.env.needs import need
from bastide.errors import BastideError

need("numpy", "env")

import numpy as np  # noqa: E402 # after the message that says what to install

LONGEST = 10_000  # steps of an episode: more means that it never ends

Trace = list[tuple[bytes, bytes, float, bool]]  # per step: observation, mask, reward, ended


def check_env(make: Callable[[], Any], episodes: int = 3, seed: int = 0) -> None:
    """Plays episodes with random legal actions. Raises a BastideError that lists every fault found.

    Checked: observations and masks fit their spaces; the mask agrees with `info`; something is legal until the end,
    and then the action 0 alone is marked; rewards are numbers; episodes end; the same seed gives the same episode and
    another seed a different one; an illegal action is not played, and ends the episode with `info["illegal"]`.
    """
    faults: list[str] = []
    traces = [_episode(make(), seed + number, faults) for number in range(episodes)]
    if _episode(make(), seed, faults) != traces[0]:
        faults.append("the same seed and the same actions gave another episode")
    if episodes > 1 and all(trace == traces[0] for trace in traces):
        faults.append("all seeds give the same episode")
    _illegal(make(), seed, faults)
    if faults:
        raise BastideError("; ".join(dict.fromkeys(faults)))


def _episode(env: Any, seed: int, faults: list[str]) -> Trace:
    """Plays one episode and adds what is wrong to the faults."""
    rng = Random(0)  # the same choices with every seed: what differs is the environment's doing
    seen, info = env.reset(seed=seed)
    trace: Trace = []
    ended, reward = False, 0.0
    while True:
        mask = np.asarray(env.action_masks())
        _look(env, seen, mask, info, ended, faults)
        trace.append((as_bytes(seen), mask.tobytes(), float(reward), ended))
        legal = np.flatnonzero(mask)
        if ended or not len(legal):
            return trace
        if len(trace) > LONGEST:
            faults.append(f"an episode did not end within {LONGEST} steps")
            return trace
        seen, reward, terminated, truncated, info = env.step(legal[rng.randrange(len(legal))])
        ended = bool(terminated or truncated)
        if not np.isfinite(reward):
            faults.append(f"expected a finite number as reward, got {reward!r}")
        if info.get("illegal"):
            faults.append("an action that the mask allows was called illegal")


def _look(env: Any, seen: Any, mask: Any, info: dict[str, Any], ended: bool, faults: list[str]) -> None:
    """Checks one moment of an episode."""
    if not env.observation_space.contains(seen):
        faults.append("an observation lies outside of its space")
    if mask.shape != (env.action_space.n,):
        faults.append(f"expected a mask of {env.action_space.n} places, got the shape {mask.shape}")
    if "action_mask" in info and not np.array_equal(info["action_mask"].astype(bool), mask.astype(bool)):
        faults.append("the mask of `info` and that of `action_masks` differ")
    if not mask.any():
        faults.append("a mask is all zeros")
    if ended and mask[1:].any():
        faults.append("something else than the action 0 is marked as legal after the end")


def _illegal(env: Any, seed: int, faults: list[str]) -> None:
    """An action that the mask forbids."""
    before, _ = env.reset(seed=seed)
    forbidden = np.flatnonzero(~np.asarray(env.action_masks(), dtype=bool))
    if len(forbidden):
        after, _, terminated, _, info = env.step(forbidden[0])
        if not (terminated and info.get("illegal")):
            faults.append("an illegal action did not end the episode with `info['illegal']`")
        if as_bytes(before) != as_bytes(after):
            faults.append("an illegal action changed the position")


def as_bytes(seen: Any) -> bytes:
    """An observation, one array or several, as something to compare."""
    if isinstance(seen, dict):
        return b"".join(as_bytes(part) for part in seen.values())
    return bytes(np.asarray(seen).tobytes())
