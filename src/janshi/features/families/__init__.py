"""What features need to know about a family of rules: its encoders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from janshi.rules.layer import Layer


@dataclass(frozen=True, slots=True)
class FeaturesFamily:
    """A family of rules as features see it."""

    encoders: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    """Functions that load its encoders, named by their additions; the plain one is called "".

    Each returns the `PlaneSet` of a game, or a complete encoder.
    """
    open_hands: Callable[[], tuple[Any, Callable[..., Any]]] | None = None
    """Loads the `PlaneSet` of inputs with all hands open, and the function that adds to hidden inputs; see
    `features/open_hands.py`. None: the plain planes."""
    prospects: Callable[[], Any] | None = None
    """Loads its `ProspectSet` (`features/prospects.py`). None: luck in points cannot be measured."""
    choices: Callable[[], Any] | None = None
    """Loads the `ProspectSet` of its actions. None: values of actions read planes (`learn/outcome_values.py`)."""


FEATURES_LAYER: Final = Layer("features", FeaturesFamily())
