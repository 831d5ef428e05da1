"""Limits by han and fu, and the rules that move them."""

from __future__ import annotations

import pytest

from janshi import Hand
from janshi.rules.riichi.points import LIMITS, limit_of
from janshi.rules.riichi.ruleset import Ruleset

TENHOU = Ruleset().record()[0]


@pytest.mark.parametrize(
    ("han", "fu", "limit"),
    [
        (1, 110, ""),
        (3, 60, ""),
        (3, 70, "mangan"),
        (4, 30, ""),
        (4, 40, "mangan"),
        (5, 20, "mangan"),
        (6, 30, "haneman"),
        (7, 30, "haneman"),
        (8, 30, "baiman"),
        (10, 30, "baiman"),
        (11, 30, "sanbaiman"),
        (12, 30, "sanbaiman"),
        (13, 30, "counted yakuman"),
        (30, 30, "counted yakuman"),
    ],
)
def test_limits(han: int, fu: int, limit: str) -> None:
    assert LIMITS[limit_of(han, fu, TENHOU)] == limit


@pytest.mark.parametrize(("han", "fu"), [(4, 30), (3, 60)])
def test_rounded_mangan(han: int, fu: int) -> None:
    rules = Ruleset(rounded_mangan=True).record()[0]
    assert LIMITS[limit_of(han, fu, rules)] == "mangan"
    assert LIMITS[limit_of(han, fu - 10, rules)] == ""


def test_without_counted_yakuman_13_han_are_a_sanbaiman() -> None:
    assert LIMITS[limit_of(13, 30, Ruleset(counted_yakuman=False).record()[0])] == "sanbaiman"


COUNTED = "22334455667788m"


def test_counted_yakuman_in_a_hand() -> None:
    report = Hand(COUNTED).score(riichi=True, dora_indicators="1m", seat_wind="S")
    assert (report.han, report.limit, report.yakuman, report.total) == (14, "counted yakuman", 0, 32_000)
    rules = Ruleset(counted_yakuman=False)
    assert Hand(COUNTED).score(riichi=True, dora_indicators="1m", rules=rules, seat_wind="S").total == 24_000


def test_rounded_mangan_in_a_hand() -> None:
    hand = Hand("234m456p678s22p56m7m")
    args = {"riichi": True, "dora_indicators": "7s", "seat_wind": "S"}
    assert hand.score(**args).total == 7700
    report = hand.score(**args, rules=Ruleset(rounded_mangan=True))
    assert (report.han, report.fu, report.limit, report.total) == (4, 30, "mangan", 8000)
