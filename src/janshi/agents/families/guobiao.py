"""Guobiao for agents: kernel policies that answer views and states."""

from __future__ import annotations

from typing import Any, Final

from janshi.agents.families import AgentsFamily, StatesAnswer, ViewsAnswer
from janshi.core._jit import kernel
from janshi.rules.game import Game
from janshi.rules.guobiao.policies import POLICIES, answer_views, choose, policy_number
from janshi.rules.guobiao.state import Context


@kernel
def answer_all(
    states: Any, places: Any, players: Any, policy: int, words: Any, out: Any, frame: Any, tables: Any
) -> None:
    """Write a policy's action for each (table, player)."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    for i in range(len(places)):
        out[i] = choose(states[places[i]], players[i], policy, words[i], c)


def _views(game: Game, policy: str) -> ViewsAnswer:
    number, tables = policy_number(policy), game.new_context()[1]
    return lambda views, words, out: answer_views(views, number, words, out, tables)


def _states(game: Game, policy: str) -> StatesAnswer:
    number, context = policy_number(policy), game.new_context()
    return lambda states, places, players, words, out: answer_all(states, places, players, number, words, out, *context)


FAMILY: Final = AgentsFamily(tuple(POLICIES), _views, _states)
