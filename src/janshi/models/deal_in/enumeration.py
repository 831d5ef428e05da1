"""Dealing in to opponents with melds: all their possible tenpai hands are enumerated (Kurita & Hoki 2021, Sec. VI-C).

Each hand is weighted by the number of ways to draw it from the unseen tiles, times prior weights learned from records:
how likely an opponent with this river is to keep each tile, the shape of the wait, and the yaku that the hand aims at.
Hands without a yaku and furiten hands win nothing. Two melds leave seven unknown tiles, three melds four, and four
melds one; with one meld, one of the three concealed sets is drawn separately and the other seven tiles are enumerated.

Hands are composed suit by suit (`blocks`). A single number, the *signature*, summarises what a part of a suit
contributes to yaku, fu and dora. Parts with equal signatures are added up before suits are joined, so the hundred
thousand hands with two melds are summed exactly in a few thousand steps.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import NUM_KINDS, RANKS, SUITS
from janshi.models.amounts import AMOUNTS, spread
from janshi.models.deal_in.blocks import (
    HONOUR_SUIT,
    NUMBERS,
    OPEN,
    PAIRED,
    SETS,
    SHAPES,
    SINGLE,
    TWO_PAIRS,
    all_blocks,
)
from janshi.models.deal_in.scene import FUS, HANS, SCENE_DTYPE, set_scene
from janshi.models.deal_in.signatures import (
    ALL_SUITS,
    CONTENT_AT,
    CONTENT_BITS,
    DORA_AT,
    FU_AT,
    FURITEN_AT,
    FURITEN_PAIR,
    LET_GO_AT,
    LET_GO_PAIR,
    LISTS_DTYPE,
    MOST_DORA,
    MOST_FU,
    RANK_AT,
    SHAPE_AT,
    YAKU_CLASSES,
    add,
    add_joined,
    begin,
    blur,
    content_flags,
    dora_in,
    fives_in,
    han_of,
    join,
    place_flags,
    set_signature,
    suits_of,
    ways_of,
    won_signature,
    yaku_class,
)

MOST_LIKELY: Final = 0.95
"""Probabilities are capped at this."""

MASS_DTYPE: Final = record_dtype(
    [
        ("total", np.float64),
        ("wait", np.float64, (SHAPES,)),
        ("yaku", np.float64, (YAKU_CLASSES,)),
        ("furiten", np.float64, (2,)),
        ("let_go", np.float64, (2,)),
    ]
)
"""Weights of all enumerated hands, in total and by class."""

# Lists of complete parts (by suit and number of sets), of what two and three suits hold together, of the set drawn on
# its own, of the rest of a hand with it, and of the suit that waits.
LIST_SETS, LIST_PAIRED = 0, 12
LIST_TWO_SETS, LIST_TWO_PAIRED = 20, 23
LIST_REST_SETS, LIST_REST_PAIRED = 25, 28
LIST_APART, LIST_JOINED, LIST_ENTRIES, LIST_COARSE = 30, 31, 32, 33


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


# --- complete parts


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
    """Add a part; if one of its fives may be red, add it with and without the red five."""
    red = min(1.0, fives * s.red[suit]) if fives else 0.0
    if red > 0.0:
        more = key + (1 << DORA_AT) if (key >> DORA_AT) & MOST_DORA < MOST_DORA else key
        add(lists, out, more, ways * red)
    if red < 1.0:
        add(lists, out, key, ways * (1.0 - red))


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
    """List the set, of any suit, that is drawn separately."""
    begin(lists, LIST_JOINED)
    for suit in range(ALL_SUITS):
        list_complete(b, lists, SETS, 1, suit, r, s, LIST_JOINED)
    begin(lists, LIST_APART)
    for i in range(lists.counts[LIST_JOINED]):
        add(lists, LIST_APART, blur(lists.keys[LIST_JOINED, i]), lists.weights[LIST_JOINED, i])


# --- the rest of a hand besides the suit that waits


@kernel
def list_joined(lists: Any, rest: int) -> None:
    """List the rest of a hand together with the set that is drawn separately."""
    begin(lists, LIST_JOINED)
    for i in range(lists.counts[rest]):
        for j in range(lists.counts[LIST_APART]):
            weight = lists.weights[rest, i] * lists.weights[LIST_APART, j]
            add(lists, LIST_JOINED, blur(join(lists.keys[rest, i], lists.keys[LIST_APART, j])), weight)


@kernel
def join_lists(lists: Any, a: int, a_paired: int, b: int, b_paired: int, out: int, out_paired: int, s: Any) -> None:
    """Join two groups of lists (by number of sets, without and with a pair) into a third."""
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
    """List what the other three suits may hold together."""
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
def list_waiting_parts(b: Any, lists: Any, group: int, sets: int, suit: int, r: Any, s: Any, prior: Any) -> None:
    """List the ways a suit waits: entries by tile and signature, and coarse ones for the weight of all hands."""
    first = RANKS * suit
    row = b.first[HONOUR_SUIT if suit == SUITS else NUMBERS, group]
    place = place_flags(s, suit, 1) & s.keep
    begin(lists, LIST_COARSE)
    for part in range(row[sets], row[sets + 1]):
        ways = ways_of(b, part, first, s)
        s.part_ways[part] = ways
        if ways > 0.0:
            waits = int(b.waits[part]) << first
            shape = TWO_PAIRS if group == PAIRED else int(b.form[part])
            content = content_flags(b, part, suit, s) << CONTENT_AT
            s.part_content[part] = content
            key = content | place | shape << SHAPE_AT
            key |= int(waits & s.safe != 0) << FURITEN_AT | int(waits & s.let_go != 0) << LET_GO_AT
            add(lists, LIST_COARSE, key, ways * prior.wait[s.group, shape])
    begin(lists, LIST_ENTRIES)
    for part in range(row[sets], row[sets + 1]):
        ways = s.part_ways[part]
        waits = int(b.waits[part]) << first
        if ways == 0.0 or waits & s.safe:
            continue
        shape = TWO_PAIRS if group == PAIRED else int(b.form[part])
        ways *= prior.wait[s.group, shape] * prior.furiten[s.group, 0]
        ways *= prior.let_go[s.group, int(waits & s.let_go != 0)]
        content = s.part_content[part]
        dora = dora_in(b, part, first, r) if s.suit_dora[suit] else 0
        fives = fives_in(b, part) if suit < SUITS else 0
        for i in range(b.first_wait[part], b.first_wait[part + 1]):
            key = won_signature(b, part, i, suit, dora, r, s) | content | int(b.wait[i]) << RANK_AT
            add_with_reds(lists, LIST_ENTRIES, key, ways, fives, suit, s)


@kernel
def weigh_hands(lists: Any, rest: int, both_pairs: bool, s: Any, m: Any, prior: Any) -> None:
    """Add the hands of the coarse entries with a list of the rest to the weight of all hands."""
    half = 0.5 if both_pairs else 1.0  # two suits with pairs are counted twice
    for i in range(lists.counts[LIST_COARSE]):
        key = lists.keys[LIST_COARSE, i]
        shape = (key >> SHAPE_AT) & 7
        for j in range(lists.counts[rest]):
            other = lists.keys[rest, j]
            goes = yaku_class((key >> CONTENT_AT) & CONTENT_BITS, suits_of(key, other, s), other, s)
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
    """Add the hands of the entries with a list of the rest to the winning hands, by kind, han and fu."""
    for i in range(lists.counts[LIST_ENTRIES]):
        key = lists.keys[LIST_ENTRIES, i]
        kind = RANKS * suit + (key >> RANK_AT)
        content = (key >> CONTENT_AT) & CONTENT_BITS
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
    """Add the hands in which a suit waits with parts of a group to the sums."""
    b, lists = e.blocks[0], e.lists[0]
    if lists.counts[rest] == 0:
        return
    if s.group == 0:
        list_joined(lists, rest)
        rest = LIST_JOINED
    list_waiting_parts(b, lists, group, sets, suit, r, s, prior)
    weigh_hands(lists, rest, False, s, e.mass[0], prior)
    win_hands(lists, rest, False, suit, s, prior)
    if group == OPEN:  # the same rest beside a pair that waits
        list_waiting_parts(b, lists, PAIRED, sets - 1, suit, r, s, prior)
        weigh_hands(lists, rest, True, s, e.mass[0], prior)
        win_hands(lists, rest, True, suit, s, prior)


# --- all hands


@kernel
def enumerate_hands(v: Any, player: int, r: Any, prior: Any, e: Enumerating) -> None:
    """Sum up all tenpai hands of one opponent with melds, given their reading: into `e.mass` and the scene's `won`."""
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


@kernel
def base_of_hand(han: int, fu: int) -> float:
    """Base points for these han and fu."""
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
    """Write the chance that one opponent with melds wins on each kind, and for how much, given their reading.

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
        chance = prior.scale[s.group] * won / total if total > 0.0 else 0.0
        winning[kind] = min(chance, MOST_LIKELY)
        for a in range(AMOUNTS):
            base[kind, a] = e.sums[a] / won if won > 0.0 else 0.0
