"""Improve a riichi policy by one step of policy iteration: collect evidence by self-play, then fit its last layer.

    python scripts/improve_policy.py collect evidence --seconds 300 --seed 0     # several seeds at once use all cores
    python scripts/improve_policy.py fit evidence --out improved.npz --match 20000

`collect` plays with the network as it is, exploring, and writes open decisions with what followed without luck.
`fit` finds the best correction of the last layer and writes it. Corrections are judged by cross-fitting: each third of
the evidence judges those that were fitted to the other two; the best kind is then fitted to everything. With
`--collector` the evidence is of another network than the one that is improved. `fit` does the same with values of
choices, which go on learning from two thirds (`--choice-rate`) and are judged by the last, writes that player's parts
beside it (`improved-valued…`) and with `--match` plays it against three of the network before. Both take the same
`--set` settings as self-play.
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
    Correction,
    Improved,
    Judgement,
    Sizes,
    Solved,
    Sums,
    by_correction,
    gains_of,
    judgements,
    sizes_of,
    solve,
    sums_of,
)
from janshi.learn.riichi.last_layer import Asked, Behaviour, Reader, corrected, last_layer
from janshi.learn.riichi.match import Match
from janshi.learn.riichi.networks import Choices, DrawValues, forward_on, sharpened
from janshi.learn.riichi.run import base_network
from janshi.learn.riichi.values import NOTHING, export_values, starting_values

MATCH_SEED: Final = 5001
FOLDS: Final = 3
"""Parts of the evidence, each of which judges what was fitted to the others."""


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
    folds = read_evidence(arguments.evidence, device)
    rows = sum(map(len, folds))
    say(f"{rows} open decisions; {time.monotonic() - began:.0f} s")
    net = sharpened(base_network(config), config.sharpness).to(device).eval().requires_grad_(False)
    other = arguments.collector and load_exported(arguments.collector)
    reader = Reader(
        Asked(net, forward_on(device, net.tokens, config.compiled)),
        Behaviour(config.explore, config.explore_temperature),
        None,
        collector_of(other, config, device) if other is not None else None,
    )
    sizes = sizes_of(reader, *folds)
    sums = [sums_of(reader, sizes, fold) for fold in folds]
    say(f"sums of all evidence; {time.monotonic() - began:.0f} s")
    best = cross_fitted(reader, sums, folds, sizes)
    keep(corrected(net, best.correction.layer), config, arguments.out, best.facts, rows)
    say(f"best: {best.judged}; {time.monotonic() - began:.0f} s")
    if arguments.choice_rate and (choices := choices_of(net, config)) is not None:
        valued = replace(reader, choices=choices)
        *learned, judging = folds
        solved = solve(sums_of(valued, sizes, *learned, rate=arguments.choice_rate), last_layer(net))
        best = best_of(valued, solved, judging, sizes)
        say(f"best with values: {best.judged}; {time.monotonic() - began:.0f} s")
        keep_valued(valued, best, sizes, config, arguments.out, sum(map(len, learned)))
        if arguments.match:
            play_valued(Improved(net, choices, best.correction, sizes), net, config, arguments, device)


def collector_of(net: RiichiNet, config: SelfPlayConfig, device: torch.device) -> Asked:
    """The network that collected the evidence, as it played."""
    net = sharpened(net, config.sharpness).to(device).eval().requires_grad_(False)
    return Asked(net, forward_on(device, net.tokens, config.compiled))


def read_evidence(folder: Path, device: torch.device) -> list[Evidence]:
    """The evidence, in parts of about equal size."""
    files = sorted(folder.glob("evidence-*.pt"))
    if len(files) < 2:
        raise SystemExit(f"{folder} holds {len(files)} files of evidence; at least 2 are needed")
    folds = min(FOLDS, len(files))
    return [Evidence.join([Evidence.load(path).to(device) for path in files[i::folds]]) for i in range(folds)]


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


def cross_fitted(reader: Reader, sums: list[Sums], folds: list[Evidence], sizes: Sizes) -> Best:
    """Judge corrections fitted to all but a part by that part; the best kind, fitted to everything."""
    layer, whole = last_layer(reader.net), sum(sums[1:], sums[0])
    final = solve(whole, layer)
    say_factors(final)
    gains = []
    for one, fold in zip(sums, folds):
        tried = corrections_of(solve(whole - one, layer))
        gains.append(gains_of(reader, [by_correction(reader.net, each, sizes) for each in tried.values()], fold))
    corrections = corrections_of(final)
    return chosen(corrections, judgements(list(corrections), sum(gains[1:], gains[0])))


def best_of(reader: Reader, solved: list[Solved], judging: Evidence, sizes: Sizes) -> Best:
    """Judge corrections of several traces, penalties and strengths by other evidence."""
    say_factors(solved)
    tried = corrections_of(solved)
    candidates = [by_correction(reader.net, one, sizes) for one in tried.values()]
    return chosen(tried, judgements(list(tried), gains_of(reader, candidates, judging)))


def say_factors(solved: list[Solved]) -> None:
    """Print what a logit is worth, and how much of the values of choices is true."""
    for trace, answer in zip(TRACES, solved):
        worth, true = answer.factor, answer.trusted
        say(f"trace {trace}: a logit is worth {worth:.4f} of the usual size, {true:.3f} of values are true")


def corrections_of(solved: list[Solved]) -> dict[str, Correction]:
    """All corrections that are tried, by name."""
    return {
        f"trace {trace}, penalty {penalty:g}, strength {strength:g}": Correction(
            strength * one.layer, strength * one.tilt
        )
        for trace, answer in zip(TRACES, solved)
        for penalty, one in answer.corrections.items()
        for strength in STRENGTHS
    }


def chosen(corrections: dict[str, Correction], judged: dict[str, list[Judgement]]) -> Best:
    """The best correction: that with the highest gain that is certain within its error."""
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
    return Best(corrections[best.name], best, facts)


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
