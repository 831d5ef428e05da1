"""Kernels that say what players may do."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core._jit import kernel
from janshi.rules.simplified.actions import CHI, DISCARD, HU, KONG, PASS, PONG
from janshi.rules.simplified.distance import is_complete
from janshi.rules.simplified.state import AFTER_CALL, AFTER_DRAW, PLAYERS, TURN, Context
from janshi.rules.simplified.tiles import COPIES, EAST, NUM_KINDS, RANKS


@kernel
def ask_actor(s: Any, c: Context) -> None:
    """Ask the player whose turn it is."""
    player = int(s.actor)
    legal = np.int64(0)
    triples = np.int64(0)
    for kind in range(NUM_KINDS):
        held = s.hand[player, kind]
        legal |= np.int64(held > 0) << (DISCARD + kind)
        triples |= np.int64(held == COPIES) << (KONG + kind)
    if s.moment != AFTER_CALL:
        legal |= triples
    if s.moment == AFTER_DRAW and is_complete(int(s.code[player]), c.shapes):
        legal |= np.int64(1) << HU
    s.phase = TURN
    s.legal[player] = legal
    s.asked = 1 << player


@kernel
def ask_others(s: Any, c: Context) -> None:
    """Ask every player who could react to the last discard; nobody may call the final one."""
    kind, actor = int(s.tile), int(s.actor)
    asked = 0
    for step in range(1, PLAYERS):
        player = (actor + step) % PLAYERS
        legal = np.int64(0)
        if s.left > 0:
            legal |= np.int64(s.hand[player, kind] == COPIES - 1) << PONG
            if step == 1:
                legal |= chis(s.hand[player], kind)
        if is_complete(int(s.code[player]) + (1 << (2 * kind)), c.shapes):
            legal |= np.int64(1) << HU
        if legal:
            s.legal[player] = legal | np.int64(1) << PASS
            asked |= 1 << player
    s.asked = asked


@kernel
def chis(hand: Any, kind: int) -> np.int64:
    """The sequences a hand can make with a called tile, as action bits."""
    legal = np.int64(0)
    if kind >= EAST:
        return legal
    rank = kind % RANKS
    below, above = rank > 0 and hand[kind - 1] > 0, rank < RANKS - 1 and hand[kind + 1] > 0
    if above and rank < RANKS - 2 and hand[kind + 2] > 0:
        legal |= np.int64(1) << CHI
    if below and above:
        legal |= np.int64(1) << (CHI + 1)
    if below and rank > 1 and hand[kind - 2] > 0:
        legal |= np.int64(1) << (CHI + 2)
    return legal
