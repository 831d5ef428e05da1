"""Own walls: each seat draws from the end of its own quarter; calls never shift what the others draw."""

from __future__ import annotations

from gb_scenario import deal, leave, play

from janshi.core.tiles import parse_tiles
from janshi.rules.guobiao.table import Table


def test_hands_and_draws_come_from_the_end_of_each_quarter():
    wall = Table(seed=3).state["wall"][:136].tolist()
    table = Table(wall=wall, wind=0)
    for seat in range(4):
        mine = wall[34 * seat : 34 * seat + 34]
        dealt = sorted([*mine[21:], *([mine[20]] if seat == 0 else [])])
        assert table.hand(seat) == dealt
    assert table.tiles_left == [20, 21, 21, 21]


def test_a_peng_does_not_shift_the_draws():
    table = deal({2: "55z147m258p369s12z"}, {0: "5z 7z", 1: "9p", 2: "1m", 3: "8s"})
    play(table, "0 play 5z", "2 peng 5z", "2 play 1z")
    assert (table.actor, table.drawn) == (3, parse_tiles("8s")[0])
    assert table.tiles_left == [20, 21, 21, 20]
    play(table, "3 play 8s", "0 play 7z")
    if table.actor == 0:
        table.step(dict.fromkeys(table.asked, "pass"))
    assert table.actor == 1
    assert table.drawn == parse_tiles("9p")[0]


def test_a_kong_is_replaced_from_the_same_wall():
    table = deal({0: "1111m147p258s123z"}, {0: "9p 7z"})
    play(table, "0 concealed kong 1m")
    assert (table.actor, table.drawn) == (0, parse_tiles("7z")[0])
    assert table.tiles_left == [19, 21, 21, 21]


def test_the_hand_is_drawn_when_the_next_to_draw_has_no_tile():
    table = deal({0: "147m258p369s1234z"}, {0: "5z"})
    leave(table, {1: 0})
    play(table, "0 play 5z")
    assert table.result is not None
    assert (table.result.kind, table.result.changes) == ("draw", (0, 0, 0, 0))


def test_an_open_kong_with_an_empty_wall_is_a_draw():
    table = deal({2: "555z147m258p369s1z"}, {0: "5z"})
    leave(table, {2: 0})
    play(table, "0 play 5z", "2 kong 5z")
    assert table.result is not None
    assert table.result.is_draw
