"""A riichi player that only tries to win: one-player mahjong, learned from experts (Mizukami & Tsuruoka).

It discards and calls like experts who need not fear opponents (`janshi.models.one_player`), declares riichi, takes
every win, and never folds.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.experts import discard_chances
from janshi.agents.explain import Explanation, explain_discards
from janshi.core._jit import kernel
from janshi.core.shanten import shanten_keys
from janshi.core.tables import tables_array
from janshi.core.tiles import COPIES, NUM_KINDS, RANKS
from janshi.features.calls import new_calling
from janshi.features.hand_pattern import maps
from janshi.features.own_hand import new_situation, new_weighing, situate
from janshi.models.one_player import best_call, best_discard, may_call, shipped
from janshi.rules.game import Array, Game
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.policies import Question, allows, discard_action, discardable, question_of_view
from janshi.rules.riichi.state import NONE, PLAYERS, TURN


@kernel
def in_danger(v: Any) -> bool:
    """Whether an opponent is in riichi: then it declares no kan, which would give them more dora."""
    for other in range(1, PLAYERS):
        if v.riichi[other]:
            return True
    return False


@kernel
def kan_action(v: Any, q: Question, t: Any, x: Any) -> int:
    """A concealed or added kan that does not raise the shanten, or NONE."""
    for kind in range(NUM_KINDS):
        if allows(q, act.ADDED_KAN + kind) and x.distance[kind] <= x.best:
            return act.ADDED_KAN + kind
        if allows(q, act.CONCEALED_KAN + kind) and kan_distance(kind, q.melds, t, x) <= x.best:
            return act.CONCEALED_KAN + kind
    return NONE


@kernel
def kan_distance(kind: int, melds: int, t: Any, x: Any) -> int:
    """Shanten after a concealed kan."""
    suit, tiles = kind // RANKS, COPIES << 3 * (kind % RANKS)
    k0, k1 = int(x.keys[0]) - (tiles if suit == 0 else 0), int(x.keys[1]) - (tiles if suit == 1 else 0)
    k2, k3 = int(x.keys[2]) - (tiles if suit == 2 else 0), int(x.keys[3]) - (tiles if suit == 3 else 0)
    return shanten_keys(k0, k1, k2, k3, 3 - melds, t)


@kernel
def turn_answer(v: Any, q: Question, model: Any, s: Any, m: Any, t: Any, x: Any) -> int:
    """The answer on the player's own turn."""
    if allows(q, act.TSUMO):
        return act.TSUMO
    if allows(q, act.NINE_TERMINALS):
        return act.NINE_TERMINALS
    if q.riichi and not v.declaring:
        for kind in range(NUM_KINDS):
            if allows(q, act.CONCEALED_KAN + kind):
                return act.CONCEALED_KAN + kind
        return act.TSUMOGIRI
    situate(v, s)
    kind = best_discard(v.hand, v.seen, discardable(q), s, model, m, t, x)
    if not v.declaring and x.best <= 1 and not in_danger(v):
        kan = kan_action(v, q, t, x)
        if kan != NONE:
            return kan
    if allows(q, act.RIICHI) and x.distance[kind] == 0 and x.useful[kind] > 0:
        return act.RIICHI
    return int(discard_action(q, v.hand, kind))


@kernel
def answer_alone(
    views: Any, out: Any, model: Any, calls: Any, situation: Any, maps: Any, tables: Any, weighing: Any, calling: Any
) -> None:
    """Write an action for each view into `out`, int64[m]."""
    s, m, t, x, c = situation[0], maps[0], tables[0], weighing[0], calling[0]
    for i in range(len(views)):
        v = views[i]
        q = question_of_view(v)
        if q.turn:
            out[i] = turn_answer(v, q, model[0], s, m, t, x)
        elif allows(q, act.RON):
            out[i] = act.RON
        elif may_call(q):
            out[i] = best_call(v, q, calls, s, t, x, c)[0]
        else:
            out[i] = act.PASS


class OnePlayerAgent(Agent):
    """Tries to win as experts do, ignoring all threats. Not thread-safe.

    Option: `calling`, whether it calls.
    """

    name, version = "one_player", "1"
    families: ClassVar[tuple[str, ...]] = ("riichi",)

    def __init__(self, game: Game, calling: bool = True) -> None:
        super().__init__(game)
        model = shipped()
        calls = model.calls if calling else np.full_like(model.calls, -1)
        self._given = (model.record, calls, new_situation(), maps(), tables_array(), new_weighing(), new_calling())

    def act(self, asked: Asked) -> Array:
        """Answer all decisions in one kernel call."""
        out = np.zeros(len(asked), np.int64)
        answer_alone(asked.views, out, *self._given)
        return out

    def explain(self, views: Array) -> list[Explanation]:
        """The model's value of each discard; for other decisions, only the chosen action."""
        return [self._explain(views[i : i + 1]) for i in range(len(views))]

    def _explain(self, views: Array) -> Explanation:
        numbers, experts, weighing = np.full((NUM_KINDS, 3), np.nan), np.full(NUM_KINDS, np.nan), self._given[5][0]
        if views["phase"][0] == TURN and not views["riichi"][0, 0]:
            self.answer(views[0])
            for column, name in enumerate(("value", "distance", "useful")):
                numbers[:, column] = weighing[name]
            experts = discard_chances(weighing["value"])
        return explain_discards(self, views, ("value", "shanten", "useful tiles"), numbers, experts=experts)
