"""What experts would do: in addition to the search, and instead of it for hands too far from a win.

The paper has rules of thumb for far hands. We use the discards and calls of the one-player model, learned from experts
(`models.one_player`), and weigh them against the worth of folding. Nearer hands are searched, but no search sees
everything that a shape may become, so experts count there as well, with the weight at which the player agrees with them
most often.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.mdp.candidates import add_settled
from janshi.core._jit import kernel
from janshi.features.calls import new_calling
from janshi.features.hand_pattern import maps
from janshi.features.own_hand import new_situation, new_weighing, situate
from janshi.models import one_player
from janshi.models.labels import OPPONENTS
from janshi.models.one_player import best_call, best_discard, may_call
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.policies import Question, discardable
from janshi.rules.riichi.state import NONE

SAY: Final = np.array([[0.004, 0.009, 0.020, 0.060], [0.001, 0.003, 0.002, 0.001]])
"""Expected final rank that a difference of 1 in the experts' value of a discard counts for, by shanten: while no
opponent is tenpai, and when one is. Fitted to experts' discards in the validation games."""
HOPELESS: Final = 10.0
"""Larger differences count as this one."""
CALM: Final = 0.3
"""Nothing is called if the chance that an opponent is tenpai exceeds this."""
SLIGHTLY: Final = 1e-3


class Experts(NamedTuple):
    """The one-player model and scratch space of its kernels."""

    model: Any
    calls: Any
    situation: Any
    maps: Any
    weighing: Any
    calling: Any


def new_experts() -> Experts:
    """The shipped one-player model."""
    model = one_player.shipped()
    return Experts(model.record, model.calls, new_situation(), maps(), new_weighing(), new_calling())


@kernel
def value_candidates(v: Any, q: Question, out: Any, n: int, table: Any, e: Experts, t: Any) -> int:
    """Value candidates by the worth of folding after them, and add the experts' call; returns their number."""
    for i in range(n):
        c = out[i]
        c.folds = 0
        if c.riichi == 0 and c.settled == 0:
            c.worth = c.lose_worth + (1.0 - c.lose) * c.fold_worth
    if q.turn:
        return n
    if not may_call(q) or table.riichi > 0 or table.any_tenpai > CALM:
        return n
    action = best_call(v, q, e.calls, e.situation[0], t, e.weighing[0], e.calling[0])[0]
    if action == act.PASS:
        return n
    return add_settled(out, n, int(action), out[0].worth + SLIGHTLY, NONE)


@kernel
def any_tenpai(table: Any) -> float:
    """The chance that an opponent is tenpai, in riichi or not."""
    nobody = 1.0
    for other in range(OPPONENTS):
        nobody *= 1.0 - table.tenpai[other]
    return 1.0 - nobody


@kernel
def note_scores(
    v: Any, q: Question, out: Any, n: int, distance: int, say: float, table: Any, e: Experts, t: Any
) -> None:
    """Write the scores of candidates: their worth plus the experts' part in a discard."""
    x, best = e.weighing[0], NONE
    if q.turn and say > 0.0:
        situate(v, e.situation[0])
        best = best_discard(v.hand, v.seen, discardable(q), e.situation[0], e.model[0], e.maps[0], t, x)
    threat, row = any_tenpai(table), min(distance, SAY.shape[1] - 1)
    share = say * ((1.0 - threat) * SAY[0, row] + threat * SAY[1, row])
    for i in range(n):
        c = out[i]
        c.score = c.worth
        if best != NONE and c.kind != NONE:
            c.score -= share * min(HOPELESS, x.value[best] - x.value[c.kind])
