"""Hands too far from a win to search: discards and calls as experts make them, discards weighed against danger.

The paper has rules of thumb here. Ours is the one-player model, learned from experts (`models.one_player`), together
with what folding is worth.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from janshi.agents.mdp.candidates import add_settled
from janshi.core._jit import kernel
from janshi.features.calling import new_calling
from janshi.features.hand_pattern import maps
from janshi.features.own_hand import new_situation, new_weighing, situate
from janshi.models import one_player
from janshi.models.one_player import best_discard
from janshi.models.one_player_calls import best_call, may_call
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.policies import Question, discardable
from janshi.rules.riichi.state import NONE

HOPE: Final = 0.05
"""What the best discard is worth above a hopeless one, in expected final rank."""
HOPELESS: Final = 4.0
"""A discard is hopeless if the model's value of it is so much below the best."""
CALM: Final = 0.3
"""Nothing is called if the chance that another is tenpai is greater."""
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
    """Value candidates by folding and by what experts would do; returns how many there are."""
    for i in range(n):
        c = out[i]
        c.folds = 0
        if c.riichi == 0 and c.settled == 0:
            c.worth = c.lose_worth + (1.0 - c.lose) * c.fold_worth
    if q.turn:
        value_discards(v, q, out, n, e, t)
        return n
    if not may_call(q) or table.riichi > 0 or table.any_tenpai > CALM:
        return n
    action = best_call(v, q, e.calls, e.situation[0], t, e.weighing[0], e.calling[0])[0]
    if action == act.PASS:
        return n
    return add_settled(out, n, int(action), out[0].worth + SLIGHTLY, NONE)


@kernel
def value_discards(v: Any, q: Question, out: Any, n: int, e: Experts, t: Any) -> None:
    """Add what experts think of every discard."""
    situate(v, e.situation[0])
    x = e.weighing[0]
    best = best_discard(v.hand, v.seen, discardable(q), e.situation[0], e.model[0], e.maps[0], t, x)
    for i in range(n):
        c = out[i]
        if c.settled == 0 and c.riichi == 0:
            c.worth -= HOPE * min(1.0, (x.value[best] - x.value[c.kind]) / HOPELESS)
