"""Train one-player mahjong from a data set of recorded games, and measure it on its test games.

    janshi records import PACKS... --out DATA
    python scripts/train_one_player.py DATA
    python scripts/train_one_player.py DATA --measure

Weights are written to the package (`--out` chooses another folder). `--measure` trains nothing; it measures how often
the shipped model, `greedy` and `careful` make the same discards and calls as the players of the test games (`janshi
measure models` does the same for any games).
"""

from __future__ import annotations

import argparse
import time
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from janshi.features import hand_pattern
from janshi.fitting.figures import measure_one_player
from janshi.fitting.one_player.training import OnePlayerConfig, OnePlayerTrainer
from janshi.fitting.roles import Roles, add_roles, chosen_roles
from janshi.models.one_player import NAME
from janshi.models.store import FOLDER, save
from janshi.records.dataset import Dataset


def train(dataset: Dataset, roles: Roles, config: OnePlayerConfig, out: Path, report: Any) -> None:
    """Train the model and write it."""
    start = time.process_time()
    trainer = OnePlayerTrainer(config)
    trainer.run(dataset, report, roles)
    card = {
        "model": NAME,
        "feature version": hand_pattern.VERSION,
        "rules": "riichi/tenhou",
        "training data": roles.card(),
        "positions": "no opponent in riichi or with three melds, or the player won the hand",
        "trained": date.today().isoformat(),
        "seconds": round(time.process_time() - start),
        "command": "python scripts/train_one_player.py DATA",
        "config": config.describe(),
        "discards": trainer.discards.positions,
        "calls": trainer.calls.positions,
    }
    weights = {"weights": trainer.discards.means.astype(np.float16), "calls": trainer.calls.means.astype(np.float16)}
    save(out / f"{NAME}.npz", weights, card)


def main() -> None:
    """Read arguments; train or measure."""
    defaults = OnePlayerConfig()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data set")
    parser.add_argument("--measure", action="store_true", help="measure the shipped model instead of training")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder for the model")
    parser.add_argument("--method", choices=("softmax", "perceptron"), default=defaults.method)
    parser.add_argument("--seed", type=int, default=defaults.seed)
    parser.add_argument("--rates", type=float, nargs="+", default=defaults.rates, help="rate of each pass")
    parser.add_argument("--every", type=int, default=1, help="read every n-th shard only: a quick trial")
    add_roles(parser)
    args = parser.parse_args()
    start = time.monotonic()

    def report(text: str) -> None:
        print(f"{time.monotonic() - start:6.0f} s  {text}", flush=True)

    dataset, roles = Dataset(args.data), chosen_roles(args)
    if args.measure:
        for section in measure_one_player(dataset, roles):
            print(section)
        return
    args.out.mkdir(parents=True, exist_ok=True)
    config = OnePlayerConfig(args.seed, tuple(args.rates), args.method, (0, args.every))
    train(dataset, roles, config, args.out, report)


if __name__ == "__main__":
    main()
