"""The tiles that complete each hand of the simplified game, computed on the device from packed inputs.

A hand is complete if its suits and honours consist of sets, and one of them also has a pair. A table indexed by a
suit's code (two bits a rank) says whether it consists of sets, with or without a pair.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from janshi.core.dtypes import record_dtype
from janshi.features.planes import FLAG, Group, PlaneSet
from janshi.features.simplified.planes import CELLS, HIDDEN, HIDDEN_DTYPE, PLANES, PRIVATE_DTYPE
from janshi.rules.simplified.state import PLAYERS
from janshi.rules.simplified.tiles import COPIES, EAST, NUM_KINDS, RANKS, SUIT_CODES, SUITS

if TYPE_CHECKING:
    import torch

OPEN_DTYPE = record_dtype([("plain", HIDDEN_DTYPE), ("waits", np.uint8, (CELLS,))])
"""A hidden input, and for each kind the bit set of the players whose hand it completes, counted from the viewer."""
OPEN: Final = PlaneSet(
    "simplified",
    "simplified-open-1",
    PLANES.rows,
    PLANES.columns,
    PLANES.num_actions,
    PLANES.view_dtype,
    PRIVATE_DTYPE,
    OPEN_DTYPE,
    PLANES.private,
    (*HIDDEN, Group("waits", "kinds that complete a player's hand", "waits", FLAG, ("own", "next", "before"))),
    None,
)
SETS, SETS_AND_PAIR = 0, 1


@cache
def suit_tables() -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Whether each code of a suit consists of sets, and of sets and a pair, bool[2, codes]."""
    found = np.zeros((2, SUIT_CODES), np.bool_)
    for code in range(SUIT_CODES):
        counts = [code >> 2 * rank & 3 for rank in range(RANKS)]
        found[SETS, code] = _only_sets(counts)
        found[SETS_AND_PAIR, code] = any(_only_sets(_without_pair(counts, rank)) for rank in range(RANKS))
    return found


def _without_pair(counts: list[int], rank: int) -> list[int]:
    return [count - 2 * (i == rank) for i, count in enumerate(counts)]


def _only_sets(counts: list[int]) -> bool:
    """Whether counts are triplets and sequences and nothing else: the lowest tile is in one or the other."""
    if min(counts) < 0:
        return False
    lowest = next((rank for rank, count in enumerate(counts) if count), None)
    if lowest is None:
        return True
    triplet = [count - COPIES * (i == lowest) for i, count in enumerate(counts)]
    run = [count - (lowest <= i < lowest + 3) for i, count in enumerate(counts)]
    return _only_sets(triplet) or (lowest + 3 <= RANKS and _only_sets(run))


def add_waits(private: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
    """Hidden inputs of `OPEN` from plain ones, uint8[m, bytes]."""
    import torch

    hands = _hands(private, hidden)  # (m, players, kinds)
    waits = torch.zeros((len(private), CELLS), dtype=torch.uint8, device=private.device)
    bits = torch.tensor([1 << player for player in range(PLAYERS)], device=private.device)
    waits[:, :NUM_KINDS] = (completing(hands) * bits[None, :, None]).sum(1).to(torch.uint8)
    return torch.cat([hidden, waits], 1)


def _hands(private: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
    """All players' tiles by kind, int64[m, players, kinds]."""
    import torch

    own, others = _offset(PRIVATE_DTYPE, "hand"), _offset(HIDDEN_DTYPE, "hands")
    first, second = (hidden[:, at : at + NUM_KINDS] for at in (others, others + CELLS))
    return torch.stack([private[:, own : own + NUM_KINDS], first >> 4, second & 15], 1).long()


def _offset(dtype: Any, name: str) -> int:
    return int(dtype.fields[name][1])


def completing(hands: torch.Tensor) -> torch.Tensor:
    """Whether a tile of each kind completes each hand, bool of the shape of `hands`, int64[m, players, kinds]."""
    import torch

    tables = torch.from_numpy(suit_tables()).to(hands.device)
    weights = 4 ** torch.arange(RANKS, device=hands.device)
    suits = hands[..., :EAST].reshape(*hands.shape[:2], SUITS, RANKS)
    codes = (suits * weights).sum(-1)  # (m, players, suits)
    more = torch.where(suits < COPIES, codes[..., None] + weights, 1)  # code 1, a single tile, is nothing
    now, then = tables[:, codes], tables[:, more]
    honours = hands[..., EAST:]
    whole, pair = honours % COPIES == 0, honours == 2
    parts = [
        _part(now[:, :, :, 0], then[:, :, :, 0], now[:, :, :, 1], whole, pair),
        _part(now[:, :, :, 1], then[:, :, :, 1], now[:, :, :, 0], whole, pair),
        _honours(now, honours, whole, pair),
    ]
    return torch.cat(parts, -1)


def _part(
    now: torch.Tensor, then: torch.Tensor, other: torch.Tensor, whole: torch.Tensor, pair: torch.Tensor
) -> torch.Tensor:
    """Whether tiles of a suit complete hands, given the `other` suit and the honours."""
    no_pair = whole.all(-1)
    one_pair = (whole[..., 0] & pair[..., 1]) | (whole[..., 1] & pair[..., 0])
    rest_sets = other[SETS] & no_pair
    rest_pair = (other[SETS_AND_PAIR] & no_pair) | (other[SETS] & one_pair)
    return (then[SETS_AND_PAIR] & rest_sets[..., None]) | (then[SETS] & rest_pair[..., None])


def _honours(now: torch.Tensor, honours: torch.Tensor, whole: torch.Tensor, pair: torch.Tensor) -> torch.Tensor:
    """Whether East and Red complete hands, given the suits."""
    sets = now[SETS].all(-1)[..., None]
    with_pair = ((now[SETS, ..., 0] & now[SETS_AND_PAIR, ..., 1]) | (now[SETS_AND_PAIR, ..., 0] & now[SETS, ..., 1]))[
        ..., None
    ]
    other_whole, other_pair = whole.flip(-1), pair.flip(-1)
    becomes_pair, becomes_triplet = honours == 1, honours == 2
    return (becomes_pair & other_whole & sets) | (becomes_triplet & ((other_pair & sets) | (other_whole & with_pair)))
