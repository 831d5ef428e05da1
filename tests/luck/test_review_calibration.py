"""The calibration page: true losses come out as true, and random ones as worthless."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from janshi.agents.loss import ActionValues
from janshi.records.formats import get_format
from janshi.records.recorder import Recorder
from janshi.records.splits import is_held_out
from janshi.rules.game import Array
from janshi.rules.riichi.policies import KernelPlayer
from janshi.rules.riichi.ruleset import TENHOU_EAST
from janshi.rules.riichi.table import Table
from script_modules import load_script

GAMES, DECISIONS = 12, 200


@pytest.fixture(scope="module")
def measuring() -> ModuleType:
    return load_script("calibrate_review")


@pytest.fixture(scope="module")
def pages() -> ModuleType:
    return load_script("_calibration_page")


def write_games(folder: Path, dtype: np.dtype[np.void], groups: tuple[float, ...], truth: float) -> Array:
    """Games in which a predicted place of loss costs `truth` places; returns each player's sum, float64[games, 4]."""
    rng = np.random.default_rng(5)
    sums = np.zeros((GAMES, 4))
    for game in range(GAMES):
        found = np.zeros(DECISIONS, dtype)
        found["seat"] = np.arange(DECISIONS) % 4
        found["loss"] = np.where(rng.random(DECISIONS) < 0.7, 0.0, rng.exponential(0.03, DECISIONS))
        found["usual"], found["before"] = 0.009, -2.5
        found["result"] = -2.5 - truth * (found["loss"] - 0.009) + rng.normal(0, 0.01, DECISIONS)
        found["soon"] = found["result"]
        found["shares"] = np.bincount(np.searchsorted(groups, found["loss"], "right") - 1, minlength=6) / DECISIONS
        found["experts"] = rng.random(DECISIONS)
        for seat in range(4):
            sums[game, seat] = found["loss"][found["seat"] == seat].sum()
        adjusted = 2.5 + truth * (sums[game] - sums[game].mean())
        players = {"ranks": np.arange(1.0, 5.0), "adjusted": adjusted, "dans": np.array([16, 16, 17, 18])}
        np.savez(folder / f"game{game}.npz", decisions=found, names=np.array(list("abcd")), **players)
    return sums


@pytest.mark.parametrize("truth", [1.0, 0.0])
def test_slopes_say_how_true_losses_are(tmp_path: Path, measuring: ModuleType, pages: ModuleType, truth: float):
    sums = write_games(tmp_path, measuring.DECISION_DTYPE, pages.GROUPS, truth)
    text = pages.part(tmp_path, "apprentice")
    slopes = [float(number) for number in re.findall(r"corresponds to ([+-][\d.]+) ", text)]
    assert slopes == pytest.approx([truth, truth], abs=0.05)
    rows = [line.split("|")[1:-1] for line in text.splitlines() if re.match(r"\| 0\.\d+ to [\d.]+ \| \d", line)]
    groups = [row for row in rows if len(row) == 5 and "to +" in row[4]]
    assert groups
    for _, _, predicted, _, lost in groups:
        assert float(lost.split()[0]) == pytest.approx(truth * float(predicted), abs=0.01)
    assert f"| mean loss of a player in a game | {sums.mean():.3f} (" in text
    assert f"| largest sum of a player in a game | {sums.max():.2f} |" in text
    assert "| 7 dan | 24 |" in text
    assert "| 9 dan | 12 |" in text


