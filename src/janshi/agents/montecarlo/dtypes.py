"""Records that the kernels of a simulation share: a candidate, a simulated hand, and everything they are given."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core.dtypes import record_dtype
from janshi.core.tiles import NUM_KINDS
from janshi.models.labels import OPPONENTS
from janshi.rules.riichi.state import MELDS

GO_ON, READY, FOLD = 0, 1, 2
"""Modes of a hand: still improving, tenpai and keeping its waits, folding."""

CANDIDATE_DTYPE: Final = record_dtype(
    [
        ("action", np.int64),
        ("plan", np.int64),  # kinds that the hand may use
        ("river", np.int64),  # kinds in the viewer's river
        ("left", np.int64),  # tiles in the wall
        ("weight", np.float64),  # chance that the hand continues after it
        ("value", np.float64),  # worth of immediate ends, times their chances
        ("deal_in", np.float64),
        ("count", np.int64),  # simulated hands
        ("total", np.float64),  # sums over them
        ("apart", np.float64),  # sums of the differences from the reference, and of their squares
        ("squares", np.float64),
        ("wins", np.float64),
        ("deal_ins", np.float64),
        ("draws", np.float64),
        ("others", np.float64),  # hands that opponents won without the viewer's discard
        ("alive", np.int8),
        ("kind", np.int8),  # discarded
        ("mode", np.int8),
        ("stance", np.int8),  # 1: declares riichi
        ("first", np.int8),  # who draws next
        ("melds", np.int8),
        ("meld_type", np.int8, (MELDS,)),
        ("meld_kind", np.int8, (MELDS,)),
        ("meld_han", np.int8),  # dora and red fives in melds
        ("is_open", np.int8),
        ("reds", np.int8),
        ("hand", np.int8, (NUM_KINDS,)),
    ]
)
"""An action of the viewer, where it leads, and the results of its simulated hands."""

PLAY_DTYPE: Final = record_dtype(
    [
        ("weight", np.float64),
        ("value", np.float64),
        ("win", np.float64),
        ("deal_in", np.float64),
        ("other", np.float64),
        ("tsumo_rate", np.float64),  # of a tenpai hand, for each draw
        ("tsumo_worth", np.float64),
        ("ron_rate", np.float64),  # for each discard of an opponent
        ("ron_worth", np.float64, (OPPONENTS,)),
        ("rating", np.float64, (NUM_KINDS,)),  # of discards, before anything is simulated
        ("after", np.int64, (NUM_KINDS,)),  # shanten after them
        ("plan", np.int64),
        ("river", np.int64),
        ("safe", np.int64, (OPPONENTS,)),
        ("round", np.int64),  # go-arounds so far
        ("left", np.int64),
        ("drawn", np.int64),  # draws of the viewer so far
        ("gone", np.int64),  # tiles seen since the simulation began
        ("distance", np.int64),
        ("mode", np.int64),
        ("stance", np.int64),
        ("melds", np.int64),
        ("is_open", np.int64),
        ("reds", np.int64),
        ("meld_han", np.int64),
        ("meld_type", np.int8, (MELDS,)),
        ("meld_kind", np.int8, (MELDS,)),
        ("hand", np.int8, (NUM_KINDS,)),
        ("own", np.int8, (NUM_KINDS,)),  # tiles of the plan's kinds
        ("visible", np.int8, (NUM_KINDS,)),
        ("seen", np.int8, (NUM_KINDS,)),
        ("distances", np.int8, (NUM_KINDS,)),
        ("useful", np.int16, (NUM_KINDS,)),
        ("marks", np.uint8, (NUM_KINDS,)),
    ]
)
"""A simulated hand."""


class Sim(NamedTuple):
    """What the kernels of a simulation are given: records."""

    scene: Any
    payoffs: Any
    fate: Any
    play: Any
    tables: Any
    rules: Any
    win: Any
    score: Any
    model: Any  # of one-player mahjong
    maps: Any
    situation: Any
    weighing: Any
