from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import pytest
import slow_reference as slow

from janshi.core.decompose import (
    MAX_DECOMPOSITIONS,
    SEQUENCE,
    decompose,
    is_seven_pairs,
    is_thirteen_orphans,
    new_decompositions,
)
from janshi.core.tiles import counts34, parse_tiles


def ways(counts: np.ndarray) -> list[tuple[int, tuple[tuple[int, ...], ...]]]:
    pairs, types, kinds = new_decompositions()
    types[:], kinds[:] = 77, 77  # what is left from before must not show
    found = decompose(counts, pairs, types, kinds)
    sets = int(counts.sum()) // 3
    for i in range(found):
        assert not types[i, sets:].any()
        assert not kinds[i, sets:].any()
    return [
        (
            int(pairs[i]),
            tuple(
                sorted(tuple(int(k) + j * (t == SEQUENCE) for j in range(3)) for t, k in zip(types[i], kinds[i]) if t)
            ),
        )
        for i in range(found)
    ]


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("123456789m11122z", 1),
        ("11122233344455p", 4),
        ("11123444m", 2),
        ("112233445566m77z", 1),
        ("11223344556677m", 3),
        ("11z", 1),
        ("123m", 0),
        ("12z", 0),
        ("1122m3344p5566s77z", 0),
        ("891m11p", 0),
        ("567z11p", 0),
        ("89m1p11s", 0),
    ],
)
def test_known_hands(hand: str, expected: int) -> None:
    assert len(ways(counts34(parse_tiles(hand)))) == expected


@pytest.mark.parametrize("melds", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("kinds", [9, 34])
def test_against_recursion(melds: int, kinds: int) -> None:
    rng = np.random.default_rng(melds)
    hands = [slow.near_hands(rng, 300, melds, swaps, kinds) for swaps in (0, 1)]
    for counts in np.concatenate(hands):
        found = ways(counts)
        assert len(found) == len(set(found))
        assert set(found) == slow.split_hand(counts.tolist()), counts


def readings_by_suit(sets: int) -> tuple[int, int]:
    """The most ways to read one suit as `sets` sets, and as `sets` sets and a pair, over all suits."""
    shapes = [tiles for kind in range(9) for tiles in slow.sets_of(kind)]
    plain = Counter(
        suit
        for chosen in combinations_with_replacement(shapes, sets)
        if max(suit := tuple(sum(chosen, ()).count(rank) for rank in range(9))) <= 4
    )
    paired: Counter[tuple[int, ...]] = Counter()
    for suit, count in plain.items():
        for rank in range(9):
            if suit[rank] <= 2:
                paired[(*suit[:rank], suit[rank] + 2, *suit[rank + 1 :])] += count
    return max(plain.values()), max(paired.values())


def test_no_hand_has_more_readings_than_the_maximum() -> None:
    """A hand's readings are the product of its suits'; honours have one."""
    most = [readings_by_suit(sets) for sets in range(5)]
    hands = (most[a][1] * most[b][0] * most[c][0] for a in range(5) for b in range(5 - a) for c in range(5 - a - b))
    assert max(hands) == MAX_DECOMPOSITIONS


def test_seven_pairs_and_thirteen_orphans() -> None:
    rng = np.random.default_rng(3)
    hands = [slow.random_hands(rng, 300, 14, kinds) for kinds in (slow.ORPHANS, list(range(7)), None)]
    known = ["1122m3344p5566s77z", "1111m3344p5566s7z", "19m19p19s12345677z", "199m19p19s1234567z"]
    for counts in [*np.concatenate(hands), *(counts34(parse_tiles(hand)) for hand in known)]:
        assert is_seven_pairs(counts) == slow.is_seven_pairs(counts.tolist())
        assert is_thirteen_orphans(counts) == slow.is_thirteen_orphans(counts.tolist())
    assert [bool(is_seven_pairs(counts34(parse_tiles(hand)))) for hand in known] == [True, False, False, False]
    assert [bool(is_thirteen_orphans(counts34(parse_tiles(hand)))) for hand in known] == [False, False, True, True]
