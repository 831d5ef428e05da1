"""The forms of what the routes of practice answer."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from janshi.web.review.shapes import DecisionText, QuizQuestion, TruthText, Unit, WhyText

Source = Literal["daily", "due", "own", "expert"]
DrillKind = Literal["efficiency", "defence"]


class DayText(TypedDict):
    """What was answered on a day (ISO date)."""

    day: str
    answered: int
    right: int


class DrillResult(TypedDict):
    """The result of one drill."""

    day: str
    right: int
    answered: int
    seconds: int


class PracticeOverview(TypedDict):
    """Where somebody stands: the daily problem, problems to repeat, boxes, days, drills.

    `daily`: whether today's problem was answered right at first, null before the first answer; `streak`: days in a row
    with a daily problem; `boxes`: problems in each box, the last number being those learned.
    """

    today: str
    daily: bool | None
    streak: int
    due: int
    own: int
    expert: int
    boxes: list[int]
    days: list[DayText]
    drills: dict[str, list[DrillResult]]


class PracticeProblem(TypedDict):
    """A problem without its answer."""

    id: str
    question: QuizQuestion
    own: bool
    box: int | None


class NextProblem(TypedDict):
    """The next problem of a source; null if there is none."""

    problem: PracticeProblem | None


class VerdictText(TypedDict):
    """What an answer was worth and why, and when the problem comes again (ISO date; null if it is learned)."""

    right: bool
    loss: float | None
    decision: DecisionText
    family: str
    unit: Unit
    agent: str
    everything: bool
    truth: TruthText | None
    why: WhyText
    box: int
    due: str | None


class DrillRow(TypedDict):
    """One discard of a drill: efficiency has `shanten` and `left` (useful tiles), defence `danger`."""

    tile: str
    right: bool
    shanten: int | None
    left: int | None
    danger: float | None


class DrillQuestion(TypedDict):
    """A question of a drill: a hand, or a position with its choices."""

    number: int
    hand: list[str] | None
    question: QuizQuestion | None


class DrillVerdict(TypedDict):
    """Whether a discard was right, and all discards, the best first."""

    right: bool
    rows: list[DrillRow]


class Done(TypedDict):
    """Something was stored or deleted."""

    ok: bool
