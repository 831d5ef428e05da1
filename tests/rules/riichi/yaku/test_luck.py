"""Yaku of how the hand was won: riichi, ippatsu, self-draw, kans, last tiles."""

from __future__ import annotations

import pytest

from janshi import Hand
from janshi.rules.riichi.ruleset import Ruleset

CLOSED = "123m456p789s11p56m7m"
OPEN = "456p789s11p56m7m (234m)"
WITH_KAN = "456p789s22p567m [1111m]"


def test_self_draw_needs_a_closed_hand() -> None:
    assert Hand(CLOSED).score(tsumo=True, seat_wind="S").han_for("menzen tsumo") == 1
    assert "menzen tsumo" not in Hand(CLOSED).score(riichi=True)
    assert "menzen tsumo" in Hand(WITH_KAN).score(tsumo=True)
    assert "menzen tsumo" not in Hand(OPEN).score(tsumo=True, last_tile=True)


def test_riichi() -> None:
    report = Hand(CLOSED).score(riichi=True)
    assert report.han_for("riichi") == 1
    assert "double riichi" not in report


def test_double_riichi_replaces_riichi() -> None:
    report = Hand(CLOSED).score(double_riichi=True)
    assert report.han_for("daburu riichi") == 2
    assert "riichi" not in report


def test_ippatsu_counts_where_it_is_played() -> None:
    assert Hand(CLOSED).score(riichi=True, ippatsu=True).han_for("ippatsu") == 1
    assert "ippatsu" in Hand(CLOSED).score(double_riichi=True, ippatsu=True)
    assert "ippatsu" not in Hand(CLOSED).score(riichi=True)
    assert "ippatsu" not in Hand(CLOSED).score(riichi=True, ippatsu=True, rules=Ruleset(ippatsu=False))


@pytest.mark.parametrize("hand", [CLOSED, OPEN])
def test_last_tile_is_haitei_by_draw_and_houtei_by_discard(hand: str) -> None:
    drawn, taken = Hand(hand).score(tsumo=True, last_tile=True), Hand(hand).score(last_tile=True)
    assert (drawn.han_for("haitei"), "houtei" in drawn) == (1, False)
    assert (taken.han_for("houtei"), "haitei" in taken) == (1, False)


def test_win_after_a_kan() -> None:
    report = Hand(WITH_KAN).score(tsumo=True, rinshan=True)
    assert report.han_for("rinshan kaihou") == 1
    assert "rinshan kaihou" in Hand("789s22p567m [1111m] (234p)").score(tsumo=True, rinshan=True)
    assert "rinshan kaihou" not in Hand(WITH_KAN).score(tsumo=True)


@pytest.mark.parametrize("hand", [CLOSED, OPEN])
def test_robbing_a_kan(hand: str) -> None:
    assert Hand(hand).score(chankan=True).han_for("chankan") == 1


def test_chankan_may_be_ippatsu() -> None:
    report = Hand(CLOSED).score(riichi=True, ippatsu=True, chankan=True)
    assert report.han_for("ippatsu") + report.han_for("chankan") == 2
