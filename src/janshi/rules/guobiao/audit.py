"""Kernels that check a table against itself: nothing lost, nothing made, every remembered fact still true."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core._jit import kernel
from janshi.core.melds import CHI, CONCEALED_KAN, PON
from janshi.core.tiles import COPIES, NUM_KINDS
from janshi.rules.guobiao.concealed import find_waits, nearest
from janshi.rules.guobiao.ruleset import Ruleset
from janshi.rules.guobiao.state import (
    ALL_KINDS,
    CALLED_FLAG,
    DISCARD_WIN,
    FIRST_FLOWER,
    FLOWERS,
    HAND_OVER,
    PLAYERS,
    REACTION,
    Context,
    new_context,
)

# What `audit` finds
FINE, TILES_LOST, SEEN_WRONG, POINTS_LOST, WAITS_WRONG, DISTANCE_WRONG, SIZE_WRONG = range(7)
FINDINGS = (
    "fine",
    "tiles are not conserved",
    "the count of seen tiles is wrong",
    "points are not conserved",
    "remembered waits are wrong",
    "a hand that waits is taken to be farther",
    "a hand has too many or too few tiles",
)


@kernel
def count_tiles(states: Any, out: Any) -> None:
    """Count the tiles 0..41 of each table wherever they are, int64[n, 42]."""
    for i in range(len(states)):
        count_table(states[i], out[i])


@kernel
def count_table(s: Any, out: Any) -> None:
    """Count the tiles of one table: walls, hands, melds, flowers, uncalled discards."""
    out[:] = 0
    for wall in range(PLAYERS):
        for i in range(int(s.left[wall])):
            out[int(s.wall[int(s.wall_size) * wall + i])] += 1
    for player in range(PLAYERS):
        for kind in range(NUM_KINDS):
            out[kind] += s.hand[player, kind]
        for flower in range(FLOWERS):
            out[FIRST_FLOWER + flower] += (int(s.flowers[player]) >> flower) & 1
        count_melds(s, player, True, out)
        for i in range(int(s.discards[player])):
            if s.river_flags[player, i] & CALLED_FLAG == 0:
                out[int(s.river[player, i])] += 1


@kernel
def count_melds(s: Any, player: int, concealed: bool, out: Any) -> None:
    """Add a player's melds to the count, concealed kongs only if asked for."""
    for meld in range(int(s.melds[player])):
        first, meld_type = int(s.meld_kind[player, meld]), int(s.meld_type[player, meld])
        if meld_type == CHI:
            for kind in range(first, first + 3):
                out[kind] += 1
        elif meld_type != CONCEALED_KAN or concealed:
            out[first] += 3 if meld_type == PON else COPIES


@kernel
def tiles_are_all_there(s: Any, flowers: int, scratch: Any) -> bool:
    """Whether there are four of each kind, and each flower where the rules have them."""
    count_table(s, scratch)
    for tile in range(ALL_KINDS):
        if scratch[tile] != (COPIES if tile < FIRST_FLOWER else flowers):
            return False
    return True


@kernel
def seen_is_right(s: Any, scratch: Any) -> bool:
    """Whether `seen` counts the passed discards and open melds."""
    scratch[:] = 0
    for player in range(PLAYERS):
        count_melds(s, player, False, scratch)
        for i in range(int(s.discards[player])):
            if s.river_flags[player, i] & CALLED_FLAG == 0:
                scratch[int(s.river[player, i])] += 1
    if s.phase == REACTION or (s.phase == HAND_OVER and s.result == DISCARD_WIN):
        scratch[int(s.tile)] -= 1
    for kind in range(NUM_KINDS):
        if scratch[kind] != s.seen[kind]:
            return False
    return True


@kernel
def held(s: Any, player: int) -> int:
    """How many tiles a player has, each meld counted as three."""
    count = 3 * int(s.melds[player])
    for kind in range(NUM_KINDS):
        count += int(s.hand[player, kind])
    return count


@kernel
def audit(s: Any, c: Context, scratch: Any) -> int:
    """Check a table in play (int64[42] as scratch space); returns FINE or the first finding."""
    if not tiles_are_all_there(s, int(c.rules.flowers), scratch):
        return TILES_LOST
    if s.phase < HAND_OVER and not seen_is_right(s, scratch):
        return SEEN_WRONG
    if int(s.scores[0]) + int(s.scores[1]) + int(s.scores[2]) + int(s.scores[3]) != 0:
        return POINTS_LOST
    if s.phase >= HAND_OVER:
        return FINE
    for player in range(PLAYERS):
        acting = player == s.actor and s.phase != REACTION
        if held(s, player) != (14 if acting else 13):
            return SIZE_WRONG
        if acting:
            continue
        if s.waits[player] != find_waits(s.hand[player], int(s.melds[player]), c):
            return WAITS_WRONG
        if s.distance[player] > 0 and nearest(s.hand[player], int(s.melds[player]), c) <= 0:
            return DISTANCE_WRONG
    return FINE


@kernel
def audit_tables(states: Any, scratch: Any, out: Any, frame: Any, tables: Any) -> None:
    """Audit every table, int8[n]."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    for i in range(len(states)):
        out[i] = audit(states[i], c, scratch)


def audit_all(states: Any, rules: Ruleset) -> Any:
    """Audit every table; the findings, int8[n], are 0 where all is fine (see FINDINGS)."""
    out = np.zeros(len(states), np.int8)
    audit_tables(states, np.zeros(ALL_KINDS, np.int64), out, *new_context(rules))
    return out
