"""Races: one player learns at a table where nobody else can win, racing against the usual length of hands.

The value of a decision is small compared with the luck of the other three players. In a *race* they only discard, with
the `greedy` policy, and never call or win. The learner's win pays its points plus the cost of losing, times the chance
that none of three search models would have won by that draw. So the luck of three players is replaced by its mean, and
the learner's own luck is the same at all tables of a group that plays one wall.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.rules.game import Array, Game
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.apply import answer
from janshi.rules.guobiao.policies import greedy_play, question_of_state
from janshi.rules.guobiao.state import PLAYERS, TURN, Context
from janshi.rules.stepper import Stepper

LOSS: Final = 10.0
"""Mean cost of a hand that another player wins: 8 points, or 8 plus the fan after dealing in."""
# fmt: off
LASTING: Final = np.array([
    1, 1, 1, .998, .993, .982, .956, .915, .853, .770, .671, .565, .457, .357, .269, .196, .138, .094, .061, .039, .026,
    .013, .005, .002, .001,
])
# fmt: on
"""Share of hands of four search models that are still in progress after each turn of four discards (23,491 hands)."""
OTHERS_LASTING: Final = LASTING ** (1 - 1 / PLAYERS)
"""The same if only three of four equal players could win."""


class Races(Stepper):
    """Tables of races: only the learners are asked."""

    def __init__(self, game: Game, learner: Array, **where: Any) -> None:
        """`learner` is the learner's seat at each table, int64[n], read whenever hands begin or continue."""
        super().__init__(game, len(learner), **where)
        self.learner = learner

    def _begin(self, part: int, states: Array, seeds: Array, places: Array) -> None:
        super()._begin(part, states, seeds, places)
        begin_races(states, self.learner[places], *self.contexts[part])

    def _answer(self, part: int, a: int, b: int, first: Array, actions: Array, restart: bool) -> None:
        race_tables(self.states[a:b], self.learner[a:b], first, actions, *self.contexts[part])

    def _asks(self, states: Array, places: Any) -> Array:
        return np.asarray(self.game.asked(states) & (1 << self.learner[places]))


@kernel
def race_on(s: Any, learner: int, action: int, c: Context) -> None:
    """Carry out the learner's action, if asked, and play the others until the learner is asked or the hand ends."""
    while s.asked != 0:
        asked = int(s.asked)
        if (asked >> learner) & 1 and action < 0:
            return
        for player in range(PLAYERS):
            if (asked >> player) & 1:
                if player == learner:
                    answer(s, player, action, c)
                    action = -1
                elif s.phase == TURN:
                    answer(s, player, greedy_play(question_of_state(s, player), c.tables), c)
                else:
                    answer(s, player, act.PASS, c)


@kernel
def race_tables(states: Any, learners: Any, first: Any, actions: Any, frame: Any, tables: Any) -> None:
    """Move every table with a decision in `first` on to the learner's next one."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    for i in range(len(states)):
        if first[i + 1] > first[i]:
            race_on(states[i], int(learners[i]), int(actions[first[i]]), c)


@kernel
def begin_races(states: Any, learners: Any, frame: Any, tables: Any) -> None:
    """Move new hands on to the learner's first decision."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    for i in range(len(states)):
        race_on(states[i], int(learners[i]), -1, c)


@kernel
def race_results(states: Any, ended: Any, learners: Any, tables: Any) -> None:
    """Write the learner's results of ended races into the tables' `final` scores."""
    for i in ended:
        s, learner = states[i], int(learners[i])
        final = tables[i].final
        for player in range(PLAYERS):
            final[player] = 0.0
        if s.winner == learner:
            final[learner] = (s.scores[learner] + LOSS) * lasting(s.turns / PLAYERS)


@kernel
def lasting(turns: float) -> float:
    """The chance that none of three others has won after this many turns."""
    at = min(int(turns), len(OTHERS_LASTING) - 2)
    share = min(turns - at, 1.0)
    return float((1.0 - share) * OTHERS_LASTING[at] + share * OTHERS_LASTING[at + 1])
