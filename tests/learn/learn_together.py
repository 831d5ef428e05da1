"""What each process of tests/learn/test_processes.py does: `python learn_together.py DIR`.

All processes get the same decisions; each learns from its own part, in batches of its share. Then they train a run
together, and continue it: the same processes do all this, since each takes seconds to start.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist

from janshi.cli import app
from janshi.learn import training
from janshi.learn.config import TrainConfig
from janshi.learn.ppo import Trainer
from janshi.learn.processes import world

BATCH, STEPS = 64, 5
RUN, BEGUN = "run", "begun"
"""Folders: the run that was continued, and what it was before."""
FIRST, SECOND = 4000, 8000
"""Decisions at least, of the run and with its continuation."""


def settings(batch: int) -> TrainConfig:
    """A tiny run."""
    sizes: dict[str, Any] = {"blocks": 1, "channels": 8, "width": 16, "tables": 32, "rollout": 512}
    return TrainConfig(variant="rl1", batch=batch, rate=1e-2, threads=1, device="cpu", seed=0, **sizes)


def batch_of(trainer: Trainer, data: Any) -> None:
    """Put stored decisions into the batch."""
    for name in data.files:
        room = getattr(trainer.batch, name)
        room[: len(data[name])] = torch.from_numpy(data[name])


def learn(out: Path) -> None:
    """Take some steps, and write the weights."""
    torch.set_num_threads(1)
    data = np.load(out / "batch.npz")
    trainer = Trainer(settings(BATCH // world().size))
    trainer.networks.restart(0)
    batch_of(trainer, data)
    part = np.arange(world().rank, BATCH * STEPS, world().size)
    for _ in trainer.epochs([torch.from_numpy(part)]):
        pass
    assert world().least(world().rank) == 0
    assert world().total([1, world().rank]).tolist() == [world().size, sum(range(world().size))]
    torch.save(trainer.policy.state_dict(), out / f"weights-{world().size}-{world().rank}.pt")
    torch.save(trainer.critic.state_dict(), out / f"values-{world().size}-{world().rank}.pt")


def train(*words: str) -> None:
    """The command `janshi train`."""
    app(["train", *words, "--minutes", "0"], standalone_mode=False)


def run_twice(out: Path) -> None:
    """Train a run and continue it; the processes part only at the end."""
    sizes = ("blocks=1", "channels=8", "width=16", "tables=32", "batch=64", "rollout=512", "threads=1", "device=cpu")
    options = ["--rules", "simplified", "--variant", "rl5", "--out", str(out / RUN), "--decisions", str(FIRST)]
    part, training.leave = training.leave, dist.barrier
    train("rvr", *options, *(word for size in sizes for word in ("--set", size)))
    training.leave = part
    if world().first:
        shutil.copytree(out / RUN, out / BEGUN)
    train("--resume", str(out / RUN), "--decisions", str(SECOND))


if __name__ == "__main__":
    learn(Path(sys.argv[1]))
    run_twice(Path(sys.argv[1]))
    assert not dist.is_initialized(), "they have parted"
