"""The traits of all families of rules, for the page."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from janshi.arena.families import ARENA_LAYER, ArenaFamily
from janshi.rules.registry import families
from janshi.web.errors import ERRORS
from janshi.web.families import WEB_LAYER, Traits, WebFamily

router = APIRouter(tags=["live"], responses=ERRORS)


class FamilyTraits(Traits):
    """A family's traits, with those that follow from other facts about it."""

    ranked: bool
    """Whether results are final ranks, not points."""
    hides_kans: bool
    """Whether opponents' concealed kans are face down."""
    chances: bool
    """Whether reviews can ask for the chances after each choice."""


class AllTraits(BaseModel):
    """The traits of each family by its name, and the `usual` ones, those of any other family."""

    families: dict[str, FamilyTraits]
    usual: FamilyTraits


@router.get("/api/families")
def all_traits() -> AllTraits:
    """What the page needs to know about each family of rules."""
    found = {name: _traits_of(ARENA_LAYER.of(one), WEB_LAYER.of(one)) for name, one in families().items()}
    return AllTraits(families=found, usual=_traits_of(ARENA_LAYER.default, WEB_LAYER.default))


def _traits_of(arena: ArenaFamily, web: WebFamily) -> FamilyTraits:
    return FamilyTraits(
        **web.traits.model_dump(),
        ranked=arena.by_rank,
        hides_kans=web.hides_kans,
        chances=web.review is not None and bool(web.review.chances),
    )
