"""The players of the app: who they are, how strong they are, how they learned, and the matches kept on this machine.

Measured strength comes from `data/measured.json`, which `scripts/write_players.py` gathers from the documentation's
tables. Matches are the arena's stores under `matches/` of the data directory: `janshi match … --out` with a folder
there adds one to the app.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

from fastapi import APIRouter, Request
from fastapi import Path as InPath
from pydantic import BaseModel

from janshi.agents.registry import AGENTS
from janshi.web.cast import persona_of
from janshi.web.errors import ERRORS, Refused
from janshi.web.figures import Figure, measured
from janshi.web.problems import problem_of
from janshi.web.ratings import Standing, agreement_of, standing_of

router = APIRouter(prefix="/api/players", tags=["players"], responses=ERRORS)

DEPTH: Final = 3
"""Depth of folders in which matches are searched."""
MOST_MATCHES: Final = 200
THIRD_PARTY: Final = {"majiang": "kobalab's majiang-ai, a third-party player over the mjai protocol"}
PAGES: Final = {
    name: f"{name}.md"
    for name in ("search", "rvr", "strategist", "one_player", "montecarlo", "mdp", "apprentice", "majiang")
}
"""Pages of the documentation about a player; the others are described in agents.md."""


class Measurement(BaseModel):
    """A player measured against copies of another on duplicate walls."""

    rules: str
    agent: str
    player: str
    """The agent with its options."""
    against: str
    games: int
    rank: Figure | None
    """Average rank; of equals 2.5 at a table of four, 2 at one of three."""
    points: Figure | None
    """Points a game: Tenhou's final points in riichi, the game's own elsewhere."""
    win: float | None
    """Share of hands won."""
    deal_in: float | None
    milliseconds: float | None
    """Time of a decision."""
    date: str
    machine: str
    page: str


class Player(BaseModel):
    """An agent, or a third-party player that was measured."""

    name: str
    idea: str
    paper: str
    families: list[str]
    """Rule sets it plays without options."""
    needs: str
    """A required option."""
    third_party: bool
    page: str
    measured: list[Measurement]
    title: str
    """Its name as an opponent."""
    style: str
    standings: dict[str, Standing]
    """Rating and level by family of rules, where it was measured."""
    agreement: float | None
    """Share of houou players' decisions in which it chooses the same, in games it did not learn from."""


class Run(BaseModel):
    """A training run and its curve: decisions, seconds, points a hand, share of hands won."""

    name: str
    variant: str
    seed: str
    points: list[tuple[float, float, float, float]]
    final: Figure | None
    """Points a hand of the last policy, measured in a match."""


class Learning(BaseModel):
    """Runs of one game."""

    id: str
    rules: str
    against: str
    page: str
    date: str
    columns: list[str]
    runs: list[Run]


class ThinkingPoint(BaseModel):
    """Average rank with this budget: hands searched per decision."""

    hands: int
    games: int
    rank: Figure


class Thinking(BaseModel):
    """Strength by the budget of a decision."""

    id: str
    rules: str
    agent: str
    against: str
    page: str
    date: str
    points: list[ThinkingPoint]


class Curves(BaseModel):
    """All curves."""

    learning: list[Learning]
    thinking: Thinking


class MatchHead(BaseModel):
    """A match stored in the data directory."""

    id: str
    name: str
    rules: str
    contestants: list[str]
    created: str
    games: int
    """Games played so far."""
    planned: int


class MatchLine(BaseModel):
    """The figures of one contestant in a match."""

    label: str
    games: int
    rank: Figure | None
    points: Figure | None
    places: list[Figure]
    rates: dict[str, Figure]
    amounts: dict[str, Figure]
    milliseconds: float
    faults: dict[str, int]


class Difference(BaseModel):
    """Two contestants of a match, the first minus the second."""

    first: str
    second: str
    rank: Figure
    points: Figure


class Match(MatchHead):
    """A match and its figures."""

    lines: list[MatchLine]
    differences: list[Difference]


# --- players


@router.get("")
def players() -> list[Player]:
    """All players with their measured strength."""
    return [*map(_agent, AGENTS), *map(_third_party, THIRD_PARTY)]


def _agent(name: str) -> Player:
    entry = AGENTS[name]
    return Player(
        name=name,
        idea=entry.idea,
        paper=entry.paper,
        families=[family for family in entry.played if entry.needs or entry.ready(family)],
        needs=entry.needs,
        third_party=False,
        page=PAGES.get(name, "agents.md"),
        measured=_measured(name),
        **_as_opponent(name, [*entry.played]),
    )


def _third_party(name: str) -> Player:
    return Player(
        name=name,
        idea=THIRD_PARTY[name],
        paper="",
        families=["riichi"],
        needs="",
        third_party=True,
        page=PAGES.get(name, "agents.md"),
        measured=_measured(name),
        **_as_opponent(name, ["riichi"]),
    )


