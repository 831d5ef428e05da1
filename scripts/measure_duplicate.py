"""Play pairs of agents with and without duplicate walls, and write the gain from the walls into docs/evaluation.md.

python scripts/measure_duplicate.py                # 8,000 games a match, minutes
python scripts/measure_duplicate.py --games 400    # a rough look, printed only
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.progress import Progress

from _page import stamp, table, write_between
from janshi.arena.duplicate import difference, gain_interval
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.results import Results
from janshi.arena.stats import Estimate
from janshi.arena.summary import summarise, values_of

PAGE = Path(__file__).resolve().parent.parent / "docs" / "evaluation.md"
BEGIN, END = "<!-- duplicate: begin -->", "<!-- duplicate: end -->"
RULES = "riichi/tenhou_east"
GAMES = 8_000
SEED = 2026

Row = list[str]


@dataclass(frozen=True)
class Case:
    """A match whose first two contestants are compared."""

    kind: str
    players: tuple[str, ...]
    lineup: tuple[int, ...]
    seating: str

    @property
    def each(self) -> int:
        """Games on a wall set."""
        return len(self.plan(1))

    def plan(self, walls: int) -> Plan:
        """The match on `walls` wall sets."""
        return Plan(RULES, self.players, (self.lineup,), walls, SEED, self.seating)


PAIRS = {
    "alike": ("careful", "careful:courage=1.3"),
    "of one kind": ("careful", "greedy"),
    "far apart": ("greedy", "tsumogiri"),
}
ONE_AGAINST_THREE, TWO_AGAINST_TWO = (0, 1, 1, 1), (0, 0, 1, 1)
ALL_FOUR = ("careful", "greedy", "careful:courage=1.3", "tsumogiri")
CASES = [
    *(
        Case(kind, pair, lineup, seating)
        for kind, pair in PAIRS.items()
        for lineup, seating in (
            (ONE_AGAINST_THREE, "independent"),
            (ONE_AGAINST_THREE, "rotations"),
            (TWO_AGAINST_TWO, "permutations"),
        )
    ),
    *(Case("of one kind", ALL_FOUR, (0, 1, 2, 3), seating) for seating in ("independent", "rotations", "permutations")),
]
TABLES = {(0, 1, 1, 1): "1 against 3", (0, 0, 1, 1): "2 against 2", (0, 1, 2, 3): "four players"}
SEATINGS = {"independent": "every game on separate walls", "rotations": "4 rotations"}


# --- rows


def shown(estimate: Estimate, digits: int) -> str:
    """An estimate with half its interval."""
    reach = (estimate.high - estimate.low) / 2
    return f"{estimate.value:+.{digits}f} ± {reach:.{digits}f}"


def pair_row(case: Case, games: int) -> Row:
    """The difference between the first two contestants of a match."""
    results = run_match(case.plan(max(12, games // case.each)))
    cells = []
    for values, digits in ((results.ranks, 3), (results.points, 2)):
        first, second = (values_of(results, values, who) for who in (0, 1))
        found = difference(first, second, results.wall)
        spread = found.estimate.error**2 * found.estimate.games
        gain = "1" if case.each == 1 else bounds(gain_interval(first, second, results.wall))
        cells += [shown(found.estimate, digits), f"{spread:.3g}", gain]
    seating = SEATINGS.get(case.seating, f"all {case.each} seatings")
    pair = f"`{case.players[0]}` – `{case.players[1]}`"
    return [case.kind, pair, TABLES[case.lineup], seating, f"{len(results):,}", *cells]


def bounds(estimate: Estimate) -> str:
    """A gain with its interval; none if all wall sets gave the same value."""
    if not estimate.value < float("inf"):
        return "–"
    return f"{estimate.value:.2f} ({estimate.low:.2f} – {estimate.high:.2f})"


def control_row(kind: str, games: int) -> Row:
    """The effect of a baseline on one contestant's points, with every game on separate walls."""
    pair = PAIRS[kind]
    plan = Plan(RULES, (*pair, "greedy"), (ONE_AGAINST_THREE, (2,) * 4), games, SEED, "independent", baseline=1)
    results = run_match(plan)
    found = summarise(results, plan).controlled[0]
    return [
        kind,
        f"`{pair[0]}` against three `{pair[1]}`",
        f"{found.estimate.games:,} + {int((results.lineup == 1).sum()):,}",
        shown(found.plain, 2),
        shown(found.estimate, 2),
        f"{found.gain:.2f}",
        f"{correlation(results):.2f}",
    ]


def correlation(results: Results) -> float:
    """Correlation of a contestant's points with the baseline's in the same seat on the same walls."""
    measured, baseline = (results.select(results.lineup == number) for number in (0, 1))
    held = measured.seats == 0
    luck = baseline.points[np.searchsorted(baseline.wall, measured.wall)]
    return float(np.corrcoef(measured.points[held], luck[held])[0, 1])


HEAD = [
    "players",
    "difference of",
    "table",
    "seats on a wall set",
    "games",
    "average rank",
    "variance × games",
    "gain",
    "points",
    "variance × games",
    "gain",
]
CONTROL_HEAD = ["players", "match", "games + baseline's", "points", "points, controlled", "gain", "correlation"]


# --- writing


def report(games: int) -> Iterator[str]:
    """Parts of the report, with a progress bar while matches are played."""
    started = time.monotonic()
    with Progress(transient=True) as progress:
        task = progress.add_task("matches", total=len(CASES) + len(PAIRS))
        rows, controlled = [], []
        for case in CASES:
            rows.append(pair_row(case, games))
            progress.advance(task)
        for kind in PAIRS:
            controlled.append(control_row(kind, games))
            progress.advance(task)
    command = f"python scripts/measure_duplicate.py --games {games}"
    yield f"{stamp(command)}; {time.monotonic() - started:.0f} s"
    yield f"\n{table(HEAD, rows)}\n\n### With a baseline instead\n\n{table(CONTROL_HEAD, controlled)}"


def main() -> int:
    """Play the matches; a rough look is only printed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=GAMES, help="games of each match (%(default)s)")
    games = parser.parse_args().games
    text = "\n".join(report(games))
    print(text)
    if games >= GAMES:
        write_between(PAGE, BEGIN, END, text)
        print(f"wrote the tables into {PAGE.name}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
