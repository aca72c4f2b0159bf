"""A small network in numpy: a value for each row of numbers, its gradient, and Adam. All learning examples use it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

Array = Any  # numpy's arrays


class Network:
    """Rows of `sizes[0]` numbers to `sizes[-1]` numbers, with ReLU between the layers."""

    def __init__(self, sizes: list[int], rng: Any) -> None:
        self.weights = [rng.normal(0, np.sqrt(2 / i), (i, o)).astype(np.float32) for i, o in pairwise(sizes)]
        self.weights[-1] *= np.float32(0.1)  # first choices are nearly random
        self.biases = [np.zeros(o, np.float32) for o in sizes[1:]]
        self.inputs: list[Array] = []  # of each layer, from the last `forward`
        self.moments = [[np.zeros_like(p) for p in self.parameters] for _ in range(2)]
        self.steps = 0

    @property
    def parameters(self) -> list[Array]:
        """All arrays that are learned."""
        return [*self.weights, *self.biases]

    def forward(self, rows: Array) -> Array:
        """The answers for many rows."""
        self.inputs = []
        for layer, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            if layer:
                rows = np.maximum(rows, 0)
            self.inputs.append(rows)
            rows = rows @ weight + bias
        return rows

    def learn(self, slope: Array, rate: float) -> None:
        """One step of Adam downhill, given the slope of the loss at each answer of the last `forward`."""
        by_weight, by_bias = [], []
        for layer in reversed(range(len(self.weights))):
            by_weight.append(self.inputs[layer].T @ slope)
            by_bias.append(slope.sum(axis=0))
            if layer:
                slope = (slope @ self.weights[layer].T) * (self.inputs[layer] > 0)
        gradients = [*reversed(by_weight), *reversed(by_bias)]
        norm = np.sqrt(sum(float((g * g).sum()) for g in gradients))
        self.steps += 1
        scale = min(1.0, 0.5 / (norm + 1e-9))
        for parameter, gradient, first, second in zip(self.parameters, gradients, *self.moments, strict=True):
            gradient = gradient * np.float32(scale)
            first += np.float32(0.1) * (gradient - first)
            second += np.float32(0.001) * (gradient * gradient - second)
            one = first / (1 - 0.9**self.steps)
            two = second / (1 - 0.999**self.steps)
            parameter -= np.float32(rate) * one / (np.sqrt(two) + np.float32(1e-5))


class Judge:
    """What was learned: a mark for each candidate, and what the position is worth to whoever decides."""

    def __init__(self, columns: int, hidden: int = 64, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        self.middle = np.zeros(columns, np.float32)
        self.spread = np.ones(columns, np.float32)
        self.policy = Network([columns, hidden, hidden, 1], rng)
        self.value = Network([2 * columns, hidden, hidden, 1], rng)

    def measure(self, rows: Array) -> None:
        """Takes middle and spread of the numbers from some rows: a network wants numbers of about 1."""
        self.middle = rows.mean(axis=0).astype(np.float32)
        self.spread = (rows.std(axis=0) + 0.1).astype(np.float32)

    def scaled(self, rows: Array) -> Array:
        """Rows as the networks take them."""
        return ((rows - self.middle) / self.spread).clip(-8, 8)

    def marks(self, rows: Array) -> Array:
        """A mark for each candidate."""
        return self.policy.forward(self.scaled(rows))[:, 0]

    def worth(self, rows: Array, starts: Array) -> Array:
        """What positions are worth; their candidates lie one after another, from `starts`."""
        return self.value.forward(pooled(self.scaled(rows), starts))[:, 0]

    def save(self, path: Path) -> None:
        """Everything that playing needs."""
        arrays = {f"{name}{i}": p for name in ("policy", "value") for i, p in enumerate(getattr(self, name).parameters)}
        np.savez_compressed(path, middle=self.middle, spread=self.spread, **arrays)

    @classmethod
    def load(cls, path: Path) -> Judge:
        """A judge that was saved."""
        with np.load(path) as found:
            judge = cls(len(found["middle"]), len(found["policy0"][0]))
            judge.middle, judge.spread = found["middle"], found["spread"]
            for name in ("policy", "value"):
                for i, parameter in enumerate(getattr(judge, name).parameters):
                    parameter[:] = found[f"{name}{i}"]
        return judge


def pooled(rows: Array, starts: Array) -> Array:
    """A position in numbers: the mean and the largest of each column of its candidates."""
    counts = np.diff(starts, append=len(rows))[:, None]
    return np.concatenate([np.add.reduceat(rows, starts) / counts, np.maximum.reduceat(rows, starts)], axis=1)


def listed(seen: Array, counts: Array) -> tuple[Array, Array]:
    """The candidates of many games one after another, and where each game's begin."""
    there = np.arange(seen.shape[1]) < counts[:, None]
    return seen[there], np.concatenate([[0], np.cumsum(np.minimum(counts, seen.shape[1]))[:-1]])


def shares(marks: Array, starts: Array) -> Array:
    """The chance of each candidate (softmax among those of its game)."""
    sizes = np.diff(starts, append=len(marks))
    grown = np.exp(marks - np.repeat(np.maximum.reduceat(marks, starts), sizes))
    return grown / np.repeat(np.add.reduceat(grown, starts), sizes)


def best_of(marks: Array, starts: Array) -> Array:
    """For each game the number of its candidate with the highest mark."""
    ends = [*starts[1:], len(marks)]
    return np.array([int(marks[start:end].argmax()) for start, end in zip(starts, ends, strict=True)])
