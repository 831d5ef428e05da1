"""The responses of the routes of live games, apart from the messages of a game."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from janshi.web.live.messages import GameKind


class StatusText(TypedDict):
    """Whether Janshi is ready: families that can be played, and what is being loaded."""

    version: str
    ready: list[str]
    doing: str
    finished: bool
    games: int


class RulesText(TypedDict):
    """A rule set, with its flags; `default` marks the usual one of its family."""

    id: str
    family: str
    name: str
    rounds: int
    formats: list[str]
    reviewable: bool
    players: int
    flags: dict[str, Any]
    default: bool


class RatingText(TypedDict):
    """Elo points among our players, `greedy` having 1,000, with a 95 % interval."""

    value: float
    low: float
    high: float


class AgentText(TypedDict):
    """An agent; `label` is what to put in a seat, `unit` what its values are measured in.

    As an opponent it has a name for people (`title`), one sentence on its `style`, a `level` of 1 to 5 and a `rating`,
    measured in `games` games; both are null if it was not measured. `ahead` is its chance to finish ahead of `greedy`,
    `agreement` how often it chooses what houou players played.
    """

    name: str
    label: str
    idea: str
    paper: str
    families: list[str]
    explains: bool
    unit: str | None
    title: str
    style: str
    level: int | None
    rating: RatingText | None
    ahead: float | None
    games: int
    agreement: float | None


class KeptGame(TypedDict):
    """A game of this browser; keys of seats by seat, times in seconds since 1970."""

    id: str
    kind: GameKind
    rules: str
    rounds: int
    over: bool
    created: float
    changed: float
    scores: NotRequired[list[int]]
    round: NotRequired[str]
    seats: list[str]
    names: list[str]
    keys: dict[str, str]
    practice: bool


class StoredMatch(TypedDict):
    """A stored match: who played, and how many games are planned."""

    name: str
    rules: str
    players: list[str]
    games: int


class StoredGame(TypedDict):
    """A game of a stored match: who sat where, and the scores."""

    game: int
    seats: list[str]
    scores: list[int]


class StoredMatchGames(TypedDict):
    """A stored match with the games that were played."""

    name: str
    rules: str
    players: list[str]
    games: list[StoredGame]
