"""Playing whole hands and games inside the kernels, for Monte Carlo and for speed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from janshi.core._jit import kernel
from janshi.rules.game import Array
from janshi.rules.guobiao.apply import answer
from janshi.rules.guobiao.ending import next_hand, start_hand
from janshi.rules.guobiao.policies import STREAM, choose, fresh_word, policy_number
from janshi.rules.guobiao.ruleset import BOTZONE, Ruleset
from janshi.rules.guobiao.state import GAME_OVER, HAND_OVER, NEW, PLAYERS, Context, new_context
from janshi.rules.playouts import play_by_policies


@kernel
def play_on(s: Any, policies: Any, whole_game: bool, stream: Any, c: Context) -> None:
    """Let policies play a table to the end of its hand or game."""
    if s.phase == NEW:
        start_hand(s, c)
    while s.phase != GAME_OVER:
        if s.phase == HAND_OVER:
            if not whole_game:
                return
            next_hand(s, c)
        asked = int(s.asked)
        for player in range(PLAYERS):
            if (asked >> player) & 1:
                answer(s, player, choose(s, player, int(policies[player]), fresh_word(stream), c), c)


@kernel
def play_tables(states: Any, policies: Any, whole_game: bool, streams: Any, frame: Any, tables: Any) -> None:
    """Let policies play every table on; `policies` int8[n, 4], `streams` uint64[n] are random streams."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    for i in range(len(states)):
        play_on(states[i], policies[i], whole_game, streams[i : i + 1], c)


def playout(
    states: Any,
    policies: Sequence[str] = ("random",) * PLAYERS,
    seed: int = 0,
    *,
    whole_game: bool = True,
    threads: int = 1,
    rules: Ruleset = BOTZONE,
) -> None:
    """Play tables on, in place, by the named policies of the four seats, to the end of the hand or the game.

    Each table has its own random stream, so the outcome does not depend on the number of threads.
    """

    def play(tables: Array, numbers: Array, streams: Array) -> None:
        play_tables(tables, numbers, whole_game, streams, *new_context(rules))

    play_by_policies(states, [policy_number(name) for name in policies], PLAYERS, seed, STREAM, threads, play)
