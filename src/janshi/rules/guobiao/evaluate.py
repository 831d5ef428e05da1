"""Count the fan of a win: the reading of the hand that is worth most.

Every way to read the hand is tried: sets and a pair, seven pairs (four of a kind are two), thirteen orphans, knitted
tiles with honours, a knitted straight with a set and a pair. The winning tile, taken from a discard, stands in a
sequence if it can, so that it opens no triplet.

Among readings with the same total, the result is the one as sets and a pair with the highest pair, equal sequences
before triplets: PyMahjongGB's choice, so that lists of fan can be compared.
"""

from __future__ import annotations

from typing import Any, Final

import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.readings import NO_READING, NO_RUN, pack_hand, read_sets
from janshi.core.tiles import HONOURS, NO_TILE, RANKS
from janshi.rules.guobiao import fans as f
from janshi.rules.guobiao.principles import (
    Found,
    chow_fans,
    concealment_fans,
    luck_fans,
    ones,
    pung_fans,
    set_fans,
    settle,
    sort_chows,
    suit_fans,
    whole_hand_fans,
    worth,
)
from janshi.rules.guobiao.readings import (
    IN_PAIR,
    IN_RUN_END,
    IN_RUN_MIDDLE,
    NO_PLACE,
    is_only_wait,
    pair_residue,
    pair_suit,
    pairs_wait_elsewhere,
    place_of,
    word_at,
)
from janshi.rules.guobiao.win import (
    CHI,
    CONCEALED_KAN,
    KIND_BITS,
    KNITTED_HONOURS,
    KNITTED_STRAIGHT,
    NOT_COMPLETE,
    NUM_FAN,
    PON,
    SEVEN_PAIRS,
    STANDARD,
    THIRTEEN_ORPHANS,
    TRIPLET_CODE,
    Melds,
    Words,
    add_tiles,
    survey_melds,
    tiles_of,
)

SMALL: Final = f.SMALL
NO_KNITTED: Final = 255
WORD_ONES: Final = 0x111111111
HONOUR_ONES: Final = 0x1111111
INSIDE: Final = 0x0FFFFFFF0
KNIT: Final = 0x001001001
"""Ranks 1, 4, 7 of a suit; shifted by four bits 2, 5, 8, and again 3, 6, 9."""
KNITTED: Final = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
"""The six knitted straights: which of 147, 258, 369 each suit has."""
GATES: Final = 0x311111113
"""The thirteen tiles of nine gates."""
CONCEALED_BITS: Final = 1 << f.FULLY_CONCEALED - SMALL | 1 << f.CONCEALED_HAND - SMALL


@kernel
def clear(out: Any) -> None:
    """Write "not complete", without the counts: the first reading that is kept, or `finish`, writes them."""
    out.total = out.fan = 0
    out["shape"], out.pair, out.knitted = NOT_COMPLETE, NO_TILE, NO_KNITTED
    for i in range(4):
        out.set_type[i] = out.set_open[i] = 0
        out.set_kind[i] = NO_TILE


@kernel
def write_counts(found: Found, out: Any) -> int:
    """Write how often each fan counts; returns the total fan."""
    for i in range(NUM_FAN):
        out.counts[i] = 0
    fan, rest = 0, found.big
    while rest:
        number = f.BIT_NUMBER[(rest & -rest) % 67]
        out.counts[number] = 1
        fan += f.VALUES[number]
        rest &= rest - 1
    rest = found.small
    while rest:
        number = SMALL + f.BIT_NUMBER[(rest & -rest) % 67]
        at = f.TIMES_AT[number]
        times = found.times >> at & 15 if at >= 0 else 1
        out.counts[number] = times
        fan += f.VALUES[number] * times
        rest &= rest - 1
    return fan


@kernel
def keep(found: Found, tied: bool, out: Any) -> bool:
    """Write the fan found, less those implied, if they are worth more than `out` holds, or (if `tied`) as much."""
    found = settle(found)
    if found.big | found.small == 0:
        found = Found(0, 1 << f.CHICKEN_HAND - SMALL, 0)
    if out.fan > 0:  # the first reading is always written, the others only if they are worth more
        fan = worth(found)
        if fan < out.fan or (fan == out.fan and not tied):
            return False
    out.fan = write_counts(found, out)
    return True


