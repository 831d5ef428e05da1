"""The plots of a report, drawn as SVG: average ranks, shares of ranks, the running estimate, points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from janshi.arena.report.svg import Drawing, Scale, shortened
from janshi.arena.results import Results
from janshi.arena.stats import LEVEL, Floats, cluster_index, t_quantile
from janshi.arena.summary import Line, values_of

WIDTH: Final = 440
LEFT: Final = 10
RIGHT: Final = 430
ROW: Final = 40
"""Height of a contestant's row: its name and the bar below."""
AXIS: Final = 30
COLOURS: Final = 8
LONGEST_NAME: Final = 48
LOOKS: Final = 120
"""Maximum number of points of a running estimate."""
BINS: Final = 40


def colour(place: int) -> str:
    """The CSS class of the colour of a contestant."""
    return f"k{place % COLOURS}"


def ordinal(rank: int) -> str:
    """A rank as an ordinal: 1st, 2nd, 3rd, 4th."""
    return f"{rank}" + {1: "st", 2: "nd", 3: "rd"}.get(rank, "th")


def rank_plot(lines: Sequence[Line], names: Sequence[str], players: int) -> Drawing:
    """Average rank of each contestant with its interval."""
    known = [(place, line, line.rank) for place, line in enumerate(lines) if line.rank and not line.rank.unknown]
    even = (players + 1) / 2
    low = min([even, *(rank.low for _, _, rank in known)])
    high = max([even, *(rank.high for _, _, rank in known)])
    margin = max(0.02, (high - low) / 20)
    scale = Scale(max(1, low - margin), min(players, high + margin), LEFT, RIGHT)
    bottom = ROW * len(known) + 6
    drawing = Drawing(
        WIDTH, bottom + AXIS, "Average rank", "; ".join(f"{names[place]} {rank}" for place, _, rank in known)
    )
    axis(drawing, scale, bottom, "average rank (1 is best)")
    drawing.line(scale(even), 0, scale(even), bottom, "even")
    for row, (place, _, rank) in enumerate(known):
        y = ROW * row + 28
        tooltip = f"{names[place]}: {rank.value:.3f}, from {rank.low:.3f} to {rank.high:.3f}"
        draw_interval(drawing, scale, y, names[place], (rank.low, rank.value, rank.high), place, tooltip)
    return drawing


def draw_interval(
    drawing: Drawing, scale: Scale, y: float, name: str, figure: tuple[float, float, float], place: int, tooltip: str
) -> None:
    """A contestant's name and below it, at height y, an estimate (low, value, high) in the contestant's colour."""
    low, value, high = figure
    drawing.text(LEFT, y - 12, shortened(name, LONGEST_NAME))
    drawing.line(scale(low), y, scale(high), y, f"whisker {colour(place)}")
    for end in (low, high):
        drawing.line(scale(end), y - 4, scale(end), y + 4, f"whisker {colour(place)}")
    drawing.dot(scale(value), y, 4.5, f"mark {colour(place)}", tooltip)


def shares_plot(lines: Sequence[Line], names: Sequence[str]) -> Drawing:
    """How often each contestant took each rank, as stacked bars."""
    known = [(place, line.places) for place, line in enumerate(lines) if line.places]
    scale = Scale(0, 1, LEFT, RIGHT)
    bottom = ROW * len(known) + 6
    drawing = Drawing(WIDTH, bottom + AXIS, "Shares of ranks", "Left to right: first, second … last rank")
    for row, (place, shares) in enumerate(known):
        y, start = ROW * row + 18, 0.0
        drawing.text(LEFT, y - 4, shortened(names[place], LONGEST_NAME))
        for rank, share in enumerate(shares, 1):
            width = scale(start + share.value) - scale(start)
            tooltip = f"{names[place]}: {ordinal(rank)} in {100 * share.value:.1f} % of games"
            drawing.box(scale(start), y, width, 18, f"mark r{rank}", tooltip)
            if width > 44:
                words = f"{ordinal(rank)} {100 * share.value:.0f} %"
                drawing.text(scale(start) + width / 2, y + 13, words, "in", "middle")
            start += share.value
    axis(drawing, scale, bottom, "share of games", "{:.0%}")
    return drawing


@dataclass(frozen=True, slots=True)
class Running:
    """A running mean over wall sets: all arrays have one entry per look."""

    walls: Floats
    value: Floats
    reach: Floats
    """Half width of the interval."""


