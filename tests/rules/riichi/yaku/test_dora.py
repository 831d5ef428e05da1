"""Dora: from indicators, ura-dora with riichi, red fives; they are no yaku."""

from __future__ import annotations

import pytest

from janshi import Hand
from janshi.rules.riichi.hand import NoYakuError
from janshi.rules.riichi.ruleset import Ruleset


@pytest.mark.parametrize(
    ("hand", "indicator", "count"),
    [
        ("123m456p789s22p56m7m", "6m", 1),
        ("123m456p789s22p56m7m", "9m", 1),
        ("123m456p789s22p56m7m", "1p", 2),
        ("123m456p789s11z56m7m", "4z", 2),
        ("123m456p789s22z56m7m", "1z", 2),
        ("123m456p789s55z56m7m", "7z", 2),
        ("123m456p789s77z56m7m", "6z", 2),
        ("123m456p789s22p56m7m", "1p1p", 4),
        ("123m456p789s22p56m7m", "3s", 0),
    ],
)
def test_indicators(hand: str, indicator: str, count: int) -> None:
    report = Hand(hand).score(riichi=True, dora_indicators=indicator)
    assert report.dora == count
    assert report.han - count == Hand(hand).score(riichi=True).han


def test_melds_count() -> None:
    assert Hand("234m678s2p2p (555z) [3333p]").score(dora_indicators="2p7z").dora == 4 + 3


def test_red_fives() -> None:
    report = Hand("340m406p789s22p56m7m").score()
    assert report.red == 2
    assert Hand("345m406p789s22p56m7m").score(riichi=True).red == 1
    assert Hand("678s22p567m340p (340m)").score().red == 2
    assert Hand("345m456p678s22p56m").score(winning_tile="7m").red == 0
    assert Hand("345m456p678s22p67m").score(winning_tile="0m").red == 1


def test_ura_dora_count_with_riichi() -> None:
    report = Hand("123m456p789s22p56m7m").score(riichi=True, ura_indicators="1p")
    assert (report.ura, report.dora) == (2, 0)
    rules = Ruleset(ura_dora=False)
    assert Hand("123m456p789s22p56m7m").score(riichi=True, ura_indicators="1p", rules=rules).ura == 0


def test_dora_are_no_yaku() -> None:
    with pytest.raises(NoYakuError):
        Hand("456p678s22p56m7m (123m)").score(dora_indicators="1p")


def test_dora_do_not_count_in_a_yakuman() -> None:
    report = Hand("555z666z777z123m9m9m").score(dora_indicators="7z8m")
    assert (report.dora, report.han, report.yakuman) == (0, 0, 1)