@kernel
def write_sets(win: Any, pair: int, sets: int, opened: int, out: Any) -> None:
    """Write the pair and the sets: concealed ones, then melds. `opened`: mask of a triplet won from a discard."""
    out.pair = pair
    at = 0
    while sets:
        kind, triplet = sets & KIND_BITS, sets & TRIPLET_CODE != 0
        out.set_type[at], out.set_kind[at] = PON if triplet else CHI, kind
        out.set_open[at] = opened >> kind & 1 if triplet else 0
        sets >>= 8
        at += 1
    for i in range(int(win.melds)):
        out.set_type[at + i], out.set_kind[at + i] = win.meld_type[i], win.meld_kind[i]
        out.set_open[at + i] = int(win.meld_type[i] != CONCEALED_KAN)


# Sets and a pair


@kernel
def opened_by_discard(sets: int, win_kind: int, self_drawn: bool) -> int:
    """Mask of the triplet that a discard completed: none if the tile can stand in a sequence."""
    opened = 0
    while sets and not self_drawn:
        kind = sets & KIND_BITS
        if sets & TRIPLET_CODE:
            opened |= int(kind == win_kind) << kind
        elif 0 <= win_kind - kind < 3:
            return 0
        sets >>= 8
    return opened


@kernel
def triplets_among(sets: int) -> int:
    """Mask of the triplets among set bytes."""
    mask = 0
    while sets:
        mask |= int(sets & TRIPLET_CODE != 0) << (sets & KIND_BITS)
        sets >>= 8
    return mask


@kernel
def runs_among(sets: int) -> int:
    """Mask of the sequences among set bytes."""
    mask = 0
    while sets:
        mask |= int(sets & TRIPLET_CODE == 0) << (sets & KIND_BITS)
        sets >>= 8
    return mask


@kernel
def wait_fan(words: Words, sets: int, pair: int, win_kind: int, closed: bool) -> int:
    """Edge, closed or single wait, a bit of `small`; `closed`: seven pairs count among the waits."""
    place = place_of(sets, pair, win_kind)
    if place == NO_PLACE or not is_only_wait(words, win_kind):
        return 0
    if closed and pairs_wait_elsewhere(words, win_kind):
        return 0
    edge, middle = int(place == IN_RUN_END), int(place == IN_RUN_MIDDLE)
    single = int(place == IN_PAIR)
    return edge << f.EDGE_WAIT - SMALL | middle << f.CLOSED_WAIT - SMALL | single << f.SINGLE_WAIT - SMALL


@kernel
def is_nine_gates(words: Words, win_kind: int) -> bool:
    """Whether 14 concealed tiles were 1112345678999 before the winning one."""
    before = add_tiles(words, win_kind, -1)
    return before[0] == GATES or before[1] == GATES or before[2] == GATES


@kernel
def own_winds(win: Any) -> int:
    """The prevalent wind and the seat's, packed."""
    return int(win.round_wind) | int(win.seat_wind) << 2


@kernel
def join(a: Found, b: Found, c: Found, d: Found) -> Found:
    """All fan found."""
    times = a.times | b.times | c.times | d.times
    return Found(a.big | b.big | c.big | d.big, a.small | b.small | c.small | d.small, times)


@kernel
def try_reading(win: Any, words: Words, melds: Melds, base: Found, pair: int, sets: int, out: Any) -> None:
    """Count one reading as sets and a pair; `base` holds the fan that do not depend on it."""
    won, closed = int(win.win_kind), melds.number == 0
    opened = opened_by_discard(sets, won, win.self_drawn != 0)
    triplets, runs = triplets_among(sets), runs_among(sets) | runs_among(melds.runs)
    nine_gates = closed and is_nine_gates(words, won)
    pungs = triplets | melds.pungs
    concealed = ones(triplets & ~opened) + melds.concealed_kongs
    of_pungs = pung_fans(pungs, pair, concealed, melds, own_winds(win), nine_gates)
    found = join(base, of_pungs, chow_fans(sort_chows(sets, melds.runs), pair), set_fans(runs, pungs, pair))
    small = found.small | wait_fan(words, sets, pair, won, closed)
    found = Found(found.big | int(nine_gates) << f.NINE_GATES, small, found.times)
    if keep(found, True, out):
        write_sets(win, pair, sets, opened, out)
        out["shape"] = STANDARD


