"""What encoders need to know of a family of rules: where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from janshi.rules.layer import Layer


@dataclass(frozen=True, slots=True)
class FeaturesFamily:
    """A family of rules as features know it."""

    encoders: Mapping[str, str] = field(default_factory=dict)
    """Where its encoders stand, by what they add to the plain one, which is called "" (`module:name`).

    What stands there is the `PlaneSet` of a game, or an encoder of its own making.
    """


FEATURES_LAYER: Final = Layer("features", FeaturesFamily())
