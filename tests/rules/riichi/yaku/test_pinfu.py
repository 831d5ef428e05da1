"""Pinfu: a closed hand of sequences, a pair without value and a two-sided wait."""

from __future__ import annotations

import pytest

from janshi import Hand


@pytest.mark.parametrize(
    "hand", ["123m456p789s22p56m7m", "123m456p789s22p56m4m", "234m456p678s22z78m9m", "123456789m22p34s5s"]
)
def test_two_sided_wait(hand: str) -> None:
    assert Hand(hand).score(seat_wind="W").han_for("pinfu") == 1


@pytest.mark.parametrize("wait", ["12m3m", "89m7m", "24m3m", "79m8m"])
def test_not_with_an_edge_or_closed_wait(wait: str) -> None:
    assert "pinfu" not in Hand(f"456p789s123p55s{wait}").score(riichi=True)


def test_not_with_a_single_wait() -> None:
    assert "pinfu" not in Hand("123m456p789s567m2p2p").score(riichi=True)


@pytest.mark.parametrize("pair", ["11z", "22z", "55z", "66z", "77z"])
def test_not_with_a_pair_of_value(pair: str) -> None:
    assert "pinfu" not in Hand(f"123m456p789s{pair}56m7m").score(riichi=True, seat_wind="E", round_wind="S")


def test_pair_of_another_wind() -> None:
    assert "pinfu" in Hand("123m456p789s33z56m7m").score(seat_wind="E", round_wind="S")


def test_not_with_a_triplet() -> None:
    assert "pinfu" not in Hand("111m456p789s22p56m7m").score(riichi=True)


def test_not_in_an_open_hand() -> None:
    assert "pinfu" not in Hand("456p678s22p56m7m (234m)").score()


def test_the_better_place_of_the_winning_tile_is_taken() -> None:
    """455667: the last 6 completes 567 (closed wait) or 456 (two-sided)."""
    assert "pinfu" in Hand("45567m123p789s22p6m").score()


def test_self_draw_counts_20_fu() -> None:
    report = Hand("123m456p789s22p56m7m").score(tsumo=True)
    assert (report.han, report.fu) == (2, 20)
