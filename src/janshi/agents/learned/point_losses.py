"""What a choice costs in points in Guobiao, estimated from the policy network, the search and the model of opponents.

The network of `rvr` gives the probability of each choice; the *gap* of a choice is log p(best) - log p(choice). The
search values each choice by the player's own wins within reach (`agents/search`); what a choice gives up of that value
is its *shortfall*, in points and in logarithms, because early in a hand wins are far away and points say little. The
*danger* of a discard is the chance that an opponent wins on it (`models/guobiao_opponents.py`); it is used for
decisions between discards. These are only opinions. What they cost in points was measured: players deviated at random,
and the weights of the features, by situation, were fitted to the luck-free results (`scripts/fit_point_losses.py`).

The network cannot distinguish between choices that it never makes. So gaps beyond `FARTHEST_GAP` count for less than
their size, and mostly the search separates such choices.

The loss of a choice is the weighted sum of its features less that of the best choice, so the best choice loses nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from janshi.agents.learned.fitted import Fitted
from janshi.core.tiles import NUM_KINDS
from janshi.models.guobiao_opponents import GuobiaoOpponents
from janshi.rules.game import Array
from janshi.rules.guobiao import actions as act

NAME: Final = "point_losses"
VERSION: Final = 2
"""Version of the features."""
SITUATIONS: Final = ("discard", "call or not", "win or not")
DISCARD, CALL, WIN = range(len(SITUATIONS))
ABOUT: Final = ("gap", "gap beyond 8", "shortfall", "shortfall, logarithm", "danger")
FEATURES: Final = tuple(f"{about}: {name}" for name in SITUATIONS for about in ABOUT)
FARTHEST_GAP: Final = 8.0
"""The part of a gap beyond this, up to the same size again, has a separate weight."""
LEAST_VALUE: Final = 0.1
"""Points added to the search's values before taking logarithms."""
LEAST_SHARE: Final = 1e-12


class Opinions(NamedTuple):
    """The inputs of losses: opinions about the choices of some decisions, one row each."""

    chances: Array
    """How often the network makes each choice, float64[m, 235]."""
    legal: Array
    """bool[m, 235]."""
    values: Array
    """The search's value of the player's wins within reach after each choice, float64[m, 235]; NaN for illegal
    ones."""
    danger: Array
    """The chance that somebody wins on the discard, float64[m, 235]; zero for other actions."""
    ready: Array
    """The chance that each opponent could win on some discard, float64[m, 3]."""
    left: Array
    """Tiles left for the player to draw, float64[m]."""
    melds: Array
    """Melds of the opponents together, float64[m]."""


def opinions(views: Array, chances: Array, values: Array, models: GuobiaoOpponents) -> Opinions:
    """The opinions about some views, from the network's probabilities and the search's values."""
    ready, wins = models.predict(views)
    danger = np.zeros(values.shape)
    danger[:, :NUM_KINDS] = 1.0 - np.prod(1.0 - ready[:, :, None] * wins, axis=1)
    left, melds = views["left"][:, 0].astype(np.float64), views["melds"][:, 1:].sum(1).astype(np.float64)
    chances, values = chances.astype(np.float64), values.astype(np.float64)
    return Opinions(chances, ~np.isnan(values), values, danger, ready, left, melds)


class PointLosses(Fitted):
    """A fitted model of losses."""

    name, version, features = NAME, VERSION, FEATURES

    def losses(self, said: Opinions) -> Array:
        """The loss of every legal choice in points, float64[m, 235]; NaN for illegal ones, zero for the best."""
        costs = np.where(said.legal, features(said) @ self.weights, np.nan)
        return np.asarray(costs - np.nanmin(costs, 1, keepdims=True))


@cache
def shipped() -> PointLosses:
    """The shipped model, loaded once."""
    return PointLosses.load()


def features(said: Opinions) -> Array:
    """The features of every choice, float64[m, 235, FEATURES]; zero for illegal ones."""
    rows, legal, gap = np.arange(len(said.chances)), said.legal, gaps(said)
    values = np.where(legal, said.values, 0.0)
    most = values.max(1, keepdims=True)
    about = np.stack(
        [
            np.minimum(gap, FARTHEST_GAP),
            np.clip(gap - FARTHEST_GAP, 0.0, FARTHEST_GAP),
            most - values,
            np.log((most + LEAST_VALUE) / (values + LEAST_VALUE)),
            said.danger * (situations(legal) == DISCARD)[:, None],
        ],
        2,
    )
    out = np.zeros((*legal.shape, len(SITUATIONS), len(ABOUT)))
    out[rows, :, situations(legal)] = np.where(legal[:, :, None], about, 0.0)
    return out.reshape(*legal.shape, len(FEATURES))


def gaps(said: Opinions) -> Array:
    """The gap of each choice below the most frequent one, float64[m, 235]; at most 27.6."""
    best = np.where(said.legal, said.chances, 0.0).max(1, keepdims=True)
    return np.asarray(np.log(best / np.maximum(said.chances, best * LEAST_SHARE)))


def situations(legal: Array) -> Array:
    """The situation of each decision, int64[m]: a place in `SITUATIONS`."""
    out = np.full(len(legal), DISCARD)
    out[legal[:, act.PASS]] = CALL
    out[legal[:, act.HU]] = WIN
    return out
