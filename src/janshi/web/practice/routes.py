"""The routes of practice: problems, their answers, drills, progress."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import date
from typing import Annotated, Any, Final

from fastapi import APIRouter, FastAPI, Path, Query, Request
from pydantic import BaseModel, Field

from janshi.web.career.routes import careers_of
from janshi.web.errors import ERRORS, Refused
from janshi.web.owner import Owner
from janshi.web.practice import drills
from janshi.web.practice.problems import (
    OWN,
    SHIPPED,
    UNIT,
    ProblemSet,
    is_problem,
    own_mistakes,
    own_problem,
    read_file,
    shipped,
    verdict,
)
from janshi.web.practice.shapes import (
    Done,
    DrillKind,
    DrillQuestion,
    DrillVerdict,
    NextProblem,
    PracticeOverview,
    PracticeProblem,
    Source,
    VerdictText,
)
from janshi.web.practice.store import PracticeStore
from janshi.web.review.quiz import question_of
from janshi.web.review.reviewers import reviewer_of
from janshi.web.review.score_card import truth_text
from janshi.web.review.shapes import DecisionText
from janshi.web.review.store import ReviewStore
from janshi.web.review.why.facts import why_of

DATABASE: Final = "practice.sqlite"
LONGEST_DRILL: Final = 3600
MOST_ANSWERS: Final = 10_000
SHOWN_DRILLS: Final = 200
LARGEST: Final = 2**31 - 1

Number = Annotated[int, Field(ge=0, le=LARGEST)]


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the store."""
    app.state.practice = store = PracticeStore(app.state.settings.data / DATABASE)
    try:
        yield
    finally:
        store.close()


router = APIRouter(prefix="/api/practice", tags=["practice"], responses=ERRORS, lifespan=lifespan)


class Answer(BaseModel):
    """An answer to a problem."""

    problem: Annotated[str, Field(max_length=80)]
    action: Annotated[int, Field(ge=0, le=1000)]
    daily: bool = Field(False, description="Whether it was asked as the problem of the day.")


class DrillAnswer(BaseModel):
    """A discard in a drill."""

    number: Number
    tile: Annotated[str, Field(max_length=4, examples=["5p"])]


class DrillEnd(BaseModel):
    """The result of a drill."""

    right: Annotated[int, Field(ge=0, le=MOST_ANSWERS)]
    answered: Annotated[int, Field(ge=0, le=MOST_ANSWERS)]
    seconds: Annotated[int, Field(ge=1, le=LONGEST_DRILL)]


# --- what there is


def practice_of(request: Request) -> PracticeStore:
    """The app's store of practice."""
    return request.app.state.practice  # type: ignore[no-any-return]


def reviews_of(request: Request) -> ReviewStore:
    """The app's store of reviews."""
    return request.app.state.reviews.store  # type: ignore[no-any-return]


def expert_problems(request: Request) -> ProblemSet:
    """The problems of a file in the data directory, if there is one, or those of the package."""
    own = request.app.state.settings.data / SHIPPED
    return read_file(own) if own.is_file() else shipped()


def find_problem(request: Request, owner: str, id: str) -> tuple[DecisionText, str] | None:
    """A problem and its reviewer."""
    if id.startswith(OWN):
        return own_problem(reviews_of(request), owner, id)
    problems = expert_problems(request)
    found = problems.problems.get(id)
    return None if found is None else (found, problems.agent)


def mistakes_of(request: Request, owner: str) -> list[str]:
    """Problems from a browser's reviews; its career says by which names it plays."""
    names = careers_of(request).of(owner).names()
    return list(own_mistakes(reviews_of(request), owner, frozenset(names)))


def today() -> int:
    """The number of this day."""
    return date.today().toordinal()


def iso(day: int) -> str:
    """A day number as a date."""
    return date.fromordinal(day).isoformat()


def streak_of(days: Sequence[int], today: int) -> int:
    """How many days in a row, up to today or yesterday, are among `days` (newest first).

    >>> streak_of([10, 9, 7], 10), streak_of([9, 8, 7], 10), streak_of([8], 10)
    (2, 3, 0)
    """
    if not days or days[0] < today - 1:
        return 0
    return next((n for n, day in enumerate(days) if day != days[0] - n), len(days))


