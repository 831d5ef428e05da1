"""Fitting the worth of options to evidence, and judging a player by evidence that it did not learn from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from janshi.learn.strategist.config import StrategistConfig
from janshi.learn.strategist.evidence import Evidence
from janshi.learn.strategist.network import OptionNet, worths_of
from janshi.rules.game import Array

TO_LEARN, TO_JUDGE = 0, 1
"""Columns of gains."""
LAST: Final = 200
"""Steps whose loss is reported."""


class Batch(NamedTuple):
    """Some decisions with all their options."""

    rows: Tensor  # (k, numbers)
    decision: Tensor  # (k,), from 0
    chances: Tensor  # (k,)
    chosen: Tensor  # (d,), a row
    gains: Tensor  # (d,)


def batch_of(evidence: Evidence, wanted: Array) -> Batch:
    """Some decisions of one piece of evidence, int64[d]."""
    first = evidence.options.first
    counts = first[wanted + 1] - first[wanted]
    begin = np.cumsum(counts) - counts
    rows = np.repeat(first[wanted] - begin, counts) + np.arange(counts.sum())
    arrays = (
        evidence.options.rows[rows].astype(np.float32),
        np.repeat(np.arange(len(wanted)), counts),
        evidence.chances[rows],
        evidence.chosen[wanted] - first[wanted] + begin,
        evidence.gains[wanted, TO_LEARN],
    )
    return Batch(*map(torch.from_numpy, arrays))


def joined(parts: Sequence[Batch]) -> Batch:
    """Batches as one."""
    decisions, rows = 0, 0
    moved = []
    for part in parts:
        moved.append(part._replace(decision=part.decision + decisions, chosen=part.chosen + rows))
        decisions, rows = decisions + len(part.chosen), rows + len(part.rows)
    return Batch(*(torch.cat(columns) for columns in zip(*moved)))


def batches(
    memory: Sequence[Evidence], size: int, random: np.random.Generator, most: int | None = None
) -> Iterator[Batch]:
    """All decisions in random order, or `most` of them, in batches of one size; a remainder is left out."""
    begin = np.cumsum([0, *map(len, memory)])
    order = random.permutation(begin[-1])[:most]
    for a in range(0, len(order) - size + 1, size):
        some = np.sort(order[a : a + size])
        cuts = np.searchsorted(some, begin)
        parts = zip(memory, begin, cuts, cuts[1:])
        yield joined([batch_of(evidence, some[b:e] - at) for evidence, at, b, e in parts if e > b])


def loss_of(network: OptionNet, batch: Batch) -> Tensor:
    """Mean squared error of gains.

    From the worth of the chosen option, the mean over all options is subtracted (by their chances), so that only what
    depends on the choice is explained: positions that are good or bad in themselves do not matter.
    """
    worths = network(batch.rows)
    mean = torch.zeros(len(batch.chosen)).index_add(0, batch.decision, batch.chances * worths)
    return (batch.gains - (worths[batch.chosen] - mean)).square().mean()


def fit(
    network: OptionNet,
    memory: Sequence[Evidence],
    config: StrategistConfig,
    rates: tuple[float, float],
    passes: int,
    random: np.random.Generator,
) -> float:
    """Train by AdamW with a rate that falls from the first to the second; returns the loss of the last steps."""
    optimiser = torch.optim.AdamW(network.parameters(), rates[0], weight_decay=config.decay)
    most = min(sum(map(len, memory)), config.learned)
    steps, losses = passes * (most // config.batch), list[float]()
    for _ in range(passes):
        for batch in batches(memory, config.batch, random, most):
            optimiser.param_groups[0]["lr"] = rates[1] + (rates[0] - rates[1]) * (1 - len(losses) / steps)
            loss = loss_of(network, batch)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            losses.append(float(loss.detach()))
    return float(np.mean(losses[-LAST:])) if losses else float("nan")


class Judgement(NamedTuple):
    """What taking the best option would gain over the player that collected the evidence."""

    gain: float
    """Points for each decision with a choice, unbiased."""
    error: float
    """Standard error."""


def judge(network: OptionNet, evidence: Evidence) -> Judgement:
    """Judge the network's best options by evidence that it was not fitted to, weighted by their chances."""
    worths, first = worths_of(network, evidence.options.rows), evidence.options.first
    most = np.repeat(np.maximum.reduceat(worths, first[:-1]), np.diff(first))
    taken = (worths == most)[evidence.chosen]
    gains = (taken / evidence.chances[evidence.chosen] - 1) * evidence.gains[:, TO_JUDGE].astype(np.float64)
    return Judgement(float(gains.mean()), float(gains.std() / np.sqrt(len(gains))))
