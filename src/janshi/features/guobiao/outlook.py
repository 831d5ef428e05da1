"""The outlook of a Guobiao hand: the number of tiles each plan is missing, and the hand's worth by the nearest plans.

The number of missing tiles is exact and takes a few look-ups, so all plans of a position take twenty microseconds,
whereas a search over winning hands (`agents/search/guobiao.py`) takes a millisecond. The chance that a plan succeeds
is only an estimate.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.melds import CHI
from janshi.core.shanten import HONOURS_AT, RANK_ONES, count_bits, pair_bits, shanten_keys
from janshi.core.tables import ShantenTables
from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS
from janshi.core.ukeire import to_mask, useful_standard
from janshi.features.guobiao.plans import (
    KIND_BITS,
    NO_SET,
    NUM_PLANS,
    NUM_SORTS,
    PLAN_CONCEALED,
    PLAN_FORM,
    PLAN_KINDS,
    PLAN_PAY,
    PLAN_SETS,
    PLAN_SHAPE,
    PLAN_SORT,
    PLAN_SURE,
    PUNGS,
    SET_BITS,
    SETS,
    SHAPE,
    TYPES,
)
from janshi.rules.guobiao.distance import Keys, bits_of, keys_of, shape_shanten, shape_useful
from janshi.rules.guobiao.reach import RUN_SETS

FAR: Final = 15
"""The number of missing tiles of a plan that is ruled out."""
CALLED: Final = 0.7
"""Extra tries for the other players' discards per own draw, as in the search model."""
DRAWS: Final = 0.1
"""Tries for each missing tile, as in the search model."""
LOST: Final = 0.05
"""Share of a plan's worth that remains when a tile it needs is discarded."""
BEYOND: Final = 2
"""Plans missing this many more tiles than the nearest are not examined closely."""
MOST: Final = 64
"""Maximum number of plans that are weighed."""
SUITS: Final = 3
WINDS: Final = 4
CATEGORIES: Final = np.array(
    [*(RANK_ONES << suit for suit in range(SUITS)), 0o1111 << HONOURS_AT, 0o111 << HONOURS_AT + 3 * WINDS], np.int64
)
"""Kinds of the suits, the winds and the dragons: *all types* needs one of each."""

OUTLOOK_DTYPE = record_dtype(
    [
        ("hand", np.int64, (NUM_KINDS,)),  # concealed tiles
        ("live", np.int64, (NUM_KINDS,)),  # unseen tiles of each kind
        ("unseen", np.int64),
        ("gone", np.int64),  # kinds of which none is left
        ("melds", np.int64),
        ("meld_sets", np.int64, (4,)),  # their sets by number
        ("meld_bits", np.int64),  # their kinds
        ("lacks", np.int64, (NUM_PLANS,)),
        ("near", np.int64, (MOST,)),  # plans that are weighed
        ("weights", np.float64, (MOST,)),  # what they are worth
        ("best", np.int64, (NUM_SORTS,)),  # the nearest plan of each sort
        ("keep", np.int64, (NUM_SORTS,)),  # kinds whose discard takes it farther away
        ("want", np.int64, (NUM_SORTS,)),  # kinds that bring it closer
        ("worth", np.float64, (NUM_KINDS + 1,)),  # of the hand after each discard, and as it is
        ("least", np.int64),  # tiles missing for the nearest plan
    ]
)
Outlook: TypeAlias = np.record
"""A hand, its missing tiles and what it is worth: one record of OUTLOOK_DTYPE."""


# --- missing tiles


class Held(NamedTuple):
    """Keys of a hand, and which kinds it has once, twice and three times at least."""

    keys: Keys
    one: int
    two: int
    three: int


@kernel
def held_of(k: Keys) -> Held:
    """A hand by its keys."""
    three = 0
    for suit in range(4):
        key = k[suit]
        bits = (key >> 2 | key >> 1 & key) & RANK_ONES
        three |= bits << (HONOURS_AT if suit == 3 else suit)
    return Held(k, bits_of(k), pair_bits(k[0], k[1], k[2], k[3]), three)


@kernel
def without(k: Keys, taken: int) -> Keys:
    """Keys of the hand after removing one tile of each of these kinds."""
    return (
        k[0] - (taken & RANK_ONES),
        k[1] - (taken >> 1 & RANK_ONES),
        k[2] - (taken >> 2 & RANK_ONES),
        k[3] - (taken >> HONOURS_AT & RANK_ONES),
    )


