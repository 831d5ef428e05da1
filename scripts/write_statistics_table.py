"""Test the arena's statistics on simulated matches with known truth, and write the results into docs/evaluation.md.

python scripts/write_statistics_table.py                 # 10,000 matches a row, a few minutes
python scripts/write_statistics_table.py --repeats 500   # a rough look, printed only
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from math import sqrt
from pathlib import Path

import numpy as np
from rich.progress import Progress

from _page import stamp, table, this_machine, write_between
from janshi.arena.control import controlled_mean
from janshi.arena.duplicate import difference, gain_bootstrap, gain_interval
from janshi.arena.known_truth import PERMUTATIONS, ROTATIONS, SAME_SEAT, Matches, coverage, simulate, sprt_rates
from janshi.arena.ratings import plackett_luce
from janshi.arena.sample_size import walls_to_detect
from janshi.arena.sprt import Sprt
from janshi.arena.stats import Estimate, mean, rate, ratio

PAGE = Path(__file__).resolve().parent.parent / "docs" / "evaluation.md"
BEGIN, END = "<!-- known truth: begin -->", "<!-- known truth: end -->"
REPEATS = 10_000
STRENGTHS = (0.4, 0.1, -0.2, -0.3)
LUCK = 0.6
LARGE = 200_000
"""Wall sets of the long match that serves as the truth where there is no formula."""
SEED = 2026

Row = list[str]
Job = Callable[[int], Row]


def percent(share: float) -> str:
    """A share in per cent with one decimal."""
    return f"{100 * share:.1f} %"


# --- coverage


def covered(name: str, match: str, walls: int, truth: float, found: Callable[[int], Estimate], repeats: int) -> Row:
    """Row of an estimator without a naive counterpart."""
    return [name, match, str(walls), percent(coverage(found, truth, repeats)), ""]


def rank_row(name: str, walls: int, seats: np.ndarray, lost: float = 0.0) -> Job:
    """Coverage of the average rank, and of an interval that treats games as independent."""

    def job(repeats: int) -> Row:
        match = simulate(repeats, walls, seats, STRENGTHS, LUCK, SEED)
        gone = np.random.default_rng(SEED).random(match.ranks.shape[:2]) < lost
        ranks = np.where(gone, np.nan, match.ranks[:, :, 0])
        games = np.arange(ranks.shape[1])
        row = covered("average rank", name, walls, match.truth[0], lambda r: mean(ranks[r], match.wall), repeats)
        return [*row[:-1], percent(coverage(lambda r: mean(ranks[r], games), match.truth[0], repeats))]

    return job


def difference_row(name: str, walls: int, seats: np.ndarray) -> Job:
    """Coverage of the difference of average ranks at one table."""

    def job(repeats: int) -> Row:
        match = simulate(repeats, walls, seats, STRENGTHS, LUCK, SEED)
        a, b = match.ranks[:, :, 0], match.ranks[:, :, 1]
        truth = match.truth[0] - match.truth[1]
        games = np.arange(a.shape[1])
        row = covered(
            "difference of ranks", name, walls, truth, lambda r: difference(a[r], b[r], match.wall).estimate, repeats
        )
        return [*row[:-1], percent(coverage(lambda r: difference(a[r], b[r], games).estimate, truth, repeats))]

    return job


def rate_row(share: float, walls: int) -> Job:
    """Coverage of a rate per hand; wins depend on the wall, and games differ in length."""

    def job(repeats: int) -> Row:
        rng = np.random.default_rng(SEED)
        wall = np.repeat(np.arange(walls), 4)
        hands = rng.integers(4, 15, (repeats, len(wall)))
        wins = rng.binomial(hands, rng.beta(20 * share, 20 * (1 - share), (repeats, walls)).repeat(4, axis=1))
        name = f"rate of {percent(share)} per hand"
        return covered(name, "same seat", walls, share, lambda r: rate(wins[r], hands[r], wall), repeats)

    return job


def ratio_row(repeats: int) -> Row:
    """Coverage of fan per win, 1 + geometric with mean 3."""
    rng = np.random.default_rng(SEED)
    walls = 40
    wall = np.repeat(np.arange(walls), 4)
    wins = rng.poisson(rng.gamma(4, 0.5, (repeats, walls)).repeat(4, axis=1))
    fan = wins + rng.negative_binomial(np.maximum(wins, 1), 1 / 3) * (wins > 0)
    return covered("fan per win", "same seat", walls, 3.0, lambda r: ratio(fan[r], wins[r], wall), repeats)


def true_gain(seats: np.ndarray, luck: float) -> float:
    """Gain in one very long match."""
    large = simulate(1, LARGE // len(seats), seats, STRENGTHS, luck, SEED + 1)
    return difference(large.ranks[0, :, 0], large.ranks[0, :, 1], large.wall).gain


def gain_row(walls: int, bootstrapped: bool) -> Job:
    """Coverage of the interval of the gain."""

    def found(match: Matches, r: int) -> Estimate:
        a, b = match.ranks[r, :, 0], match.ranks[r, :, 1]
        return (
            gain_bootstrap(a, b, match.wall, repeats=400, seed=r) if bootstrapped else gain_interval(a, b, match.wall)
        )

    def job(repeats: int) -> Row:
        repeats = max(repeats // 5, 100)
        match = simulate(repeats, walls, ROTATIONS, STRENGTHS, LUCK, SEED)
        name = "gain, bootstrap" if bootstrapped else "gain, jackknife"
        return covered(name, "rotations", walls, true_gain(ROTATIONS, LUCK), lambda r: found(match, r), repeats)

    return job


def control_pair(repeats: int, walls: int, rho: float) -> tuple[np.ndarray, np.ndarray]:
    """Points of mean 0 and a baseline's, of correlation rho."""
    rng = np.random.default_rng(SEED)
    b = rng.normal(size=(repeats, walls))
    return rho * b + sqrt(1 - rho**2) * rng.normal(size=(repeats, walls)), b


