"""The simplified game's encoder: planes."""

from __future__ import annotations

from typing import Final

from janshi.features.families import FeaturesFamily

FAMILY: Final = FeaturesFamily({"": "janshi.features.simplified.planes:PLANES"})
