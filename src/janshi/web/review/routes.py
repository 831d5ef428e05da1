"""The routes of reviews: upload, progress, decisions, quiz, luck, export.

Anyone who knows a review's id can read it: that is how shared links work. Only the browser that uploaded it finds it in
its list, and may cancel or delete it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final, Literal, cast

from fastapi import APIRouter, FastAPI, File, Form, Path, Query, Request, UploadFile
from fastapi.responses import HTMLResponse, Response
from pydantic import BaseModel, Field

from janshi.web.errors import ERRORS, Refused
from janshi.web.families import family_of_format, reviews
from janshi.web.owner import Owner
from janshi.web.problems import Impossible, problem
from janshi.web.quotas import Quotas
from janshi.web.review import quiz
from janshi.web.review.content import MAX_BYTES, NotARecord, TooLarge, find_format, unpack
from janshi.web.review.export import html_of
from janshi.web.review.games import PLAYERS
from janshi.web.review.luck import is_available, not_available
from janshi.web.review.plans import group, rates
from janshi.web.review.reviewers import check_label, menu, reviewer_of
from janshi.web.review.runner import Runner
from janshi.web.review.score_card import norms_of, norms_text, score_cards, truth_text
from janshi.web.review.shapes import (
    Cleared,
    DecisionList,
    DecisionText,
    Deleted,
    LuckText,
    QuizBegun,
    QuizState,
    QuizVerdict,
    ReviewerMenu,
    ReviewList,
    ReviewNews,
    ReviewState,
    ReviewText,
    StateText,
    WhyText,
)
from janshi.web.review.store import CANCELLED, DONE, FAILED, UNFINISHED, WAITING, Attempt, Review, ReviewStore
from janshi.web.review.why.facts import why_of
from janshi.web.traits import all_traits

DATABASE: Final = "reviews.sqlite"
MOST_REVIEWS: Final = 20_000
BATCH: Final = 100
"""Maximum number of decisions in one response."""
LONGEST_NAME: Final = 80
CHANGING: Final = ("state", "message", "problem", "ahead", "total", "done", "mine", "rows", "plans", "rates", "cards")
"""What changes while a review is running."""
MOST_REASONS: Final = 100
"""Decisions whose facts an export contains."""
LUCK_SECONDS: Final = 20.0
"""Seconds that an export waits for luck that is still being measured."""

Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{8,40}$")]
Number = Annotated[int, Path(ge=0, le=100_000)]
Json = dict[str, Any]


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the store and continue unfinished reviews; end all workers with the server."""
    store = ReviewStore(app.state.settings.data / DATABASE)
    app.state.reviews = runner = Runner(store)
    runner.start()
    try:
        yield
    finally:
        await runner.stop()
        store.close()


router = APIRouter(prefix="/api/reviews", tags=["review"], responses=ERRORS, lifespan=lifespan)


def runner_of(request: Request) -> Runner:
    """The app's runner."""
    return request.app.state.reviews  # type: ignore[no-any-return]


def found(request: Request, id: str) -> Review:
    """A review, or 404."""
    review = runner_of(request).store.get(id)
    if review is None:
        raise Refused("review_not_found", 404)
    return review


def own(request: Request, id: str, owner: str) -> Review:
    """A review of this browser."""
    review = found(request, id)
    if review.owner != owner:
        raise Refused("review_not_yours", 403)
    return review


# --- making reviews


class Made(BaseModel):
    """A review that has been started."""

    id: str
    url: str = Field(description="Address of its page on this server; it may be shared.")
    total: int = Field(description="Number of decisions to be reviewed.")


class Again(BaseModel):
    """A review of the same game by another agent or for another seat."""

    agent: str = Field("", max_length=60)
    seat: Literal["all", "0", "1", "2", "3"] = "all"


@router.get("/agents")
def agents() -> dict[str, ReviewerMenu]:
    """Who can review games, by family of rules."""
    return menu()


@router.get("")
def listed(request: Request, owner: Owner) -> ReviewList:
    """The reviews of this browser, newest first."""
    return {"reviews": runner_of(request).store.of_owner(owner)}


