"""The gradient bench: its sums separate signal from noise, and its gradients are those of the policy."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from janshi.features.planes import encoder  # noqa: E402
from janshi.learn import variance  # noqa: E402
from janshi.learn.estimators import Stream  # noqa: E402
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
    """Noisy copies of a gradient, `count` of them, in batches of all sizes."""
    random = torch.Generator().manual_seed(seed)
    found = bench.Measured(mean)
    for _ in range(count):
        found.add(mean + spread * torch.randn(len(mean), generator=random, dtype=torch.float64), mean)
    return found


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
    reference = noisy(bench, mean, 1.0, 800, 2).small
    base, quiet, bent = (noisy(bench, *about, 1600, 3) for about in ((mean, 2.0), (mean, 1.0), (turned, 1.0)))
    rows = [one.row(reference, base) for one in (base, quiet, bent)]
    assert rows[0]["data"] == 1
    assert rows[1]["data"] == pytest.approx(4, rel=0.15)
    assert rows[1]["variance"] == pytest.approx(1 / 4, rel=0.15)
    assert 0 < rows[1]["errors"]["variance"] < 0.03
    assert rows[0]["bias_degrees"] < 8
    assert rows[1]["bias_degrees"] < 8
    assert rows[2]["bias_degrees"] == pytest.approx(36.9, abs=3)
    assert rows[0]["cosines"][1] < rows[0]["cosines"][4] < rows[0]["cosines"][16]
    assert rows[0]["cosines"][1] == pytest.approx(5 / np.sqrt(25 + 200), abs=0.03)


def stream_of(policy: Path, *variants: str, seed: int = 1) -> Stream:
    return Stream(read_policy(policy), "simplified", variants, seed, SETTINGS)


def test_estimators_of_a_stream_learn_values_and_nothing_else(policy: Path) -> None:
    stream = stream_of(policy, "basic", "rl3p", "rl5a")
    before = {name: [value.clone() for value in one.critic.parameters()] for name, one in stream.estimators.items()}
    for _ in range(3):
        stream.learn(300)
    ours, theirs = arrays_of(stream.host.policy), arrays_of(read_policy(policy))
    assert all((ours[name] == array).all() for name, array in theirs.items())
    for name, one in stream.estimators.items():
        assert one.decisions == stream.played >= 900
        assert any(not torch.equal(a, b) for a, b in zip(before[name], one.critic.parameters()))
    luck, expected = stream.estimators["rl5a"].luck, stream.estimators["rl3p"].expected
    assert luck is not None
    assert luck.left >= 0
    assert expected is not None
    assert expected.error >= 0
    assert stream.host.slots.free > 0


@pytest.mark.parametrize("variant", ["basic", "rl1", "rl3", "rl4", "rl5", "rl5d"])
def test_an_estimator_finds_what_a_run_of_its_own_finds(policy: Path, variant: str) -> None:
    """The same seed plays the same hands, and fresh networks of the same seed estimate the same advantages."""
    stream = stream_of(policy, variant, seed=4)
    alone = variance.frozen(read_policy(policy), "simplified", variant, 4, SETTINGS)
    ready, advs = stream.estimates(250)
    variance.play_until(alone, 250)
    its = alone.slots.take(alone.most)
    assert (ready.scores == its.scores).all()
    assert np.allclose(advs[0], alone.advantages_of(its), atol=1e-6)


def test_variants_on_the_same_hands(policy: Path) -> None:
    with pytest.raises(ValueError, match="duplicate tables"):
        stream_of(policy, "basic", "rl4")
    with pytest.raises(ValueError, match="all seats must learn"):
        stream_of(policy, "alone")
    stream = stream_of(policy, "basic", "rl1", "rl5")
    assert stream.host.config.variant == "rl5"
    both = stream.estimates(250)[1]
    assert both.shape[0] == 3
    assert not np.allclose(both[0], both[1])


def test_gradients_are_those_of_the_policy(bench: Any, policy: Path) -> None:
    stream = stream_of(policy, "basic", "rl1")
    found = list(bench.gradients(stream, 400, 100))
    assert len(found) >= 2
    ready, advs = stream.estimates(250)
    host, k = stream.host, len(ready)
    whole = bench.gradient(host, slice(0, k), advs)
    for row, weights in zip(whole, advs, strict=True):
        host.policy.zero_grad()
        records = host.batch.private[:k]
        logs = masked(host.policy(records), host.encoder.masks(records))
        (logs[torch.arange(k), host.batch.actions[:k]] * torch.from_numpy(weights)).mean().backward()
        wanted = torch.cat([value.grad.ravel() for value in host.policy.parameters()]).double()
        assert torch.allclose(row, wanted, atol=1e-6)
        assert row.norm() > 0


def test_small_batches_add_up_to_the_whole(bench: Any, policy: Path) -> None:
    stream = stream_of(policy, "basic", seed=2)
    ready, advs = stream.estimates(250)
    k, middle = len(ready), int(ready.first[len(ready.first) // 2])
    halves = (slice(0, middle), slice(middle, k))
    parts = [bench.gradient(stream.host, rows, advs[:, rows]) for rows in halves]
    whole = bench.gradient(stream.host, slice(0, k), advs)
    assert torch.allclose(whole, (middle * parts[0] + (k - middle) * parts[1]) / k, atol=1e-6)


def test_the_bench_writes_figures_and_obeys_its_limit(
    bench: Any, policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """However little time there is, every phase has one turn, and the file says that the run was cut off."""
    sizes = ["--values", "600", "--decisions", "1e9", "--reference", "1e9", "--batch", "60", "--seconds", "1e-6"]
    chosen = ["--policies", str(policy), "--variants", "basic", "rl4", "rl5", "--set", *SETTINGS]
    monkeypatch.setattr(
        "sys.argv", ["measure_gradients.py", "--rules", "simplified", *chosen, *sizes, "--out", str(tmp_path)]
    )
    bench.main()
    found = json.loads((tmp_path / "policy.json").read_text())
    assert list(found["variants"]) == ["basic", "rl4", "rl5"]
    assert not found["complete"]
    assert found["reference"]["batches"] > 0
    assert found["variants"]["basic"]["data"] == pytest.approx(1)
    assert found["variants"]["rl5"]["luck_left"] >= 0
    assert "| rl5 |" in capsys.readouterr().out


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
        measured = bench.Measured(torch.zeros(SIGHTS * ACTIONS, dtype=torch.float64))
        for _ in range(batches):
            sight, die = random.integers(SIGHTS, size=10), random.integers(DICE, size=10)
            action = (random.random(10)[:, None] > self.policy[sight].cumsum(1)).sum(1).clip(max=ACTIONS - 1)
            measured.add(torch.from_numpy(terms[sight, action, die].mean(0)), reference)
        return measured


def test_the_bench_finds_what_a_small_game_says_exactly(bench: Any) -> None:
    """Unbiased estimators have no angle, a biased one its own; data multipliers are ratios of exact variances."""
    game = SmallGame()
    true, noise = game.exact("plain")
    assert np.allclose(game.exact("without luck")[0], true)
    reference = game.measured(bench, "without luck", 6000, 1, None).small
    straight = reference.whole().mean
    assert float(straight @ torch.from_numpy(true)) == pytest.approx(float(true @ true), rel=0.05)
    base = game.measured(bench, "plain", 6000, 2, straight)
    rows = {}
    for name in ("plain", "without luck", "wrong rewards"):
        one = base if name == "plain" else game.measured(bench, name, 6000, 3, straight)
        rows[name] = one.row(reference, base)
        mean, spread = game.exact(name)
        wanted = (noise / (true @ true) ** 2) / (spread / (mean @ true) ** 2)
        assert rows[name]["data"] == pytest.approx(wanted, rel=0.25)
        angle = np.degrees(np.arccos(min(mean @ true / np.sqrt((mean @ mean) * (true @ true)), 1.0)))
        assert rows[name]["bias_degrees"] == pytest.approx(angle, abs=8)
    assert rows["without luck"]["data"] > 3
    assert rows["wrong rewards"]["bias_degrees"] > 15
