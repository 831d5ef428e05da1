"""The fan of a hand: those of all its tiles, of its sets, and of how it was won.

The principles of combination, and where they are kept:

- *non-repeat* (不重复): what a fan implies is not counted in addition: `fans.EXCLUDES_*`, applied by `settle`;
- *non-separation* (不拆移): one reading of the hand is counted, never parts of several: `evaluate`;
- *non-identical* (不得相同) and *account once* (套算一次): sets once joined may join further
  ones only one at a time. Sets are then the nodes and fan of two sets the edges of a graph without circles:
  `chow_fans`, `trim`;
- *exclusion* (就高不就低): where tiles make either of two fan, the higher is taken: the best reading in `evaluate`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from janshi.core._jit import kernel
from janshi.core.tiles import EAST, RANKS, WHITE
from janshi.rules.guobiao import fans as f
from janshi.rules.guobiao.win import KIND_BITS, TRIPLET_CODE, Melds, Words

SUIT_MASK: Final = (1 << RANKS) - 1
TERMINALS: Final = sum(1 << RANKS * suit + rank for suit in range(3) for rank in (0, 8))
OUTER: Final = TERMINALS | 0x7F << EAST
OUTER_RUNS: Final = sum(1 << RANKS * suit + rank for suit in range(3) for rank in (0, 6))
FIVES: Final = sum(1 << RANKS * suit + 4 for suit in range(3))
FIVE_RUNS: Final = sum(1 << RANKS * suit + rank for suit in range(3) for rank in (2, 3, 4))
EVENS: Final = sum(1 << RANKS * suit + rank for suit in range(3) for rank in (1, 3, 5, 7))

WORD_ENDS: Final = 0xF0000000F
WORD_INSIDE: Final = 0x0FFFFFFF0
WORD_WINDS: Final = 0xFFFF
WORD_QUADS: Final = 0x444444444


def _ranks(*ranks: int) -> int:
    """Word with all bits of these ranks (1..9)."""
    return sum(0xF << 4 * (rank - 1) for rank in ranks)


WORD_GREEN: Final = _ranks(2, 3, 4, 6, 8)
WORD_GREEN_DRAGON: Final = 0xF << 4 * 5
WORD_WHITE: Final = 0xF << 4 * 4
WORD_DOTS_REVERSIBLE: Final = _ranks(1, 2, 3, 4, 5, 8, 9)
WORD_BAMBOO_REVERSIBLE: Final = _ranks(2, 4, 5, 6, 8, 9)
UP_TO_3: Final = _ranks(1, 2, 3)
UP_TO_4: Final = _ranks(1, 2, 3, 4)
FROM_6: Final = _ranks(6, 7, 8, 9)
FROM_7: Final = _ranks(7, 8, 9)
MIDDLE: Final = _ranks(4, 5, 6)

NO_CHOW: Final = 63
"""Fills the places after the last sequence of a sorted four."""
DOUBLES_AT: Final = 8
"""Where the counts of the four fan of two sequences begin in `Found.times`."""
DOUBLE_PUNG_AT: Final = 4
TERMINAL_PUNG_AT: Final = 24
SMALL: Final = f.SMALL
BIG_BITS: Final = (1 << SMALL) - 1

Four = tuple[int, int, int, int]


class Found(NamedTuple):
    """Fan found: bits by number (see `fans`), and how often the repeated ones."""

    big: int
    small: int
    times: int


@kernel
def ones(mask: int) -> int:
    """Count the bits of a mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


# All the tiles


@kernel
def suit_fans(words: Words) -> Found:
    """Flushes, a voided suit, no honours, all five types."""
    suits = int(words[0] != 0) + int(words[1] != 0) + int(words[2] != 0)
    honours = words[3] != 0
    big = int(suits == 1 and not honours) << f.FULL_FLUSH
    big |= int(suits == 0) << f.ALL_HONOURS
    small = int(not honours) << f.NO_HONOURS - SMALL
    small |= int(suits == 2) << f.VOIDED_SUIT - SMALL
    small |= int(suits == 1 and honours) << f.HALF_FLUSH - SMALL
    types = suits == 3 and words[3] & WORD_WINDS != 0 and words[3] & ~WORD_WINDS != 0
    return Found(big, small | int(types) << f.ALL_TYPES - SMALL, 0)


