"""The value function's network in NumPy: rows of numbers in, chances of a hand's ends out.

A trunk reads the table once, and one layer combines it with each possible tile, so a single pass gives the value after
every possible draw. The outputs are who wins, from whom and how much, and who is tenpai when the wall runs out. The
worth of these ends is looked up (`agents.worths`), so the network need not learn what points mean.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from janshi.agents.worths import AMOUNT, DRAWN, DRAWS, OUTPUTS, SETS, TENPAI, TURNED, WHO, Worths
from janshi.luck.features import TILE, WIDTH
from janshi.luck.types import MEASURES, Array
from janshi.models.amounts import AMOUNTS
from janshi.rules.riichi.state import PLAYERS


class Weights(NamedTuple):
    """Arrays of a network, float32; matrices are [inputs, outputs]."""

    first: Any  # [WIDTH, wide]
    first_bias: Any
    second: Any  # [wide, deep]
    second_bias: Any
    join: Any  # [deep, joint]
    join_bias: Any
    tile: Any  # [TILE, joint]
    out: Any  # [joint, OUTPUTS]
    out_bias: Any


def shapes(wide: int, deep: int, joint: int) -> dict[str, tuple[int, ...]]:
    """The shape of each array of a network with these widths."""
    return {
        "first": (WIDTH, wide),
        "first_bias": (wide,),
        "second": (wide, deep),
        "second_bias": (deep,),
        "join": (deep, joint),
        "join_bias": (joint,),
        "tile": (TILE, joint),
        "out": (joint, OUTPUTS),
        "out_bias": (OUTPUTS,),
    }


def trunk(w: Weights, rows: Array) -> Array:
    """Hidden layer for tables, float32[n, joint], before a tile is added."""
    hidden = np.maximum(rows @ w.first + w.first_bias, 0)
    hidden = np.maximum(hidden @ w.second + w.second_bias, 0)
    return np.asarray(hidden @ w.join + w.join_bias)


def logits(w: Weights, joined: Array, tiles: Array | None) -> Array:
    """Outputs: of tables without a tile [n, OUTPUTS], or with each of some tiles [n, t, OUTPUTS]."""
    if tiles is None:
        return np.asarray(np.maximum(joined, 0) @ w.out + w.out_bias)
    n, t, _ = tiles.shape
    hidden = (tiles.reshape(n * t, -1) @ w.tile).reshape(n, t, -1)
    hidden += joined[:, None]
    np.maximum(hidden, 0, out=hidden)
    return np.asarray((hidden.reshape(n * t, -1) @ w.out + w.out_bias).reshape(n, t, -1))


def softmax(x: Array) -> Array:
    """Probabilities from logits, over the last axis."""
    x = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(x / x.sum(-1, keepdims=True))


def values(out: Array, player: Array, worth: Worths, standing: Array) -> Array:
    """Values from outputs [n, t, OUTPUTS] relative to seats `player`: float32[n, t, measures, 4] by absolute seat."""
    n, t, _ = out.shape
    m = len(MEASURES) * PLAYERS
    who = softmax(out[:, :, WHO])
    amounts = softmax(out[:, :, AMOUNT].reshape(n, t, PLAYERS, AMOUNTS))
    tenpai = 1.0 / (1.0 + np.exp(-out[:, :, TENPAI]))
    total = np.zeros((n, t, m), np.float32)
    turned = TURNED[player]
    for one in range(PLAYERS):
        winner = turned[:, one]
        table = worth.wins[standing, winner].reshape(n, PLAYERS, AMOUNTS, m)
        for other in range(PLAYERS):
            of_loser = table[np.arange(n), turned[:, other]]
            total += who[:, :, PLAYERS * one + other, None] * np.matmul(amounts[:, :, one], of_loser)
    by_seat = np.zeros((n, t, PLAYERS), np.float32)
    np.put_along_axis(by_seat, np.broadcast_to(turned[:, None], by_seat.shape), tenpai, 2)
    sets = np.ones((n, t, DRAWS), np.float32)
    for seat in range(PLAYERS):
        chance = by_seat[:, :, seat, None]
        sets *= SETS[:, seat] * chance + (1 - SETS[:, seat]) * (1 - chance)
    drawn = np.matmul(sets, worth.draws[standing].reshape(n, DRAWS, m))
    total += who[:, :, DRAWN, None] * drawn
    return total.reshape(n, t, len(MEASURES), PLAYERS)
