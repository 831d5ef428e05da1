"""The last tile is the one after which the next player has none to draw (海底捞月, 妙手回春)."""

from __future__ import annotations

from gb_scenario import deal, fans, leave, play

CHEAP = "789m456p789s22p45s"
"""Waits for 3s and 6s; seven fan on a discard of 6s, nine if it is drawn."""


def test_last_discard():
    table = deal({1: CHEAP}, {0: "6s"})
    play(table, "0 play 6s")
    assert "hu" not in table.legal_names(1)
    table = deal({1: CHEAP}, {0: "6s"})
    leave(table, {1: 0})
    play(table, "0 play 6s", "1 hu")
    assert fans(table)["海底捞月"] == 1


def test_last_draw():
    table = deal({1: CHEAP}, {0: "7z", 1: "6s"})
    leave(table, {2: 0})
    play(table, "0 play 7z", "1 hu")
    assert fans(table)["妙手回春"] == 1
    assert "自摸" not in fans(table)


def test_not_last_if_only_the_own_wall_is_empty():
    table = deal({1: CHEAP}, {0: "7z", 1: "6s"})
    leave(table, {1: 1})
    play(table, "0 play 7z")
    assert table.tiles_left[1] == 0
    play(table, "1 hu")
    assert "妙手回春" not in fans(table)
