"""Features of the own hand after each discard: shanten, useful tiles, honours, dora and what yaku it may have.

A player describes a *situation* (what is known beside the concealed tiles), `weigh_hand` notes what each discard leaves
in a *weighing*, and `list_rest` lists the features of one candidate but for the suit patterns (`hand_pattern`).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.melds import CHI, CONCEALED_KAN
from janshi.core.records import record_dtype
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
from janshi.core.tables import CLASSES
from janshi.core.tiles import COPIES, EAST, FIVE_M, NUM_KINDS, RANKS, SUITS, WHITE
from janshi.core.ukeire import NOT_HELD, useful_mask
from janshi.features.hand_pattern import CUT, LAYOUT, MOST_OF_SUIT, list_suit_change
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.state import INDICATORS, NONE, PLAYERS

PHASES: Final = 4
"""Of a hand: up to four, eight, twelve own discards, and more."""
SHANTEN: Final = 7
LOSSES: Final = 3
USEFUL: Final = 32
ROUGH_STAGES: Final = 8
FEW_ORPHANS: Final = 3
EARLY: Final = 5
WORTHS: Final = 9
"""Honours: winds by whose they are (mine, those of the next players), round wind or not, and dragons."""
FOUR_STAGES: Final = 4
WINDOW: Final = CUT**5
NEXT_TO: Final = 16
"""Which of the ranks one and two away are held."""
NO_PLAN, VALUE, VALUE_PAIR, SIMPLE, FLUSH, TRIPLETS = range(6)
PLANS: Final = 6
"""What an open hand may get its yaku from."""
GAPS: Final = 5

REACH: Final = LAYOUT.add(
    "shanten and useful tiles", "progress", shanten=SHANTEN, useful=USEFUL, phase=PHASES, open=2, furiten=2
)
LOSS: Final = LAYOUT.add("steps lost", "progress", shanten=SHANTEN, loss=LOSSES, phase=PHASES, open=2)
FORMS: Final = LAYOUT.add("standard form and seven pairs", "progress", shanten=SHANTEN, loss=4, pairs=SHANTEN)
ORPHANS: Final = LAYOUT.add("thirteen orphans", "progress", shanten=SHANTEN, orphans=6)
NEEDS: Final = LAYOUT.add("what the hand needs", "progress", shanten=FOUR_STAGES, melds=5, needs=CLASSES)
SIMPLES: Final = LAYOUT.add("terminals and honours held", "yaku", stage=ROUGH_STAGES, melds=3, count=10)
SUITED: Final = LAYOUT.add("tiles of a suit and honours", "yaku", open=2, phase=PHASES, count=16)
SETS: Final = LAYOUT.add("pairs and triplets", "yaku", stage=ROUGH_STAGES, pairs=8, triplets=5)
THREE_SUITS: Final = LAYOUT.add("same sequence in three suits", "yaku", stage=ROUGH_STAGES, count=5)
YAKU: Final = LAYOUT.add("way of an open hand to a yaku", "yaku", shanten=FOUR_STAGES, plan=PLANS, gap=GAPS)
HONOUR: Final = LAYOUT.add("honour", "honours", stage=ROUGH_STAGES, phase=PHASES, worth=WORTHS, count=5, left=5)
HONOUR_DORA: Final = LAYOUT.add("honour that is dora", "dora", stage=ROUGH_STAGES, worth=WORTHS, count=5)
DORA: Final = LAYOUT.add("around a dora", "dora", shanten=FOUR_STAGES, low=5, counts=WINDOW)
RED: Final = LAYOUT.add("around a red five", "dora", shanten=FOUR_STAGES, counts=WINDOW)
TILE: Final = LAYOUT.add("discard and copies left", "tiles", open=2, low=5, kept=4, left=5, beside=NEXT_TO)
SIDES: Final = LAYOUT.add("neighbours of the discard left", "tiles", shanten=FOUR_STAGES, low=5, near=9, beside=NEXT_TO)
FAR_SIDES: Final = LAYOUT.add("ranks two away left", "tiles", shanten=FOUR_STAGES, low=5, far=9, beside=NEXT_TO)

MOST: Final = MOST_OF_SUIT + 40
"""Longest list of a candidate."""

SITUATION_DTYPE: Final = record_dtype(
    [
        ("river", np.int64),  # bit set of the kinds the player discarded
        ("reds", np.int8),  # bit set of red fives in the concealed hand
        ("melds", np.int8),
        ("open", np.int8),  # 1 if a meld is open
        ("turns", np.int8),  # own discards so far
        ("seat_wind", np.int8),
        ("round_wind", np.int8),
        ("melds_simple", np.int8),  # 1 if no meld holds a terminal or an honour
        ("melds_worth", np.int8),  # han of valued triplets in melds
        ("meld_suit", np.int8),  # the only suit of the melds, NONE if they have none, SUITS if several
        ("meld_chis", np.int8),
        ("dora", np.int8, (NUM_KINDS,)),  # how often each kind is dora
    ]
)
"""What a player knows beside the concealed tiles."""

WEIGHING_DTYPE: Final = record_dtype(
    [
        ("mask", np.int64, (NUM_KINDS,)),  # useful tiles after a discard that loses no step
        ("keys", np.int64, (4,)),
        ("kinds", np.int64),
        ("pairs", np.int64),
        ("best", np.int64),  # least shanten after a discard
        ("orphans", np.int64),
        ("triplets", np.int64),
        ("suited", np.int64, (4,)),  # tiles of each suit, melds included, and honours
        ("useful", np.int16, (NUM_KINDS,)),  # how many of them are left
        ("standard", np.int16, (NUM_KINDS,)),  # shanten of the standard form
        ("distance", np.int16, (NUM_KINDS,)),  # of the nearest form
        ("needs", np.int16, (NUM_KINDS,)),  # class of the hand
        ("unseen", np.int8, (NUM_KINDS,)),
        ("value", np.float32, (NUM_KINDS,)),  # what a model makes of each discard
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
    """What an honour is to the player, below WORTHS."""
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
    """Note what a meld, whose lowest kind is given, means to a situation; `s.melds` stays."""
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
    """Note what each discard leaves of 14 - 3 * melds concealed tiles.

    `hand` and `seen` are int8[34], own tiles and those everybody sees.
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
    x.best = best
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
    """Note the useful tiles after a discard that loses no step."""
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
def rough_stage(x: Any, s: Any) -> int:
    """Shanten 0, 1, 2 or more, closed or open."""
    return 2 * min(max(int(x.best), 0), FOUR_STAGES - 1) + int(s.open)


