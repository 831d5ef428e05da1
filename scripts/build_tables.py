"""Build the shanten tables shipped in `janshi/core/tables`.

    python scripts/build_tables.py [--check]

The *needs* of a suit are ten numbers: how many tiles must be added to form m sets (m = 0..4), and m sets and a pair,
using at most four copies of a kind. They are the replacement numbers of tomohxx's shanten method. The 405,350 suits of
at most 14 tiles have only 130 different needs, and joining suits (the minimum sum over all ways to distribute the
sets) gives 180 in total. So a suit is a one-byte *class*, joining two suits is one look-up in a 180 x 180 table, and a
hand's shanten is a handful of byte loads.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import sys
import zipfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from janshi.core import tables
from janshi.core.tables import ROW_BITS, SETS_BITS
from janshi.core.tiles import COPIES, HONOURS, RANKS

Array = npt.NDArray[np.uint8]
Suit = tuple[int, ...]

MAX_SETS = 4
MAX_TILES = 3 * MAX_SETS + 2
NEEDS = 2 * (MAX_SETS + 1)
LOW_RANKS = 5
UNREACHABLE = 99
DIRECTORY = Path(tables.__file__).parent


def set_shapes(ranks: int, sequences: bool) -> list[Suit]:
    """Every triplet and, in suits that have them, every sequence, as counts by rank."""
    shapes = [tuple(3 * (rank == r) for rank in range(ranks)) for r in range(ranks)]
    if sequences:
        shapes += [tuple(int(r <= rank < r + 3) for rank in range(ranks)) for r in range(ranks - 2)]
    return shapes


def extend(suits: set[Suit], shapes: list[Suit]) -> set[Suit]:
    """Every suit with one of the shapes added, as long as there are at most four copies."""
    grown = (tuple(a + b for a, b in zip(suit, shape)) for suit in suits for shape in shapes)
    return {suit for suit in grown if max(suit) <= COPIES}


def goals(ranks: int, sequences: bool) -> list[set[Suit]]:
    """The suits made of exactly m sets (m = 0..4), then those of m sets and a pair."""
    shapes = set_shapes(ranks, sequences)
    pairs = [tuple(2 * (rank == r) for rank in range(ranks)) for r in range(ranks)]
    by_sets: list[set[Suit]] = [{(0,) * ranks}]
    for _ in range(MAX_SETS):
        by_sets.append(extend(by_sets[-1], shapes))
    return by_sets + [extend(suits, pairs) for suits in by_sets]


def distance(ranks: int, goal: set[Suit]) -> Array:
    """Tiles to add to each suit (counts by rank are the axes) until it contains one of the goal's.

    The distance is a sum over ranks of max(0, goal - count), so one pass up and one pass down each axis suffice.
    """
    added = np.full((COPIES + 1,) * ranks, UNREACHABLE, np.uint8)
    added[tuple(np.array(sorted(goal)).T)] = 0
    for axis in range(ranks):
        along = np.moveaxis(added, axis, 0)
        for count in range(COPIES):
            np.minimum(along[count + 1], along[count], out=along[count + 1])
        for count in reversed(range(COPIES)):
            np.minimum(along[count], along[count + 1] + 1, out=along[count])
    return added


def suit_needs(ranks: int, sequences: bool) -> Array:
    """(5, ..., 5, 10): the needs of every suit."""
    return np.stack([distance(ranks, goal) for goal in goals(ranks, sequences)], axis=-1)


def join(left: Array, right: Array) -> Array:
    """(a, 10), (b, 10) -> (a, b, 10): the needs of two suits together: the cheapest way to distribute the sets."""
    x, y = left[:, None], right[None]
    joined = np.full((len(left), len(right), NEEDS), UNREACHABLE, np.uint8)
    for i in range(MAX_SETS + 1):
        for j in range(MAX_SETS + 1 - i):
            plain, paired = joined[..., i + j], joined[..., MAX_SETS + 1 + i + j]
            np.minimum(plain, x[..., i] + y[..., j], out=plain)
            np.minimum(paired, x[..., MAX_SETS + 1 + i] + y[..., j], out=paired)
            np.minimum(paired, x[..., i] + y[..., MAX_SETS + 1 + j], out=paired)
    return joined


def close(needs: Array) -> Array:
    """All needs that joining gives, sorted: a class is a row number."""
    while True:
        joined = join(needs, needs).reshape(-1, NEEDS)
        closed = np.unique(np.concatenate([needs, joined]), axis=0)
        if len(closed) == len(needs):
            return closed
        needs = closed


def classes_of(needs: Array, classes: Array) -> Array:
    """The row of `classes` each of the needs (n, 10) equals."""
    number = {row.tobytes(): i for i, row in enumerate(classes)}
    distinct, inverse = np.unique(needs, axis=0, return_inverse=True)
    return np.array([number[row.tobytes()] for row in distinct], np.uint8)[inverse.reshape(-1)]


def suits_in_order(
    ranks: int,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32], npt.NDArray[np.uint16]]:
    """Number the suits of at most 14 tiles: (counts (n, 9), `high`, `low`), index = high[...] + low[...].

    The low five ranks are ordered by their number of tiles, so that those that fit a given high part come first.
    """
    grids = [np.indices((COPIES + 1,) * n).reshape(n, -1).T for n in (LOW_RANKS, ranks - LOW_RANKS)]
    low_suits, high_suits = (grid[np.argsort(pack(grid), kind="stable")] for grid in grids)
    low_suits = low_suits[np.argsort(low_suits.sum(axis=1), kind="stable")]
    low = np.zeros(1 << 3 * LOW_RANKS, np.uint16)
    low[pack(low_suits)] = np.arange(len(low_suits))
    high = np.zeros(1 << 3 * (ranks - LOW_RANKS), np.uint32)
    fitting = np.searchsorted(low_suits.sum(axis=1), MAX_TILES - high_suits.sum(axis=1), side="right")
    high[pack(high_suits)] = np.concatenate([[0], np.cumsum(fitting)[:-1]])
    parts = [np.hstack([low_suits[:n], np.tile(suit, (n, 1))]) for suit, n in zip(high_suits, fitting)]
    return np.concatenate(parts), high, low


def pack(suits: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """(n, ranks) -> (n,) packed keys: three bits a rank, the lowest rank lowest."""
    return (suits << (3 * np.arange(suits.shape[1]))).sum(axis=1)


def build() -> dict[str, npt.NDArray[np.unsignedinteger]]:
    """Every field of `janshi.core.tables.TABLES_DTYPE`, and the needs behind the classes."""
    suits, high, low = suits_in_order(RANKS)
    honours, _, _ = suits_in_order(HONOURS)  # the same numbering, cut off where rank 8 begins
    of_suits = suit_needs(RANKS, sequences=True)[tuple(suits.T)]
    of_honours = suit_needs(HONOURS, sequences=False)[tuple(honours.T)]
    classes = close(np.unique(np.concatenate([of_suits, of_honours]), axis=0))
    joined = np.zeros((len(classes), 1 << ROW_BITS), np.uint8)
    pairs = join(classes, classes).reshape(-1, NEEDS)
    joined[:, : len(classes)] = classes_of(pairs, classes).reshape(len(classes), len(classes))
    missing = np.zeros((len(classes), 1 << SETS_BITS), np.uint8)
    missing[:, : MAX_SETS + 1] = classes[:, MAX_SETS + 1 :]
    return {
        "high": high,
        "low": low,
        "suit": classes_of(of_suits, classes),
        "honour": classes_of(of_honours, classes),
        "joined": joined.reshape(-1),
        "missing": missing.reshape(-1),
        "needs": classes,
    }


def to_bytes(arrays: dict[str, npt.NDArray[np.unsignedinteger]]) -> bytes:
    """An uncompressed `.npz` whose bytes depend only on the arrays."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as out:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(array), version=(1, 0))
            info = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            info.create_system = 3
            out.writestr(info, member.getvalue())
    return archive.getvalue()


def main() -> int:
    """Write the tables and their checksum, or with --check compare them with those in place."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    content = to_bytes(build())
    path = DIRECTORY / tables.FILE
    if check:
        same = path.read_bytes() == content
        print(f"{path.name}: {'identical' if same else 'DIFFERENT'}")
        return 0 if same else 1
    path.write_bytes(content)
    path.with_suffix(".npz.sha256").write_text(f"{hashlib.sha256(content).hexdigest()}  {path.name}\n")
    print(f"{path.name}: {len(content):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