def control_row(walls: int) -> Job:
    """Coverage of the mean with a control variate."""

    def job(repeats: int) -> Row:
        x, b = control_pair(repeats, walls, 0.7)
        wall = np.arange(walls)
        name = "mean with control variate"
        return covered(
            name, "single games", walls, 0.0, lambda r: controlled_mean(x[r], b[r], 0.0, wall).estimate, repeats
        )

    return job


def strength_row(repeats: int) -> Row:
    """Coverage of Plackett-Luce strengths in their own model."""
    rng = np.random.default_rng(SEED)
    theta = np.array([0.6, 0.2, -0.2, -0.6])
    ranks = 1.0 + np.argsort(np.argsort(-theta - rng.gumbel(size=(repeats, 120, 4)), axis=2), axis=2)
    name = "strength (Plackett–Luce)"
    return covered(name, "single games", 120, theta[0], lambda r: plackett_luce(ranks[r])[0], repeats)


COVERAGE: tuple[Job, ...] = (
    rank_row("same seat", 12, SAME_SEAT),
    rank_row("same seat", 40, SAME_SEAT),
    rank_row("same seat, 40 % of games lost", 30, SAME_SEAT, lost=0.4),
    rank_row("rotations", 12, ROTATIONS),
    rank_row("rotations", 40, ROTATIONS),
    difference_row("rotations", 12, ROTATIONS),
    difference_row("rotations", 40, ROTATIONS),
    difference_row("all 24 seatings", 12, PERMUTATIONS),
    rate_row(0.22, 40),
    rate_row(0.05, 60),
    ratio_row,
    gain_row(20, bootstrapped=False),
    gain_row(20, bootstrapped=True),
    gain_row(100, bootstrapped=False),
    gain_row(100, bootstrapped=True),
    control_row(12),
    control_row(60),
    strength_row,
)


# --- the other tables


