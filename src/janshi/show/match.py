"""A match in the terminal: a live table with the current estimates and a progress bar, and the final one."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from math import isfinite
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from janshi.arena.contestants import shown_name
from janshi.arena.families import ARENA_LAYER
from janshi.arena.plan import Plan
from janshi.arena.report.tables import list_faults
from janshi.arena.results import Results, join_results
from janshi.arena.standings import Round, Standing
from janshi.arena.stats import LEAST_WALLS, Estimate
from janshi.arena.summary import Line, Summary, summarise
from janshi.rules.registry import find_family
from janshi.show.columns import figures_table, fitting_table
from janshi.show.compile_notice import LOADING

REFRESH_SECONDS = 1.0
WIDEST_LABEL = 36
UNKNOWN = "?"
"""Stands for the width of an interval if there are too few wall sets."""


def estimate_text(estimate: Estimate | None, digits: int = 2, percent: bool = False) -> str:
    """A number with half its interval's width: `2.43 ± 0.05`."""
    if estimate is None:
        return "–"
    scale, digits, unit = (100, 1, " %") if percent else (1, digits, "")
    reach = UNKNOWN if estimate.unknown else f"{scale * estimate.half_width:.{digits}f}"
    return f"{scale * estimate.value:.{digits}f} ± {reach}{unit}"


def p_text(estimate: Estimate) -> str:
    """The p-value of no difference, or a dash if it is unknown."""
    return "–" if estimate.unknown else f"{estimate.p_value():.3g}"


def short_label(label: str) -> str:
    """A contestant's name, cut to fit a column."""
    return short_name(shown_name(label))


def short_name(name: str) -> str:
    """A name that fits a column."""
    return name if len(name) <= WIDEST_LABEL else name[: WIDEST_LABEL - 1] + "…"


FAULTS = "faults"
"""A column that is never left out: results of a player with faults do not measure its play."""
COLUMNS: tuple[tuple[str, Callable[[Line], str]], ...] = (
    ("games", lambda line: f"{line.games:,}"),
    ("rank", lambda line: estimate_text(line.rank, 3)),
    ("points", lambda line: estimate_text(line.points)),
    ("places %", lambda line: " / ".join(f"{100 * place.value:.0f}" for place in line.places)),
    ("win", lambda line: estimate_text(line.rates.get("win"), percent=True)),
    ("deal-in", lambda line: estimate_text(line.rates.get("deal-in"), percent=True)),
    ("fan/hand", lambda line: estimate_text(line.amounts.get("fan per hand"))),
    ("ms/decision", lambda line: f"{line.milliseconds:.2f}" if line.milliseconds < 10 else f"{line.milliseconds:.0f}"),
    (FAULTS, lambda line: str(sum(line.faults.values()))),
)


def summary_table(summary: Summary, rules: str, width: int) -> Table:
    """One row per contestant."""
    walls = "1 wall set" if summary.walls == 1 else f"{summary.walls:,} wall sets"
    fan = ARENA_LAYER.of(find_family(rules)).fan
    names = [name.replace("fan", fan) for name, _ in COLUMNS]
    lines = sorted(summary.lines, key=lambda line: line.rank.value if line.rank else 9.0)
    rows: list[list[str | Text]] = [
        [Text(short_label(line.label)), *(text(line) for _, text in COLUMNS)] for line in lines
    ]
    title = f"{rules}: {summary.games:,} games on {walls}"
    return fitting_table(["player", *names], rows, width, title, always=[FAULTS])


def pairs_table(summary: Summary, plan: Plan) -> Table:
    """Differences between contestants, and what duplicate walls gained."""
    heads = ("pair", "rank", "p", "points", "p", "each game worth")
    table = figures_table(heads, "Differences (first minus second)")
    for pair in summary.pairs:
        names = " – ".join(short_label(plan.contestants[who]) for who in (pair.first, pair.second))
        rank, points = pair.rank.estimate, pair.points.estimate
        table.add_row(
            Text(names),
            estimate_text(rank, 3),
            p_text(rank),
            estimate_text(points),
            p_text(points),
            f"{pair.points.gain:.2f} independent" if isfinite(pair.points.gain) else "–",
        )
    return table


def controlled_table(summary: Summary, plan: Plan) -> Table:
    """Points with and without the baseline's luck on the same walls."""
    title = "Points without the baseline's luck on the same walls"
    table = figures_table(("player", "plain", "adjusted", "variance ratio"), title)
    for who, found in summary.controlled.items():
        plain, adjusted = estimate_text(found.plain), estimate_text(found.estimate)
        table.add_row(Text(short_label(plan.contestants[who])), plain, adjusted, f"{found.gain:.2f}")
    return table


