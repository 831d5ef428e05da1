"""Several processes learn what one would with their batches together, and a run under `torchrun` writes one result."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from learn_together import BATCH, BEGUN, FIRST, RUN, SECOND, STEPS, learn, settings  # noqa: E402

from janshi.learn.ppo import Trainer  # noqa: E402
from janshi.learn.processes import World, world  # noqa: E402
from janshi.learn.variance import play_until  # noqa: E402
from patience import PATIENCE  # noqa: E402

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where processes learn: decisions to learn from, and the weights of one that learned alone."""
    torch.set_num_threads(1)
    place = tmp_path_factory.mktemp("together")
    trainer = Trainer(settings(BATCH))
    trainer.begin()
    play_until(trainer, BATCH * STEPS)
    ready = trainer.slots.take(trainer.most)
    advs = trainer.advantages_of(ready)
    k, b = len(ready), trainer.batch
    assert k >= BATCH * STEPS
    assert b.hidden is not None
    stored = {name: getattr(b, name)[:k].numpy() for name in ("private", "hidden", "actions", "logs", "values")}
    stored |= {"advantages": advs, "targets": b.values[:k].numpy() + advs[:, None]}
    np.savez(place / "batch.npz", **stored)
    torch.save(trainer.critic.state_dict(), place / "fresh.pt")
    learn(place)
    return place


@pytest.fixture(scope="module")
def said(place: Path) -> str:
    """What a pair of processes under `torchrun` prints: one pair for all tests, since each process takes seconds."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    command += [str(HERE / "learn_together.py"), str(place)]
    alone = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}  # one thread and no GPU
    done = subprocess.run(command, capture_output=True, text=True, env=alone, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_two_processes_learn_as_one_with_twice_the_batch(place: Path, said: str) -> None:
    for name in ("weights", "values"):
        alone, first, second = (torch.load(place / f"{name}-{which}.pt") for which in ("1-0", "2-0", "2-1"))
        for key in alone:
            assert torch.equal(first[key], second[key]), key
            assert torch.allclose(alone[key], first[key], atol=2e-5, rtol=1e-3), key
    fresh = torch.load(place / "fresh.pt")
    assert any(not torch.allclose(fresh[key], first[key], atol=1e-3) for key in fresh)


def test_a_run_of_two_processes_writes_one_result_and_goes_on(place: Path, said: str) -> None:
    assert said.count("the policy is in") == 2  # once for the run, once for its continuation
    first, both = curves_of(place / BEGUN), curves_of(place / RUN)
    assert FIRST <= first[-1]["decisions"] < SECOND
    assert first[0]["decisions"] >= 2 * 512  # both processes' decisions count
    assert both[: len(first)] == first
    counts = [row["decisions"] for row in both]
    assert counts == sorted(set(counts))
    assert counts[-1] >= SECOND
    assert min(np.diff(counts)) >= 2 * 512
    assert (place / RUN / "policy.npz").is_file()
    weights = (weights_of(place / name) for name in (BEGUN, RUN))
    assert any(not torch.equal(old, new) for old, new in zip(*weights, strict=True))


def curves_of(folder: Path) -> list[dict[str, Any]]:
    """The rows of a run's curves."""
    return [json.loads(line) for line in (folder / "curves.jsonl").read_text().splitlines()]


def weights_of(folder: Path) -> list[torch.Tensor]:
    """The weights of all of a run's networks."""
    networks = torch.load(folder / "light.pt", weights_only=True)["networks"]
    return [value for weights in networks.values() for value in weights.values()]


def test_a_process_alone_changes_nothing() -> None:
    alone = world()
    assert (alone.rank, alone.size, alone.first) == (0, 1, True)
    assert (alone.least(3), alone.most(4), alone.mean(5), alone.any(False)) == (3, 4, 5, False)
    assert alone.seed(7) == 7
    values = np.array([1.0, 2.0, 3.0], np.float32)
    np.testing.assert_allclose(alone.standardised(values), (values - 2) / values.std(), rtol=1e-5)
    assert len({World(rank, 4).seed(7) for rank in range(4)}) == 4
