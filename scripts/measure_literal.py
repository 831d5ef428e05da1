"""Play against the search model that values hands exactly as in the paper, and write the figures to docs/search.md.

Each player plays every seat on the same walls, with `search:literal=yes` in all other seats; intervals are 95 %, by
wall. Matches are stored in `--store` and can be continued. With --dry, the page is not written.

    python scripts/measure_literal.py --store matches --walls 1000 search rvr
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from _page import table, table_row, when_and_where, write_between
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.results import WINS
from janshi.arena.stats import mean
from janshi.rules.registry import find_family, make_game

PAGE = Path(__file__).resolve().parent.parent / "docs" / "search.md"
FIRST, LAST = "<!-- literal -->", "<!-- end of literal -->"
COMMAND = "python scripts/measure_literal.py"
OPPONENT = "search:literal=yes"
RULES = {"guobiao/botzone": 1, "simplified/paper": 10}
"""The rules, and a factor on the number of walls: hands of the simplified game are short."""
SEED = 2022


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="*", default=["search", "rvr"])
    parser.add_argument("--rules", nargs="+", choices=RULES, default=list(RULES))
    parser.add_argument("--walls", type=int, default=250, help="walls of Guobiao, each played from every seat")
    parser.add_argument("--store", type=Path, required=True, help="directory for the matches")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--dry", action="store_true", help="print only, do not write the page")
    return parser.parse_args()


def match(rules: str, player: str, options: Any) -> list[str]:
    """A row of the table: one player against copies of the literal search model."""
    seats = make_game(rules).players
    plan = Plan(
        rules, (player, OPPONENT), ((0, *[1] * (seats - 1)),), RULES[rules] * options.walls, SEED, "permutations"
    )
    name = f"{find_family(rules).name}-{player.replace('/', '_').replace(':', '_')}"
    results = run_match(plan, options.store / name, workers=options.workers)
    own = results.seats == 0
    points, won = mean(results.points[own], results.wall), mean(results.counters[own][:, WINS], results.wall)
    return [
        rules,
        f"`{player}`",
        f"{own.sum():,}",
        f"{points.value:+.2f} ± {points.half_width:.2f}",
        f"{100 * won.value:.1f} ± {100 * won.half_width:.1f} %",
    ]


def main() -> None:
    """Play all matches and write the table."""
    options = parse()
    rows = []
    for rules in options.rules:
        for player in options.players:
            rows.append(match(rules, player, options))
            print(table_row(rows[-1]), flush=True)
    if not options.dry:
        figures = table(["rules", "player", "hands", "points a hand", "won"], rows, tight=True)
        write_between(PAGE, FIRST, LAST, f"Measured {when_and_where()}: `{COMMAND}`.\n\n{figures}\n")


if __name__ == "__main__":
    main()
