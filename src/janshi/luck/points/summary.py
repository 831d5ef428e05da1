"""Results in points without luck, by game and by player, ready to print or write as JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from janshi.arena.answers import MatchError
from janshi.arena.played import Gathered, PointGames
from janshi.arena.stats import LEVEL
from janshi.luck.estimators import Adjusted, adjusted_mean
from janshi.luck.points.measure import DRAW, SOURCES, PointLuck, shipped_values
from janshi.luck.summary import adjusted_data
from janshi.luck.types import Array
from janshi.models.draw_values import DrawValues

TOGETHER: Final = 512
"""Games replayed at once."""
MOMENTS: Final = 3
"""Luckiest and unluckiest draws to report."""


@dataclass(frozen=True, slots=True)
class PointMoment:
    """A draw and its effect on one player."""

    source: str
    name: str
    words: str
    """The text, such as `drew 5p`, or whose draw it was."""
    luck: float
    """In points; positive is good."""


@dataclass(frozen=True, slots=True)
class PointSeat:
    """One player in one game."""

    name: str
    seat: int
    points: float
    luck: dict[str, float]
    """In points, by source."""

    @property
    def total(self) -> float:
        """Luck in points."""
        return sum(self.luck.values())

    @property
    def adjusted(self) -> float:
        """Points without luck."""
        return self.points - self.total


@dataclass(frozen=True, slots=True)
class PointGame:
    """One game."""

    source: str
    seats: tuple[PointSeat, ...]
    lucky: list[PointMoment]
    unlucky: list[PointMoment]


@dataclass(frozen=True, slots=True)
class PointPlayer:
    """One player over all games."""

    name: str
    seats: int
    """Seats held; several in one game if copies of an agent played."""
    points: Adjusted


@dataclass(frozen=True, slots=True)
class PointSummary:
    """The report on some games."""

    games: list[PointGame]
    players: list[PointPlayer]
    """Most games first; the requested one, or as many as asked for."""
    others: int
    """Number of players left out of the report."""
    player: str | None
    """The requested one."""
    pooled: Adjusted
    """All seats of all games together."""
    values: list[str]
    """The values of draws used to measure luck."""
    problems: list[str]


@dataclass(slots=True)
class _Rows:
    """All seats of all games."""

    name: list[str]
    points: list[float]
    luck: list[list[float]]
    wall: list[int]


def score(
    gathered: Gathered,
    values: DrawValues | None = None,
    *,
    player: str | None = None,
    most: int | None = None,
    level: float = LEVEL,
    watch: Callable[[int], None] = lambda done: None,
) -> PointSummary:
    """Measure all games and summarise them, for everybody or for one player.

    The default values of draws are the shipped ones. `watch` is called with the number of games scored so far.
    """
    games: list[PointGame] = []
    rows = _Rows([], [], [], [])
    used: list[str] = []
    for some in gathered.games.values():
        own = values or shipped_values(some.game.family.name)
        used.append(own.name)
        wall = max(rows.wall, default=-1) + 1
        measure = PointLuck(some.game, own)
        for a in range(0, len(some), TOGETHER):
            part = range(a, min(a + TOGETHER, len(some)))
            for line, i in zip(_score_part(measure, some, part), part):
                games.append(line)
                _note(rows, line, wall + some.walls[i])
            watch(len(games))
    if not games:
        raise ValueError("no game could be scored")
    return _summary(games, rows, player, most, level, list(dict.fromkeys(used)), gathered.problems)


def _score_part(measure: PointLuck, some: PointGames, part: range) -> list[PointGame]:
    """Measure some games together."""
    chosen = slice(part.start, part.stop)
    tables = PointGames(some.game, some.states[chosen]).tables()
    begun = measure.game.scores(tables.states).copy()
    events, scores = measure.of_tables(tables, some.answers[chosen])
    if not np.array_equal(scores - begun, np.array(some.scores[chosen])):
        raise MatchError("the answers of some games do not lead to their results")
    luck = np.zeros((len(part), len(SOURCES), measure.game.players))
    np.add.at(luck, (events["game"], events["kind"]), events["luck"].astype(np.float64))
    return [
        _game(measure, some, number, (scores - begun)[i], luck[i], events[events["game"] == i])
        for i, number in enumerate(part)
    ]


def _game(measure: PointLuck, some: PointGames, number: int, points: Array, luck: Array, events: Array) -> PointGame:
    names, source = some.names[number], some.sources[number]
    seats = tuple(
        PointSeat(names[seat], seat, float(points[seat]), dict(zip(SOURCES, luck[:, seat].tolist())))
        for seat in range(len(names))
    )
    draws = events[events["kind"] == DRAW]
    order = np.argsort(draws["luck"], axis=None, kind="stable")
    tiles = [name.split()[-1] for name in measure.game.action_names[: measure.game.discards]]

    def moment(place: int) -> PointMoment:
        event, seat = draws[place // len(names)], place % len(names)
        drew = f"drew {tiles[int(event['tile'])]}"
        words = drew if event["player"] == seat else f"{names[int(event['player'])]} {drew}"
        return PointMoment(source, names[seat], words, float(event["luck"][seat]))

    return PointGame(
        source,
        seats,
        [moment(int(place)) for place in order[::-1][:MOMENTS]],
        [moment(int(place)) for place in order[:MOMENTS]],
    )


def _note(rows: _Rows, line: PointGame, wall: int) -> None:
    for seat in line.seats:
        rows.name.append(seat.name)
        rows.points.append(seat.points)
        rows.luck.append(list(seat.luck.values()))
        rows.wall.append(wall)


def _summary(
    games: list[PointGame],
    rows: _Rows,
    player: str | None,
    most: int | None,
    level: float,
    values: list[str],
    problems: list[str],
) -> PointSummary:
    names = np.array(rows.name)
    found = [_player(rows, names == name, name, level) for name in dict.fromkeys(rows.name)]
    found.sort(key=lambda line: -line.seats)
    wanted = found[:most] if player is None else [line for line in found if line.name == player]
    if not wanted:
        raise ValueError(f"no player is called {player!r} in {len(games):,} games")
    others = len(found) - len(wanted) if player is None else 0
    return PointSummary(games, wanted, others, player, _mean(rows, names == names, level), values, problems)


def _player(rows: _Rows, own: Array, name: str, level: float) -> PointPlayer:
    return PointPlayer(name, int(own.sum()), _mean(rows, own, level))


def _mean(rows: _Rows, own: Array, level: float) -> Adjusted:
    luck = np.array(rows.luck).reshape(-1, len(SOURCES))[own]
    return adjusted_mean(np.array(rows.points)[own], luck, np.array(rows.wall)[own], level, sources=SOURCES)


# --- JSON


def as_data(found: PointSummary) -> dict[str, Any]:
    """A summary for JSON."""
    return {
        "games": len(found.games),
        "unit": "points",
        "value function": ", ".join(found.values),
        "all seats": adjusted_data(found.pooled),
        "players": [{"name": p.name, "seats held": p.seats, "points": adjusted_data(p.points)} for p in found.players],
        "players left out": found.others,
        "problems": list(found.problems),
        "by game": [_game_data(game, found.player) for game in found.games],
    }


def _game_data(game: PointGame, player: str | None) -> dict[str, Any]:
    def moments(some: list[PointMoment]) -> list[dict[str, Any]]:
        return [{"name": m.name, "words": m.words, "luck": m.luck} for m in some if player in (None, m.name)]

    return {
        "source": game.source,
        "players": [
            {
                "name": seat.name,
                "seat": seat.seat,
                "points": seat.points,
                "luck": seat.luck,
                "adjusted points": seat.adjusted,
            }
            for seat in game.seats
            if player in (None, seat.name)
        ],
        "luckiest": moments(game.lucky),
        "unluckiest": moments(game.unlucky),
    }
