"""Slow and obvious answers to compare the kernels with, and the random hands they are compared on."""

from __future__ import annotations

from functools import cache

import numpy as np

Kinds = tuple[int, ...]  # counts by kind, 34 of them
ORPHANS = [k for k in range(34) if k >= 27 or k % 9 in (0, 8)]


def sets_of(kind: int) -> list[Kinds]:
    """The sets whose lowest tile is this kind, as the three kinds they use."""
    sets = [(kind, kind, kind)]
    if kind < 27 and kind % 9 <= 6:
        sets.append((kind, kind + 1, kind + 2))
    return sets


def split_sets(counts: list[int], first: int = 0) -> list[tuple[Kinds, ...]]:
    """Every way to split tiles into sets: take the lowest tile, try its sets, recurse."""
    while first < 34 and counts[first] == 0:
        first += 1
    if first == 34:
        return [()]
    ways = []
    for tiles in sets_of(first):
        rest = counts.copy()
        for kind in tiles:
            rest[kind] -= 1
        if min(rest) >= 0:
            ways += [(tiles, *way) for way in split_sets(rest, first)]
    return ways


def split_hand(counts: list[int]) -> set[tuple[int, tuple[Kinds, ...]]]:
    """Every way to split tiles into sets and a pair: (pair, sorted sets)."""
    ways = set()
    for pair in range(34):
        if counts[pair] >= 2:
            rest = counts.copy()
            rest[pair] -= 2
            ways |= {(pair, tuple(sorted(way))) for way in split_sets(rest)}
    return ways


def is_seven_pairs(counts: list[int]) -> bool:
    return sorted(counts, reverse=True)[:8] == [2] * 7 + [0]


def is_thirteen_orphans(counts: list[int]) -> bool:
    return sum(counts) == 14 and all((counts[k] > 0) == (k in ORPHANS) for k in range(34))


def is_complete(counts: list[int]) -> bool:
    return bool(split_hand(counts)) or is_seven_pairs(counts) or is_thirteen_orphans(counts)


def waits(counts: list[int]) -> list[int]:
    """Try every tile that is left."""
    found = []
    for kind in range(34):
        if counts[kind] < 4:
            drawn = counts.copy()
            drawn[kind] += 1
            if is_complete(drawn):
                found.append(kind)
    return found


@cache
def goals(sets: int) -> np.ndarray:
    """Every choice of `sets` sets and a pair within four copies, as counts (n, 34), suit m and East only.

    Enough to be exact for hands of those ten kinds: tiles outside them never bring such a hand nearer than tiles
    inside would, except where four copies run out, so South, West and North stand by as fresh honours.
    """
    kinds = [*range(9), 27, 28, 29, 30]
    shapes = [tiles for kind in kinds for tiles in sets_of(kind) if set(tiles) <= set(kinds)]
    found = {tuple([0] * 34)}
    for _ in range(sets):
        found = {_plus(counts, tiles) for counts in found for tiles in shapes} - {()}
    found = {_plus(counts, (kind, kind)) for counts in found for kind in kinds} - {()}
    return np.array(sorted(found), np.int8)


def _plus(counts: tuple[int, ...], tiles: Kinds) -> tuple[int, ...]:
    grown = list(counts)
    for kind in tiles:
        grown[kind] += 1
    return tuple(grown) if max(grown) <= 4 else ()


def shanten_standard(counts: list[int], melds: int) -> int:
    """Compare with every complete hand: the fewest tiles missing, less one."""
    missing = np.maximum(goals(4 - melds) - np.array(counts, np.int8), 0).sum(axis=1)
    return int(missing.min()) - 1


def shanten_pairs(counts: list[int]) -> int:
    """The best choice of seven kinds: each lacks what it does not hold of two tiles."""
    lacking = sorted(2 - min(count, 2) for count in counts)
    return sum(lacking[:7]) - 1


def shanten_orphans(counts: list[int]) -> int:
    """Lack of each orphan, with each orphan in turn as the pair."""
    return min(sum(max(0, (2 if kind == pair else 1) - counts[kind]) for kind in ORPHANS) - 1 for pair in ORPHANS)


def random_hands(rng: np.random.Generator, n: int, size: int, kinds: list[int] | None = None) -> np.ndarray:
    """Hands of `size` tiles dealt from a shuffled wall of these kinds, uint8 (n, 34)."""
    wall = np.repeat(np.arange(34) if kinds is None else np.array(kinds), 4)
    dealt = wall[np.argsort(rng.random((n, len(wall))), axis=1)[:, :size]]
    return _count(dealt)


def near_hands(rng: np.random.Generator, n: int, melds: int, swaps: int, kinds: int = 34) -> np.ndarray:
    """Complete hands of 14 - 3 * melds tiles with some tiles exchanged at random, uint8 (m, 34), m about n."""
    sets = rng.integers(0, kinds, (n, 4 - melds))
    step = np.where((sets < 27) & (sets % 9 <= 6) & (rng.random(sets.shape) < 0.7), 1, 0)
    tiles = (sets[..., None] + step[..., None] * np.arange(3)).reshape(n, -1)
    tiles = np.hstack([tiles, np.repeat(rng.integers(0, kinds, (n, 1)), 2, axis=1)])
    for _ in range(swaps):
        tiles[np.arange(n), rng.integers(0, tiles.shape[1], n)] = rng.integers(0, kinds, n)
    hands = _count(tiles)
    return hands[hands.max(axis=1) <= 4]


def _count(tiles: np.ndarray) -> np.ndarray:
    hands = np.zeros((len(tiles), 34), np.uint8)
    np.add.at(hands, (np.arange(len(tiles))[:, None], tiles), 1)
    return hands


def drop_one(rng: np.random.Generator, hands: np.ndarray) -> np.ndarray:
    """Each hand less one of its tiles."""
    fewer = hands.copy()
    chosen = np.argmax(np.where(hands > 0, rng.random(hands.shape), -1), axis=1)
    fewer[np.arange(len(hands)), chosen] -= 1
    return fewer