@kernel
def within(k: Keys, kinds: int) -> Keys:
    """Keys of the tiles of some kinds only."""
    return (
        k[0] & 7 * (kinds & RANK_ONES),
        k[1] & 7 * (kinds >> 1 & RANK_ONES),
        k[2] & 7 * (kinds >> 2 & RANK_ONES),
        k[3] & 7 * (kinds >> HONOURS_AT & RANK_ONES),
    )


class Fixed(NamedTuple):
    """The result of taking a plan's fixed sets from a hand: missing tiles, their kinds, free sets and tiles left."""

    lack: int
    kinds: int
    free: int
    rest: Keys


@kernel
def split(o: Outlook, h: Held, plan: int) -> Fixed:
    """Take the fixed sets of a plan from a hand, except those that are melds; `lack` is FAR if it is ruled out."""
    if int(o.meld_bits) & ~PLAN_KINDS[plan]:
        return Fixed(FAR, 0, 0, h.keys)
    need_one = need_two = need_three = 0
    free, used = 4 - int(o.melds), 0
    for i in range(3):
        number = PLAN_SETS[plan, i]
        if number == NO_SET:
            break
        there = False
        for j in range(int(o.melds)):
            if not there and o.meld_sets[j] == number and (used >> j) & 1 == 0:
                used |= 1 << j
                there = True
        if there:
            continue
        free -= 1
        bits = SET_BITS[number]
        for _ in range(1 if number < RUN_SETS else 3):
            need_three |= need_two & bits
            need_two |= need_one & bits
            need_one |= bits
    if free < 0:
        return Fixed(FAR, 0, 0, h.keys)
    lack_one, lack_two, lack_three = need_one & ~h.one, need_two & ~h.two, need_three & ~h.three
    lacking = lack_one | lack_two | lack_three
    if lacking & int(o.gone):
        return Fixed(FAR, 0, 0, h.keys)
    rest = without(without(without(h.keys, need_one & h.one), need_two & h.two), need_three & h.three)
    lack = count_bits(lack_one) + count_bits(lack_two) + count_bits(lack_three)
    return Fixed(lack, lacking, free, within(rest, PLAN_KINDS[plan]))


@kernel
def sets_lack(o: Outlook, h: Held, plan: int, most: int, t: ShantenTables) -> int:
    """Tiles missing for the fixed sets and a free remainder; FAR if more than `most`."""
    fixed = split(o, h, plan)
    if fixed.lack > most:
        return FAR
    r = fixed.rest
    return min(fixed.lack + shanten_keys(r[0], r[1], r[2], r[3], fixed.free, t) + 1, FAR)


@kernel
def pungs_lack(o: Outlook, h: Held) -> int:
    """Tiles missing for pungs and a pair."""
    for i in range(int(o.melds)):
        if o.meld_sets[i] < RUN_SETS:
            return FAR
    triplets, pairs = count_bits(h.three), count_bits(h.two & ~h.three)
    single = count_bits(h.one & ~h.two)
    needed = 4 - int(o.melds)
    lack = 0
    made = min(triplets, needed)
    needed, triplets = needed - made, triplets - made
    made = min(pairs, needed)
    lack, needed, pairs = lack + made, needed - made, pairs - made
    lack += 2 * min(single, needed) + 3 * max(needed - single, 0)
    single -= min(single, needed)
    if triplets + pairs > 0:
        return lack
    return lack + (1 if single > 0 else 2)


@kernel
def category_of(number: int) -> int:
    """The category of a set: its suit, winds or dragons."""
    if number < RUN_SETS:
        return number // 7
    kind = number - RUN_SETS
    return kind // RANKS if kind < EAST else SUITS + int(kind >= EAST + WINDS)


@kernel
def set_lack(h: Held, category: int) -> int:
    """Tiles missing for the nearest set of a category."""
    kinds = CATEGORIES[category]
    best = 3 - int(h.one & kinds != 0) - int(h.two & kinds != 0) - int(h.three & kinds != 0)
    held = h.one & kinds
    if category >= SUITS:
        return best
    if held & held >> 3 & held >> 6:
        return 0
    return min(best, 1) if held & (held >> 3 | held >> 6) else best


@kernel
def types_lack(o: Outlook, h: Held) -> int:
    """Tiles missing for a set or pair of each category."""
    there = 0
    for i in range(int(o.melds)):
        bit = 1 << category_of(int(o.meld_sets[i]))
        if there & bit:
            return FAR
        there |= bit
    total, best = 0, FAR
    for category in range(len(CATEGORIES)):
        if (there >> category) & 1 == 0:
            total += set_lack(h, category)
    for category in range(len(CATEGORIES)):
        if (there >> category) & 1 == 0:
            kinds = CATEGORIES[category]
            pair = 2 - int(h.one & kinds != 0) - int(h.two & kinds != 0)
            best = min(best, total - set_lack(h, category) + pair)
    return best


