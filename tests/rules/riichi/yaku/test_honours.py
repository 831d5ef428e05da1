"""Value triplets: seat wind, round wind, dragons, little three dragons."""

from __future__ import annotations

import pytest

from janshi import Hand

WINDS = {"E": "1z", "S": "2z", "W": "3z", "N": "4z"}
WIND_NAMES = {"E": "ton", "S": "nan", "W": "shaa", "N": "pei"}


@pytest.mark.parametrize("wind", "ESWN")
def test_wind_counts_for_its_seat_and_round(wind: str) -> None:
    triplet = 3 * WINDS[wind][0] + "z"
    other = "W" if wind == "E" else "E"
    seat, rounds = f"jikaze {WIND_NAMES[wind]}", f"bakaze {WIND_NAMES[wind]}"
    hand = Hand(f"{triplet}123m456p789s2m2m")
    assert hand.score(seat_wind=wind, round_wind=other).han_for(seat) == 1
    assert hand.score(seat_wind=other, round_wind=wind).han_for(rounds) == 1
    both = hand.score(seat_wind=wind, round_wind=wind)
    assert both.han_for(seat) + both.han_for(rounds) == 2
    neither = hand.score(seat_wind=other, round_wind=other, riichi=True)
    assert seat not in neither
    assert rounds not in neither


@pytest.mark.parametrize(
    "hand", ["123m456p2m2m (789s) (222z)", "123m456p2m2m (789s) (2222z)", "123m456p789s2m2m [2222z]"]
)
def test_wind_may_be_called_or_a_kan(hand: str) -> None:
    assert Hand(hand).score(seat_wind="S").han_for("jikaze nan") == 1


@pytest.mark.parametrize(("tile", "name"), [("5", "haku"), ("6", "hatsu"), ("7", "chun")])
def test_dragons(tile: str, name: str) -> None:
    assert Hand(f"{3 * tile}z123m456p789s2m2m").score().han_for(name) == 1
    assert Hand(f"123m456p789s2m2m ({3 * tile}z)").score().han_for(name) == 1
    assert name not in Hand(f"222s123m456p789s{tile}z{tile}z").score(riichi=True)


@pytest.mark.parametrize("hand", ["555z666z123m456p7z7z", "123m456p7z7z (555z) (6666z)", "66677z123m456p [5555z]"])
def test_little_three_dragons(hand: str) -> None:
    report = Hand(hand).score()
    assert report.han_for("shousangen") == 2
    assert report.han_for("haku") + report.han_for("hatsu") == 2


def test_two_dragons_and_another_pair_are_not() -> None:
    assert "shousangen" not in Hand("555z666z123m456p2m2m").score()
