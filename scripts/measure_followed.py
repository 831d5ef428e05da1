"""Play Guobiao hands and follow what became of every choice (`luck/points/followed.py`).

python scripts/measure_followed.py --out LATER --hands 4000

Each file holds 50 hands, so an interrupted run can be continued, and several processes can share a folder
(`--part 1/2`).
"""

from __future__ import annotations

import os
from typing import Final

os.environ.setdefault("OMP_NUM_THREADS", "1")

from _pieces import parser_of, play_pieces
from janshi.luck.points.followed import Followed
from janshi.rules.registry import make_game

STREAM: Final = 780
"""Separates these walls from all others."""


def main() -> None:
    """Play the missing pieces."""
    given = parser_of(__doc__).parse_args()
    made = Followed(make_game("guobiao"))
    play_pieces(given, STREAM, lambda seeds, random: {"followed": made.play(seeds, random)})


if __name__ == "__main__":
    main()
