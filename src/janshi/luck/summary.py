"""Results of scored games, by game and by player, ready to print, plot or write as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

import numpy as np

from janshi.arena.control import SPARE
from janshi.arena.stats import LEVEL, Estimate
from janshi.luck.error_rate import ErrorRate, Errors
from janshi.luck.estimators import (
    SOURCE_OF_KIND,
    SOURCES,
    Adjusted,
    Career,
    GamesNeeded,
    adjusted_points,
    adjusted_rank,
    careers,
    deviations,
    everybody,
    games_needed,
    player_name,
)
from janshi.luck.moments import Moment, event_range, moments, moments_of_game
from janshi.luck.types import PLACES, POINTS, Array, ScoredGames
from janshi.rules.riichi.state import PLAYERS

LEAST_FITTED: Final = len(SOURCES) + SPARE
"""Minimum number of a player's games for fitting coefficients."""
MOMENTS: Final = 3
"""Luckiest and unluckiest moments to report."""
MOST_PLAYERS: Final = 20
"""Number of players in the report, unless one is requested."""


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One player in one game."""

    name: str
    seat: int
    rank: float
    points: float
    """Won or lost at the table."""
    luck: dict[str, float]
    """In places, by source."""
    luck_points: dict[str, float]

    @property
    def total(self) -> float:
        """Luck in places."""
        return sum(self.luck.values())

    @property
    def adjusted_rank(self) -> float:
        """The rank without luck: not a whole number, and possibly outside 1 to 4."""
        return self.rank + self.total

    @property
    def adjusted_points(self) -> float:
        """The points without luck."""
        return self.points - sum(self.luck_points.values())


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game."""

    number: int
    source: str
    seats: tuple[SeatLine, ...]
    lucky: list[Moment]
    unlucky: list[Moment]


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One player over all games."""

    name: str
    games: int
    rank: Adjusted
    points: Adjusted
    needed: list[GamesNeeded]
    lucky: list[Moment]
    unlucky: list[Moment]
    career: Career


@dataclass(frozen=True, slots=True)
class Pooled:
    """All seats of all games together."""

    games: int
    rank: Adjusted
    points: Adjusted
    size: dict[str, float]
    """Mean absolute luck of a seat in a game, in places, by source."""


@dataclass(frozen=True, slots=True)
class LuckSummary:
    """The report on some scored games."""

    scored: ScoredGames
    players: list[PlayerLine]
    """Most games first; the requested one, or as many as asked for."""
    others: int
    """Number of players left out of the report; 0 if one is requested."""
    player: str | None
    """The requested one."""
    fitted: bool
    pooled: Pooled
    """All seats of all games together."""

    @property
    def numbers(self) -> list[int]:
        """Games in the report: all, or the requested player's."""
        if self.player is None:
            return list(range(len(self.scored.ranks)))
        return [int(game) for game in np.unique(self.players[0].career.game)]

    @property
    def games(self) -> int:
        """Number of games in the report."""
        return len(self.numbers)

    def game(self, number: int) -> GameLine:
        """The report on one game."""
        return game_line(self.scored, number, self.player)


def summarise(
    scored: ScoredGames,
    player: str | None = None,
    level: float = LEVEL,
    fitted: bool = False,
    count: int = MOMENTS,
    most: int | None = MOST_PLAYERS,
) -> LuckSummary:
    """Summarise scored games, for everybody or for one player.

    With `fitted`, coefficients are fitted to players of at least `LEAST_FITTED` games; others keep 1. `most` limits the
    number of players; None reports on all.
    """
    if not len(scored.ranks):
        raise ValueError("no game could be scored")
    found = careers(scored)
    if player is not None and player not in found:
        raise ValueError(f"no player is called {player!r} in {len(scored.ranks):,} games")
    wanted = [found[player]] if player is not None else list(found.values())[:most]
    games = [len(np.unique(career.game)) for career in wanted]
    if fitted and max(games) < LEAST_FITTED:
        raise ValueError(f"fitting needs at least {LEAST_FITTED} games of a player, but there are {max(games)}")
    all_seats = everybody(scored)
    lines = [
        _player_line(scored, career, all_seats, level, fitted and played >= LEAST_FITTED, count)
        for career, played in zip(wanted, games)
    ]
    others = len(found) - len(lines) if player is None else 0
    return LuckSummary(scored, lines, others, player, fitted, _pooled(all_seats, level))


def short_source(source: str) -> str:
    """The name of a game without its folders and archives."""
    return source.rstrip("/").rpartition("/")[2] or source


def game_line(scored: ScoredGames, number: int, player: str | None = None, count: int = MOMENTS) -> GameLine:
    """The report on one game: all seats, with the moments of one player or of all."""
    luck = _luck_of_game(scored, number)
    seats = tuple(_seat_line(scored, number, seat, luck[:, :, seat]) for seat in range(PLAYERS))
    shown = [line.seat for line in seats if player in (None, line.name)]
    return GameLine(number, scored.sources[number], seats, *moments_of_game(scored, number, shown, count))


def _luck_of_game(scored: ScoredGames, number: int) -> Array:
    """Luck of one game by source, float64[sources, 2, 4]."""
    events = scored.events[slice(*event_range(scored, number))]
    luck = np.zeros((len(SOURCES), 2, PLAYERS))
    np.add.at(luck, SOURCE_OF_KIND[events["kind"]], events["luck"].astype(np.float64))
    return luck


