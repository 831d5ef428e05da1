"""The state of one table of the simplified game: everything, the wall included, as one record.

Seats are absolute (0 begins); bit sets of players have bit `p` for seat `p`. A game is one hand.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core.dtypes import record_dtype
from janshi.rules.simplified.ruleset import Ruleset
from janshi.rules.simplified.shapes import shapes
from janshi.rules.simplified.tiles import NUM_KINDS, NUM_TILES

PLAYERS: Final = 3
MELDS: Final = 3
RIVER: Final = 16
"""Longest river: a player has a third of the 21 draws, a draw more for two calls of others, and own calls."""
NONE: Final = -1
"""No tile, or no player."""

# Phases
NEW, TURN, REACTION, GAME_OVER = range(4)
# Results
NO_RESULT, SELF_DRAW, DISCARD_WIN, EXHAUSTED = range(4)
RESULT_NAMES: Final = ("none", "self-draw", "win on a discard", "draw")
# Types of meld
NO_MELD, CHI_MELD, PONG_MELD, KONG_MELD = range(4)
MELD_NAMES: Final = ("none", "chi", "pong", "kong")
# What the actor may do besides discarding
AFTER_CALL, AFTER_KONG, AFTER_DRAW = range(3)

CALLED_FLAG: Final = 1
"""A discard in a river that was called or won on."""

STATE_DTYPE = record_dtype(
    [
        ("seed", np.uint64),
        ("legal", np.int64, (PLAYERS,)),  # legal actions of each asked player, as bits
        ("code", np.int32, (PLAYERS,)),  # concealed hands, two bits a kind
        ("scores", np.int32, (PLAYERS,)),
        ("decisions", np.int32),  # answers taken since the game began
        ("phase", np.int8),
        ("actor", np.int8),  # whose turn it is, or whose discard is reacted to
        ("asked", np.int8),  # bit set of players who must answer
        ("answers", np.int8, (PLAYERS,)),
        ("moment", np.int8),  # AFTER_CALL, AFTER_KONG or AFTER_DRAW
        ("wall", np.int8, (NUM_TILES,)),  # kinds, dealt and drawn from the end
        ("left", np.int8),  # tiles left to draw: they stand at wall[:left]
        ("hand", np.int8, (PLAYERS, NUM_KINDS)),  # concealed tiles by kind, the drawn tile included
        ("drawn", np.int8),  # the kind the actor has drawn, or NONE
        ("tile", np.int8),  # the discard reacted to, or NONE
        ("melds", np.int8, (PLAYERS,)),
        ("meld_type", np.int8, (PLAYERS, MELDS)),
        ("meld_kind", np.int8, (PLAYERS, MELDS)),  # lowest kind
        ("meld_tile", np.int8, (PLAYERS, MELDS)),  # the called kind, or NONE
        ("meld_from", np.int8, (PLAYERS, MELDS)),  # seat it came from, or NONE
        ("meld_order", np.int8, (PLAYERS, MELDS)),  # discards made by all when it was melded
        ("river", np.int8, (PLAYERS, RIVER)),
        ("river_flags", np.int8, (PLAYERS, RIVER)),
        ("river_order", np.int8, (PLAYERS, RIVER)),  # its number among all discards
        ("discards", np.int8, (PLAYERS,)),  # length of each river
        ("turns", np.int8),  # discards made by all
        ("seen", np.int8, (NUM_KINDS,)),  # tiles everybody sees: rivers and melds
        ("result", np.int8),
        ("winner", np.int8),
        ("payer", np.int8),  # who discarded the winning tile, or NONE
        ("win_kinds", np.int8),  # bit set of scoring hands
        ("win_kongs", np.int8),
        ("win_fan", np.int8),  # all fan, kongs included
    ]
)


class Context(NamedTuple):
    """What kernels are given in addition to the state."""

    rules: Any  # RULES_DTYPE
    shapes: Any  # SHAPES_DTYPE


def new_context(rules: Ruleset) -> tuple[Any, Any]:
    """Make the last two arguments of every kernel that Python calls: rules and tables, read only."""
    return rules.record(), shapes()
