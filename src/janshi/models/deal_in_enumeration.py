"""Dealing in to opponents with melds: their possible tenpai hands, all enumerated (Kurita & Hoki 2021, Sec. VI-C).

Each hand counts as often as it can be drawn from the unseen tiles, times prior weights learned from records: how
readily an opponent with such a river keeps a tile, the shape of the wait, the yaku the hand goes for. A hand without
yaku wins nothing, a furiten one neither. With two melds seven tiles are unknown, with three four, with four one; with
one meld, one of the three concealed sets is drawn on its own and seven tiles are enumerated beside it.

Hands are put together suit by suit (`deal_in_blocks`). What the parts of a suit mean for yaku, fu and dora is one
number, a *signature*; parts with equal signatures are added up before suits are joined, so that the hundred thousand
hands with two melds are summed exactly in some thousands of steps.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core._jit import kernel
from janshi.core.melds import CHI, CONCEALED_KAN, PON
from janshi.core.records import record_dtype
from janshi.core.tiles import COPIES, EAST, FIRST_RED, FIVE_M, HONOURS, NUM_KINDS, RANKS, SUITS
from janshi.features.reading import CODES, LET_GO, ROLES, worth
from janshi.features.winning_tile import FLUSH_COUNTS, flush_count, flush_part, flush_turn
from janshi.models.amounts import AMOUNTS, spread
from janshi.models.deal_in_blocks import (
    HAS_RUN,
    HONOUR_SUIT,
    NOT_OUTER,
    NOT_SIMPLE,
    NUMBERS,
    OPEN,
    PAIRED,
    SETS,
    SHAPES,
    SINGLE,
    TWO_PAIRS,
    all_blocks,
)
from janshi.rules.riichi.state import INDICATORS

# Signatures: flags that are joined by "or", then numbers that are added. The first three are those of blocks.
HONOUR_FLAG: Final = 1 << 3
VALUED_PAIR: Final = 1 << 4
FURITEN_PAIR: Final = 1 << 5
SUIT_FLAGS: Final = 6
STRAIGHT_FLAGS: Final = 9
LET_GO_PAIR: Final = 1 << 15
FLAGS: Final = (1 << 16) - 1
HAN_AT, FU_AT, DORA_AT = 16, 18, 22
MOST_HAN, MOST_FU, MOST_DORA = 3, 15, 7
BLURRED_FU, BLURRED_DORA = 4, 4
CONTENT_AT: Final = 25
CONTENT_SIMPLE, CONTENT_RUN, CONTENT_HAN, CONTENT_PAIR = 1, 2, 4, 8
"""Of parts that lack a tile: what they hold without it."""
RANK_AT: Final = 29
SHAPE_AT: Final = 29
FURITEN_AT, LET_GO_AT = 32, 33

STRAIGHTS: Final = 3
"""Yaku of three sequences (three colours, full straight) that are looked for at once."""
NEEDS: Final = 2
"""Sequences that such a yaku may still need."""

SIMPLES, FLUSHES, VALUED, TRIPLETS, BACK = 1, 2, 4, 8, 16
YAKU_CLASSES: Final = 32
"""What a hand goes for: simples, a flush, a triplet of valued honours, triplets, a pair of valued honours."""

HANS: Final = 14
FUS: Final = 4
"""30, 40, 50, 60 and more fu."""
GROUPS_OF_MELDS: Final = 3
NEAR: Final = 9

PRIOR_DTYPE: Final = record_dtype(
    [
        # how readily a tile is kept
        ("kept", np.float32, (ROLES, CODES)),  # by how its kind was discarded
        ("near", np.float32, (ROLES, NEAR)),  # by discards one and two ranks away
        ("flush", np.float32, (4, FLUSH_COUNTS, 3)),
        ("dora", np.float32, (ROLES, 2)),
        # hands, by number of melds
        ("wait", np.float32, (GROUPS_OF_MELDS, SHAPES)),
        ("yaku", np.float32, (GROUPS_OF_MELDS, YAKU_CLASSES)),
        ("furiten", np.float32, (GROUPS_OF_MELDS, 2)),
        ("let_go", np.float32, (GROUPS_OF_MELDS, 2)),
    ]
)
"""Prior weights, all 1 where nothing is known."""

MASS_DTYPE: Final = record_dtype(
    [
        ("total", np.float64),
        ("wait", np.float64, (SHAPES,)),
        ("yaku", np.float64, (YAKU_CLASSES,)),
        ("furiten", np.float64, (2,)),
        ("let_go", np.float64, (2,)),
    ]
)
"""Weights of all enumerated hands, in all and by class."""

HASH: Final = 4096
CAPACITY: Final = 2048
MOST_SETS: Final = 2
ALL_SUITS: Final = SUITS + 1
# Lists of (signature, weight).
LIST_SETS, LIST_PAIRED = 0, 12
LIST_TWO_SETS, LIST_TWO_PAIRED = 20, 23
LIST_REST_SETS, LIST_REST_PAIRED = 25, 28
LIST_APART, LIST_JOINED, LIST_ENTRIES, LIST_COARSE = 30, 31, 32, 33
LISTS: Final = 34

SCENE_DTYPE: Final = record_dtype(
    [
        ("sets", np.int64),  # concealed sets of the enumerated part
        ("group", np.int64),  # row of the prior weights
        ("simple", np.int64),  # yaku that the melds allow
        ("triplets", np.int64),
        ("outer", np.int64),
        ("flush", np.int64),
        ("honours", np.int64),  # melds hold honours
        ("suits", np.int64),  # flags of the melds' suits
        ("han", np.int64),  # han that are certain
        ("dora", np.int64),
        ("fu", np.int64),
        ("keep", np.int64),  # flags that matter
        ("safe", np.int64),
        ("let_go", np.int64),
        ("straight", np.int64, (STRAIGHTS,)),  # flags that complete it; 0: none
        ("need", np.int64, (ALL_SUITS, RANKS)),  # flags that a sequence of a suit from a rank adds
        ("honour_worth", np.int64, (HONOURS,)),
        ("red", np.float64, (SUITS,)),  # chance that one held five is red
        ("ways", np.float64, (NUM_KINDS, COPIES + 1)),
        ("won", np.float64, (NUM_KINDS, HANS, FUS)),
    ]
)
"""What concerns one opponent: scratch space."""


LISTS_DTYPE: Final = record_dtype(
    [
        ("counts", np.int64, (LISTS,)),
        ("keys", np.int64, (LISTS, CAPACITY)),
        ("weights", np.float64, (LISTS, CAPACITY)),
        ("stamp", np.int64),  # of the list that is added to
        ("hash_stamp", np.int64, (HASH,)),
        ("hash_at", np.int16, (HASH,)),
    ]
)
"""Lists of signatures with their weights: scratch space."""


class Enumerating(NamedTuple):
    """Tables and scratch space of the enumeration. Not shared between threads."""

    blocks: Any  # BLOCKS_DTYPE[1]
    lists: Any  # LISTS_DTYPE[1]
    scene: Any  # SCENE_DTYPE[1]
    mass: Any  # MASS_DTYPE[1]
    sums: Any  # float64[AMOUNTS]


def new_enumerating() -> Enumerating:
    """Make scratch space."""
    return Enumerating(
        all_blocks(),
        np.zeros(1, LISTS_DTYPE),
        np.zeros(1, SCENE_DTYPE),
        np.zeros(1, MASS_DTYPE),
        np.zeros(AMOUNTS, np.float64),
    )


def plain_prior() -> Any:
    """Prior weights of 1: every hand counts as often as it can be drawn."""
    prior = np.zeros(1, PRIOR_DTYPE)
    for name in PRIOR_DTYPE.names or ():
        prior[name] = 1
    return prior


# --- lists of signatures


@kernel
def begin(lists: Any, list: int) -> None:
    """Empty a list and make it the one that is added to."""
    lists.counts[list] = 0
    lists.stamp += 1


@kernel
def add(lists: Any, list: int, key: int, weight: float) -> None:
    """Add a weight under a key."""
    at = (key ^ (key >> 9) ^ (key >> 18) ^ (key >> 27)) & (HASH - 1)
    while lists.hash_stamp[at] == lists.stamp:
        place = int(lists.hash_at[at])
        if lists.keys[list, place] == key:
            lists.weights[list, place] += weight
            return
        at = (at + 1) & (HASH - 1)
    count = int(lists.counts[list])
    if count == CAPACITY:  # never seen; the weight is not lost
        lists.weights[list, 0] += weight
        return
    lists.hash_stamp[at] = lists.stamp
    lists.hash_at[at] = count
    lists.keys[list, count] = key
    lists.weights[list, count] = weight
    lists.counts[list] = count + 1


@kernel
def join(one: int, other: int) -> int:
    """The signature of two parts together."""
    flags = (one | other) & FLAGS
    han = min(MOST_HAN, ((one >> HAN_AT) & MOST_HAN) + ((other >> HAN_AT) & MOST_HAN))
    fu = min(MOST_FU, ((one >> FU_AT) & MOST_FU) + ((other >> FU_AT) & MOST_FU))
    dora = min(MOST_DORA, ((one >> DORA_AT) & MOST_DORA) + ((other >> DORA_AT) & MOST_DORA))
    return flags | han << HAN_AT | fu << FU_AT | dora << DORA_AT


@kernel
def add_joined(lists: Any, one: int, other: int, out: int) -> None:
    """Add all pairs of two lists to a third."""
    for i in range(lists.counts[one]):
        for j in range(lists.counts[other]):
            weight = lists.weights[one, i] * lists.weights[other, j]
            add(lists, out, join(lists.keys[one, i], lists.keys[other, j]), weight)


@kernel
def blur(key: int, keep: int) -> int:
    """A signature less precise: some flags, fu by fours up to eight, at most four dora."""
    fu = min(BLURRED_FU, (key >> FU_AT) & MOST_FU) & ~1
    dora = min(BLURRED_DORA, (key >> DORA_AT) & MOST_DORA)
    return key & keep & FLAGS | key & MOST_HAN << HAN_AT | fu << FU_AT | dora << DORA_AT


@kernel
def list_joined(lists: Any, rest: int, keep: int) -> None:
    """List the rest of a hand together with the set that is drawn on its own."""
    begin(lists, LIST_JOINED)
    for i in range(lists.counts[rest]):
        for j in range(lists.counts[LIST_APART]):
            weight = lists.weights[rest, i] * lists.weights[LIST_APART, j]
            add(lists, LIST_JOINED, blur(join(lists.keys[rest, i], lists.keys[LIST_APART, j]), keep), weight)


# --- the scene: what the melds say


@kernel
def set_scene(v: Any, player: int, r: Any, prior: Any, s: Any) -> None:
    """Write what concerns one opponent, already read, into a scene."""
    melds = int(v.melds[player])
    s.sets = min(4 - melds, MOST_SETS)
    s.group = min(melds, GROUPS_OF_MELDS) - 1
    s.simple = s.triplets = s.outer = 1
    s.honours = s.suits = s.fu = 0
    s.han = int(r.meld_han) + int(v.left == 0)
    s.dora = int(r.meld_dora)
    s.safe, s.let_go = int(r.safe), 0
    for i in range(melds):
        add_meld(s, int(v.meld_type[player, i]), int(v.meld_kind[player, i]))
    s.flush = int(s.suits & (s.suits - 1) == 0)
    set_straights(v, player, s)
    s.keep = NOT_SIMPLE * s.simple | HAS_RUN * s.triplets | NOT_OUTER * s.outer
    s.keep |= VALUED_PAIR | FURITEN_PAIR | LET_GO_PAIR | s.straight[0] | s.straight[1] | s.straight[2]
    if s.flush:
        s.keep |= 7 << SUIT_FLAGS
    if s.flush or s.outer:
        s.keep |= HONOUR_FLAG
    for kind in range(NUM_KINDS):
        s.let_go |= int(r.status[kind] == LET_GO) << kind
        set_ways(s, kind, int(r.left[kind]), kept(r, kind, prior))
    for honour in range(HONOURS):
        s.honour_worth[honour] = worth(int(r.role[EAST + honour]))
    set_reds(v, player, r, s)


@kernel
def add_meld(s: Any, type: int, kind: int) -> None:
    """Take a meld into the scene."""
    low = kind % RANKS
    high = low + 2 if type == CHI else low
    outer = kind >= EAST or low == 0 or high == RANKS - 1
    s.simple &= int(not outer)
    s.outer &= int(outer)
    s.triplets &= int(type != CHI)
    if kind >= EAST:
        s.honours = 1
    else:
        s.suits |= 1 << kind // RANKS
    if type != CHI:
        times = 1 if type == PON else 8 if type == CONCEALED_KAN else 4
        s.fu += 2 * times * (2 if outer else 1)


@kernel
def set_ways(s: Any, kind: int, left: int, keeping: float) -> None:
    """Write in how many ways 0 to 4 tiles of a kind can be held, weighted."""
    ways = 1.0
    for count in range(COPIES + 1):
        s.ways[kind, count] = ways
        ways *= keeping * (left - count) / (count + 1) if left > count else 0.0


@kernel
def near_class(r: Any, kind: int) -> int:
    """Discards of an opponent one and two ranks from a number kind: none, one or both of each."""
    if kind >= EAST:
        return 0
    rank, one, two = kind % RANKS, 0, 0
    for step in (-2, -1, 1, 2):
        if 0 <= rank + step < RANKS and r.code[kind + step]:
            if step in (-1, 1):
                one += 1
            else:
                two += 1
    return 3 * one + two


@kernel
def kept(r: Any, kind: int, prior: Any) -> float:
    """How readily an opponent keeps a tile of a kind."""
    role = int(r.role[kind])
    weight = prior.kept[role, int(r.code[kind])] * prior.near[role, near_class(r, kind)]
    weight *= prior.flush[flush_part(r, kind), flush_count(r), flush_turn(r)]
    return float(weight * prior.dora[role, int(r.dora[kind] > 0)])


@kernel
def set_reds(v: Any, player: int, r: Any, s: Any) -> None:
    """Write how likely a five held by the opponent is red."""
    for suit in range(SUITS):
        five = FIVE_M + RANKS * suit
        unseen = int(r.unseen_reds) > 0 and r.left[five] > 0 and not red_is_seen(v, suit)
        s.red[suit] = 1.0 / int(r.left[five]) if unseen else 0.0


@kernel
def red_is_seen(v: Any, suit: int) -> bool:
    """Whether the viewer sees the red five of a suit."""
    if (int(v.reds) >> suit) & 1:
        return True
    for i in range(INDICATORS):
        if v.indicators[i] == FIRST_RED + suit:
            return True
    for player in range(4):
        for i in range(int(v.discards[player])):
            if v.river[player, i] == FIRST_RED + suit:
                return True
        for i in range(int(v.melds[player])):
            kind = int(v.meld_kind[player, i])
            if v.meld_red[player, i] and kind < EAST and kind // RANKS == suit:
                return True
    return False


@kernel
def set_straights(v: Any, player: int, s: Any) -> None:
    """Find the yaku of three sequences that the melds have begun: three colours and full straights."""
    s.need[:] = 0
    s.straight[:] = 0
    held = 0  # sequences in melds
    for i in range(int(v.melds[player])):
        if v.meld_type[player, i] == CHI:
            held |= 1 << int(v.meld_kind[player, i])
    found = 0
    room = 4 - int(v.melds[player])
    for missing in range(min(NEEDS, room) + 1):
        for rank in range(RANKS - 2):
            if lacks_colours(held, rank) == missing:
                found = add_straight(s, held, rank, RANKS, missing, found)
        for suit in range(SUITS):
            if lacks_straight(held, suit) == missing:
                found = add_straight(s, held, RANKS * suit, 3, missing, found)


@kernel
def lacks_colours(held: int, rank: int) -> int:
    """How many of the three equal sequences from a rank are not held."""
    return 3 - ((held >> rank) & 1) - ((held >> (rank + RANKS)) & 1) - ((held >> (rank + 2 * RANKS)) & 1)


@kernel
def lacks_straight(held: int, suit: int) -> int:
    """How many of 123, 456 and 789 of a suit are not held."""
    first = RANKS * suit
    return 3 - ((held >> first) & 1) - ((held >> (first + 3)) & 1) - ((held >> (first + 6)) & 1)


@kernel
def add_straight(s: Any, held: int, first: int, step: int, missing: int, found: int) -> int:
    """Look for the three sequences that begin at `first` and so many kinds apart; returns how many are looked for."""
    if missing == 0:
        s.han += 1
        return found
    if found == STRAIGHTS:
        return found
    bit = 1 << (STRAIGHT_FLAGS + NEEDS * found)
    for i in range(3):
        kind = first + i * step
        if not (held >> kind) & 1:
            s.need[kind // RANKS, kind % RANKS] |= bit
            s.straight[found] |= bit
            bit <<= 1
    return found + 1


# --- parts of a suit


@kernel
def ways_of(b: Any, part: int, first: int, s: Any) -> float:
    """In how many ways a part can be held, weighted."""
    ways = 1.0
    for i in range(b.used[part]):
        tile = int(b.tiles[part, i])
        ways *= s.ways[first + (tile >> 3), tile & 7]
        if ways == 0.0:
            break
    return ways


@kernel
def dora_in(b: Any, part: int, first: int, r: Any) -> int:
    """Dora in a part."""
    dora = 0
    for i in range(b.used[part]):
        tile = int(b.tiles[part, i])
        dora += int(r.dora[first + (tile >> 3)]) * (tile & 7)
    return dora


@kernel
def fives_in(b: Any, part: int) -> int:
    """Fives in a part of a number suit."""
    for i in range(b.used[part]):
        tile = int(b.tiles[part, i])
        if tile >> 3 == FIVE_M:
            return tile & 7
    return 0


@kernel
def straight_flags(s: Any, suit: int, mask: int) -> int:
    """Flags of sequences (a mask of lowest ranks) that a yaku needs."""
    flags, rank = 0, 0
    while mask:
        if mask & 1:
            flags |= s.need[suit, rank]
        mask >>= 1
        rank += 1
    return flags


@kernel
def honour_han(s: Any, mask: int) -> int:
    """Han of triplets of honours (a mask)."""
    han = 0
    for honour in range(HONOURS):
        han += s.honour_worth[honour] * ((mask >> honour) & 1)
    return min(han, MOST_HAN)


@kernel
def triplets_held(b: Any, part: int) -> int:
    """Mask of the ranks a part holds three times."""
    mask = 0
    for i in range(b.used[part]):
        tile = int(b.tiles[part, i])
        mask |= int(tile & 7 == 3) << (tile >> 3)
    return mask


@kernel
def place_flags(s: Any, suit: int, part_used: int) -> int:
    """Flags of where a part lies."""
    if part_used == 0:
        return 0
    return HONOUR_FLAG if suit == SUITS else 1 << (SUIT_FLAGS + suit)


@kernel
def set_signature(b: Any, part: int, suit: int, r: Any, s: Any) -> int:
    """The signature of a complete part."""
    flags = int(b.traits[part]) | place_flags(s, suit, int(b.used[part]))
    fu, han = int(b.fu[part]), 0
    if suit == SUITS:
        han = honour_han(s, int(b.mask[part]))
        if honour_han(s, int(b.pairs[part])):
            flags |= VALUED_PAIR
            fu += 1
    else:
        flags |= straight_flags(s, suit, int(b.mask[part]))
    dora = min(dora_in(b, part, RANKS * suit, r), MOST_DORA)
    return flags & s.keep | han << HAN_AT | min(fu, MOST_FU) << FU_AT | dora << DORA_AT


@kernel
def list_complete(b: Any, lists: Any, group: int, sets: int, suit: int, r: Any, s: Any, out: int) -> None:
    """Add the complete parts of a suit to a list."""
    first = RANKS * suit
    row = b.first[HONOUR_SUIT if suit == SUITS else NUMBERS, group]
    for part in range(row[sets], row[sets + 1]):
        ways = ways_of(b, part, first, s)
        if ways == 0.0:
            continue
        key = set_signature(b, part, suit, r, s)
        if group == PAIRED:
            waits = int(b.waits[part]) << first
            key |= FURITEN_PAIR if waits & s.safe else 0
            key |= LET_GO_PAIR if waits & s.let_go else 0
        add_with_reds(lists, out, key, ways, fives_in(b, part) if suit < SUITS else 0, suit, s)


@kernel
def add_with_reds(lists: Any, out: int, key: int, ways: float, fives: int, suit: int, s: Any) -> None:
    """Add a part twice where one of its fives may be the red one: with it and without."""
    red = min(1.0, fives * s.red[suit]) if fives else 0.0
    if red > 0.0:
        more = key + (1 << DORA_AT) if (key >> DORA_AT) & MOST_DORA < MOST_DORA else key
        add(lists, out, more, ways * red)
    if red < 1.0:
        add(lists, out, key, ways * (1.0 - red))


# --- the rest of a hand beside the suit that waits


@kernel
def list_suits(b: Any, lists: Any, r: Any, s: Any) -> None:
    """List the complete parts of all suits."""
    for suit in range(ALL_SUITS):
        for sets in range(s.sets + 1):
            begin(lists, LIST_SETS + 3 * suit + sets)
            list_complete(b, lists, SETS, sets, suit, r, s, LIST_SETS + 3 * suit + sets)
        for sets in range(s.sets):
            begin(lists, LIST_PAIRED + 2 * suit + sets)
            list_complete(b, lists, PAIRED, sets, suit, r, s, LIST_PAIRED + 2 * suit + sets)


@kernel
def list_apart(b: Any, lists: Any, r: Any, s: Any) -> None:
    """List the one set that is drawn on its own, of any suit."""
    begin(lists, LIST_APART)
    for suit in range(ALL_SUITS):
        list_complete(b, lists, SETS, 1, suit, r, s, LIST_APART)


@kernel
def join_lists(lists: Any, a: int, a_paired: int, b: int, b_paired: int, out: int, out_paired: int, s: Any) -> None:
    """Join two families of lists (by number of sets; without and with a pair) into a third."""
    for sets in range(s.sets + 1):
        begin(lists, out + sets)
        for part in range(sets + 1):
            add_joined(lists, a + part, b + sets - part, out + sets)
    for sets in range(s.sets):
        begin(lists, out_paired + sets)
        for part in range(sets + 1):
            add_joined(lists, a + part, b_paired + sets - part, out_paired + sets)
            add_joined(lists, a_paired + part, b + sets - part, out_paired + sets)


@kernel
def list_rest(lists: Any, suit: int, s: Any) -> None:
    """List what the three other suits may hold together."""
    one, two, three = (suit + 1) % ALL_SUITS, (suit + 2) % ALL_SUITS, (suit + 3) % ALL_SUITS
    join_lists(
        lists,
        LIST_SETS + 3 * one,
        LIST_PAIRED + 2 * one,
        LIST_SETS + 3 * two,
        LIST_PAIRED + 2 * two,
        LIST_TWO_SETS,
        LIST_TWO_PAIRED,
        s,
    )
    join_lists(
        lists,
        LIST_TWO_SETS,
        LIST_TWO_PAIRED,
        LIST_SETS + 3 * three,
        LIST_PAIRED + 2 * three,
        LIST_REST_SETS,
        LIST_REST_PAIRED,
        s,
    )


# --- the suit that waits


@kernel
def content_flags(b: Any, part: int, suit: int, s: Any) -> int:
    """What a part that lacks a tile holds, for the yaku it goes for."""
    flags = int(b.traits[part]) & (CONTENT_SIMPLE | CONTENT_RUN)
    if suit == SUITS:
        flags |= CONTENT_HAN if honour_han(s, triplets_held(b, part)) else 0
        flags |= CONTENT_PAIR if honour_han(s, int(b.pairs[part])) else 0
    return flags


@kernel
def won_signature(b: Any, part: int, wait: int, suit: int, dora: int, r: Any, s: Any) -> int:
    """The signature of a part with the tile it waits for."""
    rank = int(b.wait[wait])
    flags = int(b.wait_flags[wait]) | place_flags(s, suit, 1)
    fu, han = int(b.wait_fu[wait]), 0
    if suit == SUITS:
        han = honour_han(s, int(b.wait_mask[wait]))
        pairs = int(b.pairs[part]) ^ (1 << rank)  # the pair won on is a triplet now, a single tile is a pair
        if honour_han(s, pairs & ~int(b.wait_mask[wait])):
            fu += 1
    else:
        flags |= straight_flags(s, suit, int(b.wait_mask[wait]))
    dora = min(dora + int(r.dora[RANKS * suit + rank]), MOST_DORA)
    return flags & s.keep | han << HAN_AT | min(fu, MOST_FU) << FU_AT | dora << DORA_AT


@kernel
def list_waiting_parts(b: Any, lists: Any, group: int, sets: int, suit: int, r: Any, s: Any, prior: Any) -> None:
    """List the ways a suit waits: entries by tile and signature, and coarse ones for the weight of all hands."""
    first = RANKS * suit
    row = b.first[HONOUR_SUIT if suit == SUITS else NUMBERS, group]
    begin(lists, LIST_COARSE)
    for part in range(row[sets], row[sets + 1]):
        ways = ways_of(b, part, first, s)
        if ways > 0.0:
            waits = int(b.waits[part]) << first
            shape = TWO_PAIRS if group == PAIRED else int(b.form[part])
            key = content_flags(b, part, suit, s) << CONTENT_AT | place_flags(s, suit, 1) & s.keep
            key |= shape << SHAPE_AT | int(waits & s.safe != 0) << FURITEN_AT | int(waits & s.let_go != 0) << LET_GO_AT
            add(lists, LIST_COARSE, key, ways * prior.wait[s.group, shape])
    begin(lists, LIST_ENTRIES)
    for part in range(row[sets], row[sets + 1]):
        ways = ways_of(b, part, first, s)
        waits = int(b.waits[part]) << first
        if ways == 0.0 or waits & s.safe:
            continue
        shape = TWO_PAIRS if group == PAIRED else int(b.form[part])
        ways *= (
            prior.wait[s.group, shape] * prior.furiten[s.group, 0] * prior.let_go[s.group, int(waits & s.let_go != 0)]
        )
        content = content_flags(b, part, suit, s) << CONTENT_AT
        dora = dora_in(b, part, first, r)
        fives = fives_in(b, part) if suit < SUITS else 0
        for i in range(b.first_wait[part], b.first_wait[part + 1]):
            key = won_signature(b, part, i, suit, dora, r, s) | content | int(b.wait[i]) << RANK_AT
            add_with_reds(lists, LIST_ENTRIES, key, ways, fives, suit, s)


@kernel
def yaku_class(content: int, suits: int, rest: int, s: Any) -> int:
    """What a hand goes for: `content` of the suit that waits, `suits` flags of all, signature of the rest."""
    goes = 0
    if s.simple and not content & CONTENT_SIMPLE and not rest & NOT_SIMPLE:
        goes |= SIMPLES
    if s.flush and suits & (suits - 1) == 0:
        goes |= FLUSHES
    if s.han or content & CONTENT_HAN or (rest >> HAN_AT) & MOST_HAN:
        goes |= VALUED
    if s.triplets and not content & CONTENT_RUN and not rest & HAS_RUN:
        goes |= TRIPLETS
    if content & CONTENT_PAIR or rest & VALUED_PAIR:
        goes |= BACK
    return goes


@kernel
def suits_of(one: int, other: int, s: Any) -> int:
    """Number suits in a hand, as a bit set."""
    return (((one | other) >> SUIT_FLAGS) & 7) | s.suits


@kernel
def han_of(key: int, suits: int, s: Any) -> int:
    """Han of a won hand without dora; 0 if it has no yaku."""
    han = ((key >> HAN_AT) & MOST_HAN) + s.han
    honours = s.honours or key & HONOUR_FLAG
    if s.simple and not key & NOT_SIMPLE:
        han += 1
    triplets = s.triplets and not key & HAS_RUN
    if triplets:
        han += 2
    if s.outer and not key & NOT_OUTER:
        han += 2 if triplets or not honours else 1
    if s.flush and suits & (suits - 1) == 0:
        han += 2 if honours else 5
    for i in range(STRAIGHTS):
        if s.straight[i] and key & s.straight[i] == s.straight[i]:
            han += 1
    return han


@kernel
def weigh_hands(lists: Any, rest: int, both_pairs: bool, s: Any, m: Any, prior: Any) -> None:
    """Add the hands of the coarse entries with a list of the rest to the weight of all hands."""
    half = 0.5 if both_pairs else 1.0  # two suits with pairs are met twice
    for i in range(lists.counts[LIST_COARSE]):
        key = lists.keys[LIST_COARSE, i]
        shape = (key >> SHAPE_AT) & 7
        for j in range(lists.counts[rest]):
            other = lists.keys[rest, j]
            goes = yaku_class((key >> CONTENT_AT) & 15, suits_of(key, other, s), other, s)
            furiten, let_go = (key >> FURITEN_AT) & 1, (key >> LET_GO_AT) & 1
            if both_pairs:
                furiten |= int(other & FURITEN_PAIR != 0)
                let_go |= int(other & LET_GO_PAIR != 0)
            weight = half * lists.weights[LIST_COARSE, i] * lists.weights[rest, j] * prior.yaku[s.group, goes]
            weight *= prior.furiten[s.group, furiten] * prior.let_go[s.group, let_go]
            m.total += weight
            m.wait[shape] += weight
            m.yaku[goes] += weight
            m.furiten[furiten] += weight
            m.let_go[let_go] += weight


@kernel
def win_hands(lists: Any, rest: int, both_pairs: bool, suit: int, s: Any, prior: Any) -> None:
    """Add the hands of the entries with a list of the rest to what is won, by kind, han and fu."""
    for i in range(lists.counts[LIST_ENTRIES]):
        key = lists.keys[LIST_ENTRIES, i]
        kind = RANKS * suit + (key >> RANK_AT)
        content = (key >> CONTENT_AT) & 15
        for j in range(lists.counts[rest]):
            other = lists.keys[rest, j]
            if both_pairs and other & FURITEN_PAIR:
                continue
            suits = suits_of(key, other, s)
            whole = join(key, other)
            han = han_of(whole, suits, s)
            if han == 0:
                continue
            goes = yaku_class(content, suits, other, s)
            weight = lists.weights[LIST_ENTRIES, i] * lists.weights[rest, j] * prior.yaku[s.group, goes]
            if both_pairs and other & LET_GO_PAIR:
                weight *= prior.let_go[s.group, 1] / prior.let_go[s.group, 0]
            han = min(han + ((whole >> DORA_AT) & MOST_DORA) + s.dora, HANS - 1)
            fu = (20 + s.fu + 2 * ((whole >> FU_AT) & MOST_FU) + 9) // 10
            s.won[kind, han, min(max(fu - 3, 0), FUS - 1)] += weight


@kernel
def count_hands(e: Enumerating, group: int, sets: int, suit: int, rest: int, r: Any, s: Any, prior: Any) -> None:
    """Take the hands in which a suit waits with parts of a group into the sums."""
    b, lists = e.blocks[0], e.lists[0]
    if lists.counts[rest] == 0:
        return
    if s.group == 0:
        list_joined(lists, rest, FLAGS if group == PAIRED else FLAGS ^ FURITEN_PAIR ^ LET_GO_PAIR)
        rest = LIST_JOINED
    list_waiting_parts(b, lists, group, sets, suit, r, s, prior)
    both_pairs = group == PAIRED
    weigh_hands(lists, rest, both_pairs, s, e.mass[0], prior)
    win_hands(lists, rest, both_pairs, suit, s, prior)


@kernel
def enumerate_hands(v: Any, player: int, r: Any, prior: Any, e: Enumerating) -> None:
    """Sum up all tenpai hands of one opponent with melds, already read: into `e.mass` and the scene's `won`."""
    b, lists, s, m = e.blocks[0], e.lists[0], e.scene[0], e.mass[0]
    m.total = 0.0
    m.wait[:] = 0.0
    m.yaku[:] = 0.0
    m.furiten[:] = 0.0
    m.let_go[:] = 0.0
    s.won[:] = 0.0
    set_scene(v, player, r, prior, s)
    list_suits(b, lists, r, s)
    if s.group == 0:
        list_apart(b, lists, r, s)
    for suit in range(ALL_SUITS):
        list_rest(lists, suit, s)
        for sets in range(s.sets + 1):
            count_hands(e, SINGLE, sets, suit, LIST_REST_SETS + s.sets - sets, r, s, prior)
        for sets in range(1, s.sets + 1):
            count_hands(e, OPEN, sets, suit, LIST_REST_PAIRED + s.sets - sets, r, s, prior)
        for sets in range(s.sets):
            count_hands(e, PAIRED, sets, suit, LIST_REST_PAIRED + s.sets - 1 - sets, r, s, prior)


