"""What training needs to know about each family of rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from janshi.rules.layer import Layer


@dataclass(frozen=True, slots=True)
class LearnFamily:
    """A family of rules as training sees it."""

    reward_scale: float = 0.1
    """Reward per point of the final score: about one over the standard deviation of a hand's scores."""
    decisions_of_hand: int = 100
    """A generous upper bound on the decisions of a hand: the space for unfinished hands."""
    races: bool = False
    """Whether there are races (`race.py`)."""
    plans: bool = False
    """Whether there are planes of plans, `<family>+plans`."""
    minimum_fan: bool = False
    """Whether its rules have a `minimum_fan` that a run may change."""


LEARN_LAYER: Final = Layer("learn", LearnFamily())