@kernel
def plan_lack(o: Outlook, h: Held, plan: int, most: int, t: ShantenTables) -> int:
    """Tiles a hand is missing for a plan; FAR if it is ruled out, or if its fixed sets alone need more than `most`."""
    form = PLAN_FORM[plan]
    if PLAN_CONCEALED[plan] and o.melds > 0:
        return FAR
    if form == SETS:
        return sets_lack(o, h, plan, most, t)
    if form == PUNGS:
        return pungs_lack(o, h)
    if form == TYPES:
        return types_lack(o, h)
    return min(shape_shanten(h.keys, int(o.melds), PLAN_SHAPE[plan], t) + 1, FAR)


# --- what it is worth


@kernel
def chance(live: float, tries: float, unseen: int) -> float:
    """The chance that one of the `live` tiles comes."""
    return float(1.0 - np.exp(-tries * live / unseen))


@kernel
def live_of(o: Outlook, kinds: int) -> int:
    """How many tiles of a bit set of kinds (bit k for kind k) are unseen."""
    total = 0
    for kind in range(NUM_KINDS):
        if (kinds >> kind) & 1:
            total += int(o.live[kind])
    return total


@kernel
def fixed_chance(o: Outlook, plan: int, lacking: int, tries: float) -> float:
    """The chance of getting the tiles missing from a plan's fixed sets; the last of a set can be called."""
    product = 1.0
    for i in range(3):
        number = PLAN_SETS[plan, i]
        if number == NO_SET:
            break
        bits = SET_BITS[number] & lacking
        if bits == 0:
            continue
        if number < RUN_SETS:
            low = number // 7 * RANKS + number % 7
            each = tries * (1.0 + CALLED / count_bits(bits))
            for kind in range(low, low + 3):
                if KIND_BITS[kind] & bits:
                    product *= chance(float(o.live[kind]), each, int(o.unseen))
        else:
            kind = number - RUN_SETS
            missing = 3 - min(int(o.hand[kind]), 3)
            for n in range(missing):
                more = 3.0 * CALLED if n == missing - 1 else 0.0
                product *= chance(float(max(o.live[kind] - n, 0)), tries * (1.0 + more), int(o.unseen))
    return product


@kernel
def rest_chance(live: int, lack: int, tries: float, unseen: int) -> float:
    """The chance of getting the tiles still missing outside the fixed sets; `live` tiles make the next step."""
    if lack <= 0:
        return 1.0
    product = chance(float(live), tries * (1.0 + CALLED), unseen)
    for _ in range(lack - 1):
        product *= chance(max(0.6 * live, 4.0), tries * (1.0 + 0.5 * CALLED), unseen)
    return product


@kernel
def rest_wanted(fixed: Fixed, plan: int, lack: int, t: ShantenTables) -> int:
    """Kinds that help the free remainder, which is missing `lack` tiles: bit k for kind k."""
    r = fixed.rest
    return useful_standard(r[0], r[1], r[2], r[3], fixed.free, lack - 1, t) & to_mask(PLAN_KINDS[plan])


@kernel
def wanted(o: Outlook, h: Held, plan: int, lack: int, t: ShantenTables) -> int:
    """Kinds that help a plan, bit k for kind k."""
    form = PLAN_FORM[plan]
    if form == SETS:
        fixed = split(o, h, plan)
        rest = lack - fixed.lack
        return to_mask(fixed.kinds) | (rest_wanted(fixed, plan, rest, t) if rest > 0 else 0)
    if form == SHAPE:
        return shape_useful(h.keys, int(o.melds), PLAN_SHAPE[plan], lack - 1, t)
    return to_mask(h.two & ~h.three) if form == PUNGS else 0


@kernel
def weigh(o: Outlook, h: Held, plan: int, lack: int, tries: float, t: ShantenTables) -> float:
    """The worth of a plan that is missing `lack` tiles: the chance of getting them times the payment."""
    form = PLAN_FORM[plan]
    unseen = max(int(o.unseen), 1)
    if form == SETS:
        fixed = split(o, h, plan)
        rest = lack - fixed.lack
        value = PLAN_PAY[plan] * fixed_chance(o, plan, fixed.kinds, tries)
        if rest > 0:
            value *= rest_chance(live_of(o, rest_wanted(fixed, plan, rest, t)), rest, tries, unseen)
        return float(value)
    live = 4.0 * lack if form == TYPES else float(live_of(o, wanted(o, h, plan, lack, t)))
    each = tries * (1.0 + 3.0 * CALLED) if form == PUNGS else tries * (1.0 + CALLED) if form == TYPES else tries
    value = PLAN_PAY[plan]
    for n in range(lack, 0, -1):
        value *= chance(live * n / lack, each, unseen)
    return float(value)


