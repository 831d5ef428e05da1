"""Stopping a match as soon as it is decided: Wald's sequential probability ratio test.

H0: the mean of wall-set values is m0; H1: it is m1. Their variance is unknown and takes its most likely value under
each hypothesis (a generalised SPRT, as used to test chess engines), so that with n wall sets of mean x̄ and
variance s² (dividing by n)

    LLR = n/2 · log( (s² + (x̄ - m0)²) / (s² + (x̄ - m1)²) )  ≈  n (m1 - m0) (x̄ - (m0 + m1)/2) / s².

The test ends when the LLR leaves (log(β/(1-α)), log((1-β)/α)). It assumes only that the mean of several games is
nearly normal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, log
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from janshi.arena.plan import Plan
from janshi.arena.results import Results
from janshi.arena.stats import Floats, Numbers, one_column, wall_means
from janshi.arena.summary import split_baseline, values_of

if TYPE_CHECKING:
    from janshi.arena.match import Stopping

Decision = Literal["continue", "accept H0", "accept H1"]
LEAST: Final = 30
"""Wall sets before the first decision: until then the spread is hardly known."""


def log_likelihood_ratio(count: Numbers, mean: Numbers, variance: Numbers, m0: float, m1: float) -> Floats:
    """LLR of H1 against H0, for numbers or whole arrays; `variance` divides by the count."""
    n, x, s = (np.asarray(part, np.float64) for part in (count, mean, variance))
    under_h0, under_h1 = s + (x - m0) ** 2, s + (x - m1) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = n / 2 * (np.log(under_h0) - np.log(under_h1))
    return np.where(n > 0, ratio, 0.0)


@dataclass(frozen=True, slots=True)
class Sprt:
    """A running test: each batch of values gives a new state. A decision, once made, stays.

    >>> test = Sprt(m0=0.0, m1=1.0, least=4).update([1.1, 0.9, 1.2, 0.8])
    >>> test.decision
    'accept H1'
    """

    m0: float
    m1: float
    alpha: float = 0.05
    """Maximum probability of accepting H1 when the mean is m0."""
    beta: float = 0.05
    """Maximum probability of accepting H0 when the mean is m1."""
    least: int = LEAST
    """Number of wall sets before the first decision."""
    count: int = 0
    mean: float = 0.0
    squares: float = 0.0
    """Sum of squared deviations from the mean."""
    decision: Decision = "continue"

    def __post_init__(self) -> None:
        if self.m0 == self.m1:
            raise ValueError(f"the two hypotheses must differ, got m0 = m1 = {self.m0}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"alpha and beta lie between 0 and 0.5, got {self.alpha} and {self.beta}")
        if self.least < 2:
            raise ValueError(f"the spread needs at least 2 wall sets, got least = {self.least}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR at or below the first accepts H0, at or above the second H1."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    @property
    def llr(self) -> float:
        """The log likelihood ratio of the values so far."""
        if self.count == 0:
            return 0.0
        return float(log_likelihood_ratio(self.count, self.mean, self.squares / self.count, self.m0, self.m1))

    def update(self, values: Numbers) -> Sprt:
        """Add the values of further whole wall sets (see `wall_means`) and look once, after all of them."""
        batch = one_column("values", values)
        if not np.isfinite(batch).all():
            raise ValueError("a sequential test takes finished wall sets only: a value is NaN or infinite")
        if len(batch) == 0:
            return self
        count, middle = self.count + len(batch), float(batch.mean())
        step = middle - self.mean
        squares = self.squares + float(((batch - middle) ** 2).sum()) + step**2 * self.count * len(batch) / count
        grown = replace(self, count=count, mean=self.mean + step * len(batch) / count, squares=squares)
        return grown if self.decision != "continue" else replace(grown, decision=grown._decide())

    def _decide(self) -> Decision:
        """The decision at the current bounds."""
        if self.count < self.least:
            return "continue"
        low, high = self.bounds
        llr = self.llr
        return "accept H1" if llr >= high else "accept H0" if llr <= low else "continue"


def expected_walls(test: Sprt, mean: float, deviation: float) -> float:
    """Expected number of wall sets for a true mean and standard deviation (Wald's formulas, approximate)."""
    if deviation <= 0:
        raise ValueError(f"the standard deviation of wall-set values must be positive, got {deviation}")
    low, high = test.bounds
    drift = (test.m1 - test.m0) * (mean - (test.m0 + test.m1) / 2) / deviation**2
    spread = ((test.m1 - test.m0) / deviation) ** 2
    bend = -2 * drift / spread
    if abs(bend * max(high, -low)) < 1e-6:
        return max(-low * high / spread, test.least) if spread > 0 else inf
    # the probability of leaving at the top solves E exp(bend · LLR) = 1
    top = (1 - np.exp(bend * low)) / (np.exp(bend * high) - np.exp(bend * low))
    return max(float(top * high + (1 - top) * low) / drift, float(test.least))


def stop_by_rank(plan: Plan, who: int, m0: float, m1: float, alpha: float = 0.05, beta: float = 0.05) -> Stopping:
    """A rule that ends a match once the test has decided whether a contestant's average rank is m0 or m1."""
    test = Sprt(m0, m1, alpha, beta)

    def enough(results: Results) -> bool:
        measured, _ = split_baseline(results, plan)
        values = wall_means(values_of(measured, measured.ranks, who), measured.wall)
        return test.update(values[~np.isnan(values)]).decision != "continue"

    return enough