@router.post("", status_code=201)
async def upload(
    request: Request,
    owner: Owner,
    file: Annotated[UploadFile | None, File(description="A recorded game.")] = None,
    text: Annotated[str, Form(description="A recorded game, pasted.", max_length=MAX_BYTES)] = "",
    agent: Annotated[str, Form(max_length=60)] = "",
    seat: Annotated[
        Literal["all", "none", "0", "1", "2", "3"], Form(description="Whom to review; `none` only to watch the game.")
    ] = "all",
) -> Made:
    """Upload a game (mjlog, tenhou.net/6 JSON, mjai lines, Botzone's text or match log) and begin its review."""
    named = file is not None and bool(file.filename)
    content = await file.read(MAX_BYTES + 1) if file is not None and named else text.encode("utf-8", "replace")
    name = tidy_name(file.filename if file is not None and named else "")
    record = read_upload(content)
    format = format_of(record)
    runner = runner_of(request)
    check_room(request, owner)
    label = checked_label(agent, family_of_format(format))
    head = await runner.read(record, format, name)
    return begin(runner, owner, name, record, label, seat, head)


@router.post("/{id}/again", status_code=201)
def again(request: Request, id: Id, owner: Owner, wanted: Again) -> Made:
    """Review the same game by another agent, or for another seat."""
    review, runner = found(request, id), runner_of(request)
    check_room(request, owner)
    label = checked_label(wanted.agent, review.family)
    return begin(runner, owner, review.name, runner.store.text(id), label, wanted.seat, review.head)


def begin(runner: Runner, owner: str, name: str, record: str, label: str, seat: str, head: Json) -> Made:
    """Store a review and queue it."""
    everybody = list(range(PLAYERS))
    seats = everybody if seat == "all" else [] if seat == "none" else [int(seat)]
    total = sum(hand["decisions"][s] for hand in head["hands"] for s in seats)
    id = runner.store.add(owner, name, record, label, seats, head, total)
    if seats:
        runner.add(id)
    else:
        runner.store.set_state(id, DONE)
    return Made(id=id, url=f"#/review/{id}", total=total)


def read_upload(content: bytes) -> str:
    """The text of an upload, or a refusal."""
    try:
        return unpack(content)
    except TooLarge as refused:
        raise Refused(refused.problem, 413) from None
    except NotARecord as refused:
        raise Refused(refused.problem, 422) from None


def format_of(text: str) -> str:
    """The format of a text, or a refusal."""
    try:
        return find_format(text)
    except NotARecord as refused:
        raise Refused(refused.problem, 422) from None


def checked_label(label: str, family: str) -> str:
    """The label of a reviewer, or a refusal."""
    try:
        return check_label(label, family)
    except Impossible as refused:
        raise Refused(refused.problem, 422) from None


def check_room(request: Request, owner: str) -> None:
    """Refuse a new review if there is no room for it, on the server or in the browser's quota."""
    runner = runner_of(request)
    runner.check_room()
    quotas: Quotas = request.app.state.settings.quotas
    quotas.check_reviews(*runner.store.used_by(owner))
    if runner.store.count() >= MOST_REVIEWS:
        raise Refused("too_many_reviews", 503)


def tidy_name(name: str | None) -> str:
    """A file's name for people to read: its last part, without odd characters."""
    last = re.split(r"[/\\]", name or "")[-1]
    plain = "".join(letter for letter in last if letter.isprintable())
    return plain[:LONGEST_NAME] or "pasted"


# --- reading reviews


@router.get("/{id}")
def review(
    request: Request,
    id: Id,
    owner: Owner,
    since: Annotated[int, Query(ge=0, le=100_000)] = 0,
    short: Annotated[bool, Query(description="Only what changes while the review is running.")] = False,
) -> ReviewText | ReviewNews:
    """A review so far: the game, decisions in short from `since` on, mistakes as plans, error rates."""
    whole = review_json(runner_of(request), found(request, id), owner, since)
    return cast(ReviewNews, {name: whole[name] for name in CHANGING}) if short else cast(ReviewText, whole)


