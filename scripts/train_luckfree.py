"""Train the values that remove luck from returns (RL-5) for a frozen policy, and measure the remaining variance.

The shipped policy, or another one, plays against itself. The values of draws and of actions learn from fresh hands
only; then the remaining share of variance is measured on hands that nothing was trained on, along with the critics of
other variants. In --out: `draws-<family>.npz` and `actions-<family>.npz` (float16), and `variance-<family>.json`.

    python scripts/train_luckfree.py --rules simplified --decisions 4e7 --out luckfree
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from _page import table, this_machine, today
from janshi.agents.learned.network import shipped
from janshi.learn import outcome_values, prospect_values
from janshi.learn.network import read_policy
from janshi.learn.ppo import Trainer
from janshi.learn.prospect_values import ProspectValues
from janshi.learn.variance import Share, frozen, measure

SIZES = {"simplified": {"value_blocks": 4, "value_channels": 64}, "guobiao": {"value_blocks": 5, "value_channels": 64}}
"""Sizes of the value networks, chosen so that files stay below 4 MB."""
SETTINGS = {
    "gamma": 1.0,
    "lam": 1.0,
    "rate": 1e-3,
    "final_rate": 2e-5,
    "value_clip": 0.0,
    "batch": 4096,
    "luck_epochs": 2,
    "tables": 8192,
    "rollout": 262_144,
}
LUCKLESS = "rl5a"
SECONDS = 10.0
"""Seconds between two lines of progress."""


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", required=True, choices=sorted(SIZES))
    parser.add_argument("--policy", type=Path, help="an exported policy (.npz); by default the shipped one")
    parser.add_argument("--begin", type=Path, help="a directory of values that an earlier run wrote, to continue from")
    parser.add_argument("--variant", default=LUCKLESS, choices=["rl5", "rl5a"], help="rl5: no values of actions")
    parser.add_argument("--decisions", type=float, default=4e7, help="decisions from which the values learn")
    parser.add_argument(
        "--critics", nargs="*", default=["basic", "rl1", "rl4"], help="variants whose critics to measure"
    )
    parser.add_argument("--critic-decisions", type=float, default=1e7, help="decisions from which each of them learns")
    parser.add_argument("--seconds", type=float, default=0.0, help="time limit for learning the values; 0: none")
    parser.add_argument("--critic-seconds", type=float, default=0.0, help="time limit for each critic; 0: none")
    parser.add_argument("--hands", type=float, default=2e5, help="hands on which variance is measured")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", nargs="*", default=[], help="settings of training, such as tables=4096")
    parser.add_argument("--out", type=Path, required=True, help="directory for weights and figures")
    return parser.parse_args()


def learned(options: Any, variant: str, decisions: float, seconds: float) -> Trainer:
    """A run with the frozen policy, whose other networks have learned for this many decisions, or seconds if not 0."""
    policy = read_policy(options.policy or shipped("rvr", options.rules))
    trainer = frozen(policy, options.rules, variant, options.seed, options.set, **{**SETTINGS, **SIZES[options.rules]})
    trainer.end_decisions, trainer.end_seconds = int(decisions), seconds
    if options.begin is not None and trainer.luck is not None:
        begin(trainer, options.begin)
    said = started = time.perf_counter()
    while trainer.decisions < decisions and not 0 < seconds < trainer.seconds:
        trainer.rollout()
        if time.perf_counter() - said > SECONDS:
            said = time.perf_counter()
            print(progress(trainer, said - started), flush=True)
    print(progress(trainer, time.perf_counter() - started), flush=True)
    return trainer


def files_of(network: Any) -> Any:
    """The functions to read and write a network of values: over prospects, or over planes."""
    return prospect_values if isinstance(network, ProspectValues) else outcome_values


def begin(trainer: Trainer, directory: Path) -> None:
    """Continue with the values of an earlier run."""
    assert trainer.luck is not None
    for name, part in trainer.luck.parts.items():
        network, _ = files_of(part.network).read(directory / f"{name}-{trainer.config.family}.npz")
        part.network.load_state_dict(network.state_dict())
    trainer.luck.left = 1 - 1e-6  # known to help


def progress(trainer: Trainer, seconds: float) -> str:
    """How a run stands."""
    left = trainer.row.get("luck_left")
    luck = "" if left is None else f", {left:.3f} of the variance of hands left without luck"
    return (
        f"{trainer.config.variant}: {seconds:.0f} s, {trainer.decisions / 1e6:.1f} M decisions, "
        f"{trainer.row['rate']:,.0f}/s, values explain {trainer.row['explained']:.3f}{luck}"
    )


def write_values(trainer: Trainer, options: Any, shares: dict[str, Share]) -> None:
    """Write the values of draws and of actions."""
    assert trainer.luck is not None
    for name, part in trainer.luck.parts.items():
        card = {
            "rules": trainer.game.id,
            "scale": trainer.config.scale,
            "events": name,
            "policy": str((options.policy or shipped("rvr", options.rules)).name),
            "decisions": trainer.decisions,
            "hands": trainer.hands,
            "seed": options.seed,
            "left": {what: share.value for what, share in shares.items()},
        }
        files_of(part.network).write(part.network, options.out / f"{name}-{options.rules}.npz", card)


def main() -> None:
    """Train, write, measure."""
    options = parse()
    options.out.mkdir(parents=True, exist_ok=True)
    figures: dict[str, Any] = {"rules": options.rules, "date": today(), "machine": this_machine(), "shares": {}}
    for variant in (options.variant, *options.critics):
        critic = variant != options.variant
        decisions = options.critic_decisions if critic else options.decisions
        trainer = learned(options, variant, decisions, options.critic_seconds if critic else options.seconds)
        shares = measure(trainer, int(options.hands))
        figures["shares"][variant] = {name: share._asdict() for name, share in shares.items()}
        figures["shares"][variant]["decisions"] = trainer.decisions
        if not critic:
            write_values(trainer, options, shares)
        file = options.out / f"variance-{options.rules}.json"
        file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
        rows = [[variant, name, f"{share.value:.4f} ± {share.error:.4f}"] for name, share in shares.items()]
        print(table(["variant", "variance left", "share"], rows), flush=True)
        del trainer


if __name__ == "__main__":
    main()
