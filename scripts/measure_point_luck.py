"""Measure how much of the variance of a hand's points the shipped values of draws remove, by source (docs/luck.md).

Hands come from agents that play against themselves, or from files (`janshi train hands`); the values must not have
been fitted to them. With --write, the table in docs/luck.md is updated.

    python scripts/measure_point_luck.py --hands guobiao=search:1000 simplified=search:5000 --write
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from _page import table, this_machine, today, write_between
from janshi.arena.stats import Estimate
from janshi.learn.warm_start import Recorded, read_hands, record_hands
from janshi.luck.points.evaluation import STEPS, variance_left
from janshi.luck.points.measure import shipped_values
from janshi.rules.game import Game
from janshi.rules.registry import make_game

PAGE = Path(__file__).parent.parent / "docs" / "luck.md"
BEGIN, END = "<!-- points: begin -->", "<!-- points: end -->"
SEED = 77
"""Seed of freshly played hands; no values were fitted to hands of this seed."""


class Measured(NamedTuple):
    """The remaining variance in hands of one agent, by the sources removed."""

    rules: str
    agent: str
    hands: int
    left: dict[str, Estimate]


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--hands", nargs="+", required=True, metavar="RULES=AGENT:N", help="or RULES=AGENT:FILE of recorded hands"
    )
    parser.add_argument("--write", action="store_true", help="write the table into docs/luck.md")
    return parser.parse_args()


def hands_of(game: Game, agent: str, which: str) -> Recorded:
    """Recorded hands, or freshly played ones."""
    if not which.isdigit():
        return read_hands(Path(which))
    with tempfile.TemporaryDirectory() as folder:
        return record_hands(game, agent, int(which), SEED, Path(folder) / "hands.npz")


def measured(words: str) -> Measured:
    """Measure one agent's hands."""
    rules, _, rest = words.partition("=")
    agent, _, which = rest.rpartition(":")
    game = make_game(rules)
    hands = hands_of(game, agent, which)
    left = variance_left(game, hands, shipped_values(game.family.name))
    return Measured(game.id, agent, len(hands.seeds), left)


def page(found: list[Measured]) -> str:
    """The figures as a table."""
    heads = ["rules", "self-play of", "hands", *(f"variance left: {name}" for name in STEPS)]
    rows: list[list[Any]] = [
        [m.rules, f"`{m.agent}`", f"{m.hands:,}", *(f"{e.value:.3f} ± {e.half_width:.3f}" for e in m.left.values())]
        for m in found
    ]
    words = " ".join(f"{m.rules.partition('/')[0]}={m.agent}:{m.hands}" for m in found)
    command = f"python scripts/measure_point_luck.py --hands {words} --write"
    note = f"Intervals are 95 %, by hand. *{today()}, {this_machine()}: `{command}`*"
    return f"{table(heads, rows)}\n\n{note}\n"


def main() -> None:
    """Measure, print, write."""
    options = parse()
    made = page([measured(words) for words in options.hands])
    print(made)
    if options.write:
        write_between(PAGE, BEGIN, END, made)


if __name__ == "__main__":
    main()
