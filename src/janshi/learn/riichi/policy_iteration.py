"""Policy iteration during play: collectors play with the newest policy, and one process improves it.

They share a folder: collectors write evidence (`evidence.collect` with `follow`), and the improver writes a policy for
each generation (`policy-001.npz`, …) and a line about it (`progress.jsonl`).

Generations differ only in the last layer of their network. So sums over the evidence of earlier generations remain
useful: a new correction is fitted to everything seen so far, and judged by the newest evidence.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor

from janshi.agents.learned.agent import digest_of
from janshi.agents.learned.worth_layer import WorthLayer
from janshi.learn.imitation.export import export, load_exported
from janshi.learn.imitation.network import TILE_ACTIONS, RiichiNet
from janshi.learn.riichi.choice_worth import calibration, slope
from janshi.learn.riichi.config import SelfPlayConfig
from janshi.learn.riichi.evidence import Evidence, evidence_files, newest_generation, policy_file
from janshi.learn.riichi.improvement import Improvement, Sizes, Sums, by_layer, cross_fitted, sizes_of, sums_of
from janshi.learn.riichi.last_layer import Behaviour, Evaluator, Reader, last_layer, with_layer
from janshi.learn.riichi.networks import forward_on, sharpened
from janshi.learn.riichi.run import Report, base_file, base_network

FOLDS: Final = 3
"""Parts of the evidence; each judges corrections that were fitted to the others."""
PROGRESS: Final = "progress.jsonl"
PAUSE: Final = 0.5
"""Seconds between checks for new evidence."""


class Improver:
    """A policy, and sums over the evidence that improved it."""

    def __init__(self, config: SelfPlayConfig, device: torch.device, collector: RiichiNet | None = None) -> None:
        """`collector` is the network that collected the evidence, if it is not the one being improved."""
        self.config, self.device, self.file = config, device, base_file(config)
        self.base = sharpened(base_network(config), config.sharpness).to(device).eval().requires_grad_(False)
        self.layer = last_layer(self.base)
        self._forward = forward_on(device, self.base.tokens, config.compiled)
        self._collector = None if collector is None else self._evaluator(sharpened(collector, config.sharpness))
        self._sizes: Sizes | None = None
        self._earlier: Sums | None = None
        self.rows = 0

    def _evaluator(self, net: RiichiNet) -> Evaluator:
        net = net.to(self.device).eval().requires_grad_(False)
        return Evaluator(net, forward_on(self.device, net.tokens, self.config.compiled))

    @property
    def reader(self) -> Reader:
        """Reads evidence with the current policy."""
        asked = Evaluator(with_layer(self.base, self.layer), self._forward)
        return Reader(asked, Behaviour(self.config.explore, self.config.explore_temperature), self._collector)

    def add(self, parts: list[Evidence]) -> None:
        """Add evidence of the current policy, for all later corrections."""
        if self._sizes is not None and parts:
            self._remember([sums_of(self.reader, self._sizes, *parts)], parts)

    def improve(self, folds: list[Evidence]) -> Improvement:
        """Find the best correction by evidence of the current policy; `adopt` makes it the current policy."""
        reader = self.reader
        self._sizes = self._sizes or sizes_of(reader, *folds)
        sums = [sums_of(reader, self._sizes, fold) for fold in folds]
        found = cross_fitted(reader, last_layer(self.base), sums, folds, self._earlier)
        self._remember(sums, folds)
        groups = calibration(reader, by_layer(found.apart), found.factor, self._sizes, folds[0])
        found.facts["losses"] = {"groups": [one.to_json() for one in groups], "slope": slope(groups)}
        return found

    def adopt(self, found: Improvement) -> None:
        """Make a correction the current policy, if its gain exceeds its standard error."""
        self.layer = self._next(found)

    def _next(self, found: Improvement) -> Tensor:
        return found.layer if found.judged.sure > 0 else self.layer

    def _remember(self, sums: list[Sums], parts: list[Evidence]) -> None:
        self._earlier = sum(sums[1:], sums[0]) if self._earlier is None else sum(sums, self._earlier)
        self.rows += sum(map(len, parts))

    def go_on(self, layer: Tensor) -> None:
        """Continue from the layer of an earlier session."""
        self.layer = layer.to(self.device)

    def keep(self, path: Path, found: Improvement) -> None:
        """Write the next policy, and beside it the results of all candidates."""
        net = with_layer(self.base, self._next(found))
        sizes = [] if self._sizes is None else self._sizes.weights.tolist()
        card = {
            "settings": self.config.to_json(),
            "open decisions": self.rows,
            "judged": found.facts["judged"],
            "worth of a logit": found.factor * self.config.sharpness,
        }
        export(sharpened(net, 1 / self.config.sharpness), path, {"improved": card})
        if self._sizes is not None:
            self._worth_layer(found, card).save(layer_file(path))
        facts = {**found.facts, "worth of the layer": card["worth of a logit"], "sizes": sizes}
        text = json.dumps({**facts, "open decisions": self.rows}, indent=1)
        path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")

    def _worth_layer(self, found: Improvement, card: dict[str, Any]) -> WorthLayer:
        """The next policy as a layer on the base network, for `veteran`."""
        assert self._sizes is not None
        layer = (self._next(found) / self.config.sharpness).T.cpu().numpy()
        facts = {**card, "network": digest_of(self.file)}
        size = self._sizes.weights.float().cpu().numpy()[:, None]
        return WorthLayer(layer[:, :TILE_ACTIONS], layer[:, TILE_ACTIONS:], size, facts)


def layer_file(policy: Path) -> Path:
    """The file of a policy's last layer alone, for the player `veteran`."""
    return policy.with_name(f"layer-{policy.name.removeprefix('policy-')}")


