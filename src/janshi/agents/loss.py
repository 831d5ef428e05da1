"""The loss of a choice: the expected final rank or the points it gives up compared with the best choice.

A reviewer values each action it considered and may also estimate how often experts choose it: through `values(views)`,
or in its explanations (`Choice.worth`, `Choice.experts`). A learned network is a reviewer like any other. The two
figures are never mixed: experts' frequencies do not affect a loss.

>>> values = ActionValues("rank", {3: -2.41, 7: -2.45}, {3: 0.7, 7: 0.3})
>>> values.best, round(values.loss(7), 2), values.loss(3), round(values.stake, 2)
(3, 0.04, 0.0, 0.02)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan, nan
from typing import Any, Final, Protocol, runtime_checkable

from janshi.agents.explain import Explanation
from janshi.rules.game import Array

RANK, POINTS, HAND_POINTS = "rank", "points", "hand_points"
UNITS: Final = (RANK, POINTS, HAND_POINTS)
"""Units of a loss: places of the expected final rank; points of riichi; points of a hand of Guobiao."""
MOST: Final = {RANK: 3.0}
"""The largest possible loss: from first place to last."""
SAME: Final = 1e-9
"""Values that differ by less are equal."""
CLOSE: Final = {RANK: 0.005, POINTS: 50.0, HAND_POINTS: 0.5}
"""Differences below this are within the error of any reviewer's values, so the choices count as about equally good."""


@dataclass(frozen=True, slots=True)
class ActionValues:
    """A reviewer's values of the actions of a decision."""

    unit: str
    """One of `UNITS`; empty if the reviewer puts no value on choices."""
    values: Mapping[int, float]
    """By action; higher is better. Actions without a value are left out."""
    experts: Mapping[int, float] = field(default_factory=dict)
    """How often experts choose an action; empty if the reviewer does not know."""

    @property
    def best(self) -> int | None:
        """The action with the highest value; among equals, the one that experts choose most often."""
        if not self.values:
            return None
        highest = max(self.values.values())
        equal = [action for action, value in self.values.items() if value >= highest - SAME]
        return max(equal, key=lambda action: self.experts.get(action, 0.0))

    def recommended(self, chosen: int) -> int:
        """The action to recommend: the reviewer's own, unless another is clearly better."""
        return chosen if self.best is None or not self.loss(chosen) > CLOSE[self.unit] else self.best

    @property
    def alike(self) -> bool:
        """Whether all values are the same, so that the reviewer cannot say which choice is better."""
        return len(self.values) > 1 and max(self.values.values()) - min(self.values.values()) <= SAME

    @property
    def stake(self) -> float:
        """The average loss of a random choice among the valued actions; NaN if none has a value."""
        losses = [self.loss_of_value(value) for value in self.values.values()]
        return sum(losses) / len(losses) if losses else nan

    def loss(self, action: int) -> float:
        """The loss of an action; NaN if it has no value."""
        return self.loss_of_value(self.values.get(action, nan))

    def loss_of_value(self, value: float) -> float:
        """The loss of an action with this value: from zero to the maximum of the unit."""
        if isnan(value) or not self.values:
            return nan
        lost = max(self.values.values()) - value
        return min(max(0.0, lost), MOST.get(self.unit, lost)) if lost > SAME else 0.0


@runtime_checkable
class GivesValues(Protocol):
    """A reviewer that can value actions without explaining itself, which is faster."""

    def values(self, views: Array) -> list[ActionValues]:
        """The values of each view's actions."""


def values_of(agent: Any, views: Array) -> list[ActionValues]:
    """The values of each view's actions, from any agent that gives values."""
    if isinstance(agent, GivesValues):
        return agent.values(views)
    return [action_values(found) for found in agent.explain(views)]


def action_values(found: Explanation) -> ActionValues:
    """The values of an explanation by action.

    Empty if the agent has no value for its own choice, because then there is nothing to compare with.
    """
    known = [choice for choice in found.choices if found.unit and not isnan(choice.worth)]
    values = best_values([choice.action for choice in known], [choice.worth for choice in known])
    experts = {choice.action: choice.experts for choice in found.choices if not isnan(choice.experts)}
    return ActionValues(found.unit, values if found.best.action in values else {}, experts)


def best_values(actions: Sequence[int], worths: Sequence[float]) -> dict[int, float]:
    """The value of each action; if it can continue in several ways, the best one counts."""
    values: dict[int, float] = {}
    for action, worth in zip(actions, worths):
        values[action] = max(worth, values.get(action, worth))
    return values
