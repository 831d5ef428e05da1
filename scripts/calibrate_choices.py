"""Test the values of choices of a self-play run by experiment, in fresh games without luck.

    python scripts/calibrate_choices.py runs/selfplay --hands 100000 --out choices.json

Decisions are grouped by what a choice is predicted to cost; the difference between two arms, chosen by the toss of a
coin, is what it costs. A place predicted should be a place lost.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from janshi.core.machine import available_cores
from janshi.learn.riichi.calibration import Trials, groups_of, slope, text_of, to_json
from janshi.learn.riichi.config import SelfPlayConfig
from janshi.learn.riichi.run import Run, read_state

SEED = 0x5155
"""Added to the run's seed, so that no game was learned from."""


def main() -> None:
    """Play, print the table, and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder of a self-play run")
    parser.add_argument("--hands", type=int, default=100_000, help="hands to play")
    parser.add_argument("--minutes", type=float, default=0.0, help="stop after this many minutes; 0: never")
    parser.add_argument("--share", type=float, default=0.05, help="share of the decisions that are trials")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--out", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    kept = SelfPlayConfig.from_json(read_state(arguments.folder)["config"])
    config = replace(kept, seed=kept.seed + SEED, rivals=0.0, explore=0.0, action_terms=False)
    run = Run(config, torch.device(arguments.device), arguments.threads or available_cores())
    run.load(arguments.folder)
    learner = run.learner
    play = Trials(config, learner.average, learner.imitated, learner.past, run.device, run.threads, run.pool)
    play.share = arguments.share
    play.fresh(0)
    began, hands = time.monotonic(), 0
    lost, results = [], []
    while hands < arguments.hands:
        play.play(min(config.decisions, 64 * (arguments.hands - hands)))
        found = play.finished()
        predicted = found.decisions.term.cpu().numpy().copy()
        found.decisions.term.zero_()  # it holds no luck here
        judged = learner.judge(found, run.pool)
        trial = predicted != 0
        lost.append(predicted[trial])
        results.append(judged.advantages.whole[trial])
        hands += len(found.ends)
        print(f"{hands:,} hands, {sum(map(len, lost)):,} trials, {time.monotonic() - began:.0f} s", flush=True)
        if arguments.minutes and time.monotonic() - began > 60 * arguments.minutes:
            break
    groups = groups_of(np.concatenate(lost), np.concatenate(results))
    print(text_of(groups))
    figures = {"run": arguments.folder.name, "hands": hands, "groups": to_json(groups)}
    if groups:
        value, error = slope(groups)
        figures |= {"slope": value, "slope error": error}
        print(f"a place predicted is {value:.2f} ± {1.96 * error:.2f} places lost")
    if arguments.out:
        arguments.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
