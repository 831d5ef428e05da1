"""Play Guobiao hands in which players deviate at random, and record luck-free results (`luck/points/deviations.py`).

python scripts/measure_deviations.py --out FIT --hands 4000
python scripts/measure_deviations.py --out TEST --hands 4000 --seed 2

`fit_point_losses.py` uses the first to fit what a choice costs, and the second to check it. Each file holds 50 hands,
so an interrupted run can be continued, and several processes can share a folder (`--part 1/2`).
"""

from __future__ import annotations

import os
from typing import Final

os.environ.setdefault("OMP_NUM_THREADS", "1")

from _pieces import parser_of, play_pieces
from janshi.luck.points.deviations import Deviations
from janshi.rules.registry import make_game

STREAM: Final = 777
"""Separates these walls from all others."""


def main() -> None:
    """Play the missing pieces."""
    given = parser_of(__doc__).parse_args()
    made = Deviations(make_game("guobiao"))
    names = "deviations", "points"
    play_pieces(given, STREAM, lambda seeds, random: dict(zip(names, made.play(seeds, random))))


if __name__ == "__main__":
    main()