def _as_opponent(name: str, families: list[str]) -> dict[str, Any]:
    persona = persona_of(name)
    standings = {family: found for family in families if (found := standing_of(name, family)) is not None}
    return {
        "title": persona.title,
        "style": persona.style,
        "standings": standings,
        "agreement": agreement_of(name),
    }


def _measured(name: str) -> list[Measurement]:
    return [Measurement(**one) for one in measured()["measured"] if one["agent"] == name]


@router.get("/curves")
def curves() -> Curves:
    """Learning curves, and strength by the budget of a decision."""
    return Curves(learning=measured()["learning"], thinking=measured()["thinking"])


# --- matches


class Place(NamedTuple):
    """A directory that holds a match, and the folder it was found in."""

    root: Path
    path: Path

    @property
    def name(self) -> str:
        """What the match is called: its path in the folder."""
        return self.path.relative_to(self.root).as_posix()

    @property
    def id(self) -> str:
        """A name that cannot be used as a path."""
        return hashlib.blake2b(self.path.as_posix().encode(), digest_size=8).hexdigest()


@router.get("/matches")
def matches(request: Request) -> list[MatchHead]:
    """The matches kept in the data directory, newest first."""
    from janshi.arena.store import StoreError

    found = []
    for place in places(request):
        try:
            found.append(_head(place))
        except StoreError:
            continue  # written by another release, or not a match at all
    return sorted(found, key=lambda head: head.created, reverse=True)


@router.get("/matches/{match}")
def match(
    request: Request, match: Annotated[str, InPath(pattern="^[0-9a-f]{16}$", description="id of a match")]
) -> Match:
    """The figures of a match."""
    from janshi.arena.store import StoreError

    for place in places(request):
        if place.id == match:
            try:
                return _summary(_head(place), place.path)
            except StoreError as error:
                raise Refused(problem_of(error, "match_unreadable"), 409) from None
    raise Refused("match_not_found", 404)


def places(request: Request) -> list[Place]:
    """The directories of matches, those of tournaments included."""
    roots = request.app.state.settings.match_roots
    return [Place(root, path) for root in roots for path in _below(root, DEPTH)][:MOST_MATCHES]


def _below(place: Path, depth: int) -> Iterator[Path]:
    if (place / "match.json").is_file():
        yield place
    elif depth and place.is_dir():
        for part in sorted(place.iterdir()):
            yield from _below(part, depth - 1)


def _head(place: Place) -> MatchHead:
    from janshi.arena.contestants import shown_name
    from janshi.arena.store import MatchStore

    store = MatchStore(place.path)
    return MatchHead(
        id=place.id,
        name=place.name,
        rules=store.plan.rules,
        contestants=[shown_name(label) for label in store.plan.contestants],
        created=store.header.created,
        games=_rows(store.parts()),
        planned=len(store.plan),
    )


def _rows(parts: list[Path]) -> int:
    """Number of games in the files of a match, from their metadata."""
    from janshi.records.dataset import arrow

    return sum(arrow().parquet.read_metadata(part).num_rows for part in parts)


def _summary(head: MatchHead, path: Path) -> Match:
    """The summary of a match; cached until it has more games."""
    from janshi.arena.store import MatchStore

    stamp = tuple((part.name, part.stat().st_size) for part in MatchStore(path).parts())
    lines, differences = _summarised(path, stamp)
    return Match(**head.model_dump(), lines=lines, differences=differences)


@lru_cache(64)
def _summarised(path: Path, stamp: object) -> tuple[list[MatchLine], list[Difference]]:
    from janshi.arena.contestants import shown_name
    from janshi.arena.store import MatchStore
    from janshi.arena.summary import summarise

    del stamp  # only a key
    store = MatchStore(path)
    found = summarise(store.read(), store.plan)
    labels = [shown_name(label) for label in store.plan.contestants]
    lines = [
        MatchLine(
            label=shown_name(line.label),
            games=line.games,
            rank=_figure(line.rank),
            points=_figure(line.points),
            places=[_share(place) for place in line.places],
            rates={name: _share(value) for name, value in line.rates.items()},
            amounts={name: _some(value) for name, value in line.amounts.items() if not value.unknown},
            milliseconds=line.milliseconds,
            faults=line.faults,
        )
        for line in found.lines
    ]
    differences = [
        Difference(
            first=labels[pair.first],
            second=labels[pair.second],
            rank=_some(pair.rank.estimate),
            points=_some(pair.points.estimate),
        )
        for pair in found.pairs
        if not (pair.rank.estimate.unknown or pair.points.estimate.unknown)
    ]
    return lines, differences


def _figure(estimate: Any) -> Figure | None:
    """A figure, None without an interval: there are too few wall sets."""
    return None if estimate is None or estimate.unknown else _some(estimate)


def _share(estimate: Any) -> Figure:
    """A share; with too few wall sets it may be anything."""
    return Figure(value=estimate.value, low=0.0, high=1.0) if estimate.unknown else _some(estimate)


def _some(estimate: Any) -> Figure:
    return Figure(value=estimate.value, low=estimate.low, high=estimate.high)
