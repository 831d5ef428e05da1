"""Guobiao's encoders: planes, and planes with plans."""

from __future__ import annotations

from typing import Final

from janshi.features.families import FeaturesFamily

FAMILY: Final = FeaturesFamily(
    {"": "janshi.features.guobiao.planes:PLANES", "plans": "janshi.features.guobiao.plan_planes:PLANES"}
)
