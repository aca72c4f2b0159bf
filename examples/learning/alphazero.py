"""A small AlphaZero: search makes better choices than the network, and the network learns to choose like the search.

    pip install 'bastide[env]' torch
    python examples/learning/alphazero.py --minutes 20 --out build/alphazero

Every decision is searched with PUCT, one decision deep: the network says which candidates look good (prior) and what
the position after a candidate and the next draw is worth (`BatchEnv.leaves` judges one leaf of each game at once). The
policy learns the visits, the value what came of the game. torch learns, on one core, from nothing, playing against
itself; what it learned is written as `judge.npz` and plays without torch (`learned_bot.py`).
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from network import Array, Judge, Network, listed, pooled, shares
from ppo import BATCH, GAMES, MINIBATCH, POINTS, RATE, STEPS, Play, advantages, told
from torch import Tensor, nn

from bastide.env import BatchEnv

SIMULATIONS = 8  # leaves for each decision
EPOCHS = 2
EXPLORE = 1.0  # how much a prior counts against what was found
OPENING = 60  # decisions of a game that are drawn from the visits; later the most visited is taken
NOISE = 0.25  # share of random in the priors, while learning


class Shared(nn.Module):
    """A network of a judge in torch. Both have the same numbers in memory: what this learns, the judge plays."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.weights = nn.ParameterList(map(torch.from_numpy, network.weights))
        self.biases = nn.ParameterList(map(torch.from_numpy, network.biases))

    def forward(self, rows: Tensor) -> Tensor:
        """One number for each row."""
        for layer, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            rows = torch.addmm(bias, torch.relu(rows) if layer else rows, weight)
        return rows[:, 0]


