"""MaskablePPO of sb3-contrib on candidates: learns the base game against `greedy`.

    pip install 'bastide[env]' sb3-contrib
    python examples/learning/maskable_ppo.py --minutes 15

The policy gives each row (docs/environments.md, "Candidates") a mark with one small network; the marks are the logits
of the action. Nothing else differs from how MaskablePPO is used everywhere.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import FlattenExtractor
from stable_baselines3.common.vec_env.base_vec_env import VecEnv
from torch import Tensor, nn

from bastide.arena import wilson
from bastide.arena.ratings import mean_interval
from bastide.env import BatchEnv

BATCH: dict[str, Any] = {"observation": "candidates", "actions": "list"}
HIDDEN = 64
POINTS = 10.0  # points of margin that are a reward of 1


class BatchVecEnv(VecEnv):
    """`BatchEnv` as Stable-Baselines3 wants it."""

    def __init__(self, env: BatchEnv) -> None:
        self.env = env
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self) -> Any:
        return self.env.reset()[0].copy()

    def step_async(self, actions: Any) -> None:
        self.actions = actions

    def step_wait(self) -> Any:
        seen, rewards, done, _, _ = self.env.step(self.actions)
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": False} for _ in done]
        for game in np.flatnonzero(done):
            infos[game]["terminal_observation"] = seen[game].copy()  # never looked at: the game is over
        return seen.copy(), (rewards / POINTS).astype(np.float32), done, infos

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        return list(self.env.masks().astype(bool)) if method_name == "action_masks" else [None] * self.num_envs

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.env, attr_name, None)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        self.env.close()


class Marks(nn.Module):
    """A mark for each row, and a value from what all rows look like together."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        self.rows, self.columns = rows, columns
        self.latent_dim_pi, self.latent_dim_vf = rows, HIDDEN
        self.mark = nn.Sequential(
            nn.Linear(columns, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1)
        )
        self.worth = nn.Sequential(nn.Linear(2 * columns, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU())

    def scaled(self, features: Tensor) -> Tensor:
        """Rows with numbers of about 1."""
        table = features.view(-1, self.rows, self.columns)
        return torch.sign(table) * torch.log1p(table.abs())

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        return self.forward_actor(features), self.forward_critic(features)

    def forward_actor(self, features: Tensor) -> Tensor:
        """Marks of the rows; rows of zeros are masked by the algorithm, so they are not computed."""
        table = self.scaled(features)
        there = table.any(dim=2)
        marks = torch.zeros(table.shape[:2], device=table.device)
        marks[there] = self.mark(table[there]).squeeze(1)
        return marks

    def forward_critic(self, features: Tensor) -> Tensor:
        """From the mean and the largest of each column."""
        table = self.scaled(features)
        count = table.any(dim=2).sum(dim=1, keepdim=True).clamp(min=1)
        result: Tensor = self.worth(torch.cat([table.sum(dim=1) / count, table.max(dim=1).values], dim=1))
        return result


class RowPolicy(MaskableActorCriticPolicy):
    """The policy of MaskablePPO with `Marks` inside."""

    def _build_mlp_extractor(self) -> None:
        assert self.observation_space.shape is not None
        self.mlp_extractor = Marks(*self.observation_space.shape)  # type: ignore[assignment] # as SB3 asks for it

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = nn.Identity()  # the marks are the logits
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)  # type: ignore[call-arg]


def against(model: MaskablePPO, opponent: str, games: int, seed: int) -> tuple[Any, Any]:
    """Final margins and results of games by the highest mark; each deck twice, with seats swapped."""
    env = BatchEnv(games=games, opponents=opponent, **BATCH)
    env.reset(seed=[seed + game // 2 for game in range(games)])
    margins: Any = np.full(games, np.nan)
    while np.isnan(margins).any():
        actions, _ = model.predict(env.observe().copy(), deterministic=True, action_masks=env.masks())
        _, _, done, _, info = env.step(actions)
        for game in np.flatnonzero(done & np.isnan(margins)):
            own = env.learners[game]
            margins[game] = info["finals"][game, own] - info["finals"][game, 1 - own]
    return margins, (np.sign(margins) + 1) / 2


class Curve(BaseCallback):
    """Stops after some CPU time; 40 games against `greedy` twenty times on the way."""

    def __init__(self, seconds: float, path: Path) -> None:
        super().__init__()
        self.seconds, self.checked = seconds, 0.0
        self.file = path.open("w", newline="", encoding="utf-8")
        self.writer = csv.writer(self.file)
        self.writer.writerow(["cpu_seconds", "decisions", "won_against_greedy", "margin"])

    def _on_step(self) -> bool:
        return time.process_time() < self.seconds

    def _on_rollout_end(self) -> None:
        spent = time.process_time()
        if spent - self.checked >= self.seconds / 20:
            self.checked = spent
            assert isinstance(self.model, MaskablePPO)
            margins, results = against(self.model, "greedy", 40, 7_000_000)
            row = [round(spent), self.num_timesteps, results.mean(), margins.mean()]
            self.writer.writerow(row)
            self.file.flush()
            print(*row, flush=True)


def main() -> None:
    """Learns for some minutes of CPU time, then plays 400 games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=15, help="of CPU time")
    parser.add_argument("--opponent", default="greedy", help="in training: random, greedy or planner")
    parser.add_argument("--games", type=int, default=400, help="at the end, against greedy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("build/maskable_ppo"))
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    env = BatchVecEnv(BatchEnv(games=32, seed=given.seed, opponents=given.opponent, **BATCH))
    model = MaskablePPO(
        RowPolicy,
        env,
        n_steps=71,  # a tile each: about half a game
        batch_size=284,
        n_epochs=3,
        gamma=1.0,
        gae_lambda=0.9,
        ent_coef=0.01,
        learning_rate=lambda _: 1e-4 + 9e-4 * max(0.0, 1 - time.process_time() / (60 * given.minutes)),
        seed=given.seed,
        policy_kwargs={"features_extractor_class": FlattenExtractor},
    )
    model.learn(10**9, callback=Curve(60 * given.minutes, given.out / "curve.csv"))
    model.save(given.out / "model.zip")
    margins, results = against(model, "greedy", given.games, 9_000_000)
    low, high = wilson(float(results.mean()), len(results))
    mean, least, most = mean_interval([float(pair.mean()) for pair in margins.reshape(-1, 2)])
    print(f"against greedy, {len(results)} games: {100 * results.mean():.1f} % ({100 * low:.1f} to {100 * high:.1f}),")
    print(f"{mean:+.1f} points ({least:+.1f} to {most:+.1f})")


if __name__ == "__main__":
    main()
