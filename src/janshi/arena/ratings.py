"""Ratings of a tournament in which not everybody meets everybody.

There are two. `openskill_ratings` is the running rating known from ladders: it depends on the order of games
and treats them as independent. `plackett_luce` finds the strengths that best explain all results, in any order,
with standard errors clustered by wall set: report this one.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import Any, Final

import numpy as np

from janshi.arena.stats import (
    LEVEL,
    Estimate,
    Floats,
    Ints,
    Numbers,
    cluster_index,
    cluster_sums,
    need_walls,
    t_quantile,
)

ELO: Final = 400 / log(10)
"""Elo points per unit of log strength."""
STEPS: Final = 100
CLOSE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Rating:
    """A running rating by openskill."""

    contestant: int
    mu: float
    sigma: float
    ordinal: float
    """mu - 3 sigma: a cautious estimate of the contestant's skill."""
    games: int


def openskill_ratings(ranks: Numbers) -> list[Rating]:
    """Rate contestants by openskill's Plackett-Luce model, game after game: ranks (games, contestants), NaN if absent.

    Only the order within a game counts; a contestant with several seats enters once, with their mean rank. Games with
    fewer than two contestants are skipped.
    """
    from openskill.models import PlackettLuce

    table = _rank_table(ranks)
    model: Any = PlackettLuce()
    ratings = [model.rating() for _ in range(table.shape[1])]
    games = np.zeros(table.shape[1], int)
    for game in table:
        present = np.flatnonzero(~np.isnan(game))
        if len(present) < 2:
            continue
        rated = model.rate([[ratings[k]] for k in present], ranks=[float(game[k]) for k in present])
        games[present] += 1
        for k, (new,) in zip(present, rated):
            ratings[k] = new
    return [Rating(k, r.mu, r.sigma, r.ordinal(), int(games[k])) for k, r in enumerate(ratings)]


@dataclass(frozen=True, slots=True)
class Strengths:
    """Plackett-Luce log strengths of contestants, which sum to zero, and how well they are known."""

    theta: Floats
    covariance: Floats
    walls: int
    games: Ints
    """Games of each contestant."""

    def estimates(self, level: float = LEVEL) -> list[Estimate]:
        """Each strength, relative to the mean of all."""
        return [self._estimate(k, np.eye(len(self.theta))[k], level) for k in range(len(self.theta))]

    def against(self, anchor: int, level: float = LEVEL) -> list[Estimate]:
        """Each strength minus that of one contestant, whose own is exactly zero."""
        unit = np.eye(len(self.theta))
        return [self._estimate(k, unit[k] - unit[anchor], level) for k in range(len(self.theta))]

    def _estimate(self, who: int, weights: Floats, level: float) -> Estimate:
        value = float(weights @ self.theta)
        error = sqrt(max(float(weights @ self.covariance @ weights), 0.0))
        reach = t_quantile(level, self.walls) * error
        return Estimate(value, value - reach, value + reach, error, level, self.walls, int(self.games[who]))


def plackett_luce(ranks: Numbers, wall: Numbers | None = None, level: float = LEVEL) -> list[Estimate]:
    """Log strengths of contestants relative to their mean, with intervals: see `fit_strengths`."""
    return fit_strengths(ranks, wall).estimates(level)


def fit_strengths(ranks: Numbers, wall: Numbers | None = None) -> Strengths:
    """Log strengths θ by maximum likelihood: ranks (games, contestants), NaN if absent; they sum to zero.

    The winner of a game is k with probability e^θk / Σ e^θ, then the next among the rest, and so on. Shared ranks
    count as if each of those sharing came first among them (Breslow). Errors are sandwich errors, clustered by wall set
    (by game without `wall`). Times `ELO` they are Elo points. Raises ValueError if no finite answer exists, as
    when somebody won every game.
    """
    table = _rank_table(ranks)
    table = table[(~np.isnan(table)).sum(axis=1) >= 2] if wall is None else table
    index, walls = cluster_index(np.arange(len(table)) if wall is None else wall)
    if len(index) != len(table):
        raise ValueError(f"wall must be one number for each of the {len(table)} games, got {len(index)}")
    need_walls(walls)
    _check_connected(table)
    slots, at_risk = _games(table)
    theta = _newton(slots, at_risk, table.shape[1])
    scores, information = _derivatives(theta, slots, at_risk)
    per_wall = cluster_sums(scores, index, walls)
    bread = np.linalg.pinv(information, rcond=CLOSE, hermitian=True)
    variance = bread @ (per_wall.T @ per_wall) @ bread * walls / (walls - 1)
    return Strengths(theta, variance, walls, (~np.isnan(table)).sum(axis=0))


