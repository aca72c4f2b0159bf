"""Learns the base game from nothing by playing against itself: PPO on candidates, numpy only, one core.

    python examples/learning/ppo.py --minutes 20 --out build/ppo

Every decision is a choice among rows (docs/environments.md, "Candidates"); one network gives each row a mark. In
BatchEnv without opponents whoever decides is the learner, so the two seats teach one network. `curve.csv` has the games
against `greedy`, `judge.npz` the networks: `python:examples/learning/learned_bot.py` plays with them.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from typing import Any

import numpy as np
from network import Array, Judge, best_of, listed, pooled, shares

from bastide.arena import wilson
from bastide.arena.ratings import mean_interval
from bastide.env import BatchEnv

GAMES = 64
STEPS = 128  # decisions in each game before the network learns from them
EPOCHS = 3
MINIBATCH = 1024  # decisions
RATE = 1e-3  # falls to a tenth
DISCOUNT, LAMBDA = 1.0, 0.9
CLIP = 0.2
ENTROPY = 0.01
POINTS = 10.0  # points of margin that are 1 for the networks
BATCH: dict[str, Any] = {"observation": "candidates", "actions": "list"}


class Play:
    """Decisions of many games, as they were made."""

    def __init__(self) -> None:
        self.rows: list[Array] = []  # int16, the candidates of all games of a step
        self.starts: list[Array] = []
        self.chosen: list[Array] = []
        self.chance: list[Array] = []  # log of the probability with which it was chosen
        self.worth: list[Array] = []
        self.gain: list[Array] = []
        self.after: list[Array] = []  # 1: the same seat decides next, -1: the other, 0: the game ended


def collect(env: BatchEnv, judge: Judge, rng: Any) -> tuple[Play, Array]:
    """STEPS decisions in every game; and what the positions are worth in which it stopped."""
    play = Play()
    for _ in range(STEPS):
        rows, starts = listed(env.observe(), env.counts)
        marks, worth = judge.marks(rows), judge.worth(rows, starts)
        chosen = best_of(marks + rng.gumbel(size=len(marks)), starts)
        seats = env.seats.copy()
        _, gains, done, _, _ = env.step(chosen)
        play.rows.append(rows)
        play.starts.append(starts)
        play.chosen.append(chosen)
        play.chance.append(np.log(shares(marks, starts)[starts + chosen] + 1e-12))
        play.worth.append(worth)
        play.gain.append(gains / POINTS)
        play.after.append(np.where(done, 0.0, np.where(env.seats == seats, 1.0, -1.0)))
    rows, starts = listed(env.observe(), env.counts)
    return play, judge.worth(rows, starts)


def advantages(play: Play, last: Array) -> Array:
    """How much better each decision was than expected (GAE). The other seat's gain is this seat's loss."""
    found = np.zeros((STEPS, GAMES))
    ahead, worth = np.zeros(GAMES), last
    for step in reversed(range(STEPS)):
        sign = DISCOUNT * play.after[step]
        surprise = play.gain[step] + sign * worth - play.worth[step]
        ahead = surprise + LAMBDA * sign * ahead
        found[step], worth = ahead, play.worth[step]
    return found


def learn(judge: Judge, play: Play, last: Array, rng: Any, rate: float) -> tuple[float, float]:
    """PPO over what was played; returns the entropy of the choices and the share of the worth that was foreseen."""
    better = advantages(play, last)
    worth = (better + np.array(play.worth)).ravel()
    better = ((better - better.mean()) / (better.std() + 1e-8)).ravel()
    offsets = np.cumsum([0, *(len(rows) for rows in play.rows[:-1])])
    starts = np.concatenate([one + offset for one, offset in zip(play.starts, offsets, strict=True)])
    rows = judge.scaled(np.concatenate(play.rows))
    sizes = np.diff(starts, append=len(rows))
    state = pooled(rows, starts)
    chosen, chance = np.concatenate(play.chosen), np.concatenate(play.chance)
    foreseen = 1 - np.var(worth - np.concatenate(play.worth)) / (np.var(worth) + 1e-8)
    disorder = []
    for _ in range(EPOCHS):
        order = rng.permutation(len(starts))
        for first in range(0, len(order), MINIBATCH):
            some = order[first : first + MINIBATCH]
            size = sizes[some]
            begin = np.concatenate([[0], np.cumsum(size)[:-1]])
            index = np.repeat(starts[some] - begin, size) + np.arange(size.sum())
            share = shares(judge.policy.forward(rows[index])[:, 0], begin)
            logs = np.log(share + 1e-12)
            ratio = np.exp(logs[begin + chosen[some]] - chance[some])
            gain = better[some]
            free = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)  # else it has moved far enough
            push = -gain * ratio * free / len(some)
            entropy = -np.add.reduceat(share * logs, begin)
            slope = -np.repeat(push, size) * share
            slope[begin + chosen[some]] += push
            slope += ENTROPY / len(some) * share * (logs + np.repeat(entropy, size))
            judge.policy.learn(slope[:, None].astype(np.float32), rate)
            error = judge.value.forward(state[some])[:, 0] - worth[some]
            judge.value.learn((error / len(some))[:, None].astype(np.float32), rate)
            disorder.append(float(entropy.mean()))
    return float(np.mean(disorder)), float(foreseen)


def against(judge: Judge, opponent: str, games: int, seed: int) -> tuple[Array, Array]:
    """Final margins and results (1, 0.5, 0) of games by the highest mark; each deck twice, with seats swapped."""
    env = BatchEnv(games=games, opponents=opponent, **BATCH)
    env.reset(seed=[seed + game // 2 for game in range(games)])
    margins: Array = np.full(games, np.nan)
    while np.isnan(margins).any():
        rows, starts = listed(env.observe(), env.counts)
        _, _, done, _, info = env.step(best_of(judge.marks(rows), starts))
        for game in np.flatnonzero(done & np.isnan(margins)):
            own = env.learners[game]
            margins[game] = info["finals"][game, own] - info["finals"][game, 1 - own]
    return margins, (np.sign(margins) + 1) / 2


def told(margins: Array, results: Array) -> str:
    """A line about games, with intervals of 95 %."""
    low, high = wilson(float(results.mean()), len(results))
    mean, least, most = mean_interval([float(pair.mean()) for pair in margins.reshape(-1, 2)])
    won = f"{100 * results.mean():.1f} % ({100 * low:.1f} to {100 * high:.1f})"
    return f"{won}, {mean:+.1f} points ({least:+.1f} to {most:+.1f})"


def main() -> None:
    """Plays and learns for some minutes of CPU time, then 400 games against each opponent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20, help="of CPU time")
    parser.add_argument("--games", type=int, default=400, help="at the end, against each opponent")
    parser.add_argument("--opponents", default="greedy,random", help="at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("build/ppo"))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(given.seed)
    env = BatchEnv(games=GAMES, seed=given.seed, **BATCH)
    rows = []
    for _ in range(300):  # random games, to see how large the numbers are
        env.random_step()
        rows.append(listed(env.observe(), env.counts)[0])
    judge = Judge(env.observe().shape[2], seed=given.seed)
    judge.measure(np.concatenate(rows))
    env.reset(seed=given.seed)
    budget, checked, decisions = 60 * given.minutes, 0.0, 0
    with (given.out / "curve.csv").open("w", newline="", encoding="utf-8") as file:
        curve = csv.writer(file)
        curve.writerow(["cpu_seconds", "decisions", "won_against_greedy", "margin", "entropy", "foreseen"])
        while (spent := time.process_time()) < budget:
            play, last = collect(env, judge, rng)
            entropy, foreseen = learn(judge, play, last, rng, RATE * (1 - 0.9 * spent / budget))
            decisions += STEPS * GAMES
            if spent - checked >= budget / 20:
                checked = spent
                margins, results = against(judge, "greedy", 40, 7_000_000)
                row = [round(spent), decisions, results.mean(), margins.mean(), round(entropy, 3), round(foreseen, 3)]
                curve.writerow(row)
                file.flush()
                print(*row, flush=True)
                judge.save(given.out / "judge.npz")
    judge.save(given.out / "judge.npz")
    for opponent in given.opponents.split(","):
        print(f"against {opponent}, {given.games} games:", told(*against(judge, opponent, given.games, 9_000_000)))


if __name__ == "__main__":
    main()
