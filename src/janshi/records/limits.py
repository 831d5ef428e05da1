"""Bounds of numbers in records, and the limit of a win by its han and fu, for formats that do not name it."""

from __future__ import annotations

from typing import Final

from janshi.rules.riichi.points import BAIMAN, COUNTED_YAKUMAN, HANEMAN, MANGAN, MANGAN_BASE, NO_LIMIT, SANBAIMAN

YAKUMAN_LIMIT: Final = COUNTED_YAKUMAN
"""The number of a yakuman in records, counted or not."""
_LEAST_HAN: Final = ((13, COUNTED_YAKUMAN), (11, SANBAIMAN), (8, BAIMAN), (6, HANEMAN), (5, MANGAN))
MOST_FU: Final = 1000
LAST_ROUND: Final = 15
"""North 4."""
MOST_COUNTERS: Final = 100
"""The most honba, and the most riichi sticks on the table, that a hand can begin with."""


def limit_number(han: int, fu: int) -> int:
    """0 none, 1 mangan .. 4 sanbaiman, 5 yakuman: without rounding up to a mangan.

    >>> limit_number(4, 30), limit_number(4, 40), limit_number(13, 30)
    (0, 1, 5)
    """
    for least, limit in _LEAST_HAN:
        if han >= least:
            return limit
    return MANGAN if fu > MOST_FU or fu << (2 + han) > MANGAN_BASE else NO_LIMIT
