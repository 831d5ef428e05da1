"""What a choice costs in points in Guobiao, from what the policy network and the search say of it.

The network of `rvr` says how often it makes each choice; the *gap* of a choice is log p(best) - log p(choice). The
search values each choice by the player's own wins within reach (`agents/search`); what a choice gives up of that is its
*shortfall*. Both are opinions. What they cost in points was measured: players deviated at random, and the weights of
the features below were fitted to luck-free results of these deviations (`scripts/fit_point_losses.py`):

- the gap, alone and times the search's value of the hand, by situation;
- the shortfall by the search, by situation.

The loss of a choice is the weighted sum of its features less that of the best choice, so the best choice loses nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from janshi.agents.learned.fitted import Fitted
from janshi.rules.game import Array
from janshi.rules.guobiao import actions as act

NAME: Final = "point_losses"
VERSION: Final = 1
"""Version of the features."""
SITUATIONS: Final = ("discard", "call or not", "win or not")
DISCARD, CALL, WIN = range(len(SITUATIONS))
ABOUT: Final = ("gap", "gap times value", "shortfall")
FEATURES: Final = tuple(f"{about}: {name}" for name in SITUATIONS for about in ABOUT)
FARTHEST_GAP: Final = 8.0
"""Gaps beyond this count as this: the network cannot tell such choices apart."""


class Opinions(NamedTuple):
    """What is said about the choices of some decisions, one row each."""

    chances: Array
    """How often the network makes each choice, float64[m, 235]."""
    legal: Array
    """bool[m, 235]."""
    values: Array
    """Points of own wins within reach after each choice, by the search, float64[m, 235]; NaN for illegal ones."""


class PointLosses(Fitted):
    """A fitted model of losses."""

    name, version, features = NAME, VERSION, FEATURES

    def losses(self, said: Opinions) -> Array:
        """The loss of every legal choice in points, float64[m, 235]; NaN for illegal ones, zero for the best."""
        costs = np.where(said.legal, features(said) @ self.weights, np.nan)
        return np.asarray(costs - np.nanmin(costs, 1, keepdims=True))


@cache
def shipped() -> PointLosses:
    """The model shipped with the package, read once."""
    return PointLosses.load()


def features(said: Opinions) -> Array:
    """The features of every choice, float64[m, 235, FEATURES]; zero for illegal ones."""
    rows, legal = np.arange(len(said.chances)), said.legal
    best = said.chances.max(1, keepdims=True)
    gap = np.log(best / np.maximum(said.chances, best * np.exp(-FARTHEST_GAP)))
    values = np.where(legal, said.values, 0.0)
    most = values.max(1, keepdims=True)
    about = np.stack([gap, gap * most, most - values], 2)
    out = np.zeros((*legal.shape, len(SITUATIONS), len(ABOUT)))
    out[rows, :, situations(legal)] = np.where(legal[:, :, None], about, 0.0)
    return out.reshape(*legal.shape, len(FEATURES))


def situations(legal: Array) -> Array:
    """The situation of each decision, int64[m]: a place in `SITUATIONS`."""
    out = np.full(len(legal), DISCARD)
    out[legal[:, act.PASS]] = CALL
    out[legal[:, act.HU]] = WIN
    return out
