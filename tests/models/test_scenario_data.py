"""Positions after discards in real games: their content, checked, and that they are made only once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from few_games import source

from janshi.core.shanten import shanten
from janshi.core.tables import tables_array
from janshi.fitting.data import TRAINING
from janshi.fitting.scenarios import data as scenario_data
from janshi.fitting.scenarios.data import Positions, read, sample
from janshi.models.scenarios import ABORTED, LOSE, NOTEN, OTHER, TENPAI, WIN
from janshi.records.dataset import Choice, _frames
from janshi.records.rebuild import STORED_DTYPE
from janshi.rules.riichi.state import REACTION

pytest.importorskip("pyarrow", reason="data sets need pyarrow")
__all__ = ["source"]


@pytest.fixture(scope="module")
def folder(source, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("positions")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(scenario_data.FACTORS, TRAINING, 12.0)
        sample(source, TRAINING, out)
    return out


@pytest.fixture(scope="module")
def positions(folder) -> Positions:
    return read(folder, TRAINING)


def test_views_before_and_after(positions):
    facts, before, after = positions
    assert len(facts) > 300
    rows = np.arange(len(facts))
    assert (before["hand"].sum(1) + 3 * before["melds"][:, 0] == 14).all()
    assert (before["hand"][rows, facts["kind"]] - after["hand"][rows, facts["kind"]] == 1).all()
    assert (after["hand"].sum(1) + 3 * after["melds"][:, 0] == 13).all()
    assert (after["discards"][:, 0] == before["discards"][:, 0] + 1).all()
    assert (after["discards"][:, 1:] == before["discards"][:, 1:]).all()
    assert (after["left"] == before["left"]).all()
    assert (after["phase"] == REACTION).all()
    assert (after["riichi"][:, 0] > 0).sum() >= facts["declares"].sum()
    paid = 1000 * facts["declares"].astype(int)
    assert (before["scores"][:, 0] - after["scores"][:, 0] == paid).all()
    assert (facts["most"] == before["left"] // 4).all()
    assert ((facts["waits"] != 0) == (facts["shanten"] == 0)).all()
    assert (facts["waits"] == after["waits"]).all()


def test_shanten(positions):
    tables = tables_array()[0]
    for fact, view in zip(positions.facts[:100], positions.after[:100]):
        assert shanten(view["hand"], int(view["melds"][0]), tables) == fact["shanten"]


def test_scenarios_are_what_the_records_tell(source, positions):
    facts = positions.facts
    columns = ("result", "winners", "loser", "tenpai", "changes", "ranks")
    rows = source.dataset.hands(*columns).take(facts["hand"]).to_pylist()
    for fact, row in zip(facts, rows):
        seat = int(fact["seat"])
        if row["winners"] and not row["result"].startswith("nagashi"):
            expected = WIN if seat in row["winners"] else LOSE if row["loser"] == seat else OTHER
        elif row["result"].startswith("exhaustive"):
            expected = TENPAI if seat in row["tenpai"] else NOTEN
        else:
            expected = ABORTED
        assert fact["scenario"] == expected, row
        assert fact["rank"] == row["ranks"][seat]
        if expected == WIN:
            assert fact["points"] > 0
        if fact["passed"] == 0:
            assert expected == LOSE
            assert fact["played"] == 0
    assert set(facts["scenario"]) >= {WIN, LOSE, OTHER}
    assert (facts["passed"] == 0).any()


def test_seats_that_training_does_not_see_are_left_out(source, positions):
    assert not source.unseen[positions.facts["hand"], positions.facts["seat"]].any()


def test_weights_stand_for_all_positions(source, folder, positions):
    counts = sum(np.load(path)["counts"] for path in sorted(folder.glob("*.npz")))
    standing_for = np.bincount(positions.facts["shanten"], positions.facts["weight"], minlength=7)
    enough = counts > 500
    assert enough.any()
    assert np.allclose(standing_for[enough], counts[enough], rtol=0.25)


def test_what_is_there_is_not_made_again(source, folder, positions, monkeypatch):
    times = {path: path.stat().st_mtime_ns for path in folder.glob("*.npz")}
    assert times
    assert not list(folder.glob(".*"))
    monkeypatch.setattr(scenario_data, "sample_hands", None)
    sample(source, TRAINING, folder)
    assert times == {path: path.stat().st_mtime_ns for path in folder.glob("*.npz")}


def test_the_same_positions_every_time(source, folder, positions, tmp_path, monkeypatch):
    monkeypatch.setitem(scenario_data.FACTORS, TRAINING, 12.0)
    sample(source, TRAINING, tmp_path)
    again = read(tmp_path, TRAINING)
    assert (again.facts == positions.facts).all()
    assert (again.before == positions.before).all()


def test_nothing_to_read_is_reported(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"janshi\.fitting\.scenarios\.data makes them"):
        read(tmp_path, TRAINING)


def test_no_hands_no_positions(source):
    source.dataset.stored(0, Choice(None, "all", True, None))
    assert len(_frames()[0]) > 0
    empty = np.zeros(0, STORED_DTYPE)
    found, counts = scenario_data.sample_hands(empty, np.zeros(0, np.uint8), np.zeros(0, np.int8), 1.0)
    assert len(found.facts) == 0
    assert counts.sum() == 0