@kernel
def base_of_hand(han: int, fu: int) -> float:
    """Base points of so many han and fu."""
    if han >= 13:
        return 8000.0
    if han >= 11:
        return 6000.0
    if han >= 8:
        return 4000.0
    if han >= 6:
        return 3000.0
    return 2000.0 if han == 5 else min(2000.0, float(fu * (1 << (2 + han))))


@kernel
def of_opponent(v: Any, player: int, r: Any, prior: Any, e: Enumerating, winning: Any, base: Any) -> None:
    """Write how likely one opponent with melds, already read, wins on each kind and for how much.

    `winning` float32[34], `base` float32[34, AMOUNTS].
    """
    enumerate_hands(v, player, r, prior, e)
    s, total = e.scene[0], float(e.mass[0].total)
    for kind in range(NUM_KINDS):
        won = 0.0
        e.sums[:] = 0.0
        for han in range(1, HANS):
            for fu in range(FUS):
                weight = s.won[kind, han, fu]
                if weight > 0.0:
                    won += weight
                    spread(base_of_hand(han, 10 * fu + 30), weight, e.sums)
        winning[kind] = won / total if total > 0.0 else 0.0
        for a in range(AMOUNTS):
            base[kind, a] = e.sums[a] / won if won > 0.0 else 0.0