def review_json(runner: Runner, review: Review, owner: str, since: int = 0) -> Json:
    """A review as the page reads it."""
    rows, by = runner.store.rows(review.id), reviewer_of(review.agent)
    unit = by.unit
    norms = norms_of(review.agent) if unit == "rank" else None
    compared = [row.by_gap() for row in rows] if unit == "probability" else rows
    return {
        "id": review.id,
        "created": review.created,
        "name": review.name,
        "agent": review.agent,
        "unit": unit,
        "everything": by.everything,
        "bad": by.bad,
        "seats": list(review.seats),
        "state": review.state,
        "message": review.message,
        "problem": review.problem,
        "ahead": runner.ahead_of(review.id),
        "total": review.total,
        "done": len(rows),
        "mine": review.owner == owner,
        **review.head,
        "rows": [row._asdict() for row in rows if row.number >= since],
        "plans": [plan.as_json() for plan in group(compared)],
        "rates": rates(rows),
        "cards": score_cards(rows, len(review.head["hands"]), by, norms),
        "norms": norms_text(norms),
        "truth": truth_text(review.agent),
    }


@router.get("/{id}/decisions/{number}")
def decision(request: Request, id: Id, number: Number) -> DecisionText:
    """A decision in full: position, choices with values, opponents."""
    found(request, id)
    whole = runner_of(request).store.decision(id, number)
    if whole is None:
        raise Refused("decision_not_found", 404)
    return whole


@router.get("/{id}/decisions/{number}/why")
def why(
    request: Request, id: Id, number: Number, action: Annotated[int | None, Query(ge=0, le=1_000)] = None
) -> WhyText:
    """The facts behind a decision: shape, value and danger of each choice, and what the scores ask for.

    Values are those of the choice played, of the reviewer's, and of `action`.
    """
    return why_of(decision(request, id, number), action)


@router.get("/{id}/decisions")
def decisions(
    request: Request,
    id: Id,
    first: Annotated[int, Query(ge=0, le=100_000)] = 0,
    count: Annotated[int, Query(ge=1, le=BATCH)] = 20,
) -> DecisionList:
    """Several decisions in full."""
    found(request, id)
    return {"decisions": runner_of(request).store.decisions(id, first, count)}


@router.get("/{id}/luck")
async def luck(request: Request, id: Id) -> LuckText:
    """How lucky the players were: `available`, or `running` while it is measured, or why it cannot be measured."""
    review, runner = found(request, id), runner_of(request)
    if not reviews()[review.family].luck:
        return not_available(problem("luck_riichi_only"))
    known = runner.store.luck(id)
    if known is not None:
        return known
    if not is_available():
        return not_available(problem("luck_not_installed"))
    runner.measure_luck(id)
    return {"available": False, "running": True}


@router.get(
    "/{id}/export",
    response_class=Response,
    responses={200: {"description": "one HTML file", "content": {"text/html": {"schema": {"type": "string"}}}}},
)
async def export(request: Request, id: Id) -> HTMLResponse:
    """The review as one HTML file that needs no server."""
    review, runner = found(request, id), runner_of(request)
    if reviews()[review.family].luck and runner.store.luck(id) is None and is_available():
        await asyncio.wait([runner.measure_luck(id)], timeout=LUCK_SECONDS)
    page = await asyncio.to_thread(exported, runner, review)
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", review.name).strip("._") or "game"
    headers = {"Content-Disposition": f'attachment; filename="janshi-review-{name[:60]}.html"'}
    return HTMLResponse(page, headers=headers)


def exported(runner: Runner, review: Review) -> str:
    """The text of the exported file."""
    data = {
        "review": review_json(runner, review, ""),
        "decisions": runner.store.decisions(review.id, 0, review.total),
        "luck": runner.store.luck(review.id) or not_available(problem("luck_not_measured")),
        "why": reasons(runner, review),
        "families": all_traits().model_dump(),
    }
    return html_of(data, f"{review.name} – Janshi")


def reasons(runner: Runner, review: Review) -> dict[str, WhyText]:
    """The facts behind the decisions on which player and reviewer differ, the dearest ones first."""
    differ = [row for row in runner.store.rows(review.id) if not row.agreed]
    differ.sort(key=lambda row: -(row.loss or row.gap or 0.0))
    wanted = sorted(row.number for row in differ[:MOST_REASONS])
    found = ((number, runner.store.decision(review.id, number)) for number in wanted)
    return {str(number): why_of(decision) for number, decision in found if decision is not None}


# --- changing reviews


@router.post("/{id}/cancel")
async def cancel(request: Request, id: Id, owner: Owner) -> StateText:
    """Stop a review; what is known so far is kept."""
    own(request, id, owner)
    await runner_of(request).cancel(id)
    return {"state": cast(ReviewState, found(request, id).state)}


