"""Parts of tenpai hands within one suit, listed once: the building blocks for enumerating hands.

A tenpai hand is a complete hand with one tile missing. Counting tiles by suit, either one suit holds one tile more than
sets need (a tile of its sets and pair is missing; all other suits are sets), or two suits hold two more (one of them is
sets and a pair, the other misses a tile of its sets). So every hand is composed of suits of these groups in exactly one
way:

- `SETS`: sets only; `PAIRED`: sets and a pair;
- `SINGLE`: misses one tile of sets and a pair; `OPEN`: misses one tile of sets, and is not sets and a pair itself.

A suit of sets and a pair is also one tile short of sets (the third tile of the pair), so two such suits wait for both
pairs. Honours are a suit without sequences.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core.dtypes import record_dtype
from janshi.core.tiles import COPIES, HONOURS, RANKS

MOST_SETS: Final = 2
"""Maximum number of sets in a suit; hands with one meld are enumerated with one set fewer."""

NUMBERS, HONOUR_SUIT = 0, 1
SETS, PAIRED, SINGLE, OPEN = range(4)
GROUPS: Final = 4

TWO_SIDED, CLOSED, EDGE, TWO_PAIRS, LONE, LONE_HONOUR, TWO_LONE, MANY = range(8)
SHAPES: Final = 8
"""Shapes of waits: 23, 13, 12, two pairs, a single tile, a single honour, both ends of 2345, three kinds or more."""

NOT_SIMPLE, HAS_RUN, NOT_OUTER = 1, 2, 4
"""Flags: holds terminals or honours; not triplets only; no reading has an outer tile in every block."""

RUN, TRIPLET, PAIR = range(3)
Block = tuple[int, int]
Reading = tuple[Block, ...]
Counts = tuple[int, ...]


PARTS, WAITS = 3527, 5486
"""Number of parts and waits."""

BLOCKS_DTYPE: Final = record_dtype(
    [
        # by suit (numbers or honours), group and number of sets once complete: where the parts begin
        ("first", np.int32, (2, GROUPS, MOST_SETS + 2)),
        ("used", np.uint8, (PARTS,)),  # number of different ranks in a part
        ("tiles", np.uint8, (PARTS, 8)),  # those ranks and how many of each, as 8 * rank + copies
        ("traits", np.uint8, (PARTS,)),  # flags of the tiles held (for complete parts: of the best readings)
        ("mask", np.int16, (PARTS,)),  # complete parts' sequences by lowest rank, or triplets of honours
        ("pairs", np.int16, (PARTS,)),  # ranks held twice, of honours
        ("fu", np.uint8, (PARTS,)),  # fu of concealed triplets, halved
        ("form", np.uint8, (PARTS,)),  # shape of the wait
        ("waits", np.int16, (PARTS,)),  # ranks waited for
        ("first_wait", np.int32, (PARTS + 1,)),  # where the waits of a part begin
        ("wait", np.uint8, (WAITS,)),  # a rank waited for
        ("wait_flags", np.uint8, (WAITS,)),  # flags with that tile
        ("wait_mask", np.int16, (WAITS,)),  # sequences, or triplets of honours, with that tile
        ("wait_fu", np.uint8, (WAITS,)),  # fu of triplets and of the wait, halved
    ]
)
"""All parts, sorted by suit, group and number of sets, as one record."""


# --- complete parts


def blocks_of(honours: bool) -> list[Block]:
    """All sets of a suit."""
    ranks = HONOURS if honours else RANKS
    runs = [] if honours else [(RUN, rank) for rank in range(RANKS - 2)]
    return runs + [(TRIPLET, rank) for rank in range(ranks)]


def tiles_of(block: Block) -> tuple[int, ...]:
    """The ranks of a block's tiles."""
    type, rank = block
    if type == RUN:
        return rank, rank + 1, rank + 2
    return (rank,) * (3 if type == TRIPLET else 2)


