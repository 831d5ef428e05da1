"""Improve a riichi policy by one step of policy iteration: collect evidence by self-play, then fit its last layer.

    python scripts/improve_policy.py collect evidence --seconds 300 --seed 0     # several seeds at once use all cores
    python scripts/improve_policy.py fit evidence --out improved.npz --match 20000

`collect` plays with the network as it is, exploring, and writes open decisions with what followed without luck.
`fit` finds the best correction of the last layer, judges it by a third of the evidence that it did not learn from, and
writes it. With `--collector` the evidence is of another network than the one that is improved. `fit` does the same
with values of choices, which go on learning (`--choice-rate`), writes that player's parts beside it
(`improved-valued…`) and with `--match` plays it against three of the network before. Both take the same `--set`
settings as self-play.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import torch

from janshi.core.machine import available_cores
from janshi.learn.imitation.export import export, load_exported
from janshi.learn.imitation.network import RiichiNet
from janshi.learn.riichi.config import SelfPlayConfig
from janshi.learn.riichi.evidence import TRACES, Evidence, collect
from janshi.learn.riichi.improvement import (
    STRENGTHS,
    Candidate,
    Correction,
    Improved,
    Judgement,
    Sizes,
    Solved,
    by_correction,
    judge,
    solve,
    sums_of,
)
from janshi.learn.riichi.last_layer import Asked, Behaviour, Reader, corrected, last_layer
from janshi.learn.riichi.match import Match
from janshi.learn.riichi.networks import Choices, DrawValues, forward_on, sharpened
from janshi.learn.riichi.run import base_network
from janshi.learn.riichi.values import NOTHING, export_values, starting_values

MATCH_SEED: Final = 5001
HELD_OUT: Final = 3
"""Every third file judges."""


def main() -> None:
    """Collect or fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("collect", "fit"))
    parser.add_argument("evidence", type=Path, help="folder of the evidence")
    parser.add_argument("--seconds", type=float, default=300, help="collect: time to play, starting included")
    parser.add_argument("--seed", type=int, default=0, help="collect: other seeds play other games")
    parser.add_argument("--out", type=Path, default=Path("improved.npz"), help="fit: the improved network")
    parser.add_argument(
        "--choice-rate",
        type=float,
        default=2e-4,
        help="fit: at which values of choices go on learning; 0: without them",
    )
    parser.add_argument("--collector", type=Path, help="fit: the network that collected the evidence, if another")
    parser.add_argument("--match", type=int, default=0, help="fit: games of the player with values, on duplicate walls")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change a setting")
    arguments = parser.parse_args()
    settings = [
        "explore=0.05",
        "explore_temperature=2",
        "rivals=0",
        f"seed={arguments.seed}",
        "iterations=100000",
        *arguments.set,
    ]
    config, device = SelfPlayConfig().changed(settings), torch.device(arguments.device)
    if arguments.what == "collect":
        until = time.monotonic() + arguments.seconds
        rows = collect(config, arguments.evidence, device, arguments.threads or available_cores(), until, say)
        say(f"{rows} open decisions")
    else:
        fit(config, arguments, device)


def say(line: str) -> None:
    """Print at once."""
    print(line, flush=True)


def fit(config: SelfPlayConfig, arguments: argparse.Namespace, device: torch.device) -> None:
    """Fit, judge, and write the best candidates."""
    began = time.monotonic()
    train, tests = read_evidence(arguments.evidence, device)
    say(f"{len(train)} open decisions to learn from, {len(tests)} to judge by; {time.monotonic() - began:.0f} s")
    net = sharpened(base_network(config), config.sharpness).to(device).eval().requires_grad_(False)
    other = arguments.collector and load_exported(arguments.collector)
    reader = Reader(
        Asked(net, forward_on(device, net.tokens, config.compiled)),
        Behaviour(config.explore, config.explore_temperature),
        choices_of(net, config) if arguments.choice_rate else None,
        collector_of(other, config, device) if other is not None else None,
    )
    sizes, sums = sums_of(reader, train, arguments.choice_rate)
    say(f"sums of all evidence; {time.monotonic() - began:.0f} s")
    out: Path = arguments.out
    plain = solve(sums.without_values(), last_layer(net))
    best = best_of(reader, plain, tests, sizes)
    keep(corrected(net, best.correction.layer), config, out, best.facts, len(train))
    say(f"best: {best.judged}; {time.monotonic() - began:.0f} s")
    if reader.choices is not None:
        best = best_of(reader, solve(sums, last_layer(net)), tests, sizes)
        say(f"best with values: {best.judged}; {time.monotonic() - began:.0f} s")
        keep_valued(reader, best, sizes, config, out, len(train))
        if arguments.match:
            play_valued(Improved(net, reader.choices, best.correction, sizes), net, config, arguments, device)


