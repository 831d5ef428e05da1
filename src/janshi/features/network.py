"""Features of the network of opponents: lists for the whole opponent, for each suit and for the honours.

The linear models' lists for a whole opponent (waiting, hand score) are used unchanged. Tiles are encoded suit by suit:
the three suits share one table of features, so that what is learned for one applies to all, and mirrored suits (1 as
9) are suits too (`MIRROR`). Honours have their own table. Number 0 is not a feature; it pads lists.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.melds import CHI
from janshi.core.tiles import EAST, NUM_KINDS, RANKS, SUITS
from janshi.features import hand_score, waiting
from janshi.features.layout import Layout
from janshi.features.opponent import CODES, DRAGON, NO_FLUSH, STANCES, STATUSES
from janshi.rules.riichi.state import INDICATORS, MELDS, NONE, PLAYERS, TSUMOGIRI_FLAG

VERSION: Final = 1
"""Changes when the meaning of a feature number does."""

HONOURS: Final = NUM_KINDS - EAST
TURNS: Final = 20
COUNTS: Final = 5
PATTERNS: Final = 1 << RANKS

GLOBAL_SIZE: Final = 1 + waiting.LAYOUT.size + hand_score.LAYOUT.size
SCORE_FIRST: Final = 1 + waiting.LAYOUT.size

SUIT: Final = Layout()
SUIT.add("none", "tiles", none=1)
STATE: Final = SUIT.add("discarded or safe, and how", "discards", code=CODES, status=STATUSES, rank=RANKS)
LEFT: Final = SUIT.add("copies left of three ranks", "tiles", third=3, one=COUNTS, two=COUNTS, three=COUNTS)
DORA: Final = SUIT.add("dora", "dora", rank=RANKS)
RIVER: Final = SUIT.add("discard by place", "discards", place=TURNS, drawn=2, rank=RANKS)
MELD: Final = SUIT.add("meld", "melds", type=6, rank=RANKS)
CALL: Final = SUIT.add("discard after a meld", "melds", meld=4, rank=RANKS)
CHANGE: Final = SUIT.add("last discard from the hand and its age", "discards", age=4, rank=RANKS)
BEFORE: Final = SUIT.add("discard from the hand before that", "discards", rank=RANKS)
GIVEN: Final = SUIT.add("discards of the suit by turn", "discards", count=9, part=5)
FLUSH: Final = SUIT.add("flush", "melds", stance=STANCES, part=3)
DISCARDED: Final = SUIT.add("which were discarded", "discards", stance=2, which=PATTERNS)
SAFE: Final = SUIT.add("which are safe", "discards", which=PATTERNS)

HONOUR: Final = Layout()
HONOUR.add("none", "tiles", none=1)
HONOUR_STATE: Final = HONOUR.add("discarded or safe, and how", "discards", code=CODES, status=STATUSES, honour=HONOURS)
HONOUR_LEFT: Final = HONOUR.add("copies left", "tiles", left=COUNTS, dora=2, role=4, honour=HONOURS)
HONOUR_MELD: Final = HONOUR.add("meld", "melds", honour=HONOURS)
HONOUR_STANCE: Final = HONOUR.add("stance and turn", "situation", stance=STANCES, part=5)

GLOBAL_MOST: Final = waiting.MOST + hand_score.MOST_OF_OPPONENT
GLOBAL_ROOM: Final = 96
"""Space for the whole opponent's list in examples; hardly one list in a million is longer."""
SUIT_DISCARDS: Final = 12
"""Discards of a suit that are listed one by one."""
SUIT_ROOM: Final = RANKS + 3 + INDICATORS + 4 + SUIT_DISCARDS + 2 + 2 * MELDS
"""States, copies left, dora, patterns, discards, changes, melds and discards after them."""
HONOUR_ROOM: Final = 2 * HONOURS + 4 + 1
ROOM: Final = GLOBAL_ROOM + SUITS * SUIT_ROOM + HONOUR_ROOM
"""Length of an encoded opponent: the three parts one after another, padded with 0."""


@kernel
def list_global(v: Any, player: int, r: Any, out: Any) -> int:
    """List the features of the whole opponent, whose reading is `r`, into int32[GLOBAL_MOST]; returns how many."""
    n = waiting.list_waiting(v, player, r, out)
    end = n + hand_score.list_opponent(v, player, r, out[n:])
    for i in range(n):
        out[i] += 1
    for i in range(n, end):
        out[i] += SCORE_FIRST
    return end


