"""Play the ladder's players against one another, and write their ratings and styles.

The match is duplicate and stored in a directory: run the command again to continue it, with more `--walls` for more
precision. Figures are written every few wall sets.

python scripts/measure_ladder.py --store MATCH --walls 100     # play, write the figures file and docs/ladder.md
python scripts/measure_ladder.py --page                        # write only the page from the figures file
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from _page import stamp, table, write_between
from janshi.arena.contestants import version_of
from janshi.arena.ladder import LEVELS, Figure, figures, ladder
from janshi.arena.ladder.match import ladder_plan, measure
from janshi.arena.match import run_match
from janshi.core.files import write_whole
from janshi.rules.registry import make_game

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "src" / "janshi" / "arena" / "ladder" / "figures.json"
PAGE = ROOT / "docs" / "ladder.md"
BEGIN, END = "<!-- figures: written by scripts/measure_ladder.py -->", "<!-- end of figures -->"
BATCH = 4
"""Wall sets between updates of the figures."""


def play(store: Path, walls: int, workers: int, engine: str) -> None:
    """Play or continue the match up to this number of wall sets, and write the figures as they come."""
    for target in [*range(BATCH, walls, BATCH), walls]:
        plan = ladder_plan(target, engine)
        results = run_match(plan, store, workers=workers)
        game = make_game(plan.rules)
        versions = {label: version_of(label, game) for label in plan.contestants}
        write_figures({"players": measure(results, plan, versions)}, plan.rules, len(results), target, engine)
        print(f"{target} wall sets, {len(results):,} games", flush=True)


def write_figures(found: dict[str, Any], rules: str, games: int, walls: int, engine: str) -> None:
    """Write the figures file."""
    about = {
        "rules": rules,
        "games": games,
        "walls": walls,
        "stamp": stamp(f"python scripts/measure_ladder.py --walls {walls}"),
    }
    write_whole(FIGURES, (json.dumps({**about, **found}, indent=1) + "\n").encode())


def page() -> None:
    """Write the tables of the page from the figures file."""
    ladder.cache_clear()
    figures.cache_clear()
    about = figures()
    rows = [
        [
            f"**`{rung.name}`**" if rung.name in LEVELS else f"`{rung.name}`",
            interval(rung.rating, 0),
            interval(rung.rank, 2),
            *(f"{100 * rung.style[name].value:.1f}" for name in ("win", "deal-in", "riichi", "call")),
            f"{rung.games:,}",
        ]
        for rung in reversed(ladder())
    ]
    head = ["player", "rating", "average rank", "win, %", "deal-in, %", "riichi, %", "call, %", "games"]
    text = f"{about['stamp']}\n- Rules: `{about['rules']}`; {about['games']:,} games on {about['walls']} wall sets\n\n"
    write_between(PAGE, BEGIN, END, text + table(head, rows, right=True))


def interval(figure: Figure, digits: int) -> str:
    """A figure with its interval, if it has one."""
    if figure.low == figure.high:
        return f"{figure.value:.{digits}f}"
    return f"{figure.value:.{digits}f} ({figure.low:.{digits}f} – {figure.high:.{digits}f})"


def main() -> int:
    """Play and write, or only write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--store", type=Path, help="directory of the match; run again to continue")
    parser.add_argument("--walls", type=int, default=100, help="wall sets, 24 games each")
    parser.add_argument("-j", "--workers", type=int, default=1)
    parser.add_argument("--engine", default="", help="what computes the network: onnx is faster, if installed")
    parser.add_argument("--page", action="store_true", help="only write the page from the figures file")
    args = parser.parse_args()
    if not args.page:
        if args.store is None:
            parser.error("--store is needed to play")
        play(args.store, args.walls, args.workers, args.engine)
    page()
    return 0


if __name__ == "__main__":
    sys.exit(main())