@kernel
def try_standard(win: Any, words: Words, melds: Melds, base: Found, out: Any) -> None:
    """Count every reading as sets and a pair."""
    suit = pair_suit(words)
    if suit < 0:
        return
    small = base.small | concealment_fans(win.self_drawn != 0, melds.melded)
    base = Found(base.big, small, base.times)
    first, step = (0, 1) if suit == 3 else (pair_residue(word_at(words, suit)), 3)
    rows = triplet_rows(words[0]) | triplet_rows(words[1]) | triplet_rows(words[2])
    for pair in range(RANKS * suit + first, RANKS * suit + (HONOURS if suit == 3 else RANKS), step):
        if tiles_of(words, pair) < 2:
            continue
        sets = read_sets(words, pair, NO_RUN)
        if sets != NO_READING:
            try_reading(win, words, melds, base, pair, sets, out)
        if rows:
            try_equal_runs(win, words, melds, base, pair, out)


@kernel
def triplet_rows(word: int) -> int:
    """One for each rank at which three triplets in a row begin."""
    threes = (word & word >> 1 | word >> 2) & WORD_ONES
    return threes & threes >> 4 & threes >> 8


@kernel
def try_equal_runs(win: Any, words: Words, melds: Melds, base: Found, pair: int, out: Any) -> None:
    """Count the readings with three equal sequences where three triplets in a row stand beside this pair."""
    left = add_tiles(words, pair, -2)
    for suit in range(3):
        rows = triplet_rows(word_at(left, suit))
        for rank in range(RANKS - 2 if rows else 0):
            if rows >> 4 * rank & 1:
                sets = read_sets(words, pair, RANKS * suit + rank)
                if sets != NO_READING:
                    try_reading(win, words, melds, base, pair, sets, out)


# Other shapes


@kernel
def try_pairs(words: Words, base: Found, luck: int, out: Any) -> None:
    """Count 14 concealed tiles as seven pairs, if they are."""
    if (words[0] | words[1] | words[2] | words[3]) & WORD_ONES:
        return
    tiles = words[0] | words[1] | words[2]
    one_suit = words[3] == 0 and tiles == words[0] + words[1] + words[2]
    shifted = one_suit and (tiles == 0x2222222 or tiles == 0x22222220 or tiles == 0x222222200)
    one_suit = int(words[0] == 0) + int(words[1] == 0) + int(words[2] == 0) == 2
    number = f.SEVEN_SHIFTED_PAIRS if shifted and one_suit else f.PAIRS
    if keep(Found(base.big | 1 << number, base.small | luck, base.times), False, out):
        out["shape"] = SEVEN_PAIRS


@kernel
def try_orphans(words: Words, luck: int, out: Any) -> None:
    """Count 14 concealed tiles as thirteen orphans, if they are."""
    if (words[0] | words[1] | words[2]) & INSIDE:
        return
    held = held_ones(words[3]) == HONOUR_ONES
    for suit in range(3):
        held = held and held_ones(word_at(words, suit)) == 0x100000001
    if held and keep(Found(1 << f.ORPHANS, luck, 0), False, out):
        out["shape"] = THIRTEEN_ORPHANS


@kernel
def held_ones(word: int) -> int:
    """One for each kind held."""
    return (word | word >> 1 | word >> 2) & WORD_ONES


@kernel
def try_knitted_honours(words: Words, luck: int, out: Any) -> None:
    """Count 14 concealed tiles as honours and knitted tiles, all different, if they are."""
    if (words[0] | words[1] | words[2] | words[3]) & ~WORD_ONES:
        return
    for a, b, c in KNITTED:
        others = words[0] & ~(KNIT << 4 * a) | words[1] & ~(KNIT << 4 * b) | words[2] & ~(KNIT << 4 * c)
        if others == 0:
            keep_knitted_honours(words, luck, out)
            return


@kernel
def keep_knitted_honours(words: Words, luck: int, out: Any) -> None:
    """Write honours and knitted tiles: greater with all seven honours, with a knitted straight if it is whole."""
    big = 1 << (f.GREATER_KNITTED if words[3] == HONOUR_ONES else f.LESSER_KNITTED)
    big |= int(ones(words[3]) == 5) << f.KNITTED
    if keep(Found(big, luck, 0), False, out):
        out["shape"] = KNITTED_HONOURS


