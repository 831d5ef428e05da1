"""Random deviations in Guobiao and what followed them without luck."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.luck.points.deviations import Deviations, drawn_by
from janshi.rules.registry import make_game


@pytest.fixture(scope="module")
def played():
    return Deviations(make_game("guobiao")).play(np.arange(3, dtype=np.uint64), np.random.default_rng(1))


def test_deviations_are_legal_and_followed_to_the_end(played):
    found, points = played
    assert points.sum() == pytest.approx(0)
    assert len(found) > 10
    for row in found:
        assert not np.isnan(row["values"][row["action"]])
        assert row["chances"].sum() == pytest.approx(1, abs=1e-4)
        assert np.isfinite([row["value"], row["soon"], row["result"]]).all()


def test_the_last_decision_of_a_hand_is_followed_by_no_luck(played):
    found, points = played
    for game in range(len(points)):
        last = found[found["game"] == game][-1]
        if np.isclose(last["soon"], last["result"], atol=1e-3):
            return  # fewer draws were left than are looked ahead
    pytest.fail("no deviation near the end of a hand")


def test_deviations_are_drawn_by_flattened_probabilities():
    legal = np.array([[True, True, False]])
    likely = drawn_by(np.array([[0.9, 0.1, 0.0]]), legal)[0]
    assert likely.sum() == pytest.approx(1)
    assert likely[2] == 0
    assert likely[0] == pytest.approx(0.9 * 3 / 4 + 0.05)  # square roots are as 3 to 1
