"""A run of policy iteration in a folder, in sessions of any length.

Each iteration plays hands with the newest network, and fits it to the evidence of the last ones. `values.npz` is the
averaged network, to play with as `strategist:file=…`; `curve.jsonl` has a line for each iteration, `run.npz` the
newest network and the number of iterations. Evidence is not kept on disk: a run that continues begins with an empty
memory, so it differs a little from one that was not interrupted.
"""

from __future__ import annotations

import copy
import io
import json
import time
from collections import deque
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from janshi.agents.strategist.options import Options
from janshi.agents.strategist.values import write_values
from janshi.core.files import write_whole
from janshi.learn.imitation.session import CONFIG
from janshi.learn.strategist.calibration import Slope, slope_of
from janshi.learn.strategist.config import StrategistConfig
from janshi.learn.strategist.evidence import Collector, Evidence, join
from janshi.learn.strategist.fitting import Judgement, fit, judge
from janshi.learn.strategist.network import OptionNet, by_share, by_worth, worths_of
from janshi.rules.game import Array
from janshi.rules.registry import make_game

STATE, CURVE, VALUES = "run.pt", "curve.jsonl", "values.npz"
MARGIN: Final = 1.2
"""An iteration takes at most this many times as long as the one before."""
SMALLEST_SCALE: Final = 0.1
"""Worths are never scaled by less: with hardly any evidence, the slope may be anything."""
KEPT: Final = ("iteration", "hands", "decisions", "scale")
Report = Callable[[str], None]


class Run:
    """A run in memory."""

    def __init__(self, config: StrategistConfig) -> None:
        self.config, self.iteration, self.hands, self.decisions = config, 0, 0, 0
        self.game = make_game(config.rules)
        self.collector = Collector(self.game, config)
        self._share = self.collector.about.numbers.index(self.collector.about.share)
        torch.manual_seed(config.seed)
        self.network = OptionNet(len(self.collector.about.numbers), config.width)
        self.average = copy.deepcopy(self.network)
        self.memory: deque[Evidence] = deque(maxlen=config.memory)
        self.scale: float | None = None
        """What a point of worth is really worth; known at the end."""

    def chances(self, options: Options) -> Array:
        """How the run plays now."""
        c = self.config
        if self.iteration == 0:
            return by_share(options, self._share, c.first_sharpness, c.first_floor)
        return by_worth(options, self.network, c.temperature, c.floor)

    def iterate(self) -> dict[str, Any]:
        """Play, judge the averaged network by what was played, and learn; returns the figures."""
        began, c = time.monotonic(), self.config
        evidence, scores = self.collector.play(self.chances, c.hands, self.iteration)
        played = time.monotonic()
        judged = judge(self.average, evidence) if self.iteration else Judgement(0.0, inf)
        self.memory.append(evidence)
        loss = self._learn()
        self.iteration += 1
        self.hands, self.decisions = self.hands + len(scores), self.decisions + len(evidence)
        return {
            "iteration": self.iteration,
            "hands": self.hands,
            "decisions": self.decisions,
            "loss": round(loss, 4),
            "gain over its exploring self, points a decision": round(judged.gain, 4),
            "standard error": None if judged.error == inf else round(judged.error, 4),
            "drawn hands": round(float((scores == 0).all(1).mean()), 4),
            "seconds playing": round(played - began, 1),
            "seconds learning": round(time.monotonic() - played, 1),
        }

    def _learn(self) -> float:
        c, random = self.config, np.random.default_rng([self.config.seed, self.iteration, 1])
        if self.iteration == 0:
            self.network.scale_by(self.memory[0].options.rows)
            loss = fit(self.network, self.memory, c, (2 * c.rate, c.rate), c.first_passes, random)
            self.average = copy.deepcopy(self.network)
            return loss
        rate = c.rate_at(self.iteration)
        loss = fit(self.network, self.memory, c, (rate, rate), 1, random)
        with torch.no_grad():
            for mean, new in zip(self.average.parameters(), self.network.parameters()):
                mean.lerp_(new, 1 - c.averaging)
        return loss

    def calibrate(self) -> Slope:
        """Measure what a point of worth is worth, in new hands of the averaged network."""
        c, parts = self.config, list[Evidence]()
        chances = lambda options: by_worth(options, self.average, c.temperature, c.first_floor)  # noqa: E731
        for number in range(max(c.calibration // c.hands, 1)):
            parts.append(self.collector.play(chances, c.hands, c.iterations + number)[0])
        evidence = join(parts)
        slope = slope_of(evidence, worths_of(self.average, evidence.options.rows))
        self.scale = max(slope.value, SMALLEST_SCALE)
        return slope

    @property
    def card(self) -> dict[str, Any]:
        """What the file of values says about itself."""
        return {
            "rules": self.game.id,
            "options": self.collector.about.version,
            "iterations": self.iteration,
            "hands": self.hands,
            "decisions": self.decisions,
            "settings": self.config.to_json(),
            "worths scaled by": self.scale,
            "command": command_of(self.config),
            "figures": "docs/strategist.md",
        }

    def save(self, folder: Path) -> None:
        """Write the values and what the run needs to continue."""
        write_values(folder / VALUES, self.average.weights(self.scale or 1.0), self.card)
        content = io.BytesIO()
        facts = {name: getattr(self, name) for name in KEPT}
        torch.save({**facts, "network": self.network.state_dict(), "average": self.average.state_dict()}, content)
        write_whole(folder / STATE, content.getvalue())

    def load(self, folder: Path) -> None:
        """Continue from a folder."""
        found = torch.load(folder / STATE, weights_only=True)
        for name in KEPT:
            setattr(self, name, found.get(name))
        self.network.load_state_dict(found["network"])
        self.average.load_state_dict(found["average"])


def train(folder: Path, config: StrategistConfig, *, minutes: float = 0.0, report: Report = print) -> bool:
    """Begin or continue a run; whether it is finished. No iteration begins that would end after the time limit."""
    until = time.monotonic() + 60 * minutes if minutes else inf
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / CONFIG, json.dumps(config.to_json(), indent=2).encode())
    run = Run(config)
    if (folder / STATE).exists():
        run.load(folder)
        report(f"continuing after iteration {run.iteration} of {config.iterations}")
    last = 0.0
    while run.iteration < config.iterations and time.monotonic() + MARGIN * last < until:
        began = time.monotonic()
        line = run.iterate()
        run.save(folder)
        with (folder / CURVE).open("a", encoding="utf-8") as curve:
            curve.write(json.dumps(line) + "\n")
        last = time.monotonic() - began
        report(describe(line))
    if run.iteration < config.iterations:
        return False
    if run.scale is None:
        slope = run.calibrate()
        run.save(folder)
        report(f"options lose {slope.value:.2f} ± {slope.error:.2f} points for each predicted one: scaled by that")
    return True


def command_of(config: StrategistConfig) -> str:
    """The command that makes such a run."""
    changed = {name: value for name, value in config.to_json().items() if value != getattr(StrategistConfig, name)}
    settings = "".join(f" --set {name}={value}" for name, value in changed.items() if name != "rules")
    return f"janshi train strategist --rules {config.rules} --out RUN{settings}"


def describe(line: dict[str, Any]) -> str:
    """An iteration's figures as a line of text."""
    gain, error = line["gain over its exploring self, points a decision"], line["standard error"]
    judged = "" if error is None else f"; its best options gain {gain:+.4f} ± {error:.4f} points a decision"
    return f"iteration {line['iteration']}: {line['decisions']:,} decisions, loss {line['loss']}{judged}"
