"""Guobiao's encoders: planes, and planes with plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from janshi.features.families import FeaturesFamily

if TYPE_CHECKING:
    from janshi.features.planes import PlaneSet
    from janshi.features.prospects import ProspectSet


def _planes() -> PlaneSet:
    from janshi.features.guobiao.planes import PLANES

    return PLANES


def _plan_planes() -> PlaneSet:
    from janshi.features.guobiao.plan_planes import PLANES

    return PLANES


def _prospects() -> ProspectSet:
    from janshi.features.guobiao.prospects import PROSPECTS

    return PROSPECTS


FAMILY: Final = FeaturesFamily({"": _planes, "plans": _plan_planes}, prospects=_prospects)
