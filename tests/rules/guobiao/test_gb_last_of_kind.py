"""和绝张: the other three of the winning tile lie open, as passed discards or in open melds."""

from __future__ import annotations

from gb_scenario import deal, fans, play

from janshi.core.tiles import parse_tiles

CHEAP = "789m456p789s22p45s"
"""Waits for 3s and 6s; five fan on a discard of 3s."""


def test_the_fourth_after_three_passed_discards():
    table = deal({1: CHEAP}, {0: "3s 3s", 2: "3s", 3: "3s"})
    for move in ("0 play 3s", "2 play 3s", "3 play 3s"):
        play(table, move)
        assert "hu" not in table.legal_names(1)
    play(table, "0 play 3s", "1 hu")
    assert fans(table)["和绝张"] == 1
    assert table.scores == [-17, 33, -8, -8]


def test_the_fourth_after_an_open_peng():
    table = deal({1: CHEAP, 2: "33s147m258p12345z"}, {0: "3s 3s"})
    play(table, "0 play 3s", "2 peng 3s", "0 play 3s", "1 hu")
    assert fans(table)["和绝张"] == 1


def test_a_concealed_kong_is_not_seen():
    table = deal({0: "1111m147p258s123z"}, {0: "9p"})
    play(table, "0 concealed kong 1m")
    assert table.state["seen"][parse_tiles("1m")[0]] == 0
