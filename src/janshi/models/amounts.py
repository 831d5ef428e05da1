"""Amounts: the base points used in distributions of payments.

Real base points are multiples of 80 below mangan, and the limits above. A value between two of these amounts is split
between them so that its mean is kept, like linear interpolation between tabulated wins.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel

BASES: Final = np.array([240, 400, 640, 960, 1280, 1920, 2000, 3000, 4000, 6000, 8000, 16000], np.float64)
"""Base points for which wins are tabulated."""
AMOUNTS: Final = len(BASES)
MANGAN_BASE: Final = 2000
BASE_STEP: Final = 80
"""Base points below mangan are multiples of this."""
RON_SHARES: Final = (4, 6)
"""Base points that a discarder pays to a non-dealer and to a dealer."""


@kernel
def spread(base: float, weight: float, out: Any) -> None:
    """Add a weight to the amounts (float[AMOUNTS]) nearest to these base points, keeping their mean."""
    if base <= BASES[0]:
        out[0] += weight
        return
    for i in range(1, AMOUNTS):
        if base <= BASES[i]:
            share = (base - BASES[i - 1]) / (BASES[i] - BASES[i - 1])
            out[i - 1] += weight * (1.0 - share)
            out[i] += weight * share
            return
    out[AMOUNTS - 1] += weight


def base_of(payments: npt.NDArray[Any], dealer: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Base points of rons from their payments (without honba and sticks) to dealers and others."""
    exact = payments / np.where(dealer, RON_SHARES[1], RON_SHARES[0])
    return np.asarray(np.where(exact < MANGAN_BASE, np.floor(exact / BASE_STEP) * BASE_STEP, exact))


def shares(bases: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float32]:
    """Base points as distributions over the amounts, float32[n, AMOUNTS]."""
    out = np.zeros((len(bases), AMOUNTS), np.float32)
    for row, base in zip(out, bases):
        spread(float(base), 1.0, row)
    return out
