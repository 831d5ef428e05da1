"""Train Guobiao with RL-5 from the shipped policy, in sessions that can be stopped and continued (docs/rvr.md).

All seats of full tables learn, groups of tables play the same wall, the luck of draws is removed from returns
(`rl5d`), and past selves play at some of the tables, the first of them being the shipped policy. Each call trains one
more piece of `--seconds`, continuing from the last one, and then takes measurements on walls that are the same for all
pieces:
the newest policy and the mean of the last `--averaged` ones, each against three search models, and their gain over the
starting policy, wall by wall. `pieces.json` has all figures. After `--judged` decisions, a paired gain below `--least`
is reported as a reason to stop.

    python scripts/train_guobiao.py --out runs/guobiao-rl5 --seconds 420
"""

from __future__ import annotations

import argparse
import json
import os
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from janshi.core.files import write_whole

SETTINGS: dict[str, dict[str, Any]] = {
    "guobiao": {
        "value_blocks": 4,
        "value_channels": 96,
        "tables": 8192,
        "duplicates": 4,
        "rollout": 262_144,
        "batch": 16_384,
        "past_share": 0.25,
        "past_every": 100_000,
        "gamma": 1.0,
        "lam": 0.95,
        "value_clip": 0.0,
        "rate": 1e-4,
        "final_rate": 2e-5,
        "value_rate": 5e-4,
        "entropy": 0.002,
        "values_first": 3_000_000,
        "threads": 14,
    },
    "simplified": {"duplicates": 4, "gamma": 1.0},
}
"""Settings other than the starting policy's sizes; `--set` changes them."""
SEED = 2027


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rules", default="guobiao", choices=sorted(SETTINGS))
    parser.add_argument("--start", type=Path, help="the policy to begin with; by default the shipped one")
    parser.add_argument("--variant", default="rl5d")
    parser.add_argument("--seconds", type=float, default=420.0, help="of training in this piece, measuring not counted")
    parser.add_argument("--decisions", type=float, default=1.5e9, help="of all pieces: the rate falls until then")
    parser.add_argument("--walls", type=int, default=300, help="walls of a measurement, each from every seat")
    parser.add_argument("--averaged", type=int, default=3, help="pieces whose policies are averaged")
    parser.add_argument("--judged", type=float, default=3e8, help="decisions from which the gain is judged")
    parser.add_argument("--least", type=float, default=0.1, help="paired gain in points below which to stop")
    parser.add_argument("--threads", type=int, default=0, help="threads that play search models; 0: one per core")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", nargs="*", default=[], help="settings of training, such as rate=5e-5")
    return parser.parse_args()


def starting_policy(options: Any) -> Path:
    """The policy that the first piece starts from."""
    from janshi.agents.learned.network import shipped

    return Path(options.start or shipped("rvr", options.rules))


def trainer_of(options: Any, pieces: list[dict[str, Any]]) -> Any:
    """A trainer that continues from the last piece, or from the starting policy."""
    from janshi.features.planes import encoder
    from janshi.learn import checkpoint
    from janshi.learn.config import TrainConfig
    from janshi.learn.network import read_policy
    from janshi.learn.ppo import Trainer

    policy = read_policy(starting_policy(options))
    sizes = {name: policy.sizes[name] for name in ("blocks", "channels", "width")}
    plans = policy.encoder.version != encoder(options.rules).version
    config = TrainConfig(
        rules=options.rules, variant=options.variant, seed=options.seed + len(pieces), plans=plans
    ).changed([f"{name}={value}" for name, value in (sizes | SETTINGS[options.rules]).items()] + options.set)
    trainer = Trainer(config)
    trainer.networks.begin_with(policy)
    if config.past_share:
        trainer.players.renew(trainer.policy, 0)  # the first past self
    if pieces:
        checkpoint.go_on_from(trainer, options.out / pieces[-1]["name"] / checkpoint.LIGHT)
    trainer.end_decisions = int(options.decisions)
    trainer.begin()
    return trainer


