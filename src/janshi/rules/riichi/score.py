"""Score a win: the reading of the hand that is worth most, its yaku, fu and base points.

A complete hand can often be read as sets and a pair in several ways, and the winning tile can belong to several of the
sets; the reading with the most points counts (then yakuman, han, fu). Readings come from `core.readings`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.readings import KIND_BITS, NO_READING, NO_RUN, TRIPLET_CODE, Words, pack_hand, read_sets
from janshi.core.tiles import NO_TILE, NUM_KINDS, RANKS, SUITS
from janshi.rules.riichi import yaku as y
from janshi.rules.riichi.fu import (
    BASE_FU,
    IN_PAIR,
    IN_TRIPLET,
    RUN_HIGH,
    RUN_LOW,
    SEVEN_PAIRS_FU,
    FuParts,
    fu_parts,
    is_pinfu,
    special_parts,
    total_fu,
)
from janshi.rules.riichi.points import YAKUMAN, base_points, limit_of
from janshi.rules.riichi.win import (
    CHI,
    CONCEALED_KAN,
    OUTER,
    PON,
    RUN_STARTS,
    SEVEN_PAIRS,
    STANDARD,
    THIRTEEN_ORPHANS,
    Melds,
    Reading,
    kinds_with,
    popcount,
    survey_melds,
)

PINFU_BIT: Final = 1 << y.PINFU
CHIITOITSU_BIT: Final = 1 << y.CHIITOITSU
YAKUMAN_BITS: Final = y.YAKUMAN

Bonus = tuple[int, int, int]
"""Dora, ura-dora, red fives."""


@kernel
def make_reading(pair: int, sets: int) -> Reading:
    """Collect the masks of a reading from its sets."""
    runs = triplets = unpaired = twins = 0
    rest = sets
    while rest:
        bit = 1 << (rest & KIND_BITS)
        if rest & TRIPLET_CODE:
            triplets |= bit
        else:
            runs |= bit
            twins += int(unpaired & bit != 0)
            unpaired ^= bit
        rest >>= 8
    return Reading(pair, sets, runs, triplets, twins)


@kernel
def stands(reading: Reading, win_kind: int, place: int) -> bool:
    """Whether the winning tile can be at this place of the reading."""
    if place == IN_PAIR:
        return reading.pair == win_kind
    if place == IN_TRIPLET:
        return reading.triplets >> win_kind & 1 != 0
    start = win_kind - (place - RUN_LOW)
    return start >= 0 and reading.runs >> start & 1 != 0


@kernel
def clear(out: Any) -> None:
    """Write "no yaku"."""
    out.yaku = np.uint64(0)
    out["base"] = out.fu = out.han = out.yakuman = out.limit = 0
    out.dora = out.red = out.ura = out["shape"] = 0
    out.pair = NO_TILE
    for i in range(4):
        out.set_type[i] = out.set_open[i] = 0
        out.set_kind[i] = NO_TILE
    for i in range(len(out.fu_parts)):
        out.fu_parts[i] = 0


@kernel
def keep_worth(win: Any, rules: Any, yaku: int, closed: int, parts: FuParts, out: Any) -> bool:
    """Write yaku, han, fu and points of one reading of a win if it is worth more than what `out` holds."""
    yakuman = y.yakuman_of(yaku, int(rules.double_yakuman))
    if yakuman > 0:
        return keep(yaku & YAKUMAN_BITS, 0, YAKUMAN, yakuman, parts, (0, 0, 0), out)
    han = y.han_of(yaku, closed)
    if han == 0:
        return False
    bonus = count_bonus(win, rules)
    han += bonus[0] + bonus[1] + bonus[2]
    yaku |= int(bonus[0] > 0) << y.DORA | int(bonus[1] > 0) << y.URA_DORA | int(bonus[2] > 0) << y.RED_DORA
    return keep(yaku, han, limit_of(han, total_fu(parts), rules), 0, parts, bonus, out)


@kernel
def count_bonus(win: Any, rules: Any) -> Bonus:
    """Dora, ura-dora (with riichi only) and red fives."""
    ura = int(win.ura) if win.riichi != 0 and rules.ura_dora != 0 else 0
    return int(win.dora), ura, int(win.red)


@kernel
def keep(yaku: int, han: int, limit: int, yakuman: int, parts: FuParts, bonus: Bonus, out: Any) -> bool:
    """Write a worth into `out` if it is more than the one there."""
    fu = total_fu(parts)
    base = base_points(limit, han, fu, yakuman)
    if not better(base, yakuman, han, fu, out):
        return False
    out.yaku, out["base"], out.fu, out.han = np.uint64(yaku), base, fu, han
    out.yakuman, out.limit = yakuman, limit
    out.dora, out.ura, out.red = bonus
    for i in range(len(parts)):
        out.fu_parts[i] = parts[i]
    return True


@kernel
def better(base: int, yakuman: int, han: int, fu: int, out: Any) -> bool:
    """Most points first, then a yakuman before a counted one, then han, then fu."""
    if base != out["base"]:
        return bool(base > out["base"])
    if yakuman != out.yakuman:
        return bool(yakuman > out.yakuman)
    return bool(han > out.han or (han == out.han and fu > out.fu))


@kernel
def write_sets(win: Any, reading: Reading, by_ron: int, out: Any) -> None:
    """Write the sets of a standard hand: concealed ones, then melds. `by_ron`: mask of a triplet won by ron."""
    out["shape"], out.pair = STANDARD, reading.pair
    melds, rest = int(win.melds), reading.sets
    for i in range(3 - melds, -1, -1):
        kind, triplet = rest & KIND_BITS, rest & TRIPLET_CODE != 0
        out.set_type[i], out.set_kind[i] = PON if triplet else CHI, kind
        out.set_open[i] = by_ron >> kind & 1 if triplet else 0
        rest >>= 8
    for i in range(melds):
        j = 4 - melds + i
        out.set_type[j], out.set_kind[j] = win.meld_type[i], win.meld_kind[i]
        out.set_open[j] = int(win.meld_type[i] != CONCEALED_KAN)


@kernel
def try_place(win: Any, rules: Any, melds: Melds, yaku: int, reading: Reading, place: int, out: Any) -> None:
    """Score a reading with the winning tile in one place; `yaku` holds the yaku that do not depend on it."""
    parts = fu_parts(win, rules, melds, reading, place)
    by_ron = 1 << int(win.win_kind) if place == IN_TRIPLET and win.tsumo == 0 else 0
    concealed = popcount((reading.triplets & ~by_ron) | melds.concealed_kans)
    yaku |= y.concealed_triplets_yaku(concealed, place == IN_PAIR)
    if is_pinfu(parts, melds.closed):
        yaku |= PINFU_BIT
    if keep_worth(win, rules, yaku, melds.closed, parts, out):
        write_sets(win, reading, by_ron, out)


@kernel
def try_reading(win: Any, rules: Any, melds: Melds, yaku: int, words: Words, pair: int, thrice: int, out: Any) -> None:
    """Score the hand read with this pair and these three equal sequences (`NO_RUN` for none)."""
    sets = read_sets(words, pair, thrice)
    if sets == NO_READING:
        return
    reading = make_reading(pair, sets)
    yaku |= y.reading_yaku(reading, melds)
    for place in range(RUN_HIGH + 1):
        if stands(reading, int(win.win_kind), place):
            try_place(win, rules, melds, yaku, reading, place, out)


@kernel
def try_standard(win: Any, rules: Any, melds: Melds, yaku: int, out: Any) -> None:
    """Score every reading of the hand as sets and a pair."""
    words = pack_hand(win.hand)
    pairs, triplets = kinds_with(win.hand, 2), kinds_with(win.hand, 3)
    rows = triplets & triplets >> 1 & triplets >> 2 & RUN_STARTS
    for pair in range(NUM_KINDS):
        if pairs >> pair & 1 == 0:
            continue
        try_reading(win, rules, melds, yaku, words, pair, NO_RUN, out)
        for kind in range(SUITS * RANKS if rows else 0):
            if rows >> kind & 1 and not kind <= pair <= kind + 2:
                try_reading(win, rules, melds, yaku, words, pair, kind, out)


@kernel
def try_seven_pairs(win: Any, rules: Any, melds: Melds, yaku: int, out: Any) -> None:
    """Score the hand as seven pairs of different kinds, if it is one."""
    pairs = kinds_with(win.hand, 2)
    if win.melds != 0 or kinds_with(win.hand, 1) != pairs or popcount(pairs) != 7:
        return
    parts = special_parts(win, SEVEN_PAIRS_FU)
    if keep_worth(win, rules, yaku | CHIITOITSU_BIT, melds.closed, parts, out):
        out["shape"] = SEVEN_PAIRS


@kernel
def try_orphans(win: Any, rules: Any, melds: Melds, out: Any) -> None:
    """Score the hand as thirteen orphans, if it is one."""
    if win.melds != 0 or kinds_with(win.hand, 1) != OUTER:
        return
    all_waits = int(win.hand[int(win.win_kind)]) == 2
    yaku = y.luck_yaku(win, rules, melds.closed) | 1 << (y.KOKUSHI_13 if all_waits else y.KOKUSHI)
    if keep_worth(win, rules, yaku, melds.closed, special_parts(win, BASE_FU), out):
        out["shape"] = THIRTEEN_ORPHANS


@kernel
def score(win: Any, rules: Any, out: Any) -> None:
    """Score one win (a record of `WIN_DTYPE`) into `out` (a record of `SCORE_DTYPE`).

    The kernel trusts that the tiles are fourteen with melds counted as three. A hand that is not complete or has no
    yaku gets yaku = han = base = 0.
    """
    clear(out)
    melds = survey_melds(win)
    yaku = y.hand_yaku(win, rules, melds)
    try_standard(win, rules, melds, yaku, out)
    try_seven_pairs(win, rules, melds, yaku, out)
    try_orphans(win, rules, melds, out)


@kernel
def score_batch(wins: npt.NDArray[Any], rules: Any, outs: npt.NDArray[Any]) -> None:
    """Score many wins, one after the other, into as many scores."""
    for i in range(len(wins)):
        score(wins[i], rules, outs[i])
