"""The plots of a luck report, drawn as SVG: luck through a game by source, and ranks through a career."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from janshi.arena.report.plots import Running, running_mean
from janshi.arena.report.svg import Drawing, Scale, shortened
from janshi.arena.stats import LEVEL
from janshi.luck.estimators import EVEN, SOURCES, Career
from janshi.luck.moments import course, moment_words
from janshi.luck.types import PLACES, Array, ScoredGames
from janshi.rules.riichi.state import PLAYERS

WIDTH: Final = 620
LEFT: Final = 40
RIGHT: Final = 610
TOP: Final = 24
DEEP: Final = 190
AXIS: Final = 34
TOTAL: Final = "k7"
"""Colour of total luck; sources have k0 to k3."""
MARKED: Final = 6
"""Events of a game that are marked with a dot."""
LEAST_HEIGHT: Final = 0.5
"""Smallest range of a plot's vertical axis, in places."""
LOOKS: Final = 400
"""Most points of a career's curve."""
NEAR: Final = 26
"""Minimum distance between names of hands; names in between are left out."""


def game_plot(scored: ScoredGames, game: int, seat: int, name: str) -> Drawing:
    """One player's luck through a game: a curve for each source, and one for the total."""
    found = course(scored, game, seat)
    curves = [*(found.luck[:, i] for i in range(len(SOURCES))), found.total]
    x = Scale(0, max(len(found.event), 1), LEFT, RIGHT)
    y = _height(curves, TOP + DEEP, TOP)
    title = f"Luck of {name}"
    drawing = Drawing(WIDTH, TOP + DEEP + AXIS, title, f"{title}: {found.total[-1]:+.2f} places at the end")
    _legend(drawing, [(f"k{i}", source) for i, source in enumerate(SOURCES)] + [(TOTAL, "all")])
    _grid(drawing, y)
    drawing.line(LEFT, y(0), RIGHT, y(0), "axis")
    last = -NEAR
    for start, words in found.hands:
        drawing.line(x(start), TOP, x(start), TOP + DEEP, "even")
        if x(start) - last >= NEAR:
            drawing.text(x(start) + 2, TOP + DEEP + 14, _short(words), "tick")
            last = int(x(start))
    for i, curve in enumerate(curves):
        style = f"curve {TOTAL if i == len(SOURCES) else f'k{i}'}"
        drawing.path(_steps(x, y, curve), style, tooltip=(*SOURCES, "all")[i])
    _mark_events(drawing, scored, found.event, found.total, seat, x, y)
    drawing.text(RIGHT, TOP + DEEP + 28, "luck so far in places; hands begin at the dashed lines", "tick", "end")
    return drawing


def _mark_events(
    drawing: Drawing, scored: ScoredGames, event: Array, total: Array, seat: int, x: Scale, y: Scale
) -> None:
    """Dots on the largest events, with words on hover."""
    luck = scored.events["luck"][event, PLACES, seat]
    for i in np.argsort(-np.abs(luck), kind="stable")[:MARKED]:
        words = f"{moment_words(scored, int(event[i]), seat)}, {luck[i]:+.2f} places"
        drawing.dot(x(int(i) + 1), y(float(total[i + 1])), 4, f"mark {TOTAL}", words)


def _steps(x: Scale, y: Scale, values: Array) -> list[tuple[float, float]]:
    """A step curve, without points where nothing changes."""
    points = [(x(0), y(float(values[0])))]
    for i in np.flatnonzero(np.diff(values)) + 1:
        points += [(x(int(i)), points[-1][1]), (x(int(i)), y(float(values[i])))]
    return [*points, (x(len(values) - 1), points[-1][1])]


def _short(words: str) -> str:
    """`South 2, honba 1` as `S2-1`."""
    name, _, honba = words.partition(", honba ")
    wind, _, number = name.partition(" ")
    return f"{wind[0]}{number}" + (f"-{honba}" if honba else "")


