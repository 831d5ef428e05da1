"""Measure the Monte Carlo player in duplicate East games and write the figures into docs/montecarlo.md.

It plays a match against three copies of each opponent, in every seat in turn on the same walls, and one with four
copies of itself. Finished games are kept under OUT, so that a run that was interrupted goes on; more walls may be
added later.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

from janshi.agents.registry import AGENTS
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.results import Results
from janshi.arena.stats import Estimate
from janshi.arena.summary import Line, summarise

PAGE = Path(__file__).resolve().parent.parent / "docs" / "montecarlo.md"
FIRST, LAST = "<!-- figures -->", "<!-- end of figures -->"
AGENT = "montecarlo:seconds=0.1"
RULES = "riichi/tenhou_east"
OPPONENTS = ("greedy", "careful", "one_player")
EVERY = 20.0
"""Seconds between two lines of progress."""
HEADINGS = (
    "match",
    "player",
    "games",
    "average rank",
    "1st / 2nd / 3rd / 4th, %",
    "win, %",
    "deal-in, %",
    "riichi, %",
    "call, %",
    "ms a decision",
)


def plan_of(label: str, opponent: str, walls: int, seed: int) -> Plan:
    """A match of one against three, or of four copies."""
    if opponent == label:
        return Plan(RULES, (label,), ((0, 0, 0, 0),), walls=walls, seed=seed)
    return Plan(RULES, (label, opponent), ((0, 1, 1, 1),), walls=walls, seed=seed)


def progress(name: str, total: int) -> Callable[[Results, int], None]:
    """Tells now and then how far a match is."""
    begun = last = time.monotonic()

    def watch(_: Results, done: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > EVERY or done == total:
            last = now
            print(f"{name}: {done} of {total} games, {now - begun:.0f} s", file=sys.stderr, flush=True)

    return watch


def folder_of(label: str, opponent: str) -> str:
    """Where a match is kept, below OUT."""
    return f"{label}-{opponent}".replace(":", "_").replace(",", "_").replace("=", "-")


def interval(estimate: Estimate | None, digits: int = 2) -> str:
    """A figure with its interval."""
    if estimate is None:
        return "–"
    return f"{estimate.value:.{digits}f} ({estimate.low:.{digits}f} – {estimate.high:.{digits}f})"


def percent(estimate: Estimate | None) -> str:
    """A share in percent."""
    return "–" if estimate is None else f"{100 * estimate.value:.1f}"


def row(match: str, line: Line) -> str:
    """A line of the table."""
    places = " / ".join(percent(place) for place in line.places)
    rates = [percent(line.rates.get(name)) for name in ("win", "deal-in", "riichi", "call")]
    cells = [match, f"`{line.label}`", f"{line.games:,}", interval(line.rank), places, *rates]
    return "| " + " | ".join([*cells, f"{line.milliseconds:.1f}"]) + " |"


def measure(options: argparse.Namespace) -> list[str]:
    """Play all matches, or what is missing of them; the lines of the table."""
    lines = ["| " + " | ".join(HEADINGS) + " |", "|---" * len(HEADINGS) + "|"]
    for opponent in options.against:
        label = options.agent
        fellow = label if opponent == "itself" else opponent
        name = "four copies" if fellow == label else f"against three `{opponent}`"
        walls = options.walls if fellow != label else options.walls * 4
        plan = plan_of(label, fellow, walls, options.seed)
        path = options.out / folder_of(label, opponent)
        results = run_match(plan, path, workers=options.workers, watch=progress(name, len(plan)))
        lines += [row(name, line) for line in summarise(results, plan).lines]
    return lines


def told(arguments: list[str]) -> list[str]:
    """The arguments of the command but for where matches are kept, which is nobody's business."""
    shown, skip = [], False
    for argument in arguments:
        if not skip and not argument.startswith("--out"):
            shown.append(argument)
        skip = argument == "--out"
    return shown


def write_figures(lines: list[str]) -> None:
    """Put the figures where the page has a place for them."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(FIRST)
    after = rest.split(LAST)[1]
    command = "python scripts/measure_montecarlo.py " + shlex.join(told(sys.argv[1:]))
    about = [
        f"- Date: {datetime.date.today()}",
        f"- Machine: {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        f"- Command: `{command.strip()}`",
    ]
    body = "\n".join([FIRST, "", *about, "", *lines, "", LAST])
    whole = PAGE.with_suffix(".new")
    whole.write_text(before + body + after, encoding="utf-8")
    whole.replace(PAGE)


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    known = [name for name in OPPONENTS if name in AGENTS]
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("montecarlo-matches"), help="where matches are kept")
    parser.add_argument("--agent", default=AGENT, help=f"label of the player (default {AGENT})")
    parser.add_argument("--against", nargs="+", default=[*known, "itself"], help="opponents; itself: four copies")
    parser.add_argument("--walls", type=int, default=250, help="wall sets of a match, four games each (default 250)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    parser.add_argument("--seed", type=int, default=2015)
    parser.add_argument("--quick", action="store_true", help="a few games with few simulated hands, nothing written")
    options = parser.parse_args(arguments)
    if options.quick:
        options.agent, options.walls = f"{options.agent.partition(':')[0]}:rollouts=100", 2
    return options


def main() -> None:
    """Measure, print and, unless it is quick, write."""
    options = parse()
    lines = measure(options)
    print("\n".join(lines))
    if not options.quick:
        write_figures(lines)
        print(f"written into {PAGE.name}")


if __name__ == "__main__":
    main()
