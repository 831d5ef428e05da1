"""Play Guobiao hands and try all choices of some decisions (`luck/points/branches.py`).

python scripts/measure_branches.py --out FIT --hands 4000
python scripts/measure_branches.py --out FIT --hands 4000 --seed 2 --player rvr   # decisions of one player
python scripts/measure_branches.py --out AUDIT --often 1 --horizons 0 4 8 12 --rivals search rvr

Each file holds 50 hands, so an interrupted run can be continued, and several processes can share a folder
(`--part 1/2`).
"""

from __future__ import annotations

import os
from typing import Final

os.environ.setdefault("OMP_NUM_THREADS", "1")

from _pieces import parser_of, play_pieces
from janshi.agents.registry import make_agent
from janshi.luck.points.branches import Branches
from janshi.rules.registry import make_game

STREAM: Final = 778
"""Separates these walls from all others."""


def main() -> None:
    """Play the missing pieces."""
    parser = parser_of(__doc__)
    parser.add_argument("--player", help="try the choices of this player against three search players")
    parser.add_argument("--often", type=float, default=0.25, help="share of decisions")
    parser.add_argument("--horizons", type=int, nargs="+", default=[0], help="draws")
    parser.add_argument("--rivals", nargs="+", default=[], help="try only what these players do, if they differ")
    parser.add_argument("--calls", action="store_true", help="only decisions about calls")
    given = parser.parse_args()
    game = make_game("guobiao")
    search = make_agent("search", game)
    players = [make_agent(given.player, game), search, search, search] if given.player else [search] * 4
    rivals = [make_agent(label, game) for label in given.rivals]
    learner = 0 if given.player else None
    made = Branches(game, players, learner, tuple(given.horizons), calls=given.calls, rivals=rivals)
    names = "decisions", "branches"
    play_pieces(given, STREAM, lambda seeds, random: dict(zip(names, made.play(seeds, given.often, random))))


if __name__ == "__main__":
    main()
