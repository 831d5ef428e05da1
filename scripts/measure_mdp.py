"""Measure the MDP player in duplicate East games and write the figures into docs/mdp.md.

Matches, by name: `greedy`, `careful`, `one_player` and `montecarlo` (one against three copies of each), `copies` (four
of itself), `table-greedy` and `table-careful` (the paper's table: one of ours, one Monte Carlo player, two of a weaker
one), and `hands-12500`, `hands-50000`, `hands-250000` (budgets of a decision, against three careful players).

    python scripts/measure_mdp.py --workers 16                         # everything
    python scripts/measure_mdp.py --only montecarlo --minutes 9        # one match, for a limited time
    python scripts/measure_mdp.py --merge OTHER --no-play              # games played elsewhere; write the page

Finished games are stored under OUT, so an interrupted run can be continued, and more games can be added later. Only
complete wall sets count, so that an interrupted match does not favour short games.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path

import numpy as np

from _chart import Axis, chart
from _chart import Line as Drawn
from _matches import HEADINGS, about, cells, interval, progress, write_figures
from _page import table, this_machine
from janshi.arena.contestants import version_of
from janshi.arena.match import check_plan, run_match
from janshi.arena.plan import Plan
from janshi.arena.results import Results
from janshi.arena.stats import Estimate
from janshi.arena.store import MatchStore, StoreError
from janshi.arena.summary import Line, summarise, values_of
from janshi.rules.registry import make_game

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE, PLOT = DOCS / "mdp.md", DOCS / "mdp" / "strength.svg"
AGENT = "mdp:hands=50000"
MONTE_CARLO = "montecarlo:rollouts=2000"
RULES = "riichi/tenhou_east"
GAMES = 1008
SEED = 2021
MACHINE = "machine.txt"
"""A file next to a match that names the machines that played it."""
ONE_AGAINST_THREE, COPIES, TABLE = (0, 1, 1, 1), (0, 0, 0, 0), (0, 1, 2, 2)
BUDGETS = (12_500, 50_000, 250_000)
QUICK_AGENT, QUICK_MONTE_CARLO, QUICK_BUDGETS = "mdp:hands=1000", "montecarlo:rollouts=100", (250, 1_000, 5_000)
QUICK_GAMES = 5


@dataclass(frozen=True)
class Match:
    """A match to measure."""

    name: str
    players: tuple[str, ...]
    lineup: tuple[int, ...]
    hands: int | None = None
    """The budget, in matches that show strength by budget."""

    @property
    def seating(self) -> str:
        """All seatings of three different players, else rotations."""
        return "permutations" if self.lineup == TABLE else "rotations"

    def plan(self, games: int, seed: int) -> Plan:
        """The match with at least `games` games, on two wall sets or more."""
        one = Plan(RULES, self.players, (self.lineup,), 1, seed, self.seating)
        return replace(one, walls=max(2, -(-games // len(one))))

    @property
    def folder(self) -> str:
        """Its folder below OUT."""
        name = "-".join([*self.players, "x".join(map(str, self.lineup))])
        return name.replace(":", "_").replace(",", "_").replace("=", "-")

    @property
    def title(self) -> str:
        """A description of the match for a table."""
        if self.lineup == COPIES:
            return "four copies"
        return f"against three `{self.players[1].partition(':')[0]}`"


def all_matches(agent: str = AGENT, monte_carlo: str = MONTE_CARLO, budgets: Sequence[int] = BUDGETS) -> list[Match]:
    """All matches, in the order of the page."""
    name = agent.partition(":")[0]
    return [
        *(Match(other, (agent, other), ONE_AGAINST_THREE) for other in ("greedy", "careful", "one_player")),
        Match("montecarlo", (agent, monte_carlo), ONE_AGAINST_THREE),
        Match("copies", (agent,), COPIES),
        *(Match(f"table-{weak}", (agent, monte_carlo, weak), TABLE) for weak in ("greedy", "careful")),
        *(
            Match(f"hands-{usual}", (f"{name}:hands={hands}", "careful"), ONE_AGAINST_THREE, hands)
            for usual, hands in zip(BUDGETS, budgets)
        ),
    ]


# --- playing


class TimeIsUpError(Exception):
    """The time for matches is over."""


def watching(match: Match, total: int, end: float) -> Callable[[Results, int], None]:
    """Report the progress of a match, and end it when the time is up."""
    report = progress(match.name, total)

    def watch(results: Results, done: int) -> None:
        report(results, done)
        if time.monotonic() > end and done < total:
            raise TimeIsUpError

    return watch


def warm_up() -> None:
    """Play a quick game with all players, so that kernels are compiled once rather than by every worker."""
    print("compiling, if necessary", file=sys.stderr, flush=True)
    players = (QUICK_AGENT, QUICK_MONTE_CARLO, "careful", "one_player")
    run_match(Plan(RULES, players, ((0, 1, 2, 3),), 1, SEED, "fixed"))


def play(match: Match, options: argparse.Namespace, end: float) -> bool:
    """Play the missing games of a match; returns whether there was enough time."""
    plan, path = match.plan(options.games, options.seed), options.out / match.folder
    begun = path.exists()
    try:
        run_match(plan, path, workers=options.workers, watch=watching(match, len(plan), end))
    except TimeIsUpError:
        print(f"{match.name}: the time is up", file=sys.stderr)
        return False
    finally:
        if path.exists() and not (begun and (path / MACHINE).exists()):
            (path / MACHINE).write_text(this_machine() + "\n", encoding="utf-8")
    return True


def merge(match: Match, options: argparse.Namespace, other: Path) -> int:
    """Add games of a match that were played elsewhere; returns the number of new ones."""
    path = options.out / match.folder
    if not (other / match.folder).exists():
        return 0
    theirs = MatchStore(other / match.folder)
    plan = match.plan(options.games, options.seed)
    if theirs.plan.digest != plan.digest:
        raise StoreError(f"{theirs.path}: holds another match than {match.name} of this command (seed, players?)")
    game = make_game(plan.rules)
    versions = {label: version_of(label, game) for label in plan.contestants}
    for label, version in theirs.header.versions.items():
        if versions.get(label, version) != version:
            raise StoreError(f"{theirs.path}: {label} was version {version} there, is {versions[label]} here")
    ours = MatchStore.create(path, max(plan, theirs.plan, key=len), versions)
    with ours.writing():
        found = theirs.read(counted=False)
        fresh = found.select(~np.isin(found.game, ours.done()))
        ours.append(fresh)
    note_machines(path, machines_of(theirs.path))
    return len(fresh)


def machines_of(path: Path) -> list[str]:
    """The machines that played a match."""
    file = path / MACHINE
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def note_machines(path: Path, machines: Sequence[str]) -> None:
    """Add machines that played a match."""
    names = list(dict.fromkeys([*machines_of(path), *machines]))
    (path / MACHINE).write_text("".join(f"{machine}\n" for machine in names), encoding="utf-8")


def whole_walls(results: Results, plan: Plan) -> Results:
    """The games of complete wall sets."""
    counts = np.bincount(results.wall, minlength=1)
    return results.select(counts[results.wall] == len(plan.tables)) if len(results) else results


def read(match: Match, options: argparse.Namespace) -> tuple[Results, Plan] | None:
    """The games of a match that count; None if there are too few to be meaningful."""
    path = options.out / match.folder
    if not path.exists():
        return None
    plan = match.plan(options.games, options.seed)
    store = MatchStore(path)
    if store.plan.digest != plan.digest:
        raise StoreError(f"{path}: holds another match than {match.name} of this command (seed {store.plan.seed}?)")
    results = whole_walls(store.read(), plan)
    return (results, plan) if len(np.unique(results.wall)) > 1 else None


# --- what the games say


@dataclass(frozen=True)
class Lead:
    """How much better one player's rank is than another's, game by game, as in the paper."""

    mean: float
    deviation: float
    """Standard deviation of a game's difference."""
    games: int
    error: float
    """Standard error that accounts for duplicate walls."""
    significance: float
    """One-tailed p-value."""

    @property
    def plain_error(self) -> float:
        """The paper's standard error, as if games were independent."""
        return self.deviation / sqrt(self.games)


