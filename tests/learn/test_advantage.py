"""Advantages over hands in which players take turns, against a slow reading of the formula."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from janshi.learn.advantage import advantages

SEATS = 3


def random_hands(seed: int, parts: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 20, 40)
    first = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    k = int(first[-1])
    before = np.zeros(k, np.bool_)
    for a, b in pairwise(first):
        cut = rng.integers(0, b - a + 1)
        before[a + cut : b] = True
    return {
        "values": rng.normal(size=(k, parts)).astype(np.float32),
        "rewards": rng.normal(size=(k, parts)).astype(np.float32),
        "expected": rng.normal(size=(k, parts)).astype(np.float32),
        "first": first,
        "players": rng.integers(0, SEATS, k).astype(np.int8),
        "before": before,
    }


def listed(hands: dict[str, np.ndarray]) -> Any:
    return SimpleNamespace(first=hands["first"], player=hands["players"], before=hands["before"])


def slow(hands: dict[str, np.ndarray], cut: bool, gamma: float, lam: float) -> tuple[np.ndarray, np.ndarray]:
    """Σ_l (γλ)^l δ_{t+l} over each player's own decisions, written out; trajectories end at the cut."""
    values, parts = hands["values"].astype(np.float64), hands["values"].shape[1]
    adv, targets = np.zeros(len(values)), np.zeros_like(values)
    for a, b in zip(hands["first"][:-1], hands["first"][1:]):
        for player in range(SEATS):
            for early in (False, True):
                mine = [
                    i
                    for i in range(b - 1, a - 1, -1)
                    if hands["players"][i] == player and (not cut or hands["before"][i] == early)
                ]
                if not cut and early:
                    continue
                source = hands["expected"] if cut and early else hands["rewards"]
                for place, i in enumerate(mine):
                    for part in range(parts):
                        total = 0.0
                        for later in range(place, len(mine)):
                            now = mine[later]
                            if later + 1 < len(mine):
                                delta = gamma * values[mine[later + 1], part] - values[now, part]
                            else:
                                delta = source[now, part] - values[now, part]
                            total += (gamma * lam) ** (later - place) * delta
                        targets[i, part] = total + values[i, part]
                        if part == 0:
                            adv[i] = total
    return adv, targets


@pytest.mark.parametrize("parts", [1, SEATS])
@pytest.mark.parametrize("cut", [False, True])
def test_as_the_formula_says(parts: int, cut: bool) -> None:
    hands = random_hands(7 + parts, parts)
    expected = hands["expected"] if cut else None
    adv, targets = advantages(hands["values"], hands["rewards"], expected, listed(hands), SEATS, 0.95, 0.9)
    slow_adv, slow_targets = slow(hands, cut, 0.95, 0.9)
    np.testing.assert_allclose(adv, slow_adv, atol=1e-5)
    np.testing.assert_allclose(targets, slow_targets, atol=1e-5)


def test_without_discount_a_target_is_the_result() -> None:
    hands = random_hands(3, SEATS)
    rewards = np.repeat(hands["rewards"][hands["first"][:-1]], np.diff(hands["first"]), axis=0)
    _, targets = advantages(hands["values"], rewards, None, listed(hands), SEATS, 1.0, 1.0)
    np.testing.assert_allclose(targets, rewards, atol=1e-5)


def test_targets_of_zero_sum_values_sum_to_zero() -> None:
    hands = random_hands(4, SEATS)
    values = hands["values"] - hands["values"].mean(1, keepdims=True)
    rewards = hands["rewards"] - hands["rewards"].mean(1, keepdims=True)
    _, targets = advantages(values, rewards, None, listed(hands), SEATS, 0.95, 0.995)
    np.testing.assert_allclose(targets.sum(1), 0, atol=1e-4)
