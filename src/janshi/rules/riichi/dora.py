"""Kernels that count dora."""

from __future__ import annotations

from typing import Any

from janshi.core._jit import kernel
from janshi.core.tiles import EAST, RANKS, WHITE
from janshi.rules.riichi.concealed import held_in_melds
from janshi.rules.riichi.deal import indicator_kind, ura_kind


@kernel
def dora_of(indicator: int) -> int:
    """The dora an indicator points to: the next rank, wind or dragon in its circle."""
    if indicator < EAST:
        return indicator + 1 if indicator % RANKS < RANKS - 1 else indicator - RANKS + 1
    if indicator < WHITE:
        return EAST + (indicator - EAST + 1) % 4
    return WHITE + (indicator - WHITE + 1) % 3


@kernel
def count_dora(s: Any, player: int, ron_kind: int, ura: bool) -> int:
    """Dora (or ura-dora) in a player's hand and melds; `ron_kind` is a won tile outside the hand, or -1."""
    total = 0
    for i in range(int(s.indicators)):
        kind = dora_of(ura_kind(s, i) if ura else indicator_kind(s, i))
        total += int(s.hand[player, kind]) + held_in_melds(s, player, kind)
        if kind == ron_kind:
            total += 1
    return total


@kernel
def count_reds(s: Any, player: int, ron_tile: int) -> int:
    """Red fives in a player's hand and melds; `ron_tile` is a won tile outside the hand, or -1."""
    held = int(s.reds[player])
    total = (held & 1) + ((held >> 1) & 1) + ((held >> 2) & 1)
    for meld in range(int(s.melds[player])):
        total += 1 if s.meld_red[player, meld] else 0
    if ron_tile >= 34:
        total += 1
    return total
