"""The gradient bench: its sums tell signal from noise, and its gradients are those of the policy."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from janshi.features.planes import encoder  # noqa: E402
from janshi.learn.network import PolicyNet, arrays_of, export, read_policy  # noqa: E402
from janshi.learn.ppo import masked  # noqa: E402
from script_modules import load_script  # noqa: E402

SETTINGS = ["tables=32", "rollout=512", "batch=128", "expected_batch=8", "threads=1", "device=cpu"]


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    torch.set_num_threads(1)
    return load_script("measure_gradients")


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(3)
    net = PolicyNet(encoder("simplified"), blocks=1, channels=8, width=16)
    with torch.no_grad():
        net.last.weight.normal_(std=0.3)
    return export(net, tmp_path_factory.mktemp("policy") / "policy.npz")


def noisy(bench: Any, mean: Any, spread: float, count: int, seed: int) -> Any:
    """Sums of so many noisy copies of a gradient, in batches of all sizes."""
    random = torch.Generator().manual_seed(seed)
    sums = {size: bench.Sums(torch.zeros_like(mean)) for size in bench.SIZES}
    together = {size: torch.zeros_like(mean) for size in bench.SIZES}
    for number in range(1, count + 1):
        found = mean + spread * torch.randn(len(mean), generator=random, dtype=torch.float64)
        for size in bench.SIZES:
            together[size] += found / size
            if number % size == 0:
                sums[size].add(together[size], mean)
                together[size].zero_()
    return bench.Measured(sums)


def test_sums_tell_signal_from_noise(bench: Any) -> None:
    mean = torch.zeros(50, dtype=torch.float64)
    mean[:2] = torch.tensor([3.0, 4.0])
    sums = noisy(bench, mean, 2.0, 800, 1).sums[1]
    assert sums.signal == pytest.approx(25, rel=0.1)
    assert sums.noise == pytest.approx(50 * 4, rel=0.1)
    assert sums.own_cosine == pytest.approx(1, abs=0.01)


def test_figures_of_estimators_that_are_known(bench: Any) -> None:
    """Twice the noise needs four times the data; a turned mean keeps its angle however many batches there are."""
    mean, turned = torch.zeros(50, dtype=torch.float64), torch.zeros(50, dtype=torch.float64)
    mean[0], turned[0], turned[1] = 5.0, 4.0, 3.0  # 36.9 degrees apart
    reference = noisy(bench, mean, 1.0, 800, 2).sums[1]
    base, quiet, bent = (noisy(bench, *about, 1600, 3) for about in ((mean, 2.0), (mean, 1.0), (turned, 1.0)))
    rows = [one.row(reference, base) for one in (base, quiet, bent)]
    assert rows[0]["data"] == 1
    assert rows[1]["data"] == pytest.approx(4, rel=0.15)
    assert rows[0]["bias_degrees"] < 8
    assert rows[1]["bias_degrees"] < 8
    assert rows[2]["bias_degrees"] == pytest.approx(36.9, abs=3)
    assert rows[0]["cosines"][1] < rows[0]["cosines"][4] < rows[0]["cosines"][16]
    assert rows[0]["cosines"][1] == pytest.approx(5 / np.sqrt(25 + 200), abs=0.03)


def options(**changes: Any) -> Namespace:
    return Namespace(**{"rules": "simplified", "values": 1500, "set": SETTINGS, **changes})


@pytest.mark.parametrize("variant", ["basic", "rl4"])
def test_gradients_are_those_of_a_frozen_policy(bench: Any, policy: Path, variant: str) -> None:
    trainer = bench.frozen(options(), policy, variant, 1)
    assert trainer.learned > 0
    ours, theirs = arrays_of(trainer.policy), arrays_of(read_policy(policy))
    assert all((ours[name] == array).all() for name, array in theirs.items())
    before = [value.clone() for value in trainer.critic.parameters()]
    found = list(bench.gradients(trainer, 600, 100))
    assert len(found) >= 3
    assert all(torch.equal(a, b) for a, b in zip(before, trainer.critic.parameters()))
    bench.play_until(trainer, 300)
    ready = trainer.slots.take(trainer.most)
    advs = trainer.advantages_of(ready)
    k = len(ready)
    whole = bench.gradient(trainer, slice(0, k), advs)
    trainer.policy.zero_grad()
    records = trainer.batch.private[:k]
    logs = masked(trainer.policy(records), trainer.encoder.masks(records))
    (logs[torch.arange(k), trainer.batch.actions[:k]] * torch.from_numpy(advs)).mean().backward()
    wanted = torch.cat([value.grad.ravel() for value in trainer.policy.parameters()]).double()
    assert torch.allclose(whole, wanted, atol=1e-6)
    assert whole.norm() > 0


def test_small_batches_add_up_to_the_whole(bench: Any, policy: Path) -> None:
    trainer = bench.frozen(options(values=0), policy, "basic", 2)
    bench.play_until(trainer, 400)
    ready = trainer.slots.take(trainer.most)
    advs, k = trainer.advantages_of(ready), len(ready)
    middle = int(ready.first[len(ready.first) // 2])
    parts = [bench.gradient(trainer, rows, advs) for rows in (slice(0, middle), slice(middle, k))]
    whole = bench.gradient(trainer, slice(0, k), advs)
    assert torch.allclose(whole, (middle * parts[0] + (k - middle) * parts[1]) / k, atol=1e-6)
