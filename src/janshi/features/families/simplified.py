"""The simplified game's encoder: planes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from janshi.features.families import FeaturesFamily

if TYPE_CHECKING:
    from janshi.features.planes import PlaneSet
    from janshi.features.prospects import ProspectSet


def _planes() -> PlaneSet:
    from janshi.features.simplified.planes import PLANES

    return PLANES


def _open_hands() -> tuple[PlaneSet, Callable[..., Any]]:
    from janshi.features.simplified.open_hands import OPEN, add_waits

    return OPEN, add_waits


def _prospects() -> ProspectSet:
    from janshi.features.simplified.prospects import PROSPECTS

    return PROSPECTS


def _choices() -> ProspectSet:
    from janshi.features.simplified.choices import CHOICES

    return CHOICES


FAMILY: Final = FeaturesFamily({"": _planes}, open_hands=_open_hands, prospects=_prospects, choices=_choices)
