"""How fast the MDP player searches and decides, and how much larger its sets get with a larger budget.

Without options: measure everything, print a table, write docs/benchmarks/mdp.md. Times are thread
CPU time, which other programs on the machine hardly affect.
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

import numpy as np

from _command import command_line, report
from _report import Figure
from _timing import on_cores
from janshi.agents.base import Asked
from janshi.agents.mdp.agent import MDPAgent
from janshi.agents.mdp.explanation import without_kans
from janshi.agents.registry import make_agent
from janshi.rules.batch import Batch
from janshi.rules.game import Array
from janshi.rules.registry import make_game

GAME = make_game("riichi/tenhou_east")
INTRO = (
    "The [MDP player](../mdp.md) on one core. Decisions are those with more than one legal action in games among "
    "careful players, without kans, from the deal to the end of hands. A search is a decision with a set of hands: "
    "its time is scaled to 50,000 hands from sets half to twice as large, and includes models, scoring and everything"
    " else. The paper only says that a decision of about 50,000 hands takes a few seconds."
)
DEFAULT, LARGE = 50_000, 250_000
"""The option `hands`: its default, and a large value."""
PAPER = 50_000
"""Approximate size of the paper's sets."""
FEW_SECONDS = 3.0
"""The paper's time for them: a few seconds."""
TABLES = 8
NOT_BUILT = -1
"""A set's bound before the set is built."""
EVERY = 11
"""Steps between the positions taken."""


class Asking(NamedTuple):
    """The time and size of one decision."""

    seconds: float
    hands: int
    """Hands in its set; 0 if it needed no search."""


def positions(count: int) -> Array:
    """Decisions with a choice in games among careful players, without kans."""
    batch, player, found, step = Batch(GAME, TABLES, seed=1), make_agent("careful", GAME), [], 0
    while sum(map(len, found)) < count:
        views = batch.views()
        if step % EVERY == 0:
            plain = without_kans(views)
            found.append(plain[GAME.masks_of_views(plain).sum(1) > 1])
        batch.step(player.act(Asked(GAME, views, np.zeros(len(views), np.uint64), batch.tables)))
        step += 1
    return np.concatenate(found)[np.random.default_rng(1).permutation(sum(map(len, found)))[:count]]


def ask(player: MDPAgent, view: Array, repetitions: int) -> Asking:
    """Time the decision for one view; returns the fastest of several repetitions."""
    bounds, quickest = player._desk.space.bounds, np.inf
    asked = Asked(GAME, view, np.zeros(1, np.uint64), np.zeros(1, np.int64))
    for _ in range(repetitions):
        bounds["n"] = NOT_BUILT
        begun = time.thread_time()
        player.act(asked)
        quickest = min(quickest, time.thread_time() - begun)
    return Asking(float(quickest), int(bounds["standing"][0]) if bounds["n"][0] != NOT_BUILT else 0)


def ask_all(hands: int, views: Array, run: argparse.Namespace) -> list[Asking]:
    """Ask a player that searches up to `hands` hands about all views."""
    player = MDPAgent(GAME, hands=hands)
    player.payoffs(views)
    ask(player, views[:1], 1)
    return [ask(player, views[i : i + 1], run.repetitions) for i in range(len(views))]


def search_figures(found: list[Asking]) -> list[Figure]:
    """Search times, scaled to the paper's number of hands."""
    scaled = [each.seconds * PAPER / each.hands for each in found if PAPER / 2 <= each.hands <= 2 * PAPER]
    if not scaled:
        raise SystemExit("no decision had a set of about 50,000 hands; measure more positions")
    note = f"median of {len(scaled)}; the quickest and slowest are under our runs"
    peers = {'Kurita & Hoki ("a few seconds", their machine)': FEW_SECONDS}
    return [
        Figure("a search of 50,000 hands, one core", "s", float(np.median(scaled)), 0.25, False, peers, note, scaled)
    ]


def decision_figures(found: list[Asking]) -> list[Figure]:
    """Decision times with default options."""
    times = np.array([each.seconds for each in found])
    searched = np.array([each.seconds for each in found if each.hands])
    share = f"of {len(found)} decisions, {len(searched)} of them with a search"
    return [
        Figure("a decision as it comes, median", "s", float(np.median(times)), 0.1, False, note=share),
        Figure("a decision with a search, median", "s", float(np.median(searched)), 0.1, False),
        Figure("a decision as it comes, 99 in 100 below", "s", float(np.quantile(times, 0.99)), None, False),
    ]


def size_figures(small: list[Asking], large: list[Asking]) -> list[Figure]:
    """How much larger sets are with a larger budget."""
    few, many = (float(np.mean([each.hands for each in found if each.hands])) for found in (small, large))
    return [
        Figure(f"hands in the set of a search, at most {DEFAULT:,}", "hands", few, note="mean"),
        Figure(f"hands in the set of a search, at most {LARGE:,}", "hands", many, note="mean"),
        Figure(f"times as many hands with {LARGE:,} as with {DEFAULT:,}", "", many / few, 3.0),
    ]


def measure(run: argparse.Namespace) -> list[Figure]:
    """All figures."""
    views = positions(run.positions)
    with on_cores(1):
        small, large = (ask_all(hands, views, run) for hands in (DEFAULT, LARGE))
    return [*search_figures(small + large), *decision_figures(small), *size_figures(small, large)]


def main() -> None:
    """Measure and report."""
    run = command_line(__doc__).parse_args()
    run.positions, run.repetitions = (30, 1) if run.quick else (240, 2)
    report(run, "mdp", "MDP player", "Speed of the MDP player", INTRO, measure(run))


if __name__ == "__main__":
    main()
