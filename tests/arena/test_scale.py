"""The scale of strength from matches against copies: by hand, against simulated games, and chains of players."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.arena.ratings import ELO
from janshi.arena.scale import Meeting, ahead, rate


def test_one_meeting_by_hand() -> None:
    # Rank 2.2 among three opponents: behind each of them with chance 0.4, ahead with 0.6, odds 1.5.
    found = rate([Meeting("b", "a", 2.2, 0.1)], "a")
    assert found["a"].value == found["a"].low == found["a"].high == 1000
    assert found["b"].value == pytest.approx(1000 + 400 * np.log10(1.5))
    # Half of the interval: 0.1 places are 0.1 / 3 of chance, whose logit changes by that over 0.6 · 0.4.
    assert found["b"].high - found["b"].value == pytest.approx(ELO * 0.1 / 3 / 0.24, rel=1e-3)
    assert ahead(found["b"].value, 1000) == pytest.approx(0.6)


def test_average_ranks_of_the_model_give_back_its_strengths() -> None:
    rng = np.random.default_rng(5)
    strength = {"a": 0.0, "b": 0.4, "c": 0.9}

    def met(player: str, against: str, games: int = 60_000) -> Meeting:
        theta = np.array([strength[player], *[strength[against]] * 3])
        order = np.argsort(-(theta + rng.gumbel(size=(games, 4))), axis=1)  # Plackett-Luce by Gumbel noise
        ranks = 1 + np.argmax(order == 0, axis=1)
        return Meeting(player, against, float(ranks.mean()), 1.96 * float(ranks.std()) / games**0.5)

    found = rate([met("b", "a"), met("c", "b"), met("c", "a")], "a", at=0)
    for name, theta in strength.items():
        assert found[name].value == pytest.approx(ELO * theta, abs=5)
        assert found[name].low <= found[name].value <= found[name].high


def test_precise_meetings_count_more_and_chains_add_up() -> None:
    even = Meeting("b", "a", 2.5, 0.01)
    vague = Meeting("b", "a", 1.6, 1.0)
    assert rate([even, vague], "a")["b"].value == pytest.approx(1000, abs=1)
    chain = rate([Meeting("b", "a", 2.2, 0.05), Meeting("c", "b", 2.2, 0.05)], "a")
    step = chain["b"].value - 1000
    assert chain["c"].value - 1000 == pytest.approx(2 * step)
    assert chain["c"].high - chain["c"].low > chain["b"].high - chain["b"].low


def test_players_who_met_nobody_of_the_scale_are_left_out() -> None:
    found = rate([Meeting("b", "a", 2.4, 0.1), Meeting("y", "z", 2.0, 0.1)], "a")
    assert set(found) == {"a", "b"}
    assert set(rate([], "a")) == {"a"}


def test_three_players_and_hopeless_ranks() -> None:
    assert rate([Meeting("b", "a", 2.0, 0.1, players=3)], "a")["b"].value == pytest.approx(1000)
    assert np.isfinite(rate([Meeting("b", "a", 4.0, 0.01)], "a")["b"].value)
