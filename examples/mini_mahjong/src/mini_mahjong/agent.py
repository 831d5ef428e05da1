"""A player of mini mahjong, named by its module and class: `mini_mahjong.agent.Collector`."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.agents.base import Agent, Asked
from mini_mahjong.game import KINDS, WIN


class Collector(Agent):
    """Wins when it can; else discards the tile that has the fewest neighbours in the hand."""

    name, version, families = "collector", "1", ("mini",)

    def act(self, asked: Asked) -> Any:
        """Answer each decision."""
        hand = asked.views["hand"].astype(np.int64)
        near = np.pad(hand, ((0, 0), (1, 1)))
        company = 2 * hand + near[:, :KINDS] + near[:, 2:]
        value = np.zeros(asked.masks.shape)
        value[:, :KINDS] = -company
        value[:, WIN] = 1
        return np.where(asked.masks, value, -np.inf).argmax(1)
