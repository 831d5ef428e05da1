from __future__ import annotations

import numpy as np
import pytest
import slow_reference as slow

from janshi.core.shanten import (
    is_complete,
    pack,
    shanten,
    shanten_batch,
    shanten_keys,
    shanten_orphans,
    shanten_pairs,
    shanten_standard,
)
from janshi.core.tables import load_tables
from janshi.core.tiles import counts34, parse_tiles

T = load_tables()


@pytest.mark.parametrize(
    ("hand", "melds", "expected"),
    [
        ("123456789m11122z", 0, -1),
        ("123456789m1122z", 0, 0),
        ("147m258p369s1234z", 0, 6),  # six by seven pairs, eight by sets
        ("19m19p19s1234567z", 0, 0),
        ("19m19p19s12345677z", 0, -1),
        ("1122m3344p5566s7z", 0, 0),
        ("1122m3344p5566s77z", 0, -1),
        ("1111m3344p5566s77z", 0, 1),  # four of a kind are not two pairs
        ("1111m", 3, 1),  # waiting for a fifth 1m is no wait
        ("1112m", 3, 0),
        ("1z", 4, 0),
        ("11z", 4, -1),
        ("1111222233334z", 0, 3),  # fourth tiles of honours are dead
        ("1111m111122233z", 0, 1),  # a sequence must use the fourth 1m
        ("123m45p12z", 2, 1),
        ("258m258p258s1234z5m", 0, 5),
    ],
)
def test_known_hands(hand: str, melds: int, expected: int) -> None:
    assert shanten(counts34(parse_tiles(hand)), melds, T) == expected


@pytest.mark.parametrize("melds", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("drawn", [0, 1])
def test_standard_form_against_every_goal(melds: int, drawn: int) -> None:
    rng = np.random.default_rng(melds)
    size = 13 + drawn - 3 * melds
    many = 150 if melds < 2 else 1000
    one_suit = slow.random_hands(rng, many, size, list(range(9)))
    with_honours = slow.random_hands(rng, many, size, [*range(9), 27])
    few_kinds = slow.random_hands(rng, many, size, [0, 1, 3, 7])
    for counts in np.concatenate([one_suit, with_honours, few_kinds]):
        assert shanten_standard(counts, melds, T) == slow.shanten_standard(counts.tolist(), melds), counts


def test_pairs_and_orphans_against_their_definitions() -> None:
    rng = np.random.default_rng(5)
    for size in (13, 14):
        hands = [
            slow.random_hands(rng, 500, size),
            slow.random_hands(rng, 500, size, slow.ORPHANS),
            slow.random_hands(rng, 500, size, list(range(6))),
        ]
        for counts in np.concatenate(hands):
            assert shanten_pairs(counts) == slow.shanten_pairs(counts.tolist())
            assert shanten_orphans(counts) == slow.shanten_orphans(counts.tolist())


def test_the_nearest_form_counts() -> None:
    rng = np.random.default_rng(6)
    for counts in slow.random_hands(rng, 2000, 14):
        forms = shanten_standard(counts, 0, T), shanten_pairs(counts), shanten_orphans(counts)
        assert shanten(counts, 0, T) == min(forms)
        assert shanten(counts, 0, T) <= 6


def test_batch_equals_one_by_one() -> None:
    rng = np.random.default_rng(7)
    for melds in range(5):
        hands = slow.random_hands(rng, 1000, 14 - 3 * melds)
        out = np.zeros(len(hands), np.int8)
        shanten_batch(hands, np.full(len(hands), melds, np.uint8), T, out)
        assert out.tolist() == [shanten(counts, melds, T) for counts in hands]


def test_packed_keys_grow_by_a_tile() -> None:
    counts = counts34(parse_tiles("1199m5p3s77z12345p"))
    keys, drawn = np.zeros(4, np.uint32), np.zeros(4, np.uint32)
    pack(counts, keys)
    counts[9 + 8] += 1
    pack(counts, drawn)
    assert drawn.tolist() == [keys[0], keys[1] + (1 << 24), keys[2], keys[3]]
    assert shanten_keys(*(int(k) for k in drawn), 4, T) == shanten_standard(counts, 0, T)


def test_complete_hands() -> None:
    rng = np.random.default_rng(8)
    for melds in range(5):
        for swaps in (0, 1):
            for counts in slow.near_hands(rng, 200, melds, swaps, kinds=9 if melds < 2 else 34):
                expected = slow.is_complete(counts.tolist())
                assert is_complete(counts, melds, T) == expected