@router.post("/{id}/resume")
def resume(request: Request, id: Id, owner: Owner) -> StateText:
    """Continue a review that was cancelled or failed."""
    review, runner = own(request, id, owner), runner_of(request)
    if review.state in (CANCELLED, FAILED):
        runner.check_room()
        runner.store.set_state(id, WAITING)
        runner.add(id)
    return {"state": cast(ReviewState, found(request, id).state)}


@router.delete("")
def clear(
    request: Request,
    owner: Owner,
    keep: Annotated[int, Query(ge=0, le=100_000, description="How many of the newest reviews to keep.")] = 0,
) -> Cleared:
    """Delete this browser's old reviews; those still being worked on are kept."""
    store = runner_of(request).store
    old = store.older_than(owner, keep)
    for id in old:
        store.delete(id)
    return {"deleted": len(old)}


@router.delete("/{id}")
async def delete(request: Request, id: Id, owner: Owner) -> Deleted:
    """Delete a review."""
    own(request, id, owner)
    runner = runner_of(request)
    await runner.cancel(id)
    runner.store.delete(id)
    return {"deleted": id}


# --- quiz


class QuizWanted(BaseModel):
    """Whose decisions are asked about, and which."""

    seat: int = Field(ge=0, lt=PLAYERS)
    pick: Literal["all", "stakes"] = "all"


class QuizAnswer(BaseModel):
    """An answer to a question."""

    number: int = Field(ge=0, le=100_000)
    action: int = Field(ge=0, le=1_000)


@router.post("/{id}/quiz", status_code=201)
def begin_quiz(request: Request, id: Id, wanted: QuizWanted) -> QuizBegun:
    """Start a quiz on the decisions of a reviewed seat."""
    review, store = found(request, id), runner_of(request).store
    if wanted.seat not in review.seats:
        raise Refused("seat_not_reviewed", 422)
    return {"quiz": store.begin_quiz(id, wanted.seat, wanted.pick)}


def attempted(request: Request, id: str, attempt: str) -> tuple[Review, Attempt]:
    """A review and the answers to its quiz."""
    review = found(request, id)
    given = runner_of(request).store.quiz(id, attempt)
    if given is None:
        raise Refused("quiz_not_found", 404)
    return review, given


@router.get("/{id}/quiz/{attempt}")
def next_question(request: Request, id: Id, attempt: Id) -> QuizState:
    """The next question and the score so far; the question is null when there is none (yet)."""
    review, given = attempted(request, id, attempt)
    return quiz_state(runner_of(request).store, review, given)


def quiz_state(store: ReviewStore, review: Review, given: Attempt) -> QuizState:
    """The score of an attempt, and its next question."""
    unit = reviewer_of(review.agent).unit
    numbers = quiz.questions(store, given, unit)
    following = next((number for number in numbers if number not in given.answers), None)
    whole = None if following is None else store.decision(review.id, following)
    answered = [(store.decision(review.id, number), action) for number, action in given.answers.items()]
    return {
        "question": None if whole is None else quiz.question_of(whole),
        "questions": len(numbers),
        "finished": following is None and review.state not in UNFINISHED,
        "score": quiz.score([(d, action) for d, action in answered if d is not None], unit),
    }


@router.post("/{id}/quiz/{attempt}")
def answer_question(request: Request, id: Id, attempt: Id, answer: QuizAnswer) -> QuizVerdict:
    """Answer the next question. Only this response shows the action played and the reviewer's opinion."""
    review, given = attempted(request, id, attempt)
    store, unit = runner_of(request).store, reviewer_of(review.agent).unit
    numbers = quiz.questions(store, given, unit)
    following = next((number for number in numbers if number not in given.answers), None)
    if answer.number != following:
        raise Refused("quiz_other_question", 409)
    whole = store.decision(id, answer.number)
    if whole is None or answer.action not in [choice["action"] for choice in whole["choices"]]:
        raise Refused("quiz_no_such_choice", 422)
    answers = {**given.answers, answer.number: answer.action}
    store.set_answers(attempt, answers)
    answered = [(store.decision(id, number), action) for number, action in answers.items()]
    cost = quiz.answer_cost(whole, answer.action, unit)
    return {
        "decision": whole,
        "action": answer.action,
        "loss": cost,
        "as_good": quiz.is_as_good(cost, unit),
        "score": quiz.score([(d, action) for d, action in answered if d is not None], unit),
    }