def _seat_line(scored: ScoredGames, number: int, seat: int, luck: Array) -> SeatLine:
    return SeatLine(
        player_name(scored, number, seat),
        seat,
        float(scored.ranks[number, seat]),
        float(scored.scores[number, seat]) - float(scored.start[number, seat]),
        dict(zip(SOURCES, luck[:, PLACES].tolist())),
        dict(zip(SOURCES, luck[:, POINTS].tolist())),
    )


def _pooled(all_seats: Career, level: float) -> Pooled:
    size = np.abs(all_seats.luck[:, :, PLACES]).mean(0)
    return Pooled(
        all_seats.games,
        adjusted_rank(all_seats, level),
        adjusted_points(all_seats, level),
        dict(zip(SOURCES, map(float, size))),
    )


def _player_line(
    scored: ScoredGames, career: Career, all_seats: Career, level: float, fitted: bool, count: int
) -> PlayerLine:
    raw, adjusted = deviations(career, all_seats, scored.ratio)
    known = isfinite(raw) and raw > 0 and adjusted > 0
    return PlayerLine(
        career.name,
        career.games,
        adjusted_rank(career, level, fitted),
        adjusted_points(career, level, fitted),
        games_needed(raw, adjusted) if known else [],
        *moments(scored, career, count),
        career,
    )


# --- JSON


def as_data(summary: LuckSummary, games: bool = True) -> dict[str, Any]:
    """A summary for JSON; with `games`, every game too."""
    data: dict[str, Any] = {
        "games": summary.games,
        "value function": summary.scored.value,
        "all seats": _pooled_data(summary.pooled),
        "players": [_player_data(line) for line in summary.players],
        "players left out": summary.others,
        "problems": list(summary.scored.problems),
    }
    if games:
        data["by game"] = [_game_data(summary.game(number), summary.player) for number in summary.numbers]
    return data


def _pooled_data(pooled: Pooled) -> dict[str, Any]:
    return {
        "games": pooled.games,
        "too few games": pooled.rank.few,
        "variance ratio of ranks": None if pooled.rank.few else estimate_data(pooled.rank.ratio),
        "variance ratio of points": None if pooled.points.few else estimate_data(pooled.points.ratio),
        "mean luck by source": pooled.rank.by_source,
        "mean absolute luck by source": pooled.size,
    }


def _player_data(line: PlayerLine) -> dict[str, Any]:
    return {
        "name": line.name,
        "games": line.games,
        "rank": adjusted_data(line.rank) | {"coefficients": line.rank.coefficients},
        "points": adjusted_data(line.points) | {"coefficients": line.points.coefficients},
        "games needed": [{"places": n.effect, "raw": n.raw, "adjusted": n.adjusted} for n in line.needed],
        "luckiest": [_moment_data(moment) for moment in line.lucky],
        "unluckiest": [_moment_data(moment) for moment in line.unlucky],
    }


def adjusted_data(found: Adjusted) -> dict[str, Any]:
    """A result with and without luck, for JSON."""
    return {
        "raw": estimate_data(found.raw),
        "adjusted": estimate_data(found.adjusted),
        "luck": found.luck,
        "luck by source": found.by_source,
        "too few games": found.few,
        "variance ratio": None if found.few else estimate_data(found.ratio),
        "each game worth": None if found.few else number_data(found.worth),
    }


def _game_data(game: GameLine, player: str | None) -> dict[str, Any]:
    return {
        "source": game.source,
        "players": [_seat_data(line) for line in game.seats if player in (None, line.name)],
        "luckiest": [_moment_data(moment) for moment in game.lucky],
        "unluckiest": [_moment_data(moment) for moment in game.unlucky],
    }


def _seat_data(line: SeatLine) -> dict[str, Any]:
    return {
        "name": line.name,
        "seat": line.seat,
        "rank": line.rank,
        "points": line.points,
        "luck": line.luck,
        "luck in points": line.luck_points,
        "adjusted rank": line.adjusted_rank,
        "adjusted points": line.adjusted_points,
    }


def _moment_data(moment: Moment) -> dict[str, Any]:
    return {
        "game": moment.game,
        "source": moment.source,
        "seat": moment.seat,
        "kind": moment.kind,
        "turn": moment.turn,
        "luck": moment.luck,
        "words": moment.words,
    }


def errors_data(found: ErrorRate) -> dict[str, Any]:
    """An error rate for JSON."""
    return {
        "name": found.name,
        "agent": found.agent,
        "unit": found.unit,
        "all decisions": _errors_data(found.overall),
        "by kind": {kind: _errors_data(errors) for kind, errors in found.kinds.items()},
    }


def _errors_data(errors: Errors) -> dict[str, Any]:
    return {
        "decisions": errors.decisions,
        "judged": errors.judged,
        "error rate": estimate_data(errors.rate),
        "agreed": estimate_data(errors.agreed),
    }


def estimate_data(estimate: Estimate) -> dict[str, Any]:
    """An estimate for JSON; unknown numbers are null."""
    return {
        "value": number_data(estimate.value),
        "low": number_data(estimate.low),
        "high": number_data(estimate.high),
        "level": estimate.level,
    }


def number_data(value: float) -> float | None:
    """A number that JSON can hold."""
    return value if isfinite(value) else None
