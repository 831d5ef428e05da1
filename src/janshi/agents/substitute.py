"""What is played for a player who gives no usable answer: nothing is called, and the drawn tile is discarded."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.rules.game import Game
from janshi.rules.riichi.actions import TSUMOGIRI

DISCARDS: Final = {"riichi": TSUMOGIRI + 1, "guobiao": 34, "simplified": 14}
"""The first actions of every rule set are its discards; the last is to pass."""


def substitute_answer(game: Game, view: Any) -> int:
    """The substitute's action for a view: pass; else the drawn tile; else (after a call) the last legal discard."""
    views = np.zeros(1, game.view_dtype)
    views[0] = view
    legal = game.masks_of_views(views)[0]
    if legal[-1]:
        return len(legal) - 1
    family = game.id.partition("/")[0]
    drawn = TSUMOGIRI if family == "riichi" else int(views["drawn"][0])
    if drawn >= 0 and legal[drawn]:
        return drawn
    return int(np.flatnonzero(legal[: DISCARDS[family]])[-1])