class Teacher:
    """Both networks of a judge with their optimiser."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.policy, self.value = Shared(judge.policy), Shared(judge.value)
        self.parameters = [*self.policy.parameters(), *self.value.parameters()]
        self.optimizer = torch.optim.Adam(self.parameters, lr=RATE, eps=1e-5)

    def teach(self, rows: Array, sizes: Array, aim: Array, state: Array, worth: Array) -> float:
        """One step: the policy shall choose like `aim`, the value say `worth`; returns how far the policy is off."""
        there = torch.arange(int(sizes.max())) < torch.from_numpy(sizes)[:, None]
        marks = torch.full(there.shape, -torch.inf)
        marks[there] = self.policy(torch.from_numpy(rows))
        apart = -(torch.from_numpy(aim) * torch.log_softmax(marks, dim=1)[there]).sum() / len(sizes)
        off = nn.functional.mse_loss(self.value(torch.from_numpy(state)), torch.from_numpy(worth))
        self.optimizer.zero_grad()
        torch.autograd.backward(apart + off / 2)
        nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
        return apart.item()


def search(env: BatchEnv, judge: Judge, simulations: int, rng: Any, noise: float = 0.0) -> tuple[Array, Array, Any]:
    """For each game the visits of its candidates and the worth of its position; and its rows with their beginnings."""
    rows, starts = listed(env.observe(), env.counts)
    there = np.arange(env.legal.shape[1]) < env.counts[:, None]
    prior = np.zeros(there.shape)
    prior[there] = shares(judge.marks(rows), starts)
    prior = (1 - noise) * prior + noise * there * rng.dirichlet([0.3] * there.shape[1], len(there))
    worth = judge.worth(rows, starts)
    margin = own_margin(env.scores, env.seats)
    visits, total = np.zeros(there.shape), np.zeros(there.shape)
    games = np.arange(env.games)
    for done in range(simulations):
        mean = np.where(visits > 0, total / np.maximum(visits, 1), worth[:, None])
        score = mean + EXPLORE * prior * np.sqrt(done + 1) / (1 + visits)
        pick = np.where(there, score, -np.inf).argmax(axis=1)
        leaf = env.leaves(games.tolist(), [[int(one)] for one in pick])
        gain = (own_margin(leaf["scores"], env.seats) - margin) / POINTS
        ahead = np.zeros(env.games)
        alive = np.flatnonzero(~leaf["over"])
        if len(alive):
            found = judge.worth(*listed(leaf["observation"][alive], leaf["counts"][alive]))
            ahead[alive] = np.where(leaf["seats"][alive] == env.seats[alive], found, -found)
        visits[games, pick] += 1
        total[games, pick] += gain + ahead
    return visits, worth, (rows, starts)


def own_margin(scores: Array, seats: Array) -> Array:
    """How far each seat is ahead of the other."""
    games = np.arange(len(seats))
    return scores[games, seats] - scores[games, 1 - seats]


def collect(env: BatchEnv, judge: Judge, rng: Any) -> tuple[Play, list[Array], Array]:
    """STEPS searched decisions in every game; the shares of the visits; and what the last positions are worth."""
    play, wanted = Play(), []
    for _ in range(STEPS):
        visits, worth, (rows, starts) = search(env, judge, SIMULATIONS, rng, NOISE)
        share = visits / visits.sum(axis=1, keepdims=True)
        left = rows[starts, 12]  # tiles still to be drawn: the opening is the beginning of a game
        heat = np.where(left > 71 - OPENING // 2, 1.0, 4.0)[:, None]
        drawn = (share**heat / (share**heat).sum(axis=1, keepdims=True)).cumsum(axis=1)
        chosen = (drawn < rng.random((env.games, 1)) * drawn[:, -1:]).sum(axis=1)
        seats = env.seats.copy()
        wanted.append(share[np.arange(share.shape[1]) < env.counts[:, None]])
        _, gains, done, _, _ = env.step(chosen)
        play.rows.append(rows)
        play.starts.append(starts)
        play.worth.append(worth)
        play.gain.append(gains / POINTS)
        play.after.append(np.where(done, 0.0, np.where(env.seats == seats, 1.0, -1.0)))
    return play, wanted, judge.worth(*listed(env.observe(), env.counts))


def learn(teacher: Teacher, play: Play, wanted: list[Array], last: Array, rng: Any, rate: float) -> float:
    """The policy learns the visits, the value what came; returns how far policy and visits are apart."""
    teacher.optimizer.param_groups[0]["lr"] = rate
    worth = (advantages(play, last) + np.array(play.worth)).ravel().astype(np.float32)
    offsets = np.cumsum([0, *(len(rows) for rows in play.rows[:-1])])
    starts = np.concatenate([one + offset for one, offset in zip(play.starts, offsets, strict=True)])
    rows, aim = teacher.judge.scaled(np.concatenate(play.rows)), np.concatenate(wanted).astype(np.float32)
    sizes = np.diff(starts, append=len(rows))
    state = pooled(rows, starts).astype(np.float32)
    apart = []
    for _ in range(EPOCHS):
        order = rng.permutation(len(starts))
        for first in range(0, len(order), MINIBATCH):
            some = order[first : first + MINIBATCH]
            size = sizes[some]
            index = np.repeat(starts[some] - np.cumsum(size) + size, size) + np.arange(size.sum())
            apart.append(teacher.teach(rows[index], size, aim[index], state[some], worth[some]))
    return float(np.mean(apart))


def against(judge: Judge, opponent: str, games: int, seed: int, simulations: int) -> tuple[Array, Array]:
    """Final margins and results of searched games; each deck twice, with seats swapped."""
    env = BatchEnv(games=games, opponents=opponent, **BATCH)
    env.reset(seed=[seed + game // 2 for game in range(games)])
    rng = np.random.default_rng(seed)
    margins: Array = np.full(games, np.nan)
    while np.isnan(margins).any():
        visits, _, _ = search(env, judge, simulations, rng)
        _, _, done, _, info = env.step(visits.argmax(axis=1))
        for game in np.flatnonzero(done & np.isnan(margins)):
            own = env.learners[game]
            margins[game] = info["finals"][game, own] - info["finals"][game, 1 - own]
    return margins, (np.sign(margins) + 1) / 2


def main() -> None:
    """Plays and learns for some minutes of CPU time, then 400 games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20, help="of CPU time")
    parser.add_argument("--games", type=int, default=400, help="at the end, against each opponent")
    parser.add_argument("--opponents", default="greedy", help="at the end")
    parser.add_argument("--simulations", type=int, default=SIMULATIONS, help="at the end, for each decision")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("build/alphazero"))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    rng = np.random.default_rng(given.seed)
    env = BatchEnv(games=GAMES, seed=given.seed, **BATCH)
    seen = []
    for _ in range(300):  # random games, to see how large the numbers are
        env.random_step()
        seen.append(listed(env.observe(), env.counts)[0])
    judge = Judge(env.observe().shape[2], seed=given.seed)
    judge.measure(np.concatenate(seen))
    teacher = Teacher(judge)
    env.reset(seed=given.seed)
    budget, checked, decisions = 60 * given.minutes, 0.0, 0
    with (given.out / "curve.csv").open("w", newline="", encoding="utf-8") as file:
        curve = csv.writer(file)
        curve.writerow(["cpu_seconds", "decisions", "won_against_greedy", "margin", "apart"])
        while (spent := time.process_time()) < budget:
            play, wanted, last = collect(env, judge, rng)
            apart = learn(teacher, play, wanted, last, rng, RATE * (1 - 0.9 * spent / budget))
            decisions += STEPS * GAMES
            if spent - checked >= budget / 20:
                checked = spent
                margins, results = against(judge, "greedy", 40, 7_000_000, SIMULATIONS)
                row = [round(spent), decisions, results.mean(), margins.mean(), round(apart, 3)]
                curve.writerow(row)
                file.flush()
                print(*row, flush=True)
                judge.save(given.out / "judge.npz")
    judge.save(given.out / "judge.npz")
    for opponent in given.opponents.split(","):
        found = told(*against(judge, opponent, given.games, 9_000_000, given.simulations))
        print(f"against {opponent}, {given.games} games, {given.simulations} simulations:", found)


if __name__ == "__main__":
    main()
