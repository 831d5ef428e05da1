"""The figures of docs/rvr.md, written from what `scripts/measure_rvr.py` measured: tables and plots."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from _chart import Axis, Line, chart
from _page import table, when_and_where, write_between

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE, FOLDER = DOCS / "rvr.md", DOCS / "rvr"
FIRST, LAST = "<!-- figures -->", "<!-- end of figures -->"
COMMAND = "python scripts/measure_rvr.py"
NAMES = {
    "basic": "RL-basic",
    "global": "RL-global",
    "rl1": "RL-1",
    "rl2": "RL-2",
    "rl2p": "RL-2′",
    "rl3": "RL-3",
    "rl3p": "RL-3′",
    "rl4": "RL-4 (ours)",
    "rl5": "RL-5 (ours)",
}
BEGINNING = "imitated"
"""The Guobiao policy that the compared variants start from."""
PLOTTED = ("basic", "rl1", "rl2", "rl2p", "rl3", "rl3p", "rl4", "rl5")
PAPER = {"rl1": ("+6.94 %", "+3.96 %"), "rl2": ("+4.10 %", "+1.43 %"), "rl3": ("+7.46 %", "+4.91 %")}
"""AF and WR over RL-basic in the simplified game (paper 4, table II)."""
PAPER_VARIANCE = {"basic": 6.36, "global": 5.59, "rl1": 4.44}
PAPER_MINUTES = 3 * 24 * 60
EVERY = 5
"""Values are computed at every n-th decision."""


# --- curves


def all_curves(runs: Path) -> dict[str, dict[str, list[list[float]]]]:
    """Measurements during each run: decisions, seconds, points, wins."""
    found: dict[str, dict[str, list[list[float]]]] = {}
    for family in ("simplified", "guobiao"):
        found[family] = {}
        for path in sorted((runs / family).glob("*/curves.jsonl")):
            rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            found[family][path.parent.name] = [
                [row["decisions"], row["seconds"], row["points"], row["wins"]] for row in rows if "points" in row
            ]
    return found


def variant_of(run: str) -> str:
    """The variant of a run's name."""
    return run.rpartition("-")[0]


def is_seed(run: str) -> bool:
    """Whether a run belongs to the comparison, not a longer one."""
    return run.rpartition("-")[2].isdigit()


def mean_curve(runs: dict[str, list[list[float]]], variant: str, column: int) -> list[tuple[float, float]]:
    """Mean over seeds of the points at each measurement, over decisions (0) or seconds (1)."""
    rows = [curve for run, curve in runs.items() if variant_of(run) == variant and is_seed(run)]
    shortest = min(len(curve) for curve in rows)
    stacked = np.array([curve[:shortest] for curve in rows])  # (seeds, measurements, 4)
    return [(float(x), float(y)) for x, y in zip(stacked[:, :, column].mean(0), stacked[:, :, 2].mean(0))]


# --- the page


def write_page(figures: dict[str, Any]) -> None:
    """Write tables and plots into the page."""
    plots = write_plots(figures["curves"])
    lines = [f"Written {when_and_where()}: `{COMMAND}`.", "", *simplified_lines(figures), *guobiao_lines(figures)]
    lines += wins_lines(figures.get("wins", {}))
    lines += value_lines(figures.get("values", {}))
    lines += ["### Curves", "", *(f"![{title}](rvr/{name}.svg)" for name, title in plots)]
    write_between(PAGE, FIRST, LAST, "\n".join([*lines, ""]))
    print(f"wrote {PAGE}")


def simplified_lines(figures: dict[str, Any]) -> list[str]:
    """The variants in the simplified game, and longer runs."""
    lines = [
        "### Simplified game: against two search models",
        "",
        "AF is the mean score of a hand (it sums to zero over the players), WR the share of hands won; intervals are "
        "95 %, by walls, which are the same for all runs. The last column has the paper's gain over RL-basic.",
        "",
        *variant_lines(figures["matches"].get("simplified", {})),
        *paired_lines(figures.get("differences", {})),
    ]
    if figures.get("shorter"):
        lines += ["", "#### With 15 million decisions, before the fixes below", "", *variant_lines(figures["shorter"])]
    for run, match in figures["matches"].get("simplified", {}).items():
        if not is_seed(run):
            decisions, seconds = figures["curves"]["simplified"][run][-1][:2]
            lines += [
                "",
                f"Longer run `{run}`, {decisions / 1e6:.0f} million decisions in {seconds:.0f} s: {describe(match)}.",
            ]
    if "paper_settings" in figures:
        lines += ["", "#### With the paper's settings", "", *variant_lines(figures["paper_settings"])]
    return [*lines, ""]


