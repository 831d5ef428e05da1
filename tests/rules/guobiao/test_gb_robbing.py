"""Only an added kong can be robbed; who is robbed pays as if they had discarded the tile."""

from __future__ import annotations

from gb_scenario import deal, fans, play

CHEAP = "789m456p789s22p45s"


def adding():
    table = deal({0: "33s147m258p12345z", 1: CHEAP}, {0: "6z 3s 9m", 2: "3s"})
    play(table, "0 play 6z", "2 play 3s", "0 peng 3s", "0 play 1z", "0 added kong 3s")
    return table


def test_an_added_kong_is_robbed():
    table = adding()
    assert table.asked == (1,)
    assert table.legal_names(1) == ["hu", "pass"]
    table.step("hu")
    assert table.result is not None
    assert table.result.kind == "robbed kong"
    assert fans(table) == {"抢杠和": 1, "门前清": 1, "平和": 1, "喜相逢": 1}
    assert table.scores == [-21, 37, -8, -8]
    assert str(table.melds(0)[0]) == "(333s)"


def test_a_passed_added_kong_is_completed():
    table = adding()
    table.step("pass")
    assert str(table.melds(0)[0]) == "(333+3s)"
    assert table.actor == 0
    assert table.drawn is not None


def test_a_concealed_kong_is_not_robbed():
    table = deal({0: "333s147m258p1234z", 1: "789m456p789s22p45s"}, {0: "3s 9m"})
    play(table, "0 concealed kong 3s")
    assert table.asked == (0,)
