"""Outside hands: chanta, junchan, and all terminals and honours."""

from __future__ import annotations

import pytest

from janshi import Hand


@pytest.mark.parametrize(
    ("hand", "han"), [("123m789p999s111z9p9p", 2), ("123m999s9p9p (789p) (111z)", 1), ("123m789p123s111m3z3z", 2)]
)
def test_chanta(hand: str, han: int) -> None:
    assert Hand(hand).score(last_tile=True).han_for("chanta") == han


@pytest.mark.parametrize(
    "hand", ["123m789p999s111z5p5p", "123m678p999s111z9p9p", "234m789p999s111z9p9p", "123m789p888s111z9p9p"]
)
def test_chanta_needs_an_outer_tile_everywhere(hand: str) -> None:
    assert "chanta" not in Hand(hand).score(riichi=True)


@pytest.mark.parametrize(("hand", "han"), [("123m789p999s123s9p9p", 3), ("123m999s9p9p (789p) (123s)", 2)])
def test_junchan(hand: str, han: int) -> None:
    report = Hand(hand).score()
    assert report.han_for("junchan") == han
    assert "chanta" not in report


def test_junchan_has_no_honours() -> None:
    assert "junchan" not in Hand("123m789p999s123s3z3z").score(riichi=True)


def test_best_reading_for_junchan() -> None:
    """112233m: read as twin sequences, not as seven pairs or triplets."""
    report = Hand("112233m789p789s9m9m").score()
    assert {"junchan", "iipeikou"} <= set(report.names)


@pytest.mark.parametrize("hand", ["999p9s9s (111m) (111z) (333z)", "1199m1199p1133z9s9s"])
def test_all_terminals_and_honours(hand: str) -> None:
    report = Hand(hand).score(winning_tile="9s", seat_wind="S", round_wind="S")
    assert report.han_for("honroutou") == 2
    assert "chanta" not in report


def test_four_concealed_triplets_hide_all_terminals_and_honours() -> None:
    report = Hand("111m999p111z333z9s9s").score(winning_tile="9s", seat_wind="S", round_wind="S")
    assert report.names == ("suuankou tanki",)


def test_all_terminals_and_honours_has_no_sequences() -> None:
    assert "honroutou" not in Hand("123m999p111z333z9s9s").score()
