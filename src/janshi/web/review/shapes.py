"""The shapes of reviews as JSON: responses of the routes, and stored decisions.

They are types only, from which the page's own are written (`scripts/write_page_types.py`).
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypeAliasType, TypedDict

from janshi.web.phrases import PhraseText
from janshi.web.problems import ProblemText
from janshi.web.shapes import Choice, Position, RulesName

Unit = TypeAliasType("Unit", Literal["rank", "points", "hand_points", "probability"])
"""The unit of losses; `probability`: there are none, only how often the reviewer makes each choice."""
DecisionKind = TypeAliasType("DecisionKind", Literal["discard", "call", "riichi", "fold", "win"])
ReviewState = TypeAliasType("ReviewState", Literal["waiting", "thinking", "done", "failed", "cancelled"])

# --- reviewers


class ReviewerText(TypedDict):
    """An agent that can review; `budget` is an option of its label, `everything`: it values more than discards."""

    name: str
    label: str
    unit: Unit
    budget: str | None
    everything: bool
    idea: str


class ReviewerMenu(TypedDict):
    """Who can review games of a family; `silent` are players that do not value choices."""

    default: str
    silent: list[str]
    reviewers: list[ReviewerText]


# --- reviews


class ListedReview(TypedDict):
    """A review in a list; `worst` is its largest loss."""

    id: str
    created: float
    name: str
    format: str
    family: str
    agent: str
    seats: list[int]
    state: ReviewState
    message: str
    total: int
    done: int
    worst: float | None


class ReviewList(TypedDict):
    """The reviews of a browser, newest first."""

    reviews: list[ListedReview]


class RowText(TypedDict):
    """A decision in short; a null loss is not known. `gap`: experts make the reviewer's choice that much more often."""

    number: int
    hand: int
    seat: int
    turn: int
    kind: DecisionKind
    reaction: bool
    tag: str
    loss: float | None
    agreed: bool
    played: str
    best: str
    gap: float | None
    stake: float | None


class PlanText(TypedDict):
    """Mistakes that belong together, and the worst of them."""

    numbers: list[int]
    hand: int
    seat: int
    kind: DecisionKind
    tag: str
    cost: float | None
    worst: int
    worst_loss: float


class RateText(TypedDict):
    """The mean loss of a seat's decisions, and how many there were."""

    decisions: int
    valued: int
    agreed: int
    loss: float
    rate: float | None


class CardText(TypedDict):
    """How well a player played, by the reviewer: shares from 0 to 1, a rating from 0 to 100, null if not known.

    `percentiles` are shares of houou players' games that are worse, in percent. `turning_points` are the decisions of
    the dearest mistakes.
    """

    decisions: int
    agreement: float | None
    loss: float | None
    per_hand: float | None
    bad: float | None
    rating: float | None
    percentiles: dict[str, float | None]
    turning_points: list[int]


class NormsText(TypedDict):
    """The games that percentiles compare with."""

    source: str
    games: int
    date: str
    agent: str


class SlopeText(TypedDict):
    """What one place, or point, of predicted loss went with, and its 95 % interval."""

    value: float
    low: float
    high: float


class TruthText(TypedDict):
    """How true a reviewer's losses are, in games or hands that it had not seen: by the end of the hand, and soon."""

    games: int | None
    hands: int | None
    end: SlopeText
    soon: SlopeText | None


class HandStart(TypedDict):
    """How a hand began."""

    rules: RulesName
    dealer: int


class HandHead(TypedDict):
    """A hand of a reviewed game, and how many decisions each seat had in it."""

    name: str
    honba: int
    scores: list[int]
    decisions: list[int]
    start: HandStart
    end: Position


class ReviewNews(TypedDict):
    """What changes while a review is running; `rates` by seat and kind of decision."""

    state: ReviewState
    message: str
    problem: ProblemText | None
    ahead: int
    total: int
    done: int
    mine: bool
    rows: list[RowText]
    plans: list[PlanText]
    rates: dict[str, dict[str, RateText]]
    cards: dict[str, CardText]


class ReviewText(ReviewNews):
    """A review so far."""

    id: str
    created: float
    name: str
    agent: str
    unit: Unit
    everything: bool
    bad: float
    seats: list[int]
    family: str
    format: str
    rules: RulesName
    names: list[str]
    hands: list[HandHead]
    problems: list[str]
    norms: NormsText | None
    truth: TruthText | None


class StateText(TypedDict):
    """The state of a review."""

    state: ReviewState


class Cleared(TypedDict):
    """How many reviews were deleted."""

    deleted: int


class Deleted(TypedDict):
    """The deleted review."""

    deleted: str


# --- decisions


class JudgedChoice(Choice):
    """The reviewer's opinion of a choice: its loss, and how often experts make it; null is unknown."""

    value: float | None
    loss: float | None
    experts: float | None
    numbers: dict[str, float]
    meant: str
    then: NotRequired[list[PhraseText]]


class OpponentsText(TypedDict):
    """The chance that each opponent is tenpai, and that each kind of tile deals in to each of them."""

    tenpai: list[float]
    danger: list[list[float]]


