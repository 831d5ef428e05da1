"""The most probable choice, counting a discard of the drawn tile and of an equal tile from the hand as one.

Which of two equal tiles to discard is a matter of habit. Because experts are split between the two, neither may be the
most frequent action even though their tile is the most frequent discard.
"""

from __future__ import annotations

import numpy as np

from janshi.rules.game import Array
from janshi.rules.riichi.actions import TSUMOGIRI


def most_probable(chances: Array, drawn: Array) -> Array:
    """The most probable action of each row, int64[m].

    chances: probability of each action, float[m, num_actions].
    drawn: the drawn tile of each decision, int[m]; negative without one.
    """
    rows = np.flatnonzero(drawn >= 0)
    tiles = drawn[rows].astype(np.int64)
    from_hand, as_drawn = chances[rows, tiles], chances[rows, TSUMOGIRI]
    joined = chances.copy()
    joined[rows, tiles] = np.where(from_hand > as_drawn, from_hand + as_drawn, 0)
    joined[rows, TSUMOGIRI] = np.where(from_hand > as_drawn, 0, from_hand + as_drawn)
    return np.asarray(joined.argmax(1), np.int64)
