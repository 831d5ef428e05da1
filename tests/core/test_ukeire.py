from __future__ import annotations

import numpy as np
import pytest
import slow_reference as slow

from janshi.core.shanten import shanten
from janshi.core.tables import load_tables
from janshi.core.tiles import counts34, format_tiles, parse_tiles
from janshi.core.ukeire import NOT_HELD, shanten_discards, ukeire, ukeire_discards

T = load_tables()


def hands_of(seed: int, melds: int) -> np.ndarray:
    """Hands of 14 - 3 * melds tiles: random, of one suit, all honours and terminals, and near completion."""
    rng = np.random.default_rng(seed)
    size = 14 - 3 * melds
    return np.concatenate(
        [
            slow.random_hands(rng, 60, size),
            slow.random_hands(rng, 40, size, list(range(9))),
            slow.random_hands(rng, 40, size, slow.ORPHANS),
            slow.near_hands(rng, 60, melds, 1),
            slow.near_hands(rng, 60, melds, 3, kinds=9),
        ]
    )


def useful_by_trying(counts: np.ndarray, melds: int) -> list[int]:
    now = shanten(counts, melds, T)
    found = []
    for kind in range(34):
        if counts[kind] < 4:
            drawn = counts.copy()
            drawn[kind] += 1
            if shanten(drawn, melds, T) < now:
                found.append(kind)
    return found


@pytest.mark.parametrize(
    ("hand", "melds", "expected"),
    [
        ("23m456p789s11122z", 0, "14m"),
        ("2355m456p789s112z", 0, "145m1z"),
        ("1199m1199p119s37z", 0, "9s37z"),  # seven pairs
        ("19m19p19s112345z2m", 0, "67z"),  # thirteen orphans
        ("1111m", 3, "23456789m123456789p123456789s1234567z"),  # anything but a fifth 1m
    ],
)
def test_known_useful_tiles(hand: str, melds: int, expected: str) -> None:
    useful = np.zeros(34, np.uint8)
    ukeire(counts34(parse_tiles(hand)), melds, T, useful)
    assert format_tiles(np.flatnonzero(useful).tolist()) == expected


@pytest.mark.parametrize("melds", [0, 1, 2, 3, 4])
def test_useful_tiles_against_trying_every_draw(melds: int) -> None:
    rng = np.random.default_rng(melds)
    useful = np.ones(34, np.uint8)
    for counts in slow.drop_one(rng, hands_of(melds, melds)):
        assert ukeire(counts, melds, T, useful) == shanten(counts, melds, T)
        assert np.flatnonzero(useful).tolist() == useful_by_trying(counts, melds), counts


@pytest.mark.parametrize("melds", [0, 1, 2, 3, 4])
def test_discards_against_trying_each(melds: int) -> None:
    rng = np.random.default_rng(melds + 10)
    after, left = np.zeros(34, np.int8), np.zeros(34, np.int16)
    for counts in hands_of(melds + 10, melds):
        visible = np.minimum(counts + rng.integers(0, 3, 34), 4).astype(np.uint8)
        best = ukeire_discards(counts, melds, visible, T, after, left)
        expected_after, expected_left = discards_by_trying(counts, melds, visible)
        assert after.tolist() == expected_after
        assert left.tolist() == expected_left
        assert best == min(expected_after)
        assert shanten_discards(counts, melds, T, after) == best


def discards_by_trying(counts: np.ndarray, melds: int, visible: np.ndarray) -> tuple[list[int], list[int]]:
    after, left = [NOT_HELD] * 34, [-1] * 34
    fewer = {}
    for kind in np.flatnonzero(counts):
        fewer[kind] = counts.copy()
        fewer[kind][kind] -= 1
        after[kind] = int(shanten(fewer[kind], melds, T))
    for kind, hand in fewer.items():
        if after[kind] == min(after):
            left[kind] = sum(4 - int(visible[k]) for k in useful_by_trying(hand, melds))
    return after, left
