"""Improve a riichi policy by policy iteration: collect evidence by self-play, then correct the policy's last layer.

    python scripts/improve_policy.py collect evidence --seconds 300 --seed 0     # one process per seed
    python scripts/improve_policy.py fit evidence --out improved.npz

`collect` plays with the network, explores, and writes open decisions with the gains that followed, without luck. `fit`
finds the best correction of the last layer and writes the improved network. Corrections are judged by cross-fitting:
each third of the evidence judges those that were fitted to the other two; the best one is then fitted to everything.
With `--collector`, the evidence comes from another network than the one to be improved.

    python scripts/improve_policy.py collect runs/policy --follow --seconds 1100 --seed 0   # several, at the same time
    python scripts/improve_policy.py iterate runs/policy --seconds 1100

`iterate` does this again and again while the collectors play on with its newest policy. The folder holds a network for
each generation; give the commands again to continue. All take the same `--set` settings as self-play.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch

from janshi.core.machine import available_cores
from janshi.learn.imitation.export import load_exported
from janshi.learn.riichi.config import SelfPlayConfig
from janshi.learn.riichi.evidence import collect, evidence_files
from janshi.learn.riichi.policy_iteration import Improver, folds_of, iterate

EXPLORE = ("explore=0.3", "explore_temperature=2", "rivals=0", "iterations=100000")


def main() -> None:
    """Collect, fit, or iterate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("collect", "fit", "iterate"))
    parser.add_argument("evidence", type=Path, help="folder of the evidence")
    parser.add_argument("--seconds", type=float, default=300, help="collect, iterate: time limit, starting included")
    parser.add_argument("--seed", type=int, default=0, help="collect: different seeds play different games")
    parser.add_argument("--follow", action="store_true", help="collect: change to the newest policy in the folder")
    parser.add_argument("--enough", type=int, default=5_000_000, help="iterate: open decisions for each generation")
    parser.add_argument("--out", type=Path, default=Path("improved.npz"), help="fit: the improved network")
    parser.add_argument("--collector", type=Path, help="fit: the network that collected the evidence, if another")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change a setting")
    arguments = parser.parse_args()
    until = time.monotonic() + arguments.seconds
    config = SelfPlayConfig().changed([*EXPLORE, f"seed={arguments.seed}", *arguments.set])
    folder, device, threads = arguments.evidence, torch.device(arguments.device), arguments.threads or available_cores()
    if arguments.what == "collect":
        rows = collect(config, folder, device, threads, until, say, arguments.follow)
        say(f"{rows:,} open decisions")
    elif arguments.what == "iterate":
        generation = iterate(config, folder, device, until, arguments.enough, say)
        say(f"generation {generation} is the newest")
    else:
        fit(config, arguments, device)


def fit(config: SelfPlayConfig, arguments: argparse.Namespace, device: torch.device) -> None:
    """Find, judge and write the best correction."""
    began, files = time.monotonic(), evidence_files(arguments.evidence)
    if len(files) < 2:
        raise SystemExit(f"{arguments.evidence} holds {len(files)} files of evidence; at least 2 are needed")
    improver = Improver(config, device, arguments.collector and load_exported(arguments.collector))
    folds = folds_of(files, device)
    say(f"{sum(map(len, folds)):,} open decisions; {time.monotonic() - began:.0f} s")
    found = improver.improve(folds)
    improver.keep(arguments.out, found)
    for candidate in found.facts["all"]:
        gain, error = (1e3 * candidate[name][-1] for name in ("gains", "errors"))
        say(f"{candidate['name']}: {100 * candidate['differs']:.1f} % other choices, {gain:+.2f} ± {error:.2f}")
    say(f"best: {found.judged}; {time.monotonic() - began:.0f} s")


def say(line: str) -> None:
    """Print at once."""
    print(line, flush=True)


if __name__ == "__main__":
    main()
