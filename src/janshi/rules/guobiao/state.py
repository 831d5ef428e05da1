"""The state of one table: everything, walls included, as one record of a structured dtype.

A batch of tables is an array of these records. Only the rules' kernels write them. Seats are absolute (0 dealt first);
bit sets of players have bit `p` for seat `p`. Tiles are kinds (0..33); the flowers are 34..41. Fields are signed (but
for the wall and the seed), so that arithmetic on them is the same with the JIT on and off.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core.dtypes import record_dtype
from janshi.core.tables import ShantenTables, tables_array
from janshi.core.tiles import COPIES, NUM_KINDS
from janshi.rules.guobiao.actions import WORDS
from janshi.rules.guobiao.ruleset import RULES_DTYPE, Ruleset
from janshi.rules.guobiao.win import SCORE_DTYPE, WIN_DTYPE

PLAYERS: Final = 4
RIVER: Final = 40
"""Longest river: 21 draws from a player's own wall and four calls; with one wall some more."""
MELDS: Final = 4
FLOWERS: Final = 8
FIRST_FLOWER: Final = NUM_KINDS
PLAIN_TILES: Final = COPIES * NUM_KINDS
ALL_TILES: Final = PLAIN_TILES + FLOWERS
ALL_KINDS: Final = NUM_KINDS + FLOWERS
HAND_TILES: Final = 13

# Phases
NEW, TURN, REACTION, KONG_REACTION, HAND_OVER, GAME_OVER = range(6)

# Results of a hand
NO_RESULT, SELF_DRAWN_WIN, DISCARD_WIN, ROBBED_KONG_WIN, DRAWN_GAME, PENALTY = range(6)

CALLED_FLAG: Final = 1
"""Flag of a discard in a river: another player has it in a meld."""
NONE: Final = -1
"""No tile, or no player."""

STATE_DTYPE = record_dtype(
    [
        # masks first, so that they are aligned
        ("seed", np.uint64),
        ("legal", np.int64, (PLAYERS, WORDS)),  # legal actions of each asked player, 60 a word
        ("waits", np.int64, (PLAYERS,)),  # kinds that complete the concealed hand, with any number of fan
        # the game
        ("scores", np.int32, (PLAYERS,)),
        ("deltas", np.int32, (PLAYERS,)),  # score changes of the last hand
        ("decisions", np.int32),  # answers taken since the game began
        ("win_fan", np.int16),  # fan of the last win, flowers included
        ("answers", np.int16, (PLAYERS,)),
        ("hand_number", np.int8),  # hands finished before this one
        ("dealer", np.int8),
        ("wind", np.int8),  # prevalent wind, 0..3 = E S W N
        ("first_wind", np.int8),  # that of the first hand
        ("phase", np.int8),
        ("actor", np.int8),  # whose turn it is, or whose tile is reacted to
        ("asked", np.int8),  # bit set of players who must answer
        ("stop_after_hand", np.int8),  # one hand only: the game is over after it
        # the walls: seat p's is wall[size * p : size * (p + 1)], or all draw from the first; drawn from the end
        ("wall", np.uint8, (ALL_TILES,)),
        ("wall_size", np.int16),
        ("left", np.int16, (PLAYERS,)),  # tiles left in each wall
        ("own_walls", np.int8),
        # what players hold and show
        ("hand", np.int8, (PLAYERS, NUM_KINDS)),  # concealed tiles by kind, the drawn tile included
        ("flowers", np.int16, (PLAYERS,)),  # bit set of flowers set aside
        ("drawn", np.int8),  # the actor's drawn tile, or NONE
        ("after_kong", np.int8),  # the drawn tile replaced a kong's
        ("tile", np.int8),  # the tile reacted to, or NONE
        ("melds", np.int8, (PLAYERS,)),
        ("meld_type", np.int8, (PLAYERS, MELDS)),
        ("meld_kind", np.int8, (PLAYERS, MELDS)),  # lowest kind
        ("meld_tile", np.int8, (PLAYERS, MELDS)),  # the called tile, or NONE
        ("meld_from", np.int8, (PLAYERS, MELDS)),  # seat it came from, or NONE
        ("river", np.int8, (PLAYERS, RIVER)),  # kinds
        ("river_flags", np.int8, (PLAYERS, RIVER)),
        ("river_order", np.int16, (PLAYERS, RIVER)),  # its number among all discards
        ("discards", np.int8, (PLAYERS,)),  # length of each river
        ("turns", np.int16),  # discards made by all
        ("seen", np.int8, (NUM_KINDS,)),  # tiles everybody sees: passed discards and open melds
        ("distance", np.int8, (PLAYERS,)),  # lower bound of shanten; exact when 0
        # the last hand's result
        ("result", np.int8),
        ("winner", np.int8),  # or NONE
        ("loser", np.int8),  # who discarded the winning tile, was robbed or penalised, or NONE
    ]
)


FRAME_DTYPE = record_dtype([("rules", RULES_DTYPE), ("win", WIN_DTYPE), ("score", SCORE_DTYPE)])
"""The rules and a thread's scratch space for scoring."""


class Context(NamedTuple):
    """What every kernel of the engine is given in addition to the state: records, assembled inside the kernel."""

    rules: Any  # RULES_DTYPE
    tables: ShantenTables
    win: Any  # WIN_DTYPE, scratch
    score: Any  # SCORE_DTYPE, scratch


def new_context(rules: Ruleset) -> tuple[Any, Any]:
    """Make a frame and tables for the given rules: the last two arguments of every kernel that Python calls."""
    frame = np.zeros(1, FRAME_DTYPE)
    frame["rules"] = rules.record()
    return frame, tables_array()
