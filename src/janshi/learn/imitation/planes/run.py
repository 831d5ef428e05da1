"""A run from the command line: read the hands, rebuild the decisions, train, measure, export."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from janshi.features.planes import encoder
from janshi.learn.imitation.planes.config import PlanesConfig
from janshi.learn.imitation.planes.examples import Chosen, PlanesExamples, on_device
from janshi.learn.imitation.planes.hands import PlayedHands, read_played
from janshi.learn.imitation.planes.learner import PlanesImitation
from janshi.learn.imitation.planes.measure import Table, agreement_table
from janshi.learn.imitation.session import SAMPLE, Session, kept_settings, names_in
from janshi.learn.network import export

POLICY = "policy.npz"


def imitate(
    data: Path, folder: Path, config: PlanesConfig, *, test_packs: tuple[str, ...] = (), **options: Any
) -> bool:
    """Begin or resume a run in a folder; returns whether it is finished.

    data: hands, as `read_played` reads them.
    test_packs: files, or beginnings of their names, that are held out; by default a share of the walls is.
    options: those of `Session`: minutes, budget, device, threads, report.
    """
    session = Session(folder, **options)
    config = kept_settings(folder, PlanesConfig) or config
    where, made, report = session.where, encoder(config.planes), session.report
    hands = read_played(data, config.game(), names_in(config.players), report)
    learned_from, held_out = split(hands, config, test_packs)
    learned = on_device(learned_from, made, where, session.cores)
    report(f"{len(learned):,} decisions of {count(learned_from):,} games, rebuilt in {session.seconds:.0f} s")
    run, finished = session.learn(lambda settings: PlanesImitation(settings, learned, where), config)
    if finished:
        facts = card(run.config, learned_from, len(learned), session.seconds)
        test = on_device(held_out, made, where, session.cores) if count(held_out) else None
        export(run.net, folder / POLICY, {**facts, **measured(session, run, test)})
    return finished


def split(hands: list[PlayedHands], config: PlanesConfig, test_packs: tuple[str, ...]) -> tuple[Chosen, Chosen]:
    """The hands to learn from, and those held out: some of the files, or a share of the walls."""
    learned, held_out = [], []
    for some in hands:
        if test_packs:
            away = some.of_sources(test_packs)
            kept = ~away & some.share_of_walls(config.share)
        else:
            away = some.share_of_walls(config.held_out)
            kept = some.share_of_walls(config.share * (1 - config.held_out), config.held_out)
        learned.append((some, np.flatnonzero(kept)))
        held_out.append((some, np.flatnonzero(away)))
    if test_packs and not count(held_out):
        names = sorted({source for some in hands for source in some.sources})
        raise ValueError(f"no file is called {', '.join(test_packs)}; there are {', '.join(names)}")
    if not count(learned):
        raise ValueError("no hand is left to learn from: all are held out")
    return learned, held_out


def count(chosen: Chosen) -> int:
    """How many games are chosen."""
    return sum(len(numbers) for _, numbers in chosen)


def card(config: PlanesConfig, learned_from: Chosen, decisions: int, seconds: float) -> dict[str, Any]:
    """The exported file's facts about its training."""
    sources = Counter(some.sources[number] for some, numbers in learned_from for number in numbers.tolist())
    return {
        "rules": learned_from[0][0].game.id,
        "variant": "imitation",
        "seed": config.seed,
        "decisions": decisions,
        "hands": count(learned_from),
        "seconds": round(seconds, 1),
        "learned from": dict(sources.most_common(20)),
        "config": config.to_json(),
    }


def measured(session: Session, run: PlanesImitation, test: PlanesExamples | None) -> dict[str, Table]:
    """Measure the policy on held-out decisions, if any, and write the figures; returns them for the card."""
    game = run.config.game()
    by_heart = agreement_table(run.net, run.examples.sample(SAMPLE), game)["all decisions"]["share"]
    session.report(f"agrees with {by_heart:.4f} of what it learned from")
    if test is None:
        session.report("no hand is held out: nothing to measure the policy on")
        return {}
    table = agreement_table(run.net, test, game)
    session.write_figures(run.config, len(test), by_heart, table)
    return {"figures": table}
