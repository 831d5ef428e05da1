"""The wins within reach of a waiting Guobiao hand: how far, how many fan, which fan, and what they are worth.

They are those that the player `search` values: hands of eight fan or more at most one tile farther than the nearest. A
win counts by the chances of its missing tiles, so shares are those of the wins that are likely to come.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from janshi.agents.search.guobiao import DRAWS, value_hand
from janshi.agents.search.targets import SEARCH_DTYPE, TOTAL, fill_chances
from janshi.core._jit import kernel
from janshi.core.hand import Hand
from janshi.core.tables import tables_array
from janshi.core.tiles import COPIES, counts34, kind_of
from janshi.rules.game import Array
from janshi.rules.guobiao.fans import FANS, Fan

CALLED: Final = 0.7
MOST: Final = 20_000
"""As the options `called` and `most` of `search`."""


class Reach(NamedTuple):
    """The wins within reach of a hand."""

    missing: int
    """Tiles missing to the nearest win of eight fan."""
    points: float
    """Expected points of these wins, by the search."""
    fan: float
    """Mean fan of a win, without fan for the wait."""
    shares: tuple[tuple[Fan, float], ...]
    """Fan, and the share of the wins that have each, the most frequent first."""


@kernel
def value_one(searches: Array, tries: float, called: float, most: int, tables: Array) -> None:
    """Value the hand of a search that is set up, and note the fan in reach."""
    fill_chances(searches[0], tries, called)
    value_hand(searches[0], most, tables[0])


def reach_of(hand: Hand, seen: Sequence[int], winds: tuple[int, int], draws: int) -> Reach | None:
    """The wins within reach of a hand of 13 tiles; None if no hand of eight fan is near.

    `seen` are the tiles visible besides the hand and its melds, `winds` the seat's and the prevalent one (0 to 3),
    `draws` the tiles that are left for the player to draw.
    """
    search = np.zeros(1, SEARCH_DTYPE).view(np.recarray)
    _set_up(search[0], hand, seen, winds)
    value_one(search, DRAWS * (1.0 + draws), CALLED, MOST, tables_array())
    found = search[0]
    if not found["weight"] > 0:
        return None
    shares = found["noted"] / found["weight"]
    order = sorted(np.flatnonzero(shares).tolist(), key=lambda number: (-shares[number], number))
    fan = float(found["fan"] / found["weight"])
    listed = tuple((FANS[number], float(shares[number])) for number in order)
    return Reach(int(found["nearest"]), float(found["values"][TOTAL]), fan, listed)


def compile_kernels() -> None:
    """Compile or load what `reach_of` needs."""
    reach_of(Hand("123456789m55p78s"), (), (0, 0), 1)


def _set_up(search: np.record, hand: Hand, seen: Sequence[int], winds: tuple[int, int]) -> None:
    """Write a hand and what its player sees into a search."""
    held, others = np.asarray(counts34(hand.tiles)), np.asarray(counts34(list(seen)))
    melded = np.asarray(counts34([tile for meld in hand.melds for tile in meld.tiles]))
    search["hand"], search["seen"] = held, others + melded
    search["live"] = np.maximum(COPIES - held - others - melded, 0)
    search["noting"] = 1
    win = search["win"]
    win["melds"] = len(hand.melds)
    for number, meld in enumerate(hand.melds):
        win["meld_type"][number] = meld.type
        win["meld_kind"][number] = min(kind_of(tile) for tile in meld.tiles)
    win["seat_wind"], win["round_wind"] = winds
