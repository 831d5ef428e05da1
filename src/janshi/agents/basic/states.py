"""Kernel policies asked about many tables at once, from their states: what the arena does where it can.

The policies are the same as those asked about views (`rules/<family>/policies.py`) and read nothing in a state that
their player cannot see; only the writing of views is spared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.rules.game import Array, Game
from janshi.rules.guobiao import policies as guobiao
from janshi.rules.guobiao.state import Context as GuobiaoContext
from janshi.rules.riichi import policies as riichi
from janshi.rules.riichi.apply import answer
from janshi.rules.riichi.ending import next_hand
from janshi.rules.riichi.state import GAME_OVER, HAND_OVER, PLAYERS
from janshi.rules.riichi.state import Context as RiichiContext
from janshi.rules.simplified import policies as simplified
from janshi.rules.simplified.state import Context as SimplifiedContext

choose_riichi, choose_guobiao, choose_simplified = riichi.choose, guobiao.choose, simplified.choose

StatesAnswer = Callable[[Array, Array, Array, Array, Array], None]
"""Writes an action for each of (states, tables, players, words) into its last argument."""


@kernel
def answer_riichi(
    states: Any, places: Any, players: Any, policy: int, words: Any, out: Any, mind: Any, frame: Any, tables: Any
) -> None:
    """Write a policy's action for each (table, player) of riichi states."""
    c = RiichiContext(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    for i in range(len(places)):
        out[i] = choose_riichi(states[places[i]], players[i], policy, words[i], c, mind)


@kernel
def play_riichi_hands(
    states: Any, policies: Any, streams: Any, decisions: Any, mind: Any, frame: Any, tables: Any
) -> None:
    """Let policies, int64[n, 4], play every riichi table to the end of its hand, or go on from there to the next.

    Random words come from the tables' streams, one a decision; decisions, int32[n, 4], are counted.
    """
    c = RiichiContext(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    for i in range(len(states)):
        s = states[i]
        if s.phase == HAND_OVER:
            next_hand(s, c)
        while s.phase != HAND_OVER and s.phase != GAME_OVER:
            asked = int(s.asked)
            for player in range(PLAYERS):
                if (asked >> player) & 1:
                    stream, word = rng.draw_word(streams[i])
                    streams[i] = stream
                    decisions[i, player] += 1
                    answer(s, player, choose_riichi(s, player, int(policies[i, player]), word, c, mind), c)


@kernel
def answer_guobiao(
    states: Any, places: Any, players: Any, policy: int, words: Any, out: Any, frame: Any, tables: Any
) -> None:
    """Write a policy's action for each (table, player) of Guobiao states."""
    c = GuobiaoContext(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    for i in range(len(places)):
        out[i] = choose_guobiao(states[places[i]], players[i], policy, words[i], c)


@kernel
def answer_simplified(
    states: Any, places: Any, players: Any, policy: int, words: Any, out: Any, rules: Any, shapes: Any
) -> None:
    """Write a policy's action for each (table, player) of simplified states."""
    c = SimplifiedContext(rules[0], shapes[0])
    for i in range(len(places)):
        out[i] = choose_simplified(states[places[i]], players[i], policy, words[i], c)


def _riichi(game: Game, policy: str) -> StatesAnswer:
    number, mind, context = riichi.policy_number(policy), riichi.new_mind(), game.new_context()
    return lambda states, places, players, words, out: answer_riichi(
        states, places, players, number, words, out, mind, *context
    )


def _guobiao(game: Game, policy: str) -> StatesAnswer:
    number, context = guobiao.policy_number(policy), game.new_context()
    return lambda states, places, players, words, out: answer_guobiao(
        states, places, players, number, words, out, *context
    )


def _simplified(game: Game, policy: str) -> StatesAnswer:
    number, context = simplified.policy_number(policy), game.new_context()
    return lambda states, places, players, words, out: answer_simplified(
        states, places, players, number, words, out, *context
    )


STATES_ANSWERS: Final = {"riichi": _riichi, "guobiao": _guobiao, "simplified": _simplified}
"""How the kernel policies of each family answer states."""
