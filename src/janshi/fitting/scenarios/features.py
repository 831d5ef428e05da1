"""Results of M_win, M_tenpai and M_fold for recorded discards, which are features of `models.scenarios`.

>>> from janshi.fitting.scenarios.features import ProcessChances
>>> from janshi.rules.riichi.ruleset import TENHOU
>>> chances = ProcessChances(TENHOU)  # then chances.numbers(views, kinds, declares)
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.agents.mdp.candidates import find_nodes, list_turn, note_risks
from janshi.agents.mdp.decide import Desk, Manner, build_largest, new_desk
from janshi.agents.mdp.scenarios import blunt_lose, far_distance, note_parts
from janshi.agents.mdp.scene import ask_models, note_scene
from janshi.agents.mdp.worth import Scoring, note_all
from janshi.agents.payoffs import RANK, PayoffTables
from janshi.core._jit import kernel
from janshi.rules.game import Array
from janshi.rules.riichi.policies import question_of_view
from janshi.rules.riichi.ruleset import Ruleset

FARTHEST: Final = 8
HANDS: Final = 5_000
"""Default number of hands of a set."""


class ProcessChances:
    """Evaluates the processes for recorded discards. Not thread-safe."""

    def __init__(self, rules: Ruleset, hands: int = HANDS) -> None:
        self._payoffs = PayoffTables(rules)
        self._desk = new_desk(rules, hands, Manner(inclusive=FARTHEST, reach=FARTHEST))

    def numbers(self, before: Array, kinds: Array, declares: Array) -> Array:
        """The results of the processes for discards of these kinds from views of the player on turn, float64[n, 4].

        They are the chances of M_win, M_tenpai and M_fold, and the shanten after the discard; NaN if the hand is too
        far from a win to search.
        """
        payoffs = self._payoffs.of_views(before, RANK)
        out = np.full((len(before), 4), np.nan)
        write_numbers(before, kinds.astype(np.int64), declares.astype(np.int64), payoffs, self._desk, out)
        return out


@kernel
def write_numbers(views: Any, kinds: Any, declares: Any, payoffs: Any, d: Desk, out: Any) -> None:
    """Write the results of the processes for many discards."""
    for i in range(len(views)):
        z = Scoring(d.holding[0], d.frame[0].rules, d.frame[0].win, d.frame[0].score, payoffs[i])
        v, m, sp, x = views[i], d.process[0], d.space, d.values
        ask_models(v, d.models)
        note_scene(v, d.models, sp.bounds[0], m, z)
        if not build_largest(v, True, d):
            continue
        n = list_turn(v, question_of_view(v), d.candidates)
        note_risks(d.candidates, n, m, d.hand)
        find_nodes(d.candidates, n, sp)
        note_all(m.let_go, sp, z, x.ready)
        note_parts(d.candidates, n, 1, d.models.table[0].sigma[0], m, d.part[0], sp, x)
        for j in range(n):
            c = d.candidates[j]
            if c.kind == kinds[i] and c.riichi == declares[i]:
                out[i, 0], out[i, 1], out[i, 2], out[i, 3] = c.win, c.tenpai, blunt_lose(c, m), far_distance(c, sp)
