"""Kernels: which scoring hands a complete hand has, and how many tiles any hand is missing for each of them.

The distance to a scoring hand is the least number of tiles that must be exchanged to get it: 0 is a complete hand, 1 a
hand that waits. `distances` assumes that all three tiles of a kind are available; `live_distances` also considers which
are gone.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.core._jit import kernel
from janshi.rules.simplified.shapes import ANY, BOTH, CELLS, FAR, HIGH, LOW, MODES, PUNGS, Patterns, fill_live_row
from janshi.rules.simplified.state import CHI_MELD
from janshi.rules.simplified.tiles import BAMBOO, DOTS, EAST, RANKS, SUIT_BITS, SUIT_CODES, SUITS

# Scoring hands: bits of `win_kinds`, places of `distances` (PLAIN after them)
HONOUR_PUNG, STRAIGHT, FLUSH, ALL_PUNGS, PLAIN = range(5)
KIND_NAMES: Final = ("honour pung", "straight", "flush", "all pungs")
SCORING_HANDS: Final = 4
ROW: Final = MODES * CELLS

# Facts about melds, as bits; a suit's stand at its shift
HAS_CHI, HAS_HONOURS = 1, 2
HAS_SUIT, HAS_LOW, HAS_HIGH = 1, 2, 4
SHIFTS: Final = (2, 5)
_NEEDED: Final = (BOTH, HIGH, LOW, ANY)
"""The mode a suit needs for a straight, given that (nothing, 1-2-3, 4-5-6, both) is melded."""


@kernel
def meld_fact(meld_type: int, kind: int) -> int:
    """What one meld adds to the facts."""
    if kind >= EAST:
        return HAS_HONOURS
    suit = kind // RANKS
    shift = SHIFTS[suit]
    facts = HAS_SUIT << shift
    if meld_type == CHI_MELD:
        facts |= HAS_CHI
        rank = kind - RANKS * suit
        if rank == 0:
            facts |= HAS_LOW << shift
        elif rank == RANKS // 2:
            facts |= HAS_HIGH << shift
    return facts


@kernel
def meld_facts(s: Any, player: int) -> int:
    """Facts about a player's melds that scoring hands depend on."""
    facts = 0
    for i in range(int(s.melds[player])):
        facts |= meld_fact(int(s.meld_type[player, i]), int(s.meld_kind[player, i]))
    return facts


@kernel
def is_complete(code: int, shapes: Any) -> bool:
    """Whether concealed tiles, 3 × sets + 2 of them, are sets and a pair.

    The number of tiles in a suit determines whether its pattern has the pair, so nothing else needs checking.
    """
    dots = shapes.suit_complete[(code >> (2 * DOTS)) & (SUIT_CODES - 1)]
    bamboo = shapes.suit_complete[(code >> (2 * BAMBOO)) & (SUIT_CODES - 1)]
    return dots & bamboo & shapes.honour_complete[code >> (2 * EAST)] & 1 != 0


@kernel
def scoring_hands(code: int, facts: int, shapes: Any) -> int:
    """Bit set of the scoring hands in a complete hand with melds.

    They never exclude each other in one reading: a straight holds two sequences, and the other tiles do not matter.
    """
    honours = code >> (2 * EAST)
    dots, bamboo = code & (SUIT_CODES - 1), (code >> SUIT_BITS) & (SUIT_CODES - 1)
    done_dots, done_bamboo = int(shapes.suit_complete[dots]), int(shapes.suit_complete[bamboo])
    kinds = 0
    if facts & HAS_HONOURS or (int(shapes.honour_complete[honours]) >> LOW) & 1:
        kinds |= 1 << HONOUR_PUNG
    if has_straight(done_dots, facts >> SHIFTS[0]) or has_straight(done_bamboo, facts >> SHIFTS[1]):
        kinds |= 1 << STRAIGHT
    if facts & HAS_CHI == 0 and (done_dots & done_bamboo) >> PUNGS & 1:
        kinds |= 1 << ALL_PUNGS
    if honours == 0 and facts & HAS_HONOURS == 0:
        no_dots = dots == 0 and facts >> SHIFTS[0] & HAS_SUIT == 0
        no_bamboo = bamboo == 0 and facts >> SHIFTS[1] & HAS_SUIT == 0
        if no_dots or no_bamboo:
            kinds |= 1 << FLUSH
    return kinds


