"""Features of a call: the hand before and after a chi or pon, and the remaining way to a yaku.

Passing is the empty list, with value 0, so the value of a call is relative to passing.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.melds import CHI, PON
from janshi.core.shanten import count_bits, orphans_from_bits, pairs_from_bits, shanten_keys
from janshi.core.tiles import EAST, FIRST_RED, NUM_KINDS, RANKS
from janshi.core.ukeire import useful_mask
from janshi.features.discards import SHANTEN
from janshi.features.layout import Layout
from janshi.features.own_hand import (
    PHASES,
    PLANS,
    add_meld,
    count_hand,
    honour_worth,
    phase_of,
    situate,
    weigh_hand,
    yaku_way,
)
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import in_meld, kind_of
from janshi.rules.riichi.state import PLAYERS

VERSION: Final = 1
"""Changes when the meaning of a feature number does."""

FAR: Final = 8
"""Shanten of the nearest hand with a yaku."""
ROLES: Final = 8
HANS: Final = 6
LEFT: Final = 10
"""Useful tiles in steps of four."""

LAYOUT: Final = Layout()
STEP: Final = LAYOUT.add(
    "shanten before and after", "progress", type=2, open=2, before=SHANTEN, after=FAR, phase=PHASES
)
WAY: Final = LAYOUT.add("way to a yaku", "yaku", type=2, open=2, plan=PLANS, after=FAR, steps=3)
WORTH: Final = LAYOUT.add("dora and way to a yaku", "yaku", open=2, dora=HANS, plan=PLANS, after=FAR)
HAN: Final = LAYOUT.add("han in sight", "yaku", han=8, after=FAR, phase=PHASES, dealer=2)
WHOLE: Final = LAYOUT.add("shanten, way and han", "yaku", open=2, before=SHANTEN, after=FAR, plan=PLANS, han=4)
USEFUL: Final = LAYOUT.add("useful tiles", "progress", open=2, before=4, gain=2, tiles=LEFT, then=LEFT)
KIND: Final = LAYOUT.add("called kind", "tiles", type=2, open=2, role=ROLES, held=4, left=5)
FORM: Final = LAYOUT.add("place in the meld", "tiles", open=2, place=4, low=5, before=4)
DEALER: Final = LAYOUT.add("dealer", "situation", dealer=2, after=FAR, phase=PHASES, open=2)
THREAT: Final = LAYOUT.add("riichi of others", "situation", riichi=4, after=FAR, open=2)
RIVALS: Final = LAYOUT.add("melds of others", "situation", melds=6, after=FAR)
PAIRS: Final = LAYOUT.add("pairs", "tiles", type=2, open=2, before=SHANTEN, pairs=8)
VALUED: Final = LAYOUT.add("valued pairs", "yaku", type=2, open=2, called=2, pairs=3, phase=PHASES)
MELDS: Final = LAYOUT.add("melds", "progress", melds=4, after=FAR, plan=PLANS, phase=PHASES)
STANDING: Final = LAYOUT.add("rank and round", "situation", rank=4, late=3, dealer=2, open=2)
RED: Final = LAYOUT.add("red five in the meld", "dora", type=2, red=2)
DORA: Final = LAYOUT.add("dora in the meld", "dora", type=2, dora=2, plan=PLANS)
OUTER: Final = LAYOUT.add("terminals and honours left", "yaku", plan=PLANS, count=10, open=2)
MOST: Final = 18

CALLING_DTYPE: Final = record_dtype(
    [
        ("before", np.int64),  # shanten
        ("useful", np.int64),  # useful tiles left
        ("pairs", np.int64),
        ("valued", np.int64),  # valued pairs
        ("open", np.int64),
        ("riichi", np.int64),  # opponents in riichi
        ("rivals", np.int64),  # most melds of an opponent
        ("rank", np.int64),
        ("hand", np.int8, (NUM_KINDS,)),  # after the call
        ("seen", np.int8, (NUM_KINDS,)),
        ("list", np.int32, (MOST,)),
    ]
)
"""Notes on a hand that may call: scratch space."""


def new_calling() -> npt.NDArray[Any]:
    """Space for notes on one hand that may call."""
    return np.zeros(1, CALLING_DTYPE)


@kernel
def look_before(v: Any, s: Any, t: Any, x: Any, c: Any) -> None:
    """Note the present hand of a viewer who may call; also writes the situation."""
    situate(v, s)
    count_hand(v.hand, v.seen, s, x)
    k0, k1, k2, k3 = int(x.keys[0]), int(x.keys[1]), int(x.keys[2]), int(x.keys[3])
    melds, kinds, pairs = int(s.melds), int(x.kinds), int(x.pairs)
    before = shanten_keys(k0, k1, k2, k3, 4 - melds, t)
    if melds == 0:
        before = min(before, pairs_from_bits(kinds, pairs), orphans_from_bits(kinds, pairs))
    mask, c.useful = useful_mask(k0, k1, k2, k3, melds, before, t), 0
    while mask:
        c.useful += int(x.unseen[count_bits((mask & -mask) - 1)])
        mask &= mask - 1
    c.before, c.open, c.pairs = before, int(s.open), count_bits(pairs)
    c.valued = c.riichi = c.rivals = c.rank = 0
    for kind in range(EAST, NUM_KINDS):
        c.valued += int(v.hand[kind] >= 2 and honour_worth(kind, s) > 0)
    for other in range(1, PLAYERS):
        c.riichi += int(v.riichi[other] != 0)
        c.rivals = max(int(c.rivals), int(v.melds[other]))
        c.rank += int(v.scores[other] > v.scores[0])


@kernel
def lowest_of(action: int, called: int) -> int:
    """The lowest kind of the meld that a call makes."""
    return called if action >= act.PON else called - (action - act.CHI) % 3


@kernel
def look_after(v: Any, action: int, s: Any, t: Any, x: Any, c: Any) -> None:
    """Weigh the hand after a chi or pon, and update the situation."""
    situate(v, s)
    called = kind_of(int(v.tile))
    first, is_pon = lowest_of(action, called), action >= act.PON
    for kind in range(NUM_KINDS):
        c.hand[kind], c.seen[kind] = v.hand[kind], v.seen[kind]
    for i in range(3):
        kind = first if is_pon else first + i
        c.hand[kind] -= 1
        c.seen[kind] += 1
    c.hand[called] += 1
    c.seen[called] -= 1
    add_meld(PON if is_pon else CHI, first, s)
    s.melds += 1
    weigh_hand(c.hand, c.seen, s, t, x)


@kernel
def dora_held(v: Any, c: Any, s: Any, first: int, is_pon: bool) -> tuple[int, int]:
    """Dora of the hand after a call with its melds, and those of the new meld alone."""
    total = count_bits(int(v.reds)) + int(v.tile >= FIRST_RED)
    for i in range(int(v.melds[0])):
        total += int(v.meld_red[0, i] != 0)
    new = 0
    for kind in range(NUM_KINDS):
        if s.dora[kind]:
            fresh = (3 if kind == first else 0) if is_pon else int(first <= kind <= first + 2)
            held = int(c.hand[kind]) + fresh
            for i in range(int(v.melds[0])):
                held += in_meld(v, 0, i, kind)
            total += int(s.dora[kind]) * held
            new += int(s.dora[kind]) * fresh
    return total, new


@kernel
def list_call(v: Any, action: int, s: Any, t: Any, x: Any, c: Any) -> int:
    """List the features of a chi or pon into `c.list`, after `look_before`; returns how many."""
    look_after(v, action, s, t, x, c)
    called, is_pon = kind_of(int(v.tile)), action >= act.PON
    first, type, was_open, phase = lowest_of(action, called), int(is_pon), int(c.open), phase_of(int(s.turns))
    plan, distance = yaku_way(int(x.keys[0]), int(x.keys[1]), int(x.keys[2]), int(x.keys[3]), s, t, x)
    before, after = min(max(int(c.before), 0), SHANTEN - 1), min(max(distance, 0), FAR - 1)
    steps = min(max(int(c.before) - distance, -1), 1) + 1
    useful = 0
    for kind in range(NUM_KINDS):
        if x.distance[kind] == x.best and kind != called:
            useful = max(useful, int(x.useful[kind]))
    total, new = dora_held(v, c, s, first, is_pon)
    dora, dealer = min(total, HANS - 1), int(v.dealer == 0)
    han = min(total + int(s.melds_worth) + (2 if plan == 4 or plan == 5 else int(plan > 0 and s.melds_worth == 0)), 7)
    worth = honour_worth(called, s) if called >= EAST else 0
    low = min(called % RANKS, RANKS - 1 - called % RANKS)
    role = 5 + worth if called >= EAST else low
    tile, then = min(int(c.useful) // 4, LEFT - 1), min(useful // 4, LEFT - 1)
    late = 2 if v.kyoku >= 7 else int(v.kyoku >= 4)
    place = 3 if is_pon else called - first
    uses_red = int(action == act.PON_RED or act.CHI_RED <= action < act.PON or v.tile >= FIRST_RED)
    out, half = c.list, type * 2 + was_open
    out[0] = STEP + ((half * SHANTEN + before) * FAR + after) * PHASES + phase
    out[1] = WAY + ((half * PLANS + plan) * FAR + after) * 3 + steps
    out[2] = WORTH + ((was_open * HANS + dora) * PLANS + plan) * FAR + after
    out[3] = HAN + ((han * FAR + after) * PHASES + phase) * 2 + dealer
    out[4] = WHOLE + (((was_open * SHANTEN + before) * FAR + after) * PLANS + plan) * 4 + min(han, 4) - int(han > 0)
    gain = int(x.best < c.before)
    out[5] = USEFUL + (((was_open * 4 + min(before, 3)) * 2 + gain) * LEFT + tile) * LEFT + then
    left = min(int(x.unseen[called]), 4)
    out[6] = KIND + ((half * ROLES + role) * 4 + min(int(v.hand[called]), 3)) * 5 + left
    out[7] = FORM + ((was_open * 4 + place) * 5 + (low if called < EAST else 0)) * 4 + min(before, 3)
    out[8] = DEALER + ((dealer * FAR + after) * PHASES + phase) * 2 + was_open
    out[9] = THREAT + (int(c.riichi) * FAR + after) * 2 + was_open
    out[10] = RIVALS + min(int(c.rivals), 5) * FAR + after
    out[11] = PAIRS + (half * SHANTEN + before) * 8 + min(int(c.pairs), 7)
    out[12] = VALUED + ((half * 2 + int(worth > 0)) * 3 + min(int(c.valued), 2)) * PHASES + phase
    out[13] = MELDS + ((min(int(v.melds[0]), 3) * FAR + after) * PLANS + plan) * PHASES + phase
    out[14] = STANDING + ((int(c.rank) * 3 + late) * 2 + dealer) * 2 + was_open
    out[15] = RED + type * 2 + uses_red
    out[16] = DORA + (type * 2 + int(new > 0)) * PLANS + plan
    out[17] = OUTER + (plan * 10 + min(int(x.orphans), 9)) * 2 + was_open
    return MOST