@kernel
def rank_fans(words: Words) -> int:
    """Upper, middle and lower tiles, upper and lower four: bits of `big`."""
    ranks = words[0] | words[1] | words[2]
    if words[3] != 0:
        return 0
    if ranks & ~UP_TO_4 == 0:
        return 1 << (f.LOWER_TILES if ranks & ~UP_TO_3 == 0 else f.LOWER_FOUR)
    if ranks & ~FROM_6 == 0:
        return 1 << (f.UPPER_TILES if ranks & ~FROM_7 == 0 else f.UPPER_FOUR)
    return int(ranks & ~MIDDLE == 0) << f.MIDDLE_TILES


@kernel
def kind_fans(words: Words) -> Found:
    """All simples, all green, reversible tiles, terminals and honours."""
    ranks = words[0] | words[1] | words[2]
    simples = words[3] == 0 and ranks & WORD_ENDS == 0
    outer, numbers, honours = ranks & WORD_INSIDE == 0, ranks != 0, words[3] != 0
    big = int(outer and not honours) << f.ALL_TERMINALS
    big |= int(outer and honours and numbers) << f.ALL_TERMINALS_AND_HONOURS
    green = words[0] | words[1] | words[2] & ~WORD_GREEN | words[3] & ~WORD_GREEN_DRAGON
    big |= int(green == 0) << f.ALL_GREEN
    turned = words[0] | words[1] & ~WORD_DOTS_REVERSIBLE | words[2] & ~WORD_BAMBOO_REVERSIBLE | words[3] & ~WORD_WHITE
    big |= int(turned == 0) << f.REVERSIBLE
    return Found(big, int(simples) << f.ALL_SIMPLES - SMALL, 0)


@kernel
def hogs(words: Words, kongs: int) -> int:
    """Kinds all four tiles of which are used, but not as a kong."""
    quads = WORD_QUADS & words[0] | (WORD_QUADS & words[1]) << 1 | (WORD_QUADS & words[2]) >> 1
    return ones(quads) + ones(WORD_QUADS & words[3]) - kongs


@kernel
def whole_hand_fans(words: Words, kongs: int) -> Found:
    """Fan that all the tiles of a hand, melds included, make together."""
    suits, kinds = suit_fans(words), kind_fans(words)
    hog = hogs(words, kongs)
    small = suits.small | kinds.small | int(hog > 0) << f.TILE_HOG - SMALL
    return Found(suits.big | kinds.big | rank_fans(words), small, hog)


# How it was won


@kernel
def luck_fans(win: Any, held: int, melded: int) -> int:
    """Last tiles, kongs and the last of a kind: bits of `small`. `held`, `melded`: tiles of the winning kind."""
    self_drawn = win.self_drawn != 0
    last_of_kind = (win.last_of_kind != 0 and held == 1) or melded == 3
    small = int(last_of_kind) << f.LAST_OF_KIND - SMALL
    small |= int(win.last_tile != 0 and self_drawn) << f.LAST_DRAW - SMALL
    small |= int(win.last_tile != 0 and not self_drawn) << f.LAST_CLAIM - SMALL
    small |= int(win.after_kong != 0 and self_drawn) << f.OUT_ON_REPLACEMENT - SMALL
    small |= int(win.robbing != 0 and not self_drawn) << f.ROBBING_THE_KONG - SMALL
    return small | int(self_drawn) << f.SELF_DRAWN - SMALL


@kernel
def concealment_fans(self_drawn: bool, melded: int) -> int:
    """Concealed, fully concealed and melded hand: bits of `small`."""
    small = int(melded == 0 and self_drawn) << f.FULLY_CONCEALED - SMALL
    small |= int(melded == 0 and not self_drawn) << f.CONCEALED_HAND - SMALL
    return small | int(melded == 4 and not self_drawn) << f.MELDED_HAND - SMALL


# Sequences


@kernel
def ordered(a: int, b: int) -> tuple[int, int]:
    """The smaller and the larger."""
    return (a, b) if a <= b else (b, a)


@kernel
def sort_chows(concealed: int, melded: int) -> Four:
    """Lowest kinds of the sequences among set bytes, in order, `NO_CHOW` behind."""
    word, shift = 0, 0
    for sets in (concealed, melded):
        while sets:
            if not sets & TRIPLET_CODE:
                word |= (sets & KIND_BITS) << shift
                shift += 8
            sets >>= 8
    word |= 0x3F3F3F3F & ~((1 << shift) - 1)
    a, b = ordered(word & 63, word >> 8 & 63)
    c, d = ordered(word >> 16 & 63, word >> 24 & 63)
    a, c = ordered(a, c)
    b, d = ordered(b, d)
    b, c = ordered(b, c)
    return a, b, c, d


