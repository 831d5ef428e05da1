"""Fit values of actions to hands of a policy that samples its actions (RL-5a, docs/luckfree.md).

The shipped policy, or another one, plays; the shipped values of draws remove the luck of draws. The remaining share of
variance is measured on other hands, and the values are written with a card.

    python scripts/fit_actions.py --rules simplified --hands 40000 --out luckfree-actions-simplified.npz
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import torch

from janshi.agents.learned.network import shipped
from janshi.features.prospects import choices_of
from janshi.learn import choice_fitting, prospect_values
from janshi.learn.network import read_policy
from janshi.learn.ppo import Trainer
from janshi.learn.prospect_values import WIDTH, ProspectValues
from janshi.learn.variance import frozen
from janshi.models.draw_values import ACTIONS

SETTINGS = ["tables=256", "rollout=16384", "batch=512", "threads=1", "device=cpu", "gamma=1", "lam=1"]
SEED, OTHER_SEED = 21, 22
"""Of the hands that are fitted, and of those that are measured."""


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", required=True)
    parser.add_argument("--policy", type=Path, help="an exported policy (.npz); by default the shipped one")
    parser.add_argument("--hands", type=int, default=40_000)
    parser.add_argument("--held", type=int, default=10_000, help="other hands, to measure the remaining share")
    parser.add_argument("--width", type=int, default=WIDTH)
    parser.add_argument("--passes", type=int, default=6)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def run_of(options: Any, seed: int) -> Trainer:
    """A run that plays with the policy, without learning."""
    return frozen(read_policy(options.policy or shipped("rvr", options.rules)), options.rules, "rl5a", seed, SETTINGS)


def main() -> None:
    """Play, fit, measure, write."""
    options = parse()
    torch.set_num_threads(options.threads)
    trainer = run_of(options, SEED)
    about = choices_of(trainer.game.family)
    if about is None:
        raise SystemExit(f"{options.rules} has no prospects of actions")
    torch.manual_seed(SEED)
    network = ProspectValues(about, options.width)
    parts = choice_fitting.played(trainer, options.hands)
    choice_fitting.fit(
        network, parts, passes=options.passes, report=lambda n, loss: print(f"{n}: {loss:.4f}", flush=True)
    )
    held = choice_fitting.played(run_of(options, OTHER_SEED), options.held)
    left = {name: choice_fitting.share_left(one, held) for name, one in (("draws", None), ("both", network))}
    for name, share in left.items():
        print(f"{name}: {share.value:.4f} ± {share.error:.4f} of the variance left")
    card = {
        "rules": trainer.game.id,
        "events": ACTIONS,
        "scale": trainer.config.scale,
        "hands": sum(len(part.scores) for part in parts),
        "players": [(options.policy or shipped("rvr", options.rules)).name],
        "passes": options.passes,
        "seed": SEED,
        "left in other hands": {name: round(share.value, 4) for name, share in left.items()},
    }
    prospect_values.write(network, options.out, card)


if __name__ == "__main__":
    main()
