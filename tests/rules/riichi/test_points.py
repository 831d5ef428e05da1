"""Payments: rounding, dealer and others, honba and sticks."""

from __future__ import annotations

import pytest

from janshi.rules.riichi.points import base_points, ron_payment, round_up, tsumo_payment, win_total

# han, fu, ron of a non-dealer, ron of the dealer, self-draw of a non-dealer (others, dealer), of the dealer (each)
TABLE = [
    (1, 30, 1000, 1500, (300, 500), 500),
    (1, 40, 1300, 2000, (400, 700), 700),
    (1, 110, 3600, 5300, (900, 1800), 1800),
    (2, 25, 1600, 2400, None, None),
    (2, 20, None, None, (400, 700), 700),
    (2, 30, 2000, 2900, (500, 1000), 1000),
    (3, 25, 3200, 4800, (800, 1600), 1600),
    (3, 30, 3900, 5800, (1000, 2000), 2000),
    (3, 60, 7700, 11600, (2000, 3900), 3900),
    (4, 20, None, None, (1300, 2600), 2600),
    (4, 25, 6400, 9600, (1600, 3200), 3200),
    (4, 30, 7700, 11600, (2000, 3900), 3900),
]


@pytest.mark.parametrize(("han", "fu", "ron", "dealer_ron", "tsumo", "dealer_tsumo"), TABLE)
def test_points_table(
    han: int, fu: int, ron: int | None, dealer_ron: int | None, tsumo: tuple[int, int] | None, dealer_tsumo: int | None
) -> None:
    base = base_points(0, han, fu, 0)
    if ron is not None:
        assert (ron_payment(base, False), ron_payment(base, True)) == (ron, dealer_ron)
    if tsumo is not None:
        assert (tsumo_payment(base, False), tsumo_payment(base, True)) == tsumo
        assert tsumo_payment(base, True) == dealer_tsumo


@pytest.mark.parametrize(
    ("limit", "ron", "dealer_ron"),
    [(1, 8000, 12000), (2, 12000, 18000), (3, 16000, 24000), (4, 24000, 36000), (5, 32000, 48000)],
)
def test_limits(limit: int, ron: int, dealer_ron: int) -> None:
    base = base_points(limit, 13, 30, 0)
    assert (ron_payment(base, False), ron_payment(base, True)) == (ron, dealer_ron)


def test_yakuman_add_up() -> None:
    assert ron_payment(base_points(6, 0, 30, 3), False) == 96_000


def test_honba_is_300_in_total() -> None:
    assert ron_payment(2000, False, 2) == 8600
    assert (tsumo_payment(2000, False, 2), tsumo_payment(2000, True, 2)) == (2200, 4200)


def test_total_adds_honba_and_sticks() -> None:
    assert win_total(2000, False, False, honba=1, sticks=2) == 8000 + 300 + 2000
    assert win_total(2000, False, True, honba=1, sticks=2) == 8000 + 300 + 2000
    assert win_total(2000, True, True, honba=1, sticks=0) == 12000 + 300


@pytest.mark.parametrize(("points", "rounded"), [(0, 0), (1, 100), (100, 100), (101, 200), (7680, 7700)])
def test_round_up(points: int, rounded: int) -> None:
    assert round_up(points) == rounded
