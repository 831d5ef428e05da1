"""Losses fitted to results: known weights come out again, and measured games say what the agent says."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from janshi.agents.learned.apprentice import ApprenticeAgent
from janshi.agents.learned.losses import FEATURES, shipped
from janshi.luck.error_rate import decisions, loss_of
from janshi.luck.games import games_of_records
from janshi.records.formats import get_format, read_record
from janshi.records.recorder import Recorder
from janshi.records.sources import SourceFile
from janshi.rules.riichi.game import RiichiGame
from janshi.rules.riichi.policies import KernelPlayer
from janshi.rules.riichi.ruleset import TENHOU_EAST
from janshi.rules.riichi.table import Table
from script_modules import load_script

GAMES, EACH = 40, 500


@pytest.fixture(scope="module")
def reading() -> ModuleType:
    return load_script("_choices")


@pytest.fixture(scope="module")
def fitting() -> ModuleType:
    return load_script("fit_losses")


def made_choices(reading: ModuleType, truth: np.ndarray) -> object:
    """Decisions whose values fall by what they lose, more than experts usually lose, and by what else is going on."""
    rng = np.random.default_rng(7)
    n = GAMES * EACH
    usual = rng.exponential(0.1, (n, len(FEATURES)))
    played = usual * rng.exponential(1.0, usual.shape)
    fallen = (played - usual) @ truth + rng.normal(0, 0.02, n) + 0.05 * usual[:, 0]  # positions differ, too
    fields = dict.fromkeys(reading.Choices._fields, np.zeros(n))
    fields |= {"played": played, "usual": usual, "game": np.repeat(np.arange(GAMES), EACH), "spread": np.full(n, 0.3)}
    fields |= {"before": fallen, "soon": -np.stack([fallen] * 4, 1), "ranks": np.zeros((GAMES, 4))}
    return reading.Choices(**fields)


def test_known_weights_come_out_again_and_none_is_negative(reading: ModuleType, fitting: ModuleType):
    truth = np.array([0.01, 0.02, 0.03, 0.0, 0.05, 0.3, 0.5])
    choices = made_choices(reading, truth)
    weights, errors = fitting.fit(choices, choices.fallen)
    assert (weights >= 0).all()
    assert (np.abs(weights - truth) < 1.5 * errors + 1e-4).all()
    assert errors.max() < 0.02
    assert fitting.slope(choices, truth).value == pytest.approx(1.0, abs=0.05)
    assert fitting.slope(choices, 2 * truth).value == pytest.approx(0.5, abs=0.03)


def test_a_negative_effect_gets_no_weight(reading: ModuleType, fitting: ModuleType):
    choices = made_choices(reading, np.array([-0.1, *[0.1] * 6]))
    weights, _ = fitting.fit(choices, choices.fallen)
    assert weights[0] == 0.0


def test_measured_games_say_what_the_agent_says(tmp_path: Path, reading: ModuleType):
    measuring = load_script("measure_choices")
    players, recorder = [KernelPlayer("greedy", i) for i in range(4)], Recorder(Table(3, TENHOU_EAST), tuple("abcd"))
    while not recorder.table.over:
        table = recorder.table
        recorder.step({player: players[player](table, player) for player in table.asked})
    content = get_format("tenhou6").write(recorder.record()).encode()
    line = measuring.measure(SourceFile("game.json", content), measuring.Asking(), tmp_path / "game.npz")
    assert line.endswith("decisions")
    with np.load(tmp_path / "game.npz") as stored:
        found = reading.decisions_of_file(stored, shipped())
        assert stored["rounds"] == 1
    (some,) = decisions(games_of_records([read_record(content)]), np.ones((1, 4), np.bool_))
    values = ApprenticeAgent(RiichiGame(some.rules)).values(some.views)
    drawn = some.views["drawn"]
    losses = [loss_of(told, int(action), int(tile)) for told, action, tile in zip(values, some.actions, drawn)]
    assert len(losses) == len(found["loss"])
    assert (np.abs(found["loss"] - losses) < 0.003).mean() > 0.98  # bfloat16 may take another of two equal choices
    assert found["loss"].sum() == pytest.approx(sum(losses), rel=0.1)
    assert found["stake"].sum() == pytest.approx(sum(told.stake for told in values), rel=0.02)
    assert found["best"] == pytest.approx([max(told.values.values()) for told in values], abs=0.03)
