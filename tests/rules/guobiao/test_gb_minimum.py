"""A win needs eight fan, flowers not counted; flowers are paid."""

from __future__ import annotations

from dataclasses import replace

from gb_scenario import deal, fans, play

from janshi.core.tiles import parse_tiles
from janshi.rules.guobiao.ruleset import BOTZONE
from janshi.rules.guobiao.state import NONE

CHEAP = "789m456p789s22p45s"
"""Seven fan on a discard of 6s, nine if it is drawn."""


def test_seven_fan_may_not_win():
    table = deal({1: CHEAP}, {0: "6s"})
    play(table, "0 play 6s")
    assert table.state["waits"][1] == sum(1 << kind for kind in parse_tiles("36s"))
    assert "hu" not in table.legal_names(1)


def test_nine_fan_may():
    table = deal({1: CHEAP}, {0: "7z", 1: "6s"})
    play(table, "0 play 7z", "1 hu")
    assert fans(table) == {"不求人": 1, "平和": 1, "喜相逢": 2, "连六": 1}
    assert table.scores == [-17, 51, -17, -17]


def test_the_minimum_is_a_flag():
    table = deal({1: CHEAP}, {0: "6s"}, rules=replace(BOTZONE, minimum_fan=7))
    play(table, "0 play 6s", "1 hu")
    assert table.scores == [-15, 31, -8, -8]


def test_flowers_do_not_help_but_are_paid():
    table = deal({1: CHEAP}, {0: "6s", 1: "6s"})
    table.state["flowers"][1] = 0b111
    play(table, "0 play 6s")
    assert "hu" not in table.legal_names(1)
    play(table, "1 hu")
    assert fans(table)["花牌"] == 3
    assert table.scores == [-20, 60, -20, -20]


def test_no_hu_after_a_call():
    table = deal({1: "123456789m22p46s"}, {0: "5s"})
    play(table, "0 play 5s")
    table.step({1: "chi 456s taking 5s"} | {p: "pass" for p in table.asked if p != 1})
    assert table.state["drawn"] == NONE
    assert "hu" not in table.legal_names(1)
