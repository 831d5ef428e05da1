"""How a Guobiao hand ends after each choice: win, deal in, draw or another end.

A discard deals in at once with the probability given by the model of opponents. Otherwise the hand goes on, and a
multinomial logit predicts how it ends, from

- the logarithm of the wins within reach after the choice, found by the search;
- the player's remaining draws, alone and times these wins;
- how likely opponents could win now, and their melds;
- the network's gap for the choice, and whether it is a call.

It was fitted to hands between our own players, who deviate at random (`scripts/fit_point_ends.py`). The end after a
win is certain.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from janshi.agents.learned.fitted import Fitted
from janshi.agents.learned.point_losses import FARTHEST_GAP, LEAST_VALUE, Opinions, gaps
from janshi.core.tiles import NUM_KINDS
from janshi.rules.game import Array
from janshi.rules.guobiao import actions as act

NAME: Final = "point_ends"
VERSION: Final = 1
"""Version of the features."""
ENDS: Final = ("win", "lose", "draw", "other")
WIN, LOSE, DRAW, OTHER = range(len(ENDS))
DRAWS: Final = 21.0
"""Roughly the number of a player's draws in a hand."""
FEATURES: Final = (
    *("always", "wins in reach, logarithm", "square above one point", "square below one point"),
    *("draws left", "draws left, squared", "draws left times wins in reach", "no draws left"),
    *("somebody is ready", "ready times draws left", "ready times wins in reach", "the likeliest ready"),
    *("melds of opponents", "gap", "calls", "reaction"),
)


class PointEnds(Fitted):
    """A fitted model of ends."""

    name, version, features = NAME, VERSION, FEATURES

    def check(self, weights: Array) -> None:
        """Weights for each feature and for each end except the last."""
        if weights.shape != (len(FEATURES), OTHER):
            raise ValueError(f"expected weights of {len(FEATURES)} features for {OTHER} ends: {weights.shape}")

    def chances(self, said: Opinions) -> Array:
        """The chance of each of `ENDS` after every choice, float64[m, 235, 4]; NaN for illegal ones."""
        found = later(features(said), self.weights)
        found *= 1.0 - said.danger[:, :, None]
        found[:, :, LOSE] += said.danger
        found[:, act.HU] = np.eye(len(ENDS))[WIN]
        return np.where(said.legal[:, :, None], found, np.nan)


@cache
def shipped() -> PointEnds:
    """The shipped model, loaded once."""
    return PointEnds.load()


def later(about: Array, weights: Array) -> Array:
    """How the hand ends if nobody wins on the discard: float64[..., 4] from features."""
    logits = np.zeros((*about.shape[:-1], len(ENDS)))
    logits[..., :OTHER] = about @ weights
    odds = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(odds / odds.sum(-1, keepdims=True))


def features(said: Opinions) -> Array:
    """The features of every choice, float64[m, 235, FEATURES]; zero for illegal ones."""
    reach = np.log(np.where(said.legal, said.values, 0.0) + LEAST_VALUE)
    actions = np.arange(act.NUM_ACTIONS)
    left, melds = said.left[:, None] / DRAWS, said.melds[:, None]
    ready, most = 1.0 - np.prod(1.0 - said.ready, 1)[:, None], said.ready.max(1)[:, None]
    columns = [
        *(1.0, reach, np.maximum(reach, 0.0) ** 2, np.minimum(reach, 0.0) ** 2),
        *(left, left**2, left * reach, left == 0),
        *(ready, ready * left, ready * reach, most),
        *(melds, np.minimum(gaps(said), FARTHEST_GAP)),
        *((actions >= NUM_KINDS) & (actions < act.HU), said.legal[:, [act.PASS]]),
    ]
    shape = said.legal.shape
    out = np.stack([np.broadcast_to(np.asarray(column, np.float64), shape) for column in columns], 2)
    return np.where(said.legal[:, :, None], out, 0.0)