def complete_parts(sets: int, paired: bool, honours: bool) -> dict[Counts, list[Reading]]:
    """All complete parts with this many sets, with or without a pair, and the ways to read each."""
    ranks = HONOURS if honours else RANKS
    heads: Iterable[Reading] = [((PAIR, rank),) for rank in range(ranks)] if paired else [()]
    found: dict[Counts, list[Reading]] = defaultdict(list)
    for head in heads:
        for chosen in combinations_with_replacement(blocks_of(honours), sets):
            counts = [0] * RANKS
            for block in head + chosen:
                for rank in tiles_of(block):
                    counts[rank] += 1
            if max(counts) <= COPIES:
                found[tuple(counts)].append(head + chosen)
    return found


def is_outer(block: Block, honours: bool) -> bool:
    """Whether a block holds a terminal or an honour."""
    return honours or any(rank in (0, RANKS - 1) for rank in tiles_of(block))


def flags_of(counts: Counts, readings: list[Reading], honours: bool) -> int:
    """Flags of a complete part."""
    simple = not any(counts) or (not honours and not counts[0] and not counts[RANKS - 1])
    triplets = any(all(type != RUN for type, _ in reading) for reading in readings)
    outer = any(all(is_outer(block, honours) for block in reading) for reading in readings)
    return NOT_SIMPLE * (not simple) | HAS_RUN * (not triplets) | NOT_OUTER * (not outer)


def mask_of(readings: list[Reading], honours: bool) -> int:
    """Lowest ranks of sequences (of honours: ranks of triplets) in any reading."""
    type_of = TRIPLET if honours else RUN
    return sum(1 << rank for rank in {rank for r in readings for type, rank in r if type == type_of})


def triplet_fu(block: Block, honours: bool) -> int:
    """Fu of a concealed triplet."""
    if block[0] != TRIPLET:
        return 0
    return 8 if is_outer(block, honours) else 4


# --- parts with a missing tile


class Lacking(NamedTuple):
    """A part after adding one tile."""

    rank: int
    flags: int
    mask: int
    fu: int
    shapes: frozenset[int]


def wait_shape(block: Block, rank: int, honours: bool) -> int:
    """The shape of a wait for a rank that completes a block."""
    type, low = block
    if type == TRIPLET:
        return TWO_PAIRS
    if type == PAIR:
        return LONE_HONOUR if honours else LONE
    if rank == low + 1:
        return CLOSED
    return EDGE if (low == 0 and rank == 2) or (low == RANKS - 3 and rank == low) else TWO_SIDED


def lacking(counts: Counts, rank: int, readings: list[Reading], honours: bool) -> Lacking:
    """A complete part, seen as the result of a wait for one of its ranks."""
    shapes, fu = set(), 0
    for reading in readings:
        for at, block in enumerate(reading):
            if rank in tiles_of(block) and block not in reading[:at]:
                shape = wait_shape(block, rank, honours)
                others = sum(triplet_fu(other, honours) for i, other in enumerate(reading) if i != at)
                own = triplet_fu(block, honours) // 2 if block[0] == TRIPLET else 2 * int(shape != TWO_SIDED)
                shapes.add(shape)
                fu = max(fu, others + own)
    return Lacking(rank, flags_of(counts, readings, honours), mask_of(readings, honours), fu, frozenset(shapes))


def without_one(parts: dict[Counts, list[Reading]], honours: bool) -> dict[Counts, list[Lacking]]:
    """Every part that is one tile short of these, with the tiles it waits for."""
    found: dict[Counts, list[Lacking]] = defaultdict(list)
    for counts, readings in parts.items():
        for rank in range(RANKS):
            if counts[rank]:
                rest = tuple(count - (i == rank) for i, count in enumerate(counts))
                found[rest].append(lacking(counts, rank, readings, honours))
    return found


def shape_of(waits: list[Lacking]) -> int:
    """The one shape that describes all waits of a part."""
    shapes = frozenset().union(*(wait.shapes for wait in waits))
    if len(waits) >= 3:
        return MANY
    if shapes == {LONE} and len(waits) == 2:
        return TWO_LONE
    order = (TWO_SIDED, TWO_PAIRS, CLOSED, EDGE, LONE, LONE_HONOUR)
    return next(shape for shape in order if shape in shapes)


