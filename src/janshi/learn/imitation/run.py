"""A run from the command line: read the hands, rebuild the examples, learn, measure, export."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import torch

from janshi.core.files import write_whole
from janshi.core.machine import available_cores
from janshi.learn.imitation.batches import DeviceExamples, on_device
from janshi.learn.imitation.config import ImitationConfig
from janshi.learn.imitation.examples import Selection
from janshi.learn.imitation.export import export
from janshi.learn.imitation.measure import agreement_table, answers, hidden_table
from janshi.learn.imitation.training import CHECKPOINT, Imitation, train
from janshi.learn.settings import RunSettings
from janshi.records.compact import CompactHands, gather, read_compact
from janshi.records.dataset import Dataset

CONFIG, FIGURES, NETWORK = "config.json", "figures.json", "network.npz"
PROBE = 60
"""Steps that tell how fast a run is."""
SAMPLE = 100_000
"""Decisions learned from on which the finished network is measured, to see how much it knows by heart."""
Report = Callable[[str], None]
Settings = TypeVar("Settings", bound=RunSettings)


def imitate(
    data: Path,
    folder: Path,
    config: ImitationConfig,
    *,
    minutes: float = 0.0,
    budget: float = 0.0,
    device: str = "",
    threads: int = 0,
    test_packs: tuple[str, ...] = (),
    report: Report = print,
) -> bool:
    """Begin or resume a run in a folder; returns whether it is finished.

    data: a data set, or the compact file of it (`janshi records compact`).
    minutes: stop learning this many minutes after the call; the same call goes on later. 0: to the end.
    budget: choose the number of steps so that all of them take about this many minutes on this device.
    test_packs: packs of the test split that the finished network is measured on; all if empty.
    """
    folder.mkdir(parents=True, exist_ok=True)
    where = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    config = kept_settings(folder, ImitationConfig) or config
    began = time.monotonic()
    compact, cores = read_hands(data), threads or available_cores()
    selection = Selection(config.splits, share=config.share, packs=names_in(config.packs))
    test = Selection("test", "all", test_packs, skip_forced=False)
    tested = bool(test.mask(compact).any())  # an unknown pack is an error now, not after hours
    measured = tested and test.split not in names_in(config.splits)
    learned = on_device(compact, selection, where, cores, report)
    report(f"{len(learned):,} decisions to learn from, rebuilt in {time.monotonic() - began:.0f} s")
    if budget and not (folder / CONFIG).exists():
        config = replace(config, steps=affordable(Imitation(config, learned, where), budget, report))
    write_whole(folder / CONFIG, json.dumps(config.to_json(), indent=2).encode())
    run = Imitation(config, learned, where)
    if (folder / CHECKPOINT).exists():
        run.load(folder)
        report(f"going on at step {run.step:,} of {config.steps:,}")
    finished = train(run, folder, began + 60 * minutes if minutes else None, report=report)
    if finished:
        facts: dict[str, Any] = {"learned from": list(compact.sources)}
        by_heart = agreement_of(run, learned.sample(SAMPLE), where)
        report(f"agrees with {by_heart:.4f} of what it learned from")
        del learned
        run.examples = None  # type: ignore[assignment]  # room for what is measured
        if measured:
            examples = on_device(compact, test, where, cores)
            facts["figures"] = _measure(run, examples, folder, where, test_packs, by_heart, report)["agreement"]
        else:
            report("no game of the test split that was not learned from: nothing to measure the network on")
        export(run.net, folder / NETWORK, facts)
    return finished


def read_hands(data: Path) -> CompactHands:
    """The hands of a data set's folder or of a compact file."""
    return gather(Dataset(data)) if data.is_dir() else read_compact(data)


def settings_of(folder: Path, settings: list[str]) -> ImitationConfig:
    """The settings of a new run in a folder, or of the run that began there: those cannot change any more."""
    return settings_from(folder, settings, ImitationConfig())


def settings_from(folder: Path, settings: list[str], fresh: Settings) -> Settings:
    """The same for any kind of settings; `fresh` are those of a new run before they are changed."""
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


def affordable(trial: Imitation, budget: float, report: Report) -> int:
    """How many steps fit into some minutes, by a short trial that is thrown away."""
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


def agreement_of(run: Imitation, examples: DeviceExamples, where: torch.device) -> float:
    """How many of some decisions the network agrees with."""
    return agreement_table(answers(run.net, examples, where), examples)["all decisions"]["share"]


def _measure(
    run: Imitation,
    test: DeviceExamples,
    folder: Path,
    where: torch.device,
    packs: tuple[str, ...],
    by_heart: float,
    report: Report,
) -> dict[str, Any]:
    """Measure the network on examples of the test split and write the figures."""
    said = answers(run.net, test, where)
    figures: dict[str, Any] = {
        "decisions": len(test),
        "packs": packs,
        "agreement with what it learned from": by_heart,
        "agreement": agreement_table(said, test),
        "hidden": hidden_table(said, test),
        "config": run.config.to_json(),
    }
    write_whole(folder / FIGURES, json.dumps(figures, indent=2).encode())
    for name, row in figures["agreement"].items():
        report(f"{name:32} {row['share']:8.4f}  {row['decisions']:>10,}")
    for name, value in figures["hidden"].items():
        report(f"{name:32} {value:8.4f}")
    return figures
