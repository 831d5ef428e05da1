"""Kernels that check a table against itself: nothing lost, nothing made, every remembered fact still true."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core._jit import kernel
from janshi.core.shanten import shanten
from janshi.core.tiles import COPIES, FIRST_RED, FIVE_M, NUM_KINDS, NUM_TILES, RANKS
from janshi.rules.riichi.concealed import find_waits, in_meld, kind_of, tile_of
from janshi.rules.riichi.deal import DEAD_WALL, REPLACEMENT_PLACES, indicator_kind
from janshi.rules.riichi.ruleset import STICK, Ruleset
from janshi.rules.riichi.state import CALLED_FLAG, PLAYERS, REACTION, Context, new_context
from janshi.rules.riichi.win import CHI

# What `audit` finds
FINE, TILES_LOST, WAITS_WRONG, DISTANCE_WRONG, SEEN_WRONG, POINTS_LOST = range(6)
FINDINGS = (
    "fine",
    "tiles are not conserved",
    "remembered waits are wrong",
    "the bound of shanten is wrong",
    "the count of seen tiles is wrong",
    "points are not conserved",
)


@kernel
def count_tiles(states: Any, red_fives: int, out: Any) -> None:
    """Count the tiles 0..36 of each table wherever they are, int64[n, 37]."""
    for i in range(len(states)):
        count_table(states[i], red_fives, out[i])


@kernel
def count_table(s: Any, red_fives: int, out: Any) -> None:
    """Count the tiles of one table: wall, hands, melds, uncalled discards."""
    out[:] = 0
    for place in range(int(s.next_draw) + 1):
        if not is_taken(s, place):
            out[tile_of(s.wall[place], red_fives)] += 1
    for player in range(PLAYERS):
        count_hand(s, player, out)
        for meld in range(int(s.melds[player])):
            count_meld(s, player, meld, out)
        for i in range(int(s.discards[player])):
            if s.river_flags[player, i] & CALLED_FLAG == 0:
                out[int(s.river[player, i])] += 1


@kernel
def is_taken(s: Any, place: int) -> bool:
    """Whether a place in the dead wall has been drawn as a replacement tile."""
    if place >= DEAD_WALL:
        return False
    for i in range(int(s.replacements)):
        if REPLACEMENT_PLACES[i] == place:
            return True
    return False


@kernel
def count_hand(s: Any, player: int, out: Any) -> None:
    """Add a concealed hand to the count."""
    for kind in range(NUM_KINDS):
        out[kind] += s.hand[player, kind]
    for suit in range(3):
        if (int(s.reds[player]) >> suit) & 1:
            out[FIRST_RED + suit] += 1
            out[FIVE_M + RANKS * suit] -= 1


@kernel
def count_meld(s: Any, player: int, meld: int, out: Any) -> None:
    """Add a meld to the count."""
    first = int(s.meld_kind[player, meld])
    last = first + 2 if s.meld_type[player, meld] == CHI else first
    for kind in range(first, last + 1):
        out[kind] += in_meld(s, player, meld, kind)
    if s.meld_red[player, meld]:
        out[FIRST_RED + first // RANKS] += 1
        out[FIVE_M + RANKS * (first // RANKS)] -= 1


@kernel
def tiles_are_all_there(s: Any, red_fives: int, scratch: Any) -> bool:
    """Whether there are four of each kind, one of them red where the rules say so."""
    count_table(s, red_fives, scratch)
    for tile in range(NUM_TILES):
        expected = COPIES
        if red_fives and tile < 27 and tile % RANKS == FIVE_M:
            expected -= 1
        if tile >= FIRST_RED:
            expected = red_fives
        if scratch[tile] != expected:
            return False
    return True


@kernel
def seen_is_right(s: Any, scratch: Any) -> bool:
    """Whether `seen` counts rivers, melds and indicators."""
    scratch[:] = 0
    for i in range(int(s.indicators)):
        scratch[indicator_kind(s, i)] += 1
    for player in range(PLAYERS):
        for kind in range(NUM_KINDS):
            for meld in range(int(s.melds[player])):
                scratch[kind] += in_meld(s, player, meld, kind)
        for i in range(int(s.discards[player])):
            if s.river_flags[player, i] & CALLED_FLAG == 0:
                scratch[kind_of(int(s.river[player, i]))] += 1
    for kind in range(NUM_KINDS):
        if scratch[kind] != s.seen[kind]:
            return False
    return True


@kernel
def audit(s: Any, c: Context, scratch: Any) -> int:
    """Check a table in play (int64[37] as scratch space); returns FINE or the first finding."""
    if not tiles_are_all_there(s, int(c.rules.red_fives), scratch):
        return TILES_LOST
    if not seen_is_right(s, scratch):
        return SEEN_WRONG
    total = int(s.scores[0]) + int(s.scores[1]) + int(s.scores[2]) + int(s.scores[3]) + STICK * int(s.sticks)
    if total != PLAYERS * int(c.rules.starting_points):
        return POINTS_LOST
    for player in range(PLAYERS):
        if player == s.actor and s.phase != REACTION:
            continue
        if s.waits[player] != find_waits(s, player, c):
            return WAITS_WRONG
        if s.distance[player] > shanten(s.hand[player], int(s.melds[player]), c.tables):
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
    audit_tables(states, np.zeros(NUM_TILES, np.int64), out, *new_context(rules))
    return out
