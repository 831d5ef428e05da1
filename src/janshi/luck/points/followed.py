"""What became of Guobiao positions after choices: their value at once, and some draws later without luck.

Four search players play, and at some decisions one of them makes a random sensible choice. The value of the position
before the next draw comes from the values of draws, which see all hands; the same value later, minus the luck in
between, shows where it was wrong. Every decision is evidence, so this takes few hands; `luck/points/branches.py`
compares the choices of a decision, but only by these values.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.agents.weigher.features import FEATURES, favourites, rows_of, sensible
from janshi.core.dtypes import record_dtype
from janshi.luck.points.measure import PointLuck, shipped_values
from janshi.models.draw_values import Values
from janshi.models.guobiao_opponents import shipped as shipped_opponents
from janshi.rules.game import Array, Game
from janshi.rules.guobiao import actions as act
from janshi.rules.stepper import Stepper

HORIZONS: Final = (0, 4, 8, 16)
"""Draws after which the value is taken; last comes the result."""
OFTEN: Final = 0.15
"""Share of decisions at which a player makes a random choice."""

FOLLOWED_DTYPE = record_dtype(
    [
        ("game", np.int32),
        ("seat", np.int8),
        ("action", np.int16),
        ("deviates", np.bool_),
        ("about", np.float32, (len(FEATURES),)),
        ("worth", np.float32, (len(HORIZONS) + 1,)),  # in points, without luck, at each horizon and at the end
    ]
)


class Followed:
    """Plays hands and follows what became of every choice."""

    def __init__(self, game: Game, values: Values | None = None, often: float = OFTEN) -> None:
        self.game, self.often = game, often
        self.luck = PointLuck(game, values or shipped_values(game.family.name), deals=1)

    def play(self, seeds: Array, random: np.random.Generator) -> Array:
        """The choices in some hands, records of `FOLLOWED_DTYPE`."""
        tables = Stepper(self.game, len(seeds))
        tables.start(seeds)
        made, before, luck, worth = list[Array](), list[Array](), list[Array](), list[Array]()
        drawn, table_of = np.zeros(len(seeds), np.int64), list[Array]()
        while not (tables.states["phase"] == self.game.game_over).all():
            table, lucky, value = self.luck.draws(tables)
            for column, part in ((table_of, table), (luck, lucky), (worth, value)):
                column.append(part)
            drawn[table] += 1
            actions, some = self._answers(tables, random)
            made.append(some)
            before.append(drawn[some["game"]])
            tables.step(actions)
        found, points = np.concatenate(made), self.game.scores(tables.states).astype(np.float64)
        table, lucky, value = (np.concatenate(parts) for parts in (table_of, luck, worth))
        _follow(found, np.concatenate(before), table, lucky, value, points)
        return found

    def _answers(self, tables: Stepper, random: np.random.Generator) -> tuple[Array, Array]:
        """An action for each open decision, and the choices among them."""
        views = tables.views()
        rows = rows_of(views, shipped_opponents())
        best = rows.action[favourites(rows)]
        wins = self.game.masks_of_views(views)[:, act.HU]
        deviates = (random.random(len(views)) < self.often) & ~wins
        tried = sensible(rows)
        order = np.lexsort((random.random(len(tried.action)), tried.decision))
        last = np.flatnonzero(np.diff(tried.decision[order], append=len(views)))
        actions = np.where(deviates, tried.action[order[last]], best)
        chosen = np.flatnonzero((rows.action == actions[rows.decision]) & ~wins[rows.decision])
        chosen = chosen[np.bincount(rows.decision)[rows.decision[chosen]] > 1]
        made = np.zeros(len(chosen), FOLLOWED_DTYPE)
        at = rows.decision[chosen]
        made["game"], made["seat"], made["action"] = tables.tables[at], tables.players[at], rows.action[chosen]
        made["deviates"], made["about"] = deviates[at], rows.about[chosen]
        return np.where(wins, act.HU, actions), made


def _follow(found: Array, before: Array, table: Array, luck: Array, worth: Array, points: Array) -> None:
    """Write the worth of choices; `before` counts the draws in the hand before each."""
    order = np.argsort(table, kind="stable")
    luck, worth, bounds = luck[order], worth[order], np.searchsorted(table[order], np.arange(len(points) + 1))
    for row, place in zip(found, before.tolist()):
        _follow_one(row, place, slice(bounds[row["game"]], bounds[row["game"] + 1]), luck, worth, points)


def _follow_one(row: Any, place: int, hand: slice, luck: Array, worth: Array, points: Array) -> None:
    seat = row["seat"]
    value = np.append(worth[hand, seat], points[row["game"], seat])[place:]
    so_far = np.concatenate([[0.0], np.cumsum(luck[hand, seat][place:])])
    ends = [min(horizon, len(value) - 1) for horizon in (*HORIZONS, len(value))]
    row["worth"] = value[ends] - so_far[ends]
