"""The routes of recorded games without a reviewer: watch them, and play on from any position."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field

from janshi.rules.registry import find_family
from janshi.web.errors import ERRORS, Refused
from janshi.web.families import WEB_LAYER, reviews
from janshi.web.live.floor import Continued
from janshi.web.live.game import YOU
from janshi.web.live.routes import Begun, begun_game, floor_of
from janshi.web.owner import Owner
from janshi.web.review.games import PLAYERS
from janshi.web.review.parse import MOST_HANDS
from janshi.web.review.routes import Id, Number, found, runner_of
from janshi.web.review.shapes import ChancesText, WatchedHand
from janshi.web.store import Answer

router = APIRouter(prefix="/api/reviews", tags=["review"], responses=ERRORS)


@router.get("/{id}/hands/{hand}")
async def watched(request: Request, id: Id, hand: Annotated[int, Path(ge=0, lt=MOST_HANDS)]) -> WatchedHand:
    """Every position of a hand, with all hands open: to watch the game, reviewed or not."""
    review = found(request, id)
    if hand >= len(review.head["hands"]):
        raise Refused("decision_not_found", 404)
    return {"hand": hand, "moments": await runner_of(request).watch(id, review.format, hand)}


@router.get("/{id}/decisions/{number}/chances")
async def chances(request: Request, id: Id, number: Number) -> ChancesText:
    """How the hand may end after each choice, for reviewers that do not say so. Takes some seconds."""
    review, runner = found(request, id), runner_of(request)
    agent = reviews()[review.family].chances
    if not agent or number >= review.total:
        raise Refused("decision_not_found", 404)
    return {"agent": agent, "choices": await runner.chances(id, review.format, review.seats, number)}


class PlayOn(BaseModel):
    """A position to play on from: a decision by its number, or a moment of a hand; and who plays."""

    number: int | None = Field(None, ge=0, le=100_000, description="A reviewed decision.")
    hand: int = Field(0, ge=0, lt=MOST_HANDS)
    moment: int = Field(0, ge=0, le=1_000, description="A moment of the hand, as `/hands/{hand}` numbers them.")
    seat: int = Field(ge=0, lt=PLAYERS, description="The seat that you take over.")
    name: str = Field("", max_length=40, description="What the person is called.")
    opponents: str = Field("", max_length=120, description="The agent that plays the others; empty: the usual one.")


@router.post("/{id}/play", status_code=201)
async def play_on(request: Request, id: Id, owner: Owner, wanted: PlayOn) -> Begun:
    """Start a game at a position of the record, with its wall and all that happened, against agents."""
    review, runner, floor = found(request, id), runner_of(request), floor_of(request)
    place = {"number": wanted.number, "hand": wanted.hand, "moment": wanted.moment, "seats": list(review.seats)}
    begun = await runner.start_of(id, review.format, place)
    answers = [
        Answer(step, int(seat), action) for step, given in enumerate(begun["steps"]) for seat, action in given.items()
    ]
    others = wanted.opponents or WEB_LAYER.of(find_family(begun["rules"])).warmed[0]
    seats = [YOU if seat == wanted.seat else others for seat in range(PLAYERS)]
    where = Continued(begun["rules"], begun["rounds"], begun["start"], answers)
    return begun_game(await floor.create_continued(owner, seats, where, wanted.name))