def lead_of(results: Results, plan: Plan) -> Lead:
    """How much better the first contestant's ranks are than the second's."""
    found = summarise(results, plan).pairs[0].rank.estimate
    apart = values_of(results, results.ranks, 1) - values_of(results, results.ranks, 0)
    both = found.p_value() / 2
    tail = both if found.value < 0 else 1.0 - both
    return Lead(-found.value, float(np.std(apart, ddof=1)), found.games, found.error, tail)


def table_cells(line: Line) -> list[str]:
    """A row of the paper's Table I."""
    places = [f"{place.value:.3f}" for place in line.places]
    return [f"`{line.label}`", *places, f"{line.rank.value:.2f} ± {line.rank.half_width:.2f}" if line.rank else "–"]


def describe_lead(lead: Lead, plan: Plan) -> str:
    """The difference between the first two players as text."""
    ours, theirs = (label.partition(":")[0] for label in plan.contestants[:2])
    return (
        f"{lead.games:,} games. The rank of `{ours}` was {'better' if lead.mean >= 0 else 'worse'} than that of "
        f"`{theirs}` by {abs(lead.mean):.4f} a game on average, with a standard deviation of "
        f"{lead.deviation:.3f}: standard error {lead.plain_error:.4f} if games were independent, as in "
        f"the paper, and {lead.error:.4f} over wall sets. One-tailed significance level: "
        f"{lead.significance:.2g} (paper: 0.0574, 1.822, 0.03 in 3,557 games)."
    )


