"""Measure the Monte Carlo player in duplicate East games and write the figures into docs/montecarlo.md.

It plays a match against three copies of each opponent, in every seat in turn on the same walls, and one with four
copies of itself. Finished games are stored under OUT, so an interrupted run can be continued, and more walls can be
added later.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from _matches import HEADINGS, about, cells, progress, write_figures
from _page import table
from janshi.agents.registry import AGENTS
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.summary import summarise

PAGE = Path(__file__).resolve().parent.parent / "docs" / "montecarlo.md"
AGENT = "montecarlo:rollouts=4000"
RULES = "riichi/tenhou_east"
OPPONENTS = ("greedy", "careful", "one_player")


def plan_of(label: str, opponent: str, walls: int, seed: int) -> Plan:
    """A match of one against three, or of four copies."""
    if opponent == label:
        return Plan(RULES, (label,), ((0, 0, 0, 0),), walls=walls, seed=seed)
    return Plan(RULES, (label, opponent), ((0, 1, 1, 1),), walls=walls, seed=seed)


def folder_of(label: str, opponent: str) -> str:
    """The folder of a match below OUT."""
    return f"{label}-{opponent}".replace(":", "_").replace(",", "_").replace("=", "-")


def measure(options: argparse.Namespace) -> str:
    """Play all matches, or their missing games; returns the table."""
    rows = []
    for opponent in options.against:
        label = options.agent
        fellow = label if opponent == "itself" else opponent
        name = "four copies" if fellow == label else f"against three `{opponent}`"
        walls = options.walls if fellow != label else options.walls * 4
        plan = plan_of(label, fellow, walls, options.seed)
        path = options.out / folder_of(label, opponent)
        results = run_match(plan, path, workers=options.workers, watch=progress(name, len(plan)))
        rows += [cells(name, line) for line in summarise(results, plan).lines]
    return table(HEADINGS, rows, tight=True)


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    known = [name for name in OPPONENTS if name in AGENTS]
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("montecarlo-matches"), help="where matches are kept")
    parser.add_argument("--agent", default=AGENT, help=f"label of the player (default {AGENT})")
    parser.add_argument("--against", nargs="+", default=[*known, "itself"], help="opponents; itself: four copies")
    parser.add_argument("--walls", type=int, default=250, help="wall sets of a match, four games each (default 250)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one per core)")
    parser.add_argument("--seed", type=int, default=2015)
    parser.add_argument("--quick", action="store_true", help="a few games with few simulated hands, nothing written")
    options = parser.parse_args(arguments)
    if options.quick:
        options.agent, options.walls = f"{options.agent.partition(':')[0]}:rollouts=100", 2
    return options


def main() -> None:
    """Measure, print and, except in a quick run, write the page."""
    options = parse()
    figures = measure(options)
    print(figures)
    if not options.quick:
        write_figures(PAGE, about("measure_montecarlo.py"), [figures])
        print(f"written into {PAGE.name}")


if __name__ == "__main__":
    main()
