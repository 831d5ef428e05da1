"""One session of an imitation run with any network: its folder, settings, time limit and figures."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import torch

from janshi.core.files import write_whole
from janshi.core.machine import available_cores
from janshi.learn.imitation.training import CHECKPOINT, Imitation, train
from janshi.learn.settings import RunSettings

CONFIG, FIGURES = "config.json", "figures.json"
PROBE = 60
"""Steps used to measure the speed of a run."""
SAMPLE = 100_000
"""Number of training decisions on which the finished network is measured, to see how much it has memorised."""
Report = Callable[[str], None]
Settings = TypeVar("Settings", bound=RunSettings)
Run = TypeVar("Run", bound=Imitation)


@dataclass(frozen=True)
class Session:
    """The options of one call; the clock starts when it is made."""

    folder: Path
    minutes: float = 0.0
    """Stop after this many minutes; the next session continues. 0: train to the end."""
    budget: float = 0.0
    """Choose a new run's number of steps so that they take about this many minutes in total on this device."""
    device: str = ""
    """PyTorch's name of the device; by default a GPU if there is one."""
    threads: int = 0
    """Threads that rebuild examples; 0: one per core."""
    report: Report = print
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    @property
    def where(self) -> torch.device:
        """The device that learns."""
        return torch.device(self.device or ("cuda" if torch.cuda.is_available() else "cpu"))

    @property
    def cores(self) -> int:
        """Threads that rebuild examples."""
        return self.threads or available_cores()

    @property
    def seconds(self) -> float:
        """Seconds since the session began."""
        return time.monotonic() - self.began

    def learn(self, make: Callable[[Any], Run], config: Any) -> tuple[Run, bool]:
        """Begin or resume a run, made by `make` from its settings; returns it, and whether it is finished."""
        folder = self.folder
        if self.budget and not (folder / CONFIG).exists():
            config = replace(config, steps=affordable(make(config), self.budget, self.report))
        write_whole(folder / CONFIG, json.dumps(config.to_json(), indent=2).encode())
        run = make(config)
        if (folder / CHECKPOINT).exists():
            run.load(folder)
            self.report(f"going on at step {run.step:,} of {config.steps:,}")
        until = self.began + 60 * self.minutes if self.minutes else None
        return run, train(run, folder, until, report=self.report)

    def write_figures(
        self, config: RunSettings, decisions: int, by_heart: float, agreement: dict[str, Any], **more: Any
    ) -> None:
        """Write the figures of a finished run, measured on held-out decisions, and report its agreement with players.

        by_heart: agreement on decisions that it learned from.
        """
        figures = {
            "decisions": decisions,
            "agreement with what it learned from": by_heart,
            "agreement": agreement,
            **more,
            "config": config.to_json(),
        }
        write_whole(self.folder / FIGURES, json.dumps(figures, indent=2).encode())
        for name, row in agreement.items():
            self.report(f"{name:32} {row['share']:8.4f}  {row['decisions']:>10,}")


def affordable(trial: Imitation, budget: float, report: Report) -> int:
    """Number of steps that fit into some minutes, estimated with a short trial that is then discarded."""
    config = trial.config
    for _ in range(PROBE):
        float(trial.learn().total)
    began = time.monotonic()
    for _ in range(PROBE):
        found = trial.learn()
    float(found.total)
    seconds = (time.monotonic() - began) / PROBE
    report(f"a step takes {1000 * seconds:.2f} ms: {config.batch / seconds:,.0f} decisions a second")
    return max(int(60 * budget / seconds), 2 * config.warmup)


def settings_from(folder: Path, settings: list[str], fresh: Settings) -> Settings:
    """The settings of the run in a folder, which are final, or of a new run: `fresh` with changes."""
    kept = kept_settings(folder, type(fresh))
    if kept is None:
        return fresh.changed(settings)
    wanted, began = kept.changed(settings).to_json(), kept.to_json()
    other = [f"{name}={began[name]}" for name in wanted if wanted[name] != began[name]]
    if other:
        raise ValueError(f"the run in {folder} began with {', '.join(other)}: begin another run in another folder")
    return kept


def kept_settings(folder: Path, kind: type[Settings]) -> Settings | None:
    """The settings of the run in a folder, if there is one."""
    path = folder / CONFIG
    return kind.from_json(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def names_in(text: str) -> tuple[str, ...]:
    """Names separated by commas."""
    return tuple(name for name in text.split(",") if name)
