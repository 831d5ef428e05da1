"""What is played for a player without a valid answer: call nothing, and discard the drawn tile."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.agents.families import AGENTS_LAYER
from janshi.rules.game import Game


def substitute_answer(game: Game, view: Any) -> int:
    """The substitute's action for a view: pass; else the drawn tile; else (after a call) the last legal discard.

    In a game that asks for something else, it is the first legal action.
    """
    views = np.zeros(1, game.view_dtype)
    views[0] = view
    legal = game.masks_of_views(views)[0]
    if legal[-1]:
        return len(legal) - 1
    drawn = AGENTS_LAYER.of(game.family).drawn_discard
    if drawn is None:
        drawn = int(views["drawn"][0])
    if drawn >= 0 and legal[drawn]:
        return drawn
    discards = np.flatnonzero(legal[: game.discards])
    return int(discards[-1] if len(discards) else legal.argmax())