def variant_lines(matches: dict[str, Any]) -> list[str]:
    """The table of variants: means over seeds, and their differences from RL-basic."""
    by_variant: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for run, match in matches.items():
        if is_seed(run):
            by_variant[variant_of(run)].append(match)
    head = ["variant", "seeds", "hands each", "AF of each seed", "AF", "WR", "drawn", "paper's gains: AF, WR"]
    cells = []
    for variant in NAMES:
        rows = by_variant.get(variant)
        if not rows:
            continue
        each = ", ".join(f"{row['af']:+.2f}" for row in rows)
        paper = ", ".join(PAPER[variant]) if variant in PAPER else ""
        drawn = f"{100 * np.mean([row['draws'] for row in rows]):.1f} %"
        rates = [joined(rows, "af"), f"{joined(rows, 'wr', 100)} %", drawn]
        cells.append([NAMES[variant], len(rows), f"{rows[0]['games']:,}", each, *rates, paper])
    lines = [table(head, cells, tight=True)]
    base = by_variant.get("basic")
    if base:
        lines += ["", "Difference from RL-basic (means over seeds; 95 % by the spread over seeds):", ""]
        for variant, rows in by_variant.items():
            if variant != "basic" and len(rows) > 1:
                lines.append(
                    f"- {NAMES[variant]}: AF {difference(rows, base, 'af')}, WR {difference(rows, base, 'wr', 100)} %"
                )
    return lines


def paired_lines(found: dict[str, dict[str, list[float]]]) -> list[str]:
    """Differences from RL-basic on the same walls, with both intervals."""
    if not found:
        return []
    lines = ["", "The same wall by wall, with 95 % intervals by the spread over seeds, and over walls:", ""]
    for variant in NAMES:
        if variant in found:
            (af, *af_wide), (wr, *wr_wide) = found[variant]["points"], found[variant]["wins"]
            wide, percent = (" and ".join(f"± {t * x:.2f}" for x in some) for t, some in ((1, af_wide), (100, wr_wide)))
            lines.append(f"- {NAMES[variant]}: AF {af:+.2f} ({wide}), WR {100 * wr:+.2f} ({percent}) %")
    return lines


def joined(rows: Sequence[dict[str, Any]], name: str, times: float = 1.0) -> str:
    """Mean over seeds with its interval. All seeds play the same walls, so errors are not divided by their number."""
    value = times * float(np.mean([row[name] for row in rows]))
    error = times * float(np.mean([row[f"{name}_error"] for row in rows]))
    return f"{value:+.2f} ± {error:.2f}" if times == 1 else f"{value:.1f} ± {error:.1f}"


def difference(rows: Sequence[dict[str, Any]], base: Sequence[dict[str, Any]], name: str, times: float = 1.0) -> str:
    """Difference of means over seeds, with an interval from the spread over seeds (Student's t)."""
    from janshi.arena.stats import t_quantile

    a, b = (times * np.array([row[name] for row in some]) for some in (rows, base))
    error = sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b))
    return f"{a.mean() - b.mean():+.2f} ± {t_quantile(0.95, len(a) + len(b) - 1) * error:.2f}"


def describe(match: dict[str, Any]) -> str:
    """The figures of one match as text."""
    return (
        f"AF {match['af']:+.2f} ± {match['af_error']:.2f}, WR {100 * match['wr']:.1f} ± "
        f"{100 * match['wr_error']:.1f} %, "
        f"{100 * match['draws']:.1f} % drawn, {match['fan_of_win']:.1f} fan a win, {match['games']:,} hands"
    )


def guobiao_lines(figures: dict[str, Any]) -> list[str]:
    """The tables of Guobiao runs: the comparison of variants, and the others."""
    runs = figures["matches"].get("guobiao", {})
    curves = figures["curves"].get("guobiao", {})
    same = [run for run in runs if run == BEGINNING or is_seed(run)]
    rest = [run for run in runs if run not in same]
    lines = ["### Guobiao: against three search models", ""]
    for title, names in (("The same budget for each variant:", same), ("Longer runs:", rest)):
        lines += [title, "", guobiao_table({run: runs[run] for run in names}, curves), ""]
    return lines


def guobiao_table(runs: dict[str, Any], curves: dict[str, Any]) -> str:
    """One row per run, strongest first."""
    rows = []
    for run, match in sorted(runs.items(), key=lambda item: item[1]["af"]):
        decisions, seconds = curves[run][-1][:2] if curves.get(run) else (0, 0)
        name = NAMES[variant_of(run)] if is_seed(run) else f"`{run}`"
        rates = [
            f"{match['af']:+.2f} ± {match['af_error']:.2f}",
            f"{100 * match['wr']:.1f} ± {100 * match['wr_error']:.1f} %",
            f"{100 * match['draws']:.1f} %",
            f"{match['fan_of_win']:.1f}",
        ]
        rows.append([name, f"{decisions / 1e6:.0f} M", f"{seconds:.0f}", *rates, f"{match['games']:,}"])
    head = ["run", "decisions", "seconds", "AF", "WR", "drawn", "fan of a win", "hands"]
    return table(head, rows, tight=True)


