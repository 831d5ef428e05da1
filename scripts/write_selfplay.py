r"""Write the figures of riichi self-play runs into docs/selfplay/figures.json and the table of docs/selfplay.md.

    python scripts/write_selfplay.py --run luckfree=runs/selfplay/curve.jsonl --run plain=runs/control/curve.jsonl \
        --match match.json --machine "one NVIDIA H200, 16 cores"

A run is given as a name and its curve; without `--run`, the page is rewritten from the stored figures. Matches are
files written by `measure_selfplay.py`. Figures of a run are means over its last iterations, with 95 % intervals.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Final

import numpy as np

from _page import table, today, write_between

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
FIGURES, PAGE = DOCS / "selfplay" / "figures.json", DOCS / "selfplay.md"
BEGIN, END = "<!-- runs: begin -->", "<!-- runs: end -->"
LAST: Final = 20
"""Number of last iterations over which a run's figures are averaged."""
ROWS: Final = {
    "decisions": "decisions learned from, million",
    "hands": "hands, thousand",
    "hands left": "variance of hands left by the values of draws",
    "traced left": "variance of the policy's advantages, plain returns without critic = 1",
    "kl": "divergence from the imitated policy",
    "gain": "gain against rivals, places a hand without luck",
    "rank": "average rank against three imitated",
    "rank without luck": "the same without luck",
    "speed": "decisions a second",
    "seconds": "seconds of an iteration: playing, judging, learning",
}


def figures_of(lines: list[dict[str, Any]], last: int = LAST) -> dict[str, Any]:
    """The figures of a run, from the lines of its curve."""
    rows = [line for line in lines if "iteration" in line]
    gates = [line["gate"] for line in lines if "gate" in line]
    if not rows:
        raise SystemExit("a curve without iterations")
    end = rows[-last:]
    weight = np.array([1 / row["its error"] ** 2 for row in end if row.get("its error")])
    gain = np.array([row["gain against rivals"] for row in end if row.get("its error")])
    found: dict[str, Any] = {
        "iterations": int(rows[-1]["iteration"]),
        "of the last": len(end),
        "decisions": int(sum(row["decisions"] for row in rows)),
        "hands": int(sum(row["hands"] for row in rows)),
        "gain": interval(float((gain * weight).sum() / weight.sum()), float(weight.sum() ** -0.5))
        if len(gain)
        else None,
        "speed": round(float(np.mean([row["decisions a second"] for row in end]))),
        "seconds": [round(float(one), 2) for one in np.mean([row["seconds"] for row in end], 0)],
    }
    for name in ("hands left", "traced left", "kl"):
        found[name] = round(float(np.mean([row[name] for row in end])), 4)
    if gates:
        found |= {"gate": gates[-1], "rank": gates[-1]["rank"], "rank without luck": gates[-1]["rank without luck"]}
    return found


def interval(value: float, error: float) -> dict[str, float]:
    """An estimate with its 95 % interval."""
    ends = {"value": value, "low": value - 1.96 * error, "high": value + 1.96 * error}
    return {name: round(number, 5) for name, number in ends.items()}


def cell(name: str, figures: dict[str, Any]) -> str:
    """A figure as the page shows it."""
    value = figures.get(name)
    if value is None:
        return "–"
    if name == "gain":
        return f"{value['value']:+.4f} ({value['low']:+.4f} to {value['high']:+.4f})"
    if isinstance(value, dict):
        return f"{value['value']:.3f} ({value['low']:.3f} – {value['high']:.3f}), {figures['gate']['games']:,} games"
    if name in ("decisions", "hands"):
        return f"{value / (1e6 if name == 'decisions' else 1e3):.1f}"
    if name == "seconds":
        return ", ".join(f"{one:.1f}" for one in value)
    return f"{value:,}" if name == "speed" else f"{value:.3f}"


def text_of(figures: dict[str, Any]) -> str:
    """The table of all runs, and the matches."""
    runs = figures["runs"]
    rows = [[text, *(cell(name, run) for run in runs.values())] for name, text in ROWS.items()]
    lines = ["", f"- {figures['date']}, {figures['machine']}", f"- Means over the last {LAST} iterations", ""]
    lines += [table(["", *runs], rows), ""]
    for match in figures["matches"]:
        rank, freed = match["rank"], match["rank without luck"]
        without = f"; without luck {freed['value']:.3f} ({freed['low']:.3f} – {freed['high']:.3f})" if freed else ""
        lines.append(
            f"- `{match['candidate']}` against three imitated, {match['games']:,} games, seed {match['seed']}: "
            f"{rank['value']:.3f} ({rank['low']:.3f} – {rank['high']:.3f}){without}"
        )
    return "\n".join(lines) + "\n"


def read_curve(text: str) -> tuple[str, list[dict[str, Any]]]:
    """A run's name and the lines of its curve, from NAME=FILE."""
    name, _, path = text.partition("=")
    return name, [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Collect figures and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", action="append", default=[], metavar="NAME=CURVE", help="a run and its curve.jsonl")
    parser.add_argument("--match", action="append", default=[], type=Path, help="figures of measure_selfplay.py")
    parser.add_argument("--machine", default="", help="where the runs were made")
    parser.add_argument("--figures", type=Path, default=FIGURES)
    parser.add_argument("--page", type=Path, default=PAGE)
    arguments = parser.parse_args()
    if arguments.run:
        runs = {name: figures_of(lines) for name, lines in map(read_curve, arguments.run)}
        matches = [json.loads(path.read_text(encoding="utf-8")) for path in arguments.match]
        figures = {"date": today(), "machine": arguments.machine, "runs": runs, "matches": matches}
        arguments.figures.parent.mkdir(parents=True, exist_ok=True)
        arguments.figures.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    figures = json.loads(arguments.figures.read_text(encoding="utf-8"))
    write_between(arguments.page, BEGIN, END, text_of(figures))


if __name__ == "__main__":
    main()
