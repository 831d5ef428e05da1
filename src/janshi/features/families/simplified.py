"""The simplified game's encoder: planes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from janshi.features.families import FeaturesFamily

if TYPE_CHECKING:
    from janshi.features.planes import PlaneSet


def _planes() -> PlaneSet:
    from janshi.features.simplified.planes import PLANES

    return PLANES


FAMILY: Final = FeaturesFamily({"": _planes}, stale_draw="after_kong")
