"""The Monte Carlo player of Mizukami & Tsuruoka (2015): every candidate is judged by simulated hands.

    Score(tile) = sim(tile) x prod over opponents (1 - LP) - sum over opponents of EL

LP is the chance to deal in, EL what that costs, from the models of opponents (`models.opponents`); sim is the mean of
hands played to the end in an abstracted game, in which opponents hold no tiles (`scene`). Worth is
counted in expected final rank or in points (`payoffs`). All of a decision happens in one call of a kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import Any, ClassVar, Final

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.explain import FOLD, Choice, Explanation, Phrase, discarding
from janshi.agents.montecarlo.scene import Manner
from janshi.agents.montecarlo.search import LEAST, answer_views, judge_view, new_desk
from janshi.agents.payoffs import PAYOFFS, POINTS, RANK, THOUSAND, PayoffTables
from janshi.core.tiles import format_tiles
from janshi.rules.game import Array, Game
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import NONE

HANDS_A_SECOND: Final = 40_000
"""Simulated hands that a time to think is worth: a fixed rate, so that the play is the same on every machine."""
FEW: Final = 8
"""An explanation simulates the hands of a decision divided by this, for every candidate."""
OTHERS: Final = ("right", "across", "left")
MEANT: Final = ((), (Phrase("waiting"),), (FOLD,))
"""How a candidate is meant to go on, by its mode."""


class MonteCarloAgent(Agent):
    """Judges candidates by simulated hands. Not for several threads at once.

    Options: `seconds` to think about a decision, which stands for a number of simulated hands; `rollouts`, that number
    itself, if it is not 0; `payoff`, what is aimed at: expected final `rank`, or `points`; `courage`, `doubt`,
    `becoming` and `expert` as `scene.Manner` has them.
    """

    name, version = "montecarlo", "1"
    families: ClassVar[tuple[str, ...]] = ("riichi",)
    gives_values = True

    def __init__(
        self,
        game: Game,
        seconds: float = 1.0,
        rollouts: int = 0,
        payoff: str = RANK,
        courage: float = Manner.courage,
        doubt: float = Manner.doubt,
        becoming: float = Manner.becoming,
        expert: bool = False,
    ) -> None:
        super().__init__(game)
        if payoff not in PAYOFFS:
            raise ValueError(f"agent montecarlo: payoff must be one of {', '.join(PAYOFFS)}, not {payoff!r}")
        if seconds <= 0 or rollouts < 0:
            raise ValueError(f"agent montecarlo: it needs time to think, not {seconds} s and {rollouts} rollouts")
        self.rollouts = rollouts or max(1, round(HANDS_A_SECOND * seconds))
        self.seconds = seconds
        self.payoff = payoff
        self._desk = new_desk(game.rules, Manner(courage=courage, doubt=doubt, becoming=becoming, expert=float(expert)))
        self._payoffs = PayoffTables(game.rules)

    def act(self, asked: Asked) -> Array:
        """Simulate for every decision, in one call of a kernel."""
        out = np.zeros(len(asked), np.int64)
        answer_views(asked.views, asked.words, self.payoffs(asked.views), self.rollouts, False, self._desk, out)
        return out

    def payoffs(self, views: Array, payoff: str | None = None) -> Array:
        """The tables of payoffs of views, PAYOFF_DTYPE[m]: those aimed at, or others."""
        return self._payoffs.of_views(views, payoff or self.payoff)

    # --- explanations

    def explain(self, views: Array) -> list[Explanation]:
        """What simulated hands say of every candidate of each view."""
        return [self._explain(views[i : i + 1]) for i in range(len(views))]

    def _explain(self, views: Array) -> Explanation:
        by_payoff = {payoff: self._judge(views, payoff) for payoff in PAYOFFS}
        scene, names = self._desk.scene[0], self.game.action_names
        choices = [self._choice(c, by_payoff, scene, names) for c in by_payoff[self.payoff]]
        ordered = sorted(choices, key=lambda choice: choice.numbers["score"], reverse=True)
        return Explanation(tuple(ordered), tuple(float(x) for x in scene["waiting"]), unit=self.payoff)

    def _judge(self, views: Array, payoff: str) -> Array:
        """The candidates of a view after as many hands each as a decision simulates on average."""
        payoffs, hands = self.payoffs(views, payoff), max(LEAST, self.rollouts // FEW)
        return judge_view(views, 0, payoffs, hands, self._desk)

    def _choice(self, c: Any, by_payoff: dict[str, Array], scene: Any, names: Sequence[str]) -> Choice:
        """A candidate in words and numbers; by what it does not aim at, it may not have been thought of (NaN)."""
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
    """What a candidate is worth in a list that another payoff has made; NaN if it is not in it."""
    for c in candidates:
        if all(c[name] == wanted[name] for name in ("action", "kind", "mode", "stance")):
            return float(c["total"]) / float(c["count"])
    return nan
