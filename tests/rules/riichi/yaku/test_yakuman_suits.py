"""Yakuman of one suit or colour: nine gates, all green."""

from __future__ import annotations

import pytest

from janshi import Hand
from janshi.rules.riichi.ruleset import Ruleset

DOUBLE = Ruleset(double_yakuman=True)


@pytest.mark.parametrize("extra", "123456789")
def test_pure_nine_gates_wait_on_the_whole_suit(extra: str) -> None:
    hand = Hand(f"1112345678999p{extra}p")
    assert hand.score().names == ("junsei chuuren poutou",)
    assert hand.score(rules=DOUBLE).yakuman == 2


def test_nine_gates() -> None:
    hand = Hand("11123455678999s")
    assert hand.score(winning_tile="2s").names == ("chuuren poutou",)
    assert hand.score(winning_tile="9s", rules=DOUBLE).yakuman == 1


def test_not_with_a_concealed_kan() -> None:
    assert "chuuren poutou" not in Hand("23456788999m [1111m]").score()


def test_not_with_a_rank_missing() -> None:
    assert Hand("11123456678999m").score().yakuman == 1
    assert Hand("11134567899977m").score().yakuman == 0


@pytest.mark.parametrize("hand", ["223344s666s888s6z6z", "223344s6z6z (666s) (888s)", "234s66s8s8s8s (222s) (444s)"])
def test_all_green_with_or_without_the_dragon(hand: str) -> None:
    assert Hand(hand).score(tsumo=True).names == ("ryuuiisou",)


def test_not_all_green() -> None:
    assert "ryuuiisou" not in Hand("223344s666s888s7z7z").score()
    assert "ryuuiisou" not in Hand("223344s666s555s6z6z").score()
