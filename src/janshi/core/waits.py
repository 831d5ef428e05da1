"""Waits: the kinds that complete a hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.shanten import FIRST_P, FIRST_S, honour_key, shanten_keys, shanten_special, suit_key
from janshi.core.tables import ShantenTables
from janshi.core.ukeire import useful_mask


@kernel
def waits_mask(counts: npt.NDArray[Any], melds: int, t: ShantenTables) -> np.uint64:
    """Bit set of the kinds that complete a hand of 13 - 3 * melds concealed tiles, `counts` uint8[34].

    0 if the hand is not tenpai. A kind held four times among the concealed tiles is never a wait, so a hand that
    waits only for a fifth copy is not tenpai either.
    """
    k0, k1 = suit_key(counts, 0), suit_key(counts, FIRST_P)
    k2, k3 = suit_key(counts, FIRST_S), honour_key(counts)
    if shanten_keys(k0, k1, k2, k3, 4 - melds, t) != 0 and (melds != 0 or shanten_special(counts) != 0):
        return np.uint64(0)
    return np.uint64(useful_mask(k0, k1, k2, k3, melds, 0, t))
