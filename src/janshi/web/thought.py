"""What an agent makes of a decision, as JSON: each choice with its value, what it loses, and the agent's numbers."""

from __future__ import annotations

from math import isfinite
from typing import Any, Final, cast

from janshi.agents.explain import Explanation
from janshi.web.choices import choice_of_view
from janshi.web.live.agents import UNITS
from janshi.web.phrases import phrases_told
from janshi.web.shapes import Thought, WeighedChoice

VALUES: Final = ("score", "points", "value", "probability")
"""The number by which an agent orders its choices: the first of these that it tells."""
DANGERS: Final = ("danger right", "danger across", "danger left")
DISCARDS: Final = ("discard", "tsumogiri")


def thought(game: Any, view: Any, label: str, told: Explanation) -> Thought:
    """An explanation of a decision as JSON; best first, `loss` in the agent's `unit`, never negative."""
    choices: list[WeighedChoice] = []
    seen: set[int] = set()
    for idea in told.choices:
        if idea.action in seen:
            continue  # the same action with another intention, which is worth less
        seen.add(idea.action)
        numbers = {name: _number(value) for name, value in idea.numbers.items()}
        value = next((numbers[name] for name in VALUES if name in numbers), None)
        plain = choice_of_view(game, view, idea.action)
        meant = {"plan": idea.words, "then": phrases_told(idea.then)}
        weighed = {**plain, **meant, "value": value, "loss": None, "numbers": numbers}
        choices.append(cast(WeighedChoice, weighed))
    best = choices[0]["value"]
    for choice in choices:
        if best is not None and choice["value"] is not None:
            choice["loss"] = max(0.0, best - choice["value"])
    return {
        "agent": label,
        "best": choices[0]["action"],
        "choices": choices,
        "tenpai": [round(float(chance), 6) for chance in told.tenpai],
        "line": told.line,
        "steps": phrases_told(told.steps),
        "danger": _dangers(choices),
        "unit": _unit(label),
    }


def _unit(label: str) -> str | None:
    name = label.partition(":")[0]
    return "points (thousands)" if "payoff=points" in label else UNITS.get(name)


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
