"""Waits of every winning shape, and that what waits say is what the count of fan says."""

from __future__ import annotations

import numpy as np
import pytest
from gb_scenario import deal

from janshi.core.tiles import format_tiles, parse_tiles
from janshi.rules.guobiao.concealed import find_waits, nearest
from janshi.rules.guobiao.ruleset import BOTZONE
from janshi.rules.guobiao.state import Context, new_context


def context() -> Context:
    frame, tables = new_context(BOTZONE)
    records = frame.view(np.recarray)
    return Context(records[0].rules, tables[0], records[0].win, records[0].score)


def waits(text: str) -> str:
    table = deal({1: text})
    mask = int(table.state["waits"][1])
    return format_tiles([kind for kind in range(34) if mask >> kind & 1])


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("1112345678999m", "123456789m"),  # nine gates
        ("19m19p19s1234567z", "19m19p19s1234567z"),  # thirteen orphans
        ("19m19p19s1234566z", "7z"),
        ("1133m2255p4477s6z", "6z"),  # seven pairs
        ("1111m2255p4477s6z", "6z"),  # four equal tiles are two pairs
        ("147m258p369s1234z", "567z"),  # knitted and honours
        ("147m25p369s12345z", "8p67z"),
        ("147m258p369s222z1m", "1m"),  # knitted straight
        ("147m258p36s22255z", "9s"),
        ("147m258p369s33z45m", "36m"),
        ("123456789m22p45s", "36s"),
        ("147m258p369s1123z", ""),
    ],
)
def test_waits(hand: str, expected: str):
    assert waits(hand) == expected


def test_knitted_straight_with_a_meld():
    c = context()
    hand = np.zeros(34, np.int8)
    for kind in parse_tiles("147m258p369s5z"):
        hand[kind] += 1
    assert find_waits(hand, 1, c) == 1 << parse_tiles("5z")[0]
    assert nearest(hand, 1, c) == 0
    assert nearest(hand, 2, c) > 0