def match_lines(options: argparse.Namespace) -> list[str]:
    """The table of matches against three of a kind, and of four copies."""
    rows = []
    for match in options.matches:
        if match.lineup != TABLE and match.hands is None and (found := read(match, options)):
            rows += [cells(match.title, line) for line in summarise(*found).lines]
    return ["### Matches", "", table(HEADINGS, rows, tight=True)] if rows else []


def table_lines(options: argparse.Namespace) -> list[str]:
    """The paper's tables."""
    lines: list[str] = []
    for match in options.matches:
        if match.lineup == TABLE and (found := read(match, options)):
            headings = ("player", "1st", "2nd", "3rd", "4th", "average rank")
            lines += ["", f"### The paper's table, with two `{match.players[2]}`", ""]
            lines += [table(headings, [table_cells(line) for line in summarise(*found).lines], tight=True)]
            lines += ["", describe_lead(lead_of(*found), found[1])]
    return lines


def budget_lines(options: argparse.Namespace) -> list[str]:
    """Strength by budget; also writes the plot, except in a quick run."""
    known = [(m, *found) for m in options.matches if m.hands is not None and (found := read(m, options))]
    if not known:
        return []
    lines = [(match, summarise(results, plan).lines[0]) for match, results, plan in known]
    rows = [
        [f"{match.hands:,}", f"{line.games:,}", interval(line.rank, 3), f"{line.milliseconds:.1f}"]
        for match, line in lines
    ]
    text = ["", "### Strength by budget, against three `careful`", ""]
    text += [table(("hands", "games", "average rank", "ms a decision"), rows, tight=True)]
    if len(lines) > 1 and not options.quick:
        PLOT.parent.mkdir(exist_ok=True)
        ranks = [(match.hands or 0, line.rank) for match, line in lines if line.rank]
        PLOT.write_text(strength_chart(ranks), encoding="utf-8")
        text += ["", f"![Average rank by budget]({PLOT.parent.name}/{PLOT.name})"]
    return text


