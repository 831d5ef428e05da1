"""Dealing in to opponents without melds, from histograms of recorded games (Kurita & Hoki 2021, Sec. VI-C).

A hand waits with a *structure*: two tiles of a sequence (two-sided, closed or edge wait), one of two pairs, or a single
tile. The probability of each of the 113 structures is the number of ways to draw its tiles from the unseen ones, times
factors from public information, each a histogram by class: the shape, the turn, its tiles and their neighbours in the
river, tiles that were passed, dora, and the tiles left to win on. The probabilities sum to one (times the mean number
of structures that a tenpai hand wins with). A two-sided structure with a safe end is impossible, and so is any
structure whose tile is genbutsu.

The payment is a histogram of base points by class: riichi and ippatsu, whether the tile is dora, its kind, dora not
seen, turn.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import EAST, NUM_KINDS, RANKS, SUITS
from janshi.features.layout import Layout
from janshi.features.opponent import LET_GO, RIICHI_STANCE, ROLES
from janshi.models.amounts import AMOUNTS
from janshi.models.linear import copy_row

TWO_SIDED, EDGE, CLOSED, PAIR, LONE = range(5)
TYPES: Final = 5
PER_SUIT: Final = 6 + 2 + 7
STRUCTURES: Final = SUITS * PER_SUIT + 2 * NUM_KINDS
NOTHING: Final = -1

KNOWN: Final = 4
"""How a kind was discarded: not at all, early, later, or last from the hand (or with riichi)."""
TURNS: Final = 6
LEFTS: Final = 9
LINES: Final = 7
MOST_LIKELY: Final = 0.95
"""Sums of structures are capped at this."""

LAYOUT: Final = Layout()
SHAPE: Final = LAYOUT.add("shape", "tiles", stance=2, type=TYPES, role=ROLES)
TURN: Final = LAYOUT.add("turn", "turn", stance=2, type=TYPES, honour=2, turn=TURNS)
OWN: Final = LAYOUT.add("discards of its tiles", "discards", stance=2, type=TYPES, one=KNOWN, two=KNOWN)
BESIDE: Final = LAYOUT.add("discards beside", "discards", stance=2, type=TYPES, below=KNOWN, above=KNOWN)
AROUND: Final = LAYOUT.add("discards two away", "discards", stance=2, type=TYPES, below=KNOWN, above=KNOWN)
ENDS: Final = LAYOUT.add("safe three away", "suji", stance=2, type=TYPES, role=ROLES, suji=3)
WINDOW: Final = LAYOUT.add("let go", "discards", stance=2, type=TYPES, gone=2)
DORA: Final = LAYOUT.add("dora", "dora", stance=2, type=TYPES, held=2, won=2)
LEFT: Final = LAYOUT.add("tiles left to win on", "tiles", stance=2, type=TYPES, honour=2, left=LEFTS)
FACTORS: Final = len(LAYOUT.groups)

RIICHIS: Final = 3
DORA_TILES: Final = 3
PLACES: Final = 4
"""Classes of kinds for payments: honours, terminals, fives, the rest."""
UNSEEN: Final = 4
PARTS_OF_HAND: Final = 3
INDICATED: Final = 2
PAYMENT_CLASSES: Final = RIICHIS * DORA_TILES * PLACES * UNSEEN * PARTS_OF_HAND * INDICATED

HISTOGRAMS_DTYPE: Final = record_dtype(
    [
        ("factors", np.float32, (LAYOUT.size,)),
        ("number", np.float32, (2, LINES)),  # structures that a hand wins with, by stance and two-sided waits left
        ("amounts", np.float32, (PAYMENT_CLASSES, AMOUNTS)),
    ]
)
"""All the histograms."""


class Structures(NamedTuple):
    """Scratch space: the structures of one opponent. Not shared between threads."""

    ways: Any  # float64[STRUCTURES]: ways to draw the tiles; 0 if impossible
    waits: Any  # int64[STRUCTURES, 2]: kinds won on; the second may be NOTHING
    classes: Any  # int32[STRUCTURES, FACTORS]


def new_structures() -> Structures:
    """Make scratch space."""
    return Structures(
        np.zeros(STRUCTURES, np.float64),
        np.zeros((STRUCTURES, 2), np.int64),
        np.zeros((STRUCTURES, FACTORS), np.int32),
    )


# --- structures


@kernel
def tiles_of(structure: int) -> tuple[int, int, int]:
    """Type and tiles of a structure; a pair has the same tile twice, a single tile has no second one."""
    if structure >= SUITS * PER_SUIT:
        at = structure - SUITS * PER_SUIT
        if at < NUM_KINDS:
            return PAIR, at, at
        return LONE, at - NUM_KINDS, NOTHING
    first, at = RANKS * (structure // PER_SUIT), structure % PER_SUIT
    if at < 6:
        return TWO_SIDED, first + 1 + at, first + 2 + at
    if at < 8:
        low = first if at == 6 else first + RANKS - 2
        return EDGE, low, low + 1
    return CLOSED, first + at - 8, first + at - 6


@kernel
def waits_of(type: int, one: int, two: int) -> tuple[int, int]:
    """The kinds a structure wins on."""
    if type == TWO_SIDED:
        return one - 1, two + 1
    if type == EDGE:
        return (two + 1 if one % RANKS == 0 else one - 1), NOTHING
    if type == CLOSED:
        return one + 1, NOTHING
    return one, NOTHING


@kernel
def known(r: Any, kind: int, step: int) -> int:
    """How the kind `step` ranks away was discarded; 0 beyond the ends of the suit."""
    if kind >= EAST or not 0 <= kind % RANKS + step < RANKS:
        return 0
    code = int(r.code[kind + step])
    if code == 0:
        return 0
    return 1 if code <= 2 else 3 if code == 7 else 2


@kernel
def own_code(r: Any, kind: int) -> int:
    """How a kind was discarded."""
    code = int(r.code[kind])
    if code == 0:
        return 0
    return 1 if code <= 2 else 3 if code == 7 else 2


@kernel
def shape_role(r: Any, type: int, one: int) -> int:
    """Position of a structure in its suit; mirrored positions are the same."""
    if type == TWO_SIDED:
        low = one % RANKS - 1
        return min(low, 5 - low)
    if type == CLOSED:
        low = one % RANKS
        return min(low, 6 - low)
    return 0 if type == EDGE else int(r.role[one])


@kernel
def suji_class(r: Any, type: int, wait: int) -> int:
    """How many kinds three ranks from the wait have a status, for structures that are not two-sided."""
    if type == TWO_SIDED or wait >= EAST:
        return 0
    rank = wait % RANKS
    below = int(rank >= 3 and r.status[wait - 3] != 0)
    above = int(rank < RANKS - 3 and r.status[wait + 3] != 0)
    return below + above


@kernel
def list_classes(r: Any, type: int, one: int, two: int, wait: int, other: int, out: Any) -> None:
    """List the class of a structure in every histogram, as feature numbers of the layout."""
    stance = int(r.stance != RIICHI_STANCE)
    head = stance * TYPES + type
    honour = int(one >= EAST)
    high = two if two != NOTHING else one
    role = shape_role(r, type, one)
    out[0] = SHAPE + head * ROLES + role
    out[1] = TURN + (head * 2 + honour) * TURNS + min(int(r.discards) // 3, TURNS - 1)
    out[2] = OWN + (head * KNOWN + own_code(r, one)) * KNOWN + own_code(r, high)
    out[3] = BESIDE + (head * KNOWN + known(r, one, -1)) * KNOWN + known(r, high, 1)
    out[4] = AROUND + (head * KNOWN + known(r, one, -2)) * KNOWN + known(r, high, 2)
    out[5] = ENDS + (head * ROLES + role) * 3 + suji_class(r, type, wait)
    left = int(r.left[wait])
    gone = int(r.status[wait] == LET_GO)
    won = int(r.dora[wait] > 0)
    if other != NOTHING:
        left += int(r.left[other])
        gone |= int(r.status[other] == LET_GO)
        won |= int(r.dora[other] > 0)
    held = int(r.dora[one] > 0 or r.dora[high] > 0)
    out[6] = WINDOW + head * 2 + gone
    out[7] = DORA + (head * 2 + held) * 2 + won
    out[8] = LEFT + (head * 2 + honour) * LEFTS + min(left, LEFTS - 1)


@kernel
def list_structures(r: Any, s: Structures) -> None:
    """List all structures of one opponent, given their reading."""
    for i in range(STRUCTURES):
        type, one, two = tiles_of(i)
        wait, other = waits_of(type, one, two)
        s.waits[i, 0], s.waits[i, 1] = wait, other
        left = float(r.left[one])
        if type == PAIR:
            ways = left * (left - 1.0) / 2.0
        else:
            ways = left * float(r.left[two]) if two != NOTHING else left
        if (int(r.safe) >> wait) & 1 or (other != NOTHING and (int(r.safe) >> other) & 1):
            ways = 0.0
        s.ways[i] = ways
        if ways > 0.0:
            list_classes(r, type, one, two, wait, other, s.classes[i])


@kernel
def weigh(s: Structures, factors: Any) -> float:
    """Turn numbers of ways into weights, in place, by the factor of every class; returns their sum."""
    total = 0.0
    for i in range(STRUCTURES):
        weight = s.ways[i]
        if weight > 0.0:
            for j in range(FACTORS):
                weight *= factors[s.classes[i, j]]
            s.ways[i] = weight
            total += weight
    return total


@kernel
def number_class(r: Any) -> int:
    """Number of two-sided waits left, in groups of three."""
    return min(int(r.lines) // 3, LINES - 1)


# --- payments


@kernel
def payment_class(v: Any, player: int, r: Any, kind: int) -> int:
    """The class of a payment."""
    riichi = 0 if r.stance != RIICHI_STANCE else 1 + int(v.ippatsu[player] != 0)
    role = int(r.role[kind])
    place = 0 if kind >= EAST else 1 if role == 0 else 2 if role == 4 else 3
    unseen = min((int(r.unseen_dora) + int(r.unseen_reds)) // 2, UNSEEN - 1)
    part = min(int(r.discards) // 6, PARTS_OF_HAND - 1)
    number = (riichi * DORA_TILES + min(int(r.dora[kind]), DORA_TILES - 1)) * PLACES + place
    return ((number * UNSEEN + unseen) * PARTS_OF_HAND + part) * INDICATED + int(r.indicators > 1)


@kernel
def of_opponent(v: Any, player: int, r: Any, histograms: Any, s: Structures, winning: Any, base: Any) -> None:
    """Write the chance that one closed opponent wins on each kind, and for how much, given their reading.

    `winning` float32[34], `base` float32[34, AMOUNTS].
    """
    list_structures(r, s)
    total = weigh(s, histograms.factors)
    number = histograms.number[int(r.stance != RIICHI_STANCE), number_class(r)]
    scale = float(number) / total if total > 0.0 else 0.0
    winning[:] = 0
    for i in range(STRUCTURES):
        if s.ways[i] > 0.0:
            winning[s.waits[i, 0]] += s.ways[i] * scale
            if s.waits[i, 1] != NOTHING:
                winning[s.waits[i, 1]] += s.ways[i] * scale
    for kind in range(NUM_KINDS):
        winning[kind] = min(winning[kind], np.float32(MOST_LIKELY))
        if winning[kind] > 0:
            copy_row(histograms.amounts[payment_class(v, player, r, kind)], base[kind])
        else:
            base[kind, :] = 0