def collector_of(net: RiichiNet, config: SelfPlayConfig, device: torch.device) -> Asked:
    """The network that collected the evidence, as it played."""
    net = sharpened(net, config.sharpness).to(device).eval().requires_grad_(False)
    return Asked(net, forward_on(device, net.tokens, config.compiled))


def read_evidence(folder: Path, device: torch.device) -> tuple[Evidence, Evidence]:
    """Evidence to learn from, and to judge by."""
    files = sorted(folder.glob("evidence-*.pt"))
    if len(files) < 2:
        raise SystemExit(f"{folder} holds {len(files)} files of evidence; at least 2 are needed")
    held = [i % HELD_OUT == HELD_OUT - 1 for i in range(len(files))] if len(files) >= HELD_OUT else [False, True]
    parts = [Evidence.load(path).to(device) for path in files]
    train, tests = (
        Evidence.join([part for part, test in zip(parts, held) if test == wanted]) for wanted in (False, True)
    )
    return train, tests


def choices_of(net: RiichiNet, config: SelfPlayConfig) -> Choices | None:
    """The values of choices to begin with, in places."""
    if config.values == NOTHING:
        return None
    choices = Choices(net.config)
    choices.load_state_dict(starting_values(replace(config, value_unit=1.0))[1])
    return choices.to(net.place.device).eval()


class Best(NamedTuple):
    """The best of some candidates, and what was found of all."""

    correction: Correction
    judged: Judgement
    facts: dict[str, Any]


def best_of(reader: Reader, solved: list[Solved], tests: Evidence, sizes: Sizes) -> Best:
    """Judge corrections of several traces, penalties and strengths."""
    for trace, answer in zip(TRACES, solved):
        worth, true = answer.factor, answer.trusted
        say(f"trace {trace}: a logit is worth {worth:.4f} of the usual size, {true:.3f} of values are true")
    tried = {
        f"trace {trace}, penalty {penalty:g}, strength {strength:g}": Correction(
            strength * one.layer, strength * one.tilt
        )
        for trace, answer in zip(TRACES, solved)
        for penalty, one in answer.corrections.items()
        for strength in STRENGTHS
    }
    candidates: dict[str, Candidate] = {name: by_correction(reader.net, one, sizes) for name, one in tried.items()}
    judged = judge(reader, candidates, tests)
    for whole, *_ in judged.values():
        say(str(whole))
    best, *kinds = max(judged.values(), key=lambda found: found[0].gain - found[0].error)
    for kind in kinds:
        say(str(kind))
    facts = {
        "judged": asdict(best),
        "kinds": [asdict(one) for one in kinds],
        "all": [asdict(one) for one, *_ in judged.values()],
    }
    return Best(tried[best.name], best, facts)


def play_valued(
    player: Improved, net: RiichiNet, config: SelfPlayConfig, arguments: argparse.Namespace, device: torch.device
) -> None:
    """A match of the player with values against three of the network before, with and without luck."""
    draws = DrawValues(config).to(device).eval()
    draws.load_state_dict(starting_values(config)[0])
    match = Match(player, net, device, values=draws, threads=arguments.threads or available_cores())
    result = match.play(arguments.match, MATCH_SEED, "mixed")
    say(f"with values against three: {result}")
    path = arguments.out.with_stem(f"{arguments.out.stem}-valued-match").with_suffix(".json")
    path.write_text(json.dumps(result.to_json(), indent=1) + "\n", encoding="utf-8")


def keep(net: RiichiNet, config: SelfPlayConfig, path: Path, facts: dict[str, Any], rows: int) -> None:
    """Write a network, its logits as large as before, and what was found beside it."""
    card = {"improved": {"settings": config.to_json(), "open decisions": rows, "judged": facts["judged"]}}
    export(sharpened(net, 1 / config.sharpness), path, card)
    path.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def keep_valued(reader: Reader, best: Best, sizes: Sizes, config: SelfPlayConfig, out: Path, rows: int) -> None:
    """Write the parts of a player with values: the network, the values, the tilt and the usual sizes."""
    assert reader.choices is not None
    path = out.with_stem(f"{out.stem}-valued")
    facts = {**best.facts, "tilt": best.correction.tilt, "sizes": sizes.weights.tolist()}
    keep(corrected(reader.net, best.correction.layer), config, path, facts, rows)
    draws, _ = starting_values(config)
    places = replace(config, value_unit=1.0)
    export_values(draws, reader.choices.state_dict(), places, out.with_stem(f"{out.stem}-values"), {})


if __name__ == "__main__":
    main()
