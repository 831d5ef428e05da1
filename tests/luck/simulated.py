"""Scored games whose truth is known: luck of every event has mean zero whatever came before, and ranks follow from it.

A player's standing at the end is skill, plus what the events brought, plus what no event tells. Ranks are the order of
standings. Told luck is a share of what the events brought, so that it goes with the result without being all of it.
"""

from __future__ import annotations

import numpy as np

from janshi.luck.types import DEAL, DORA, DRAW, EVENT_DTYPE, KAN_DORA, URA, ScoredGames

HANDS = 4
DRAWS = 10
SPREAD = {DEAL: 0.35, DORA: 0.1, DRAW: 0.12, KAN_DORA: 0.1, URA: 0.2}
"""How much one event of each kind may bring."""
TOLD = 0.45
"""Places per unit of standing."""
A_PLACE = 8000
"""Points per place."""


def simulate(
    games: int,
    rng: np.random.Generator,
    skill: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0),
    names: tuple[str, ...] = ("ann", "bob", "cid", "dee"),
    told: float = TOLD,
) -> ScoredGames:
    """Games of HANDS hands; ann sits at seat `game % 4` and the others after her."""
    kinds = np.array([DEAL, DORA, *[DRAW] * DRAWS, KAN_DORA, URA])
    each = len(kinds)
    rows = games * HANDS * each
    events = np.zeros(rows, EVENT_DTYPE)
    events["hand"] = np.repeat(np.arange(games * HANDS), each)
    events["kind"] = np.tile(kinds, games * HANDS)
    place = np.tile(np.arange(each), games * HANDS)
    events["player"] = np.where(events["kind"] == DRAW, place % 4, -1)
    events["tile"] = np.where(events["kind"] == DEAL, -1, rng.integers(0, 37, rows))
    events["turn"] = np.maximum(place - 2, 0)
    events["left"] = 70 - events["turn"]
    brought = rng.choice([-1.0, 1.0], (rows, 4)) * np.array([SPREAD[k] for k in range(5)])[events["kind"]][:, None]
    brought -= brought.mean(1, keepdims=True)
    events["luck"][:, 0] = told * brought
    events["luck"][:, 1] = told * A_PLACE * brought
    turn = np.arange(games) % 4
    seats = (np.arange(4)[None, :] - turn[:, None]) % 4  # who sits at each seat
    standing = brought.reshape(games, HANDS * each, 4).sum(1) + np.array(skill)[seats] + rng.normal(0, 0.5, (games, 4))
    ranks = 1 + (standing[:, None, :] > standing[:, :, None]).sum(2)
    scores = np.rint((25000 + A_PLACE * (2.5 - ranks)) / 100).astype(np.int32) * 100
    hands = games * HANDS
    gains = np.zeros((hands, 2, 4))
    gains[HANDS - 1 :: HANDS, 0] = 2.5 - ranks
    gains[HANDS - 1 :: HANDS, 1] = scores - 25000
    return ScoredGames(
        events=events,
        first=np.arange(hands + 1, dtype=np.int64) * each,
        game=np.repeat(np.arange(games, dtype=np.int32), HANDS),
        kyoku=np.tile(np.arange(HANDS, dtype=np.int8), games),
        honba=np.zeros(hands, np.int8),
        gains=gains,
        ranks=ranks.astype(np.float32),
        scores=scores,
        start=np.full((games, 4), 25000, np.int32),
        names=[tuple(names[who] for who in row) for row in seats],
        sources=[f"game{i}.mjlog" for i in range(games)],
        value="simulated",
    )
