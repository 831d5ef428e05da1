"""Seven pairs: seven different pairs, 25 fu, never with melds."""

from __future__ import annotations

import pytest

from janshi import Hand
from janshi.rules.riichi.hand import HandError


def test_two_han_25_fu() -> None:
    report = Hand("1199m2255p3388s1z1z").score()
    assert (report.han, report.fu, report.han_for("chiitoitsu")) == (2, 25, 2)


def test_self_draw_adds_han_but_no_fu() -> None:
    report = Hand("1199m2255p3388s1z1z").score(tsumo=True, seat_wind="S")
    assert (report.han, report.fu, report.total) == (3, 25, 3200)


def test_four_alike_are_not_two_pairs() -> None:
    with pytest.raises(HandError, match="not complete"):
        Hand("1111m2255p3388s1z1z").score()


def test_with_tanyao_and_flush() -> None:
    assert "tanyao" in Hand("2288m2255p3388s4p4p").score()
    assert {"chinitsu", "chiitoitsu"} <= set(Hand("11335577992244m").score().names)


def test_two_twin_sequences_are_worth_more() -> None:
    report = Hand("223344m667788s5p5p").score()
    assert "chiitoitsu" not in report
