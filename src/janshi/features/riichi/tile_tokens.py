"""Kernels that list the inputs of the tile tokens: the hand, rivers and melds."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.melds import CHI, OPEN_KAN, PON
from janshi.core.tiles import COPIES, EAST, FIRST_RED, NUM_KINDS, RANKS
from janshi.features.riichi import layout as at
from janshi.features.riichi.channels import part_of, tile
from janshi.features.riichi.notes import may, wind_of
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import in_meld, kind_of
from janshi.rules.riichi.state import CALLED_FLAG, INDICATORS, NONE, PLAYERS, RIICHI_FLAG, TSUMOGIRI_FLAG, TURN

AGE_ENDS: Final = np.array([1, 4, 8, 16], np.int64)


@kernel
def list_hand(v: Any, notes: Any, out: Any, n: int) -> int:
    """The viewer's hand, unseen tiles, dora, winds and the tile in question."""
    for kind in range(NUM_KINDS):
        held = int(v.hand[kind])
        if held:
            n = tile(out, n, kind, at.HAND + min(held, COPIES) - 1)
        if held and may(v, act.DISCARD + kind):
            n = tile(out, n, kind, at.MAY_DISCARD)
        n = tile(out, n, kind, at.UNSEEN + COPIES - int(notes.visible[kind]))
        if notes.dora[kind]:
            n = tile(out, n, kind, at.DORA + min(int(notes.dora[kind]), 3) - 1)
    for suit in range(3):
        if (int(v.reds) >> suit) & 1:
            n = tile(out, n, kind_of(FIRST_RED + suit), at.HAND_RED)
    if v.drawn != NONE:
        n = tile(out, n, kind_of(int(v.drawn)), at.DRAWN + int(v.drawn >= FIRST_RED))
    for i in range(INDICATORS):
        if v.indicators[i] != NONE:
            n = tile(out, n, kind_of(int(v.indicators[i])), at.INDICATOR)
    for player in range(PLAYERS):
        n = tile(out, n, EAST + wind_of(v, player), at.SEAT_WIND + player)
    n = tile(out, n, EAST + round_wind(v), at.ROUND_WIND)
    if v.phase != TURN and v.tile != NONE:
        channel = at.CALLABLE + int(v.actor) * 2 + int(v.tile >= FIRST_RED)
        n = tile(out, n, kind_of(int(v.tile)), channel)
    return n


@kernel
def round_wind(v: Any) -> int:
    """The wind of the round, 0 East."""
    return (int(v.kyoku) // PLAYERS) % PLAYERS


@kernel
def list_rivers(v: Any, notes: Any, out: Any, n: int) -> int:
    """All discards in order, and safe tiles."""
    for player in range(PLAYERS):
        length = int(v.discards[player])
        for i in range(length):
            n = list_discard(v, player, i, out, n)
        if length:
            n = tile(out, n, kind_of(int(v.river[player, length - 1])), at.LAST + player)
        if player > 0:
            n = list_safe(int(notes.safe[player]), int(notes.passed[player]), player - 1, out, n)
    return n


@kernel
def list_safe(safe: int, passed: int, opponent: int, out: Any, n: int) -> int:
    """Kinds an opponent cannot win on, and others let go since they last changed their hand."""
    for kind in range(NUM_KINDS):
        if (safe >> kind) & 1:
            n = tile(out, n, kind, at.SAFE + opponent)
        elif (passed >> kind) & 1:
            n = tile(out, n, kind, at.PASSED + opponent)
    return n


@kernel
def list_discard(v: Any, player: int, i: int, out: Any, n: int) -> int:
    """One discard."""
    discarded, flags = int(v.river[player, i]), int(v.river_flags[player, i])
    kind, turn = kind_of(discarded), min(i, at.TURNS - 1)
    drawn = int(flags & TSUMOGIRI_FLAG != 0)
    n = tile(out, n, kind, at.RIVER + (player * 2 + drawn) * at.TURNS + turn)
    if flags & RIICHI_FLAG:
        n = tile(out, n, kind, at.RIICHI_TILE + player)
    if flags & CALLED_FLAG:
        n = tile(out, n, kind, at.CALLED + player)
    if discarded >= FIRST_RED:
        n = tile(out, n, kind, at.RIVER_RED + player)
    age = int(v.turns) - int(v.river_order[player, i])
    return tile(out, n, kind, at.AGE + player * at.AGES + part_of(age - 1, AGE_ENDS))


@kernel
def list_melds(v: Any, out: Any, n: int) -> int:
    """All melds."""
    for player in range(PLAYERS):
        for kind in range(NUM_KINDS):
            chis = chis_with(v, player, kind)
            if chis:
                n = tile(out, n, kind, at.CHI + player * 2 + min(chis, 2) - 1)
        for i in range(int(v.melds[player])):
            n = list_meld(v, player, i, out, n)
    return n


@kernel
def chis_with(v: Any, player: int, kind: int) -> int:
    """Number of a player's chis that contain a kind."""
    found = 0
    for i in range(int(v.melds[player])):
        if v.meld_type[player, i] == CHI:
            found += in_meld(v, player, i, kind)
    return found


@kernel
def list_meld(v: Any, player: int, i: int, out: Any, n: int) -> int:
    """One meld except the tiles of a chi: its type, called tile, source, time and red five."""
    type, kind = int(v.meld_type[player, i]), int(v.meld_kind[player, i])
    if type == PON:
        n = tile(out, n, kind, at.PON + player)
    elif type != CHI:
        n = tile(out, n, kind, at.KAN + player * 3 + type - OPEN_KAN)
    called = kind_of(int(v.meld_tile[player, i])) if v.meld_tile[player, i] != NONE else kind
    if v.meld_from[player, i] != NONE:
        n = tile(out, n, called, at.CALLED_TILE + player * PLAYERS + int(v.meld_from[player, i]))
    n = tile(out, n, called, at.CALLED_AT + player * 4 + min(int(v.meld_order[player, i]) // 16, 3))
    if v.meld_red[player, i]:
        n = tile(out, n, red_kind(type, kind), at.MELD_RED + player)
    return n


@kernel
def red_kind(type: int, kind: int) -> int:
    """The five in a meld that holds a red one."""
    return kind // RANKS * RANKS + 4 if type == CHI else kind
