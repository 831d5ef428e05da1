"""Final points: ranks, uma and oka of a finished game."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.state import PLAYERS


def ranks(scores: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Rank of each player, 0 for the first; of equal scores the earlier seat is ahead. int[..., 4]."""
    order = np.argsort(-np.asarray(scores), axis=-1, kind="stable")
    return np.argsort(order, axis=-1, kind="stable")


def final_points(scores: npt.ArrayLike, rules: Ruleset) -> npt.NDArray[np.float64]:
    """Final points in thousands, which sum to zero: scores from the base, uma by rank, oka to the first. float[..., 4].

    With `shared_ranks`, players of equal scores share the bonuses of the ranks they fill.
    """
    scores = np.asarray(scores)
    bonus = np.array(rules.uma, np.float64)
    base = rules.target_points if rules.oka else rules.starting_points
    if rules.oka:
        bonus[0] += PLAYERS * (rules.target_points - rules.starting_points) / 1000
    rank = ranks(scores)
    earned = bonus[rank]
    if rules.shared_ranks:
        same = scores[..., :, None] == scores[..., None, :]
        earned = (same * earned[..., None, :]).sum(-1) / same.sum(-1)
    return np.asarray((scores - base) / 1000 + earned)
