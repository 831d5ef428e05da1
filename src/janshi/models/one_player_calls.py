"""Calls of one-player mahjong: whether an expert would chi, pon or pass, by sums of weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core._jit import kernel
from janshi.features.calling import LAYOUT, list_call, look_before
from janshi.models.linear import margin
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.policies import Question, allows

SIZE = LAYOUT.size


@kernel
def may_call(q: Question) -> bool:
    """Whether a chi or pon is offered."""
    return (q.low >> act.CHI) & ((1 << (act.OPEN_KAN - act.CHI)) - 1) != 0


@kernel
def best_call(v: Any, q: Question, weights: Any, s: Any, t: Any, x: Any, c: Any) -> tuple[int, Any]:
    """The call with the highest value, or PASS if none is above 0, and that value.

    v: a view of a player who is offered chi or pon; weights: float32[SIZE]; s, x, c: SITUATION_DTYPE, WEIGHING_DTYPE
    and CALLING_DTYPE, scratch space; t: the shanten tables.
    """
    look_before(v, s, t, x, c)
    best: Any = act.PASS
    most: Any = np.float32(0)
    for action in range(act.CHI, act.OPEN_KAN):
        if allows(q, action):
            value = margin(c.list, list_call(v, action, s, t, x, c), weights)
            if value > most:
                best, most = action, value
    return best, most