@kernel
def has_straight(done: int, facts: int) -> bool:
    """Whether a suit's tiles (the modes they complete) make a straight with its melds."""
    return (done >> _NEEDED[(facts >> 1) & 3]) & 1 != 0


@kernel
def distances(code: int, facts: int, sets: int, shapes: Any, out: Any) -> None:
    """Write the distance of concealed tiles, lacking `sets` sets and the pair, to each scoring hand and a plain one.

    `out` is an integer array of 5: HONOUR_PUNG, STRAIGHT, FLUSH, ALL_PUNGS, PLAIN; FAR where melds exclude it.
    """
    dots = shapes.suit_lack[code & (SUIT_CODES - 1)]
    bamboo = shapes.suit_lack[(code >> SUIT_BITS) & (SUIT_CODES - 1)]
    combine(dots, bamboo, shapes.honour_lack[code >> (2 * EAST)], facts, sets, out)


@kernel
def live_distances(hand: Any, live: Any, facts: int, sets: int, patterns: Patterns, rows: Any, out: Any) -> None:
    """Write distances as `distances` does, reached only with tiles that are `live` (int[14]): FAR where none are left.

    `rows` is scratch space, int8[3, ROW]. Exact for what the player can know, at some microseconds a hand.
    """
    p = patterns
    for suit in range(SUITS):
        a, b = RANKS * suit, RANKS * suit + RANKS
        fill_live_row(p.suit_counts, p.suit_cells, p.suit_modes, hand[a:b], live[a:b], rows[suit])
    fill_live_row(p.honour_counts, p.honour_cells, p.honour_modes, hand[EAST:], live[EAST:], rows[SUITS])
    combine(rows[0], rows[1], rows[2], facts, sets, out)


@kernel
def combine(dots: Any, bamboo: Any, honours: Any, facts: int, sets: int, out: Any) -> None:
    """Write the distances that follow from the rows of both suits and the honours."""
    out[HONOUR_PUNG] = least(dots, bamboo, honours, ANY, ANY, ANY if facts & HAS_HONOURS else LOW, sets)
    out[STRAIGHT] = min(
        least(dots, bamboo, honours, _NEEDED[(facts >> (SHIFTS[0] + 1)) & 3], ANY, ANY, sets),
        least(dots, bamboo, honours, ANY, _NEEDED[(facts >> (SHIFTS[1] + 1)) & 3], ANY, sets),
    )
    out[FLUSH] = least_flush(dots, bamboo, facts, sets)
    out[ALL_PUNGS] = FAR if facts & HAS_CHI else least(dots, bamboo, honours, PUNGS, PUNGS, PUNGS, sets)
    out[PLAIN] = least(dots, bamboo, honours, ANY, ANY, ANY, sets)


@kernel
def plain_distance(code: int, sets: int, shapes: Any) -> int:
    """The distance of concealed tiles, lacking `sets` sets and the pair, to any complete hand."""
    dots = shapes.suit_lack[code & (SUIT_CODES - 1)]
    bamboo = shapes.suit_lack[(code >> SUIT_BITS) & (SUIT_CODES - 1)]
    return least(dots, bamboo, shapes.honour_lack[code >> (2 * EAST)], ANY, ANY, ANY, sets)


@kernel
def least_flush(dots: Any, bamboo: Any, facts: int, sets: int) -> int:
    """The distance to a hand of one suit."""
    best = FAR
    if facts & HAS_HONOURS:
        return best
    cell = ANY * CELLS + 2 * sets + 1
    if facts >> SHIFTS[1] & HAS_SUIT == 0:
        best = int(dots[cell])
    if facts >> SHIFTS[0] & HAS_SUIT == 0:
        best = min(best, int(bamboo[cell]))
    return best


@kernel
def least(dots: Any, bamboo: Any, honours: Any, dots_mode: int, bamboo_mode: int, honours_mode: int, sets: int) -> int:
    """The least number of tiles missing for `sets` sets and a pair, each suit's part in the given mode."""
    best = FAR
    for i in range(sets + 1):
        for j in range(sets + 1 - i):
            at, to = dots_mode * CELLS + 2 * i, bamboo_mode * CELLS + 2 * j
            by = honours_mode * CELLS + 2 * (sets - i - j)
            x, y, z = int(dots[at]), int(bamboo[to]), int(honours[by])
            pair_in_suits = min(int(dots[at + 1]) + y, x + int(bamboo[to + 1])) + z
            best = min(best, pair_in_suits, x + y + int(honours[by + 1]))
    return best
