"""Hands as chains of draws, and the kernel that sums the players' changes from each decision to the end."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from janshi.core._jit import kernel
from janshi.rules.game import Array
from janshi.rules.riichi.state import PLAYERS


class Luck(NamedTuple):
    """The values of all draws of some hands, in places by absolute seat; draws sorted by hand."""

    order: Array
    """Numbers of the draws, sorted by hand and then by time, int64[n]."""
    first: Array
    """Where each hand's draws begin, int64[hands + 1]; hands are in the order of `Hands.ends`."""
    after: Array
    """Expected places after the drawn tile, float32[n, 4]."""
    before: Array
    """The mean over all tiles that could have come, float32[n, 4]."""


class Results(NamedTuple):
    """Results of hands in places by absolute seat, float64[hands, 4]."""

    start: Array
    end: Array
    """Expected places after the hand; exact when the game is over."""
    expected: Array
    """The same, averaged over the ura indicators that could have been turned."""


class Decided(NamedTuple):
    """The decisions of some hands."""

    order: Array
    """Numbers of the decisions, sorted by hand and then by time, int64[n]."""
    first: Array
    """Where each hand's decisions begin among them, int64[hands + 1]."""
    seat: Array
    """Who decides, int64[n]."""
    draws: Array
    """Number of draws in the hand before the decision, at least one, int64[n]."""
    term: Array
    """Luck of the sampled action, float32[n]."""


@kernel
def add_up(luck: Luck, results: Results, decided: Decided, trace: float, plain: bool, out: Array) -> None:
    """Go through each hand backwards and write advantages, float32[n, 4]: traced, whole, plain, value.

    The luck of an action counts for all earlier decisions: in full for its player, and minus a third of it for each
    other player, so that places still sum to zero.
    """
    traced, total, lucky = np.zeros(PLAYERS), np.zeros(PLAYERS), np.zeros(PLAYERS)
    for hand in range(len(decided.first) - 1):
        last = luck.first[hand + 1] - 1
        i = decided.first[hand + 1] - 1
        for p in range(PLAYERS):
            total[p] = results.expected[hand, p] - luck.after[last, p]
            lucky[p] = results.end[hand, p] - luck.after[last, p]
            traced[p] = lucky[p] if plain else total[p]
        for j in range(last, luck.first[hand] - 1, -1):
            number = j - luck.first[hand]
            while i >= decided.first[hand] and decided.draws[decided.order[i]] - 1 == number:
                row = decided.order[i]
                seat, term = decided.seat[row], decided.term[row]
                out[row, 0] = traced[seat]
                out[row, 1] = total[seat]
                out[row, 2] = lucky[seat]
                out[row, 3] = luck.after[j, seat]
                for p in range(PLAYERS):
                    part = term if p == seat else -term / (PLAYERS - 1)
                    total[p] -= part
                    if not plain:
                        traced[p] -= part
                i -= 1
            if number > 0:
                for p in range(PLAYERS):
                    played = luck.before[j, p] - luck.after[j - 1, p]
                    came = luck.after[j, p] - luck.before[j, p]
                    total[p] += played
                    lucky[p] += played + came
                    traced[p] = trace * traced[p] + played + (came if plain else 0.0)
