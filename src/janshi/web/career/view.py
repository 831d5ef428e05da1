"""A career as the page shows it, computed from arrays so that ten thousand games take well under a second."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from math import isfinite
from typing import Any, cast

import numpy as np

from janshi.arena.stats import Estimate as Mean
from janshi.career import curves, figures, habits, summary
from janshi.career.games import OwnGames, own_games
from janshi.career.houou import EAST, SOUTH, Reference, reference_for
from janshi.career.store import CareerStore
from janshi.luck.estimators import SOURCES
from janshi.luck.types import PLACES
from janshi.records.stats import Estimate
from janshi.web.career.shapes import (
    CareerCurves,
    CareerFigure,
    CareerGame,
    CareerGames,
    CurvePoint,
    CurveText,
    HabitText,
    HououText,
    LuckSummary,
    Rounds,
    SortBy,
)

DIGITS = 5
LENGTHS = {"east": EAST, "south": SOUTH}


class View:
    """The person's games of a career: all, or those requested."""

    def __init__(self, store: CareerStore, rounds: Rounds = "all", last: int = 0) -> None:
        self.store = store
        everything = own_games(store, store.names())
        self.lengths = {name: int((everything.rounds == number).sum()) for name, number in LENGTHS.items()}
        self.games = _filtered(everything, rounds, last)

    def page(self) -> dict[str, Any]:
        """Everything but what changes while something is going on, and the losses of reviews."""
        games = self.games
        reference = reference_for(games)
        luckiest, unluckiest = summary.extremes(games)
        days = [day for day in games.played if day is not None]
        compared = habits.habits(games, reference.worths)
        return {
            "first": days[0] if days else None,
            "last": days[-1] if days else None,
            "shown": len(games),
            "lengths": self.lengths,
            "table": _table(figures.table(games)),
            "houou": _houou(reference),
            "luck": _luck(games),
            "curves": _curves(games),
            "habits": [cast(HabitText, _rounded(asdict(habit))) for habit in compared],
            "habit_kinds": len(habits.KINDS),
            "luckiest": [self._game(one.place) for one in luckiest if one.luck > 0],
            "unluckiest": [self._game(one.place) for one in unluckiest if one.luck < 0],
        }

    def some(self, first: int, count: int, sort: SortBy, descending: bool) -> CareerGames:
        """Some of the games in an order; those without a value come last."""
        games = self.games
        keys = {
            "played": np.arange(len(games)).astype(np.float64),
            "luck": games.luck_of_games()[:, :, PLACES].sum(1),
            "rank": games.rank,
            "points": games.points,
        }[sort]
        order = np.argsort(np.where(np.isnan(keys), np.inf, -keys if descending else keys), kind="stable")
        return {"games": [self._game(int(i)) for i in order[first : first + count]], "total": len(games)}

    def _game(self, place: int) -> CareerGame:
        games = self.games
        id = int(games.id[place])
        ((names, problem),) = self.store.read("select names, problem from game where id = ?", (id,))
        reviewed = self.store.read(
            "select review, state from review where game = ? and seat = ?", (id, int(games.seat[place]))
        )
        luck = games.luck["luck"][games.game == place][:, :, PLACES].astype(np.float64).sum(0)
        known, total, rank = bool(np.isfinite(luck).all()), float(luck.sum()), games.rank[place]
        return {
            "id": id,
            "name": games.names[place],
            "played": games.played[place],
            "players": json.loads(names),
            "seat": int(games.seat[place]),
            "rounds": int(games.rounds[place]),
            "rank": _whole(rank),
            "score": _whole(games.score[place]),
            "points": _number(games.points[place]),
            "luck": round(total, DIGITS) if known else None,
            "by_source": {name: round(float(luck[i]), DIGITS) for i, name in enumerate(SOURCES)} if known else None,
            "luckless_rank": _number(rank + total) if known else None,
            "problem": problem,
            "review": (reviewed[0][0] or None) if reviewed else None,
            "review_state": reviewed[0][1] if reviewed else None,
        }


def _filtered(games: OwnGames, rounds: Rounds, last: int) -> OwnGames:
    if rounds != "all":
        games = games.pick(games.rounds == LENGTHS[rounds])
    return games.pick(np.arange(len(games)) >= len(games) - last) if 0 < last < len(games) else games


def figure_text(estimate: Estimate | Mean, number: int | None = None) -> CareerFigure:
    """An estimate as JSON."""
    count = number if number is not None else getattr(estimate, "number", 0)
    return {
        "value": _number(estimate.value),
        "low": _number(estimate.low),
        "high": _number(estimate.high),
        "number": int(count),
    }


def _number(value: float) -> float | None:
    return round(float(value), DIGITS) if isfinite(value) else None


def _whole(value: float) -> int | None:
    return int(value) if isfinite(value) else None


def _rounded(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: round(value, DIGITS) if isinstance(value, float) else value for name, value in values.items()}


def _table(table: Mapping[str, Mapping[str, Estimate]]) -> dict[str, dict[str, CareerFigure]]:
    return {group: {name: figure_text(one) for name, one in found.items()} for group, found in table.items()}


def _houou(reference: Reference) -> HououText:
    return {
        "rounds": reference.rounds,
        "games": reference.games,
        "luck_games": reference.luck_games,
        "source": reference.source,
        "table": _table(reference.table),
    }


def _luck(games: OwnGames) -> LuckSummary | None:
    found = summary.luck_of(games)
    if found is None:
        return None
    rank, points = found.rank, found.points
    return {
        "games": found.games,
        "rank": figure_text(rank.raw, found.games),
        "luckless_rank": figure_text(rank.adjusted, found.games),
        "luck": round(rank.luck, DIGITS),
        "by_source": {name: round(value, DIGITS) for name, value in rank.by_source.items()},
        "won": figure_text(points.raw, found.games),
        "luckless_won": figure_text(points.adjusted, found.games),
        "worth": None if found.few else _number(rank.worth),
    }


def _curves(games: OwnGames) -> CareerCurves:
    totals = curves.running_total(games.points)
    return {
        "window": curves.window(len(games)),
        "rank": _curve(games.rank),
        "luckless_rank": _curve(games.luckless_rank()),
        "won": _curve(games.won),
        "luckless_won": _curve(games.luckless_won()),
        "total": [(at, round(value, 1)) for at, value in totals],
    }


def _curve(values: Any) -> CurveText:
    return {"so_far": _points(curves.so_far(values)), "latest": _points(curves.latest(values))}


def _points(found: list[curves.Point]) -> list[CurvePoint]:
    return [cast(CurvePoint, _rounded(point._asdict())) for point in found]
