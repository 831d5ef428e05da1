"""Line charts for the documentation, as SVG text."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Final, NamedTuple

INCHES: Final = (5.6, 3.7)
COLOURS: Final = ("#1f6f8b", "#c8553d", "#6a994e", "#8d6b94", "#b08900", "#4a4e69", "#d68fb0", "#7a7a7a")
STYLE: Final = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "janshi",  # the same chart is the same file
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}


class Line(NamedTuple):
    """A named line through points."""

    name: str
    points: Sequence[tuple[float, float]]
    dashed: bool = False
    errors: Sequence[float] = ()
    """Half-widths of intervals around the points, if known."""


class Axis(NamedTuple):
    """The title, range and ticks of an axis."""

    title: str
    low: float
    high: float
    ticks: Sequence[float]


def chart(title: str, x: Axis, y: Axis, lines: Sequence[Line]) -> str:
    """A line chart, with the legend where it hides the least."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=INCHES, layout="constrained")
        axes = figure.subplots()
        for number, line in enumerate(lines):
            form = {"linestyle": "--"} if line.dashed else {"marker": "o", "markersize": 3}
            colour = COLOURS[number % len(COLOURS)]
            axes.plot(*zip(*line.points), label=line.name, color=colour, gid=f"line-{number}", **form)
            if line.errors:
                axes.errorbar(*zip(*line.points), yerr=line.errors, color=colour, linestyle="none", capsize=2)
        axes.set(title=title, xlabel=x.title, ylabel=y.title, xlim=(x.low, x.high), ylim=(y.low, y.high))
        axes.set_xticks(x.ticks, [f"{tick:g}" for tick in x.ticks])
        axes.set_yticks(y.ticks, [f"{tick:g}" for tick in y.ticks])
        axes.grid(axis="y", color="#e0e0e0")
        axes.legend(loc="best")
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()
