"""The score card of a review: its figures, and where they stand among the games of houou players."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from janshi.web.review.plans import Row
from janshi.web.review.reviewers import REVIEWERS
from janshi.web.review.score_card import PERCENTILES, norms_of, percentile, score_card, score_cards
from script_modules import load_script

NORMS = {name: [i / 100 for i in range(PERCENTILES)] for name in ("per_hand", "bad")} | {
    "rating": [float(i) for i in range(PERCENTILES)]
}


def row(number: int, loss: float | None, stake: float | None = 0.1, seat: int = 0, tag: str = "") -> Row:
    agreed = loss == 0.0
    return Row(number, number // 4, seat, 1, "discard", False, tag, loss, agreed, "a", "b", None, stake)


def test_the_figures_of_a_card():
    card = score_card([row(0, 0.0), row(1, 0.0), row(2, 0.03), row(3, 0.01)], 0, 2, REVIEWERS["mdp"], NORMS)
    assert card["agreement"] == 0.5
    assert card["bad"] == 0.25
    assert card["loss"] == pytest.approx(0.04)
    assert card["per_hand"] == pytest.approx(0.02)
    assert card["rating"] == pytest.approx(90.0)  # 0.04 of 0.4 at stake were lost


def test_decisions_without_a_value_count_for_agreement_only():
    card = score_card([row(0, 0.0), row(1, None, None)], 0, 1, REVIEWERS["mdp"], None)
    assert (card["decisions"], card["agreement"], card["bad"], card["rating"]) == (2, 0.5, 0.0, 100.0)
    assert set(card["percentiles"].values()) == {None}


def test_a_reviewer_without_values_gives_agreement_only():
    card = score_card([row(0, None, None)], 0, 1, REVIEWERS["one_player"], NORMS)
    assert card["agreement"] == 0.0
    assert (card["loss"], card["per_hand"], card["bad"], card["rating"]) == (None, None, None, None)


def test_every_reviewed_seat_has_a_card():
    assert set(score_cards([row(0, 0.0), row(1, 0.0, seat=2)], 1, REVIEWERS["mdp"], None)) == {"0", "2"}


def test_turning_points_are_the_dearest_plans():
    rows = [row(0, 0.02, tag="keep 1z"), row(1, 0.02, tag="keep 1z"), row(2, 0.03, tag="push"), row(3, 0.001)]
    rows += [row(4, 0.01, tag="call"), row(5, 0.002)]
    assert score_card(rows, 0, 2, REVIEWERS["mdp"], None)["turning_points"] == [0, 2, 4]  # the plan of two costs 0.04


def test_percentiles_say_how_many_games_are_worse():
    assert percentile(0.8, "per_hand", NORMS) == pytest.approx(20, abs=1)  # a large loss is worse than most
    assert percentile(80.0, "rating", NORMS) == pytest.approx(80, abs=1)
    assert percentile(-1.0, "bad", NORMS) == 100.0
    assert percentile(2.0, "bad", NORMS) == 0.0
    assert percentile(None, "bad", NORMS) is None
    assert norms_of("nobody:hands=3") is None


def test_percentiles_are_measured_from_calibrated_games(tmp_path: Path):
    script = load_script("write_percentiles")
    dtype = load_script("calibrate_review").DECISION_DTYPE
    for game in range(script.LEAST_GAMES):
        found = np.zeros(8, dtype)
        found["seat"], found["hand"] = np.arange(8) % 4, np.arange(8) // 4
        found["loss"], found["stake"] = 0.001 * game, 0.1
        np.savez(tmp_path / f"{game}.npz", decisions=found)
    table = script.percentiles(tmp_path, "mdp")
    assert (table["games"], table["players"]) == (25, 100)
    assert len(table["rating"]) == PERCENTILES
    assert table["per_hand"][0] == 0.0
    assert table["per_hand"][-1] == pytest.approx(0.024)
    assert table["bad"][50] == 0.0
    assert table["rating"][100] == 100.0
    with pytest.raises(SystemExit, match="percentiles need"):
        script.percentiles(tmp_path / "nothing", "mdp")
