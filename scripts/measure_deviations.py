"""Play Guobiao hands in which players deviate at random, and record luck-free results (`luck/points/deviations.py`).

python scripts/measure_deviations.py --out FIT --hands 4000
python scripts/measure_deviations.py --out TEST --hands 4000 --seed 2

`fit_point_losses.py` uses the first to fit what a choice costs, and the second to check it. Each file holds 50 hands,
so an interrupted run can be continued, and several processes can share a folder (`--part 1/2`).
"""

from __future__ import annotations

import argparse
import io
import os
from pathlib import Path
from typing import Final

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from janshi.core import rng
from janshi.core.files import write_whole
from janshi.luck.points.deviations import Deviations
from janshi.rules.registry import make_game

TOGETHER: Final = 50
STREAM: Final = 777
"""Separates these walls from all others."""


def main() -> None:
    """Play the missing pieces."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder of the measurements")
    parser.add_argument("--hands", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1, help="different seeds have different walls")
    parser.add_argument("--part", default="1/1", help="such as 1/2: only every second piece")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    first, step = map(int, given.part.split("/"))
    made = Deviations(make_game("guobiao"))
    for piece in range(first - 1, -(-given.hands // TOGETHER), step):
        file = given.out / f"{given.seed}-{piece:05}.npz"
        if not file.exists():
            write_whole(file, measure(made, given.seed, piece))
            print(f"{file.name}: hands {piece * TOGETHER} to {(piece + 1) * TOGETHER}", flush=True)


def measure(made: Deviations, seed: int, piece: int) -> bytes:
    """The deviations of a piece, as the content of a file."""
    seeds = np.array([rng.key(np.uint64(seed), piece * TOGETHER + i, STREAM) for i in range(TOGETHER)], np.uint64)
    found, points = made.play(seeds, np.random.default_rng([seed, piece]))
    content = io.BytesIO()
    np.savez_compressed(content, deviations=found, points=points)
    return content.getvalue()


if __name__ == "__main__":
    main()
