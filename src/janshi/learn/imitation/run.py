"""A run from the command line: read the hands, rebuild the examples, train, measure, export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from janshi.learn.imitation.batches import DeviceExamples, on_device
from janshi.learn.imitation.config import ImitationConfig
from janshi.learn.imitation.examples import Selection
from janshi.learn.imitation.export import export
from janshi.learn.imitation.measure import agreement_table, answers, hidden_table
from janshi.learn.imitation.session import SAMPLE, Session, kept_settings, names_in
from janshi.learn.imitation.training import Imitation
from janshi.records.compact import CompactHands, gather, read_compact
from janshi.records.dataset import Dataset

NETWORK = "network.npz"


def imitate(
    data: Path, folder: Path, config: ImitationConfig, *, test_packs: tuple[str, ...] = (), **options: Any
) -> bool:
    """Begin or resume a run in a folder; returns whether it is finished.

    data: a data set, or the compact file of it (`janshi records compact`).
    test_packs: packs of the test split that the finished network is measured on; all if empty.
    options: those of `Session`: minutes, budget, device, threads, report.
    """
    session = Session(folder, **options)
    config = kept_settings(folder, ImitationConfig) or config
    compact, where, report = read_hands(data), session.where, session.report
    selection = Selection(config.splits, share=config.share, packs=names_in(config.packs))
    test = Selection("test", "all", test_packs, skip_forced=False)
    tested = bool(test.mask(compact).any())  # an unknown pack is an error now, not after hours
    measured = tested and test.split not in names_in(config.splits)
    learned = on_device(compact, selection, where, session.cores, report)
    report(f"{len(learned):,} decisions to learn from, rebuilt in {session.seconds:.0f} s")
    run, finished = session.learn(lambda settings: Imitation(settings, learned, where), config)
    if finished:
        facts: dict[str, Any] = {"learned from": list(compact.sources)}
        by_heart = agreement_of(run, learned.sample(SAMPLE), where)
        report(f"agrees with {by_heart:.4f} of what it learned from")
        del learned
        run.examples = None  # type: ignore[assignment]  # room for what is measured
        if measured:
            examples = on_device(compact, test, where, session.cores)
            facts["figures"] = _measure(session, run, examples, test_packs, by_heart)
        else:
            report("no game of the test split that was not learned from: nothing to measure the network on")
        export(run.net, folder / NETWORK, facts)
    return finished


def read_hands(data: Path) -> CompactHands:
    """Read the hands of a data set's folder or of a compact file."""
    return gather(Dataset(data)) if data.is_dir() else read_compact(data)


def agreement_of(run: Imitation, examples: DeviceExamples, where: torch.device) -> float:
    """The number of decisions on which the network agrees."""
    return agreement_table(answers(run.net, examples, where), examples)["all decisions"]["share"]


def _measure(
    session: Session, run: Imitation, test: DeviceExamples, packs: tuple[str, ...], by_heart: float
) -> dict[str, Any]:
    """Measure the network on examples of the test split and write the figures; returns the table of agreement."""
    said = answers(run.net, test, session.where)
    agreement, hidden = agreement_table(said, test), hidden_table(said, test)
    session.write_figures(run.config, len(test), by_heart, agreement, packs=packs, hidden=hidden)
    for name, value in hidden.items():
        session.report(f"{name:32} {value:8.4f}")
    return agreement
