"""The Monte Carlo player of Mizukami & Tsuruoka (2015): every candidate is judged by simulated hands.

    Score(tile) = sim(tile) x prod over opponents (1 - LP) - sum over opponents of EL

LP is the chance of dealing in, EL its cost, both from the opponent models (`models.opponents`); sim is the mean of
hands played to the end in an abstracted game, in which opponents hold no tiles (`scene`). Worth is
measured in expected final rank or in points (`payoffs`). One kernel call makes the whole decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import Any, ClassVar, Final

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.budget import Budget
from janshi.agents.explain import FOLD, Choice, Explanation, Phrase, discarding
from janshi.agents.montecarlo.scene import Manner
from janshi.agents.montecarlo.search import LEAST, answer_views, judge_view, new_desk
from janshi.agents.payoffs import PAYOFFS, POINTS, RANK, THOUSAND, PayoffTables
from janshi.core.tiles import format_tiles
from janshi.rules.game import Array, Game
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import NONE

ROLLOUTS: Final = 40_000
"""Default number of hands that a decision simulates."""
BUDGET: Final = Budget("montecarlo", ROLLOUTS, a_second=40_000)
FEW: Final = 8
"""An explanation simulates, for every candidate, the hands of a decision divided by this."""
OTHERS: Final = ("right", "across", "left")
MEANT: Final = ((), (Phrase("waiting"),), (FOLD,))
"""How a candidate continues, by mode."""


class MonteCarloAgent(Agent):
    """Judges candidates by simulated hands. Not thread-safe.

    Options: `rollouts`, the number of hands that a decision simulates; `payoff`, what to maximise: expected final
    `rank`, or `points`; `courage`, `doubt`, `becoming` and `expert` as in `scene.Manner`. `seconds` is an old name for
    the budget: 40,000 simulated hands per second, used unless `rollouts` is set.
    """

    name, version = "montecarlo", "1"
    families: ClassVar[tuple[str, ...]] = ("riichi",)
    gives_values = True

    def __init__(
        self,
        game: Game,
        rollouts: int = ROLLOUTS,
        payoff: str = RANK,
        courage: float = Manner.courage,
        doubt: float = Manner.doubt,
        becoming: float = Manner.becoming,
        expert: bool = False,
        seconds: float | None = None,
    ) -> None:
        super().__init__(game)
        if payoff not in PAYOFFS:
            raise ValueError(f"agent montecarlo: payoff must be one of {', '.join(PAYOFFS)}, not {payoff!r}")
        if rollouts < 0:
            raise ValueError(f"agent montecarlo: rollouts must be 1 or more, not {rollouts}")
        self.rollouts = BUDGET.hands(rollouts, seconds)
        self.seconds = BUDGET.seconds(self.rollouts)
        self.payoff = payoff
        self._desk = new_desk(game.rules, Manner(courage=courage, doubt=doubt, becoming=becoming, expert=float(expert)))
        self._payoffs = PayoffTables(game.rules)

    def act(self, asked: Asked) -> Array:
        """Simulate for every decision in one kernel call."""
        out = np.zeros(len(asked), np.int64)
        answer_views(asked.views, asked.words, self.payoffs(asked.views), self.rollouts, False, self._desk, out)
        return out

    def payoffs(self, views: Array, payoff: str | None = None) -> Array:
        """Payoff tables of views, PAYOFF_DTYPE[m], for `payoff` or the agent's own."""
        return self._payoffs.of_views(views, payoff or self.payoff)

    # --- explanations

    def explain(self, views: Array) -> list[Explanation]:
        """What the simulated hands say about every candidate of each view."""
        return [self._explain(views[i : i + 1]) for i in range(len(views))]

    def _explain(self, views: Array) -> Explanation:
        by_payoff = {payoff: self._judge(views, payoff) for payoff in PAYOFFS}
        scene, names = self._desk.scene[0], self.game.action_names
        choices = [self._choice(c, by_payoff, scene, names) for c in by_payoff[self.payoff]]
        ordered = sorted(choices, key=lambda choice: choice.numbers["score"], reverse=True)
        return Explanation(tuple(ordered), tuple(float(x) for x in scene["waiting"]), unit=self.payoff)

    def _judge(self, views: Array, payoff: str) -> Array:
        """The candidates of a view, each with the average number of hands that a decision simulates per candidate."""
        payoffs, hands = self.payoffs(views, payoff), max(LEAST, self.rollouts // FEW)
        return judge_view(views, 0, payoffs, hands, self._desk)

    def _choice(self, c: Any, by_payoff: dict[str, Array], scene: Any, names: Sequence[str]) -> Choice:
        """A candidate in words and numbers; NaN under the other payoff if that search did not consider it."""
        hands = float(c["count"])
        rank, points = (mean_worth(by_payoff[payoff], c) for payoff in (RANK, POINTS))
        numbers = {
            "score": rank if self.payoff == RANK else points,
            "win": 1.0 if c["action"] in (act.TSUMO, act.RON) else float(c["wins"]) / hands,
            "deal-in": float(c["deal_ins"]) / hands,
            "points": THOUSAND * points,
            "rank": -rank,
        }
        for other, where in enumerate(OTHERS):
            danger = scene["waiting"][other] * scene["winning"][other, c["kind"]] if c["kind"] != NONE else 0.0
            numbers[f"danger {where}"] = float(danger)
        name, then = str(names[c["action"]]), MEANT[int(c["mode"])]
        if c["kind"] != NONE and c["action"] > act.TSUMOGIRI:
            then = (discarding(c["kind"]), *then)
        elif c["action"] == act.TSUMOGIRI:
            name += f" {format_tiles([int(c['kind'])])}"
        return Choice(int(c["action"]), name, numbers, then, rank if self.payoff == RANK else THOUSAND * points)


def mean_worth(candidates: Array, wanted: Any) -> float:
    """The mean worth of a candidate in another payoff's list; NaN if it is not there."""
    for c in candidates:
        if all(c[name] == wanted[name] for name in ("action", "kind", "mode", "stance")):
            return float(c["total"]) / float(c["count"])
    return nan
