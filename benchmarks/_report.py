"""Figures of a benchmark and their output as a table, JSON, or a page of the documentation."""

from __future__ import annotations

import datetime
import json
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numba
import numpy
from rich.console import Console
from rich.table import Table

MILLION = 1_000_000
PAGES = Path(__file__).resolve().parent.parent / "docs" / "benchmarks"


@dataclass
class Figure:
    """One measured number, its target, and the peers' numbers for the same work."""

    metric: str
    unit: str
    ours: float
    target: float | None = None
    higher_is_better: bool = True
    peers: dict[str, float] = field(default_factory=dict)
    note: str = ""
    runs: Sequence[float] = ()
    """All our runs; `ours` is the best."""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        if self.target is None:
            return None
        return self.ours >= self.target if self.higher_is_better else self.ours <= self.target

    def as_json(self) -> dict[str, Any]:
        """The output of `--json`."""
        names = ("metric", "unit", "ours", "target", "higher_is_better", "peers")
        return {name: getattr(self, name) for name in names}

    def cells(self, between: str = ", ") -> list[str]:
        """A row of the table; `between` separates peers."""
        verdict = {True: "yes", False: "no", None: ""}[self.met]
        sign = "≥ " if self.higher_is_better else "≤ "
        target = "" if self.target is None else sign + number(self.target)
        peers = between.join(f"{name} {number(value)}" for name, value in self.peers.items())
        return [self.metric, f"{number(self.ours)} {self.unit}", target, verdict, peers, self._spread()]

    def _spread(self) -> str:
        if len(self.runs) < 2:
            return ""
        return f"{number(min(self.runs))} – {number(max(self.runs))} ({len(self.runs)})"


HEADINGS = ("Metric", "Janshi", "Target", "Met", "Peers", "Our runs")
"""Our runs: minimum, maximum and count."""


def number(value: float) -> str:
    """A readable number: three significant figures, millions as "M"."""
    if abs(value) >= MILLION:
        return f"{value / MILLION:.3g} M"
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def print_table(title: str, figures: Sequence[Figure]) -> None:
    """Show figures in the terminal."""
    table = Table(title=title, title_justify="left", show_lines=True)
    for heading in HEADINGS[:-1]:
        table.add_column(heading, justify="right" if heading in ("Janshi", "Target") else "left")
    for figure in figures:
        table.add_row(*figure.cells("\n")[:-1], style={True: "green", False: "red", None: ""}[figure.met])
    Console().print(table)


def print_json(figures: Sequence[Figure]) -> None:
    """Print figures as a JSON list, and nothing else."""
    print(json.dumps([figure.as_json() for figure in figures], indent=2))


def write_page(name: str, title: str, intro: str, figures: Sequence[Figure], peers: dict[str, str]) -> Path:
    """Write figures to `docs/benchmarks/<name>.md`."""
    PAGES.mkdir(parents=True, exist_ok=True)
    versions = ", ".join(f"{peer} {version}" for peer, version in sorted(peers.items()))
    lines = [
        f"# {title}",
        "",
        intro,
        "",
        f"- Date: {datetime.datetime.now(datetime.UTC):%Y-%m-%d}",
        f"- Machine: {machine()}",
        f"- Peers: {versions or 'none'}",
        f"- Command: `python benchmarks/{name}.py`",
        "",
        "| " + " | ".join(HEADINGS) + " |",
        "|---" * len(HEADINGS) + "|",
        *("| " + " | ".join(figure.cells()) + " |" for figure in figures),
        "",
        *(f"- {figure.metric}: {figure.note}" for figure in figures if figure.note),
    ]
    page = PAGES / f"{name}.md"
    page.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    return page


def machine() -> str:
    """The machine and the versions that matter."""
    load = f", load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else ""
    return (
        f"{cpu_model()}, {os.cpu_count()} cores{load}; Python {platform.python_version()}, "
        f"NumPy {numpy.__version__}, Numba {numba.__version__}, {sys.platform}"
    )


def cpu_model() -> str:
    """The processor's name according to the system."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
