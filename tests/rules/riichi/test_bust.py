"""Busting: the game ends when a player falls below zero, not at zero."""

from __future__ import annotations

import pytest
from scenario import deal, play, run_out

from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, Ruleset

PINFU_4M_7M = "123m456p789s22p56m"


@pytest.mark.parametrize(
    ("rules", "points", "ends"),
    [
        (TENHOU, 1000, False),
        (TENHOU, 900, True),
        (MAHJONG_SOUL, 1000, False),
        (MAHJONG_SOUL, 900, True),
        (MLEAGUE, 900, False),
        (MLEAGUE, -20_000, False),
    ],
)
def test_by_paying_a_win_of_a_thousand(rules: Ruleset, points: int, ends: bool) -> None:
    scores = [points, 20_000, 20_000, 60_000 - points]
    table = deal({1: PINFU_4M_7M}, draws="7m", dora="7z", scores=scores, rules=rules)
    play(table, "0 tsumogiri", "1 ron")
    assert table.scores[0] == points - 1000
    table.step()
    assert table.over == ends


def test_by_paying_for_tenpai() -> None:
    table = deal({1: PINFU_4M_7M}, scores=[900, 20_000, 20_000, 59_100])
    run_out(table)
    table.step()
    assert table.over
    assert table.scores == [-100, 23_000, 19_000, 58_100]


def test_a_stick_does_not_bust() -> None:
    table = deal({0: PINFU_4M_7M}, draws="1z", scores=[1000, 20_000, 20_000, 59_000])
    play(table, "0 riichi", "0 tsumogiri")
    run_out(table)
    table.step()
    assert not table.over