def value_lines(found: dict[str, Any]) -> list[str]:
    """The table of eq. 3."""
    if not found:
        return []
    lines = [
        "### Variance of values (eq. 3), simplified game",
        "",
        f"On the same {found['hands']:,} hands of self-play (a third by each policy); in squared points of the final "
        f"score, at every {EVERY}th decision. The value is trained on the discounted result; zero is a network that "
        "always predicts zero.",
        "",
        "| value network | against the discounted result | against the result | paper |",
        "|---|---|---|---|",
    ]
    names = {"basic": "own view (RL-basic)", "global": "global (RL-global)", "rl1": "relative (RL-1)"}
    first = next(found[name] for name in names if name in found)
    lines.append(f"| zero | {first['nothing']:.2f} | | |")
    for name, title in names.items():
        if name in found:
            row = found[name]
            lines.append(f"| {title} | {row['discounted']:.2f} | {row['plain']:.2f} | {PAPER_VARIANCE[name]} |")
    return [*lines, ""]


def wins_lines(found: dict[str, Any]) -> list[str]:
    """The wins as text."""
    if not found:
        return []
    kinds = ", ".join(f"{name} {count}" for name, count in found["kinds"].items())
    mean = found["fan"] / max(found["wins"], 1)
    return [
        f"In {found['hands']} hands against three search models the shipped policy won {found['wins']}, with "
        f"{mean:.1f} fan on average; PyMahjongGB counts the same fan for {found['agreed']} of them. Most "
        f"frequent: {kinds}.",
        "",
    ]


# --- plots


def write_plots(curves: dict[str, Any]) -> list[tuple[str, str]]:
    """Learning curves, and strength against device minutes."""
    made = []
    simplified = curves.get("simplified", {})
    variants = [v for v in PLOTTED if any(variant_of(run) == v and is_seed(run) for run in simplified)]
    for column, name, title, per in ((0, "decisions", "million decisions", 1e6), (1, "seconds", "seconds", 1.0)):
        lines = [Line(NAMES[v], [(x / per, y) for x, y in mean_curve(simplified, v, column)]) for v in variants]
        if lines:
            made.append(save_plot(f"simplified-{name}", "Simplified: AF against two search models", title, lines))
    guobiao = curves.get("guobiao", {})
    shown = {run: curve for run, curve in guobiao.items() if len(curve) > 1}
    lines = [Line(run, [(row[0] / 1e6, row[2]) for row in curve]) for run, curve in shown.items()]
    if lines:
        made.append(
            save_plot("guobiao-decisions", "Guobiao: AF against three search models", "million decisions", lines)
        )
    longest = sorted(shown, key=lambda run: (run != "race", run != "rl1-plans"))[:3]
    lines = [Line(f"guobiao {run}", minutes(shown[run])) for run in longest]
    lines += [Line(f"simplified {run}", minutes(curve)) for run, curve in simplified.items() if not is_seed(run)][:1]
    lines += [
        Line(f"simplified {v}", minutes([[0, s, p] for s, p in mean_curve(simplified, v, 1)])) for v in variants[:1]
    ]
    if lines:
        made.append(save_minutes(lines))
    return made


def minutes(curve: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    """Strength over the logarithm of device minutes."""
    return [(float(np.log10(max(row[1], 1.0) / 60)), row[2]) for row in curve]


def save_plot(name: str, title: str, x_title: str, lines: list[Line]) -> tuple[str, str]:
    """Write a chart."""
    x = axis(x_title, [point[0] for line in lines for point in line.points])
    y = axis("points a hand", [point[1] for line in lines for point in line.points])
    (FOLDER / f"{name}.svg").write_text(chart(title, x, y, lines), encoding="utf-8")
    return name, f"{title}, over {x_title}"


def save_minutes(lines: list[Line]) -> tuple[str, str]:
    """Strength against device minutes on a logarithmic axis, with the paper's cost as a line."""
    title, name = "Strength against device minutes", "minutes"
    y = axis("points a hand", [0.0, *(point[1] for line in lines for point in line.points)])
    paper = float(np.log10(8 * PAPER_MINUTES))
    cost = Line("the paper: 3 days × 8 GPUs", [(paper, y.low), (paper, y.high)], dashed=True)
    x = Axis("log10 of GPU minutes", -2.0, 5.0, [-2, -1, 0, 1, 2, 3, 4, 5])
    (FOLDER / f"{name}.svg").write_text(chart(title, x, y, [*lines, cost]), encoding="utf-8")
    return name, title


def axis(title: str, values: Sequence[float]) -> Axis:
    """An axis that all values fit on, with round ticks."""
    from janshi.arena.report.svg import Scale

    low, high = min(values), max(values)
    ticks = Scale(low, high, 0, 1).ticks(6)
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
    low, high = step * np.floor(low / step), step * np.ceil(high / step)
    return Axis(title, float(low), float(high), [float(t) for t in np.arange(low, high + step / 2, step).round(6)])