def strength_chart(ranks: Sequence[tuple[int, Estimate]]) -> str:
    """Average rank by budget, with its interval."""
    low, high = min(rank.low for _, rank in ranks), max(rank.high for _, rank in ranks)
    parts = 20 if high - low < 0.6 else 5  # ticks per place
    low, high = np.floor(parts * low) / parts, np.ceil(parts * high) / parts
    ticks = np.arange(round(parts * low), round(parts * high) + 1) / parts
    x = Axis("hands searched per decision, at most", 0, max(hands for hands, _ in ranks), [hands for hands, _ in ranks])
    y = Axis("average rank (less is better)", float(low), float(high), ticks.tolist())
    drawn = [
        Drawn("average rank", [(hands, rank.value) for hands, rank in ranks]),
        Drawn("95 % interval", [(hands, rank.low) for hands, rank in ranks], dashed=True),
        Drawn("", [(hands, rank.high) for hands, rank in ranks], dashed=True),
    ]
    return chart("The MDP player against three careful ones", x, y, drawn)


def report(options: argparse.Namespace) -> list[str]:
    """All figures so far."""
    return [*match_lines(options), *table_lines(options), *budget_lines(options)]


# --- the command


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    doc = __doc__ or ""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [match.name for match in all_matches()]
    parser.add_argument("--out", type=Path, default=Path("mdp-matches"), help="folder for the matches")
    parser.add_argument("--agent", default=AGENT, help=f"label of the player (default {AGENT})")
    parser.add_argument("--montecarlo", default=MONTE_CARLO, help=f"the Monte Carlo player (default {MONTE_CARLO})")
    parser.add_argument("--only", nargs="+", choices=names, metavar="NAME", help=f"matches to play: {', '.join(names)}")
    parser.add_argument("--games", type=int, default=GAMES, help=f"minimum games of each match (default {GAMES})")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop playing after this many minutes")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one per core)")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--merge", nargs="+", type=Path, default=[], help="add the games stored in these folders")
    parser.add_argument("--no-play", action="store_true", help="only report games already played")
    parser.add_argument("--no-page", action="store_true", help="print the figures without writing them")
    parser.add_argument("--quick", action="store_true", help="a few games with small budgets; nothing is kept")
    options = parser.parse_args(arguments)
    if options.games < 1 or options.workers < 1 or not options.minutes > 0:
        parser.error("games, workers and minutes must be more than 0")
    if options.quick:
        options.agent, options.montecarlo, options.games = QUICK_AGENT, QUICK_MONTE_CARLO, QUICK_GAMES
    options.matches = all_matches(options.agent, options.montecarlo, QUICK_BUDGETS if options.quick else BUDGETS)
    for match in options.matches:
        check_plan(match.plan(1, 0))
    return options


def measure(options: argparse.Namespace) -> list[str]:
    """Merge, play and report."""
    end = time.monotonic() + 60 * options.minutes
    chosen = [match for match in options.matches if options.only is None or match.name in options.only]
    for other in options.merge:
        if not other.is_dir():
            raise StoreError(f"{other}: no such folder to merge")
        for match in options.matches:
            if fresh := merge(match, options, other):
                print(f"{match.name}: {fresh} games added", file=sys.stderr)
    if not options.no_play:
        if options.workers > 1:
            warm_up()
        for match in chosen:
            if not play(match, options, end):
                break
    return report(options)


def main() -> None:
    """Measure, print and, except in a quick run, write the page."""
    options = parse()
    try:
        if options.quick:
            with tempfile.TemporaryDirectory() as folder:
                options.out = Path(folder)
                print("\n".join(measure(options)))
            return
        lines = measure(options)
    except (StoreError, ValueError) as error:
        raise SystemExit(f"measure_mdp: {error}") from None
    print("\n".join(lines))
    if lines and not options.no_page:
        machines = sorted({each for match in options.matches for each in machines_of(options.out / match.folder)})
        write_figures(PAGE, about("measure_mdp.py", ("--out", "--merge"), machines), lines)
        print(f"written into {PAGE.name}")


if __name__ == "__main__":
    main()
