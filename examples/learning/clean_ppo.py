"""PPO against `greedy` on candidates, in one file after CleanRL's manner: everything that matters is on this page.

    pip install 'bastide[env]' torch
    python examples/learning/clean_ppo.py --minutes 6 --out build/clean_ppo

What differs from PPO for any other environment: the actor marks one row for each legal action (docs/environments.md,
"Candidates"), and the marks are the logits. `judge.npz` plays as a bot without torch (`learned_bot.py`).
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

from bastide.arena import wilson
from bastide.arena.ratings import mean_interval
from bastide.env import BatchEnv

GAMES, STEPS = 64, 71  # 71 decisions are about half a game of one seat
EPOCHS, MINIBATCHES = 3, 4
RATE = 1e-3  # falls to a tenth
LAMBDA, CLIP, ENTROPY, VALUE, NORM = 0.9, 0.2, 0.01, 0.5, 0.5  # nothing is discounted: a game has an end
POINTS = 10.0  # points of margin that are a reward of 1


def layers(columns: int, hidden: int = 64) -> nn.Sequential:
    """One number for each row."""
    return nn.Sequential(
        nn.Linear(columns, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1)
    )


class Agent(nn.Module):
    """Marks for the rows of legal actions, and a value from the mean and the largest of each of their columns."""

    def __init__(self, middle: Tensor, spread: Tensor) -> None:
        super().__init__()
        self.middle, self.spread = middle, spread  # of each column: a network wants numbers of about 1
        self.policy, self.value = layers(len(middle)), layers(2 * len(middle))

    def forward(self, rows: Tensor, counts: Tensor) -> tuple[Categorical, Tensor]:
        """What to choose, and what the position is worth. Rows after the first `counts` are not looked at."""
        there = torch.arange(rows.shape[1]) < counts[:, None]
        listed = ((rows[there] - self.middle) / self.spread).clamp(-8, 8)
        marks = torch.full(there.shape, -1e9)
        marks[there] = self.policy(listed)[:, 0]
        pooled = [torch.segment_reduce(listed, how, lengths=counts) for how in ("mean", "max")]
        return Categorical(logits=marks), self.value(torch.cat(pooled, dim=1))[:, 0]

    def export(self, path: Path) -> None:
        """Writes what `learned_bot.py` plays."""
        arrays: dict[str, Any] = {}
        for name, part in (("policy", self.policy), ("value", self.value)):
            linear = [layer for layer in part if isinstance(layer, nn.Linear)]
            parts = [layer.weight.T for layer in linear] + [layer.bias for layer in linear]
            arrays |= {f"{name}{i}": one.detach().numpy() for i, one in enumerate(parts)}
        np.savez_compressed(path, middle=self.middle.numpy(), spread=self.spread.numpy(), **arrays)


def seen(env: BatchEnv) -> tuple[Tensor, Tensor]:
    """Rows and their numbers; copies, for the environment writes over its arrays."""
    return torch.from_numpy(env.observe().copy()), torch.from_numpy(env.counts.copy())


def against_greedy(agent: Agent, games: int, seed: int) -> np.ndarray:
    """Final margins of games by the highest mark; each deck twice, with seats swapped."""
    env = BatchEnv(games=games, opponents="greedy", observation="candidates", actions="list")
    env.reset(seed=[seed + game // 2 for game in range(games)])
    margins = np.full(games, np.nan)
    while np.isnan(margins).any():
        with torch.no_grad():
            choice, _ = agent(*seen(env))
        _, _, done, _, info = env.step(choice.logits.argmax(dim=1).numpy())
        for game in np.flatnonzero(done & np.isnan(margins)):
            own = env.learners[game]
            margins[game] = info["finals"][game, own] - info["finals"][game, 1 - own]
    return margins


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=6, help="of CPU time")
    parser.add_argument("--games", type=int, default=400, help="at the end, against greedy")
    parser.add_argument("--opponent", default="greedy", help="in training: random, greedy or planner")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("build/clean_ppo"))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)

    env = BatchEnv(games=GAMES, seed=given.seed, opponents=given.opponent, observation="candidates", actions="list")
    first, rng = [], np.random.default_rng(given.seed)
    for _ in range(150):  # random games, to see how large the numbers are
        env.step(rng.integers(env.counts))
        rows, counts = seen(env)
        first.append(rows[torch.arange(rows.shape[1]) < counts[:, None]].float())
    agent = Agent(torch.cat(first).mean(dim=0), torch.cat(first).std(dim=0) + 0.1)
    optimizer = torch.optim.Adam(agent.parameters(), lr=RATE, eps=1e-5)
    env.reset(seed=given.seed)

    _, room, columns = env.observe().shape
    rows = torch.zeros((STEPS, GAMES, room, columns), dtype=torch.int16)
    counts, actions = torch.zeros((2, STEPS, GAMES), dtype=torch.int64)
    chances, rewards, ends, values = torch.zeros((4, STEPS, GAMES))
    file = (given.out / "curve.csv").open("w", newline="", encoding="utf-8")
    curve = csv.writer(file)
    curve.writerow(["cpu_seconds", "decisions", "won_against_greedy", "margin"])
    budget, checked, decisions = 60 * given.minutes, 0.0, 0
    while (spent := time.process_time()) < budget:
        for group in optimizer.param_groups:
            group["lr"] = RATE * (1 - 0.9 * spent / budget)

        # play
        for step in range(STEPS):
            rows[step], counts[step] = seen(env)
            with torch.no_grad():
                choice, values[step] = agent(rows[step], counts[step])
            actions[step] = choice.sample()
            chances[step] = choice.log_prob(actions[step])
            paid, done = env.step(actions[step].numpy())[1:3]
            rewards[step], ends[step] = torch.from_numpy(paid / POINTS), torch.from_numpy(done)
        decisions += STEPS * GAMES

        # how much better was each decision than expected?
        with torch.no_grad():
            after = agent(*seen(env))[1]
        better, ahead = torch.zeros((STEPS, GAMES)), torch.zeros(GAMES)
        for step in reversed(range(STEPS)):
            goes_on = 1 - ends[step]
            ahead = rewards[step] + goes_on * (after + LAMBDA * ahead) - values[step]
            better[step], after = ahead, values[step]
        worth = (better + values).flatten()
        better = ((better - better.mean()) / (better.std() + 1e-8)).flatten()

        # learn
        flat_rows, flat_counts = rows.flatten(0, 1), counts.flatten()
        for _ in range(EPOCHS):
            for some in torch.randperm(STEPS * GAMES).chunk(MINIBATCHES):
                choice, value = agent(flat_rows[some], flat_counts[some])
                ratio = (choice.log_prob(actions.flatten()[some]) - chances.flatten()[some]).exp()
                gain = torch.min(better[some] * ratio, better[some] * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
                off = (value - worth[some]).square().mean() / 2
                optimizer.zero_grad()
                (VALUE * off - gain - ENTROPY * choice.entropy().mean()).backward()
                nn.utils.clip_grad_norm_(agent.parameters(), NORM)
                optimizer.step()

        if spent - checked >= budget / 20:
            checked = spent
            margins = against_greedy(agent, 40, 7_000_000)
            curve.writerow([round(spent), decisions, (np.sign(margins) + 1).mean() / 2, margins.mean()])
            file.flush()
            print(f"{spent:.0f} s, {decisions} decisions: {margins.mean():+.1f} points against greedy", flush=True)

    agent.export(given.out / "judge.npz")
    margins = against_greedy(agent, given.games, 9_000_000)
    score = float((np.sign(margins) + 1).mean() / 2)
    low, high = wilson(score, len(margins))
    mean, least, most = mean_interval([float(pair.mean()) for pair in margins.reshape(-1, 2)])
    print(f"against greedy, {len(margins)} games: {100 * score:.1f} % ({100 * low:.1f} to {100 * high:.1f}),")
    print(f"{mean:+.1f} points ({least:+.1f} to {most:+.1f})")
