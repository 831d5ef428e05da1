"""What the playouts of all rule sets share: a policy for each seat, a random stream for each table, and threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from janshi.core import rng
from janshi.rules.game import Array

Play = Callable[[Array, Array, Array], None]
"""Plays tables on, in place: states, policies int8[n, players] and random streams uint64[n]."""


def play_by_policies(
    states: Array, policies: Sequence[int], players: int, seed: int, stream: int, threads: int, play: Play
) -> None:
    """Let the policies of the seats play every table on, on some threads.

    Each table has its own random stream, hashed from `seed` and `stream`, so the outcome does not depend on the
    number of threads.
    """
    if len(policies) != players:
        raise ValueError(f"a table needs {players} policies, not {len(policies)}")
    numbers = np.tile(np.array(policies, np.int8), (len(states), 1))
    streams = np.array([rng.key(np.uint64(seed % 2**64), i, stream) for i in range(len(states))], np.uint64)
    bounds = np.linspace(0, len(states), threads + 1).astype(int)

    def part(i: int) -> None:
        a, b = bounds[i], bounds[i + 1]
        play(states[a:b], numbers[a:b], streams[a:b])

    if threads == 1:
        part(0)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(part, range(threads)))