@kernel
def try_knitted_straight(win: Any, words: Words, melds: Melds, luck: int, out: Any) -> None:
    """Count a knitted straight with a set and a pair, if the hand is one."""
    w0, w1, w2 = held_ones(words[0]), held_ones(words[1]), held_ones(words[2])
    for i, (a, b, c) in enumerate(KNITTED):
        ka, kb, kc = KNIT << 4 * a, KNIT << 4 * b, KNIT << 4 * c
        if w0 & ka == ka and w1 & kb == kb and w2 & kc == kc:
            rest = (words[0] - ka, words[1] - kb, words[2] - kc, words[3])
            try_rest(win, words, rest, melds, luck, i, out)


@kernel
def try_rest(win: Any, words: Words, rest: Words, melds: Melds, luck: int, knitted: int, out: Any) -> None:
    """Count a knitted straight by the tiles besides it."""
    suit = pair_suit(rest)
    for pair in range(RANKS * suit, RANKS * suit + (HONOURS if suit == 3 else RANKS)):
        if suit >= 0 and tiles_of(rest, pair) >= 2:
            sets = read_sets(rest, pair, NO_RUN)
            if sets != NO_READING:
                keep_knitted_straight(win, words, rest, melds, luck, pair, sets, knitted, out)


@kernel
def keep_knitted_straight(
    win: Any, words: Words, rest: Words, melds: Melds, luck: int, pair: int, sets: int, knitted: int, out: Any
) -> None:
    """Write a knitted straight with this pair and this set (or none: then it is the meld)."""
    every = all_words(words, melds)
    whole, suits = whole_hand_fans(every, melds.melded_kongs + melds.concealed_kongs), suit_fans(every)
    pungs = triplets_among(sets) | melds.pungs
    of_pungs = pung_fans(pungs, pair, 0, melds, own_winds(win), False)
    small = whole.small | suits.small | luck | concealment_fans(win.self_drawn != 0, melds.melded) | of_pungs.small
    small |= set_fans(0, pungs, pair).small & 1 << f.ALL_CHOWS - SMALL
    small |= knitted_wait(win, words, rest, melds, pair, sets)
    if keep(Found(1 << f.KNITTED, small, whole.times | of_pungs.times), False, out):
        write_sets(win, pair, sets, 0, out)
        out["shape"], out.knitted = KNITTED_STRAIGHT, knitted


@kernel
def knitted_wait(win: Any, words: Words, rest: Words, melds: Melds, pair: int, sets: int) -> int:
    """Wait fan beside a knitted straight: of the set and pair, even if the winning tile could stand in the straight."""
    won = int(win.win_kind)
    if melds.number == 0:
        return wait_fan(rest, sets, pair, won, False)
    return int(tiles_of(words, won) > 1) << f.SINGLE_WAIT - SMALL


@kernel
def all_words(words: Words, melds: Melds) -> Words:
    """Every tile of the hand, melds included."""
    laid = melds.words
    return words[0] + laid[0], words[1] + laid[1], words[2] + laid[2], words[3] + laid[3]


@kernel
def evaluate(win: Any, out: Any) -> None:
    """Count the fan of one win (a record of `WIN_DTYPE`) into `out` (a record of `SCORE_DTYPE`).

    The kernel trusts that the tiles are fourteen with melds counted as three. A hand that is not complete gets
    fan = total = 0. Fewer than eight fan (`fans.MINIMUM`) do not win; the caller must check that.
    """
    clear(out)
    words, melds = pack_hand(win.hand), survey_melds(win)
    luck = luck_fans(win, int(win.hand[int(win.win_kind)]), tiles_of(melds.words, int(win.win_kind)))
    whole = whole_hand_fans(all_words(words, melds), melds.melded_kongs + melds.concealed_kongs)
    base = Found(whole.big, whole.small | luck, whole.times)
    if melds.number < 2:
        try_knitted_straight(win, words, melds, luck, out)
    if melds.number == 0:
        try_pairs(words, base, luck, out)
        try_orphans(words, luck, out)
        try_knitted_honours(words, luck, out)
    try_standard(win, words, melds, base, out)
    finish(win, out)


@kernel
def finish(win: Any, out: Any) -> None:
    """Write the total: fan and, for a complete hand, flowers."""
    if out.fan > 0:
        out.counts[f.FLOWERS] = win.flowers
        out.total = out.fan + int(win.flowers)
    else:
        write_counts(Found(0, 0, 0), out)


@kernel
def evaluate_batch(wins: npt.NDArray[Any], outs: npt.NDArray[Any]) -> None:
    """Count the fan of many wins, one after the other, into as many scores."""
    for i in range(len(wins)):
        evaluate(wins[i], outs[i])