def train(trainer: Any, out: Path, options: Any) -> None:
    """One piece."""
    from janshi.learn.curves import Curves
    from janshi.learn.training import progress_line, save

    out.mkdir(parents=True, exist_ok=True)
    curves, ends, said = Curves(out), trainer.seconds + options.seconds, 0.0
    while trainer.seconds < ends and trainer.decisions < options.decisions:
        trainer.rollout()
        curves.add(trainer.row)
        if time.perf_counter() - said > 10:
            said = time.perf_counter()
            print(progress_line(trainer, 0.0), flush=True)
    save(trainer, out, full=False)
    curves.close()


# --- measuring


def scores_of(trainer: Any, policy: Path, options: Any) -> np.ndarray[Any, Any]:
    """A policy's points against search models by wall, as means over its seats: float64[walls]."""
    from janshi.learn.evaluation import results_by_wall
    from janshi.learn.network import read_policy
    from janshi.learn.training import greedy

    trainer.policy.load_state_dict(read_policy(policy).state_dict())
    answer = partial(greedy, trainer)
    threads = options.threads or os.cpu_count() or 1
    return np.asarray(
        results_by_wall(answer, trainer.game, "search", options.walls, SEED, threads, trainer.encoder).points
    )


def measured(trainer: Any, options: Any, piece: Path, earlier: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures of a piece; the starting policy's points are stored for all pieces."""
    from janshi.learn.network import write_mean

    kept = options.out / f"start-{options.walls}.npy"
    if not kept.is_file():
        np.save(kept, scores_of(trainer, starting_policy(options), options))
    last = [options.out / one["name"] / "policy.npz" for one in earlier][-(options.averaged - 1) :]
    mean = piece / "mean.npz"
    mean.unlink(missing_ok=True)
    write_mean([*(last if options.averaged > 1 else []), piece / "policy.npz"], mean)
    start, found = np.load(kept), {}
    for name, policy in (("newest", piece / "policy.npz"), ("mean", mean)):
        points = scores_of(trainer, policy, options)
        found[name] = {"af": interval(points), "gain": interval(points - start)}
    return found


def interval(values: np.ndarray[Any, Any]) -> list[float]:
    """A mean and half of its 95 % interval."""
    return [float(values.mean()), float(1.96 * values.std(ddof=1) / np.sqrt(len(values)))]


def keep(file: Path, pieces: list[dict[str, Any]]) -> None:
    """Write the figures of all pieces."""
    write_whole(file, (json.dumps(pieces, indent=1) + "\n").encode())


def main() -> None:
    """Train and measure one more piece."""
    options = parse()
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / "pieces.json"
    pieces: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else []
    if pieces and pieces[-1]["decisions"] >= options.decisions:
        raise SystemExit(f"all {pieces[-1]['decisions'] / 1e6:.0f} million decisions are done")
    name = f"piece{len(pieces):02d}"
    trainer = trainer_of(options, pieces)
    train(trainer, options.out / name, options)
    one = {"name": name, "decisions": trainer.decisions, "hands": trainer.hands, "seconds": round(trainer.seconds, 1)}
    one |= {"left": trainer.row.get("luck_left"), "explained": trainer.row.get("explained")}
    keep(file, [*pieces, one])  # a piece that could not be measured any more still goes on
    one |= measured(trainer, options, options.out / name, pieces)
    keep(file, [*pieces, one])
    for which in ("newest", "mean"):
        (af, wide), (gain, paired) = one[which]["af"], one[which]["gain"]
        print(f"{name} {which}: AF {af:+.2f} ± {wide:.2f}, paired gain {gain:+.2f} ± {paired:.2f}")
    best = max(one[which]["gain"][0] for which in ("newest", "mean"))
    if trainer.decisions >= options.judged and best < options.least:
        done = f"{trainer.decisions / 1e6:.0f} million decisions"
        print(f"less than {options.least:+.2f} points gained in {done}: change course")


if __name__ == "__main__":
    main()
