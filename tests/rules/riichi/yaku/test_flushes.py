"""Half and full flush."""

from __future__ import annotations

import pytest

from janshi import Hand


@pytest.mark.parametrize("suit", "mps")
def test_half_flush(suit: str) -> None:
    assert Hand(f"123456789{suit}111z2z2z").score().han_for("honitsu") == 3
    assert Hand(f"123456{suit}2z2z (789{suit}) (111z)").score().han_for("honitsu") == 2
    assert "honitsu" in Hand(f"113355{suit}11223344z").score(seat_wind="S")


@pytest.mark.parametrize("suit", "mps")
def test_full_flush(suit: str) -> None:
    closed = Hand(f"123456789222{suit}8{suit}8{suit}").score()
    assert closed.han_for("chinitsu") == 6
    assert "honitsu" not in closed
    assert Hand(f"1234562228{suit}8{suit} (789{suit})").score().han_for("chinitsu") == 5


def test_a_second_suit_spoils_both() -> None:
    report = Hand("123456789m111p2z2z").score(riichi=True)
    assert "honitsu" not in report
    assert "chinitsu" not in report
    assert "honitsu" not in Hand("123456m2z2z (789p) (111z)").score()
