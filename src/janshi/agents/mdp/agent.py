"""The MDP player: chooses the action with the highest value."""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.budget import Budget
from janshi.agents.explain import Explanation, Phrase
from janshi.agents.loss import ActionValues, best_values
from janshi.agents.mdp.candidates import UNKNOWN
from janshi.agents.mdp.decide import Manner, answer_views, judge_view, new_desk
from janshi.agents.mdp.experts import expert_chances
from janshi.agents.mdp.explanation import best_first, choice_of, line_of, without_kans, worths_of
from janshi.agents.payoffs import PAYOFFS, RANK, PayoffTables
from janshi.models.deal_in.model import METHODS
from janshi.rules.game import Array, Game

HANDS: Final = 50_000
"""Default size of the set of hands that a decision searches."""
LEAST_HANDS: Final = 100
"""Smallest size of that set."""
BUDGET: Final = Budget("mdp", HANDS, a_second=250_000, least=LEAST_HANDS)
POINTS_A_RANK: Final = 8.0
"""Thousands of points that one rank is roughly worth."""


class MDPAgent(Agent):
    """Values actions by Markov decision processes of one hand. Not thread-safe.

    Options: `hands`, the largest number of hands in the set that a decision searches; `payoff`, what to maximise:
    expected final `rank`, or `points`; `inclusive` and `reach`, the shanten up to which hands are valued by M and by
    scenarios; `experts`, the weight of the expert model in discards; `dealing`, the method of the deal-in model.
    `seconds` is an old name for the budget: 250,000 hands per second, used unless `hands` is set.
    """

    name, version = "mdp", "2"
    families: ClassVar[tuple[str, ...]] = ("riichi",)
    gives_values = True

    def __init__(
        self,
        game: Game,
        hands: int = HANDS,
        payoff: str = RANK,
        inclusive: int = Manner.inclusive,
        reach: int = Manner.reach,
        experts: float = Manner.experts,
        dealing: str = Manner.dealing,
        seconds: float | None = None,
    ) -> None:
        super().__init__(game)
        check_options(hands, payoff, inclusive, reach, experts, dealing)
        self.hands = BUDGET.hands(hands, seconds)
        self.seconds = BUDGET.seconds(self.hands)
        self.payoff = payoff
        say = experts * (1.0 if payoff == RANK else POINTS_A_RANK)
        self._desk = new_desk(game.rules, self.hands, Manner(inclusive, reach, say, dealing))
        self._payoffs = PayoffTables(game.rules)

    def act(self, asked: Asked) -> Array:
        """Value every decision that needs thought."""
        out = np.zeros(len(asked), np.int64)
        answer_views(asked.views, self.payoffs(asked.views), self._desk, out)
        return out

    def payoffs(self, views: Array, payoff: str | None = None) -> Array:
        """Payoff tables of views, PAYOFF_DTYPE[m], for `payoff` or the agent's own."""
        return self._payoffs.of_views(views, payoff or self.payoff)

    # --- values and explanations

    def values(self, views: Array) -> list[ActionValues]:
        """The value of every action considered in each view, and how often experts choose it."""
        return [self._values(views[i : i + 1]) for i in range(len(views))]

    def _values(self, views: Array) -> ActionValues:
        found = self.judge(views)
        known = found[found["worth"] > UNKNOWN]
        values = best_values(known["action"].tolist(), worths_of(known, self.payoff).tolist())
        return ActionValues(self.payoff, values, expert_chances(found, views[0], self._desk))

    def judge(self, views: Array, payoff: str | None = None) -> Array:
        """The candidates of one view, CANDIDATE_DTYPE[n], with their values and chances under a payoff."""
        count, _ = judge_view(views, self.payoffs(views, payoff), True, self._desk)
        return np.array(self._desk.candidates[:count])

    def explain(self, views: Array) -> list[Explanation]:
        """For each view: every candidate's value, the chances of each outcome, and the best line."""
        return [self._explain(views[i : i + 1]) for i in range(len(views))]

    def _explain(self, views: Array) -> Explanation:
        by_payoff = {payoff: self.judge(views, payoff) for payoff in PAYOFFS}
        found, names = by_payoff[self.payoff], self.game.action_names
        often = expert_chances(by_payoff[RANK], views[0], self._desk)
        order = best_first(found, self.answer(views[0]))
        choices = {i: choice_of(i, by_payoff, self.payoff, self._desk, names, often) for i in order}
        tenpai = tuple(float(x) for x in self._desk.models.table[0]["tenpai"])
        steps = self._line(views, found[order[0]])
        return Explanation(tuple(choices[i] for i in order), tenpai, steps, self.payoff)

    def _line(self, views: Array, candidate: Array) -> tuple[Phrase, ...]:
        """The best line after the chosen action."""
        plain = without_kans(views)
        self.judge(plain)
        return line_of(candidate, plain[0], self._desk)


def check_options(hands: int, payoff: str, inclusive: int, reach: int, experts: float, dealing: str) -> None:
    """Refuse invalid options."""
    if hands != 0 and hands < LEAST_HANDS:
        raise ValueError(f"agent mdp: hands must be {LEAST_HANDS} or more, not {hands}")
    if payoff not in PAYOFFS:
        raise ValueError(f"agent mdp: payoff must be one of {', '.join(PAYOFFS)}, not {payoff!r}")
    if inclusive < 0 or reach < 0:
        raise ValueError(f"agent mdp: inclusive and reach are shanten, 0 or more, not {inclusive} and {reach}")
    if not experts >= 0:
        raise ValueError(f"agent mdp: experts must be 0 or more, not {experts}")
    if dealing not in METHODS:
        raise ValueError(f"agent mdp: dealing must be one of {', '.join(METHODS)}, not {dealing!r}")
