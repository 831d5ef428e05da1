"""What a match counts of a game that has just ended."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.arena.families import ArenaFamily
from janshi.arena.results import DEAL_INS, DRAWS, HANDS, SELF_DRAWS, WIN_POINTS, WINS
from mini_mahjong.game import GAME_OVER, NONE, PLAYERS


def tally(states: Any, playing: Any, out: Any) -> None:
    """Add to `out`, int32[n, players, counters], what the players did."""
    ended = playing & (states["phase"] == GAME_OVER)
    players = np.arange(PLAYERS)
    won = ended[:, None] & (states["winner"][:, None] == players)
    out[:, :, HANDS] += ended[:, None]
    out[:, :, DRAWS] += (ended & (states["winner"] == NONE))[:, None]
    out[:, :, WINS] += won
    out[:, :, SELF_DRAWS] += won & (states["payer"] == NONE)[:, None]
    out[:, :, DEAL_INS] += ended[:, None] & (states["payer"][:, None] == players)
    out[:, :, WIN_POINTS] += won * states["scores"]


FAMILY = ArenaFamily(tally=tally)
