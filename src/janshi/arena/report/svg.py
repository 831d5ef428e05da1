"""Drawing in SVG with plain strings: shapes styled by the page's CSS classes, every text escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from typing import Final

TEXT_SIZE: Final = 12


class Drawing:
    """An SVG image, built shape by shape. The origin is at the top left."""

    def __init__(self, width: float, height: float, title: str, description: str) -> None:
        self.width, self.height = width, height
        self.title, self.description = title, description
        self._shapes: list[str] = []

    def line(self, x1: float, y1: float, x2: float, y2: float, style: str) -> None:
        """A straight line."""
        self._shapes.append(f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" class="{escape(style)}"/>')

    def box(self, x: float, y: float, width: float, height: float, style: str, tooltip: str = "") -> None:
        """A filled rectangle; `tooltip` is shown when it is pointed at."""
        size = f'width="{_n(max(width, 0))}" height="{_n(max(height, 0))}"'
        self._shapes.append(f'<rect x="{_n(x)}" y="{_n(y)}" {size} class="{escape(style)}">{_tooltip(tooltip)}</rect>')

    def dot(self, x: float, y: float, radius: float, style: str, tooltip: str = "") -> None:
        """A filled circle."""
        place = f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"'
        self._shapes.append(f'<circle {place} class="{escape(style)}">{_tooltip(tooltip)}</circle>')

    def text(self, x: float, y: float, content: str, style: str = "", anchor: str = "start") -> None:
        """A line of text with its baseline at `y`."""
        self._shapes.append(
            f'<text x="{_n(x)}" y="{_n(y)}" text-anchor="{escape(anchor)}" class="{escape(style)}">'
            f"{escape(content)}</text>"
        )

    def path(self, points: Sequence[tuple[float, float]], style: str, closed: bool = False, tooltip: str = "") -> None:
        """A line through points, or with `closed` the area within."""
        if points:
            way = "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points) + ("Z" if closed else "")
            self._shapes.append(f'<path d="{way}" class="{escape(style)}">{_tooltip(tooltip)}</path>')

    def html(self) -> str:
        """The image as an element of a page, with its title for those who cannot see it."""
        return (
            f'<svg viewBox="0 0 {_n(self.width)} {_n(self.height)}" role="img" aria-label="{escape(self.title)}" '
            f'xmlns="http://www.w3.org/2000/svg"><title>{escape(self.title)}</title>'
            f"<desc>{escape(self.description)}</desc>{''.join(self._shapes)}</svg>"
        )


class Scale:
    """Maps values from `low` to `high` onto positions from `start` to `end`."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high = (low, high) if high > low else (low - 0.5, high + 0.5)
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        """The position of a value; those outside are placed on the border."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, about: int = 5, least: float = 0.0) -> list[float]:
        """Round values to mark: roughly `about` of them, at least `least` apart."""
        step = _round_step(max((self.high - self.low) / max(about, 1), least))
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [round(i * step, 10) for i in range(first, last + 1)]


def _round_step(wanted: float) -> float:
    """The smallest step of 1, 2 or 5 times a power of ten that is at least `wanted`."""
    power = 10.0 ** floor(log10(wanted))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= wanted * (1 - 1e-9))


def shortened(text: str, longest: int) -> str:
    """A text of at most `longest` characters."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _tooltip(text: str) -> str:
    return f"<title>{escape(text)}</title>" if text else ""
