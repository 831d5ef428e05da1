"""The kernel that adds up what players changed from each decision to the end of its hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core._jit import kernel
from janshi.rules.riichi.state import PLAYERS


@kernel
def add_up(
    draw_first: Any,
    after: Any,
    before: Any,
    end: Any,
    expected: Any,
    first: Any,
    rows: Any,
    seats: Any,
    draws: Any,
    terms: Any,
    trace: float,
    plain: bool,
    out: Any,
) -> None:
    """Go through each hand backwards and write advantages, float32[n, 4]: traced, whole, plain, value.

    The luck of an action counts for all decisions before it: for its player as it is, for each other a third of it
    with the other sign, so that places still sum to zero.
    """
    traced, total, lucky = np.zeros(PLAYERS), np.zeros(PLAYERS), np.zeros(PLAYERS)
    for hand in range(len(first) - 1):
        last = draw_first[hand + 1] - 1
        i = first[hand + 1] - 1
        for p in range(PLAYERS):
            total[p] = expected[hand, p] - after[last, p]
            lucky[p] = end[hand, p] - after[last, p]
            traced[p] = lucky[p] if plain else total[p]
        for j in range(last, draw_first[hand] - 1, -1):
            number = j - draw_first[hand]
            while i >= first[hand] and draws[rows[i]] - 1 == number:
                row = rows[i]
                seat, term = seats[row], terms[row]
                out[row, 0] = traced[seat]
                out[row, 1] = total[seat]
                out[row, 2] = lucky[seat]
                out[row, 3] = after[j, seat]
                for p in range(PLAYERS):
                    part = term if p == seat else -term / (PLAYERS - 1)
                    total[p] -= part
                    if not plain:
                        traced[p] -= part
                i -= 1
            if number > 0:
                for p in range(PLAYERS):
                    played = before[j, p] - after[j - 1, p]
                    came = after[j, p] - before[j, p]
                    total[p] += played
                    lucky[p] += played + came
                    traced[p] = trace * traced[p] + played + (came if plain else 0.0)
