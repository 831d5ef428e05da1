"""How fast the Monte Carlo player simulates hands and decides.

Without options: measure everything, print a table, write docs/benchmarks/montecarlo.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from _command import command_line, report
from _report import Figure
from _timing import on_cores, rate
from janshi.agents.base import Asked
from janshi.agents.montecarlo.agent import MonteCarloAgent
from janshi.agents.montecarlo.search import judge_view
from janshi.agents.payoffs import RANK, Standing, make_payoffs
from janshi.agents.registry import make_agent
from janshi.rules.batch import Batch
from janshi.rules.game import Array
from janshi.rules.registry import make_game
from janshi.rules.riichi.state import TURN

GAME = make_game("riichi/tenhou_east")
INTRO = (
    "The Monte Carlo player on one core. Positions are turns of games among careful players, about twenty discards "
    "after the deal; hands are simulated from there to their end."
)
HANDS = 50
STEPS = 30
POSITIONS = 64


def positions() -> Array:
    """Turns in the middle of hands, without players in riichi."""
    batch, player, found = Batch(GAME, 4 * POSITIONS, seed=1), make_agent("careful", GAME), []
    for step in range(4 * STEPS):
        views = batch.views()
        middle = (views["phase"] == TURN) & (views["riichi"][:, 0] == 0) & (np.abs(views["turns"] - 20) <= 4)
        if step >= STEPS:
            found.append(views[middle])
        if sum(map(len, found)) >= POSITIONS:
            break
        batch.step(player.act(Asked(GAME, views, np.zeros(len(views), np.uint64), batch.tables)))
    return np.concatenate(found)[:POSITIONS]


def best(
    metric: str, unit: str, once: Callable[[], int], run: argparse.Namespace, target: float | None = None
) -> Figure:
    """A figure from the best of several runs."""
    once()
    with on_cores(1):
        runs = [rate(once, run.seconds) for _ in range(run.repetitions)]
    return Figure(metric, unit, max(runs), target, runs=runs)


def measure(run: argparse.Namespace) -> list[Figure]:
    """All figures."""
    views, player = positions(), MonteCarloAgent(GAME, rollouts=1000)
    payoffs, place = player.payoffs(views), iter(range(10**9))

    def hands() -> int:
        i = next(place) % len(views)
        return HANDS * len(judge_view(views[i : i + 1], i, payoffs[i : i + 1], HANDS, player._desk))

    def decisions() -> int:
        i = next(place) % len(views)
        player.act(Asked(GAME, views[i : i + 1], np.full(1, i, np.uint64), np.zeros(1, np.int64)))
        return 1

    def tables() -> int:
        make_payoffs(Standing(views[next(place) % len(views)]), GAME.rules, RANK)
        return 1

    return [
        best("simulated hands, one core", "hands/s", hands, run, 10_000),
        best("decisions of 1,000 simulated hands", "decisions/s", decisions, run),
        best("tables of payoffs", "tables/s", tables, run),
    ]


def main() -> None:
    """Measure and report."""
    run = command_line(__doc__).parse_args()
    run.seconds, run.repetitions = (0.4, 2) if run.quick else (1.0, 5)
    report(run, "montecarlo", "Monte Carlo player", "Speed of the Monte Carlo player", INTRO, measure(run))


if __name__ == "__main__":
    main()
