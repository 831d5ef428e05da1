"""Equal tiles are one choice: the drawn one and the one from the hand."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.agents.learned.choice import most_probable
from janshi.rules.riichi.actions import NUM_ACTIONS, PASS, TSUMOGIRI

TILE, OTHER = 4, 20


@pytest.mark.parametrize(
    ("chances", "drawn", "chosen"),
    [
        ({TILE: 0.3, TSUMOGIRI: 0.25, OTHER: 0.45}, TILE, TILE),
        ({TILE: 0.25, TSUMOGIRI: 0.3, OTHER: 0.45}, TILE, TSUMOGIRI),
        ({TILE: 0.2, TSUMOGIRI: 0.2, OTHER: 0.6}, TILE, OTHER),
        ({TILE: 0.3, TSUMOGIRI: 0.25, OTHER: 0.45}, OTHER, OTHER),
        ({TILE: 0.4, PASS: 0.6}, -1, PASS),
    ],
)
def test_most_probable(chances, drawn, chosen):
    table = np.zeros((2, NUM_ACTIONS))
    for action, chance in chances.items():
        table[:, action] = chance
    assert most_probable(table, np.array([drawn, drawn], np.int8)).tolist() == [chosen, chosen]
