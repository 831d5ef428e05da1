"""How dangerous a discard is in riichi, from public information.

An opponent's wait is one of the shapes that unseen tiles can still form: two neighbours, a gap, a pair waiting for a
triplet, a single tile. Each shape is weighted by the number of ways to hold it and by how often players keep it. Kinds
that the opponent cannot win on (those in their river, and those passed since their hand last changed) rule out all
shapes that wait for them, which gives suji; kinds with no unseen tile rule out shapes that need them (no-chance and
one-chance). The chance that an opponent waits for a kind is the share of its shapes among all.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.core._jit import kernel
from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.state import PLAYERS, RIICHI_FLAG

TWO_SIDED: Final = 10.0
"""Weight of one way to hold two neighbours that wait on both sides."""
CLOSED: Final = 1.65
EDGE: Final = 2.4
PAIR: Final = 4.0
PAIR_OF_HONOURS: Final = 20.0
SINGLE: Final = 1.2
SINGLE_HONOUR: Final = 12.0


@kernel
def settled_at(v: Any, other: int) -> int:
    """Index of the discard since which a player's hand has not changed: their riichi, else their last."""
    length = int(v.discards[other])
    if v.riichi[other]:
        for i in range(length):
            if v.river_flags[other, i] & RIICHI_FLAG:
                return int(v.river_order[other, i])
    return int(v.river_order[other, length - 1]) if length else int(v.turns)


@kernel
def safe_kinds(v: Any, other: int) -> int:
    """Bit set of the kinds that `other` cannot ron: furiten by their river or by tiles they passed."""
    safe, since = 0, settled_at(v, other)
    for player in range(PLAYERS):
        for i in range(int(v.discards[player])):
            if player == other or int(v.river_order[player, i]) > since:
                safe |= 1 << kind_of(int(v.river[player, i]))
    return safe


@kernel
def count_unseen(v: Any, unseen: Any) -> int:
    """Write how many tiles of each kind the viewer does not see into `unseen`, int64[34]; returns their total."""
    total = 0
    for kind in range(NUM_KINDS):
        unseen[kind] = max(0, COPIES - int(v.seen[kind]) - int(v.hand[kind]))
        total += unseen[kind]
    return total


@kernel
def wait_chances(safe: int, unseen: Any, out: Any) -> None:
    """Write the chance that a tenpai player waits for each kind into `out`, float64[34]."""
    for kind in range(NUM_KINDS):
        out[kind] = 0.0
    total = 0.0
    for first in range(0, EAST, RANKS):
        total += suit_waits(first, safe, unseen, out)
    for kind in range(NUM_KINDS):
        if (safe >> kind) & 1 == 0:
            left = unseen[kind]
            pair = (PAIR if kind < EAST else PAIR_OF_HONOURS) * left * (left - 1) / 2
            single = (SINGLE if kind < EAST else SINGLE_HONOUR) * left
            out[kind] += pair + single
            total += pair / 2 + single
    for kind in range(NUM_KINDS):
        out[kind] /= max(total, 1.0)


@kernel
def suit_waits(first: int, safe: int, unseen: Any, out: Any) -> float:
    """Add the weights of the shapes of two tiles in a suit to the kinds they wait for; returns their sum."""
    total = 0.0
    for rank in range(RANKS - 1):
        kind = first + rank
        low_safe = rank == 0 or (safe >> (kind - 1)) & 1 == 1
        high_safe = rank == RANKS - 2 or (safe >> (kind + 2)) & 1 == 1
        ways = unseen[kind] * unseen[kind + 1]
        if rank == 0 or rank == RANKS - 2:
            if not (low_safe and high_safe):
                out[kind + 2 if rank == 0 else kind - 1] += EDGE * ways
                total += EDGE * ways
        elif not (low_safe or high_safe):
            out[kind - 1] += TWO_SIDED * ways
            out[kind + 2] += TWO_SIDED * ways
            total += TWO_SIDED * ways
        if rank < RANKS - 2 and (safe >> (kind + 1)) & 1 == 0:
            ways = unseen[kind] * unseen[kind + 2]
            out[kind + 1] += CLOSED * ways
            total += CLOSED * ways
    return total
