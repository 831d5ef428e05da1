"""What each process of tests/learn/test_processes.py does: `python -m torch.distributed.run … learn_together.py DIR`.

All processes get the same decisions; each learns from its own part, in batches of its share.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch
from test_processes import BATCH, STEPS, batch_of, settings

from janshi.learn.ppo import Trainer
from janshi.learn.processes import leave, world


def main() -> None:
    """Take some steps, and write the weights."""
    torch.set_num_threads(1)
    out = Path(sys.argv[1])
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
    leave()


if __name__ == "__main__":
    main()