class OutlookText(TypedDict):
    """How the hand ends for the player, before the decision: chances that add up to 1."""

    win: float
    lose: float
    draw: float
    other: float


class DecisionText(TypedDict):
    """A decision in full; `gap`: experts make the reviewer's choice this much more often; `alike`: all are equal."""

    number: int
    hand: int
    seat: int
    turn: int
    kind: DecisionKind
    reaction: bool
    tag: str
    played: int
    best: int
    agreed: bool
    loss: float | None
    gap: float | None
    stake: NotRequired[float | None]
    alike: bool
    choices: list[JudgedChoice]
    line: str
    steps: NotRequired[list[PhraseText]]
    tenpai: list[float]
    opponents: OpponentsText | None
    outlook: NotRequired[OutlookText | None]
    threat: bool
    position: Position


class DecisionList(TypedDict):
    """Several decisions."""

    decisions: list[DecisionText]


# --- watching


class MomentText(TypedDict):
    """A position of a recorded hand with all hands open, and who is asked."""

    moment: int
    asked: list[int]
    position: Position


class WatchedHand(TypedDict):
    """All positions of a recorded hand."""

    hand: int
    moments: list[MomentText]


# --- why


class YakuShare(TypedDict):
    """A yaku, and the share of possible wins that have it."""

    name: str
    romaji: str
    kanji: str
    share: float


class ReachText(TypedDict):
    """Wins in reach: the mean points of a ron, the share without a yaku, dora, and the yaku most wins have."""

    points: int | None
    without_yaku: float
    dora: float
    closed: bool
    yaku: list[YakuShare]


class FanShare(TypedDict):
    """A fan in reach, and the share of the wins that have it."""

    name: str
    chinese: str
    value: int
    share: float


class FanReachText(TypedDict):
    """The wins in reach of a Guobiao hand: tiles missing to eight fan, expected points, mean fan of a win, its fan."""

    missing: int
    points: float
    mean: float
    fans: list[FanShare]


class FactsText(TypedDict):
    """The hand after a choice: shanten, useful tiles with how many are left, its worth, dangers, safe tiles kept.

    `discard` is the tile that follows a call or riichi. `danger` is the chance that the discard deals in to each
    opponent, from the player after.
    """

    discard: str | None
    shanten: int
    useful: list[tuple[str, int]]
    tiles: int
    reach: ReachText | None
    fan: FanReachText | None
    danger: list[float] | None
    safe: int | None


class OvertakeText(TypedDict):
    """The smallest wins that change the order with another player: what a ron or a self-draw pays; null: none does."""

    seat: int
    gap: int
    ron: int | None
    ron_others: int | None
    tsumo: list[int] | None


class SituationText(TypedDict):
    """The scores at a decision: whom the player can overtake, and who can overtake the player."""

    rank: int
    hands_left: int
    ahead: list[OvertakeText]
    behind: list[OvertakeText]


class WhyText(TypedDict):
    """The facts behind a decision, by action."""

    choices: dict[str, FactsText]
    situation: SituationText | None


class ChancesText(TypedDict):
    """How the hand may end after each choice, by action: chances of `win`, `lose`, `other` and two kinds of draws."""

    agent: str
    choices: dict[str, dict[str, float]]


# --- luck

LuckEvent = TypeAliasType("LuckEvent", tuple[int, int, int, str, int, list[float], list[float]])
"""Hand, kind, player, tile, turn, luck in places by seat, in points by seat."""


class LuckText(TypedDict):
    """Luck by kind of chance event and measure (places, points) of each seat; or why there is none, or not yet."""

    available: bool
    running: NotRequired[bool]
    why: NotRequired[str]
    problem: NotRequired[ProblemText]
    value: NotRequired[str]
    measures: NotRequired[list[str]]
    kinds: NotRequired[list[str]]
    hands: NotRequired[list[dict[str, list[list[float]]]]]
    events: NotRequired[list[LuckEvent]]
    total: NotRequired[dict[str, list[list[float]]]]
    luck: NotRequired[list[list[float]]]
    ranks: NotRequired[list[float]]
    scores: NotRequired[list[int]]
    adjusted_ranks: NotRequired[list[float]]
    adjusted_scores: NotRequired[list[float]]
    problems: NotRequired[list[str]]


# --- quiz


class QuizBegun(TypedDict):
    """The id of a quiz that was started."""

    quiz: str


class QuizQuestion(TypedDict):
    """A question: nothing in it gives the answer away."""

    number: int
    hand: int
    seat: int
    turn: int
    reaction: bool
    choices: list[Choice]
    position: Position


class QuizScore(TypedDict):
    """How well questions were answered: the mean loss of the answers, and of the play in the game."""

    answered: int
    right: int
    rate: float | None
    played_rate: float | None
    loss: NotRequired[float]


class QuizState(TypedDict):
    """The score of a quiz, and its next question."""

    question: QuizQuestion | None
    questions: int
    finished: bool
    score: QuizScore


class QuizVerdict(TypedDict):
    """The reviewer's opinion of an answer."""

    decision: DecisionText
    action: int
    loss: float | None
    as_good: bool
    score: QuizScore
