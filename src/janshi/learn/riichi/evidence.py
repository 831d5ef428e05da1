"""Evidence of what choices are worth: a fixed, exploring policy's decisions and the gains that followed, without luck.

Only open decisions are kept, those in which the policy is not nearly certain: nothing can be learned from the others.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import torch
from torch import Tensor

from janshi.learn.imitation.batches import unpack_legal
from janshi.learn.imitation.export import load_exported
from janshi.learn.imitation.training import FORBIDDEN
from janshi.learn.riichi.config import SelfPlayConfig
from janshi.learn.riichi.networks import sharpened
from janshi.learn.riichi.returns import advantages
from janshi.learn.riichi.run import Report, Run
from janshi.learn.riichi.self_play import Decisions
from janshi.learn.riichi.values import NOTHING
from janshi.rules.game import Array

OPEN: Final = 0.97
"""A decision is open if no action is more probable than this."""
TRACES: Final = (0.9, 0.95, 0.98, 1.0)
"""How much of a gain is carried over each draw; the last, which is unbiased, counts all changes up to the end."""
AT_ONCE: Final = 4096
"""Decisions evaluated at a time."""


@dataclass
class Evidence:
    """Open decisions, one a row."""

    inputs: Tensor  # int16 (n, ROOM)
    legal: Tensor  # int64 (n, 2)
    drawn: Tensor  # int16 (n,)
    action: Tensor  # int64 (n,)
    log_chance: Tensor  # float (n,), log-probability of the chosen action when it was chosen
    gained: Tensor  # float (n, len(TRACES)), in places

    def __len__(self) -> int:
        return len(self.action)

    def take(self, rows: Any) -> Self:
        """Some of them."""
        return type(self)(*(getattr(self, one.name)[rows] for one in fields(self)))

    def to(self, device: torch.device) -> Self:
        """The same on a device."""
        return type(self)(*(getattr(self, one.name).to(device) for one in fields(self)))

    def save(self, path: Path) -> None:
        """Write a file, completely or not at all."""
        part = path.with_suffix(".part")
        torch.save({one.name: getattr(self, one.name).cpu() for one in fields(self)}, part)
        part.rename(path)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file."""
        return cls(**torch.load(path, weights_only=True, mmap=True))

    @classmethod
    def join(cls, parts: list[Self]) -> Self:
        """Several sets, one after another."""
        return cls(*(torch.cat([getattr(part, one.name) for part in parts]) for one in fields(cls)))


def collect(
    config: SelfPlayConfig,
    out: Path,
    device: torch.device,
    threads: int,
    until: float,
    report: Report,
    follow: bool = False,
) -> int:
    """Play until a given time, or `config.iterations` rounds; each round becomes a file. Returns the number of rows.

    `config.values` names the values of draws. The names of files contain the seed, so several processes can share a
    folder. With `follow`, the player changes to the newest policy in the folder (`policy_iteration`).
    """
    out.mkdir(parents=True, exist_ok=True)
    run = Run(config, device, threads)
    if config.values != NOTHING:
        run.take_values()
    run.play.fresh(0)
    generation, rows, number = 0, 0, 0
    while time.monotonic() < until and number < config.iterations:
        began = time.monotonic()
        newest = newest_generation(out) if follow else 0
        if newest > generation:
            generation = newest
            policy = sharpened(load_exported(policy_file(out, generation)), config.sharpness)
            run.learner.player.policy.load_state_dict(policy.state_dict())
            run.play.play(config.decisions)
            run.play.finished()  # drops nearly all hands that earlier policies began
        run.play.play(config.decisions)
        hands = run.play.finished()
        judged = run.learner.judge(hands, run.pool)
        gained = [advantages(hands, judged.luck, judged.results, trace, False).trace for trace in TRACES]
        found = open_ones(hands.decisions, np.stack(gained, 1), run, device)
        found.save(evidence_file(out, generation, config.seed, number))
        rows, number = rows + len(found), number + 1
        left, seconds = run.learner.left, time.monotonic() - began
        report(
            f"{generation}, {number}: {len(hands.decisions)} decisions, {len(found)} open, "
            f"hands left {left:.3f}, {seconds:.1f} s"
        )
    return rows


def evidence_file(folder: Path, generation: int, seed: int, number: int) -> Path:
    """The file for a round of play."""
    return folder / f"evidence-{generation:03d}-{seed:03d}-{number:05d}.pt"


def evidence_files(folder: Path, generation: int | None = None) -> list[Path]:
    """The files of all rounds, or of those that one policy played, sorted by name."""
    return sorted(folder.glob("evidence-*.pt" if generation is None else f"evidence-{generation:03d}-*.pt"))


def policy_file(folder: Path, generation: int) -> Path:
    """The file with the network of a generation."""
    return folder / f"policy-{generation:03d}.npz"


def newest_generation(folder: Path) -> int:
    """The number of the newest policy in a folder; 0 if there is none."""
    return max((int(path.stem.split("-")[1]) for path in folder.glob("policy-*.npz")), default=0)


@torch.no_grad()
def open_ones(decisions: Decisions, gained: Array, run: Run, device: torch.device) -> Evidence:
    """The open decisions among some."""
    kept = []
    for a in range(0, len(decisions), AT_ONCE):
        here = slice(a, a + AT_ONCE)
        (logits,) = run.play.answers(decisions.inputs[here], decisions.drawn[here])
        free = unpack_legal(decisions.legal[here])
        top = logits.float().masked_fill(~free, FORBIDDEN).softmax(1).max(1).values
        kept.append(a + np.flatnonzero((top < OPEN).cpu().numpy()))
    rows = np.concatenate(kept)
    some = decisions.take(rows)
    kept_gains = torch.from_numpy(gained[rows]).to(device)
    return Evidence(some.inputs, some.legal, some.drawn, some.action, some.log_chance, kept_gains)
