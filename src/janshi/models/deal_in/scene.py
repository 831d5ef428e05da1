"""The scene of an enumeration: what an opponent's melds allow, and how likely each tile is to be kept.

The melds determine which yaku are possible, which han are certain, and which sequences three colours or a full straight
would still need. Tiles have prior weights learned from records.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.melds import CHI, CONCEALED_KAN, PON
from janshi.core.tiles import COPIES, EAST, FIRST_RED, FIVE_M, HONOURS, NUM_KINDS, RANKS, SUITS
from janshi.features.opponent import CODES, LET_GO, ROLES, worth
from janshi.features.winning_tile import FLUSH_COUNTS, flush_count, flush_part, flush_turn
from janshi.models.deal_in.blocks import HAS_RUN, MOST_SETS, NOT_OUTER, NOT_SIMPLE, PARTS, SHAPES
from janshi.models.deal_in.signatures import (
    ALL_SUITS,
    FURITEN_PAIR,
    HONOUR_FLAG,
    LET_GO_PAIR,
    NEEDS,
    STRAIGHT_FLAGS,
    STRAIGHTS,
    SUIT_FLAGS,
    VALUED_PAIR,
    YAKU_CLASSES,
)
from janshi.rules.riichi.state import INDICATORS, PLAYERS

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
        ("scale", np.float32, (GROUPS_OF_MELDS,)),  # of the probability of winning
    ]
)
"""Prior weights, all 1 where nothing is known."""

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
        ("keep", np.int64),  # relevant flags
        ("safe", np.int64),
        ("let_go", np.int64),
        ("straight", np.int64, (STRAIGHTS,)),  # flags that complete it; 0: none
        ("need", np.int64, (ALL_SUITS, RANKS)),  # flags that a sequence of a suit from a rank adds
        ("honour_worth", np.int64, (HONOURS,)),
        ("red", np.float64, (SUITS,)),  # chance that one held five is red
        ("ways", np.float64, (NUM_KINDS, COPIES + 1)),
        ("won", np.float64, (NUM_KINDS, HANS, FUS)),
        ("suit_dora", np.int64, (ALL_SUITS,)),  # whether a suit holds dora
        ("part_ways", np.float64, (PARTS,)),
        ("part_content", np.int64, (PARTS,)),
    ]
)
"""Everything about one opponent: scratch space."""


def plain_prior() -> Any:
    """Prior weights of 1: hands count only by the number of ways to draw them."""
    prior = np.zeros(1, PRIOR_DTYPE)
    for name in PRIOR_DTYPE.names or ():
        prior[name] = 1
    return prior


@kernel
def set_scene(v: Any, player: int, r: Any, prior: Any, s: Any) -> None:
    """Set up the scene for one opponent, given their reading."""
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
    if s.group == 0 and s.han:  # expensive, and adds little to a hand that has its yaku
        s.outer = 0
    s.keep = NOT_SIMPLE * s.simple | HAS_RUN * s.triplets | NOT_OUTER * s.outer
    s.keep |= VALUED_PAIR | FURITEN_PAIR | LET_GO_PAIR | s.straight[0] | s.straight[1] | s.straight[2]
    if s.flush:
        s.keep |= 7 << SUIT_FLAGS
    if s.flush or s.outer:
        s.keep |= HONOUR_FLAG
    s.suit_dora[:] = 0
    for kind in range(NUM_KINDS):
        s.suit_dora[kind // RANKS] |= int(r.dora[kind] > 0)
        s.let_go |= int(r.status[kind] == LET_GO) << kind
        set_ways(s, kind, int(r.left[kind]), kept(r, kind, prior))
    for honour in range(HONOURS):
        s.honour_worth[honour] = worth(int(r.role[EAST + honour]))
    set_reds(v, player, r, s)


@kernel
def add_meld(s: Any, type: int, kind: int) -> None:
    """Add a meld to the scene."""
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
    """Write the weighted number of ways to hold 0 to 4 tiles of a kind."""
    ways = 1.0
    for count in range(COPIES + 1):
        s.ways[kind, count] = ways
        ways *= keeping * (left - count) / (count + 1) if left > count else 0.0


# --- tiles


@kernel
def near_class(r: Any, kind: int) -> int:
    """Class of a number kind by the opponent's discards one and two ranks away: none, one or both of each."""
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
    """Prior weight for an opponent keeping a tile of a kind."""
    role = int(r.role[kind])
    weight = prior.kept[role, int(r.code[kind])] * prior.near[role, near_class(r, kind)]
    weight *= prior.flush[flush_part(r, kind), flush_count(r), flush_turn(r)]
    return float(weight * prior.dora[role, int(r.dora[kind] > 0)])


@kernel
def set_reds(v: Any, player: int, r: Any, s: Any) -> None:
    """Write the chance that a five held by the opponent is red."""
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
    for player in range(PLAYERS):
        for i in range(int(v.discards[player])):
            if v.river[player, i] == FIRST_RED + suit:
                return True
        for i in range(int(v.melds[player])):
            kind = int(v.meld_kind[player, i])
            if v.meld_red[player, i] and kind < EAST and kind // RANKS == suit:
                return True
    return False


# --- yaku of three sequences


@kernel
def set_straights(v: Any, player: int, s: Any) -> None:
    """Find the yaku of three sequences (three colours, full straight) that the melds have begun."""
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
    """Look for three sequences, from `first` on and `step` kinds apart; returns the number looked for."""
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
