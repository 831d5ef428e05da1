"""The page docs/mdp_models.md: its tables, its plots, and the marks around its figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from _chart import Axis, Line, chart
from _page import write_between
from janshi.fitting.measures import Figure, calibration

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "mdp_models.md"
PLOTS = ROOT / "docs" / "mdp_models"
COMMAND = "python scripts/evaluate_mdp_models.py DATA --positions POSITIONS --player 2000"


def marks(name: str) -> tuple[str, str]:
    """The marks around the figures of a part of the page."""
    return f"<!-- {name}: written by scripts/evaluate_mdp_models.py -->", f"<!-- end of {name} -->"


def percent(value: Any, digits: int = 1) -> str:
    """A percentage."""
    return f"{100 * float(value):.{digits}f} %"


def interval(figure: Figure) -> str:
    """A percentage with its interval."""
    return f"{percent(figure.value)} ({percent(figure.low)} – {percent(figure.high)})"


class Plots:
    """Plots by name."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def calibration(self, name: str, title: str, guesses: dict[str, tuple[Any, Any]], most: float, bins: int) -> None:
        """Predictions against outcomes, one line for each pair of them."""
        lines = []
        for word, (guess, happened) in guesses.items():
            lines.append(Line(word, [(a, b) for a, b, _ in calibration(guess, happened.astype(float), bins)]))
        lines.append(Line("perfect", [(0, 0), (most, most)], True))
        ticks = [round(most * t / 5, 4) for t in range(6)]
        axes = Axis("predicted", 0, most, ticks), Axis("happened", 0, most, ticks)
        self.texts[name] = chart(title, *axes, lines)

    def write(self) -> None:
        """Write all plots."""
        PLOTS.mkdir(parents=True, exist_ok=True)
        for name, text in self.texts.items():
            (PLOTS / f"{name}.svg").write_text(text, encoding="utf-8")


def write_part(name: str, text: str) -> None:
    """Put figures between their marks on the page."""
    write_between(PAGE, *marks(name), f"\n{text}\n")
