"""Payments: 8 + fan from all on a self-draw; from the discarder, and 8 from the others, on a discard; penalties."""

from __future__ import annotations

import pytest
from gb_scenario import deal, play

from janshi.rules.guobiao.actions import ActionError

PURE = "123456789m22p45s"
"""A pure straight: 20 fan on a discard of 3s."""


def test_discard():
    table = deal({1: PURE}, {0: "3s"})
    play(table, "0 play 3s", "1 hu")
    assert table.scores == [-28, 44, -8, -8]


def test_self_draw():
    table = deal({2: PURE}, {0: "7z", 1: "6z", 2: "3s"})
    play(table, "0 play 7z", "1 play 6z", "2 hu")
    assert table.result is not None
    assert table.result.win is not None
    fan = table.result.win.total
    assert table.scores == [-8 - fan, -8 - fan, 3 * (8 + fan), -8 - fan]
    assert fan == 22


def test_false_hu():
    table = deal({1: PURE})
    table.declare_false_hu(1)
    assert table.result is not None
    assert (table.result.kind, table.result.penalised) == ("penalty", 1)
    assert table.scores == [10, -30, 10, 10]
    assert table.asked == ()
    table.step()
    assert table.over


def test_penalty_needs_a_hand_and_a_seat():
    table = deal({1: PURE})
    with pytest.raises(ActionError, match="4 is not a seat"):
        table.declare_false_hu(4)
    table.declare_false_hu(0)
    with pytest.raises(ActionError, match="no hand is being played"):
        table.declare_false_hu(0)


def test_masks_forbid_a_false_hu():
    table = deal({1: PURE})
    with pytest.raises(ActionError, match="may not take action 233"):
        table.step({0: "hu"})
