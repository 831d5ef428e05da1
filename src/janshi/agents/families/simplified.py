"""The simplified game for agents: kernel policies that answer views and states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from janshi.agents.families import AgentsFamily, StatesAnswer, ViewsAnswer
from janshi.core._jit import kernel
from janshi.rules.game import Game
from janshi.rules.simplified.policies import POLICIES, answer_views, choose, policy_number
from janshi.rules.simplified.state import Context

if TYPE_CHECKING:
    from janshi.agents.strategist.options import OptionSet


@kernel
def answer_all(
    states: Any, places: Any, players: Any, policy: int, words: Any, out: Any, rules: Any, shapes: Any
) -> None:
    """Write a policy's action for each (table, player)."""
    c = Context(rules[0], shapes[0])
    for i in range(len(places)):
        out[i] = choose(states[places[i]], players[i], policy, words[i], c)


def _views(game: Game, policy: str) -> ViewsAnswer:
    number, context = policy_number(policy), game.new_context()
    return lambda views, words, out: answer_views(views, number, words, out, *context)


def _states(game: Game, policy: str) -> StatesAnswer:
    number, context = policy_number(policy), game.new_context()
    return lambda states, places, players, words, out: answer_all(states, places, players, number, words, out, *context)


def _options() -> OptionSet:
    from janshi.agents.strategist.simplified import SET

    return SET


FAMILY: Final = AgentsFamily(tuple(POLICIES), _views, _states, options=_options)
