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


# --- a game that is solved exactly

SIGHTS, ACTIONS, DICE = 2, 3, 4
"""A coin is seen, an action chosen, and a die adds luck."""


class SmallGame:
    """One decision between two chance events; its policy gradient and every estimator's noise are known exactly."""

    def __init__(self, seed: int = 5) -> None:
        random = np.random.default_rng(seed)
        self.pay = random.normal(size=(SIGHTS, ACTIONS))
        self.luck = 3 * random.normal(size=(SIGHTS, ACTIONS, DICE))
        self.luck -= self.luck.mean(2, keepdims=True)
        logits = random.normal(size=(SIGHTS, ACTIONS))
        self.policy = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)

    def returns(self, estimator: str) -> Any:
        """What an estimator takes for the return of each outcome, float64[sights, actions, dice]."""
        plain = self.pay[:, :, None] + self.luck
        if estimator == "without luck":  # by the exact U, nothing of the die is left
            return plain - self.luck
        if estimator == "wrong rewards":  # an expected reward that forgets the first action: biased
            return (self.pay * np.array([0.0, 1.0, 1.0]))[:, :, None] + np.zeros_like(plain)
        return plain

    def terms(self, estimator: str) -> Any:
        """The gradient of one decision for each outcome, float64[sights, actions, dice, sights * actions]."""
        scores = np.zeros((SIGHTS, ACTIONS, SIGHTS, ACTIONS))
        for sight in range(SIGHTS):
            for action in range(ACTIONS):
                scores[sight, action, sight] = (np.arange(ACTIONS) == action) - self.policy[sight]
        flat = scores.reshape(SIGHTS, ACTIONS, 1, -1)
        return flat * self.returns(estimator)[..., None]

    def exact(self, estimator: str) -> tuple[Any, float]:
        """The estimator's mean gradient, and the variance of a single decision's."""
        weights = (self.policy / SIGHTS / DICE)[:, :, None, None]
        terms = self.terms(estimator)
        mean = (weights * terms).sum((0, 1, 2))
        return mean, float((weights * terms**2).sum() - mean @ mean)

    def measured(self, bench: Any, estimator: str, batches: int, seed: int, reference: Any) -> Any:
        """What the bench makes of batches of ten decisions."""
        random, terms = np.random.default_rng(seed), self.terms(estimator)
        sums = {size: bench.Sums(torch.zeros(SIGHTS * ACTIONS, dtype=torch.float64)) for size in bench.SIZES}
        together = {size: torch.zeros(SIGHTS * ACTIONS, dtype=torch.float64) for size in bench.SIZES}
        for number in range(1, batches + 1):
            sight, die = random.integers(SIGHTS, size=10), random.integers(DICE, size=10)
            action = (random.random(10)[:, None] > self.policy[sight].cumsum(1)).sum(1).clip(max=ACTIONS - 1)
            found = torch.from_numpy(terms[sight, action, die].mean(0))
            for size in bench.SIZES:
                together[size] += found / size
                if number % size == 0:
                    sums[size].add(together[size], reference)
                    together[size].zero_()
        return bench.Measured(sums)


def test_the_bench_finds_what_a_small_game_says_exactly(bench: Any) -> None:
    """Unbiased estimators have no angle, a biased one its own; data multipliers are ratios of exact variances."""
    game = SmallGame()
    true, noise = game.exact("plain")
    assert np.allclose(game.exact("without luck")[0], true)
    reference = game.measured(bench, "without luck", 6000, 1, None).sums[1]
    assert float(reference.mean @ torch.from_numpy(true)) == pytest.approx(float(true @ true), rel=0.05)
    base = game.measured(bench, "plain", 6000, 2, reference.mean)
    rows = {}
    for name in ("plain", "without luck", "wrong rewards"):
        one = base if name == "plain" else game.measured(bench, name, 6000, 3, reference.mean)
        rows[name] = one.row(reference, base)
        mean, spread = game.exact(name)
        wanted = (noise / (true @ true)) / (spread / (mean @ mean))
        assert rows[name]["data"] == pytest.approx(wanted, rel=0.25)
        angle = np.degrees(np.arccos(min(mean @ true / np.sqrt((mean @ mean) * (true @ true)), 1.0)))
        assert rows[name]["bias_degrees"] == pytest.approx(angle, abs=8)
    assert rows["without luck"]["data"] > 3
    assert rows["wrong rewards"]["bias_degrees"] > 15
