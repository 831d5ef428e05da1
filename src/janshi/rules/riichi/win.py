"""What scoring reads and writes: a `Win` (hand, melds, circumstances) and a `Score` (yaku, fu, base points).

Kernels treat sets of kinds as 34-bit masks with bit `k` for kind `k`, so "only terminals and honours" is one
comparison. `Melds` and `Reading` are such views of a hand; they live in registers, never on the heap.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel, per_constant
from janshi.core.dtypes import record_dtype
from janshi.core.melds import ADDED_KAN as ADDED_KAN
from janshi.core.melds import CHI as CHI
from janshi.core.melds import CONCEALED_KAN as CONCEALED_KAN
from janshi.core.melds import OPEN_KAN as OPEN_KAN
from janshi.core.melds import PON as PON
from janshi.core.tiles import EAST, GREEN, HONOURS, NUM_KINDS, RANKS, SUITS

NO_RIICHI, RIICHI, DOUBLE_RIICHI = 0, 1, 2

STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS = 0, 1, 2
"""Shapes of a complete hand."""

WIN_DTYPE = record_dtype(
    [
        ("hand", np.uint8, (34,)),  # concealed tiles by kind, the winning tile included
        ("melds", np.uint8),  # number of melds
        ("meld_type", np.uint8, (4,)),
        ("meld_kind", np.uint8, (4,)),  # lowest kind of the meld
        ("win_kind", np.uint8),  # kind of the winning tile
        ("tsumo", np.uint8),
        ("seat_wind", np.uint8),  # 0..3 = E S W N; 0 is the dealer
        ("round_wind", np.uint8),
        ("riichi", np.uint8),  # 0 none, 1 riichi, 2 double riichi
        ("ippatsu", np.uint8),
        ("rinshan", np.uint8),
        ("chankan", np.uint8),
        ("last_tile", np.uint8),  # haitei with tsumo, houtei without
        ("first_turn", np.uint8),  # win on the first uninterrupted draw: blessing of heaven / earth
        ("dora", np.uint8),  # dora by indicators (kan dora included)
        ("red", np.uint8),
        ("ura", np.uint8),
    ]
)

SCORE_DTYPE = record_dtype(
    # Read base and shape as out["base"], out["shape"]: in plain Python a record's own attributes hide those two.
    [
        ("yaku", np.uint64),  # bit set by yaku number (Tenhou's numbering, yaku.py)
        ("base", np.int32),  # base points: what a non-dealer pays for another's tsumo, before rounding
        ("fu", np.uint8),
        ("han", np.uint8),  # total, dora included; 0 if there is no yaku or it is a yakuman
        ("yakuman", np.uint8),  # how many yakuman
        ("limit", np.uint8),  # 0 none, 1 mangan .. 4 sanbaiman, 5 counted yakuman, 6 yakuman
        ("dora", np.uint8),  # the dora that count: 0 without a yaku or with a yakuman
        ("red", np.uint8),
        ("ura", np.uint8),
        ("shape", np.uint8),  # 0 standard, 1 seven pairs, 2 thirteen orphans
        ("pair", np.uint8),  # kind of the pair (standard)
        ("set_type", np.uint8, (4,)),  # meld types (a concealed sequence is CHI, a triplet PON); 0 for no set
        ("set_kind", np.uint8, (4,)),
        ("set_open", np.uint8, (4,)),  # 1 if the set counts as open (a triplet completed by ron too)
        ("fu_parts", np.uint8, (10,)),  # fu by cause, in the order of fu.FU_PARTS
    ]
)


def mask_of(*kinds: int) -> int:
    """Mask with the bits of these kinds."""
    return sum(1 << kind for kind in kinds)


SUIT_MASK: Final = (1 << RANKS) - 1
MAN: Final = SUIT_MASK
PIN: Final = SUIT_MASK << RANKS
SOU: Final = SUIT_MASK << 2 * RANKS
HONOUR_KINDS: Final = ((1 << HONOURS) - 1) << EAST
TERMINALS: Final = mask_of(*(RANKS * suit + rank for suit in range(SUITS) for rank in (0, RANKS - 1)))
OUTER: Final = TERMINALS | HONOUR_KINDS
"""Terminals and honours."""
OUTER_RUNS: Final = mask_of(*(RANKS * suit + rank for suit in range(SUITS) for rank in (0, RANKS - 3)))
"""Lowest kinds of the sequences 123 and 789."""
RUN_STARTS: Final = mask_of(*(RANKS * suit + rank for suit in range(SUITS) for rank in range(RANKS - 2)))
GREENS: Final = mask_of(*(2 * RANKS + rank for rank in (1, 2, 3, 5, 7)), GREEN)


class Melds(NamedTuple):
    """The melds of a hand as masks of (lowest) kinds."""

    runs: int
    pons: int
    open_kans: int
    concealed_kans: int
    closed: int
    """1 if the hand is closed: no melds except concealed kans."""
    tiles: int
    """Every kind in the melds."""


class Reading(NamedTuple):
    """One way to read the concealed tiles as sets and a pair."""

    pair: int
    sets: int
    """The concealed sets, one byte each (`RUN_CODE` or `TRIPLET_CODE` plus the lowest kind)."""
    runs: int
    """Mask of the lowest kinds of the sequences."""
    triplets: int
    twins: int
    """Number of pairs of equal sequences."""


@kernel
def popcount(mask: int) -> int:
    """Count the bits of a mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@per_constant
@kernel
def kinds_with(hand: npt.NDArray[Any], copies: int) -> int:
    """Mask of the kinds of which a hand (34 counts) holds at least this many copies."""
    mask = 0
    for kind in range(NUM_KINDS):
        mask |= int(hand[kind] >= copies) << kind
    return mask


@kernel
def survey_melds(win: Any) -> Melds:
    """Sort the melds of a win by type into masks."""
    runs = pons = open_kans = concealed_kans = 0
    for i in range(int(win.melds)):
        bit = 1 << int(win.meld_kind[i])
        meld_type = int(win.meld_type[i])
        runs |= bit * int(meld_type == CHI)
        pons |= bit * int(meld_type == PON)
        open_kans |= bit * int(meld_type in (OPEN_KAN, ADDED_KAN))
        concealed_kans |= bit * int(meld_type == CONCEALED_KAN)
    closed = int(runs | pons | open_kans == 0)
    tiles = runs | runs << 1 | runs << 2 | pons | open_kans | concealed_kans
    return Melds(runs, pons, open_kans, concealed_kans, closed, tiles)
