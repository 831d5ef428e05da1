"""Returns without luck: a hand's result minus the luck of its random events (RL-5).

A random event i picks one of several outcomes k with known probabilities w_k: a tile from the wall (tiles of the kind
over all tiles left), or an action from a player's policy. For any function U of the position before it, its *luck* is

    L_i = U(g_i)[k_i] - Σ_k w_k U(g_i)[k],        E[L_i | everything before i] = 0,

so the return of a decision t without the luck of later events, R̃_t = R - Σ_{i > t} L_i, has the expectation of R. The
better U forecasts the result, the less R̃ varies. Terms are computed elsewhere (`luck_terms.py`); this module applies
them along the hands.

With a discount γ, a player's return shrinks at each of their decisions except the last, and luck is counted in units
of the player's next decision. Its coefficient is known before the event, so there is no bias.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from janshi.core._jit import kernel
from janshi.learn.slots import Ready
from janshi.rules.game import Array


class Luckless(NamedTuple):
    """Hands without luck: k decisions, d draws, h hands. Seats are absolute, except in `luck`."""

    luck: Array
    """Luck between a decision and the player's next one or the end, float32[k, players], starting with that
    player's."""
    after_draws: Array
    """Returns after each draw without later luck, float32[d, players]: the targets of chance terms."""
    after_actions: Array
    """Returns after each decision without later luck, float32[k, players]: the targets of action terms."""
    start: Array
    """Returns from the start of each hand without any luck, float32[h, players]."""


def without_luck(ready: Ready, scores: Array, draws: Array | None, actions: Array | None, gamma: float) -> Luckless:
    """Subtract the terms of draws, float32[d, players], and of actions, float32[k, players], from hands' `scores`.

    None means no luck of this kind.
    """
    k, d, seats = len(ready), len(ready.draws), scores.shape[1]
    draws = np.zeros((d, seats), np.float32) if draws is None else draws
    actions = np.zeros((k, seats), np.float32) if actions is None else actions
    found = Luckless(*(np.zeros((n, seats), np.float32) for n in (k, d, k, len(scores))))
    for_draws = (ready.draws.first, ready.draws.place, draws)
    follow_hands(ready.first, ready.player, actions, for_draws, scores.astype(np.float32), gamma, found)
    return found


@kernel
def follow_hands(
    first: Any, players: Any, actions: Any, for_draws: Any, scores: Any, gamma: float, found: Luckless
) -> None:
    """Go through each hand backwards, from its result on."""
    draw_first, places, draws = for_draws
    seats = scores.shape[1]
    returns, since = np.zeros(seats, np.float32), np.zeros((seats, seats), np.float32)
    decides_later = np.zeros(seats, np.bool_)
    for hand in range(len(scores)):
        returns[:] = scores[hand]
        since[:] = 0
        decides_later[:] = False
        draw = draw_first[hand]
        for i in range(first[hand], first[hand + 1]):
            while draw < draw_first[hand + 1] and places[draw] <= i - first[hand]:
                found.after_draws[draw] = returns
                take_out(draws[draw], returns, since)
                draw += 1
            player = int(players[i])
            for part in range(seats):
                seat = (player + part) % seats
                found.luck[i, part] = since[player, seat]
                since[player, seat] = 0
            if decides_later[player]:
                returns[player] *= gamma
            decides_later[player] = True
            found.after_actions[i] = returns
            take_out(actions[i], returns, since)
        while draw < draw_first[hand + 1]:
            found.after_draws[draw] = returns
            take_out(draws[draw], returns, since)
            draw += 1
        found.start[hand] = returns


@kernel
def take_out(luck: Any, returns: Any, since: Any) -> None:
    """Subtract an event's luck from all returns, and add it to the luck before each player's next decision."""
    for seat in range(len(luck)):
        returns[seat] -= luck[seat]
        for player in range(len(luck)):
            since[player, seat] += luck[seat]
