"""Shared by scripts that measure players in matches: progress, rows of tables, figures between marks of a page."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from _page import stamp, write_between
from janshi.arena.results import Results
from janshi.arena.stats import Estimate
from janshi.arena.summary import Line

FIRST, LAST = "<!-- figures -->", "<!-- end of figures -->"
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


def progress(name: str, total: int) -> Callable[[Results, int], None]:
    """A callback that prints the progress of a match at intervals."""
    begun = last = time.monotonic()

    def watch(_: Results, done: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > EVERY or done == total:
            last = now
            print(f"{name}: {done} of {total} games, {now - begun:.0f} s", file=sys.stderr, flush=True)

    return watch


# --- tables


def interval(estimate: Estimate | None, digits: int = 2) -> str:
    """A figure with its interval."""
    if estimate is None:
        return "–"
    return f"{estimate.value:.{digits}f} ({estimate.low:.{digits}f} – {estimate.high:.{digits}f})"


def percent(estimate: Estimate | None) -> str:
    """A share in percent."""
    return "–" if estimate is None else f"{100 * estimate.value:.1f}"


def cells(match: str, line: Line) -> list[str]:
    """The figures of one player in a match, under `HEADINGS`."""
    places = " / ".join(percent(place) for place in line.places)
    rates = [percent(line.rates.get(name)) for name in ("win", "deal-in", "riichi", "call")]
    return [
        match,
        f"`{line.label}`",
        f"{line.games:,}",
        interval(line.rank),
        places,
        *rates,
        f"{line.milliseconds:.1f}",
    ]


# --- pages


def shown_arguments(arguments: Sequence[str], hidden: Sequence[str] = ("--out",)) -> list[str]:
    """The command's arguments, except local folders."""
    shown, skip = [], False
    for argument in arguments:
        name, given, _ = argument.partition("=")
        if argument.startswith("--"):
            skip = name in hidden
        if not skip:
            shown.append(argument)
        elif given:
            skip = False
    return shown


def about(script: str, hidden: Sequence[str] = ("--out",), machines: Sequence[str] = ()) -> str:
    """When, where and how figures were measured."""
    command = f"python scripts/{script} " + shlex.join(shown_arguments(sys.argv[1:], hidden))
    return stamp(command.strip(), "; ".join(machines))


def write_figures(page: Path, note: str, lines: Sequence[str]) -> None:
    """Write when, where and how, and the figures, between the marks of a page."""
    write_between(page, FIRST, LAST, "\n".join(["", note, "", *lines, ""]))
