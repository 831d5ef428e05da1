"""Shanten and useful tiles against `xiangting`, an independent library in Rust, on more than a million hands.

`xiangting` takes the concealed tiles alone and counts the melds from their number; like ours, its replacement number
(shanten + 1) is the distance to the nearest complete hand with at most four copies of a kind among the concealed
tiles, melds not looked at, and seven pairs and thirteen orphans count only for 13 or 14 tiles. Its necessary tiles
leave out kinds already held four times, as ours do. So the two definitions are the same, and so are all answers:
no disagreement is expected or allowed for.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from janshi.core.shanten import shanten_batch
from janshi.core.tables import load_tables
from janshi.core.ukeire import ukeire

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "core"))
import slow_reference as slow

xiangting = pytest.importorskip("xiangting")
FOUR = xiangting.PlayerCount.FOUR
T = load_tables()


def sample(melds: int, scale: int) -> np.ndarray:
    """Hands of 14 - 3 * melds tiles, then of one fewer: random, in one suit, two suits, honours, near completion."""
    rng = np.random.default_rng(100 + melds)
    size = 14 - 3 * melds
    hands = [
        slow.random_hands(rng, 4 * scale, size),
        slow.random_hands(rng, scale, size, list(range(9))),
        slow.random_hands(rng, scale, size, list(range(18))),
        slow.random_hands(rng, scale, size, slow.ORPHANS),
    ]
    hands += [slow.near_hands(rng, scale, melds, swaps, kinds) for swaps in range(4) for kinds in (9, 34)]
    drawn = np.concatenate(hands)
    return np.concatenate([drawn, slow.drop_one(rng, drawn)])


@pytest.mark.parametrize("melds", [0, 1, 2, 3, 4])
def test_shanten_agrees(melds: int) -> None:
    hands = sample(melds, scale=10_000)
    assert len(hands) > 240_000
    ours = np.zeros(len(hands), np.int8)
    shanten_batch(hands, np.full(len(hands), melds, np.uint8), T, ours)
    theirs = [xiangting.calculate_replacement_number(hand, FOUR) - 1 for hand in hands.tolist()]
    wrong = np.flatnonzero(ours != theirs)
    assert len(wrong) == 0, [(hands[i].tolist(), int(ours[i]), theirs[i]) for i in wrong[:3]]


@pytest.mark.parametrize("melds", [0, 1, 2, 3, 4])
def test_useful_tiles_agree(melds: int) -> None:
    hands = sample(melds, scale=600)
    hands = hands[hands.sum(axis=1) == 13 - 3 * melds]
    useful = np.zeros(34, np.uint8)
    bits = 1 << np.arange(34, dtype=np.int64)
    for hand in hands:
        away = ukeire(hand, melds, T, useful)
        missing, necessary = xiangting.calculate_necessary_tiles(hand.tolist(), FOUR)
        assert (away, int(bits[useful > 0].sum())) == (missing - 1, necessary), hand.tolist()
