"""Imitation of recorded hands on any device: the command behind `janshi train imitate`.

    python scripts/train_imitation.py houou.hands runs/imitation --minutes 9 --budget 18
    python scripts/train_imitation.py hands.npz runs/guobiao --rules guobiao --budget 9

It needs neither the command line's libraries nor pyarrow, so it runs on a bare machine with a GPU.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from janshi.learn.imitation.command import imitate_any


def main() -> None:
    """Begin or resume a run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="compact file of hands (janshi records compact), or self-played hands")
    parser.add_argument("folder", type=Path, help="folder of the run; an earlier run there is resumed")
    parser.add_argument("--rules", default="riichi", help="riichi, guobiao or simplified")
    parser.add_argument("--minutes", type=float, default=0.0, help="stop after this many minutes of learning; 0: never")
    parser.add_argument(
        "--budget",
        type=float,
        default=0.0,
        help="choose the number of steps so that they take this many minutes in total",
    )
    parser.add_argument("--device", default="", help="cuda or cpu; by default a GPU if there is one")
    parser.add_argument("--threads", type=int, default=0, help="threads that rebuild decisions; 0: all cores")
    parser.add_argument("--test-packs", default="", help="packs measured at the end, separated by commas; all if empty")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change a setting")
    arguments = parser.parse_args()
    summary = imitate_any(
        arguments.data,
        arguments.folder,
        arguments.rules,
        arguments.set,
        minutes=arguments.minutes,
        budget=arguments.budget,
        device=arguments.device,
        threads=arguments.threads,
        test_packs=tuple(filter(None, arguments.test_packs.split(","))),
        report=lambda line: print(line, flush=True),
    )
    print(summary)


if __name__ == "__main__":
    main()