@kernel
def find_lacks(o: Outlook, h: Held, t: ShantenTables) -> int:
    """Write the missing tiles of every plan, the nearest of each sort, and the plans to weigh; returns their number."""
    least = FAR
    for sort in range(NUM_SORTS):
        o.best[sort] = NO_SET
    for plan in range(NUM_PLANS):
        lack = plan_lack(o, h, plan, least + BEYOND, t)
        o.lacks[plan] = lack
        sort = PLAN_SORT[plan]
        if lack < FAR and (o.best[sort] == NO_SET or lack < o.lacks[o.best[sort]]):
            o.best[sort] = plan
        if PLAN_SURE[plan]:
            least = min(least, lack)
    o.least = least
    count = 0
    for plan in range(NUM_PLANS):
        if o.lacks[plan] <= least + 1 and count < MOST:
            o.near[count] = plan
            count += 1
    return count


@kernel
def worth_of(o: Outlook, count: int, h: Held, tries: float, t: ShantenTables) -> float:
    """The combined worth of a hand's nearest plans."""
    total = 0.0
    for i in range(count):
        plan = o.near[i]
        o.weights[i] = weigh(o, h, plan, o.lacks[plan], tries, t)
        total += o.weights[i]
    return total


@kernel
def look_at_hand(o: Outlook, discards: bool, tries: float, t: ShantenTables) -> None:
    """Write the whole outlook of a hand and, if `discards`, of the hands after each discard."""
    k = keys_of(o.hand)
    h = held_of(k)
    count = find_lacks(o, h, t)
    o.worth[:] = 0.0
    o.worth[NUM_KINDS] = worth_of(o, count, h, tries, t)
    for sort in range(NUM_SORTS):
        o.keep[sort] = o.want[sort] = 0
        plan = o.best[sort]
        if plan != NO_SET and o.lacks[plan] <= o.least + BEYOND:
            o.want[sort] = wanted(o, h, plan, int(o.lacks[plan]), t)
    for kind in range(NUM_KINDS):
        if discards and o.hand[kind] > 0:
            look_at_discard(o, count, k, kind, tries, t)


@kernel
def look_at_discard(o: Outlook, count: int, k: Keys, kind: int, tries: float, t: ShantenTables) -> None:
    """Write the hand's worth without a tile, and the sorts of plans that need the tile."""
    o.hand[kind] -= 1
    h = held_of(without(k, KIND_BITS[kind]))
    total = 0.0
    for i in range(count):
        plan = o.near[i]
        lack = plan_lack(o, h, plan, FAR - 1, t)
        if lack == o.lacks[plan]:
            total += min(weigh(o, h, plan, lack, tries, t), o.weights[i]) if lack <= o.least else o.weights[i]
        elif lack < FAR:
            total += LOST * o.weights[i]
    o.worth[kind] = total
    for sort in range(NUM_SORTS):
        plan = o.best[sort]
        if o.want[sort] and plan_lack(o, h, plan, FAR - 1, t) > o.lacks[plan]:
            o.keep[sort] |= 1 << kind
    o.hand[kind] += 1


# --- from views


@kernel
def set_up(v: Any, o: Outlook) -> None:
    """Take the hand, the melds and the visible tiles from a view."""
    o.unseen = o.gone = 0
    for kind in range(NUM_KINDS):
        o.hand[kind] = v.hand[kind]
        o.live[kind] = max(COPIES - int(v.hand[kind]) - int(v.seen[kind]) - int(v.tile == kind), 0)
        o.unseen += o.live[kind]
        if o.live[kind] == 0:
            o.gone |= KIND_BITS[kind]
    o.melds = o.meld_bits = 0
    for i in range(int(v.melds[0])):
        lay(o, int(v.meld_type[0, i]) == CHI, int(v.meld_kind[0, i]))


@kernel
def lay(o: Outlook, chow: bool, kind: int) -> None:
    """Add a meld: a chow from `kind` on, or a pung or kong of it."""
    number = kind // RANKS * 7 + kind % RANKS if chow else RUN_SETS + kind
    o.meld_sets[o.melds] = number
    o.meld_bits |= SET_BITS[number]
    o.melds += 1


@kernel
def worth_now(o: Outlook, tries: float, t: ShantenTables) -> float:
    """The worth of the hand as it is."""
    h = held_of(keys_of(o.hand))
    return worth_of(o, find_lacks(o, h, t), h, tries, t)
