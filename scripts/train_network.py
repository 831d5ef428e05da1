"""Train the network of opponents (needs PyTorch: `pip install 'janshi[learn]'`).

    python scripts/train_network.py --data FOLDER --prepare DATA     # once: write the training data into FOLDER
    python scripts/train_network.py --data FOLDER --out OUT --minutes 8

The second step reads only the files in FOLDER, so it can run on another machine without the libraries for data sets.
OUT always has the best weights so far, and `training.json` with the course of training.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from janshi.features.network import VERSION
from janshi.fitting.data import Source
from janshi.fitting.network.data import TRAIN, VALIDATE, all_opponents, prepare, training_data
from janshi.fitting.roles import add_roles, chosen_roles
from janshi.models import network
from janshi.models.store import save

TRIALS: tuple[dict[str, Any], ...] = (
    {"epochs": 1, "start": True},
    {"epochs": 3, "start": True},
    {"epochs": 3, "start": True, "dropout": 0.2, "decay": 0.3},
    {"epochs": 6, "start": True, "dropout": 0.2, "decay": 0.3},
    {"epochs": 6, "start": True, "rate": 1.5e-3},
    {"epochs": 4, "forget": 0.15},
    {"epochs": 12, "start": True, "dropout": 0.25, "decay": 0.6},
)
"""Settings to try, in this order; the best by validation loss is used."""


def card(model: str, version: int, data: str, config: dict[str, Any], **facts: Any) -> dict[str, Any]:
    """The card stored with a model's weights."""
    return {
        "model": model,
        "feature version": version,
        "rules": "riichi/tenhou",
        "training data": data,
        "trained": date.today().isoformat(),
        "command": "python " + " ".join(["scripts/train_network.py", *sys.argv[1:]]),
        "config": config,
        **facts,
    }


class Run:
    """One run: its progress and output files."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.start = time.monotonic()
        self.log: dict[str, Any] = {"arguments": {k: str(v) for k, v in vars(args).items()}}
        args.out.mkdir(parents=True, exist_ok=True)

    def report(self, text: str) -> None:
        """Print a line with the time."""
        print(f"{time.monotonic() - self.start:6.0f} s  {text}", flush=True)

    def left(self) -> float:
        """Seconds until the end."""
        return 60 * self.args.minutes - (time.monotonic() - self.start)

    def write_log(self, **facts: Any) -> None:
        """Write the course of training atomically."""
        self.log |= facts
        temporary = self.args.out / ".training.json"
        temporary.write_text(json.dumps(self.log, indent=1), encoding="utf-8")
        temporary.replace(self.args.out / "training.json")

    def train_network(self) -> None:
        """Train the network of opponents: one trial after another while there is time."""
        from janshi.fitting.network.training import Examples, NetworkConfig, NetworkTrainer

        args = self.args
        first = NetworkConfig(args.seed, network.Sizes(*args.sizes), batch=args.batch, share=args.share)
        valid = Examples(self._parts(VALIDATE, 1.0, min(max(args.hands // 40, 200), 2500)), args.device)
        train = Examples(self._parts(TRAIN, first.share, args.hands), args.device)
        self.report(f"{len(train):,} opponents to learn from, {len(valid):,} to validate on")
        self.log["network"], best = [], float("inf")
        for number, changes in enumerate(TRIALS[: args.trials]):
            if self.left() < 20 and number:
                break
            config = replace(first, **changes)
            self.report(f"trial {number + 1}: {changes}")
            trainer = NetworkTrainer(config, args.device, train, valid, best)
            trial = {"config": config.describe(), "examples": len(train), "curve": trainer.curve}
            self.log["network"].append(trial)
            trainer.run(max(self.left() - 5, 10), self.report, partial(self._keep, trainer, trial))
            best = trainer.best
            trial["steps"] = trainer.steps
            self.write_log(seconds=round(time.monotonic() - self.start))

    def _keep(self, trainer: Any, trial: dict[str, Any], weights: network.Weights) -> None:
        """Save the best weights so far."""
        facts = {"examples": trial["examples"], "steps": trainer.steps, "validation": trainer.curve[-1]}
        made = card("network", VERSION, training_data(self.args.data), trial["config"], **facts)
        save(self.args.out / "network.npz", network.pack(weights), made)
        self.write_log()

    def _parts(self, role: int, share: float, most: int) -> Any:
        return all_opponents(self.args.data, role, share, self.args.seed, self.args.workers, self.report, most)


def main() -> None:
    """Read arguments; prepare or train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the training data")
    parser.add_argument("--prepare", type=Path, metavar="DATA", help="write that folder from a data set, and stop")
    parser.add_argument("--out", type=Path, default=Path("network-out"), help="folder for weights")
    parser.add_argument("--minutes", type=float, default=8.0, help="total time, including the preparation of examples")
    parser.add_argument("--device", default="", help="cuda or cpu; by default cuda if there is one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trials", type=int, default=len(TRIALS), help="maximum number of settings to try")
    parser.add_argument("--hands", type=int, default=1 << 30, help="maximum number of hands to learn from")
    parser.add_argument("--share", type=float, default=0.6, help="share of the opponents not in tenpai to learn from")
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--decay", type=float, default=0.02)
    parser.add_argument("--dropout", type=float, default=0.05)
    widths = " ".join(network.Sizes._fields)
    parser.add_argument("--sizes", type=int, nargs=5, default=tuple(network.Sizes()), help=f"widths: {widths}")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="threads that encode examples")
    add_roles(parser)
    args = parser.parse_args()
    if args.prepare:
        from janshi.records.dataset import Dataset

        path = prepare(Source(Dataset(args.prepare), chosen_roles(args)), args.data)
        print(f"{path}: {path.stat().st_size / 2**20:.1f} MiB")
        return
    import torch

    args.device = args.device or ("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_float32_matmul_precision("high")
    run = Run(args)
    run.report(f"PyTorch {torch.__version__} on {args.device}")
    run.train_network()
    run.report(f"done: {args.out}")


if __name__ == "__main__":
    main()
