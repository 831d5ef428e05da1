"""Riichi for agents: kernel policies that answer views and states, and that play whole hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from janshi.agents.families import AgentsFamily, HandsPlayer, StatesAnswer, ViewsAnswer
from janshi.core import rng
from janshi.core._jit import kernel
from janshi.rules.game import Game
from janshi.rules.riichi.actions import TSUMOGIRI
from janshi.rules.riichi.apply import answer
from janshi.rules.riichi.ending import next_hand
from janshi.rules.riichi.policies import POLICIES, answer_views, choose, new_mind, policy_number
from janshi.rules.riichi.state import GAME_OVER, HAND_OVER, PLAYERS, Context


@kernel
def answer_all(
    states: Any, places: Any, players: Any, policy: int, words: Any, out: Any, mind: Any, frame: Any, tables: Any
) -> None:
    """Write a policy's action for each (table, player)."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    for i in range(len(places)):
        out[i] = choose(states[places[i]], players[i], policy, words[i], c, mind)


@kernel
def play_all(states: Any, policies: Any, streams: Any, decisions: Any, mind: Any, frame: Any, tables: Any) -> None:
    """Play every table to the end of its hand with the given policies, int64[n, 4]; if it has ended, of the next hand.

    Each decision takes a random word from its table's stream. Decisions are counted in int32[n, 4].
    """
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
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
                    answer(s, player, choose(s, player, int(policies[i, player]), word, c, mind), c)


def _views(game: Game, policy: str) -> ViewsAnswer:
    number, mind, tables = policy_number(policy), new_mind(), game.new_context()[1]
    return lambda views, words, out: answer_views(views, number, words, out, mind, tables)


def _states(game: Game, policy: str) -> StatesAnswer:
    number, mind, context = policy_number(policy), new_mind(), game.new_context()
    return lambda states, places, players, words, out: answer_all(
        states, places, players, number, words, out, mind, *context
    )


def _hands(game: Game, policies: Sequence[str]) -> HandsPlayer:
    numbers = np.array([policy_number(policy) for policy in policies], np.int64)
    mind, context = new_mind(), game.new_context()
    return lambda states, seats, streams, decisions: play_all(
        states, numbers[seats], streams, decisions, mind, *context
    )


FAMILY: Final = AgentsFamily(tuple(POLICIES), _views, _states, _hands, drawn_discard=TSUMOGIRI)
