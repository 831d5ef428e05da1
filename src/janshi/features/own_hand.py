"""The player's own hand for features: its situation, and the hand after each discard.

The *situation*, which changes little during a hand, comes from a view or is filled in directly. `weigh_hand` writes
shanten and useful tiles after each discard into a *weighing*; `yaku_way` computes how far an open hand is from a yaku.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.melds import CHI, CONCEALED_KAN
from janshi.core.shanten import (
    FIRST_P,
    FIRST_S,
    HONOURS_AT,
    class_of,
    count_bits,
    honour_key,
    is_orphan,
    join,
    kind_bits,
    missing,
    orphans_from_bits,
    pair_bits,
    pairs_from_bits,
    shanten_keys,
    suit_key,
)
from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS, SUITS, WHITE
from janshi.core.ukeire import NOT_HELD, useful_mask
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.state import INDICATORS, NONE, PLAYERS

PHASES: Final = 4
"""Phases of a hand: up to four, eight or twelve own discards, or more."""
FEW_ORPHANS: Final = 3
EARLY: Final = 5
WORTHS: Final = 9
"""Classes of honours: winds by player (own, next, ...) and whether they are the round wind, and dragons."""
FOUR_STAGES: Final = 4
"""Shanten 0, 1, 2 and more."""
NO_PLAN, VALUE, VALUE_PAIR, SIMPLE, FLUSH, TRIPLETS = range(6)
PLANS: Final = 6
"""Ways for an open hand to get a yaku."""

MOST: Final = 64
"""Longest list of features of a discard."""

SITUATION_DTYPE: Final = record_dtype(
    [
        ("river", np.int64),  # bit set of the kinds the player discarded
        ("reds", np.int8),  # bit set of red fives in the concealed hand
        ("melds", np.int8),
        ("open", np.int8),  # 1 if a meld is open
        ("turns", np.int8),  # the player's discards so far
        ("seat_wind", np.int8),
        ("round_wind", np.int8),
        ("melds_simple", np.int8),  # 1 if no meld holds a terminal or an honour
        ("melds_worth", np.int8),  # han of valued triplets in melds
        ("meld_suit", np.int8),  # the only suit of the melds, NONE if they have none, SUITS if several
        ("meld_chis", np.int8),
        ("dora", np.int8, (NUM_KINDS,)),  # how often each kind is dora
    ]
)
"""What a player knows apart from the concealed tiles."""

WEIGHING_DTYPE: Final = record_dtype(
    [
        ("mask", np.int64, (NUM_KINDS,)),  # useful tiles after a discard that keeps the shanten
        ("keys", np.int64, (4,)),
        ("kinds", np.int64),
        ("pairs", np.int64),
        ("best", np.int64),  # least shanten after a discard
        ("most", np.int64),  # most useful tiles after a discard
        ("orphans", np.int64),
        ("triplets", np.int64),
        ("suited", np.int64, (4,)),  # tiles of each suit, melds included, and honours
        ("useful", np.int16, (NUM_KINDS,)),  # how many of them are left
        ("standard", np.int16, (NUM_KINDS,)),  # shanten of the standard form
        ("distance", np.int16, (NUM_KINDS,)),  # of the nearest form
        ("needs", np.int16, (NUM_KINDS,)),  # class of the hand
        ("unseen", np.int8, (NUM_KINDS,)),
        ("value", np.float32, (NUM_KINDS,)),  # a model's value of each discard
        ("list", np.int32, (MOST,)),  # features of one of them
    ]
)
"""Notes on every discard of a hand: scratch space, not shared between threads."""


def new_situation() -> npt.NDArray[Any]:
    """A situation with no melds and nothing known."""
    situation = np.zeros(1, SITUATION_DTYPE)
    situation["meld_suit"] = NONE
    situation["melds_simple"] = 1
    return situation


def new_weighing() -> npt.NDArray[Any]:
    """Space for notes on one hand."""
    return np.zeros(1, WEIGHING_DTYPE)


@kernel
def phase_of(turns: int) -> int:
    """Part of the hand by own discards made."""
    return min(max(turns, 0) // 4, PHASES - 1)


@kernel
def honour_worth(kind: int, s: Any) -> int:
    """Han of three of a kind of honours."""
    if kind >= WHITE:
        return 1
    return int(kind == EAST + s.seat_wind) + int(kind == EAST + s.round_wind)


@kernel
def honour_role(kind: int, s: Any) -> int:
    """The class of an honour for the player, below WORTHS."""
    if kind >= WHITE:
        return WORTHS - 1
    owner = (kind - EAST + PLAYERS - int(s.seat_wind)) % PLAYERS
    return 2 * owner + int(kind == EAST + s.round_wind)


# --- situations


@kernel
def situate(v: Any, s: Any) -> None:
    """Write the situation of a viewer."""
    s.river = 0
    for i in range(int(v.discards[0])):
        s.river |= 1 << kind_of(int(v.river[0, i]))
    s.reds, s.melds = v.reds, v.melds[0]
    s.turns = v.discards[0]
    s.seat_wind = (PLAYERS - int(v.dealer)) % PLAYERS
    s.round_wind = (int(v.kyoku) // PLAYERS) % PLAYERS
    for kind in range(NUM_KINDS):
        s.dora[kind] = 0
    for i in range(INDICATORS):
        if v.indicators[i] != NONE:
            s.dora[dora_of(kind_of(int(v.indicators[i])))] += 1
    s.open = s.melds_worth = s.meld_chis = 0
    s.melds_simple, s.meld_suit = 1, NONE
    for i in range(int(v.melds[0])):
        add_meld(int(v.meld_type[0, i]), int(v.meld_kind[0, i]), s)


@kernel
def add_meld(type: int, kind: int, s: Any) -> None:
    """Add the facts about a meld, given its lowest kind, to a situation; `s.melds` is unchanged."""
    if type != CONCEALED_KAN:
        s.open = 1
    if is_orphan(kind) or (type == CHI and is_orphan(kind + 2)):
        s.melds_simple = 0
    if type == CHI:
        s.meld_chis += 1
    if kind >= EAST:
        s.melds_worth += honour_worth(kind, s)
    elif s.meld_suit == NONE:
        s.meld_suit = kind // RANKS
    elif s.meld_suit != kind // RANKS:
        s.meld_suit = SUITS


# --- weighing


@kernel
def weigh_hand(hand: Any, seen: Any, s: Any, t: Any, x: Any) -> None:
    """Write the result of each discard from 14 - 3 * melds concealed tiles.

    `hand` and `seen` are int8[34]: the player's tiles, and those everybody sees.
    """
    count_hand(hand, seen, s, x)
    k0, k1, k2, k3 = int(x.keys[0]), int(x.keys[1]), int(x.keys[2]), int(x.keys[3])
    c0, c1, c2, c3 = class_of(0, k0, t), class_of(1, k1, t), class_of(2, k2, t), class_of(3, k3, t)
    c01, c23 = join(c0, c1, t), join(c2, c3, t)
    melds, best = int(s.melds), NOT_HELD
    others = (join(c1, c23, t), join(c0, c23, t), join(c01, c3, t), join(c01, c2, t))
    for kind in range(NUM_KINDS):
        if hand[kind] <= 0:
            x.distance[kind] = NOT_HELD
            continue
        suit = kind // RANKS
        key = int(x.keys[suit]) - (1 << 3 * (kind - RANKS * suit))
        needs = join(others[suit], class_of(suit, key, t), t)
        x.needs[kind] = needs
        standard = missing(needs, 4 - melds, t) - 1
        distance = standard
        if melds == 0:
            kinds, pairs = bits_after(hand, kind, x)
            distance = min(standard, pairs_from_bits(kinds, pairs), orphans_from_bits(kinds, pairs))
        x.standard[kind], x.distance[kind] = standard, distance
        best = min(best, distance)
    x.best, x.most = best, 0
    for kind in range(NUM_KINDS):
        if x.distance[kind] == best:
            note_useful(kind, melds, t, x)


@kernel
def count_hand(hand: Any, seen: Any, s: Any, x: Any) -> None:
    """Note keys and counts of the whole hand."""
    x.keys[0], x.keys[1] = suit_key(hand, 0), suit_key(hand, FIRST_P)
    x.keys[2], x.keys[3] = suit_key(hand, FIRST_S), honour_key(hand)
    x.kinds = kind_bits(int(x.keys[0]), int(x.keys[1]), int(x.keys[2]), int(x.keys[3]))
    x.pairs = pair_bits(int(x.keys[0]), int(x.keys[1]), int(x.keys[2]), int(x.keys[3]))
    x.orphans = x.triplets = 0
    for suit in range(SUITS + 1):
        x.suited[suit] = 3 * int(s.melds) if s.meld_suit == suit else 0
    for kind in range(NUM_KINDS):
        count = int(hand[kind])
        x.unseen[kind] = max(0, COPIES - int(seen[kind]) - count)
        if count:
            x.orphans += count if is_orphan(kind) else 0
            x.triplets += int(count >= 3)
            x.suited[kind // RANKS] += count


@kernel
def bits_after(hand: Any, kind: int, x: Any) -> tuple[int, int]:
    """Kinds and pairs held after a discard, in the bit order of `kind_bits`."""
    suit = kind // RANKS
    bit = 1 << (3 * (kind - RANKS * suit) + (HONOURS_AT if suit == SUITS else suit))
    kinds, pairs = int(x.kinds), int(x.pairs)
    return kinds & ~bit if hand[kind] == 1 else kinds, pairs & ~bit if hand[kind] == 2 else pairs


@kernel
def note_useful(kind: int, melds: int, t: Any, x: Any) -> None:
    """Note the useful tiles after a discard that keeps the shanten."""
    suit, tile = kind // RANKS, 1 << 3 * (kind % RANKS)
    mask = useful_mask(
        int(x.keys[0]) - (tile if suit == 0 else 0),
        int(x.keys[1]) - (tile if suit == 1 else 0),
        int(x.keys[2]) - (tile if suit == 2 else 0),
        int(x.keys[3]) - (tile if suit == 3 else 0),
        melds,
        int(x.best),
        t,
    )
    x.mask[kind] = mask
    left = 0
    while mask:
        left += int(x.unseen[count_bits((mask & -mask) - 1)])
        mask &= mask - 1
    x.useful[kind] = left
    x.most = max(int(x.most), left)


@kernel
def stage_of(x: Any, s: Any) -> int:
    """The stage of a hand, below STAGES.

    Open: shanten 0, 1, 2, more; whether the melds are simples only. Closed: shanten, from one on whether the hand has
    few terminals and honours, from two on whether it is early.
    """
    best = min(max(int(x.best), 0), FOUR_STAGES - 1)
    if s.open:
        return 2 * best + int(s.melds_simple != 0)
    simple = int(x.orphans <= FEW_ORPHANS)
    if best <= 1:
        return 8 + best * (1 + simple)
    return 11 + 4 * (best - 2) + 2 * simple + int(s.turns >= EARLY)


@kernel
def yaku_way(k0: int, k1: int, k2: int, k3: int, s: Any, t: Any, x: Any) -> tuple[int, int]:
    """The nearest way of a hand with open melds to a yaku: plan and shanten. Reads `x.unseen`."""
    needed = 4 - int(s.melds)
    standard = shanten_keys(k0, k1, k2, k3, needed, t)
    plan, distance = NO_PLAN, 9
    if s.melds_worth > 0:
        return VALUE, standard
    for rank in range(7):
        count = (k3 >> 3 * rank) & 7
        if count >= 2 and honour_worth(EAST + rank, s) > 0:
            if count >= 3:
                return VALUE, standard
            if x.unseen[EAST + rank] > 0:
                plan, distance = VALUE_PAIR, standard
    inner = 0o077777770
    if s.melds_simple:
        simple = shanten_keys(k0 & inner, k1 & inner, k2 & inner, 0, needed, t)
        if simple < distance:
            plan, distance = SIMPLE, simple
    for suit in range(SUITS):
        if s.meld_suit == NONE or s.meld_suit == suit:
            flush = shanten_keys(k0 if suit == 0 else 0, k1 if suit == 1 else 0, k2 if suit == 2 else 0, k3, needed, t)
            if flush < distance:
                plan, distance = FLUSH, flush
    if s.meld_chis == 0:
        pairs = count_bits(pair_bits(k0, k1, k2, k3))
        triplets = count_triplets(k0) + count_triplets(k1) + count_triplets(k2) + count_triplets(k3)
        missing_sets = needed - triplets
        alike = 2 * missing_sets - min(pairs - triplets, missing_sets + 1)
        if alike < distance:
            plan, distance = TRIPLETS, alike
    return plan, distance


@kernel
def count_triplets(key: int) -> int:
    """Kinds held three or four times in a packed key."""
    return count_bits((key >> 2 | (key & key >> 1)) & 0o111111111)
