"""Yaku of triplets: all triplets, three concealed, three colours, three kans."""

from __future__ import annotations

import pytest

from janshi import Hand


def test_all_triplets() -> None:
    assert Hand("222m444p8s8s (666s) (111p)").score().han_for("toitoi") == 2
    assert Hand("222m444p88s666s11p1p").score().han_for("toitoi") == 2
    assert "toitoi" not in Hand("222m444p8s8s (666s) (123p)").score(last_tile=True)


def test_three_concealed_triplets() -> None:
    assert Hand("222m444p666s123p8s8s").score().han_for("sanankou") == 2
    assert Hand("222m444p666s8s8s (123p)").score().han_for("sanankou") == 2
    assert "sanankou" not in Hand("222m444p8s8s (666s) (123p)").score(last_tile=True)


def test_triplet_completed_by_ron_is_open() -> None:
    assert "sanankou" not in Hand("222m444p123p88s66s6s").score(riichi=True)
    assert "sanankou" in Hand("222m444p123p88s66s6s").score(tsumo=True)


def test_ron_tile_may_stand_in_a_sequence_instead() -> None:
    """666s and 456s: the 6 that wins completes the sequence, and the triplet stays concealed."""
    report = Hand("222m444p88s45666s6s").score(riichi=True)
    assert "sanankou" in report


def test_concealed_kans_are_concealed_triplets() -> None:
    assert "sanankou" in Hand("444p123p8s8s [2222m] [6666s]").score()
    assert "sanankou" not in Hand("444p123p8s8s [2222m] (6666s)").score(last_tile=True)


def test_all_triplets_with_three_concealed() -> None:
    report = Hand("222m444p88s666s11p1p").score()
    assert {"toitoi", "sanankou"} <= set(report.names)


@pytest.mark.parametrize("hand", ["222m222p222s567m8s8s", "222m222p567m8s8s (222s)", "222p567m8s8s (2222s) [2222m]"])
def test_three_colour_triplets(hand: str) -> None:
    assert Hand(hand).score().han_for("sanshoku doukou") == 2


def test_three_colour_triplets_are_of_one_rank() -> None:
    assert "sanshoku doukou" not in Hand("222m222p333s567m8s8s").score()
    assert "sanshoku doukou" not in Hand("111z222z333z567m8s8s").score(riichi=True)


def test_three_kans() -> None:
    assert Hand("234m5s5s [1111p] (2222s) (7777m)").score().han_for("sankantsu") == 2
    assert "sankantsu" not in Hand("234m5s5s [1111p] (2222s) (777m)").score(last_tile=True)
