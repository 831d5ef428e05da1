"""The set of hands Q_S(n, m) around the hand of a decision, and the exchanges and calls between them.

*Standing* hands hold 13 - 3 x melds tiles, as after a discard; *full* hands hold one tile more. A draw or a call leads
from a standing hand to a full one, and a discard back to a standing one. How *far* a hand is from the root is the
number of its tiles that the root does not hold. A hand is kept if a path of at most `n` exchanges leads through it to
tenpai, far + shanten <= n, with at most `m` melds called on the way. The search is breadth-first: each standing hand is
expanded once, in order of discovery, and its draws and calls are appended, so that the edges of a node are contiguous.
Edges that leave the set are left out: such a tile is discarded as it was drawn.

A red five stays in the hand as long as a five of its suit does. Tiles called or drawn since the root count as drawn
from the unseen ones.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.mdp.hands import (
    HONOURS,
    MELDS_AT,
    NOBODY,
    SUIT,
    SUIT_BITS,
    TILES,
    count_in,
    find,
    high_one,
    low_one,
    place_of,
)
from janshi.agents.mdp.melds import MELD_DTYPE, MELD_SETS, PON_CODE, with_meld
from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.shanten import (
    HONOURS_AT,
    class_of,
    honour_class,
    join,
    kind_bits,
    missing,
    orphans_from_bits,
    pair_bits,
    pairs_from_bits,
    suit_class,
)
from janshi.core.tiles import EAST, NUM_KINDS, RANKS
from janshi.core.ukeire import useful_mask, useful_standard
from janshi.rules.riichi.state import MELDS

STANDING_DTYPE: Final = record_dtype(
    [
        ("low", np.int64),
        ("high", np.int64),
        ("waits", np.int64),  # kinds that complete the hand
        ("draws", np.int32),  # where its draws begin; they end where the next hand's begin
        ("calls", np.int32),
        ("wins", np.int32),
        ("far", np.int8),
        ("shanten", np.int8),
    ]
)
FULL_DTYPE: Final = record_dtype([("low", np.int64), ("high", np.int64), ("discards", np.int32)])
EDGE_DTYPE: Final = record_dtype(
    [
        ("to", np.int32),
        ("kind", np.int8),
        ("left", np.int8),  # unseen tiles of the kind
        ("chi", np.int8),  # can be called from the left only
    ]
)
BOUNDS_DTYPE: Final = record_dtype(
    [
        ("n", np.int64),
        ("m", np.int64),
        ("standing", np.int64),  # number of nodes and edges so far
        ("full", np.int64),
        ("draws", np.int64),
        ("calls", np.int64),
        ("discards", np.int64),
        ("melds", np.int64),
        ("limit", np.int64),  # of standing hands
        ("unseen", np.int64),  # unseen tiles in all
        ("simple", np.int8),  # the melds of the root hold no terminal and no honour
        ("valued", np.int64),  # honours of which a triplet is a yaku
        ("has_value", np.int8),  # whether the root has melded such a triplet
        ("melded", np.int8),  # melds of the root
        ("outside", np.int64),  # suits of the root's melds: bit set of 3, without honours
        ("runs", np.int8),  # the root's melds hold a sequence
        ("open_tanyao", np.int8),
        ("root", np.int8, (NUM_KINDS,)),  # tiles of the root
        ("left", np.int8, (NUM_KINDS,)),  # unseen tiles by kind
    ]
)
"""The limits of the set, and the counts of its nodes and edges."""


class Space(NamedTuple):
    """The set of hands: nodes, edges and hash tables. Scratch space of one player."""

    bounds: Any  # BOUNDS_DTYPE[1]
    standing: Any  # STANDING_DTYPE[limit + 1]
    full: Any  # FULL_DTYPE
    draws: Any  # EDGE_DTYPE
    calls: Any  # EDGE_DTYPE
    discards: Any  # EDGE_DTYPE
    melds: Any  # MELD_DTYPE[MELD_SETS]
    standing_table: Any  # int32
    full_table: Any
    meld_table: Any


FULL_PER: Final = 6
"""Room for full hands, draws, calls and discards, per standing hand."""
DRAWS_PER: Final = 20
CALLS_PER: Final = 8
DISCARDS_PER: Final = 24


def new_space(limit: int) -> Space:
    """Allocate a set of up to `limit` standing hands."""
    slots = 1 << (2 * limit).bit_length()
    return Space(
        bounds=np.zeros(1, BOUNDS_DTYPE),
        standing=np.zeros(limit + 1, STANDING_DTYPE),
        full=np.zeros(FULL_PER * limit + 1, FULL_DTYPE),
        draws=np.zeros(DRAWS_PER * limit, EDGE_DTYPE),
        calls=np.zeros(CALLS_PER * limit, EDGE_DTYPE),
        discards=np.zeros(DISCARDS_PER * limit, EDGE_DTYPE),
        melds=np.zeros(MELD_SETS, MELD_DTYPE),
        standing_table=np.full(slots, NOBODY, np.int32),
        full_table=np.full(4 * slots, NOBODY, np.int32),
        meld_table=np.full(4 * MELD_SETS, NOBODY, np.int32),
    )


# --- nodes


@kernel
def add_standing(low: int, high: int, far: int, shanten: int, sp: Space) -> int:
    """The number of a standing hand, added if it is new; NOBODY if there is no room."""
    at = find(sp.standing, sp.standing_table, low, high)
    if sp.standing_table[at] != NOBODY:
        return int(sp.standing_table[at])
    b = sp.bounds[0]
    number = int(b.standing)
    if number >= b.limit:
        return NOBODY
    q = sp.standing[number]
    q.low, q.high, q.far, q.shanten = low, high, far, shanten
    sp.standing_table[at] = number
    b.standing = number + 1
    return number


@kernel
def add_full(low: int, high: int, far: int, sp: Space, t: Any) -> int:
    """The number of a full hand, added with its discards if it is new; NOBODY if there is no room."""
    at = find(sp.full, sp.full_table, low, high)
    if sp.full_table[at] != NOBODY:
        return int(sp.full_table[at])
    b = sp.bounds[0]
    number = int(b.full)
    if number >= len(sp.full) - 1 or b.discards + 14 >= len(sp.discards):
        return NOBODY
    r = sp.full[number]
    r.low, r.high, r.discards = low, high, b.discards
    sp.full_table[at] = number
    b.full = number + 1
    if not add_discards(low, high, far, sp, t):
        return NOBODY
    sp.full[number + 1].discards = b.discards
    return number


@kernel
def add_discards(low: int, high: int, far: int, sp: Space, t: Any) -> bool:
    """Append the discards of a full hand that stay in the set; False if there is no room."""
    b = sp.bounds[0]
    c = sp.melds[high >> MELDS_AT]
    melds = int(b.melded) + int(c.called)
    k0, k1, k2, k3 = low & SUIT, low >> SUIT_BITS, high & SUIT, (high >> SUIT_BITS) & HONOURS
    c0, c1, c2, c3 = suit_class(k0, t), suit_class(k1, t), suit_class(k2, t), honour_class(k3, t)
    c01, c23 = join(c0, c1, t), join(c2, c3, t)
    kinds, pairs = 0, 0
    if melds == 0:
        kinds, pairs = kind_bits(k0, k1, k2, k3), pair_bits(k0, k1, k2, k3)
    for suit in range(4):
        key, others = k0, join(c1, c23, t)
        if suit == 1:
            key, others = k1, join(c0, c23, t)
        elif suit == 2:
            key, others = k2, join(c01, c3, t)
        elif suit == 3:
            key, others = k3, join(c01, c2, t)
        rest, kind, tile = key, RANKS * suit, 1
        while rest:
            held = rest & 7
            if held:
                after = missing(join(others, class_of(suit, key - tile, t), t), 4 - melds, t) - 1
                if melds == 0 and after > 0:
                    bit = 1 << (3 * (kind - RANKS * suit) + (HONOURS_AT if suit == 3 else suit))
                    kinds_after = kinds & ~bit if held == 1 else kinds
                    pairs_after = pairs & ~bit if held == 2 else pairs
                    after = min(after, pairs_from_bits(kinds_after, pairs_after))
                    after = min(after, orphans_from_bits(kinds_after, pairs_after))
                away = far - (1 if held + c.tiles[kind] > b.root[kind] else 0)
                if away + max(after, 0) <= b.n:
                    to = add_standing(low - low_one(kind), high - high_one(kind), away, max(after, 0), sp)
                    if to == NOBODY:
                        return False
                    x = sp.discards[b.discards]
                    x.to, x.kind = to, kind
                    b.discards += 1
            rest >>= 3
            tile <<= 3
            kind += 1
    return True


# --- breadth


@kernel
def connected(low: int, high: int, kind: int) -> bool:
    """Whether a hand holds a tile of the kind or near it, so that drawing it may help."""
    if count_in(low, high, kind) > 0:
        return True
    if kind >= EAST:
        return False
    rank = kind % RANKS
    for step in range(-2, 3):
        if 0 <= rank + step < RANKS and count_in(low, high, kind + step) > 0:
            return True
    return False


@kernel
def left_of(kind: int, held: int, b: Any) -> int:
    """Unseen tiles of a kind when a hand holds this many."""
    return int(b.left[kind]) - max(0, held - int(b.root[kind]))


@kernel
def expand(number: int, sp: Space, t: Any) -> bool:
    """Append the draws and calls of a standing hand; False if there is no room."""
    b, q = sp.bounds[0], sp.standing[number]
    low, high, shanten, far = int(q.low), int(q.high), int(q.shanten), int(q.far)
    c = sp.melds[high >> MELDS_AT]
    melds, slack = int(b.melded) + int(c.called), int(b.n) - far - shanten
    k0, k1, k2, k3 = low & SUIT, low >> SUIT_BITS, high & SUIT, (high >> SUIT_BITS) & HONOURS
    useful = useful_mask(k0, k1, k2, k3, melds, shanten, t)
    q.draws, q.calls, q.waits = b.draws, b.calls, useful if shanten == 0 else 0
    if b.draws + NUM_KINDS >= len(sp.draws) or b.calls + 2 * NUM_KINDS >= len(sp.calls):
        return False
    for kind in range(NUM_KINDS):
        bit = (useful >> kind) & 1
        if (shanten == 0 and bit == 1) or (bit == 0 and (slack <= 0 or not connected(low, high, kind))):
            continue
        held = count_in(low, high, kind) + int(c.tiles[kind])
        left = left_of(kind, held, b)
        if left <= 0:
            continue
        away = far + (1 if held >= b.root[kind] else 0)
        to = add_full(low + low_one(kind), high + high_one(kind), away, sp, t)
        if to == NOBODY:
            return False
        if sp.full[to].discards == sp.full[to + 1].discards:
            continue
        e = sp.draws[b.draws]
        e.to, e.kind, e.left = to, kind, left
        b.draws += 1
    if c.called < b.m and melds < MELDS and shanten > 0:
        useful = useful_standard(k0, k1, k2, k3, 4 - melds, shanten, t)
        for kind in range(NUM_KINDS):
            if (useful >> kind) & 1 == 1 or slack > 0:
                held = count_in(low, high, kind) + int(c.tiles[kind])
                left = left_of(kind, held, b)
                away = far + (1 if held >= b.root[kind] else 0)
                if left > 0 and not add_calls(low, high, kind, left, away, sp, t):
                    return False
    sp.standing[number + 1].draws, sp.standing[number + 1].calls = b.draws, b.calls
    return True


@kernel
def add_calls(low: int, high: int, kind: int, left: int, far: int, sp: Space, t: Any) -> bool:
    """Append the calls of a kind; False if there is no room."""
    if count_in(low, high, kind) >= 2 and not add_call(low, high, kind, PON_CODE + kind, left, far, sp, t):
        return False
    if kind >= EAST:
        return True
    for low_end in range(max(kind - 2, kind // RANKS * RANKS), min(kind, kind // RANKS * RANKS + RANKS - 3) + 1):
        whole = True
        for i in range(3):
            whole = whole and (low_end + i == kind or count_in(low, high, low_end + i) > 0)
        if whole and not add_call(low, high, kind, 1 + low_end, left, far, sp, t):
            return False
    return True


@kernel
def add_call(low: int, high: int, kind: int, code: int, left: int, far: int, sp: Space, t: Any) -> bool:
    """Append one call; False if there is no room."""
    b = sp.bounds[0]
    melds = with_meld(high >> MELDS_AT, code, sp)
    if melds == NOBODY:
        return False
    if sp.melds[melds].hopeless:
        return True
    high = high & TILES
    if code >= PON_CODE:
        low -= 2 * low_one(kind)
        high -= 2 * high_one(kind)
    else:
        for i in range(3):
            if code - 1 + i != kind:
                low -= low_one(code - 1 + i)
                high -= high_one(code - 1 + i)
    to = add_full(low, high | melds << MELDS_AT, far, sp, t)
    if to == NOBODY:
        return False
    if sp.full[to].discards < sp.full[to + 1].discards:
        e = sp.calls[b.calls]
        e.to, e.kind, e.left, e.chi = to, kind, left, 1 if code < PON_CODE else 0
        b.calls += 1
    return True


@kernel
def forget(sp: Space) -> None:
    """Clear the hash tables of a set that is no longer needed."""
    b = sp.bounds[0]
    forget_nodes(sp.standing, int(b.standing), sp.standing_table)
    forget_nodes(sp.full, int(b.full), sp.full_table)
    if b.melds > 1:
        sp.meld_table[:] = NOBODY
    b.standing = b.full = b.draws = b.calls = b.discards = 0


@kernel
def forget_nodes(nodes: Any, count: int, table: Any) -> None:
    """Clear a hash table: slot by slot if few are taken."""
    if 16 * count > len(table):
        table[:] = NOBODY
        return
    for number in range(count):
        at = place_of(nodes[number].low, nodes[number].high, len(table))
        while table[at] != number:
            at = (at + 1) & (len(table) - 1)
        table[at] = NOBODY


@kernel
def begin(sp: Space, n: int, m: int) -> None:
    """Reset a set; the other bounds are set already."""
    forget(sp)
    b, c = sp.bounds[0], sp.melds[0]
    b.n, b.m, b.melds = n, m, 1
    b.limit = len(sp.standing) - 1
    c.key = c.called = c.hopeless = 0
    for i in range(MELDS):
        c.codes[i] = 0
    for kind in range(NUM_KINDS):
        c.tiles[kind] = 0
    sp.standing[0].draws = sp.standing[0].calls = 0
    sp.full[0].discards = 0


@kernel
def grow(sp: Space, t: Any) -> bool:
    """Expand standing hands until no new ones appear; False if there is no room for the whole set."""
    number = 0
    while number < sp.bounds[0].standing:
        if not expand(number, sp, t):
            return False
        number += 1
    return True


@kernel
def build_turn(low: int, high: int, n: int, m: int, sp: Space, t: Any) -> bool:
    """The set around a full hand, which becomes full hand 0."""
    begin(sp, n, m)
    return add_full(low, high, 0, sp, t) != NOBODY and grow(sp, t)


@kernel
def build_reaction(low: int, high: int, shanten: int, n: int, m: int, sp: Space, t: Any) -> bool:
    """The set around a standing hand, which becomes standing hand 0."""
    begin(sp, n, m)
    return add_standing(low, high, 0, shanten, sp) != NOBODY and grow(sp, t)