def career_plot(career: Career, level: float = LEVEL) -> Drawing:
    """Average rank after each number of games, raw and without luck, with intervals."""
    runs = [running_mean(values, career.game, level) for values in (career.rank, career.adjusted_rank)]
    styles = ("k7", "k0")
    x = Scale(1, max([2.0, *(float(run.walls[-1]) for run in runs if len(run.walls))]), LEFT, RIGHT)
    low, high = _settled(runs)
    y = Scale(low, high, TOP, TOP + DEEP)
    description = f"Average rank of {career.name} after each of {career.games} games"
    drawing = Drawing(WIDTH, TOP + DEEP + AXIS, f"Average rank of {career.name}", description)
    _legend(drawing, list(zip(styles, ("rank", "rank without luck"))))
    _grid(drawing, y)
    drawing.line(LEFT, y(EVEN), RIGHT, y(EVEN), "even")
    for run, style in zip(runs, styles):
        upper = list(zip(map(x, run.walls), map(y, run.value - run.reach)))
        lower = list(zip(map(x, run.walls), map(y, run.value + run.reach)))
        drawing.path(upper + lower[::-1], f"band {style}", True)
        drawing.path(list(zip(map(x, run.walls), map(y, run.value))), f"curve {style}")
    drawing.line(LEFT, TOP + DEEP, RIGHT, TOP + DEEP, "axis")
    for tick in x.ticks(least=1):
        drawing.text(x(tick), TOP + DEEP + 14, f"{tick:g}", "tick", "middle")
    drawing.text(RIGHT, TOP + DEEP + 28, "games; better is higher", "tick", "end")
    return drawing


def _settled(runs: Sequence[Running]) -> tuple[float, float]:
    """Range of ranks in the plot: covers the intervals after the first tenth of the games, and 2.5."""
    ends = [EVEN - 0.1, EVEN + 0.1]
    for run in runs:
        late = slice(len(run.walls) // 10, None)
        for side in (run.value - run.reach, run.value + run.reach):
            ends += side[late].tolist()
    return max(0.5, min(ends)), min(PLAYERS + 0.5, max(ends))


def luck_plot(career: Career) -> Drawing:
    """Cumulative luck over a career, by source and in total."""
    luck = np.concatenate([np.zeros((1, len(SOURCES))), career.luck[:, :, PLACES]]).cumsum(0)
    curves = [*luck.T, luck.sum(1)]
    x = Scale(0, max(len(career), 1), LEFT, RIGHT)
    y = _height(curves, TOP + DEEP, TOP)
    title = f"Luck of {career.name}"
    drawing = Drawing(WIDTH, TOP + DEEP + AXIS, title, f"{title}: {curves[-1][-1]:+.2f} places in all")
    _legend(drawing, [(f"k{i}", source) for i, source in enumerate(SOURCES)] + [(TOTAL, "all")])
    _grid(drawing, y)
    drawing.line(LEFT, y(0), RIGHT, y(0), "axis")
    shown = np.unique(np.linspace(0, len(career), min(len(career) + 1, LOOKS)).astype(int))
    for i, curve in enumerate(curves):
        style = TOTAL if i == len(SOURCES) else f"k{i}"
        drawing.path([(x(int(j)), y(float(curve[j]))) for j in shown], f"curve {style}")
    for tick in x.ticks(least=1):
        drawing.text(x(tick), TOP + DEEP + 14, f"{tick:g}", "tick", "middle")
    drawing.text(RIGHT, TOP + DEEP + 28, "luck in places, by number of games", "tick", "end")
    return drawing


def _height(curves: Sequence[Array], bottom: float, top: float) -> Scale:
    low, high = (float(f([f(curve) for curve in curves])) for f in (np.min, np.max))
    spare = max(0.0, LEAST_HEIGHT - (high - low)) / 2
    margin = (high - low) / 20
    return Scale(low - spare - margin, high + spare + margin, bottom, top)


def _grid(drawing: Drawing, y: Scale) -> None:
    for tick in y.ticks(5):
        drawing.line(LEFT, y(tick), RIGHT, y(tick), "grid")
        drawing.text(LEFT - 4, y(tick) + 4, f"{tick:g}", "tick", "end")


def _legend(drawing: Drawing, entries: Sequence[tuple[str, str]]) -> None:
    at = float(LEFT)
    for style, words in entries:
        drawing.box(at, 4, 10, 10, f"mark {style}")
        drawing.text(at + 14, 13, shortened(words, 30))
        at += 30 + 7 * len(words)
