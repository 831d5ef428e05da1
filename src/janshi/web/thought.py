"""An agent's opinion of a decision, as JSON: the loss of each choice, how often experts make it, and its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isfinite, nan, prod
from typing import Any, Final, cast

import numpy as np

from janshi.agents.explain import Choice, Explanation
from janshi.agents.loss import ActionValues, action_values
from janshi.web.choices import choice_of_view, twin_key
from janshi.web.phrases import phrases_json
from janshi.web.shapes import Thought, WeighedChoice

DANGER: Final = "danger"
DANGERS: Final = ("danger right", "danger across", "danger left")
DISCARDS: Final = ("discard", "tsumogiri")


def thought(game: Any, view: Any, label: str, explanation: Explanation) -> Thought:
    """An explanation of a decision as JSON; the best first. `loss` is in places or points, by the `unit`, or null.

    The best is what the agent would do, unless another choice is clearly better.
    """
    values = action_values(explanation)
    best = values.recommended(explanation.best.action)
    choices = [_choice(game, view, idea, values) for idea in _one_each(explanation)]
    choices += _not_considered(game, view, choices)
    choices.sort(key=lambda c: (c["action"] != best, inf if c["loss"] is None else c["loss"]))
    return {
        "agent": label,
        "best": best,
        "choices": choices,
        "tenpai": [round(float(chance), 6) for chance in explanation.tenpai],
        "line": explanation.line if best == explanation.best.action else "",
        "steps": phrases_json(explanation.steps) if best == explanation.best.action else [],
        "danger": _dangers(choices),
        "unit": explanation.unit or None,
        "alike": values.alike,
    }


def _one_each(explanation: Explanation) -> list[Choice]:
    """One choice for each action: if it can continue in several ways, the best."""
    found: dict[int, Choice] = {}
    for choice in explanation.choices:
        kept = found.get(choice.action)
        if kept is None or choice.worth > kept.worth:
            found[choice.action] = choice
    return list(found.values())


def _not_considered(game: Any, view: Any, considered: Sequence[WeighedChoice]) -> list[WeighedChoice]:
    """Legal choices that the agent says nothing about, such as calls of a hand that is too far from a win."""
    known = {twin_key(choice) for choice in considered}
    views = np.zeros(1, game.view_dtype)
    views[0] = view
    legal = [choice_of_view(game, view, int(action)) for action in np.flatnonzero(game.masks_of_views(views)[0])]
    nothing: dict[str, Any] = {"plan": "", "then": [], "loss": None, "experts": None, "numbers": {}}
    return [cast(WeighedChoice, {**choice, **nothing}) for choice in legal if twin_key(choice) not in known]


def _choice(game: Any, view: Any, idea: Choice, values: ActionValues) -> WeighedChoice:
    weighed = {
        **choice_of_view(game, view, idea.action),
        "plan": idea.words,
        "then": phrases_json(idea.then),
        "loss": _number(values.loss(idea.action)),
        "experts": _number(values.experts.get(idea.action, nan)),
        "numbers": {name: _number(value) for name, value in idea.numbers.items()},
    }
    return cast(WeighedChoice, weighed)


def _number(value: float) -> float | None:
    return round(float(value), 6) if isfinite(value) else None


def _dangers(choices: list[WeighedChoice]) -> dict[str, float] | None:
    """The chance that each discard deals in to anyone, if the agent gives it."""
    found: dict[str, float] = {}
    for choice in choices:
        danger = _danger(choice["numbers"])
        if choice["kind"] in DISCARDS and choice["tile"] and danger is not None:
            found.setdefault(choice["tile"], round(danger, 6))
    return found or None


def _danger(numbers: Mapping[str, float | None]) -> float | None:
    """The chance that a discard deals in to anyone: as it is given, or from the chances by opponent."""
    if DANGER in numbers:
        return numbers[DANGER]
    by_opponent = [number for name in DANGERS if (number := numbers.get(name)) is not None]
    return 1.0 - prod(1.0 - number for number in by_opponent) if len(by_opponent) == len(DANGERS) else None
