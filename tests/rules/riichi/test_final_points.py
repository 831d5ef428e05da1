"""The end of the game: leftover sticks, ranks, uma and oka."""

from __future__ import annotations

import pytest
from scenario import deal, run_out

from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, Ruleset
from janshi.rules.riichi.table import Table


def finished(scores: list[int], rules: Ruleset = TENHOU, sticks: int = 0) -> Table:
    """A game that ends with these scores, after a draw without payments in South 4."""
    table = deal(round=7, scores=scores, sticks=sticks, rules=rules)
    run_out(table)
    table.step()
    assert table.over
    return table


@pytest.mark.parametrize(
    ("rules", "points"),
    [
        (TENHOU, [42.0, 11.0, -18.0, -35.0]),  # from 30,000; uma 20 and 10, oka 20
        (MAHJONG_SOUL, [22.0, 11.0, -8.0, -25.0]),  # from 25,000; uma 15 and 5, no oka
        (MLEAGUE, [52.0, 11.0, -18.0, -45.0]),  # from 30,000; uma 30 and 10, oka 20
    ],
)
def test_uma_and_oka(rules: Ruleset, points: list[float]) -> None:
    table = finished([32_000, 31_000, 22_000, 15_000], rules)
    assert table.ranks() == [1, 2, 3, 4]
    assert table.final_points().tolist() == points


def test_by_rank_not_by_seat() -> None:
    table = finished([15_000, 31_000, 22_000, 32_000])
    assert table.ranks() == [4, 2, 3, 1]
    assert table.final_points().tolist() == [-35.0, 11.0, -18.0, 42.0]


def test_hundreds_count() -> None:
    assert finished([32_100, 30_900, 22_000, 15_000]).final_points().tolist() == pytest.approx([42.1, 10.9, -18, -35])


def test_of_equal_scores_the_earlier_seat_is_ahead() -> None:
    table = finished([15_000, 35_000, 15_000, 35_000])
    assert table.ranks() == [3, 1, 4, 2]
    assert table.final_points().tolist() == [-25.0, 45.0, -35.0, 15.0]


def test_mleague_shares_the_ranks() -> None:
    table = finished([15_000, 35_000, 15_000, 35_000], MLEAGUE)
    # 5 + (50 + 10) / 2 and -15 - (10 + 30) / 2
    assert table.final_points().tolist() == [-35.0, 35.0, -35.0, 35.0]


def test_three_and_four_share_too() -> None:
    assert finished([25_000] * 4, MLEAGUE).final_points().tolist() == [0.0] * 4
    table = finished([40_000, 20_000, 20_000, 20_000], MLEAGUE)
    assert table.final_points().tolist() == [60.0, -20.0, -20.0, -20.0]


# --- sticks left on the table


def test_the_leader_takes_the_leftover_sticks() -> None:
    table = finished([20_000, 35_000, 25_000, 18_000], sticks=2)
    assert table.scores == [20_000, 37_000, 25_000, 18_000]
    assert table.sticks == 0


def test_of_equal_leaders_the_earlier_seat_takes_them() -> None:
    table = finished([15_000, 34_000, 34_000, 15_000], sticks=2)
    assert table.scores == [15_000, 36_000, 34_000, 15_000]


def test_they_count_in_the_final_points() -> None:
    table = finished([32_000, 31_000, 22_000, 14_000], sticks=1)
    assert table.final_points().tolist() == [43.0, 11.0, -18.0, -36.0]
    assert table.final_points().sum() == 0


def test_not_while_the_game_goes_on() -> None:
    table = deal(sticks=2, scores=[24_500] * 4)
    run_out(table)
    table.step()
    assert (table.over, table.sticks, table.scores) == (False, 2, [24_500] * 4)
