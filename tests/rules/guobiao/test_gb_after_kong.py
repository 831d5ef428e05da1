"""杠上开花: a win on the tile drawn after a kong; not if a flower came between, nor after the next discard."""

from __future__ import annotations

from dataclasses import replace

from gb_scenario import OWN_WALL, deal, fans, play, walls

from janshi.rules.guobiao.ruleset import BOTZONE
from janshi.rules.guobiao.state import FIRST_FLOWER
from janshi.rules.guobiao.table import Table

HAND = "1111m234678p55z3s"


def test_win_on_the_replacement():
    table = deal({0: HAND}, {0: "4s 5s"})
    play(table, "0 concealed kong 1m", "0 hu")
    assert fans(table)["杠上开花"] == 1
    assert "自摸" not in fans(table)


def test_not_on_a_later_draw():
    table = deal({0: HAND}, {0: "4s 7z 5s"})
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


def test_a_flower_between_takes_it_away():
    """Each wall gets two flowers: seat 0's come after the draw of 4s, so that the replacement is 5s."""
    plain = walls({0: HAND}, {0: "4s 5s"})
    wall: list[int] = []
    for seat in range(4):
        quarter = plain[OWN_WALL * seat : OWN_WALL * (seat + 1)]
        flowers = [FIRST_FLOWER + 2 * seat, FIRST_FLOWER + 2 * seat + 1]
        at = OWN_WALL - 14 if seat == 0 else 0
        wall += [*quarter[:at], *flowers, *quarter[at:]]
    table = Table(rules=replace(BOTZONE, flowers=True), wall=wall, wind=0)
    play(table, "0 concealed kong 1m")
    assert table.flowers(0) == [1, 2]
    assert table.drawn == 22
    assert table.state["after_kong"] == 0
