"""Ending a match early: a sequential test on the wall sets in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from janshi.arena.plan import Plan
from janshi.arena.results import Results
from janshi.arena.sprt import Sprt
from janshi.arena.stats import wall_means
from janshi.arena.summary import split_baseline, values_of

if TYPE_CHECKING:
    from janshi.arena.match import Stopping


def stop_by_rank(plan: Plan, who: int, m0: float, m1: float, alpha: float = 0.05, beta: float = 0.05) -> Stopping:
    """Stops once the test has decided whether a contestant's average rank is m0 or m1."""
    test = Sprt(m0, m1, alpha, beta)

    def enough(results: Results) -> bool:
        return rank_test(results, plan, who, test).decision != "continue"

    return enough


def rank_test(results: Results, plan: Plan, who: int, test: Sprt) -> Sprt:
    """The test after the given wall sets, all of them whole."""
    measured, _ = split_baseline(results, plan)
    values = wall_means(values_of(measured, measured.ranks, who), measured.wall)
    return test.update(values[~(values != values)])
