"""Small line charts as SVG text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

WIDTH: Final = 420
HEIGHT: Final = 280
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 28, 44
COLOURS: Final = ("#1f6f8b", "#c8553d", "#6a994e", "#8d6b94", "#b08900", "#4a4e69", "#d68fb0", "#7a7a7a")
LETTER: Final = 5.8
"""Width of a letter of the legend, about."""
ROW: Final = 14
STEPS: Final = 20
"""Places of each stretch of a line that are looked at for the legend."""


class Line(NamedTuple):
    """A named line through points."""

    name: str
    points: Sequence[tuple[float, float]]
    dashed: bool = False


class Axis(NamedTuple):
    """What an axis shows, from where to where, and the values it names."""

    title: str
    low: float
    high: float
    ticks: Sequence[float]


def chart(title: str, x: Axis, y: Axis, lines: Sequence[Line]) -> str:
    """A line chart with a legend in the corner where it hides least."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{WIDTH / 2}" y="16" text-anchor="middle" font-size="13">{escape(title)}</text>',
        *_axes(x, y),
    ]
    left, top = _legend_place(x, y, lines)
    for number, line in enumerate(lines):
        parts += _line(line, COLOURS[number % len(COLOURS)], left, top + ROW * number, x, y)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _place(value: float, axis: Axis, start: float, end: float) -> float:
    return start + (end - start) * (value - axis.low) / (axis.high - axis.low)


def _x(value: float, axis: Axis) -> float:
    return _place(value, axis, LEFT, WIDTH - RIGHT)


def _y(value: float, axis: Axis) -> float:
    return _place(value, axis, HEIGHT - BOTTOM, TOP)


def _axes(x: Axis, y: Axis) -> list[str]:
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = []
    for tick in y.ticks:
        at = _y(tick, y)
        parts.append(f'<line x1="{LEFT}" y1="{at:.1f}" x2="{right}" y2="{at:.1f}" stroke="#e0e0e0"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for tick in x.ticks:
        parts.append(f'<text x="{_x(tick, x):.1f}" y="{bottom + 15}" text-anchor="middle">{tick:g}</text>')
    parts.append(f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#404040"/>')
    middle = (LEFT + right) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">{escape(x.title)}</text>')
    half = (TOP + bottom) / 2
    parts.append(
        f'<text x="13" y="{half}" text-anchor="middle" transform="rotate(-90 13 {half})">{escape(y.title)}</text>'
    )
    return parts


def _legend_place(x: Axis, y: Axis, lines: Sequence[Line]) -> tuple[float, float]:
    """Where the legend begins: in the corner with the fewest points of lines behind it, the upper left of equals."""
    wide = 33 + LETTER * max((len(line.name) for line in lines), default=0)
    high = ROW * len(lines)
    corners = [
        (left, top)
        for top in (TOP + 8, HEIGHT - BOTTOM - high + 2)
        for left in (LEFT + 10, max(WIDTH - RIGHT - wide, LEFT + 10))
    ]
    drawn = [(_x(a, x), _y(b, y)) for line in lines for a, b in _along(line.points)]

    def hidden(corner: tuple[float, float]) -> int:
        left, top = corner
        return sum(left - 6 <= a <= left + wide and top - 10 <= b <= top + high for a, b in drawn)

    return min(corners, key=hidden)


def _along(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Places all along a line."""
    found = list(points)
    for (a, b), (c, d) in pairwise(points):
        found += [(a + (c - a) * i / STEPS, b + (d - b) * i / STEPS) for i in range(1, STEPS)]
    return found


def _line(line: Line, colour: str, left: float, at: float, x: Axis, y: Axis) -> list[str]:
    dash = ' stroke-dasharray="4 3"' if line.dashed else ""
    path = " ".join(f"{_x(a, x):.1f},{_y(b, y):.1f}" for a, b in line.points)
    parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>']
    if not line.dashed:
        parts += [f'<circle cx="{_x(a, x):.1f}" cy="{_y(b, y):.1f}" r="2.4" fill="{colour}"/>' for a, b in line.points]
    parts.append(
        f'<line x1="{left:g}" y1="{at:g}" x2="{left + 18:g}" y2="{at:g}" stroke="{colour}" stroke-width="2"{dash}/>'
    )
    parts.append(f'<text x="{left + 23:g}" y="{at + 4:g}">{escape(line.name)}</text>')
    return parts
