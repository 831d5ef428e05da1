"""Test the values of choices of a self-play run by experiment, in fresh games without luck.

    python scripts/calibrate_choices.py runs/selfplay --hands 100000 --out choices.json
    python scripts/calibrate_choices.py package --hands 20000 --out choices.json   # the values of the package
    python scripts/calibrate_choices.py --page docs/selfplay.md --out docs/selfplay/choices.json

Decisions are grouped by what a choice is predicted to cost; the difference between two arms, chosen by the toss of a
coin, is what it costs. A place predicted should be a place lost. The last form writes the figures into a page.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from _chart import Axis, Line, chart
from _page import write_between
from janshi.core.machine import available_cores
from janshi.learn.riichi.calibration import Group, Trials, groups_of, slope, text_of, to_json
from janshi.learn.riichi.config import SelfPlayConfig
from janshi.learn.riichi.run import Run, read_state
from janshi.learn.riichi.values import PACKAGE

SEED = 0x5155
"""Added to the run's seed, so that no game was learned from."""
BEGIN: Final = "<!-- choices: begin -->"
END: Final = "<!-- choices: end -->"
FARTHEST: Final = 0.2
"""Largest mean loss in the plot, in places."""


def main() -> None:
    """Play, print the table, and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help=f"folder of a self-play run, or `{PACKAGE}`")
    parser.add_argument("--hands", type=int, default=100_000, help="hands to play")
    parser.add_argument("--minutes", type=float, default=0.0, help="stop after this many minutes; 0: never")
    parser.add_argument("--share", type=float, default=0.05, help="share of the decisions that are trials")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--half", action="store_true", help="compute in bfloat16 on a CPU")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="`package`: change a setting")
    parser.add_argument("--page", type=Path, help="play nothing: write the figures of --out into this page")
    parser.add_argument("--out", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    if arguments.page:
        write_page(arguments.page, json.loads(arguments.out.read_text(encoding="utf-8")))
        return
    if arguments.folder is None:
        parser.error("give the folder of a run")
    with torch.autocast("cpu", torch.bfloat16, enabled=arguments.half):
        measure(arguments)


def prepared(arguments: argparse.Namespace) -> Run:
    """The run whose values are tested, with fresh games and no exploration."""
    device, threads = torch.device(arguments.device), arguments.threads or available_cores()
    package = str(arguments.folder) == PACKAGE
    if package:
        kept = SelfPlayConfig(values=PACKAGE).changed(arguments.set)
    else:
        kept = SelfPlayConfig.from_json(read_state(arguments.folder)["config"])
    run = Run(replace(kept, seed=kept.seed + SEED, rivals=0.0, explore=0.0, action_terms=False), device, threads)
    if package:
        run.take_values()
    else:
        run.load(arguments.folder)
    return run


def measure(arguments: argparse.Namespace) -> None:
    """Play, print the table, and write the figures."""
    run = prepared(arguments)
    config, learner = run.config, run.learner
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
    figures = {"run": arguments.folder.name, "date": f"{date.today()}", "hands": hands, "groups": to_json(groups)}
    if groups:
        value, error = slope(groups)
        figures |= {"slope": value, "slope error": error}
        print(f"a place predicted is {value:.2f} ± {1.96 * error:.2f} places lost")
    if arguments.out:
        arguments.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def write_page(page: Path, figures: dict[str, Any]) -> None:
    """Write the table into a page, and the plot beside the figures."""
    groups = [Group(**group) for group in figures["groups"]]
    facts = f"{figures['date']}, values of `{figures['run']}`, {figures['hands']:,} hands of fresh games"
    found = f"one predicted place is **{figures['slope']:.2f} ± {1.96 * figures['slope error']:.2f}** places lost"
    plot = "![What choices cost, predicted and found](selfplay/choices.svg)"
    write_between(page, BEGIN, END, f"\n{facts}: {found}.\n\n{text_of(groups)}\n\n{plot}\n")
    (page.parent / "selfplay" / "choices.svg").write_text(plot_of(groups), encoding="utf-8")


def plot_of(groups: list[Group]) -> str:
    """Predicted and found losses, as SVG."""
    shown = [group for group in groups if group.predicted < FARTHEST]
    points = [(group.predicted, group.found) for group in shown]
    far = max(0.02, 1.1 * max(x for x, _ in points))
    ticks = [round(far * i / 5, 3) for i in range(6)]
    lines = [
        Line("found by experiment, 95 %", points, errors=[1.96 * group.error for group in shown]),
        Line("as predicted", [(0.0, 0.0), (far, far)], dashed=True),
    ]
    low = min(0.0, *(group.found - 1.96 * group.error for group in shown))
    high = max(far, *(group.found + 1.96 * group.error for group in shown))
    sides = Axis("predicted loss, places", 0.0, far, ticks), Axis("found loss, places", low, high, ticks)
    return chart("What a choice costs", *sides, lines)


if __name__ == "__main__":
    main()
