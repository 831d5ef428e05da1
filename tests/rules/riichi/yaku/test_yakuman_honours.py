"""Yakuman of honours: big three dragons, the four winds, all honours."""

from __future__ import annotations

import pytest

from janshi import Hand
from janshi.rules.riichi.ruleset import Ruleset

DOUBLE = Ruleset(double_yakuman=True)


@pytest.mark.parametrize("hand", ["555z666z777z123m9m9m", "123m9m9m (555z) (6666z) [7777z]"])
def test_big_three_dragons(hand: str) -> None:
    report = Hand(hand).score(winning_tile="9m")
    assert report.names == ("daisangen",)
    assert report.yakuman == 1


def test_little_four_winds() -> None:
    assert Hand("111z222z333z123m4z4z").score().names == ("shousuushii",)
    assert Hand("123m4z4z (111z) (222z) (3333z)").score(rules=DOUBLE).yakuman == 1
    assert Hand("111z222z333z123m9m9m").score().yakuman == 0


def test_big_four_winds_count_twice_where_played() -> None:
    hand = Hand("9m9m (111z) (222z) (3333z) (444z)")
    assert hand.score().names == ("daisuushii",)
    assert hand.score().yakuman == 1
    assert hand.score(rules=DOUBLE).yakuman == 2


def test_all_honours() -> None:
    assert Hand("5z5z (111z) (222z) (333z) (666z)").score().names == ("tsuuiisou",)
    assert "tsuuiisou" in Hand("1122334455667z7z").score()
    assert "tsuuiisou" not in Hand("9m9m (111z) (222z) (333z) (666z)").score()


def test_yakuman_add_up() -> None:
    report = Hand("5z5z (111z) (222z) (333z) (444z)").score(seat_wind="S")
    assert (set(report.names), report.yakuman) == ({"tsuuiisou", "daisuushii"}, 2)
    assert report.total == 64_000
