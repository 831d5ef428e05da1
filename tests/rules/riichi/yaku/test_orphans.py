"""Thirteen orphans."""

from __future__ import annotations

import pytest

from janshi import Hand
from janshi.rules.riichi.hand import HandError
from janshi.rules.riichi.ruleset import Ruleset


def test_thirteen_orphans() -> None:
    report = Hand("19m19p19s12345677z").score(winning_tile="1m")
    assert report.names == ("kokushi musou",)
    assert report.total == 48_000


def test_thirteen_sided_wait_counts_twice_where_played() -> None:
    hand = Hand("19m19p19s12345677z")
    assert hand.score().names == ("kokushi musou juusanmen",)
    assert (hand.score().yakuman, hand.score(rules=Ruleset(double_yakuman=True)).yakuman) == (1, 2)


def test_one_kind_missing() -> None:
    with pytest.raises(HandError, match="not complete"):
        Hand("19m19p119s1234566z").score()


def test_with_the_blessing_of_earth() -> None:
    report = Hand("19m19p19s12345677z").score(tsumo=True, first_turn=True, seat_wind="S")
    assert (set(report.names), report.yakuman) == ({"chiihou", "kokushi musou juusanmen"}, 2)
