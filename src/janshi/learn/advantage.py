"""Generalised advantage estimation over hands in which players take turns.

A player's trajectory is the sequence of that player's own decisions in a hand; what happens between two of them is the
environment. Rewards come only at the end. With values V_t of one player's decisions t = 0..T,

    δ_t = γ V_{t+1} - V_t,  δ_T = R - V_T,  A_t = Σ_l (γλ)^l δ_{t+l},  target_t = A_t + V_t.

If the luck between two decisions t and t + 1 is known (`luckless.py`), it is subtracted from V_{t+1}, and the luck
after T from R.

A value may be a vector over all players (the relative value network). Each component is then treated this way, along
the decisions of the player who was asked; the first component is that player's own.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.rules.game import Array

STEP_DTYPE = record_dtype([("advantage", np.float32), ("player", np.int8), ("before", np.bool_)])
"""A decision of a hand: its player, and whether it comes before the point where its reward is cut off."""


class Hands(Protocol):
    """Decisions of hands: those of hand h are `first[h]` to `first[h + 1]`, from its last decision to its first."""

    first: Array  # int32[h + 1]
    player: Array  # int8[k]
    before: Array  # bool[k], whether a decision comes before the hand's last round


def advantages(
    values: Array,
    rewards: Array,
    expected: Array | None,
    hands: Hands,
    seats: int,
    gamma: float,
    lam: float,
    luck: Array | None = None,
) -> tuple[Array, Array]:
    """Advantages for each decision's player, float32[k], and the values' targets, float32[k, parts].

    `rewards`, float32[k, parts], is the hand's result as seen by each decision's player. With `expected` of the same
    shape, a trajectory is cut before the hand's last round: decisions `before` it are rewarded with the expected
    result of the state there, later ones with the true result. `luck`, also of this shape, is the luck between each
    decision and the player's next one, or the end.
    """
    steps = np.zeros(len(values), STEP_DTYPE)
    steps["player"] = hands.player
    if expected is None:
        expected = rewards
    else:
        steps["before"] = hands.before
    targets = np.zeros_like(values)
    luck = np.zeros_like(values) if luck is None else luck
    sweep(steps, hands.first, values, (rewards, expected, luck), seats, (gamma, lam), targets)
    return steps["advantage"].copy(), targets


@kernel
def sweep(steps: Any, first: Any, values: Any, outcomes: Any, seats: int, discounts: Any, targets: Any) -> None:
    """Go through each hand backwards, keeping each player's running sums."""
    gamma, lam = discounts
    rewards, expected, luck = outcomes
    parts = values.shape[1]
    following, running = np.zeros((seats, parts)), np.zeros((seats, parts))
    open_end = np.zeros(seats, np.bool_)
    for hand in range(len(first) - 1):
        open_end[:] = True
        crossed = False
        for i in range(first[hand], first[hand + 1]):
            player = steps[i].player
            if steps[i].before and not crossed:
                crossed = True
                open_end[:] = True
            for part in range(parts):
                value = values[i, part]
                if open_end[player]:
                    reward = expected[i, part] if crossed else rewards[i, part]
                    run = reward - luck[i, part] - value
                else:
                    run = (
                        gamma * (following[player, part] - luck[i, part]) - value + gamma * lam * running[player, part]
                    )
                following[player, part] = value
                running[player, part] = run
                targets[i, part] = run + value
            open_end[player] = False
            steps[i].advantage = running[player, 0]
