"""Blessings of heaven (dealer) and earth (others): a win on the first draw."""

from __future__ import annotations

from janshi import Hand

HAND = "123m456p789s22p56m7m"


def test_heaven_for_the_dealer() -> None:
    assert Hand(HAND).score(tsumo=True, first_turn=True).names == ("tenhou",)


def test_earth_for_the_others() -> None:
    report = Hand(HAND).score(tsumo=True, first_turn=True, seat_wind="N")
    assert (report.names, report.total) == (("chiihou",), 32_000)


def test_adds_to_another_yakuman() -> None:
    report = Hand("555z666z777z123m9m9m").score(tsumo=True, first_turn=True)
    assert (set(report.names), report.total) == ({"tenhou", "daisangen"}, 96_000)
