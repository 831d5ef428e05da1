"""What an agent makes of a decision, as JSON: what each choice loses, how often experts make it, and its numbers."""

from __future__ import annotations

from math import inf, isfinite, nan
from typing import Any, Final, cast

from janshi.agents.explain import Choice, Explanation
from janshi.agents.loss import ActionValues, action_values
from janshi.web.choices import choice_of_view
from janshi.web.phrases import phrases_told
from janshi.web.shapes import Thought, WeighedChoice

DANGERS: Final = ("danger right", "danger across", "danger left")
DISCARDS: Final = ("discard", "tsumogiri")


def thought(game: Any, view: Any, label: str, told: Explanation) -> Thought:
    """An explanation of a decision as JSON; the best first. `loss` is in places or points, by the `unit`, or null.

    The best is what the agent would do, unless another choice is clearly better.
    """
    values = action_values(told)
    best = values.recommended(told.best.action)
    choices = [_choice(game, view, idea, values) for idea in _one_each(told)]
    choices.sort(key=lambda c: (c["action"] != best, inf if c["loss"] is None else c["loss"]))
    return {
        "agent": label,
        "best": best,
        "choices": choices,
        "tenpai": [round(float(chance), 6) for chance in told.tenpai],
        "line": told.line if best == told.best.action else "",
        "steps": phrases_told(told.steps) if best == told.best.action else [],
        "danger": _dangers(choices),
        "unit": told.unit or None,
        "alike": values.alike,
    }


def _one_each(told: Explanation) -> list[Choice]:
    """One choice for each action: of several ways to go on, the best."""
    found: dict[int, Choice] = {}
    for choice in told.choices:
        kept = found.get(choice.action)
        if kept is None or choice.worth > kept.worth:
            found[choice.action] = choice
    return list(found.values())


def _choice(game: Any, view: Any, idea: Choice, values: ActionValues) -> WeighedChoice:
    weighed = {
        **choice_of_view(game, view, idea.action),
        "plan": idea.words,
        "then": phrases_told(idea.then),
        "loss": _number(values.loss(idea.action)),
        "experts": _number(values.experts.get(idea.action, nan)),
        "numbers": {name: _number(value) for name, value in idea.numbers.items()},
    }
    return cast(WeighedChoice, weighed)


def _number(value: float) -> float | None:
    return round(float(value), 6) if isfinite(value) else None


def _dangers(choices: list[WeighedChoice]) -> dict[str, float] | None:
    """The chance that each discard deals in to anybody, if the agent tells."""
    found: dict[str, float] = {}
    for choice in choices:
        numbers = [number for name in DANGERS if (number := choice["numbers"].get(name)) is not None]
        if choice["kind"] in DISCARDS and choice["tile"] and len(numbers) == len(DANGERS):
            safe = 1.0
            for number in numbers:
                safe *= 1.0 - number
            found.setdefault(choice["tile"], round(1.0 - safe, 6))
    return found or None
