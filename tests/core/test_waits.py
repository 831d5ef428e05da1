from __future__ import annotations

import numpy as np
import pytest
import slow_reference as slow

from janshi.core.tables import load_tables
from janshi.core.tiles import counts34, format_tiles, parse_tiles
from janshi.core.waits import waits_mask

T = load_tables()


def waits(counts: np.ndarray, melds: int) -> list[int]:
    mask = int(waits_mask(counts, melds, T))
    return [kind for kind in range(64) if mask >> kind & 1]


@pytest.mark.parametrize(
    ("hand", "melds", "expected"),
    [
        ("1112345678999m", 0, "123456789m"),  # the nine gates
        ("23m456p789s11122z", 0, "14m"),
        ("1122m3344p5566s7z", 0, "7z"),
        ("19m19p19s1234567z", 0, "19m19p19s1234567z"),
        ("19m19p19s1134567z", 0, "2z"),
        ("223344m556677p8s", 0, "8s"),
        ("2223456m", 2, "13467m"),
        ("1z", 4, "1z"),
        ("1111m", 3, ""),
        ("123m456p789s1112z", 0, "2z"),
        ("147m258p369s1234z", 0, ""),
    ],
)
def test_known_waits(hand: str, melds: int, expected: str) -> None:
    assert format_tiles(waits(counts34(parse_tiles(hand)), melds)) == expected


@pytest.mark.parametrize("melds", [0, 1, 2, 3, 4])
def test_waits_against_trying_every_tile(melds: int) -> None:
    rng = np.random.default_rng(melds)
    spread = slow.near_hands(rng, 300, melds, swaps=0)
    one_suit = slow.near_hands(rng, 600, melds, swaps=0, kinds=9)
    spoiled = slow.near_hands(rng, 300, melds, swaps=1, kinds=9)
    for counts in slow.drop_one(rng, np.concatenate([spread, one_suit, spoiled])):
        assert waits(counts, melds) == slow.waits(counts.tolist()), counts


def test_waits_of_hands_of_one_suit() -> None:
    rng = np.random.default_rng(9)
    for counts in slow.random_hands(rng, 500, 13, list(range(18, 27))):
        assert waits(counts, 0) == slow.waits(counts.tolist()), counts
