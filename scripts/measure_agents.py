"""Measure every agent against copies of a common opponent, and write the table of docs/agents.md.

python scripts/measure_agents.py                                # all agents of the registry
python scripts/measure_agents.py --only majiang --games 100     # the rows of one player; the others stay
python scripts/measure_agents.py --games 40 --print             # a rough look, nothing written
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from _page import split_at_marks, table, this_machine, today, write_between
from janshi.agents.registry import agent_names
from janshi.arena.contestants import is_bot
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.stats import Estimate
from janshi.arena.summary import Line, summarise
from janshi.rules.registry import make_game

PAGE = Path(__file__).resolve().parent.parent / "docs" / "agents.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
RULES = {"riichi": "riichi/tenhou_east", "guobiao": "guobiao/botzone", "simplified": "simplified/paper"}
OPPONENTS = {
    "riichi": ("greedy", "careful"),
    "guobiao": ("greedy", "search"),
    "simplified": ("greedy", "search"),
}
THIRD_PARTY = [
    ("riichi", "majiang", "greedy"),
    ("riichi", "majiang", "careful"),
    ("riichi", "careful", "majiang"),
    ("riichi", "apprentice", "majiang"),
]
GAMES = 6_000
SLOW = {
    ("guobiao", "search"): 600,
    ("guobiao", "rvr"): 600,
    ("simplified", "rvr"): 2_400,
    ("riichi", "montecarlo"): 24,
    ("riichi", "mdp"): 24,
    ("riichi", "majiang"): 40,
    ("riichi", "apprentice"): 200,
}
"""Number of games for slower players."""
SEED = 2027
HEAD = [
    "rules",
    "agent",
    "against copies of",
    "games",
    "average rank",
    "points a game",
    "wins",
    "deal-ins",
    "time of a decision",
    "measured",
]

Row = list[str]


@dataclass(frozen=True)
class Case:
    """One agent against copies of another."""

    family: str
    agent: str
    opponent: str

    @property
    def key(self) -> tuple[str, ...]:
        """The first cells of its row."""
        return (RULES[self.family], f"`{self.agent}`", f"`{self.opponent}`")

    def games(self, asked: int | None) -> int:
        """How many games to play."""
        return asked or min(SLOW.get((self.family, name), GAMES) for name in (self.agent, self.opponent))

    def plan(self, games: int) -> Plan:
        """The plan of the match: every seating on each wall set."""
        rules = RULES[self.family]
        seats = make_game(rules).players
        lineup = (0, *[1] * (seats - 1))
        return Plan(rules, (self.agent, self.opponent), (lineup,), max(2, -(-games // seats)), SEED)


def all_cases() -> list[Case]:
    """Every agent of the registry in every game it plays, then third-party players."""
    found = [
        Case(family, agent, opponent)
        for family, opponents in OPPONENTS.items()
        for agent in agent_names(family)
        for opponent in opponents
        if agent != opponent
    ]
    return found + [Case(*names) for names in THIRD_PARTY]


# --- rows


def measure(case: Case, games: int, store: Path | None) -> Row:
    """Play or continue the match of a case; returns its row."""
    plan = case.plan(games)
    if not any(is_bot(label) for label in plan.contestants):
        run_match(case.plan(1))  # compile kernels before timing
    path = None if store is None else store / "-".join([case.family, case.agent, "against", case.opponent])
    line = summarise(run_match(plan, path), plan).lines[0]
    return [*case.key, told_games(line), *figures(line), told_time(line.milliseconds), today()]


def told_games(line: Line) -> str:
    """Number of games, and of those in which the agent failed."""
    faults = sum(line.faults.values())
    return f"{line.games:,}" + (f", {faults} faults" if faults else "")


def figures(line: Line) -> Row:
    """Average rank, points, wins and deal-ins."""
    return [
        interval(line.rank, 3, ""),
        interval(line.points, 2, "+"),
        percent(line.rates.get("win")),
        percent(line.rates.get("deal-in")),
    ]


def interval(estimate: Estimate | None, digits: int, sign: str) -> str:
    """An estimate with half its 95 % interval."""
    if estimate is None:
        return "–"
    return f"{estimate.value:{sign}.{digits}f} ± {(estimate.high - estimate.low) / 2:.{digits}f}"


def percent(estimate: Estimate | None) -> str:
    """A rate of hands."""
    return "–" if estimate is None else f"{100 * estimate.value:.1f} %"


def told_time(milliseconds: float) -> str:
    """A time in a suitable unit."""
    return f"{milliseconds:.3g} ms" if milliseconds >= 1 else f"{1000 * milliseconds:.3g} µs"


# --- the page


def read_rows(text: str) -> dict[tuple[str, ...], Row]:
    """The rows of the current table, by their first cells."""
    lines = [line for line in text.splitlines() if line.startswith("| ")][2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {tuple(row[:3]): row for row in rows if len(row) == len(HEAD)}


def merge(old: dict[tuple[str, ...], Row], new: list[Row], order: list[tuple[str, ...]]) -> list[Row]:
    """The new rows and the earlier ones, in order; rows of agents that no longer exist are dropped."""
    found = {**old, **{tuple(row[:3]): row for row in new}}
    return [found[key] for key in order if key in found]


def write(rows: list[Row]) -> None:
    """Put rows into the page."""
    _, old, _ = split_at_marks(PAGE.read_text(encoding="utf-8"), BEGIN, END, PAGE.name)
    text = table(HEAD, merge(read_rows(old), rows, [case.key for case in all_cases()]))
    about = f"- Machine: {this_machine()}\n- Command: `python scripts/measure_agents.py`"
    write_between(PAGE, BEGIN, END, f"{about}\n\n{text}")


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only matches of these agents")
    parser.add_argument("--skip", nargs="+", metavar="NAME", default=[], help="no matches with these agents")
    parser.add_argument("--games", type=int, help=f"games of each match (else {GAMES}, fewer for slow agents)")
    parser.add_argument("--store", type=Path, help="directory for the matches; run again to continue")
    parser.add_argument("--print", action="store_true", help="print the rows, write nothing")
    return parser.parse_args()


def main() -> int:
    """Measure, and write each row as soon as it is ready."""
    args = parse()
    cases = [
        case
        for case in all_cases()
        if (not args.only or {case.agent, case.opponent} & set(args.only))
        and not {case.agent, case.opponent} & set(args.skip)
    ]
    with Progress(transient=True, console=Console(stderr=True)) as progress:
        task = progress.add_task("matches", total=len(cases))
        for case in cases:
            progress.update(task, description=" ".join(case.key))
            started = time.monotonic()
            row = measure(case, case.games(args.games), args.store)
            print(" | ".join(row), f"({time.monotonic() - started:.0f} s)", flush=True)
            if not args.print:
                write([row])
            progress.advance(task)
    return 0


if __name__ == "__main__":
    sys.exit(main())