# --- features of one candidate


@kernel
def list_rest(hand: Any, kind: int, s: Any, t: Any, m: Any, x: Any, out: Any, n: int) -> int:
    """List all features of a discard but the suit patterns, from place `n` of `out` on."""
    n = list_progress(hand, kind, s, x, out, n)
    n = list_yaku(hand, kind, s, t, x, out, n)
    if kind >= EAST:
        return list_honour(hand, kind, s, x, out, n)
    return list_number(hand, kind, s, m, x, out, n)


@kernel
def list_progress(hand: Any, kind: int, s: Any, x: Any, out: Any, n: int) -> int:
    """How near a complete hand the discard leaves the player."""
    best, phase, is_open = min(max(int(x.best), 0), SHANTEN - 1), phase_of(int(s.turns)), int(s.open)
    loss = int(x.distance[kind]) - int(x.best)
    if loss == 0:
        useful = int(x.useful[kind])
        bucket = min(useful if best == 0 else useful // 2, USEFUL - 1)
        furiten = int(best == 0 and (int(x.mask[kind]) & int(s.river)) != 0)
        out[n] = REACH + (((best * USEFUL + bucket) * PHASES + phase) * 2 + is_open) * 2 + furiten
    else:
        out[n] = LOSS + ((best * LOSSES + min(loss, LOSSES) - 1) * PHASES + phase) * 2 + is_open
    out[n + 1] = NEEDS + (min(best, FOUR_STAGES - 1) * 5 + int(s.melds)) * CLASSES + int(x.needs[kind])
    n += 2
    if s.melds == 0:
        kinds, pairs = bits_after(hand, kind, x)
        behind = min(max(int(x.standard[kind]) - int(x.best), 0), 3)
        seven = min(max(pairs_from_bits(kinds, pairs), 0), SHANTEN - 1)
        out[n] = FORMS + (best * 4 + behind) * SHANTEN + seven
        out[n + 1] = ORPHANS + best * 6 + min(max(orphans_from_bits(kinds, pairs), 0), 5)
        n += 2
    return n


@kernel
def list_yaku(hand: Any, kind: int, s: Any, t: Any, x: Any, out: Any, n: int) -> int:
    """What yaku the hand after a discard may have."""
    stage, phase, held = rough_stage(x, s), phase_of(int(s.turns)), int(hand[kind])
    simple = 0 if s.melds == 0 else 1 if s.melds_simple and s.melds_worth == 0 else 2
    orphans = int(x.orphans) - int(is_orphan(kind))
    out[n] = SIMPLES + (stage * 3 + simple) * 10 + min(orphans, 9)
    most, suit = 0, kind // RANKS
    for other in range(SUITS):
        if s.meld_suit == NONE or s.meld_suit == other:
            most = max(most, int(x.suited[other]) - int(other == suit))
    most += int(x.suited[SUITS]) - int(suit == SUITS)
    out[n + 1] = SUITED + (int(s.open) * PHASES + phase) * 16 + min(most, 15)
    kinds, pair_set = bits_after(hand, kind, x)
    pairs = min(count_bits(pair_set), 7)
    out[n + 2] = SETS + (stage * 8 + pairs) * 5 + int(x.triplets) - int(held == 3)
    together = 0
    for first in range(RANKS - 2):
        together = max(together, count_bits((kinds >> 3 * first) & 0x1FF))
    out[n + 3] = THREE_SUITS + stage * 5 + max(together - 5, 0)
    if s.open:
        out[n + 4] = YAKU + yaku_after(hand, kind, s, t, x)
        return n + 5
    return n + 4


@kernel
def yaku_after(hand: Any, kind: int, s: Any, t: Any, x: Any) -> int:
    """The nearest way of an open hand to a yaku after a discard, as a number within its group."""
    suit, tile = kind // RANKS, 1 << 3 * (kind % RANKS)
    k0, k1 = int(x.keys[0]) - (tile if suit == 0 else 0), int(x.keys[1]) - (tile if suit == 1 else 0)
    k2, k3 = int(x.keys[2]) - (tile if suit == 2 else 0), int(x.keys[3]) - (tile if suit == 3 else 0)
    plan, distance = yaku_way(k0, k1, k2, k3, s, t, x)
    gap = min(max(distance - int(x.best), 0), GAPS - 1)
    return (min(max(int(x.best), 0), FOUR_STAGES - 1) * PLANS + plan) * GAPS + gap


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


@kernel
def list_honour(hand: Any, kind: int, s: Any, x: Any, out: Any, n: int) -> int:
    """What the discard of an honour changes."""
    stage, phase, held, worth = rough_stage(x, s), phase_of(int(s.turns)), int(hand[kind]), honour_role(kind, s)
    base = ((stage * PHASES + phase) * WORTHS + worth) * 5
    left = int(x.unseen[kind])
    out[n] = HONOUR + (base + held - 1) * 5 + left
    out[n + 1] = -1 - (HONOUR + (base + held) * 5 + left)
    n += 2
    if s.dora[kind]:
        out[n] = HONOUR_DORA + (stage * WORTHS + worth) * 5 + held - 1
        out[n + 1] = -1 - (HONOUR_DORA + (stage * WORTHS + worth) * 5 + held)
        n += 2
    return n


@kernel
def list_number(hand: Any, kind: int, s: Any, m: Any, x: Any, out: Any, n: int) -> int:
    """What the discard of a number tile changes: around dora and red fives, and how far its neighbours are gone."""
    stage, suit = min(max(int(x.best), 0), FOUR_STAGES - 1), kind // RANKS
    rank = kind - RANKS * suit
    key = int(x.keys[suit])
    for near in range(max(0, rank - 2), min(RANKS - 1, rank + 2) + 1):
        for _ in range(int(s.dora[kind - rank + near])):
            n = list_around(DORA + stage * 5 * WINDOW, key, rank, near, True, m, out, n)
    red = 1 << suit
    if int(s.reds) & red and abs(rank - FIVE_M) <= 2:
        kept = not (rank == FIVE_M and hand[kind] == 1)
        n = list_around(RED + stage * WINDOW, key, rank, FIVE_M, kept, m, out, n)
    return list_sides(hand, kind, rank, stage, s, x, out, n)


@kernel
def list_around(base: int, key: int, rank: int, centre: int, kept: bool, m: Any, out: Any, n: int) -> int:
    """The tiles around a dora or red five, without the discard and, with a minus sign, with it."""
    back = int(centre > FIVE_M)
    if base < RED:
        base += (RANKS - 1 - centre if back else centre) * WINDOW
    after = key - (1 << 3 * rank)
    out[n] = -1 - (base + int(m.cut[back, ((key << 6) >> 3 * centre) & 0x7FFF]))
    if kept:
        out[n + 1] = base + int(m.cut[back, ((after << 6) >> 3 * centre) & 0x7FFF])
        return n + 2
    return n + 1


@kernel
def list_sides(hand: Any, kind: int, rank: int, stage: int, s: Any, x: Any, out: Any, n: int) -> int:
    """The discard by its rank, what is held beside it and what is left to draw there."""
    low, step = (rank, 1) if rank <= FIVE_M else (RANKS - 1 - rank, -1)
    beside = near = far = 0
    for i in range(4):
        away = (-2, -1, 1, 2)[i] * step
        if 0 <= rank + away < RANKS:
            beside |= int(hand[kind + away] > 0) << i
            if abs(away) == 1:
                near += int(x.unseen[kind + away])
            else:
                far += int(x.unseen[kind + away])
    kept, left = min(int(hand[kind]) - 1, 3), int(x.unseen[kind])
    out[n] = TILE + (((int(s.open) * 5 + low) * 4 + kept) * 5 + left) * NEXT_TO + beside
    out[n + 1] = SIDES + ((stage * 5 + low) * 9 + near) * NEXT_TO + beside
    out[n + 2] = FAR_SIDES + ((stage * 5 + low) * 9 + far) * NEXT_TO + beside
    return n + 3


@kernel
def list_discard(hand: Any, kind: int, s: Any, t: Any, m: Any, x: Any, out: Any) -> int:
    """List all features of a discard of a weighed hand into `out`, int32[MOST]; returns how many."""
    n = 0
    if kind < EAST:
        suit = kind // RANKS
        n = list_suit_change(int(x.keys[suit]), kind - RANKS * suit, stage_of(x, s), t, m, out, n)
    return list_rest(hand, kind, s, t, m, x, out, n)
