"""A loss is the difference of values against the best choice: never negative, never over three places."""

from __future__ import annotations

from math import isnan, nan

import numpy as np
import pytest

from janshi.agents.base import Agent
from janshi.agents.explain import Choice, Explanation
from janshi.agents.loss import CLOSE, ActionValues, action_values, values_of


def told(*rows: tuple[int, float, float], unit: str = "rank") -> Explanation:
    choices = (Choice(action, "", {"score": 7.0}, (), worth, experts) for action, worth, experts in rows)
    return Explanation(tuple(choices), (), unit=unit)


def test_the_loss_is_against_the_highest_value():
    values = action_values(told((3, -2.50, 0.6), (7, -2.44, 0.3), (9, -2.47, 0.1)))
    assert [values.loss(action) for action in (3, 7, 9)] == pytest.approx([0.06, 0.0, 0.03])
    assert values.best == 7


def test_experts_have_no_say_in_it():
    liked = action_values(told((3, -2.5, 0.99), (7, -2.4, 0.01)))
    disliked = action_values(told((3, -2.5, 0.01), (7, -2.4, 0.99)))
    assert liked.loss(3) == disliked.loss(3) == pytest.approx(0.1)
    assert liked.experts == {3: 0.99, 7: 0.01}


def test_nobody_loses_more_than_three_places():
    values = ActionValues("rank", {3: -1.0, 7: -9.0})
    assert values.loss(7) == 3.0
    assert ActionValues("points", {3: 0.0, 7: -9000.0}).loss(7) == 9000.0


def test_equal_values_lose_nothing_and_say_so():
    values = ActionValues("rank", {3: -2.62, 7: -2.62}, {3: 0.2, 7: 0.8})
    assert values.alike
    assert values.loss(3) == values.loss(7) == 0.0
    assert values.best == 7  # experts decide among equals
    assert not ActionValues("rank", {3: -2.62}).alike


def test_ways_to_go_on_count_as_the_best_of_them():
    values = action_values(told((38, -2.5, 0.9), (38, -2.4, 0.9), (3, -2.45, 0.1)))
    assert values.values == {38: -2.4, 3: -2.45}
    assert values.experts == {38: 0.9, 3: 0.1}


def test_what_has_no_value_has_no_loss():
    assert isnan(action_values(told((3, -2.5, nan))).loss(7))
    assert action_values(told((3, nan, nan), (7, -2.5, nan))).values == {}  # nothing to compare with the agent's choice
    assert action_values(told((3, 0.9, 0.9), (7, 0.1, 0.1), unit="")).values == {}


@pytest.mark.parametrize(("own", "advised"), [(-2.4 - 0.9 * CLOSE["rank"], 3), (-2.4 - 1.1 * CLOSE["rank"], 7)])
def test_the_reviewers_own_choice_is_advised_unless_another_is_clearly_better(own: float, advised: int):
    assert ActionValues("rank", {3: own, 7: -2.4}).recommended(3) == advised


class Explainer:
    """Explains, and gives no values otherwise."""

    def explain(self, views):
        return [told((3, -2.5, nan), (7, -2.4, nan)) for _ in views]


class Valuer(Explainer):
    """Gives values without explaining."""

    def values(self, views):
        return [ActionValues("rank", {5: -2.0}) for _ in views]


def test_any_reviewer_plugs_in():
    views = np.zeros(2)
    assert [found.best for found in values_of(Explainer(), views)] == [7, 7]
    assert [found.best for found in values_of(Valuer(), views)] == [5, 5]
    assert not Agent.gives_values
