"""Learn which action to take when the worth of every action of a decision is known (`luck/points/branches.py`).

The score of an action is linear in its features plus a hidden layer. It minimises, over decisions,

    share · Σ p_a (s_a - y_a)² / SPREAD - Σ softmax(s / TEMPERATURE)_a y_a

where s and y are scores and worths without their mean under p. The first term makes scores worths in points. The second
is the expected worth of a soft choice by scores: it spends the network's few weights on the choices that are close. The
weights p say which actions matter; they are mostly those of the best hands (`Evidence.relevance`).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from janshi.rules.game import Array

TEMPERATURE: Final = 0.5
"""In points."""
SPREAD: Final = 12.0
"""About the variance of worths within a decision."""
BATCH: Final = 512


class Evidence(NamedTuple):
    """The actions of some decisions, decision by decision, each with two or more."""

    about: Array
    """Features, float32[n, F]."""
    worth: Array
    """In points, float[n]."""
    first: Array
    """The first action of each decision, int64[m]."""
    relevance: Array
    """How much each action matters, float[n]; sums to 1 in each decision."""

    @property
    def sizes(self) -> Array:
        """Number of actions of each decision, int64[m]."""
        return np.diff(self.first, append=len(self.worth))

    @property
    def decision(self) -> Array:
        """The decision of each action, int64[n]."""
        return np.repeat(np.arange(len(self.first)), self.sizes)

    def centred(self, x: Array) -> Array:
        """Numbers of actions, float[n] or float[n, k], without their mean in each decision."""
        weights = self.relevance if x.ndim == 1 else self.relevance[:, None]
        return np.asarray(x - np.add.reduceat(weights * x, self.first)[self.decision])

    def best(self, scores: Array) -> Array:
        """The action with the highest score of each decision, the first of equals, int64[m]."""
        order = np.lexsort((-np.arange(len(scores)), scores, self.decision))
        return np.asarray(order[np.append(self.first[1:], len(scores)) - 1])


def relevance(values: Array, first: Array, even: float = 0.1) -> Array:
    """Relevance by the search's values: proportional to them, but for a share that is the same for all actions."""
    sizes = np.diff(first, append=len(values))
    total = np.repeat(np.add.reduceat(values, first), sizes)
    return np.asarray((1.0 - even) * values / total + even / np.repeat(sizes, sizes))


class Layers(NamedTuple):
    """A score: weights · x + last · relu(hidden · [x, 1])."""

    weights: Array
    """float64[F]."""
    hidden: Array
    """float64[H, F + 1]."""
    last: Array
    """float64[H]."""

    def __call__(self, about: Array) -> Array:
        """Scores from features, float64[n]."""
        inside = np.maximum(about @ self.hidden[:, :-1].T + self.hidden[:, -1], 0.0)
        return np.asarray(about @ self.weights + inside @ self.last)


def mean_of(layers: list[Layers]) -> Layers:
    """One network whose score is the mean of several."""
    return Layers(
        np.mean([one.weights for one in layers], 0),
        np.concatenate([one.hidden for one in layers]),
        np.concatenate([one.last / len(layers) for one in layers]),
    )


class Scorer(nn.Module):
    """A score in PyTorch, over features in their usual sizes."""

    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.direct = nn.Linear(features, 1, bias=False)
        self.inside, self.last = nn.Linear(features, hidden), nn.Linear(hidden, 1, bias=False)
        nn.init.zeros_(self.direct.weight)
        nn.init.zeros_(self.last.weight)

    def forward(self, x: Tensor) -> Tensor:
        """(n, F) → (n,)."""
        return (self.direct(x) + self.last(torch.relu(self.inside(x))))[:, 0]

    def layers(self, mean: Array, size: Array) -> Layers:
        """The same score over plain features."""
        direct, inside, bias, last = (
            w.detach().numpy().astype(np.float64)
            for w in (self.direct.weight[0], self.inside.weight, self.inside.bias, self.last.weight[0])
        )
        hidden = np.column_stack([inside / size, bias - inside @ (mean / size)])
        return Layers(direct / size, hidden, last)


def fit(
    evidence: Evidence,
    hidden: int = 32,
    passes: int = 30,
    share: float = 1.0,
    decay: float = 0.1,
    rate: float = 3e-3,
    seed: int = 0,
) -> Layers:
    """Fit a score to evidence."""
    torch.manual_seed(seed)
    mean, size = usual(evidence)
    x = torch.from_numpy(((evidence.about - mean) / size).astype(np.float32))
    y = torch.from_numpy(evidence.centred(evidence.worth).astype(np.float32))
    p = torch.from_numpy(evidence.relevance.astype(np.float32))
    net, random = Scorer(x.shape[1], hidden), np.random.default_rng(seed)
    batches = max(1, len(evidence.first) // BATCH)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=passes * batches)
    for _ in range(passes):
        for some in np.array_split(random.permutation(len(evidence.first)), batches):
            rows, own = rows_of(evidence, np.sort(some))
            loss = loss_of(net(x[rows]), y[rows], p[rows], own, len(some), share)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
    return net.layers(mean, size)


def usual(evidence: Evidence) -> tuple[Array, Array]:
    """Means of features, and their usual sizes: within decisions or, for those that say nothing there, overall."""
    about = evidence.about.astype(np.float64)
    within = np.sqrt((evidence.relevance[:, None] * evidence.centred(about) ** 2).sum(0) / len(evidence.first))
    return about.mean(0), np.where(within > 1e-6, within + 1e-3, about.std(0) + 1e-3)


def rows_of(evidence: Evidence, some: Array) -> tuple[Tensor, Tensor]:
    """The actions of some decisions, and for each the place of its decision among them."""
    sizes = evidence.sizes[some]
    before = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    rows = np.repeat(evidence.first[some] - before, sizes) + np.arange(sizes.sum())
    return torch.from_numpy(rows), torch.from_numpy(np.repeat(np.arange(len(some)), sizes))


def loss_of(score: Tensor, worth: Tensor, weight: Tensor, own: Tensor, count: int, share: float) -> Tensor:
    """The loss of some decisions: see the top of this file."""
    centred = score - torch.zeros(count).index_add(0, own, weight * score)[own]
    error = (weight * (centred - worth) ** 2).sum() / SPREAD
    most = torch.full((count,), -torch.inf).scatter_reduce(0, own, score.detach(), "amax")
    odds = torch.exp((score - most[own]) / TEMPERATURE)
    chosen = odds / torch.zeros(count).index_add(0, own, odds)[own]
    return (share * error - (chosen * worth).sum()) / count
