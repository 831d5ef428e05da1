"""Measure a Guobiao player against three search players, on common walls from every seat, with luck taken out.

python scripts/measure_adjusted.py --out DIR --walls 1000 --player rvr
python scripts/measure_adjusted.py --out DIR --read   # only prints what is there

Each file holds the four hands of each of 25 walls, so an interrupted run can be continued (`--part 1/2`: only every
second file).
"""

from __future__ import annotations

import argparse
import io
import os
import time
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from janshi.agents.registry import make_agent
from janshi.core import rng
from janshi.core.files import write_whole
from janshi.luck.points.measure import PointLuck, shipped_values
from janshi.luck.points.seated import Seated, play_adjusted
from janshi.rules.game import Array
from janshi.rules.registry import make_game

WALLS: Final = 25
SEATS: Final = 4
STREAM: Final = 779
"""Separates these walls from all others."""


def main() -> None:
    """Play the missing pieces, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder of the results")
    parser.add_argument("--player", default="rvr")
    parser.add_argument("--walls", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1, help="different seeds have different walls")
    parser.add_argument("--part", default="1/1", help="such as 1/2: only every second piece")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no piece after this time")
    parser.add_argument("--read", action="store_true", help="play nothing")
    given = parser.parse_args()
    if not given.read:
        play(given)
    print(shown(read(given.out)))


def play(given: Any) -> None:
    """Play the missing pieces."""
    given.out.mkdir(parents=True, exist_ok=True)
    first, step = map(int, given.part.split("/"))
    game, begun = make_game("guobiao"), time.monotonic()
    search = make_agent("search", game)
    seated = Seated(game, [make_agent(given.player, game), search, search, search])
    luck = PointLuck(game, shipped_values("guobiao"), deals=1)
    for piece in range(first - 1, -(-given.walls // WALLS), step):
        file = given.out / f"{given.seed}-{piece:05}.npz"
        if time.monotonic() - begun > given.seconds:
            break
        if not file.exists():
            write_whole(file, measure(seated, luck, given.seed, piece))
        if piece % 40 == 39:
            print(f"{time.monotonic() - begun:.0f} s: {shown(read(given.out))}", flush=True)


def measure(seated: Seated, luck: PointLuck, seed: int, piece: int) -> bytes:
    """The results of player 0 on some walls, as the content of a file: arrays of [walls, seats]."""
    keys = [rng.key(np.uint64(seed), piece * WALLS + i, STREAM) for i in range(WALLS)]
    states, lucky = play_adjusted(seated, luck, np.repeat(np.array(keys, np.uint64), SEATS))
    rows, seat = np.arange(len(states)), (-np.arange(len(states))) % SEATS
    content = io.BytesIO()
    columns = {
        "points": seated.game.scores(states)[rows, seat],
        "luck": lucky[rows, seat],
        "won": states["winner"] == seat,
        "dealt_in": (states["loser"] == seat) & (states["winner"] >= 0),
        "drawn": states["winner"] < 0,
        "fan": np.where(states["winner"] == seat, states["win_fan"], 0),
    }
    np.savez_compressed(content, **{name: np.asarray(column).reshape(-1, SEATS) for name, column in columns.items()})
    return content.getvalue()


def read(folder: Path) -> dict[str, Array]:
    """All results in a folder."""
    parts = [dict(np.load(file)) for file in sorted(folder.glob("*.npz"))]
    return {name: np.concatenate([part[name] for part in parts]).astype(np.float64) for name in parts[0]}


def interval(by_hand: Array) -> str:
    """A mean and its 95 % interval, by wall."""
    walls = by_hand.mean(1)
    return f"{walls.mean():+.3f} ± {1.96 * walls.std(ddof=1) / len(walls) ** 0.5:.3f}"


def shown(found: dict[str, Array]) -> str:
    """The figures in a line."""
    points, won = found["points"], found["won"]
    return (
        f"{points.size:,} hands: {interval(points)} points a hand, {interval(points - found['luck'])} without luck;"
        f" won {100 * won.mean():.2f} %, dealt in {100 * found['dealt_in'].mean():.2f} %,"
        f" drawn {100 * found['drawn'].mean():.2f} %, {found['fan'].sum() / max(won.sum(), 1):.2f} fan a win"
    )


if __name__ == "__main__":
    main()
