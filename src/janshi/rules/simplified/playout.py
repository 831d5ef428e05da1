"""Playing whole games inside the kernels, for Monte Carlo and for speed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from janshi.core._jit import kernel
from janshi.rules.game import Array
from janshi.rules.playouts import play_by_policies
from janshi.rules.simplified.apply import answer
from janshi.rules.simplified.policies import STREAM, choose, fresh_word, policy_number
from janshi.rules.simplified.ruleset import PAPER, Ruleset
from janshi.rules.simplified.state import GAME_OVER, PLAYERS, Context, new_context


@kernel
def play_tables(states: Any, policies: Any, streams: Any, rules: Any, shapes: Any) -> None:
    """Let policies play every table to its end; `policies` int8[n, 3], `streams` uint64[n] are random streams."""
    c = Context(rules[0], shapes[0])
    for i in range(len(states)):
        s = states[i]
        while s.phase != GAME_OVER:
            asked = int(s.asked)
            for player in range(PLAYERS):
                if (asked >> player) & 1:
                    word = fresh_word(streams[i : i + 1])
                    answer(s, player, choose(s, player, int(policies[i, player]), word, c), c)


def playout(
    states: Any,
    policies: Sequence[str] = ("random",) * PLAYERS,
    seed: int = 0,
    *,
    threads: int = 1,
    rules: Ruleset = PAPER,
) -> None:
    """Play started tables to their end, in place, by the named policies of the three seats.

    Each table has its own random stream, so the outcome does not depend on the number of threads.
    """

    def play(tables: Array, numbers: Array, streams: Array) -> None:
        play_tables(tables, numbers, streams, *new_context(rules))

    play_by_policies(states, [policy_number(name) for name in policies], PLAYERS, seed, STREAM, threads, play)
