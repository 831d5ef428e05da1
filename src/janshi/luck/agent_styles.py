"""Agents' styles: agents play very differently, so a value function for them may be given who sits where.

A style is a number, 0 for unknown players. Each table row gets one input per style and player, in turn order.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from janshi.agents.worths import TURNED
from janshi.luck.features import WIDTH
from janshi.luck.games import PlayedGames
from janshi.luck.types import Array
from janshi.rules.riichi.state import PLAYERS

STYLES: Final = ("", "careful", "greedy", "one_player")
"""Agents with a style, by name."""
KNOWN: Final = len(STYLES) - 1
STYLED_WIDTH: Final = WIDTH + PLAYERS * KNOWN
_ONE_HOT: Final = np.eye(len(STYLES), dtype=np.float32)[:, 1:]


def style_of(label: str) -> int:
    """The style of an agent by its label; options do not matter."""
    name = label.partition(":")[0]
    return STYLES.index(name) if name in STYLES else 0


def styles_of(games: PlayedGames) -> Array:
    """The style of each player of each hand, int8[hands, 4]."""
    by_game = np.array([[style_of(name) for name in names] for names in games.names], np.int8).reshape(-1, PLAYERS)
    return by_game[games.game]


def with_styles(rows: Array, styles: Array, player: Array) -> Array:
    """Rows of tables [n, ..., WIDTH] with the styles (int8[n, 4] by seat) of the players in turn order."""
    columns = _ONE_HOT[np.take_along_axis(styles, TURNED[player], 1)].reshape(len(rows), -1)
    if rows.ndim == 3:
        columns = np.repeat(columns[:, None], rows.shape[1], axis=1)
    return np.concatenate([rows, columns], -1)
