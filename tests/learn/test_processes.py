"""Several processes learn what one would with their batches together, and a run under `torchrun` writes one result."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from learn_together import BATCH, STEPS, learn, settings  # noqa: E402

from janshi.learn.ppo import Trainer  # noqa: E402
from janshi.learn.processes import World, world  # noqa: E402
from janshi.learn.variance import play_until  # noqa: E402
from patience import PATIENCE  # noqa: E402

HERE = Path(__file__).parent


def environment(**more: str) -> dict[str, str]:
    """Variables of processes with one thread and no GPU."""
    return {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "", **more}


def torchrun(*words: str) -> str:
    """Run a pair of processes under `torchrun`; returns what they print."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", *words]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def run_pair(*words: str) -> str:
    """Run a pair of processes as `torchrun` starts them, without its own process; returns what they print."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = str(found.getsockname()[1])
    place = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": "2"}
    pair = [
        subprocess.Popen(
            [sys.executable, *words],
            env=environment(RANK=rank, LOCAL_RANK=rank, **place),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in "01"
    ]
    said = [process.communicate(timeout=PATIENCE) for process in pair]
    for process, (_, errors) in zip(pair, said):
        assert process.returncode == 0, errors[-3000:]
    return "".join(out for out, _ in said)


def test_two_processes_learn_as_one_with_twice_the_batch(tmp_path: Path) -> None:
    torch.set_num_threads(1)
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
    np.savez(tmp_path / "batch.npz", **stored)
    learn(tmp_path)  # alone
    run_pair(str(HERE / "learn_together.py"), str(tmp_path))
    for name in ("weights", "values"):
        alone, first, second = (torch.load(tmp_path / f"{name}-{which}.pt") for which in ("1-0", "2-0", "2-1"))
        for key in alone:
            assert torch.equal(first[key], second[key]), key
            assert torch.allclose(alone[key], first[key], atol=2e-5, rtol=1e-3), key
    fresh = trainer.critic.state_dict()
    assert any(not torch.allclose(fresh[key], first[key], atol=1e-3) for key in fresh)


def test_a_run_of_two_processes_writes_one_result_and_goes_on(tmp_path: Path) -> None:
    words = ["--set", "blocks=1", "--set", "channels=8", "--set", "width=16", "--set", "tables=32", "--set", "batch=64"]
    words += ["--set", "rollout=512", "--set", "threads=1", "--set", "device=cpu"]
    options = ["--rules", "simplified", "--variant", "rl5", "--out", str(tmp_path / "run"), "--minutes", "0"]
    said = torchrun("-m", "janshi", "train", "rvr", *options, "--decisions", "4000", *words)
    assert said.count("the policy is in") == 1
    first = curves_of(tmp_path / "run")
    assert first[-1]["decisions"] >= 4000
    assert first[0]["decisions"] >= 2 * 512  # both processes' decisions count
    weights = weights_of(tmp_path / "run")
    said = run_pair("-m", "janshi", "train", "--resume", str(tmp_path / "run"), "--decisions", "8000", "--minutes", "0")
    assert said.count("the policy is in") == 1
    both = curves_of(tmp_path / "run")
    assert both[: len(first)] == first
    counts = [row["decisions"] for row in both]
    assert counts == sorted(set(counts))
    assert counts[-1] >= 8000
    assert min(np.diff(counts)) >= 2 * 512
    assert any(not torch.equal(old, new) for old, new in zip(weights, weights_of(tmp_path / "run"), strict=True))


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
