"""Small line charts as SVG text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

WIDTH: Final = 420
HEIGHT: Final = 280
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 28, 44
COLOURS: Final = ("#1f6f8b", "#c8553d", "#6a994e", "#8d6b94", "#b08900")


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
    """A line chart with a legend."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{WIDTH / 2}" y="16" text-anchor="middle" font-size="13">{escape(title)}</text>',
        *_axes(x, y),
    ]
    for number, line in enumerate(lines):
        parts += _line(line, COLOURS[number % len(COLOURS)], number, x, y)
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


def _line(line: Line, colour: str, number: int, x: Axis, y: Axis) -> list[str]:
    dash = ' stroke-dasharray="4 3"' if line.dashed else ""
    path = " ".join(f"{_x(a, x):.1f},{_y(b, y):.1f}" for a, b in line.points)
    parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>']
    if not line.dashed:
        parts += [f'<circle cx="{_x(a, x):.1f}" cy="{_y(b, y):.1f}" r="2.4" fill="{colour}"/>' for a, b in line.points]
    at = TOP + 8 + 14 * number
    parts.append(
        f'<line x1="{LEFT + 10}" y1="{at}" x2="{LEFT + 28}" y2="{at}" stroke="{colour}" stroke-width="2"{dash}/>'
    )
    parts.append(f'<text x="{LEFT + 33}" y="{at + 4}">{escape(line.name)}</text>')
    return parts
