"""What learning needs to know of a family of rules beside its encoder: how large rewards are and how long hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from janshi.rules.layer import Layer


@dataclass(frozen=True, slots=True)
class LearnFamily:
    """A family of rules as self-play knows it."""

    reward_scale: float = 0.0
    """The reward of a point: about one over the spread of a hand's scores. 0: the family is not learned."""
    decisions: int = 0
    """Decisions of a hand, generously: how much room unfinished hands need."""
    races: bool = False
    """Whether there are races (`race.py`)."""
    plans: bool = False
    """Whether there are planes of plans, `<family>+plans`."""
    minimum_fan: bool = False
    """Whether rules have a `minimum_fan` that a run may change."""


LEARN: Final = Layer("learn", LearnFamily())