def running_mean(values: Floats, wall: Floats, level: float = LEVEL, looks: int = LOOKS) -> Running:
    """The mean of `stats.mean` after the first 2, 3, … wall sets, at `looks` points at most.

    Games that are NaN are left out, and so are wall sets without others.
    """
    known = ~np.isnan(values)
    index, walls = cluster_index(wall[known])
    y = np.bincount(index, values[known], walls)
    n = np.bincount(index, minlength=walls).astype(np.float64)
    if walls < 2:
        nothing = np.zeros(0)
        return Running(nothing, nothing, nothing)
    at = np.unique(np.linspace(2, walls, min(looks, walls - 1)).astype(int))
    sums = [np.cumsum(column)[at - 1] for column in (y, n, y * y, y * n, n * n)]
    mean = sums[0] / sums[1]
    spread = np.maximum(sums[2] - 2 * mean * sums[3] + mean**2 * sums[4], 0)
    error = np.sqrt(spread * at / (at - 1)) / sums[1]
    return Running(at.astype(np.float64), mean, error * np.array([t_quantile(level, int(w)) for w in at]))


def running_plot(results: Results, lines: Sequence[Line], names: Sequence[str]) -> Drawing:
    """The average rank and its interval as wall sets were added, for the best contestants."""
    known = [place for place, line in enumerate(lines) if line.rank is not None]
    best = sorted(known, key=lambda place: lines[place].rank.value)[:COLOURS]  # type: ignore[union-attr]
    runs = {
        place: running_mean(values_of(results, results.ranks, lines[place].contestant), results.wall) for place in best
    }
    top, bottom, left = 6 + 16 * len(best), 6 + 16 * len(best) + 200, 34
    low, high = _settled(list(runs.values()), results.players)
    x = Scale(2, max([3.0, *(run.walls[-1] for run in runs.values())]), left, RIGHT)
    y = Scale(low, high, top, bottom)
    drawing = Drawing(WIDTH, bottom + AXIS, "Running average rank", "Average rank by number of wall sets")
    axis(drawing, x, bottom, "wall sets", least=1)
    for tick in y.ticks(6):
        drawing.line(left, y(tick), RIGHT, y(tick), "grid")
        drawing.text(left - 4, y(tick) + 4, f"{tick:g}", "tick", "end")
    for row, (place, run) in enumerate(runs.items()):
        upper = list(zip(map(x, run.walls), map(y, run.value + run.reach)))
        lower = list(zip(map(x, run.walls), map(y, run.value - run.reach)))
        drawing.path(upper + lower[::-1], f"band {colour(place)}", True)
        drawing.path(list(zip(map(x, run.walls), map(y, run.value))), f"curve {colour(place)}", tooltip=names[place])
        drawing.box(left, 4 + 16 * row, 10, 10, f"mark {colour(place)}")
        drawing.text(left + 16, 13 + 16 * row, shortened(names[place], LONGEST_NAME))
    return drawing


def _settled(runs: Sequence[Running], players: int) -> tuple[float, float]:
    """The range of a running plot: what was within the intervals after the first tenth."""
    ends = [(run.value[k:] + sign * run.reach[k:]) for run in runs for k in [len(run.walls) // 10] for sign in (-1, 1)]
    if not ends:
        return 1, players
    return max(1.0, float(min(e.min() for e in ends))), min(float(players), float(max(e.max() for e in ends)))


def points_plot(results: Results, lines: Sequence[Line], names: Sequence[str]) -> Drawing:
    """How the points of games are spread, a histogram for each contestant."""
    row, deep = 74, 46
    low, high = float(results.points.min()), float(results.points.max())
    scale = Scale(low, high, LEFT, RIGHT)
    edges = np.linspace(scale.low, scale.high, BINS + 1)
    held = [results.points[results.seats == line.contestant] for line in lines]
    shares = [np.histogram(points, edges)[0] / max(1, len(points)) for points in held]
    highest = max(float(share.max()) for share in shares)
    bottom = row * len(lines) + 6
    drawing = Drawing(WIDTH, bottom + AXIS, "Points of games", "Share of games by points")
    for place, share in enumerate(shares):
        foot = row * place + 16 + deep
        drawing.text(LEFT, foot - deep - 4, shortened(names[place], LONGEST_NAME))
        for i in np.flatnonzero(share):
            x, height = scale(edges[i]), deep * float(share[i]) / highest
            tooltip = f"{names[place]}: {edges[i]:.1f} to {edges[i + 1]:.1f} points in {100 * share[i]:.1f} % of games"
            drawing.box(x, foot - height, scale(edges[i + 1]) - x - 0.5, height, f"mark {colour(place)}", tooltip)
        drawing.line(LEFT, foot, RIGHT, foot, "axis")
    axis(drawing, scale, bottom, "points of a game")
    return drawing


def axis(drawing: Drawing, scale: Scale, y: float, name: str, form: str = "{:g}", least: float = 0.0) -> None:
    """A horizontal axis at height y with its marks and its name."""
    drawing.line(scale.start, y, scale.end, y, "axis")
    for tick in scale.ticks(least=least):
        drawing.line(scale(tick), y, scale(tick), y + 4, "axis")
        anchor = "start" if scale(tick) < LEFT + 12 else "end" if scale(tick) > RIGHT - 12 else "middle"
        drawing.text(scale(tick), y + 15, form.format(tick), "tick", anchor)
    drawing.text(scale.end, y + 27, name, "tick", "end")
