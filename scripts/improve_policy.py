"""Improve a riichi policy by one step of policy iteration: collect evidence by self-play, then fit its last layer.

    python scripts/improve_policy.py collect evidence --seconds 300 --seed 0     # several seeds at once use all cores
    python scripts/improve_policy.py fit evidence --out improved.npz --rate 5e-5

`collect` plays with the network as it is, exploring, and writes open decisions with what followed without luck.
`fit` finds the best correction of the last layer, judges it by a fifth of the evidence that it did not learn from, and
with `--rate` goes on in all weights. Both take the same `--set` settings as self-play.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import torch

from janshi.core.machine import available_cores
from janshi.learn.imitation.export import export
from janshi.learn.imitation.network import RiichiNet
from janshi.learn.riichi.config import SelfPlayConfig
from janshi.learn.riichi.evidence import Evidence, collect
from janshi.learn.riichi.improvement import (
    STRENGTHS,
    Behaviour,
    Candidate,
    by_layer,
    corrected,
    fine_tune,
    judge,
    last_layer,
    seen_by,
    solve,
    sums_of,
)
from janshi.learn.riichi.networks import forward_on, sharpened
from janshi.learn.riichi.run import base_network

HELD_OUT: Final = 5
"""Every fifth file judges."""


def main() -> None:
    """Collect or fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("collect", "fit"))
    parser.add_argument("evidence", type=Path, help="folder of the evidence")
    parser.add_argument("--seconds", type=float, default=300, help="collect: time to play, starting included")
    parser.add_argument("--seed", type=int, default=0, help="collect: other seeds play other games")
    parser.add_argument("--out", type=Path, default=Path("improved.npz"), help="fit: the improved network")
    parser.add_argument("--rate", type=float, nargs="*", default=[], help="fit: go on in all weights at these rates")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change a setting")
    arguments = parser.parse_args()
    settings = ["explore=0.15", "rivals=0", f"seed={arguments.seed}", "iterations=100000", *arguments.set]
    config, device = SelfPlayConfig().changed(settings), torch.device(arguments.device)
    if arguments.what == "collect":
        until = time.monotonic() + arguments.seconds
        rows = collect(config, arguments.evidence, device, arguments.threads or available_cores(), until, say)
        say(f"{rows} open decisions")
    else:
        fit(config, arguments.evidence, arguments.out, arguments.rate, device)


def say(line: str) -> None:
    """Print at once."""
    print(line, flush=True)


def fit(config: SelfPlayConfig, folder: Path, out: Path, rates: list[float], device: torch.device) -> None:
    """Fit, judge, and write the best candidates."""
    began = time.monotonic()
    files = sorted(folder.glob("evidence-*.pt"))
    if len(files) < 2:
        raise SystemExit(f"{folder} holds {len(files)} files of evidence; at least 2 are needed")
    held = [i % HELD_OUT == HELD_OUT - 1 for i in range(len(files))] if len(files) >= HELD_OUT else [False, True]
    parts = [Evidence.load(path) for path in files]
    train = Evidence.join([part for part, test in zip(parts, held) if not test])
    tests = Evidence.join([part for part, test in zip(parts, held) if test])
    if device.type == "cuda":
        train, tests = train.to(device), tests.to(device)
    say(f"{len(train)} open decisions to learn from, {len(tests)} to judge by; {time.monotonic() - began:.0f} s")
    net = sharpened(base_network(config), config.sharpness).to(device).eval()
    behaviour = Behaviour(config.explore, config.explore_temperature)
    forward = forward_on(device, net.tokens, config.compiled)
    sizes, sums = sums_of(net, train, behaviour, forward)
    solved = solve(sums, last_layer(net))
    say(f"a logit is worth {solved.factor:.4f} of the usual size of gains; {time.monotonic() - began:.0f} s")
    candidates: dict[str, Candidate] = {}
    changes: dict[str, Any] = {}
    for penalty, change in solved.changes.items():
        for strength in STRENGTHS:
            name = f"penalty {penalty:g}, strength {strength:g}"
            changes[name] = strength * change
            candidates[name] = by_layer(last_layer(net) + changes[name])
    judged = judge(net, candidates, tests, behaviour, forward)
    for one in judged:
        say(str(one))
    best = max(judged, key=lambda one: one.gain - one.gain_error)
    say(f"best: {best}; {time.monotonic() - began:.0f} s")
    improved = corrected(net, changes[best.name])
    keep(improved, config, out, {"judged": asdict(best), "all": [asdict(one) for one in judged]}, len(train))
    for rate in rates:
        deep = fine_tune(improved, net, train, behaviour, solved, sizes, rate, forward, config.compiled)
        found = judge(
            net, {f"all weights, rate {rate:g}": by_network(deep, behaviour, config)}, tests, behaviour, forward
        )
        say(f"{found[0]}; {time.monotonic() - began:.0f} s")
        keep(deep, config, out.with_stem(f"{out.stem}-{rate:g}"), {"judged": asdict(found[0])}, len(train))


def by_network(net: RiichiNet, behaviour: Behaviour, config: SelfPlayConfig) -> Candidate:
    """Another network as a candidate."""
    tokens = forward_on(net.place.device, net.tokens, config.compiled)
    return lambda _, some: seen_by(net, some, behaviour, tokens).logits


def keep(net: RiichiNet, config: SelfPlayConfig, path: Path, facts: dict[str, Any], rows: int) -> None:
    """Write a network, its logits as large as before, and what was found beside it."""
    card = {"improved": {"settings": config.to_json(), "open decisions": rows, "judged": facts["judged"]}}
    export(sharpened(net, 1 / config.sharpness), path, card)
    path.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
