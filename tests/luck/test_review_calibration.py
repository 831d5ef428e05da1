"""The calibration page: true losses come out as true, and random ones as worthless."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from janshi.rules.game import Array
from script_modules import load_script

GAMES, DECISIONS = 12, 200


@pytest.fixture(scope="module")
def measuring() -> ModuleType:
    return load_script("calibrate_review")


@pytest.fixture(scope="module")
def pages() -> ModuleType:
    return load_script("_calibration_page")


def write_games(folder: Path, dtype: np.dtype[np.void], truth: float) -> Array:
    """Games in which a predicted place of loss costs `truth` places; returns each player's sum, float64[games, 4]."""
    rng = np.random.default_rng(5)
    sums = np.zeros((GAMES, 4))
    for game in range(GAMES):
        found = np.zeros(DECISIONS, dtype)
        found["seat"] = np.arange(DECISIONS) % 4
        found["loss"] = np.where(rng.random(DECISIONS) < 0.7, 0.0, rng.exponential(0.03, DECISIONS))
        found["best"] = -2.5
        found["result"] = -2.5 - truth * found["loss"] + rng.normal(0, 0.01, DECISIONS)
        found["experts"] = rng.random(DECISIONS)
        for seat in range(4):
            sums[game, seat] = found["loss"][found["seat"] == seat].sum()
        adjusted = 2.5 + truth * (sums[game] - sums[game].mean())
        players = {"ranks": np.arange(1.0, 5.0), "adjusted": adjusted, "dans": np.array([16, 16, 17, 18])}
        np.savez(folder / f"game{game}.npz", decisions=found, names=np.array(list("abcd")), **players)
    return sums


@pytest.mark.parametrize("truth", [1.0, 0.0])
def test_slopes_say_how_true_losses_are(tmp_path: Path, measuring: ModuleType, pages: ModuleType, truth: float):
    sums = write_games(tmp_path, measuring.DECISION_DTYPE, truth)
    text = pages.page(tmp_path, "mdp")
    slopes = [float(number) for number in re.findall(r"goes with ([+-][\d.]+) ", text)]
    assert slopes == pytest.approx([truth, truth], abs=0.05)
    assert f"| mean loss of a player in a game | {sums.mean():.3f} (" in text
    assert f"| largest sum of a player in a game | {sums.max():.2f} |" in text
    assert "| 7 dan | 24 |" in text
    assert "| 9 dan | 12 |" in text


def test_one_game_makes_no_page(tmp_path: Path, pages: ModuleType):
    with pytest.raises(SystemExit, match="fewer than two"):
        pages.load(tmp_path)
