"""Train several variants of the riichi network one after another on the same data, and measure each.

    python scripts/compare_imitation.py all.hands --out arms.json --test-packs houou-2022 --set steps=1443
        --arm control --arm "muon optimiser=muon" --arm "no danger without=danger" --arm "half share=0.5"

An arm is a name and the settings that differ from the first arm's. Decisions are rebuilt once and stay on the device.
All arms are measured on the same held-out decisions, so differences between them are more precise than the figures.
Results are written after each arm; the same command continues with the missing ones.

    python scripts/compare_imitation.py --page docs/apprentice.md --out docs/apprentice/inputs.json

writes the table of results into a page, between its marks `arms: begin` and `arms: end`.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from _page import table, write_between
from janshi.core.files import write_whole
from janshi.core.machine import available_cores
from janshi.learn.imitation.batches import DeviceExamples, on_device
from janshi.learn.imitation.config import ImitationConfig
from janshi.learn.imitation.examples import Selection
from janshi.learn.imitation.measure import agreement_table, answers, hidden_table
from janshi.learn.imitation.run import read_hands
from janshi.learn.imitation.training import Imitation
from janshi.records.compact import CompactHands

BEGIN, END = "<!-- arms: begin -->", "<!-- arms: end -->"


def main() -> None:
    """Read arguments, train every arm."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", help="compact file of hands (janshi records compact)")
    parser.add_argument("--out", type=Path, required=True, help="file of the results")
    parser.add_argument("--page", type=Path, help="train nothing: write the table of results into this page")
    parser.add_argument("--arm", action="append", default=[], help="name, then settings: 'wide width=192 heads=6'")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change a setting of all arms")
    parser.add_argument("--test-packs", default="", help="packs to measure on, separated by commas; all if empty")
    parser.add_argument("--sample", type=int, default=400_000, help="held-out decisions to measure on")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=0, help="threads that rebuild decisions; 0: all cores")
    parser.add_argument(
        "--minutes", type=float, default=0.0, help="begin no arm after this many minutes; 0: never stop"
    )
    arguments = parser.parse_args()
    if arguments.page:
        write_between(arguments.page, BEGIN, END, table_of_arms(json.loads(arguments.out.read_text(encoding="utf-8"))))
        return
    if arguments.data is None or not arguments.arm:
        parser.error("give a file of hands and at least one --arm")
    began, device = time.monotonic(), torch.device(arguments.device)
    compact, threads = read_hands(arguments.data), arguments.threads or available_cores()
    base = ImitationConfig().changed(arguments.set)
    learned = on_device(compact, Selection(base.splits), device, threads)
    packs = tuple(filter(None, arguments.test_packs.split(",")))
    test = on_device(compact, Selection("test", "all", packs, skip_forced=False), device, threads)
    test = test.sample(arguments.sample, seed=1)
    print(f"{len(learned):,} decisions, {len(test):,} held out, {time.monotonic() - began:.0f} s", flush=True)
    found = json.loads(arguments.out.read_text()) if arguments.out.exists() else []
    for arm in arguments.arm:
        name, settings = split_arm(arm)
        if any(row["arm"] == name for row in found):
            continue
        if arguments.minutes and time.monotonic() - began > 60 * arguments.minutes:
            print("no time is left for another arm", flush=True)
            break
        row = trained(name, settings, base.changed(settings), chosen(learned, compact, settings), test, device)
        found.append(row)
        write_whole(arguments.out, json.dumps(found, indent=1).encode())
        print(line(row), flush=True)


def split_arm(text: str) -> tuple[str, list[str]]:
    """The name of an arm and its settings."""
    words = text.split()
    name = " ".join(word for word in words if "=" not in word)
    return name, [word for word in words if "=" in word]


def chosen(learned: DeviceExamples, compact: CompactHands, settings: list[str]) -> DeviceExamples:
    """The examples of an arm: all, or those selected by its `share` and `packs`."""
    kept = {name: value for name, _, value in (one.partition("=") for one in settings)}
    if not {"share", "packs"} & set(kept):
        return learned
    packs = tuple(filter(None, kept.get("packs", "").split(",")))
    hands = Selection(packs=packs, share=float(kept.get("share", 1))).mask(compact)
    rows = np.flatnonzero(hands[learned.facts["hand"]])
    return learned.take(rows)


def trained(
    name: str,
    settings: list[str],
    config: ImitationConfig,
    learned: DeviceExamples,
    test: DeviceExamples,
    device: torch.device,
) -> dict[str, Any]:
    """Train an arm and measure it."""
    run = Imitation(config, learned, device)
    first = float(run.learn().total.detach())  # compiles
    began = time.monotonic()
    while run.step < config.steps:
        last = run.learn()
    final = float(last.total.detach())
    seconds = time.monotonic() - began
    said = answers(run.net, test, device)
    agreement = agreement_table(said, test)
    return {
        "arm": name,
        "settings": settings,
        "config": config.to_json(),
        "weights": sum(one.numel() for one in run.net.parameters()),
        "decisions": len(learned),
        "steps": config.steps,
        "seconds": round(seconds, 1),
        "decisions a second": round((config.steps - 1) * min(config.batch, len(learned)) / max(seconds, 1e-9)),
        "loss": [round(first, 4), round(final, 4)],
        "agreement": {key: round(row["share"], 5) for key, row in agreement.items()},
        "hidden": {key: round(value, 5) for key, value in hidden_table(said, test).items()},
    }


def table_of_arms(rows: list[dict[str, Any]]) -> str:
    """All arms, and how much they differ from the first."""
    first = rows[0]["agreement"]
    cells = []
    for row in rows:
        agreement, hidden = row["agreement"], row["hidden"]
        shares = [f"{100 * agreement[name]:.2f}" for name in ("all decisions", "discards")]
        gain = 100 * (agreement["all decisions"] - first["all decisions"])
        known = [f"{hidden[name]:.4f}" for name in ("waits AUC", "hand value MSE (log)")]
        others = [f"{agreement['perplexity']:.4f}", *known]
        cells.append([row["arm"], *shares, "" if row is rows[0] else f"{gain:+.2f}", *others])
    head = ["arm", "all, %", "discards, %", "difference", "perplexity", "waits AUC", "value MSE"]
    return "\n" + table(head, cells) + "\n"


def line(row: dict[str, Any]) -> str:
    """A result in one line."""
    agreement = row["agreement"]
    return (
        f"{row['arm']:24} all {100 * agreement['all decisions']:.2f} discards {100 * agreement['discards']:.2f} "
        f"perplexity {agreement['perplexity']:.4f} {row['hidden']} "
        f"{row['weights']:,} weights {row['seconds']} s {row['decisions a second']:,} decisions/s"
    )


if __name__ == "__main__":
    main()