@kernel
def two_chows(a: int, b: int) -> int:
    """One in the place (of `Found.times`, from `DOUBLES_AT`) of the fan that two sequences make; 0 if none."""
    if a // RANKS == b // RANKS:
        apart = abs(b - a)
        if apart == 0:
            return 1
        if apart == 3:
            return 1 << 8
        return 1 << 12 if apart == 6 else 0
    return 1 << 4 if a % RANKS == b % RANKS else 0


@kernel
def three_chows(a: int, b: int, c: int) -> int:
    """Number of the fan that three sequences (in order) make, -1 if none."""
    first, second, third = a // RANKS, b // RANKS, c // RANKS
    if first == third:
        step = b - a
        if c - b != step or step > 3:
            return -1
        if step == 0:
            return f.PURE_TRIPLE_CHOW
        return f.PURE_STRAIGHT if step == 3 else f.PURE_SHIFTED_CHOWS
    if first == second or second == third:
        return -1
    return three_mixed_chows(a % RANKS, b % RANKS, c % RANKS)


@kernel
def three_mixed_chows(a: int, b: int, c: int) -> int:
    """Number of the fan that sequences of three suits make by their lowest ranks, -1 if none."""
    low, high = min(a, b, c), max(a, b, c)
    step = a + b + c - low - high - low
    if high - low != 2 * step:
        return -1
    if step == 0:
        return f.MIXED_TRIPLE_CHOW
    if step == 1:
        return f.MIXED_SHIFTED_CHOWS
    return f.MIXED_STRAIGHT if step == 3 else -1


@kernel
def four_chows(c: Four, pair: int) -> int:
    """Number of the fan that four sequences, or they and the pair, make; -1 if none."""
    first, last = c[0] // RANKS, c[3] // RANKS
    step = c[1] - c[0]
    if first == last and c[2] - c[1] == step and c[3] - c[2] == step and step < 3:
        return f.QUADRUPLE_CHOW if step == 0 else f.FOUR_SHIFTED_CHOWS
    if pair % RANKS != 4 or pair >= EAST or not is_two_dragons(c):
        return -1
    if first == last:
        return f.PURE_TERMINAL_CHOWS if first == pair // RANKS else -1
    suits = first + last
    return f.THREE_SUITED_TERMINAL_CHOWS if c[1] // RANKS == first and pair // RANKS == 3 - suits else -1


@kernel
def is_two_dragons(c: Four) -> bool:
    """Whether four sequences are twice 123 and 789 of a suit."""
    low, high = c[0] % RANKS == 0 and c[2] % RANKS == 0, c[1] % RANKS == 6 and c[3] % RANKS == 6
    if low and high:  # 123 789 in two suits
        return c[1] - c[0] == 6 and c[3] - c[2] == 6 and c[0] != c[2]
    return c[0] % RANKS == 0 and c[1] == c[0] and c[2] == c[0] + 6 and c[3] == c[2]


@kernel
def trim(doubles: int, allowed: int) -> int:
    """Keep this many fan of two sequences: repeated ones go first, from two terminal chows up to pure double chows."""
    extra = (doubles & 15) + (doubles >> 4 & 15) + (doubles >> 8 & 15) + (doubles >> 12) - allowed
    for kept in (1, 0):
        for at in (12, 8, 4, 0):
            while extra > 0 and doubles >> at & 15 > kept:
                doubles -= 1 << at
                extra -= 1
    return doubles


@kernel
def extra_chow(a: int, b: int, c: int, extra: int) -> int:
    """The one fan of two that a fourth sequence makes with three already joined."""
    return trim(two_chows(a, extra) | two_chows(b, extra) | two_chows(c, extra), 1)


@kernel
def with_doubles(number: int, doubles: int) -> Found:
    """A fan (or -1) and fan of two sequences."""
    big = int(0 <= number < SMALL) << max(number, 0)
    small = int(number >= SMALL) << max(number - SMALL, 0)
    for i in range(4):
        small |= int(doubles >> 4 * i & 15 > 0) << f.PURE_DOUBLE_CHOW - SMALL + i
    return Found(big & BIG_BITS, small, doubles << DOUBLES_AT)


@kernel
def chow_fans(c: Four, pair: int) -> Found:
    """Fan of the sequences among the sets (in order, `NO_CHOW` behind)."""
    if c[1] == NO_CHOW:
        return Found(0, 0, 0)
    if c[3] != NO_CHOW:
        return four_chow_fans(c, pair)
    if c[2] == NO_CHOW:
        return with_doubles(-1, two_chows(c[0], c[1]))
    number = three_chows(c[0], c[1], c[2])
    if number >= 0:
        return with_doubles(number, 0)
    return with_doubles(-1, trim(two_chows(c[0], c[1]) + two_chows(c[0], c[2]) + two_chows(c[1], c[2]), 2))