def flags_held(counts: Counts, waits: list[Lacking], honours: bool) -> int:
    """Flags of a part with a missing tile."""
    simple = not honours and not counts[0] and not counts[RANKS - 1]
    runs = all(wait.flags & HAS_RUN for wait in waits)
    outer = any(not wait.flags & NOT_OUTER for wait in waits)
    return NOT_SIMPLE * (not simple) | HAS_RUN * runs | NOT_OUTER * (not outer)


# --- the record of all parts


class _Lists:
    """The fields of the record, part by part."""

    def __init__(self) -> None:
        self.first = np.zeros((2, GROUPS, MOST_SETS + 2), np.int32)
        self.parts: list[tuple[int, list[int], int, int, int, int, int]] = []
        self.first_wait = [0]
        self.waits: list[Lacking] = []

    def add(self, counts: Counts, honours: bool, flags: int, mask: int, fu: int, waits: list[Lacking]) -> None:
        """Add a part."""
        tiles = [8 * rank + count for rank, count in enumerate(counts) if count]
        pairs = sum(1 << rank for rank, count in enumerate(counts) if count == 2) if honours else 0
        shape = shape_of(waits) if waits else 0
        self.parts.append((len(tiles), tiles + [0] * (8 - len(tiles)), flags, mask, pairs, fu // 2, shape))
        self.waits += waits
        self.first_wait.append(len(self.waits))

    def blocks(self) -> Any:
        """As BLOCKS_DTYPE[1]."""
        blocks = np.zeros(1, BLOCKS_DTYPE)
        for name, values in zip(("used", "tiles", "traits", "mask", "pairs", "fu", "form"), zip(*self.parts)):
            blocks[name][0] = values
        blocks["first"][0] = self.first
        blocks["first_wait"][0] = self.first_wait
        for name, ranks in {
            "wait": [wait.rank for wait in self.waits],
            "wait_flags": [wait.flags for wait in self.waits],
            "wait_mask": [wait.mask for wait in self.waits],
            "wait_fu": [wait.fu // 2 for wait in self.waits],
        }.items():
            blocks[name][0] = ranks
        for part in range(PARTS):
            waits = self.waits[self.first_wait[part] : self.first_wait[part + 1]]
            blocks["waits"][0, part] = sum(1 << wait.rank for wait in waits)
        return blocks


@cache
def all_blocks() -> Any:
    """All parts, made once: BLOCKS_DTYPE[1]."""
    lists = _Lists()
    for suit in (NUMBERS, HONOUR_SUIT):
        honours = suit == HONOUR_SUIT
        for group in range(GROUPS):
            for sets in range(MOST_SETS + 1):
                lists.first[suit, group, sets] = len(lists.parts)
                if group != PAIRED or sets < MOST_SETS:
                    _add_parts(lists, group, sets, honours)
            lists.first[suit, group, MOST_SETS + 1] = len(lists.parts)
    return lists.blocks()


def _add_parts(lists: _Lists, group: int, sets: int, honours: bool) -> None:
    """Add the parts of one group with this many sets; `PAIRED` and `OPEN` ones wait to become one more set."""
    complete = complete_parts(sets, group in (PAIRED, SINGLE), honours)
    if group in (SETS, PAIRED):
        tripled = without_one(complete_parts(sets + 1, False, honours), honours) if group == PAIRED else {}
        for counts, readings in complete.items():
            fu = max(sum(triplet_fu(block, honours) for block in reading) for reading in readings)
            mask, flags = mask_of(readings, honours), flags_of(counts, readings, honours)
            lists.add(counts, honours, flags, mask, fu, tripled.get(counts, []))
        return
    paired = complete_parts(sets - 1, True, honours) if group == OPEN and sets else {}
    for counts, waits in without_one(complete, honours).items():
        if counts not in paired:
            lists.add(counts, honours, flags_held(counts, waits, honours), 0, 0, waits)
