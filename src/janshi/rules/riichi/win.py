"""What scoring reads and writes: a `Win` (hand, melds, circumstances) and a `Score` (yaku, fu, base points)."""

from __future__ import annotations

import numpy as np

CHI, PON, OPEN_KAN, CONCEALED_KAN, ADDED_KAN = 1, 2, 3, 4, 5
"""Meld types (0 = no meld)."""

NO_RIICHI, RIICHI, DOUBLE_RIICHI = 0, 1, 2

WIN_DTYPE = np.dtype(
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

SCORE_DTYPE = np.dtype(
    [
        ("yaku", np.uint64),  # bit set by yaku number (Tenhou's numbering, yaku.py)
        ("base", np.int32),  # base points: what a non-dealer pays for another's tsumo, before rounding
        ("fu", np.uint8),
        ("han", np.uint8),  # total, dora included; 0 if there is no yaku or it is a yakuman
        ("yakuman", np.uint8),  # how many yakuman
        ("limit", np.uint8),  # 0 none, 1 mangan .. 4 sanbaiman, 5 counted yakuman, 6 yakuman
        ("dora", np.uint8),
        ("red", np.uint8),
        ("ura", np.uint8),
        ("shape", np.uint8),  # 0 standard, 1 seven pairs, 2 thirteen orphans
        ("pair", np.uint8),  # kind of the pair (standard)
        ("set_type", np.uint8, (4,)),  # meld types, and 0 for no set
        ("set_kind", np.uint8, (4,)),
        ("set_open", np.uint8, (4,)),  # 1 if the set counts as open (a triplet completed by ron too)
        ("fu_parts", np.uint8, (10,)),  # fu by cause, in the order of fu.FU_PARTS
    ]
)