def _rank_table(ranks: Numbers) -> Floats:
    """Check the shape of ranks."""
    table = np.asarray(ranks, np.float64)
    if table.ndim != 2 or table.shape[1] < 2:
        raise ValueError(f"ranks must be (games, contestants) with two contestants or more, got shape {table.shape}")
    return table


def _check_connected(table: Floats) -> None:
    """Raise if a group of contestants never lost to the others, or never met them."""
    from scipy.sparse.csgraph import connected_components

    beat = (table[:, :, None] < table[:, None, :]).any(axis=0) | (table[:, :, None] == table[:, None, :]).any(axis=0)
    groups, label = connected_components(beat, directed=True, connection="strong")
    if groups > 1:
        parts = "; ".join(str(np.flatnonzero(label == g).tolist()) for g in range(groups))
        raise ValueError(
            "no finite strengths: between these groups of contestants one side won every game, "
            f"or they never met: {parts}"
        )


def _games(table: Floats) -> tuple[Ints, Floats]:
    """Contestants (games, slots) of each game, -1 for none, and who was still in when each took their rank."""
    seats = int((~np.isnan(table)).sum(axis=1).max())
    order = np.argsort(table, axis=1, kind="stable")[:, :seats]  # NaN comes last
    places = np.take_along_axis(table, order, axis=1)
    present = ~np.isnan(places)
    at_risk = (places[:, None, :] >= places[:, :, None]) & present[:, None, :] & present[:, :, None]
    return np.where(present, order, -1).astype(np.intp), at_risk.astype(np.float64)


def _derivatives(theta: Floats, slots: Ints, at_risk: Floats) -> tuple[Floats, Floats]:
    """Score of each game (games, contestants) and the information matrix."""
    contestants = len(theta)
    present = slots >= 0
    weights = at_risk * np.where(present, np.exp(theta[slots]), 0.0)[:, None, :]
    total = weights.sum(axis=2, keepdims=True)
    chance = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)  # (games, stage, slot)
    rows = np.nonzero(present)
    scores = np.zeros((len(slots), contestants))
    scores[rows[0], slots[rows]] = (1 - chance.sum(axis=1))[rows]
    expected = np.bincount(slots[rows], chance.sum(axis=1)[rows], contestants)
    both = np.einsum("gij,gik->gjk", chance, chance)
    pairs = np.where(present[:, :, None] & present[:, None, :], slots[:, :, None] * contestants + slots[:, None, :], 0)
    cross = np.bincount(pairs.ravel(), both.ravel(), contestants**2).reshape(contestants, contestants)
    information = np.diag(expected).astype(np.float64) - cross
    return scores, information


def _newton(slots: Ints, at_risk: Floats, contestants: int) -> Floats:
    """Maximise the likelihood; it has one maximum if the contestants are connected."""
    theta: Floats = np.zeros(contestants)
    for _ in range(STEPS):
        scores, information = _derivatives(theta, slots, at_risk)
        step = np.linalg.pinv(information, rcond=CLOSE, hermitian=True) @ scores.sum(axis=0)
        theta = theta + step / max(1.0, float(np.abs(step).max()))
        theta -= theta.mean()
        if np.abs(step).max() < CLOSE:
            return theta
    raise ValueError("the strengths did not converge: too few games for this many contestants")
