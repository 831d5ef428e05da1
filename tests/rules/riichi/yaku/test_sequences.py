"""Yaku of sequences: twins once and twice, full straight, three colours."""

from __future__ import annotations

import pytest

from janshi import Hand


def test_twin_sequences() -> None:
    assert Hand("223344m456p678s5p5p").score().han_for("iipeikou") == 1
    assert "iipeikou" not in Hand("234345m456p678s5p5p").score()


def test_twin_sequences_need_a_closed_hand() -> None:
    assert "iipeikou" not in Hand("223344m678s5p5p (456p)").score()
    assert "iipeikou" in Hand("223344m678s5p5p [4444p]").score()
    assert "iipeikou" not in Hand("234m678s456p5p5p (234m)").score()


def test_three_equal_sequences_are_twins_once_or_triplets() -> None:
    report = Hand("222333444m567p5s5s").score(riichi=True, winning_tile="5p")
    assert "sanankou" in report  # worth more than pinfu and twins
    report = Hand("777888999m123p1s1s").score(riichi=True, winning_tile="1p")
    assert {"pinfu", "junchan", "iipeikou"} <= set(report.names)


def test_two_twin_sequences_replace_one() -> None:
    report = Hand("223344m667788s5p5p").score()
    assert report.han_for("ryanpeikou") == 3
    assert "iipeikou" not in report
    assert "chiitoitsu" not in report


def test_four_equal_sequences_are_two_twins() -> None:
    assert "ryanpeikou" in Hand("22223333444m55p4m").score(riichi=True)


def test_two_twin_sequences_need_a_closed_hand() -> None:
    assert "ryanpeikou" not in Hand("223344m67s5p5p8s (678s)").score()


@pytest.mark.parametrize(("hand", "han"), [("123456789m456p1s1s", 2), ("123456m456p1s1s (789m)", 1)])
def test_full_straight(hand: str, han: int) -> None:
    assert Hand(hand).score(seat_wind="S").han_for("ittsu") == han


def test_full_straight_is_of_one_suit() -> None:
    assert "ittsu" not in Hand("123m456p789s456p1s1s").score(riichi=True)
    assert "ittsu" not in Hand("123345m678m789p1s1s").score(riichi=True)
    assert "ittsu" not in Hand("234567m789m456p1s1s").score(riichi=True)


@pytest.mark.parametrize(("hand", "han"), [("234m234p234s789m1s1s", 2), ("234m234p789m1s1s (234s)", 1)])
def test_three_colour_sequences(hand: str, han: int) -> None:
    assert Hand(hand).score().han_for("sanshoku doujun") == han


def test_three_colour_sequences_are_of_one_rank() -> None:
    assert "sanshoku doujun" not in Hand("234m234p345s789m1s1s").score(riichi=True)
    assert "sanshoku doujun" not in Hand("234m234m234p789s1s1s").score(riichi=True)
    assert "sanshoku doujun" not in Hand("789m123p234s456s1s1s").score(riichi=True)
