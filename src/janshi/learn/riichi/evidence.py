"""Evidence of what choices are worth: decisions of a fixed policy that explores, and what followed without luck.

Only open decisions are kept, in which the policy is not as good as certain: nothing can be learned from the others.
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
from janshi.learn.imitation.training import FORBIDDEN
from janshi.learn.riichi.config import SelfPlayConfig
from janshi.learn.riichi.returns import advantages
from janshi.learn.riichi.run import Report, Run
from janshi.learn.riichi.self_play import Decisions
from janshi.learn.riichi.values import NOTHING

OPEN: Final = 0.97
"""A decision is open if no action has a higher chance than this."""
AT_ONCE: Final = 4096
"""Decisions looked at at a time."""


@dataclass
class Evidence:
    """Open decisions, one a row."""

    inputs: Tensor  # int16 (n, ROOM)
    legal: Tensor  # int64 (n, 2)
    drawn: Tensor  # int16 (n,)
    action: Tensor  # int64 (n,)
    log_chance: Tensor  # float (n,), by which the action was chosen
    gained: Tensor  # float (n,), in places, later changes counting less
    whole: Tensor  # float (n,), in places, all changes up to the end of the hand: unbiased

    def __len__(self) -> int:
        return len(self.action)

    def take(self, rows: Any) -> Self:
        """Some of them."""
        return type(self)(*(getattr(self, one.name)[rows] for one in fields(self)))

    def to(self, device: torch.device) -> Self:
        """The same on a device."""
        return type(self)(*(getattr(self, one.name).to(device) for one in fields(self)))

    def save(self, path: Path) -> None:
        """Write a file: whole, or not at all."""
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


def collect(config: SelfPlayConfig, out: Path, device: torch.device, threads: int, until: float, report: Report) -> int:
    """Play with a policy that does not change until a time; each round of play is a file. Returns the number of rows.

    `config.values` names the values of draws. The seed tells the files of several processes apart.
    """
    out.mkdir(parents=True, exist_ok=True)
    run = Run(config, device, threads)
    if config.values != NOTHING:
        run.take_values()
    run.play.fresh(0)
    rows, number = 0, 0
    while time.monotonic() < until and number < config.iterations:
        began = time.monotonic()
        run.play.play(config.decisions)
        hands = run.play.finished()
        judged = run.learner.judge(hands, run.pool)
        whole = advantages(hands, judged.luck, judged.results, 1.0, False)
        found = open_ones(hands.decisions, judged.advantages.trace, whole.trace, run, device)
        found.save(out / f"evidence-{config.seed:03d}-{number:05d}.pt")
        rows, number = rows + len(found), number + 1
        left, seconds = run.learner.left, time.monotonic() - began
        report(f"{number}: {len(hands.decisions)} decisions, {len(found)} open, hands left {left:.3f}, {seconds:.1f} s")
    return rows


@torch.no_grad()
def open_ones(decisions: Decisions, gained: Any, whole: Any, run: Run, device: torch.device) -> Evidence:
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
    columns = (torch.from_numpy(one[rows]).to(device) for one in (gained, whole))
    return Evidence(some.inputs, some.legal, some.drawn, some.action, some.log_chance, *columns)