def folds_of(files: list[Path], device: torch.device) -> list[Evidence]:
    """The evidence in some files, on a device, in parts of about equal size."""
    count = min(FOLDS, len(files))
    return [Evidence.join([Evidence.load(path).to(device) for path in files[i::count]]) for i in range(count)]


def iterate(
    config: SelfPlayConfig, folder: Path, device: torch.device, until: float, enough: int, report: Report
) -> int:
    """Improve the policy whenever its collectors have found enough open decisions; returns the last generation.

    It ends at a given time, or after `config.iterations` generations.
    """
    improver, generation = Improver(config, device), newest_generation(folder)
    if generation:
        improver.go_on(last_layer(sharpened(load_exported(policy_file(folder, generation)), config.sharpness)))
    while generation < config.iterations and (files := _wait(folder, generation, enough, until)):
        began = time.monotonic()
        found = improver.improve(folds_of(files, device))
        improver.keep(policy_file(folder, generation + 1), found)
        late = [path for path in evidence_files(folder, generation) if path not in files]
        improver.add(folds_of(late, device))  # it arrived in the meantime, from the previous policy
        improver.adopt(found)
        line = _line(generation + 1, improver, found, time.monotonic() - began)
        _note(folder, line)
        report(f"generation {generation + 1}: {found.judged}; {line['seconds']} s")
        for path in (*files, *late):
            path.unlink()
        generation += 1
    return generation


def _wait(folder: Path, generation: int, enough: int, until: float) -> list[Path]:
    """The files of a generation's evidence once there is enough of it; none if that takes too long."""
    sizes: dict[Path, int] = {}
    while time.monotonic() < until:
        for path in evidence_files(folder, generation):
            if path not in sizes:
                sizes[path] = len(Evidence.load(path))
        if sum(sizes.values()) >= enough and len(sizes) > 1:
            return sorted(sizes)
        time.sleep(PAUSE)
    return []


def _line(generation: int, improver: Improver, found: Improvement, seconds: float) -> dict[str, Any]:
    return {
        "generation": generation,
        "open decisions": improver.rows,
        "adopted": found.judged.sure > 0,
        "judged": found.facts["judged"],
        "worth of a logit": found.factor,
        "seconds": round(seconds, 1),
    }


def _note(folder: Path, line: dict[str, Any]) -> None:
    with (folder / PROGRESS).open("a", encoding="utf-8") as progress:
        progress.write(json.dumps(line) + "\n")
