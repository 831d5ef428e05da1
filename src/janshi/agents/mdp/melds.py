"""The melds that hands have called since the root of their set, numbered, and whether a yaku is in sight with them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.agents.mdp.hands import NOBODY
from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import EAST, NUM_KINDS, RANKS
from janshi.rules.riichi.state import MELDS

MELD_DTYPE: Final = record_dtype(
    [
        ("key", np.int64),  # codes of the melds called since the root, in order
        ("called", np.int8),
        ("codes", np.int8, (MELDS,)),
        ("tiles", np.int8, (NUM_KINDS,)),  # in those melds
        ("hopeless", np.int8),  # whether no yaku is in sight
    ]
)
PON_CODE: Final = 1 + NUM_KINDS
"""Codes of melds: 1 + first kind of a sequence, PON_CODE + kind of a triplet."""
CODE_BITS: Final = 7
MELD_SETS: Final = 4096


@kernel
def meld_key(codes: Any, code: int, out: Any) -> int:
    """Write the codes of a set of melds with one more, in order; returns the key of the set."""
    placed, key, at = False, 0, 0
    for i in range(MELDS):
        old = int(codes[i])
        if not placed and (old == 0 or code < old):
            out[at] = code
            at += 1
            placed = True
        if old != 0 and at < MELDS:
            out[at] = old
            at += 1
    while at < MELDS:
        out[at] = 0
        at += 1
    for i in range(MELDS):
        key = key << CODE_BITS | int(out[i])
    return key


@kernel
def with_meld(parent: int, code: int, sp: Any) -> int:
    """The number of a set of melds with one more, added if it is new; NOBODY if there is no room."""
    b = sp.bounds[0]
    fresh = int(b.melds)
    if fresh >= MELD_SETS - 1:
        return NOBODY
    p, c = sp.melds[parent], sp.melds[fresh]
    key = meld_key(p.codes, code, c.codes)
    slots = len(sp.meld_table)
    at = int(np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40))) & (slots - 1)
    while sp.meld_table[at] != NOBODY:
        if sp.melds[sp.meld_table[at]].key == key:
            return int(sp.meld_table[at])
        at = (at + 1) & (slots - 1)
    c.key, c.called = key, p.called + 1
    for kind in range(NUM_KINDS):
        c.tiles[kind] = p.tiles[kind]
    if code >= PON_CODE:
        c.tiles[code - PON_CODE] += 3
    else:
        for i in range(3):
            c.tiles[code - 1 + i] += 1
    c.hopeless = 0 if has_hope(c, b) else 1
    sp.meld_table[at] = fresh
    b.melds = fresh + 1
    return fresh


@kernel
def has_hope(c: Any, b: Any) -> bool:
    """Whether an open hand with these melds may still have a yaku, by a quick check."""
    suits, honours, pairs, simple, triplets = int(b.outside), 0, 0, b.simple == 1, b.runs == 0
    for kind in range(NUM_KINDS):
        if (b.valued >> kind) & 1 and (c.tiles[kind] >= 3 or b.root[kind] >= 2):
            return True
        if b.root[kind] >= 2:
            pairs += 1
        if kind >= EAST:
            honours += int(b.root[kind])
    for i in range(MELDS):
        code = int(c.codes[i])
        if code == 0:
            break
        kind = code - PON_CODE if code >= PON_CODE else code - 1
        last = kind if code >= PON_CODE else kind + 2
        simple = simple and kind < EAST and kind % RANKS != 0 and last % RANKS != RANKS - 1
        triplets = triplets and code >= PON_CODE
        if kind < EAST:
            suits |= 1 << (kind // RANKS)
    if b.has_value == 1 or (simple and b.open_tanyao == 1) or (triplets and pairs >= 4):
        return True
    return may_flush(suits, honours, b)


@kernel
def may_flush(suits: int, honours: int, b: Any) -> bool:
    """Whether the root is on the way to a flush in the only suit of its melds."""
    for suit in range(3):
        if suits & ~(1 << suit):
            continue
        tiles = honours + 3 * int(b.melded)
        for kind in range(RANKS * suit, RANKS * suit + RANKS):
            tiles += int(b.root[kind])
        if tiles >= 10:
            return True
    return False