@kernel
def list_suit(v: Any, player: int, suit: int, r: Any, out: Any) -> int:
    """List the features of a suit into `out` (int32[SUIT_ROOM]); returns how many."""
    first = suit * RANKS
    for third in range(3):
        kind = first + 3 * third
        left = (int(r.left[kind]) * COUNTS + int(r.left[kind + 1])) * COUNTS + int(r.left[kind + 2])
        out[third] = LEFT + third * COUNTS**3 + left
    n, discarded = 3, 0
    for rank in range(RANKS):
        kind = first + rank
        code, status = int(r.code[kind]), int(r.status[kind])
        if code or status:
            out[n] = STATE + (code * STATUSES + status) * RANKS + rank
            n += 1
        if r.dora[kind]:
            out[n] = DORA + rank
            n += 1
        discarded |= int(code > 0) << rank
    safe = (int(r.safe) >> first) & (PATTERNS - 1)
    out[n] = DISCARDED + int(r.stance == 0) * PATTERNS + discarded
    out[n + 1] = SAFE + safe
    out[n + 2] = GIVEN + min(int(r.suit_discards[suit]), 8) * 5 + min(int(r.discards) // 4, 4)
    out[n + 3] = FLUSH + int(r.stance) * 3 + (0 if r.flush == NO_FLUSH else 1 if r.flush == suit else 2)
    n = list_river(v, player, first, r, out, n + 4)
    return list_melds(v, player, first, r, out, n)


@kernel
def list_river(v: Any, player: int, first: int, r: Any, out: Any, n: int) -> int:
    """The discards of a suit one by one, and the last two from the hand if they are of it."""
    listed = 0
    for i in range(int(r.discards)):
        rank = int(r.river[i]) - first
        if 0 <= rank < RANKS and listed < SUIT_DISCARDS:
            drawn = int(v.river_flags[player, i]) & TSUMOGIRI_FLAG
            out[n] = RIVER + (min(i, TURNS - 1) * 2 + drawn) * RANKS + rank
            n += 1
            listed += 1
    last = int(r.riichi_at) if r.riichi_at != NONE else int(r.last_change)
    if last == NONE:
        return n
    rank = int(r.river[last]) - first
    if 0 <= rank < RANKS:
        out[n] = CHANGE + min((int(r.discards) - 1 - last + 1) // 2, 3) * RANKS + rank
        n += 1
    before = int(r.change_before) if last == int(r.last_change) else int(r.last_change)
    if before != NONE:
        rank = int(r.river[before]) - first
        if 0 <= rank < RANKS:
            out[n] = BEFORE + rank
            n += 1
    return n


@kernel
def list_melds(v: Any, player: int, first: int, r: Any, out: Any, n: int) -> int:
    """Melds of a suit, and discards of it after melds."""
    for i in range(int(v.melds[player])):
        type, rank = int(v.meld_type[player, i]), int(v.meld_kind[player, i]) - first
        if 0 <= rank < RANKS:
            out[n] = MELD + type * RANKS + rank + int(type == CHI)
            n += 1
        at = int(r.call_discard[i])
        if at != NONE:
            rank = int(r.river[at]) - first
            if 0 <= rank < RANKS:
                out[n] = CALL + i * RANKS + rank
                n += 1
    return n


@kernel
def list_honours(v: Any, player: int, r: Any, out: Any) -> int:
    """List the features of the honours into `out` (int32[HONOUR_ROOM]); returns how many.

    Winds are counted from the opponent's own, so that the first honour is always the seat wind.
    """
    out[0] = HONOUR_STANCE + int(r.stance) * 5 + min(int(r.discards) // 4, 4)
    n = 1
    for honour in range(HONOURS):
        kind = honour_kind(v, player, honour)
        code, status = int(r.code[kind]), int(r.status[kind])
        if code or status:
            out[n] = HONOUR_STATE + (code * STATUSES + status) * HONOURS + honour
            n += 1
        copies = int(r.left[kind]) * 2 + int(r.dora[kind] > 0)
        out[n] = HONOUR_LEFT + (copies * 4 + int(r.role[kind]) - DRAGON) * HONOURS + honour
        n += 1
        for i in range(int(v.melds[player])):
            if v.meld_kind[player, i] == kind:
                out[n] = HONOUR_MELD + honour
                n += 1
    return n


@kernel
def honour_kind(v: Any, player: int, honour: int) -> int:
    """The kind of an honour by its number in lists: 0 is the opponent's seat wind, then other winds, then dragons."""
    if honour >= PLAYERS:
        return EAST + honour
    return EAST + (honour + player + PLAYERS - int(v.dealer)) % PLAYERS


@kernel
def encode(v: Any, player: int, r: Any, scratch: Any, out: Any) -> None:
    """Write an opponent, already read, into `out`, int16[ROOM]; `scratch` is int32[GLOBAL_MOST]."""
    out[:] = 0
    for i in range(min(list_global(v, player, r, scratch), GLOBAL_ROOM)):
        out[i] = scratch[i]
    at = GLOBAL_ROOM
    for suit in range(SUITS):
        for i in range(list_suit(v, player, suit, r, scratch)):
            out[at + i] = scratch[i]
        at += SUIT_ROOM
    for i in range(list_honours(v, player, r, scratch)):
        out[at + i] = scratch[i]


def mirror() -> npt.NDArray[np.int64]:
    """The mirror image of each feature of a suit, int64[SUIT.size]."""
    out = np.arange(SUIT.size)
    turned = np.array([int(f"{which:0{RANKS}b}"[::-1], 2) for which in range(PATTERNS)])
    for group in SUIT.groups:
        numbers = out[group.first : group.first + group.size].reshape(tuple(group.axes.values()))
        if "rank" in group.axes:
            numbers = numbers[..., ::-1]
        elif "which" in group.axes:
            numbers = numbers[..., turned]
        elif "third" in group.axes:
            numbers = numbers[::-1].transpose(0, 3, 2, 1)
        out[group.first : group.first + group.size] = numbers.ravel()
    return out
