"""Features of the standings before a hand: pairs of players and their scores.

Differences of scores are encoded with *hats*: each of a row of knots has a feature that is 1 at the knot and falls to
0 at its neighbours, so that the weights form a piecewise linear function. Unlike elsewhere, features have values here.
Seats count only by their distance from the dealer, and hands by how many are left.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.features.layout import Layout
from janshi.rules.riichi.state import PLAYERS

VERSION: Final = 1
"""Changes when the meaning of a feature number does."""

_HALF: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 24, 28, 32, 40, 50)
KNOTS: Final = 1000.0 * np.array([*(-x for x in reversed(_HALF)), 0, *_HALF])
"""Knots of differences of scores."""
_COARSE: Final = (2, 4, 8, 12, 16, 24, 40)
COARSE: Final = 1000.0 * np.array([*(-x for x in reversed(_COARSE)), 0, *_COARSE])
"""Fewer knots, for quantities with less influence."""
SCORES: Final = 1000.0 * np.array([0, 3, 8, 13, 18, 25, 32, 40, 55])
"""Knots of a player's own score."""

HANDS_LEFT: Final = 9
"""0 for extra rounds, then from 1 (the last regular hand) to 8 or more."""
STAGES: Final = 3
COUNTED: Final = 4

LAYOUT: Final = Layout()
DIFFERENCE: Final = LAYOUT.add("difference", "scores", left=HANDS_LEFT, knot=len(KNOTS))
DEALING: Final = LAYOUT.add("difference and dealer", "dealer", left=HANDS_LEFT, dealer=3, knot=len(COARSE))
PLACES: Final = LAYOUT.add("distances from the dealer", "dealer", left=HANDS_LEFT, one=PLAYERS, other=PLAYERS)
STICKS: Final = LAYOUT.add("difference and sticks", "sticks", stage=STAGES, sticks=COUNTED, knot=len(COARSE))
HONBA: Final = LAYOUT.add("difference and honba", "honba", stage=STAGES, honba=COUNTED, knot=len(COARSE))
OWN: Final = LAYOUT.add("score and rank", "scores", left=HANDS_LEFT, rank=PLAYERS, knot=len(SCORES))

MOST: Final = 12
"""Longest list."""


@kernel
def add_hat(x: float, knots: Any, first: int, features: Any, values: Any, n: int) -> int:
    """List the one or two hats that cover a value; returns the place after the last."""
    last = len(knots) - 1
    if x <= knots[0] or x >= knots[last]:
        features[n], values[n] = first + (0 if x <= knots[0] else last), 1.0
        return n + 1
    at = np.searchsorted(knots, x)
    share = (x - knots[at - 1]) / (knots[at] - knots[at - 1])
    features[n], values[n] = first + at - 1, 1.0 - share
    features[n + 1], values[n + 1] = first + at, share
    return n + 2


@kernel
def hands_left(kyoku: int, rounds: int) -> int:
    """Hands from this one to the last regular one, at most 8; 0 in extra rounds."""
    return min(max(PLAYERS * rounds - kyoku, 0), HANDS_LEFT - 1)


@kernel
def list_pair(
    scores: Any, one: int, other: int, dealer: int, left: int, honba: int, sticks: int, features: Any, values: Any
) -> int:
    """List the features for `one` finishing above `other` into int32[MOST] and float64[MOST]; returns how many."""
    apart = float(scores[one]) - float(scores[other])
    stage = 0 if left <= 1 else 1 if left <= 3 else 2
    dealing = 1 if one == dealer else 2 if other == dealer else 0
    place, other_place = (one + PLAYERS - dealer) % PLAYERS, (other + PLAYERS - dealer) % PLAYERS
    n = add_hat(apart, KNOTS, DIFFERENCE + left * len(KNOTS), features, values, 0)
    n = add_hat(apart, COARSE, DEALING + (left * 3 + dealing) * len(COARSE), features, values, n)
    features[n], values[n] = PLACES + (left * PLAYERS + place) * PLAYERS + other_place, 1.0
    n += 1
    if sticks:
        first = STICKS + (stage * COUNTED + min(sticks, COUNTED - 1)) * len(COARSE)
        n = add_hat(apart, COARSE, first, features, values, n)
    if honba:
        first = HONBA + (stage * COUNTED + min(honba, COUNTED - 1)) * len(COARSE)
        n = add_hat(apart, COARSE, first, features, values, n)
    return n


@kernel
def list_rank(score: float, rank: int, left: int, features: Any, values: Any) -> int:
    """List the features for a player with this score finishing at a rank (0 to 3); returns how many."""
    return add_hat(score, SCORES, OWN + (left * PLAYERS + rank) * len(SCORES), features, values, 0)
