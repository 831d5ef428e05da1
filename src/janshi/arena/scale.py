"""One scale of strength from matches of a player against copies of another.

In the Plackett-Luce model a player of log strength θ finishes ahead of one of φ with probability 1 / (1 + e^(φ - θ)),
regardless of who else is at the table. So the average rank of one player among `others` equal opponents is
1 + others · P(behind one of them), and gives the difference θ - φ. Least squares, weighted by the intervals of the
ranks, put all players on one scale, in Elo points above a player that is the scale's origin.

    L. Luce (1959), R. Plackett (1975); `arena.ratings.plackett_luce` fits the same model to single games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

import numpy as np

from janshi.arena.ratings import ELO

NORMAL: Final = 1.959964
"""Standard errors in half of a 95 % interval."""
EDGE: Final = 0.005
"""Minimum distance of chances from 0 and 1: beyond it, an average rank only means "much stronger"."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """One player against copies of another: average rank with half of its 95 % interval, at tables of `players`."""

    player: str
    against: str
    rank: float
    half: float
    players: int = 4


@dataclass(frozen=True, slots=True)
class Rated:
    """A player on the scale, with a 95 % interval; the origin has none."""

    value: float
    low: float
    high: float


def ahead(rating: float, other: float) -> float:
    """The chance to finish ahead of a player with another rating."""
    return float(1 / (1 + np.exp((other - rating) / ELO)))


def rate(meetings: Sequence[Meeting], origin: str, at: float = 1000.0) -> dict[str, Rated]:
    """Ratings of all players that a chain of meetings connects with `origin`, which is rated `at`."""
    linked = _linked(meetings, origin)
    used = [one for one in meetings if one.player in linked and one.player != one.against]
    names = sorted(linked - {origin})
    if not used:
        return {origin: Rated(at, at, at)}
    column = {name: i for i, name in enumerate(names)}
    design = np.zeros((len(used), len(names)))
    seen = np.zeros(len(used))
    for row, one in enumerate(used):
        seen[row], error = _difference(one)
        if one.player in column:
            design[row, column[one.player]] = 1 / error
        if one.against in column:
            design[row, column[one.against]] = -1 / error
        seen[row] /= error
    covariance = np.linalg.pinv(design.T @ design)
    theta = covariance @ design.T @ seen
    half = NORMAL * np.sqrt(np.diag(covariance))
    found = {
        name: Rated(at + ELO * theta[i], at + ELO * (theta[i] - half[i]), at + ELO * (theta[i] + half[i]))
        for name, i in column.items()
    }
    return {origin: Rated(at, at, at)} | {name: _plain(one) for name, one in found.items()}


def _plain(one: Rated) -> Rated:
    return Rated(float(one.value), float(one.low), float(one.high))


def _difference(one: Meeting) -> tuple[float, float]:
    """The difference of log strengths of a meeting, and its standard error (delta method)."""
    others = one.players - 1
    chance = min(1 - EDGE, max(EDGE, 1 - (one.rank - 1) / others))
    error = max(one.half, 1e-6) / NORMAL / others / (chance * (1 - chance))
    return log(chance / (1 - chance)), max(error, sqrt(EDGE) * 1e-3)


def _linked(meetings: Sequence[Meeting], origin: str) -> set[str]:
    found = {origin}
    while True:
        more = {
            name
            for one in meetings
            if {one.player, one.against} & found
            for name in (one.player, one.against)
            if name not in found
        }
        if not more:
            return found
        found |= more
