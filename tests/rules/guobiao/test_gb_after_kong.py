"""杠上开花: a win on the tile drawn after a kong; not if a flower came between, nor after the next discard."""

from __future__ import annotations

from gb_scenario import deal, fans, play

HAND = "1111m234678p55z3s"


def test_win_on_the_replacement():
    table = deal({0: HAND}, {0: "4s 5s"})
    play(table, "0 concealed kong 1m", "0 hu")
    assert fans(table)["杠上开花"] == 1
    assert "自摸" not in fans(table)


def test_not_on_a_later_draw():
    table = deal({0: HAND, 1: "123456789m22p45s"}, {0: "4s 7z 5s"})
    play(table, "0 concealed kong 1m")
    assert table.state["after_kong"] == 1
    play(table, "0 play 7z")
    assert table.state["after_kong"] == 0


def test_a_kong_of_a_discard_counts_too():
    table = deal({2: "111m234678p55z34s"}, {0: "1m", 2: "5s"})
    play(table, "0 play 1m", "2 kong 1m")
    assert table.legal_names(2)[-1] == "hu"
    table.step("hu")
    assert fans(table)["杠上开花"] == 1
