"""The shapes of a career as JSON. They are types only, from which the page's own are written."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypeAliasType, TypedDict

from janshi.web.problems import ProblemText

Rounds = TypeAliasType("Rounds", Literal["all", "east", "south"])
SortBy = TypeAliasType("SortBy", Literal["played", "luck", "rank", "points"])


class CareerFigure(TypedDict):
    """A figure with its 95 % interval and the number behind it; null if there is nothing to count."""

    value: float | None
    low: float | None
    high: float | None
    number: int


class CurvePoint(TypedDict):
    """A mean after a number of games, with its 95 % interval."""

    game: int
    value: float
    low: float
    high: float


class CurveText(TypedDict):
    """A curve of all games so far, and of the latest `window` games."""

    so_far: list[CurvePoint]
    latest: list[CurvePoint]


class CareerCurves(TypedDict):
    """Rank and points at the table, with and without luck; `total`: final points so far, by games."""

    window: int
    rank: CurveText
    luckless_rank: CurveText
    won: CurveText
    luckless_won: CurveText
    total: list[tuple[int, float]]


class HabitText(TypedDict):
    """A kind of hand, compared with houou players: shares of hands, worth in places a hand, cost in places a game."""

    kind: str
    hands: int
    share: float
    houou_share: float
    worth: float
    houou_worth: float
    difference: float
    low: float
    high: float
    cost: float
    cost_low: float
    cost_high: float
    significant: bool


class CareerGame(TypedDict):
    """One of the person's games; luck in places, positive if it was good."""

    id: int
    name: str
    played: str | None
    players: list[str]
    seat: int
    rounds: int
    rank: int | None
    score: int | None
    points: float | None
    luck: float | None
    by_source: dict[str, float] | None
    luckless_rank: float | None
    problem: str
    review: str | None
    review_state: str | None


class CareerGames(TypedDict):
    """Some of the person's games, and how many there are."""

    games: list[CareerGame]
    total: int


class ImportState(TypedDict):
    """How far the import is: uploads that wait, and what became of the records of all uploads listed."""

    running: bool
    uploads: int
    reading: str
    games: int
    duplicates: int
    problems: int
    read_bytes: int
    total_bytes: int


class FileProblem(TypedDict):
    """A file that could not be read, and why."""

    file: str
    what: str


class FileProblems(TypedDict):
    """Files that could not be read."""

    problems: list[FileProblem]
    total: int


class LuckState(TypedDict):
    """How many of the person's games have been measured, wait for it, or cannot be."""

    known: int
    waiting: int
    impossible: int
    trained: int


class ReviewQueue(TypedDict):
    """Reviews of the person's games: waiting at low priority, done, failed; `why` the queue stands still."""

    waiting: int
    running: int
    done: int
    failed: int
    why: ProblemText | None


class CareerState(TypedDict):
    """What changes while something is going on."""

    names: list[str]
    games: int
    mine: int
    importing: ImportState
    luck: LuckState
    reviews: ReviewQueue


class LuckSummary(TypedDict):
    """Rank and points at the table of measured games, with and without luck; `worth`: raw games one game counts for."""

    games: int
    rank: CareerFigure
    luckless_rank: CareerFigure
    luck: float
    by_source: dict[str, float]
    won: CareerFigure
    luckless_won: CareerFigure
    worth: float | None


class HououText(TypedDict):
    """Houou players' figures for comparison."""

    rounds: int
    games: int
    luck_games: int
    source: str
    table: dict[str, dict[str, CareerFigure]]


class LossPoint(TypedDict):
    """Mean loss of some games in a row, by kind of decision, in places a game."""

    first: int
    last: int
    games: int
    by_kind: dict[str, CareerFigure]
    total: CareerFigure


class LossText(TypedDict):
    """Losses of reviewed games over time, by the reviewer most of them have."""

    reviewer: str
    games: int
    kinds: list[str]
    points: list[LossPoint]
    total: CareerFigure
    by_kind: dict[str, CareerFigure]


class CareerText(TypedDict):
    """The page of a career."""

    state: CareerState
    first: str | None
    last: str | None
    shown: int
    lengths: dict[str, int]
    table: dict[str, dict[str, CareerFigure]]
    houou: HououText
    luck: LuckSummary | None
    curves: CareerCurves
    habits: list[HabitText]
    habit_kinds: int
    luckiest: list[CareerGame]
    unluckiest: list[CareerGame]
    losses: LossText | None
    endings: list[str]


class PlayerFound(TypedDict):
    """A name in the records, and in how many games it occurs."""

    name: str
    games: int


class PlayersFound(TypedDict):
    """Names in the records, the most frequent first."""

    players: list[PlayerFound]


class Queued(TypedDict):
    """How many reviews were queued."""

    queued: int


class Reviewed(TypedDict):
    """The review of a game."""

    id: str
    url: str


class CareerDeleted(TypedDict):
    """How many games were deleted."""

    deleted: int