@router.get("", summary="Where somebody stands")
def overview(request: Request, owner: Owner) -> PracticeOverview:
    """The daily problem, problems to repeat, boxes, answers by day, drills."""
    store, now = practice_of(request), today()
    known = store.known(owner)
    mistakes = [id for id in mistakes_of(request, owner) if id not in known]
    return {
        "today": iso(now),
        "daily": store.daily_answer(owner, now),
        "streak": streak_of(store.daily_days(owner), now),
        "due": len(store.due(owner, now)),
        "own": len(mistakes),
        "expert": sum(id not in known for id in expert_problems(request).ids),
        "boxes": store.boxes(owner),
        "days": [{"day": iso(day), "answered": count, "right": right} for day, count, right in store.days(owner)],
        "drills": {
            kind: [
                {"day": iso(day), "right": right, "answered": given, "seconds": seconds}
                for day, right, given, seconds in store.drills(owner, kind, SHOWN_DRILLS)
            ]
            for kind in drills.KINDS
        },
    }


# --- problems


@router.get("/next", summary="The next problem of a source")
def next_problem(request: Request, owner: Owner, source: Annotated[Source, Query()] = "due") -> NextProblem:
    """The problem of the day, one that is due again, a mistake of one's own, or a new one from expert play."""
    for id in candidates(request, owner, source):
        found = find_problem(request, owner, id)
        if found is not None and is_problem(found[0]):
            card = practice_of(request).card(owner, id)
            shown: PracticeProblem = {
                "id": id,
                "question": question_of(found[0]),
                "own": id.startswith(OWN),
                "box": card.box if card else None,
            }
            return {"problem": shown}
        practice_of(request).drop(owner, id)
    return {"problem": None}


def candidates(request: Request, owner: str, source: Source) -> list[str]:
    """Ids of the problems that a source would ask next, in order."""
    store, now = practice_of(request), today()
    if source == "daily":
        return [expert_problems(request).daily(now)]
    if source == "due":
        return store.due(owner, now)
    known = store.known(owner)
    ids = mistakes_of(request, owner) if source == "own" else expert_problems(request).ids
    return [id for id in ids if id not in known]


@router.post("/answers", summary="Answer a problem")
def answer(request: Request, owner: Owner, given: Answer) -> VerdictText:
    """What the answer was worth; the problem moves to its new box."""
    found = find_problem(request, owner, given.problem)
    if found is None:
        raise Refused("problem_not_found", 404)
    decision, agent = found
    judged = verdict(decision, given.action)
    if judged is None:
        raise Refused("quiz_no_such_choice", 422)
    right, loss = judged
    card = practice_of(request).answer(owner, given.problem, today(), right=right, loss=loss, daily=given.daily)
    return {
        "right": right,
        "loss": loss,
        "decision": decision,
        "family": decision["position"]["rules"]["family"],
        "unit": UNIT,
        "agent": agent,
        "everything": reviewer_of(agent).everything,
        "truth": truth_text(agent),
        "why": why_of(decision, given.action),
        "box": card.box,
        "due": None if card.due is None else iso(card.due),
    }


# --- drills


@router.get("/drills/{kind}", summary="A question of a drill")
def drill_question(
    request: Request, kind: Annotated[DrillKind, Path()], number: Annotated[int, Query(ge=0, le=LARGEST)]
) -> DrillQuestion:
    """A hand (efficiency) or a position (defence); the same for the same number."""
    if kind == "efficiency":
        tiles = drills.efficiency_hand(number).tiles
        return {"number": number, "hand": [str(tile) for tile in tiles], "question": None}
    return {"number": number, "hand": None, "question": question_of(defence(request, number))}


def defence(request: Request, number: int) -> DecisionText:
    """The position of a question of the defence drill."""
    problems = expert_problems(request)
    id = drills.defence_problem(problems, number)
    if id is None:
        raise Refused("problem_not_found", 404)
    return problems.problems[id]


@router.post("/drills/{kind}", summary="Answer a question of a drill")
def drill_answer(request: Request, kind: Annotated[DrillKind, Path()], given: DrillAnswer) -> DrillVerdict:
    """Whether the discard was right, and what every discard would be worth."""
    if kind == "efficiency":
        rows = drills.efficiency_rows(drills.efficiency_hand(given.number))
    else:
        rows = drills.defence_rows(defence(request, given.number))
    tile = given.tile.replace("0", "5")
    chosen: Any = next((row for row in rows if row["tile"] == tile), None)
    if chosen is None:
        raise Refused("quiz_no_such_choice", 422)
    return {"right": chosen["right"], "rows": rows}


@router.post("/drills/{kind}/results", summary="Store the result of a drill")
def drill_end(request: Request, owner: Owner, kind: Annotated[DrillKind, Path()], given: DrillEnd) -> Done:
    """Store how many answers were right."""
    if given.right > given.answered:
        raise Refused("drill_impossible", 422)
    practice_of(request).add_drill(owner, kind, today(), given.right, given.answered, given.seconds)
    return {"ok": True}


@router.delete("", summary="Forget everything")
def forget(request: Request, owner: Owner) -> Done:
    """Delete all answers and results of this browser."""
    practice_of(request).forget(owner)
    return {"ok": True}
