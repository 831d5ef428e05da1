"""The figures of docs/luck.md, written from what `scripts/evaluate_luck.py` measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from _chart import Axis, Line, chart
from _page import table_of_figures, write_between
from janshi.luck.evaluation import DELTAS, STEPS

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "luck.md"
FOLDER = ROOT / "docs" / "luck"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
PACK = "houou-2022"
STEP_NAMES = tuple(STEPS)
"""Steps, each of which removes one more source of luck."""
DRAWS, ALL = STEP_NAMES[0], STEP_NAMES[-1]


def ratio_text(ratio: list[float]) -> str:
    """A ratio with its interval."""
    return f"{ratio[0]:.3f} ({ratio[1]:.3f} – {ratio[2]:.3f})"


def how(section: dict[str, Any]) -> str:
    """When and how a section was measured."""
    return f"*{section['date']}, {section['machine']}: `{section['command']}`*"


def records_part(section: dict[str, Any]) -> list[str]:
    """Held-out records."""
    rows = []
    for name, step in section["steps"].items():
        ratio = step["ratio"]
        rows.append(
            [name, f"{step['variance']:.4f}", ratio_text(ratio), f"{1 - ratio[0]:.1%}", f"× {1 / ratio[0]:.2f}"]
        )
    hand = section["hand variance"]
    return [
        f"### Held-out games: {section['games']:,} games, {section['hands']:,} hands of `{PACK}`",
        "",
        f"Variance of the final rank {section['steps'][DRAWS]['raw variance']:.4f}; by value function "
        f"`{section['value']}`, which has seen no game after 2021. All four players of each game; intervals by game.",
        "",
        table_of_figures(["luck removed", "variance", "ratio (95 %)", "less", "a game is worth"], rows),
        "",
        "Ogami et al. with draws only: 1.2386 → 1.0673, ratio 0.8617 (33,664 games of 2021). "
        f"Per hand (their development set 0.119 → 0.0961): {hand['raw']:.4f} → {hand[DRAWS]:.4f} with draws only, "
        f"{hand[ALL]:.4f} with all.",
        "",
        *tests_part(section["tests"]),
        "",
        "What single events do (standard deviation in places): "
        + ", ".join(f"{name} {event['spread']:.3f} ({event['events']:,})" for name, event in section["events"].items())
        + f". Scored at {section['games a second']:.1f} games/s on {section['threads']} thread(s).",
    ]


def tests_part(tests: dict[str, Any]) -> list[str]:
    """Tests of variance and mean."""
    seats = ", ".join(f"{mean:+.3f} ± {1.96 * error:.3f}" for mean, error in tests["by seat"])
    unpaired = [f"{tests['unpaired z'][str(delta)]:.2f}" for delta in DELTAS]
    paired = [f"{tests['paired z'][str(delta)]:.2f}" for delta in DELTAS]
    return [
        f"One player a game (the first seat, {tests['games']:,} games), all sources: an F-test rejects equal variance "
        f"(critical ratio {tests['f']:.4f}; p = {tests['f p']:.1g}; Pitman and Morgan's test for pairs "
        f"p = {tests['pitman-morgan p']:.1g}). Mean luck by seat {seats}.",
        "",
        table_of_figures(
            ["the mean is the same within δ", *(f"δ = {delta}" for delta in DELTAS), "needed"],
            [
                ["unpaired, z (12)–(13)", *unpaired, "< −1.64"],
                ["paired, z of the luck term", *paired, "< −1.64"],
                ["the paper, unpaired, 33,664 games", "−1.159", "−2.367", "−3.576", "< −1.64"],
            ],
        ),
    ]


def players_part(section: dict[str, Any]) -> list[str]:
    """Players."""
    rows = []
    for least, group in section["groups"].items():
        share = f"{group['significant']} of {group['players']}"
        ratios = [ratio_text(group["draws"]), ratio_text(group["all"])]
        rows.append([f"{least} or more", group["players"], f"{group['games']:,}", *ratios, share])
    head = ["games of a player", "players", "games", "ratio, draws only", "ratio, all", "F-test significant (5 %)"]
    lines = [
        "### By player",
        "",
        "Test games of `houou-2022` and `tokujou-luckyj`; each player's own variances, weighted by their games (14).",
        "",
        table_of_figures(head, rows),
        "",
        "Ogami et al.: 56 players with 500 games or more, 0.8533, 48 of 56 significant. "
        "The test packs hold one such player.",
    ]
    for name, one in section["alone"].items():
        (rank, error), (without, rest) = one["rank"], one["without luck"]
        lines.append(
            f"{name}, {one['games']:,} games: rank {rank:.3f} ± {error:.3f}, without luck {without:.3f} ± {rest:.3f}."
        )
    return lines


def ablation_part(section: dict[str, Any]) -> list[str]:
    """Value functions trained otherwise."""
    named = {name: found for name, found in section.items() if isinstance(found, dict)}
    rows = []
    for name, found in named.items():
        ratios = [f"{found['steps'][step]['ratio'][0]:.3f}" for step in STEP_NAMES]
        rows.append([name, f"{found['games']:,}", found["minutes"], *ratios])
    lines = [
        "### What the value function was trained on",
        "",
        "The same test games; ratio of variances, within about ± 0.03.",
        "",
        table_of_figures(["trained on", "games", "minutes", *STEP_NAMES], rows),
    ]
    sizes = sorted((found["games"], found["steps"]) for name, found in named.items() if name.startswith("records"))
    if len(sizes) > 2:
        (FOLDER / "data.svg").write_text(data_plot(sizes), encoding="utf-8")
        lines += ["", "![Variance left against games trained on](luck/data.svg)"]
    return lines


def data_plot(sizes: list[tuple[int, Any]]) -> str:
    """Variance left against the number of games."""
    x = Axis("games trained on, as powers of 2", 8, 15, range(8, 16))
    y = Axis("variance left", 0.4, 1.0, (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0))
    lines = [
        Line(name, [(float(np.log2(games)), steps[name]["ratio"][0]) for games, steps in sizes])
        for name in (DRAWS, ALL)
    ]
    paper = Line("Ogami et al., draws", [(8, 0.8617), (15, 0.8617)], dashed=True)
    return chart("Luck explains more with more games", x, y, [*lines, paper])


def matches_part(section: dict[str, Any]) -> list[str]:
    """Matches of our agents."""
    rows = []
    for name, spreads in section.items():
        if isinstance(spreads, dict):
            plain = spreads["plain"][1] ** 2
            for kind, (rank, spread, low, high) in spreads.items():
                ratio = spread**2 / plain
                figures = [f"{rank:.3f}", f"{spread:.3f} ({low:.3f} – {high:.3f})", f"{ratio:.2f}", f"{1 - ratio:.0%}"]
                rows.append([name, kind, *figures, f"× {1 / ratio:.2f}"])
    return [
        "### Matches of our own agents",
        "",
        f"{section['repeats']} matches of {section['games']} East games each, on separate walls (plain) and on "
        "duplicate walls: the spread of the *results of whole matches*, raw and with luck removed by "
        f"`{section['value']}`. This observed spread counts, not the estimator's own error estimate.",
        "",
        table_of_figures(
            ["match", "how", "rank", "spread of a match (95 %)", "variance", "less", "a game is worth"], rows
        ),
    ]


def unbiased_part(section: dict[str, Any]) -> list[str]:
    """Mean luck by a random value function."""
    rows = []
    for name, kind in section["kinds"].items():
        z = [m / e if e else 0.0 for m, e in zip(kind["mean"], kind["error"])]
        rows.append([name, f"{kind['events']:,}", *(f"{m:+.5f}" for m in kind["mean"]), f"{max(z, key=abs):+.2f}"])
    return [
        "### Unbiased for any value function",
        "",
        f"{section['hands']:,} simulated hands, luck by a network of random weights: mean luck in places, by seat, and "
        "the greatest deviation from zero in standard errors. (It is exactly zero over all ways a small hand can end: "
        "`tests/luck/test_chance.py`.)",
        "",
        table_of_figures(["event", "events", "seat 0", "seat 1", "seat 2", "seat 3", "greatest z"], rows),
    ]


PARTS = {
    "records": records_part,
    "players": players_part,
    "ablation": ablation_part,
    "matches": matches_part,
    "unbiased": unbiased_part,
}


def write_page(figures: dict[str, Any]) -> None:
    """Write all figures between the marks of the page."""
    lines: list[str] = []
    for name, part in PARTS.items():
        if name in figures:
            lines += ["", *part(figures[name]), "", how(figures[name])]
    write_between(PAGE, BEGIN, END, "\n".join([*lines, ""]))
