"""The direct part of values of draws by least squares: it finds what hands were made from."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

pytest.importorskip("torch")

from janshi.learn.outcome_values import read
from janshi.learn.warm_start import record_hands
from janshi.rules.registry import make_game
from script_modules import load_script


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return load_script("fit_luckfree")


def test_least_squares_finds_the_direct_part(script: ModuleType) -> None:
    random = np.random.default_rng(1)
    true = random.normal(size=(3, 3))
    true -= true.mean(1, keepdims=True)
    luck = random.normal(size=(2000, 3, 9))
    noise = random.normal(size=(2000, 3))
    some = script.Sums(luck @ true.ravel() + noise, luck)
    found = script.fitted(some)
    np.testing.assert_allclose(found, true, atol=0.1)
    plain = some.results
    assert script.left(some, found, plain) == pytest.approx(1 / (1 + (true**2).sum()), rel=0.1)
    assert script.left(some, np.zeros((3, 3)), plain) == pytest.approx(1)


def test_hands_of_an_agent_give_values(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hands, out = tmp_path / "hands.npz", tmp_path / "draws.npz"
    record_hands(make_game("simplified"), "greedy", 120, 3, hands)
    words = ["fit", "--rules", "simplified", "--records", str(hands), "--out", str(out)]
    monkeypatch.setattr("sys.argv", words)
    script.main()
    assert "30 hands that were not fitted: 1.000 of the variance left" in capsys.readouterr().out
    network, card = read(out)
    assert float(network.direct[0, 0]) > 0.2  # to complete one's own hand is good luck
    np.testing.assert_allclose(network.direct.sum(1).numpy(), 0, atol=0.01)
    assert card["fitted"]["hands"] == 120
