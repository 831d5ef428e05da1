"""What counting fan reads and writes: a `Win` (hand, melds, circumstances) and a `Score` (fan, reading of the hand).

Kinds are numbered as everywhere (`core.tiles`): characters, dots, bamboo, then East South West North, white, green
and red.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.melds import ADDED_KAN as ADDED_KAN
from janshi.core.melds import CHI as CHI
from janshi.core.melds import CONCEALED_KAN as CONCEALED_KAN
from janshi.core.melds import OPEN_KAN as OPEN_KAN
from janshi.core.melds import PON as PON
from janshi.core.tiles import COPIES, RANKS

NUM_FAN: Final = 82
"""Fan in the table, flowers (the last) included."""

NOT_COMPLETE, STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS, KNITTED_HONOURS, KNITTED_STRAIGHT = range(6)
"""Shapes of a complete hand; `NOT_COMPLETE` marks a hand with none of them."""

WIN_DTYPE = record_dtype(
    [
        ("hand", np.uint8, (34,)),  # concealed tiles by kind, the winning tile included
        ("melds", np.uint8),  # number of melds
        ("meld_type", np.uint8, (4,)),
        ("meld_kind", np.uint8, (4,)),  # lowest kind of the meld
        ("win_kind", np.uint8),  # kind of the winning tile
        ("self_drawn", np.uint8),
        ("seat_wind", np.uint8),  # 0..3 = E S W N
        ("round_wind", np.uint8),  # the prevalent wind
        ("last_of_kind", np.uint8),  # the other three of the winning tile are visible (和绝张)
        ("last_tile", np.uint8),  # last draw (妙手回春) when self-drawn, else last discard (海底捞月)
        ("after_kong", np.uint8),  # won on the replacement tile of a kong (杠上开花)
        ("robbing", np.uint8),  # won by robbing a kong (抢杠和)
        ("flowers", np.uint8),
    ]
)

SCORE_DTYPE = record_dtype(
    # Read the shape as out["shape"]: in plain Python a record's own attribute hides it.
    [
        ("total", np.int16),  # fan that are paid, flowers included
        ("fan", np.int16),  # fan without flowers: what the minimum of eight looks at; 0 if the hand is not complete
        ("counts", np.uint8, (NUM_FAN,)),  # how many times each fan counts, by number (fans.FANS)
        ("shape", np.uint8),  # STANDARD .. KNITTED_STRAIGHT
        ("pair", np.uint8),  # kind of the pair (standard, knitted straight)
        ("set_type", np.uint8, (4,)),  # meld types (a concealed sequence is CHI, a triplet PON); 0 for no set
        ("set_kind", np.uint8, (4,)),  # lowest kind
        ("set_open", np.uint8, (4,)),  # 1 if the set counts as open (a triplet completed by a discard too)
        ("knitted", np.uint8),  # which of the six knitted straights, in the order of principles.KNITTED; 255 for none
    ]
)


Words = tuple[int, int, int, int]
"""Tiles of the three suits and the honours, four bits a kind, the lowest kind in the lowest bits."""

RUN_CODE: Final = 64
TRIPLET_CODE: Final = 128
KIND_BITS: Final = 63
"""A set is a byte: one of the two codes plus its lowest kind."""


class Melds(NamedTuple):
    """The melds of a hand, and their totals."""

    runs: int
    """The sequences, a byte each."""
    pungs: int
    """Mask of the kinds of triplets and kongs."""
    words: Words
    """Every tile in the melds."""
    number: int
    melded: int
    """How many melds are open: all but concealed kongs."""
    melded_kongs: int
    concealed_kongs: int


@kernel
def add_tiles(words: Words, kind: int, tiles: int) -> Words:
    """Add tiles, packed from their lowest kind on, to the words."""
    suit, added = kind // RANKS, tiles << 4 * (kind % RANKS)
    return (
        words[0] + added * int(suit == 0),
        words[1] + added * int(suit == 1),
        words[2] + added * int(suit == 2),
        words[3] + added * int(suit == 3),
    )


@kernel
def survey_melds(win: Any) -> Melds:
    """Summarise the melds of a win."""
    runs = pungs = melded_kongs = concealed_kongs = 0
    words = (0, 0, 0, 0)
    for i in range(int(win.melds)):
        kind, meld_type = int(win.meld_kind[i]), int(win.meld_type[i])
        if meld_type == CHI:
            runs = runs << 8 | RUN_CODE | kind
            words = add_tiles(words, kind, 0x111)
        else:
            pungs |= 1 << kind
            words = add_tiles(words, kind, 3 if meld_type == PON else COPIES)
        melded_kongs += int(meld_type in (OPEN_KAN, ADDED_KAN))
        concealed_kongs += int(meld_type == CONCEALED_KAN)
    number = int(win.melds)
    return Melds(runs, pungs, words, number, number - concealed_kongs, melded_kongs, concealed_kongs)


@kernel
def tiles_of(words: Words, kind: int) -> int:
    """How many tiles of a kind the words hold."""
    suit, at = kind // RANKS, 4 * (kind % RANKS)
    if suit == 0:
        return words[0] >> at & 15
    if suit == 1:
        return words[1] >> at & 15
    return (words[2] if suit == 2 else words[3]) >> at & 15
