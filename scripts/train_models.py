"""Train the models of opponents and of final ranks from a data set of recorded games.

    janshi records import PACKS... --out DATA
    python scripts/train_models.py DATA --work WORK

Weights are written to the package (`--out` chooses another folder); weights of the variants that `evaluate_models.py`
compares are written to WORK, which must be outside the repository.
"""

from __future__ import annotations

import argparse
import time
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from janshi.features import final_rank, hand_score, waiting, winning_tile
from janshi.fitting.data import Source
from janshi.fitting.final_rank import situations, train_final_rank
from janshi.fitting.opponents import FULL, Trainer, TrainingConfig
from janshi.fitting.roles import Roles, add_roles, chosen_roles
from janshi.models.store import FOLDER, save
from janshi.records.dataset import Dataset

RANK_RATES = (0.1,) * 4 + (0.05,) * 4 + (0.02, 0.01)


def card(model: str, version: int, roles: Roles, seconds: float, **facts: Any) -> dict[str, Any]:
    """The card stored with a model's weights."""
    return {
        "model": model,
        "feature version": version,
        "rules": "riichi/tenhou",
        "training data": roles.card(),
        "trained": date.today().isoformat(),
        "seconds": round(seconds),
        "command": "python scripts/train_models.py DATA --work WORK",
        **facts,
    }


def train_opponents(source: Source, config: TrainingConfig, out: Path, work: Path, report: Any) -> None:
    """Train the waiting, winning tile and hand score models, and write them."""
    start = time.process_time()
    trainer = Trainer(config)
    trainer.run(source, report)
    spent = time.process_time() - start
    facts = {"config": config.describe(), "positions": trainer.positions}
    learners = {"waiting": trainer.waiting, "winning_tile": trainer.winning, "hand_score": trainer.score}
    versions = {"waiting": waiting.VERSION, "winning_tile": winning_tile.VERSION, "hand_score": hand_score.VERSION}
    for name, learner in learners.items():
        arrays = {"weights": learner.means[FULL].astype(np.float32)}
        if name == "hand_score":
            arrays["class_weights"] = trainer.classes.mean.astype(np.float16)
            arrays["worth"] = trainer.classes.worth
        made = card(name, versions[name], source.roles, spent, examples=learner.examples, **facts)
        save(out / f"{name}.npz", arrays, made)
        variants = {variant: mean.astype(np.float32) for variant, mean in learner.means.items()}
        np.savez_compressed(work / f"{name} variants.npz", allow_pickle=False, **variants)


def train_ranks(source: Source, seed: int, decay: float, out: Path, report: Any) -> None:
    """Train the final rank model, and write it."""
    start = time.process_time()
    data, _ = situations(source, source.train)
    weights = train_final_rank(data, seed, RANK_RATES, decay, report)
    facts = {"config": {"seed": seed, "rates": RANK_RATES, "decay": decay}, "examples": len(data.kyoku)}
    spent = time.process_time() - start
    save(
        out / "final_rank.npz",
        {"weights": weights},
        card("final_rank", final_rank.VERSION, source.roles, spent, **facts),
    )


def main() -> None:
    """Read arguments and train."""
    defaults = TrainingConfig()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data set")
    parser.add_argument("--work", type=Path, required=True, help="folder for weights that do not ship")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder for the models")
    parser.add_argument("--only", choices=("opponents", "final-rank"), help="train these models only")
    parser.add_argument("--seed", type=int, default=defaults.seed)
    parser.add_argument("--rates", type=float, nargs="+", default=defaults.rates, help="rate of each pass")
    parser.add_argument("--share", type=float, default=defaults.share, help="share of the positions in each pass")
    parser.add_argument("--decay", type=float, default=defaults.decay)
    parser.add_argument("--every", type=int, default=1, help="read every n-th shard only: a quick trial")
    add_roles(parser)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    args.out.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()

    def report(text: str) -> None:
        print(f"{time.monotonic() - start:6.0f} s  {text}", flush=True)

    source = Source(Dataset(args.data), chosen_roles(args))
    report(f"{source.train.sum():,} hands to train on, {source.test.sum():,} to test on")
    config = TrainingConfig(args.seed, tuple(args.rates), args.share, args.decay, (0, args.every))
    if args.only != "opponents":
        train_ranks(source, args.seed, args.decay, args.out, report)
    if args.only != "final-rank":
        train_opponents(source, config, args.out, args.work, report)


if __name__ == "__main__":
    main()
