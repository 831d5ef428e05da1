"""A reading of an opponent: everything public about their discards and melds, collected once for all features.

`read_table` writes the part of a reading about the whole table, `read_opponent` the part about one opponent. A kernel
that looks at three opponents reuses one reading.

Features describe tiles by their *role*: suits are equivalent, and so are a rank and its mirror image (1 and 9, 2 and 8,
...), so the 27 number kinds have five roles; honours have four, by their worth to the opponent.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.melds import CHI, CONCEALED_KAN, PON
from janshi.core.tiles import COPIES, EAST, FIRST_RED, NUM_KINDS, RANKS, SUITS, WHITE
from janshi.rules.riichi.concealed import in_meld, kind_of
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.state import CALLED_FLAG, INDICATORS, MELDS, NONE, PLAYERS, RIICHI_FLAG, TSUMOGIRI_FLAG

DRAGON, VALUED_WIND, DOUBLE_WIND, GUEST_WIND = 5, 6, 7, 8
ROLES: Final = 9
"""Number of roles: 0-4 are the ranks 1 to 5 and their mirror images, then honours by their worth to the opponent."""

NO_DISCARD, EARLY, LATE, LAST_CHANGE, PASSED, LET_GO = range(6)
STATUSES: Final = 6
"""Why a kind may be safe: own discard (early, late, the one of riichi or the last from the hand), passed by the
opponent since riichi or since the last discard, let go since the last discard from the hand."""

EARLY_DISCARDS: Final = 6
CODES: Final = 8
"""How a kind was first discarded: not at all (0), by third of the hand and tsumogiri or not (1-6), last change (7)."""

RIICHI_STANCE, CLOSED_STANCE, ONE_MELD = 0, 1, 2
STANCES: Final = 6
"""Riichi, closed without riichi, one to four open melds."""

NO_FLUSH: Final = -1

READING_DTYPE: Final = record_dtype(
    [
        # the table
        ("left", np.int8, (NUM_KINDS,)),  # tiles of a kind the viewer has not seen
        ("dora", np.int8, (NUM_KINDS,)),  # how many dora a tile of a kind is
        ("indicators", np.int8),
        ("unseen_dora", np.int8),
        ("unseen_reds", np.int8),
        # an opponent
        ("safe", np.int64),  # kinds the opponent cannot win on: furiten
        ("own", np.int64),  # kinds in the river
        ("status", np.int8, (NUM_KINDS,)),
        ("code", np.int8, (NUM_KINDS,)),
        ("role", np.int8, (NUM_KINDS,)),
        ("river", np.int8, (32,)),  # kinds
        ("discards", np.int8),
        ("stance", np.int8),
        ("melds", np.int8),  # open ones
        ("riichi_at", np.int8),  # place of the riichi discard in the river, or NONE
        ("last_change", np.int8),  # places of the last two discards from the hand, or NONE
        ("change_before", np.int8),
        ("call_discard", np.int8, (MELDS,)),  # place of the discard after each meld, or NONE
        ("suit_discards", np.int8, (4,)),  # discards by suit; honours are the fourth
        ("dealer", np.int8),
        ("meld_dora", np.int8),  # dora and red fives in the melds
        ("meld_han", np.int8),  # han of triplets of valued honours in the melds
        ("simple", np.int8),  # open melds hold simples only
        ("triplets", np.int8),  # open melds are triplets only
        ("outer", np.int8),  # every open meld holds a terminal or an honour
        ("flush", np.int8),  # the one suit that all melds fit in, or NO_FLUSH
        ("lines", np.int8),  # how many of the 18 pairs of ranks three apart (suji) hold no kind with a status
    ]
)
"""A reading: scratch space of kernels, one per thread."""


def new_reading() -> Any:
    """An array of one reading, as kernels take it."""
    return np.zeros(1, READING_DTYPE)


# --- the table


@kernel
def read_table(v: Any, r: Any) -> None:
    """Write the part about the whole table."""
    for kind in range(NUM_KINDS):
        r.left[kind] = max(0, COPIES - int(v.seen[kind]) - int(v.hand[kind]))
        r.dora[kind] = 0
    r.indicators = 0
    for i in range(INDICATORS):
        if v.indicators[i] != NONE:
            r.indicators += 1
            r.dora[dora_of(kind_of(int(v.indicators[i])))] += 1
    unseen = 0
    for kind in range(NUM_KINDS):
        unseen += int(r.left[kind]) * int(r.dora[kind])
    r.unseen_dora = unseen
    r.unseen_reds = max(0, SUITS - seen_reds(v))


@kernel
def seen_reds(v: Any) -> int:
    """Number of red fives that the viewer sees."""
    mine = int(v.reds)
    seen = (mine & 1) + ((mine >> 1) & 1) + ((mine >> 2) & 1)
    for i in range(INDICATORS):
        seen += int(v.indicators[i] >= FIRST_RED)
    for player in range(PLAYERS):
        for i in range(int(v.melds[player])):
            seen += int(v.meld_red[player, i] != 0)
        for i in range(int(v.discards[player])):
            seen += int(v.river[player, i] >= FIRST_RED and not v.river_flags[player, i] & CALLED_FLAG)
    return seen


# --- an opponent


@kernel
def read_opponent(v: Any, player: int, r: Any) -> None:
    """Write the part about one opponent (a relative seat, 1 to 3)."""
    read_roles(v, player, r)
    read_river(v, player, r)
    read_melds(v, player, r)
    read_safety(v, player, r)
    riichi = r.riichi_at != NONE or v.riichi[player] != 0
    r.stance = RIICHI_STANCE if riichi else CLOSED_STANCE + int(r.melds)
    r.dealer = int(v.dealer == player)
    r.lines = count_lines(r)


@kernel
def read_roles(v: Any, player: int, r: Any) -> None:
    """Write the role of every kind."""
    for kind in range(EAST):
        rank = kind % RANKS
        r.role[kind] = min(rank, RANKS - 1 - rank)
    seat_wind = (player + PLAYERS - int(v.dealer)) % PLAYERS
    round_wind = (int(v.kyoku) // PLAYERS) % PLAYERS
    for wind in range(PLAYERS):
        worth = int(wind == seat_wind) + int(wind == round_wind)
        r.role[EAST + wind] = DOUBLE_WIND if worth == 2 else VALUED_WIND if worth == 1 else GUEST_WIND
    for kind in range(WHITE, NUM_KINDS):
        r.role[kind] = DRAGON


@kernel
def read_river(v: Any, player: int, r: Any) -> None:
    """Write what the river shows, except safe kinds."""
    r.own = 0
    r.riichi_at = r.last_change = r.change_before = NONE
    for suit in range(4):
        r.suit_discards[suit] = 0
    for kind in range(NUM_KINDS):
        r.code[kind] = 0
    r.discards = v.discards[player]
    for i in range(int(r.discards)):
        kind, flags = kind_of(int(v.river[player, i])), int(v.river_flags[player, i])
        r.river[i] = kind
        r.own |= 1 << kind
        r.suit_discards[kind // RANKS] += 1
        if not r.code[kind]:
            r.code[kind] = 1 + 2 * min(i // 4, 2) + (flags & TSUMOGIRI_FLAG)
        if flags & RIICHI_FLAG:
            r.riichi_at = i
        if not flags & TSUMOGIRI_FLAG:
            r.change_before, r.last_change = r.last_change, i
    last = int(r.riichi_at) if r.riichi_at != NONE else int(r.last_change)
    if last != NONE:
        r.code[r.river[last]] = CODES - 1


@kernel
def read_melds(v: Any, player: int, r: Any) -> None:
    """Write what the melds show."""
    r.melds = r.meld_dora = r.meld_han = 0
    r.simple = r.triplets = r.outer = 1
    suits = 0
    for i in range(MELDS):
        r.call_discard[i] = NONE
    for i in range(int(v.melds[player])):
        kind, type = int(v.meld_kind[player, i]), int(v.meld_type[player, i])
        r.meld_dora += int(v.meld_red[player, i] != 0)
        for other in range(kind, kind + 3 if type == CHI else kind + 1):
            r.meld_dora += int(r.dora[other]) * in_meld(v, player, i, other)
        if type != CHI:
            r.meld_han += worth(int(r.role[kind]))
        suits |= 1 << kind // RANKS
        if type != CONCEALED_KAN:
            read_open_meld(v, player, i, kind, type, r)
    r.flush = flush_suit(suits, r) if r.melds else NO_FLUSH


@kernel
def read_open_meld(v: Any, player: int, meld: int, kind: int, type: int, r: Any) -> None:
    """Add what one open meld shows."""
    r.melds += 1
    low = kind % RANKS
    high = low + 2 if type == CHI else low
    outer = kind >= EAST or low == 0 or high == RANKS - 1
    r.simple &= int(not outer)
    r.outer &= int(outer)
    r.triplets &= int(type != CHI)
    if type in (CHI, PON):
        for i in range(int(r.discards)):
            if v.river_order[player, i] == v.meld_order[player, meld]:
                r.call_discard[meld] = i


@kernel
def worth(role: int) -> int:
    """Han of a triplet of a kind with this role."""
    if role == DOUBLE_WIND:
        return 2
    return int(role in (DRAGON, VALUED_WIND))


@kernel
def flush_suit(suits: int, r: Any) -> int:
    """The suit that melds in these suits (a bit set, honours the fourth) could make a flush of, or NO_FLUSH."""
    if suits & 7 == 0:
        least = 0
        for suit in range(1, SUITS):
            if r.suit_discards[suit] < r.suit_discards[least]:
                least = suit
        return least
    for suit in range(SUITS):
        if suits & 7 == 1 << suit:
            return suit
    return NO_FLUSH


@kernel
def read_safety(v: Any, player: int, r: Any) -> None:
    """Write which kinds are safe and why.

    The opponent cannot win on their own discards, nor on tiles that others discarded since their riichi or their last
    discard: their waits have not changed since then, so such a wait would be furiten.
    """
    r.safe = r.own
    closing = int(r.riichi_at) if r.riichi_at != NONE else int(r.discards) - 1
    passed_from = int(v.river_order[player, closing]) if closing >= 0 else -1
    change = int(r.riichi_at) if r.riichi_at != NONE else int(r.last_change)
    let_go_from = int(v.river_order[player, change]) if change != NONE else -1
    for kind in range(NUM_KINDS):
        r.status[kind] = NO_DISCARD
    for other in range(PLAYERS):
        for i in range(int(v.discards[other]) if other != player else 0):
            kind, order = kind_of(int(v.river[other, i])), int(v.river_order[other, i])
            if order > passed_from:
                r.safe |= 1 << kind
                r.status[kind] = PASSED
            elif order > let_go_from and r.status[kind] == NO_DISCARD:
                r.status[kind] = LET_GO
    for i in range(int(r.discards) - 1, -1, -1):
        r.status[r.river[i]] = EARLY if i < EARLY_DISCARDS else LATE
    if change != NONE:
        r.status[r.river[change]] = LAST_CHANGE


@kernel
def count_lines(r: Any) -> int:
    """Pairs of ranks three apart in a suit of which neither has a status: the two-sided waits left."""
    lines = 0
    for suit in range(SUITS):
        for low in range(RANKS * suit, RANKS * suit + RANKS - 3):
            lines += int(r.status[low] == NO_DISCARD and r.status[low + 3] == NO_DISCARD)
    return lines
