"""M_fold: a folded hand discards its tiles in the order that loses least; solved in closed form (eq. 11-15).

A kind is dangerous only the first time it is discarded. After each discard another player wins with probability
`OTHERS_WIN`. The best order of discards is ascending in

    f(h) = P(h) (U_other - U_lose(h)) / (1 - (1 - P(h)) (1 - alpha)^n_h)
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core._jit import kernel
from janshi.core.tiles import COPIES, NUM_KINDS

OTHERS_WIN: Final = 0.1
"""The paper's alpha."""
STAYS: Final = np.array([(1.0 - OTHERS_WIN) ** n for n in range(COPIES + 1)])


class Folding(NamedTuple):
    """The result of folding."""

    worth: float
    """Expected worth (eq. 13)."""
    lose: float
    """Chance of dealing in (eq. 14)."""
    lose_worth: float
    """Average worth of dealing in, times that chance (eq. 15)."""


@kernel
def order_of(lose: float, harm: float, count: int) -> float:
    """f(h) of eq. (12): `lose` is a kind's chance of dealing in, `harm` that chance times how much worse that is."""
    return float(harm / max(1e-12, 1.0 - (1.0 - lose) * STAYS[count]))


@kernel
def fold_counts(counts: Any, lose: Any, lose_worth: Any, safe: float, turns: int) -> Folding:
    """Fold a hand of counts (int8[34]) for at most `turns` discards; `safe` is the worth of not dealing in.

    `lose` is each kind's chance of dealing in, `lose_worth` that chance times its worth.
    """
    kinds, keys, held = np.empty(16, np.int64), np.empty(16, np.float64), 0
    for kind in range(NUM_KINDS):
        count = int(counts[kind])
        if count == 0:
            continue
        key = order_of(lose[kind], lose[kind] * safe - lose_worth[kind], count)
        at = held
        while at > 0 and keys[at - 1] > key:
            keys[at], kinds[at] = keys[at - 1], kinds[at - 1]
            at -= 1
        keys[at], kinds[at] = key, kind
        held += 1
    return walk(kinds, held, counts, lose, lose_worth, safe, turns)


@kernel
def walk(kinds: Any, held: int, counts: Any, lose: Any, lose_worth: Any, safe: float, turns: int) -> Folding:
    """Discard kinds in a given order."""
    stays, lost, lost_worth, made = 1.0, 0.0, 0.0, 0
    for i in range(held):
        if made >= turns:
            break
        kind = kinds[i]
        lost += stays * lose[kind]
        lost_worth += stays * lose_worth[kind]
        stays *= (1.0 - lose[kind]) * STAYS[counts[kind]]
        made += int(counts[kind])
    return Folding(lost_worth + (1.0 - lost) * safe, lost, lost_worth)
