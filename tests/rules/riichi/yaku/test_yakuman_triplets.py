"""Yakuman of triplets: four concealed, all terminals, four kans."""

from __future__ import annotations

from janshi import Hand
from janshi.rules.riichi.ruleset import Ruleset

DOUBLE = Ruleset(double_yakuman=True)


def test_four_concealed_triplets_by_draw() -> None:
    hand = Hand("222m444p88s666s11p1p")
    assert hand.score(tsumo=True).names == ("suuankou",)
    assert hand.score(tsumo=True, rules=DOUBLE).yakuman == 1


def test_by_ron_the_last_triplet_is_open() -> None:
    report = Hand("222m444p88s666s11p1p").score()
    assert report.yakuman == 0
    assert {"toitoi", "sanankou"} == set(report.names)


def test_single_wait_counts_twice_where_played() -> None:
    hand = Hand("222m444p666s111p8s8s")
    assert hand.score().names == ("suuankou tanki",)
    assert hand.score(tsumo=True).names == ("suuankou tanki",)
    assert (hand.score().yakuman, hand.score(rules=DOUBLE).yakuman) == (1, 2)


def test_concealed_kans_count() -> None:
    assert Hand("222m8s8s [1111p] [4444p] [6666s]").score().names == ("suuankou tanki",)
    assert "suuankou" not in Hand("222m8s8s [1111p] [4444p] (6666s)").score(tsumo=True)


def test_all_terminals() -> None:
    assert Hand("111m9s9s (999m) (111p) (9999p)").score().names == ("chinroutou",)
    assert "chinroutou" not in Hand("111m1z1z (999m) (111p) (9999p)").score()


def test_four_kans() -> None:
    assert Hand("5s5s [1111p] (2222s) (7777m) (3333z)").score().names == ("suukantsu",)
    assert Hand("5s5s [1111p] (2222s) (7777m) (333z)").score().yakuman == 0


def test_a_yakuman_goes_before_a_counted_one() -> None:
    """222333444m: three triplets or three sequences; with many dora both are worth 32,000."""
    report = Hand("222333444m555m88m").score(winning_tile="8m", tsumo=True, dora_indicators="1m2m3m4m")
    assert report.names == ("suuankou tanki",)