def sprt_row(truth: str, alpha: float, beta: float, ranks: bool) -> Job:
    """How a sequential test of H0 against H1 ended, by the true value."""
    strength = {"H0": 0.0, "between": 0.05, "H1": 0.1}[truth]

    def rank_values(repeats: int) -> tuple[np.ndarray, float, float]:
        parts = [
            simulate(250, 600, ROTATIONS, (strength, -strength, 0, 0), LUCK, SEED + k) for k in range(repeats // 250)
        ]
        values = np.concatenate(
            [(p.ranks[:, :, 1] - p.ranks[:, :, 0]).reshape(250, 600, 4).mean(axis=2) for p in parts]
        )
        other = simulate(1, 2, ROTATIONS, (0.1, -0.1, 0, 0), LUCK).truth
        return values, float(other[1] - other[0]), float(values.std())

    def normal_values(repeats: int) -> tuple[np.ndarray, float, float]:
        shift = 2.5 * strength
        return np.random.default_rng(SEED).normal(shift, 1, (repeats, 600)), 0.25, 1.0

    def job(repeats: int) -> Row:
        values, m1, deviation = (rank_values if ranks else normal_values)(max(repeats // 250, 1) * 250)
        got = sprt_rates(Sprt(0.0, m1, alpha, beta), values)
        fixed = walls_to_detect(m1, deviation, 1 - beta, 1 - 2 * alpha)
        shares = [percent(share) for share in (got.accept_h0, got.accept_h1, got.undecided)]
        what = "rank differences, rotations" if ranks else "normal values"
        return [what, f"{alpha} / {beta}", truth, *shares, f"{got.walls:.0f}", str(fixed)]

    return job


SPRT: tuple[Job, ...] = tuple(
    sprt_row(truth, alpha, beta, ranks)
    for ranks, alpha, beta in ((False, 0.05, 0.05), (False, 0.05, 0.2), (True, 0.05, 0.05))
    for truth in ("H0", "between", "H1")
)


def worth_row(luck: float) -> Job:
    """The gain from replaying walls, by the wall's share of the variance."""

    def job(repeats: int) -> Row:
        return [percent(luck), *(f"{true_gain(seats, luck):.2f}" for seats in (SAME_SEAT, ROTATIONS, PERMUTATIONS))]

    return job


WORTH: tuple[Job, ...] = tuple(worth_row(luck) for luck in (0.0, 0.25, 0.5, 0.75, 0.9))


def control_gain_row(rho: float) -> Job:
    """Bias and gain of the control variate, 60 games a match."""

    def job(repeats: int) -> Row:
        x, b = control_pair(repeats, 60, rho)
        got = np.array([controlled_mean(x[r], b[r], 0.0, np.arange(60)).estimate.value for r in range(repeats)])
        gain = x.mean(axis=1).var() / got.var()
        bias = f"{got.mean():+.4f} ± {1.96 * got.std() / sqrt(repeats):.4f}"
        return [f"{rho}", bias, f"{gain:.2f}", f"{1 / (1 - rho**2):.2f}"]

    return job


CONTROL: tuple[Job, ...] = tuple(control_gain_row(rho) for rho in (0.0, 0.5, 0.7, 0.9))

TABLES: dict[str, tuple[Row, tuple[Job, ...]]] = {
    "How often a 95 % interval contains the truth": (
        ["figure", "games of a wall set", "wall sets", "covered", "covered if games were treated as independent"],
        COVERAGE,
    ),
    "How sequential tests end": (
        [
            "values",
            "alpha / beta",
            "true",
            "accept H0",
            "accept H1",
            "undecided",
            "average wall sets",
            "fixed-size test",
        ],
        SPRT,
    ),
    "What duplicate walls are worth in the model": (
        ["share of the wall", "same seat", "4 rotations", "24 seatings"],
        WORTH,
    ),
    "What a control variate does": (
        ["correlation", "bias (standard deviation of a game: 1)", "gain", "gain by theory"],
        CONTROL,
    ),
}


# --- writing


def report(repeats: int) -> Iterator[str]:
    """Lines of the report, with a progress bar while the tables are made."""
    note = stamp("python scripts/write_statistics_table.py", f"{this_machine()}, NumPy {np.__version__}")
    yield f"{note}; {repeats:,} simulated matches per row"
    with Progress(transient=True) as progress:
        task = progress.add_task("simulated matches", total=sum(len(jobs) for _, jobs in TABLES.values()))
        for title, (head, jobs) in TABLES.items():
            rows = []
            for job in jobs:
                rows.append(job(repeats))
                progress.advance(task)
            yield f"\n### {title}\n\n{table(head, rows)}"


def main() -> int:
    """Run the simulations; with fewer repeats than the page's, only print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeats", type=int, default=REPEATS, help="simulated matches per row (%(default)s)")
    repeats = parser.parse_args().repeats
    text = "\n".join(report(repeats))
    print(text)
    if repeats >= REPEATS:
        write_between(PAGE, BEGIN, END, text)
        print(f"wrote the tables into {PAGE.name}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
