"""Kernels that list inputs derived from the others: shanten and useful tiles of the hand, suji and walls."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.shanten import FIRST_P, FIRST_S, count_bits, honour_key, shanten, suit_key
from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS
from janshi.core.ukeire import ukeire_discards, useful_mask
from janshi.features.riichi import layout as at
from janshi.features.riichi.channels import part_of, question, tile
from janshi.rules.riichi.state import PLAYERS

USEFUL_ENDS: Final = np.array([4, 8, 12, 16, 24, 32], np.int64)


@kernel
def list_efficiency(v: Any, t: Any, notes: Any, out: Any, n: int) -> int:
    """Shanten, useful tiles and waits of the viewer's hand."""
    melds, tiles = int(v.melds[0]), 0
    for kind in range(NUM_KINDS):
        tiles += int(notes.hand[kind])
    if tiles % 3 == 2:
        best = ukeire_discards(notes.hand, melds, notes.visible, t, notes.shanten, notes.useful)
        for kind in range(NUM_KINDS):
            if notes.hand[kind] and notes.shanten[kind] == best:
                n = tile(out, n, kind, at.SHANTEN_KEPT)
                n = tile(out, n, kind, at.USEFUL_AFTER + part_of(int(notes.useful[kind]), USEFUL_ENDS))
    else:
        best = shanten(notes.hand, melds, t)
        useful = useful_mask(
            suit_key(notes.hand, 0),
            suit_key(notes.hand, FIRST_P),
            suit_key(notes.hand, FIRST_S),
            honour_key(notes.hand),
            melds,
            best,
            t,
        )
        for kind in range(NUM_KINDS):
            if (useful >> kind) & 1:
                n = tile(out, n, kind, at.USEFUL)
    waits = int(v.waits)
    for kind in range(NUM_KINDS):
        if (waits >> kind) & 1:
            n = tile(out, n, kind, at.WAIT)
    n = question(out, n, at.SHANTEN + min(max(best + 1, 0), 7))
    return question(out, n, at.WAITS + min(count_bits(waits), 6))


@kernel
def list_danger(v: Any, notes: Any, out: Any, n: int) -> int:
    """Suji of each opponent, and kinds that can no longer be part of a two-sided wait."""
    for kind in range(EAST):
        rank = kind % RANKS
        blocked = int(rank < 3 or is_walled(notes, kind, -1)) + int(rank > 5 or is_walled(notes, kind, 1))
        walls = int(rank >= 3 and is_walled(notes, kind, -1)) + int(rank <= 5 and is_walled(notes, kind, 1))
        if walls:
            n = tile(out, n, kind, at.NO_CHANCE + int(blocked == 2))
        for player in range(1, PLAYERS):
            n = list_suji(int(notes.safe[player]), kind, rank, player, out, n)
    return n


@kernel
def is_walled(notes: Any, kind: int, side: int) -> bool:
    """Whether all tiles of one of the two neighbouring kinds on one side have been seen."""
    near, far = kind + side, kind + 2 * side
    return bool(notes.visible[near] >= COPIES or notes.visible[far] >= COPIES)


@kernel
def list_suji(safe: int, kind: int, rank: int, player: int, out: Any, n: int) -> int:
    """Whether the kinds three ranks away are safe, on one side or on all sides."""
    sides = int(rank >= 3) + int(rank <= 5)
    found = int(rank >= 3 and (safe >> (kind - 3)) & 1) + int(rank <= 5 and (safe >> (kind + 3)) & 1)
    if found:
        n = tile(out, n, kind, at.SUJI + (player - 1) * 2 + int(found == sides))
    return n
