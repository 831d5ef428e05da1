"""Check the dangers shown in riichi reviews against held-out games, and write docs/review_calibration.md.

    janshi records import houou-2022.tar.xz --out DATA
    python scripts/calibrate_dangers.py DATA --test-packs houou-2022

On every turn, a review shows how likely each opponent is to be tenpai, and how likely each tile in hand is to deal in
to them (`web/review/threats.py`). Labels come from the hidden hands: a tile deals in if the opponent could win on it
under the rules. Intervals are 95 %, clustered by game.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from _deviations import calibration
from _page import stamp, table_of_figures, write_between
from janshi.fitting.data import TESTING, Positions, Source
from janshi.fitting.roles import add_roles, chosen_roles
from janshi.models.network import OpponentNetwork, shipped
from janshi.records.dataset import Dataset
from janshi.rules.game import Array

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "review_calibration.md"
BEGIN, END = "<!-- dangers: begin -->", "<!-- dangers: end -->"
TENPAI_GROUPS: Final = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.01)
DANGER_GROUPS: Final = (0.0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 1.01)
KINDS: Final = ("in riichi", "with melds", "closed, without riichi")
RIICHI, OPEN, CLOSED = range(len(KINDS))
SEED: Final = 1


class Turns(NamedTuple):
    """Predictions about the opponents on some turns, and the truth."""

    waiting: Array
    """The chance that each opponent is tenpai, float32[n, 3]."""
    tenpai: Array
    """bool[n, 3]."""
    kind: Array
    """The kind of each opponent, an index into `KINDS`, uint8[n, 3]."""
    game: Array
    """int64[n, 3]."""
    danger: Array
    """The chance that a tile in hand deals in to an opponent, float32[m]."""
    wins: Array
    """Whether it would, bool[m]."""
    danger_kind: Array
    danger_game: Array


def main() -> None:
    """Read arguments, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data set")
    parser.add_argument("--share", type=float, default=0.25, help="share of turns to use")
    parser.add_argument("--print", action="store_true", help="write nothing")
    add_roles(parser)
    given = parser.parse_args()
    source = Source(Dataset(given.data), chosen_roles(given))
    numbers = np.unique(source.games, return_inverse=True)[1]
    network = shipped()
    parts = [look(some, numbers, network) for some in source.positions(TESTING, SEED, given.share)]
    turns = Turns(*(np.concatenate(column) for column in zip(*parts)))
    command = f"python scripts/calibrate_dangers.py DATA{source.roles.options} --share {given.share:g}"
    games = f"{len(np.unique(turns.game)):,} games without disconnections, {len(turns.waiting):,} turns"
    text = page(turns, f"{stamp(command)}\n- Data: {games}")
    print(text)
    if not given.print:
        write_between(PAGE, BEGIN, END, text)


def look(some: Positions, numbers: Array, network: OpponentNetwork) -> Turns:
    """What reviews show for some turns."""
    views = some.views
    said = network.predict(views)
    danger = said["waiting"][:, :, None] * said["winning"]
    held = np.repeat((views["hand"] > 0)[:, None], danger.shape[1], 1)
    kind = np.where(views["riichi"][:, 1:] > 0, RIICHI, np.where(views["melds"][:, 1:] > 0, OPEN, CLOSED))
    game = np.repeat(numbers[some.hands][:, None], kind.shape[1], 1)
    spread = (np.repeat(x[:, :, None], danger.shape[2], 2)[held] for x in (kind.astype(np.uint8), game))
    wins = (some.payments > 0)[held]
    return Turns(said["waiting"], some.tenpai, kind.astype(np.uint8), game, danger[held], wins, *spread)


def page(turns: Turns, source: str) -> str:
    """The part of the page."""
    return "\n\n".join(
        [
            source,
            table_of_figures(
                ["opponent", "predicted tenpai", "opponents", "predicted, %", "tenpai, %"],
                by_kind(turns.waiting, turns.tenpai, turns.kind, turns.game, TENPAI_GROUPS, (OPEN, CLOSED)),
            ),
            table_of_figures(
                ["opponent", "predicted deal-in", "tiles in hand", "predicted, %", "would deal in, %"],
                by_kind(turns.danger, turns.wins, turns.danger_kind, turns.danger_game, DANGER_GROUPS, range(3)),
            ),
        ]
    )


def by_kind(chances: Array, happened: Array, kind: Array, game: Array, groups: Any, kinds: Any) -> list[list[str]]:
    """Rows of a table: all opponents, then some kinds of them."""
    rows = [["all", *row] for row in calibration(chances.ravel(), happened.ravel(), game.ravel(), groups)]
    for number in kinds:
        chosen = kind == number
        rows += [[KINDS[number], *row] for row in calibration(chances[chosen], happened[chosen], game[chosen], groups)]
    return rows


if __name__ == "__main__":
    main()