@kernel
def four_chow_fans(c: Four, pair: int) -> Found:
    """Fan of four sequences: of all, else of three with the fourth joined once, else of twos."""
    number = four_chows(c, pair)
    if number >= 0:
        return with_doubles(number, 0)
    for left in (3, 2, 1, 0):
        a, b = (c[0] if left != 0 else c[1]), (c[1] if left > 1 else c[2])
        last = c[2] if left == 3 else c[3]
        number = three_chows(a, b, last)
        if number >= 0:
            extra = c[3] if left == 3 else c[2] if left == 2 else c[1] if left == 1 else c[0]
            return with_doubles(number, extra_chow(a, b, last, extra))
    return with_doubles(-1, four_loose_chows(c))


@kernel
def four_loose_chows(c: Four) -> int:
    """Fan of two among four sequences without a fan of three: at most one less than the sequences that are joined."""
    ab, ac, ad = two_chows(c[0], c[1]), two_chows(c[0], c[2]), two_chows(c[0], c[3])
    bc, bd, cd = two_chows(c[1], c[2]), two_chows(c[1], c[3]), two_chows(c[2], c[3])
    alone = int(ab + ac + ad == 0) + int(ab + bc + bd == 0) + int(ac + bc + cd == 0) + int(ad + bd + cd == 0)
    return trim(ab + ac + ad + bc + bd + cd, max(3 - alone, 0))


# Triplets and kongs


@kernel
def rises(a: int, b: int, c: int) -> bool:
    """Whether masks of ranks hold r, r + 1 and r + 2 in this order."""
    return a & b >> 1 & c >> 2 != 0


@kernel
def number_pung_fans(pungs: int) -> Found:
    """Fan of two to four triplets of numbers, by their mask."""
    if pungs & (pungs - 1) == 0:
        return Found(0, 0, 0)
    m, p, s = pungs & SUIT_MASK, pungs >> RANKS & SUIT_MASK, pungs >> 2 * RANKS & SUIT_MASK
    in_row = rises(m, m, m) or rises(p, p, p) or rises(s, s, s)
    four = (m & m >> 1 & m >> 2 & m >> 3) | (p & p >> 1 & p >> 2 & p >> 3) | (s & s >> 1 & s >> 2 & s >> 3)
    mixed = rises(m, p, s) or rises(m, s, p) or rises(p, m, s) or rises(p, s, m) or rises(s, m, p) or rises(s, p, m)
    triple = m & p & s != 0
    doubles = 0 if triple else ones(m & p) + ones(m & s) + ones(p & s)
    big = int(in_row and four == 0) << f.PURE_SHIFTED_PUNGS | int(four != 0) << f.FOUR_SHIFTED_PUNGS
    big |= int(triple) << f.TRIPLE_PUNG
    small = int(mixed) << f.MIXED_SHIFTED_PUNGS - SMALL | int(doubles > 0) << f.DOUBLE_PUNG - SMALL
    return Found(big, small, doubles << DOUBLE_PUNG_AT)


@kernel
def honour_pung_fans(pungs: int, pair: int, own_winds: int) -> Found:
    """Fan of triplets of winds and dragons; `own_winds` packs the prevalent wind and the seat's (two bits each)."""
    if pungs >> EAST == 0:
        return Found(0, 0, 0)
    winds, dragons = ones(pungs >> EAST & 15), ones(pungs >> WHITE)
    in_pair = EAST <= pair < WHITE
    big = int(winds == 4) << f.BIG_FOUR_WINDS
    big |= int(winds == 3 and in_pair) << f.LITTLE_FOUR_WINDS | int(winds == 3 and not in_pair) << f.BIG_THREE_WINDS
    big |= int(dragons == 3) << f.BIG_THREE_DRAGONS | int(dragons == 2 and pair >= WHITE) << f.LITTLE_THREE_DRAGONS
    small = int(dragons == 2) << f.TWO_DRAGONS - SMALL | int(dragons == 1) << f.DRAGON_PUNG - SMALL
    small |= (pungs >> EAST + (own_winds & 3) & 1) << f.PREVALENT_WIND - SMALL
    return Found(big, small | (pungs >> EAST + (own_winds >> 2) & 1) << f.SEAT_WIND - SMALL, 0)


