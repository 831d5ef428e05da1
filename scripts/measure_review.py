"""Measure how long reviews take, and write the table of docs/review.md.

python scripts/measure_review.py GAME.mjlog ...                 # all reviewers on these games
python scripts/measure_review.py --only NAME GAME.mjlog ...     # one reviewer; the rows of others stay
python scripts/measure_review.py --print GAME.mjlog ...         # nothing written
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from _page import split_at_marks, table, this_machine, today, write_between
from janshi.web.review import work
from janshi.web.review.content import find_format, unpack
from janshi.web.review.games import PLAYERS, Recorded
from janshi.web.review.reviewers import menu

PAGE = Path(__file__).resolve().parent.parent / "docs" / "review.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
SEATS = tuple(range(PLAYERS))


def main() -> None:
    """Measure, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", type=Path, help="recorded games")
    parser.add_argument("--only", metavar="NAME", help="measure only this reviewer")
    parser.add_argument("--print", action="store_true", help="print the table instead of writing it")
    given = parser.parse_args()
    games = [read(path) for path in given.games]
    rows = [line for family in ("riichi", "guobiao") for line in measure(family, games, given.only)]
    text = report(rows if given.only is None else [*rows, *other_rows(rows)])
    if given.print:
        print(text)
        return
    write_between(PAGE, BEGIN, END, text)


def read(path: Path) -> Recorded:
    """A recorded game."""
    text = unpack(path.read_bytes())
    return work.read(text, find_format(text), path.name)


def measure(family: str, games: Sequence[Recorded], only: str | None) -> list[list[str]]:
    """A row for each reviewer of a family, or for one of them."""
    some = [game for game in games if game.family == family]
    reviewers = menu()[family]["reviewers"] if some else []
    labels = [one["label"] for one in reviewers if only in (None, one["name"])]
    return [measured(label, family, some) for label in labels]


def other_rows(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The page's rows for reviewers that are not being measured."""
    _, between, _ = split_at_marks(PAGE.read_text(encoding="utf-8"), BEGIN, END, PAGE.name)
    found = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in between.splitlines() if line.startswith("| `")
    ]
    return [row for row in found if row[0] not in [known[0] for known in rows]]


def measured(label: str, family: str, games: Sequence[Recorded]) -> list[str]:
    """The time one reviewer takes for all decisions of some games."""
    next(work.think(games[0], label, SEATS))  # loads or compiles
    began = time.process_time()
    decisions = sum(1 for game in games for _ in work.think(game, label, SEATS))
    seconds = time.process_time() - began
    what = f"{len(games)} games" if family == "riichi" else f"{sum(game.hands for game in games)} hands"
    each = len(games) if family == "riichi" else sum(game.hands for game in games)
    print(f"{label}: {seconds:.1f} s", flush=True)
    columns = [f"{decisions:,}", f"{1000 * seconds / decisions:.1f} ms", f"{seconds / each:.1f} s"]
    return [f"`{label}`", what, *columns, today()]


def report(rows: Sequence[Sequence[str]]) -> str:
    """The table with its machine and command."""
    head = ["reviewer", "of", "decisions", "a decision", "a game (Guobiao: a hand)", "measured"]
    lines = [
        f"- Machine: {this_machine()}; one core used",
        "- Command: `python scripts/measure_review.py` on games of the record fixtures",
        "",
        table(head, rows),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