def print_match(results: Results, plan: Plan, console: Console) -> None:
    """Print the results of a match."""
    summary = summarise(results, plan)
    console.print(summary_table(summary, plan.rules, console.width))
    if summary.pairs and len(summary.pairs) <= 12:
        console.print(pairs_table(summary, plan))
    if summary.controlled:
        console.print(controlled_table(summary, plan))
    if summary.walls < LEAST_WALLS:
        console.print(Text(f"Averages need at least {LEAST_WALLS} wall sets (--walls).", style="yellow"))
    elif any(known is not None and known.unknown for line in summary.lines for known in _shown(line)):
        console.print(Text(f"± {UNKNOWN}: too few wall sets for an interval (--walls).", style="yellow"))
    print_faults([Round(plan, results)], console)


def _shown(line: Line) -> tuple[Estimate | None, ...]:
    """The estimates that a contestant's row shows."""
    return line.rank, line.points, line.rates.get("win"), line.rates.get("deal-in"), line.amounts.get("fan per hand")


def print_faults(rounds: Sequence[Round], console: Console) -> None:
    """Print what went wrong: each kind of fault of a contestant, and where it happened first."""
    for fault in list_faults(rounds):
        who = short_label(rounds[0].plan.contestants[fault.contestant])
        line = f"Faults of {who}: {fault.count} × {fault.kind}, first in {fault.where}: {fault.message}"
        console.print(Text(line, style="yellow"))


class LiveMatch:
    """Shows a match while it is played: `with LiveMatch(plan) as live: run_match(plan, watch=live)`."""

    def __init__(self, plan: Plan, console: Console | None = None) -> None:
        self.plan = plan
        self.console = console or Console(stderr=True)
        self.parts: list[Results] = []
        self.drawn = 0.0
        self.progress = Progress(
            TextColumn("games"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[speed]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=self.console,
        )
        self.task = self.progress.add_task("games", total=len(plan), speed="")
        self.started, self.fresh = time.monotonic(), 0
        before = Group(Text(LOADING, style="dim"), self.progress)  # until the first game has been played
        self.live = Live(before, console=self.console, refresh_per_second=4, transient=True)

    def __enter__(self) -> LiveMatch:
        self.live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.live.stop()

    def resume(self, results: Results) -> None:
        """Take the games that were played before."""
        self.parts.append(results)
        self.progress.update(self.task, completed=len(results))

    def __call__(self, results: Results, count: int) -> None:
        """Take games that have just finished."""
        self.parts.append(results)
        self.fresh += len(results)
        now = time.monotonic()
        speed = self.fresh / max(now - self.started, 1e-9)
        self.progress.update(self.task, completed=count, speed=f"{speed:,.1f}/s")
        if now - self.drawn > REFRESH_SECONDS * max(1, len(self.parts[0]) / 20_000):
            self.drawn = now
            self.parts = [join_results(self.parts, len(self.plan.lineups[0]))]
            summary = summarise(self.parts[0], self.plan)
            self.live.update(Group(summary_table(summary, self.plan.rules, self.console.width), self.progress))


class LiveRounds:
    """Shows the rounds of a tournament, each as a match."""

    def __init__(self, rounds: int, quiet: bool = False) -> None:
        self.rounds = rounds
        self.quiet = quiet
        self.number = 0
        self.live: LiveMatch | None = None

    def __enter__(self) -> LiveRounds:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop()

    def _stop(self) -> None:
        if self.live is not None:
            self.live.__exit__(None, None, None)
            self.live = None

    def __call__(self, number: int, plan: Plan, results: Results, count: int) -> None:
        """Take games of a round that have just finished."""
        if self.quiet:
            return
        if number != self.number:
            self._stop()
            self.number, self.live = number, LiveMatch(plan)
            self.live.console.print(f"round {number} of {self.rounds}")
            self.live.__enter__()
        if self.live is not None:
            self.live(results, count)


def print_standings(places: Sequence[Standing], rounds: Sequence[Round], console: Console) -> None:
    """Print the standings of some rounds, with ratings and faults."""
    faults: Counter[str] = Counter()
    for fault in list_faults(rounds):
        faults[rounds[0].plan.contestants[fault.contestant]] += fault.count
    table = Table(title="Standings", title_justify="left")
    heads = ("", "player", "games", FAULTS, "rank", "points", "openskill", "strength (log)")
    for name in heads:
        table.add_column(name, justify="left" if name == "player" else "right")
    for place, standing in enumerate(places, start=1):
        table.add_row(
            str(place),
            Text(short_label(standing.label)),
            f"{standing.games:,}",
            str(faults[standing.label]),
            estimate_text(standing.rank, 3),
            estimate_text(standing.points),
            f"{standing.rating.mu:.1f} ± {standing.rating.sigma:.1f}",
            estimate_text(standing.strength),
        )
    console.print(table)