@kernel
def terminal_pungs(pungs: int, own_winds: int, nine_gates: bool) -> int:
    """Triplets of terminals or winds that no other fan of winds has paid for (nine gates imply one)."""
    winds = pungs >> EAST & 15
    others = winds & ~(1 << (own_winds & 3)) & ~(1 << (own_winds >> 2))
    count = ones(pungs & TERMINALS) + (0 if ones(winds) >= 3 else ones(others))
    return max(count - int(nine_gates), 0)


@kernel
def kong_fans(melded: int, concealed: int) -> Found:
    """Fan of kongs by how many there are."""
    kongs = melded + concealed
    big = int(kongs == 4) << f.FOUR_KONGS | int(kongs == 3) << f.THREE_KONGS
    if kongs == 0 or kongs > 2:
        return Found(big, 0, 0)
    if kongs == 1:
        return Found(0, 1 << ((f.MELDED_KONG if melded else f.CONCEALED_KONG) - SMALL), 0)
    if melded == 1:
        return Found(0, 1 << f.CONCEALED_AND_MELDED_KONG - SMALL, 0)
    return Found(0, 1 << ((f.TWO_MELDED_KONGS if melded else f.TWO_CONCEALED_KONGS) - SMALL), 0)


@kernel
def concealed_pung_fans(concealed: int, pungs: int) -> Found:
    """Fan of concealed triplets (kongs among them), and all pungs."""
    big = int(concealed == 4) << f.FOUR_CONCEALED_PUNGS | int(concealed == 3) << f.THREE_CONCEALED_PUNGS
    small = int(concealed == 2) << f.TWO_CONCEALED_PUNGS - SMALL
    return Found(big, small | int(pungs == 4) << f.ALL_PUNGS - SMALL, 0)


@kernel
def set_fans(runs: int, pungs: int, pair: int) -> Found:
    """Fan of what every set and the pair hold: an outer tile, a five, even tiles; and all chows."""
    two = 1 << pair
    outside = runs & ~OUTER_RUNS | (pungs | two) & ~OUTER
    fives = runs & ~FIVE_RUNS | (pungs | two) & ~FIVES
    big = int(fives == 0) << f.ALL_FIVES | int(runs | (pungs | two) & ~EVENS == 0) << f.ALL_EVEN_PUNGS
    small = int(outside == 0) << f.OUTSIDE_HAND - SMALL
    return Found(big, small | int(pungs == 0 and pair < EAST) << f.ALL_CHOWS - SMALL, 0)


@kernel
def pung_fans(pungs: int, pair: int, concealed: int, melds: Melds, own_winds: int, nine_gates: bool) -> Found:
    """All fan of triplets and kongs; `concealed` of them count as concealed."""
    if pungs == 0:
        return Found(0, 0, 0)
    numbers, honours = number_pung_fans(pungs), honour_pung_fans(pungs, pair, own_winds)
    kongs, hidden = kong_fans(melds.melded_kongs, melds.concealed_kongs), concealed_pung_fans(concealed, ones(pungs))
    outer = terminal_pungs(pungs, own_winds, nine_gates)
    small = numbers.small | honours.small | kongs.small | hidden.small | int(outer > 0) << f.TERMINAL_PUNG - SMALL
    times = numbers.times | outer << TERMINAL_PUNG_AT
    return Found(numbers.big | honours.big | kongs.big | hidden.big, small, times)


# What remains of it


@kernel
def settle(found: Found) -> Found:
    """Leave out what the fan found imply (non-repeat)."""
    not_big = not_small = 0
    rest = found.big
    while rest:
        number = f.BIT_NUMBER[(rest & -rest) % 67]
        not_big |= f.EXCLUDES_BIG[number]
        not_small |= f.EXCLUDES_SMALL[number]
        rest &= rest - 1
    rest = found.small & ~not_small
    while rest:
        not_small |= f.EXCLUDES_SMALL[SMALL + f.BIT_NUMBER[(rest & -rest) % 67]]
        rest &= rest - 1
    return Found(found.big & ~not_big, found.small & ~not_small, found.times)


@kernel
def worth(found: Found) -> int:
    """Fan in all."""
    total = 0
    rest = found.big
    while rest:
        total += f.VALUES[f.BIT_NUMBER[(rest & -rest) % 67]]
        rest &= rest - 1
    rest = found.small
    while rest:
        number = SMALL + f.BIT_NUMBER[(rest & -rest) % 67]
        at = f.TIMES_AT[number]
        total += f.VALUES[number] * (found.times >> at & 15 if at >= 0 else 1)
        rest &= rest - 1
    return total
