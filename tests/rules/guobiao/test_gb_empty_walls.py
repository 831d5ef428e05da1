"""No call when the player after the discarder has no tile left; a kong on one's own turn needs a tile on both sides."""

from __future__ import annotations

import pytest
from gb_scenario import deal, leave, play

CALLERS = {1: "46s147m258p12345z", 2: "555s147m258p1236z"}


def test_calls_with_tiles_left():
    table = deal(CALLERS, {0: "5s"})
    play(table, "0 play 5s")
    assert table.asked == (1, 2)
    assert table.legal_names(1) == ["chi 456s taking 5s", "pass"]
    assert table.legal_names(2) == ["peng 5s", "kong 5s", "pass"]


def test_no_call_without():
    table = deal(CALLERS, {0: "5s"})
    leave(table, {1: 0})
    play(table, "0 play 5s")
    assert table.result is not None
    assert table.result.is_draw


@pytest.mark.parametrize(("left", "allowed"), [({}, True), ({2: 1}, False), ({3: 0}, False)])
def test_kong_on_the_own_turn(left: dict[int, int], allowed: bool):
    table = deal({0: "258m258p369s1234z", 2: "1111m147p258s567z"}, {0: "7z", 1: "9p", 2: "9s"})
    play(table, "0 play 7z")
    leave(table, left)
    play(table, "1 play 9p")
    assert table.actor == 2
    assert ("concealed kong 1m" in table.legal_names(2)) == allowed
