"""The state of one table: everything, walls included, as one record of a structured dtype.

A batch of tables is an array of these records. Only the rules' kernels write them. Seats are absolute (0 dealt first);
bit sets of players have bit `p` for seat `p`; bit sets of kinds have bit `k` for kind `k`. Fields are signed (but for
the wall and the seed), so that arithmetic on them is the same with the JIT on and off.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core.dtypes import record_dtype
from janshi.core.tables import ShantenTables, tables_array
from janshi.core.tiles import NUM_IDS, NUM_KINDS
from janshi.rules.riichi.ruleset import RULES_DTYPE, Ruleset
from janshi.rules.riichi.win import SCORE_DTYPE, WIN_DTYPE

PLAYERS: Final = 4
RIVER: Final = 32
"""Longest river: a player has at most 28 discards however the others call."""
MELDS: Final = 4
INDICATORS: Final = 5

# Phases
NEW, TURN, REACTION, KAN_REACTION, HAND_OVER, GAME_OVER = range(6)

# Results of a hand
(
    NO_RESULT,
    TSUMO_WIN,
    RON_WIN,
    EXHAUSTIVE_DRAW,
    NAGASHI_MANGAN,
    NINE_TERMINALS_DRAW,
    FOUR_WINDS_DRAW,
    FOUR_RIICHI_DRAW,
    FOUR_KANS_DRAW,
    TRIPLE_RON_DRAW,
) = range(10)

# Flags of a discard in a river
TSUMOGIRI_FLAG, RIICHI_FLAG, CALLED_FLAG = 1, 2, 4

# Liability (pao) by yakuman
LIABLE_DRAGONS, LIABLE_WINDS, LIABLE_KANS = 0, 1, 2
NONE: Final = -1
"""No tile, or no player."""

STATE_DTYPE = record_dtype(
    [
        # masks first, so that they are aligned
        ("seed", np.uint64),
        ("legal", np.int64, (PLAYERS, 2)),  # legal actions of each asked player, 60 a word
        ("waits", np.int64, (PLAYERS,)),  # kinds that complete the concealed hand
        ("discarded", np.int64, (PLAYERS,)),  # kinds a player has discarded this hand
        ("banned", np.int64),  # kinds the actor may not discard after a call (swap ban)
        ("win_yaku", np.int64, (PLAYERS,)),
        # the game
        ("scores", np.int32, (PLAYERS,)),
        ("deltas", np.int32, (PLAYERS,)),  # score changes of the last hand, riichi sticks included
        ("win_points", np.int32, (PLAYERS,)),  # value of a win without honba and sticks
        ("decisions", np.int32),  # answers taken since the game began
        ("hands", np.int16),  # hands begun
        ("next_draw", np.int16),  # place in the wall of the next live tile
        ("kyoku", np.int8),  # 0 = East 1, 4 = South 1, 8 = West 1; dealer is round % 4
        ("honba", np.int8),
        ("sticks", np.int8),  # riichi sticks on the table
        ("phase", np.int8),
        ("actor", np.int8),  # whose turn it is, or whose tile is reacted to
        ("asked", np.int8),  # bit set of players who must answer
        ("answers", np.int8, (PLAYERS,)),
        ("stop_after_hand", np.int8),  # one hand only: the game is over after it
        # the wall, as Tenhou lays it out: the dead wall first, draws from the end
        ("wall", np.uint8, (NUM_IDS,)),
        ("left", np.int8),  # live tiles left
        ("replacements", np.int8),  # tiles taken after kans
        ("indicators", np.int8),  # dora indicators shown
        ("pending_dora", np.int8),  # indicators to be turned at the next discard
        # what players hold and show
        ("hand", np.int8, (PLAYERS, NUM_KINDS)),  # concealed tiles by kind, the drawn tile included
        ("reds", np.int8, (PLAYERS,)),  # bit set of red fives (m, p, s) among them
        ("drawn", np.int8),  # the actor's drawn tile, or NONE
        ("from_dead_wall", np.int8),  # the drawn tile replaced a kan's
        ("tile", np.int8),  # the tile reacted to
        ("melds", np.int8, (PLAYERS,)),
        ("meld_type", np.int8, (PLAYERS, MELDS)),
        ("meld_kind", np.int8, (PLAYERS, MELDS)),  # lowest kind
        ("meld_tile", np.int8, (PLAYERS, MELDS)),  # the called tile, or NONE
        ("meld_from", np.int8, (PLAYERS, MELDS)),  # seat it came from, or NONE
        ("meld_red", np.int8, (PLAYERS, MELDS)),  # 1 if the meld holds a red five, 2 if it was added to a pon
        ("meld_order", np.int8, (PLAYERS, MELDS)),  # discards made by all when it was melded
        ("open_melds", np.int8, (PLAYERS,)),
        ("kans", np.int8, (PLAYERS,)),
        ("river", np.int8, (PLAYERS, RIVER)),  # tiles
        ("river_flags", np.int8, (PLAYERS, RIVER)),
        ("river_order", np.int8, (PLAYERS, RIVER)),  # its number among all discards
        ("discards", np.int8, (PLAYERS,)),  # length of each river
        ("turns", np.int8),  # discards made by all
        ("seen", np.int8, (NUM_KINDS,)),  # tiles everybody sees: rivers, melds, indicators
        # conditions
        ("distance", np.int8, (PLAYERS,)),  # lower bound of shanten; exact when at most 1
        ("riichi", np.int8, (PLAYERS,)),  # 0 none, 1 riichi, 2 double riichi
        ("declaring", np.int8),  # the actor has said riichi and must discard
        ("stick_due", np.int8),  # the last discard declared riichi; its stick is not yet paid
        ("ippatsu", np.int8, (PLAYERS,)),
        ("first_turn", np.int8, (PLAYERS,)),  # no discard yet and no call by anyone
        ("passed", np.int8, (PLAYERS,)),  # temporary furiten (1), riichi furiten (2)
        ("liable", np.int8, (PLAYERS, 3)),  # who is liable for a player's yakuman, or NONE
        ("kan_type", np.int8),  # the kan being declared in KAN_REACTION
        # the last hand's result
        ("result", np.int8),
        ("winners", np.int8),
        ("tenpai", np.int8),  # who was tenpai at an exhaustive draw; nagashi players in `winners`
        ("dealer_stays", np.int8),
        ("win_han", np.int8, (PLAYERS,)),
        ("win_fu", np.int8, (PLAYERS,)),
        ("win_yakuman", np.int8, (PLAYERS,)),
        ("win_sticks", np.int8),  # riichi sticks the first winner took
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
    """Make a frame and tables for the given rules: the last two arguments of every kernel that Python calls.

    Numba takes arrays from Python fastest; the kernel makes its `Context` from them.
    """
    frame = np.zeros(1, FRAME_DTYPE)
    frame["rules"] = rules.record()
    return frame, tables_array()