def test_games_and_players_of_other_years(tmp_path: Path, measuring: ModuleType, pages: ModuleType):
    write_games(tmp_path, measuring.DECISION_DTYPE, pages.GROUPS, 1.0)
    more = tmp_path / pages.HELD_OUT
    more.mkdir()
    write_games(more, measuring.DECISION_DTYPE, pages.GROUPS, 0.5)
    for number, path in enumerate(sorted(more.glob("*.npz"))):
        with np.load(path) as stored:
            kept = dict(stored)
        learned = number >= 4  # of these games only seat 2 was held out
        seats = np.arange(4) == 2 if learned else np.ones(4, bool)
        kept["decisions"] = kept["decisions"][seats[kept["decisions"]["seat"]]]
        np.savez(path, **kept, seats=seats, split="train" if learned else "validation", known=learned)
    seen = tmp_path / pages.LEARNED
    seen.mkdir()
    write_games(seen, measuring.DECISION_DTYPE, pages.GROUPS, 0.8)
    text = pages.part(tmp_path, "apprentice").partition("### Games and players of other years")[2]
    rows = {row[0].strip(): row[1:] for row in (line.split("|")[1:-1] for line in text.splitlines()) if len(row) == 8}
    by_date, by_game, whole, by_player, every, from_learned, together = (
        next(row for name, row in rows.items() if name.startswith(start))
        for start in ("by date", "by game", "whole games", "by player", "all that", "games that", "all of")
    )
    assert [cell.strip() for cell in by_date[:4]] == ["12", "48", "2,400", "0 %"]
    assert [cell.strip() for cell in by_game[:4]] == ["4", "16", "800", "0 %"]
    assert [cell.strip() for cell in whole[:4]] == ["16", "64", "3,200", "0 %"]
    assert [cell.strip() for cell in by_player[:4]] == ["8", "8", "400", "100 %"]
    assert [cell.strip() for cell in every[:3]] == ["24", "72", "3,600"]
    assert [cell.strip() for cell in together[:3]] == ["36", "120", "6,000"]
    slopes = [float(row[-1].split()[0]) for row in (by_date, by_game, by_player, from_learned)]
    assert slopes == pytest.approx([1.0, 0.5, 0.5, 0.8], abs=0.05)


def test_seats_that_networks_do_not_learn_from():
    pytest.importorskip("torch")
    seats_of = load_script("measure_choices").seats_of
    held_out = next(name for name in map(str, range(1000)) if is_held_out(name))
    names = [held_out, *[name for name in map(str, range(1000)) if not is_held_out(name)][:2], None]
    assert seats_of("train", names).tolist() == [True, False, False, False]
    assert seats_of("validation", names).all()
    assert seats_of("test", names).all()


def test_one_game_makes_no_page(tmp_path: Path, pages: ModuleType):
    with pytest.raises(SystemExit, match="fewer than two"):
        pages.load(tmp_path)


def test_experts_shares_and_usual_loss(measuring: ModuleType):
    found = ActionValues("rank", {3: -2.40, 7: -2.43, 9: -2.50}, {3: 0.5, 7: 0.3, 9: 0.2})
    assert measuring.usual_loss(found) == pytest.approx(0.3 * 0.03 + 0.2 * 0.1)
    assert measuring.shares_of_groups(found) == pytest.approx([0.5, 0, 0, 0.3, 0, 0.2])
    assert np.isnan(measuring.usual_loss(ActionValues("rank", {3: -2.4})))


def test_every_reviewer_is_measured_against_luck_free_results(tmp_path: Path, measuring: ModuleType):
    players = [KernelPlayer("greedy", i) for i in range(4)]
    recorder = Recorder(Table(3, TENHOU_EAST), ("ann", "bob", "cid", "dee"))
    table = recorder.table
    while not table.over:
        recorder.step({player: players[player](table, player) for player in table.asked})
    content = get_format("tenhou6").write(recorder.record()).encode()
    line = measuring.measure(measuring.Work("game.json", content, "apprentice", tmp_path / "game.npz"))
    assert line.endswith("decisions")
    with np.load(tmp_path / "game.npz") as stored:
        found, ranks, adjusted = stored["decisions"], stored["ranks"], stored["adjusted"]
    assert sorted(ranks) == [1, 2, 3, 4]
    assert adjusted.sum() == pytest.approx(10, abs=0.01)
    assert not np.isnan(found["loss"]).any()
    assert not np.isnan(found["before"]).any()
    assert (found["result"] < 0).all()
    assert found["shares"].sum(1) == pytest.approx(1, abs=1e-4)
