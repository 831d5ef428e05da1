"""Generalised advantage estimation over hands in which players take turns.

A player's trajectory is the sequence of that player's own decisions in a hand; what happens between two of them is the
environment. Rewards come only at the end. With values V_t of one player's decisions t = 0..T,

    δ_t = γ V_{t+1} - V_t,  δ_T = R - V_T,  A_t = Σ_l (γλ)^l δ_{t+l},  target_t = A_t + V_t.

A value may be a vector over all players (the relative value network): then every part of it is treated so, along the
decisions of the player who was asked, and the first part is that player's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core._jit import kernel
from janshi.rules.game import Array


def advantages(
    values: Array,
    rewards: Array,
    expected: Array | None,
    first: Array,
    players: Array,
    before: Array,
    seats: int,
    gamma: float,
    lam: float,
) -> tuple[Array, Array]:
    """The own players' advantages, float32[k], and the values' targets, float32[k, parts].

    Entries stand hand by hand (from `first[h]` to `first[h + 1]`), each hand from its last decision to its first.
    `rewards`, float32[k, parts], is the hand's result as seen by each entry's player. With `expected` of the same
    shape, a trajectory is cut before the hand's last round: decisions `before` it are rewarded with the expected
    result of the state there, those after it with the true one.
    """
    adv, targets = np.zeros(len(values), np.float32), np.zeros_like(values)
    cut = expected is not None
    sweep(values, rewards, expected if cut else rewards, cut, first, players, before, seats, gamma, lam, adv, targets)
    return adv, targets


@kernel
def sweep(
    values: Any,
    rewards: Any,
    expected: Any,
    cut: bool,
    first: Any,
    players: Any,
    before: Any,
    seats: int,
    gamma: float,
    lam: float,
    adv: Any,
    targets: Any,
) -> None:
    """Go through each hand backwards, with what follows kept for each player."""
    parts = values.shape[1]
    following, running = np.zeros((seats, parts)), np.zeros((seats, parts))
    open_end = np.zeros(seats, np.bool_)
    for hand in range(len(first) - 1):
        open_end[:] = True
        crossed = False
        for i in range(first[hand], first[hand + 1]):
            player = players[i]
            if cut and before[i] and not crossed:
                crossed = True
                open_end[:] = True
            for part in range(parts):
                value = values[i, part]
                if open_end[player]:
                    reward = expected[i, part] if crossed else rewards[i, part]
                    run = reward - value
                else:
                    run = gamma * following[player, part] - value + gamma * lam * running[player, part]
                following[player, part] = value
                running[player, part] = run
                targets[i, part] = run + value
            open_end[player] = False
            adv[i] = running[player, 0]
