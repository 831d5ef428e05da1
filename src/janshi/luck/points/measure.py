"""Luck of the deal and of every draw in points, for rules with prospects (Guobiao, the simplified game).

Games are measured with the same values and terms as in training (`learn/prospect_values.py`, RL-5). All games are
replayed together from their first states and answers; the prospects of a draw are written at the decision after it.
Flowers have their own luck (`flowers.py`), except those of the deal; the tile that replaces one is a draw like any
other. The luck of a deal is the value of the position after it, minus the mean value of independent random deals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from janshi.core import rng
from janshi.core.dtypes import record_dtype
from janshi.features.prospects import Prospects, undrawn
from janshi.luck.points.flowers import FIELD, counted, luck_of_flowers, shared
from janshi.models.draw_values import DrawValues, Values, luck_and_worth, shipped_file
from janshi.rules.game import Array, Game
from janshi.rules.stepper import Stepper

DEAL, DRAW, FLOWER = range(3)
"""Kinds of chance events."""
SOURCES: Final = ("deal", "draws", "flowers")
"""Their names as sources of luck."""
DEALS: Final = 1024
"""Number of random deals that a deal is compared with."""
DEALS_STREAM: Final = 501
"""Separates their walls from all others."""


def measurable(family: str) -> bool:
    """Whether the package has values of draws for a family of rules."""
    return shipped_file(family).is_file()


def shipped_values(family: str) -> DrawValues:
    """The shipped values of draws; raises `ModelError`."""
    return DrawValues.load(shipped_file(family))


def event_dtype(players: int) -> np.dtype[Any]:
    """A chance event: its game, its kind, who drew, the tile's cell (-1: a deal), and luck in points by seat."""
    return record_dtype(
        [
            ("game", np.int32),
            ("kind", np.int8),
            ("player", np.int8),
            ("tile", np.int8),
            ("luck", np.float32, (players,)),
        ]
    )


class PointLuck:
    """Measures the luck of games of one rule set."""

    def __init__(self, game: Game, values: Values, deals: int = DEALS) -> None:
        self.game, self.values = game, values
        self._prospects = Prospects(game)
        self._has_flowers = bool(getattr(game.rules, FIELD, False))
        self._mean_deal = self._mean_of_deals(deals)

    def of_games(
        self, seeds: Sequence[int], answers: Sequence[Array], watch: Callable[[int], None] = lambda done: None
    ) -> tuple[Array, Array]:
        """The chance events of games from their seeds and all their answers, and the games' final scores.

        `watch` is called with the number of games that are over.
        """
        tables = Stepper(self.game, len(seeds))
        tables.start(np.array(seeds, np.uint64))
        return self.of_tables(tables, answers, watch)

    def of_tables(
        self, tables: Stepper, answers: Sequence[Array], watch: Callable[[int], None] = lambda done: None
    ) -> tuple[Array, Array]:
        """The chance events of games that begin at these tables, and the final scores: see `of_games`."""
        at, dealt = np.zeros(len(answers), np.int64), np.ones(len(answers), np.bool_)
        found, flowers = [], None
        while True:
            found.append(self._events(tables, dealt, flowers))
            flowers = counted(tables.states) if self._has_flowers else None
            dealt = tables.asked == 0
            over = dealt & (tables.states["phase"] == self.game.game_over)
            watch(int(over.sum()))
            if over.all():
                break
            tables.step(_next_answers(tables, answers, at))
        return np.concatenate(found), self.game.scores(tables.states)

    def _events(self, tables: Stepper, dealt: Array, flowers: Array | None) -> Array:
        """The draws just before the open decisions, and the deals of tables where a hand was just `dealt`.

        `flowers` is the number set aside at the previous decisions, in games with flowers.
        """
        prospects, table, player = self._drawn(tables)
        if not len(table):
            return np.zeros(0, event_dtype(self.game.players))
        luck, worth = luck_and_worth(self.values, prospects)
        draws = self._listed(table, player, DRAW, prospects["drawn"].astype(np.int64), luck)
        deals = self._listed(table, player, DEAL, np.full(len(table), -1), worth - self._mean_deal)[dealt[table]]
        deals["player"] = -1
        if flowers is None:
            return np.concatenate([deals, draws])
        own = luck_of_flowers(tables.states, table, player, flowers)
        came = self._listed(table, player, FLOWER, np.full(len(table), -1), shared(own, self.game.players))
        return np.concatenate([deals, came[~dealt[table]], draws])

    def draws(self, tables: Stepper) -> tuple[Array, Array, Array]:
        """The draws just before the open decisions: their tables, luck, and the worth of the positions before them.

        Luck and worth are in points by absolute seat, float64[m, players].
        """
        prospects, table, player = self._drawn(tables)
        if not len(table):
            return table, np.zeros((0, self.game.players)), np.zeros((0, self.game.players))
        luck, worth = luck_and_worth(self.values, prospects)
        return table, self._turned(player, luck), self._turned(player, worth)

    def _drawn(self, tables: Stepper) -> tuple[Array, Array, Array]:
        """Prospects of the draws just before the open decisions, and their tables and players."""
        table, player = tables.tables.copy(), tables.players.copy()
        prospects = self._prospects.of(tables.states, table, player)
        there = undrawn(prospects).any(1)
        return prospects[there], table[there], player[there]

    def _listed(self, table: Array, player: Array, kind: int, tile: Array, luck: Array) -> Array:
        """Events as records, with luck by absolute seat instead of counted from the drawing seat."""
        out = np.zeros(len(table), event_dtype(self.game.players))
        out["game"], out["kind"], out["player"], out["tile"] = table, kind, player, tile
        out["luck"] = self._turned(player, luck)
        return out

    def _turned(self, player: Array, luck: Array) -> Array:
        """Convert points counted from the drawing seat to points by absolute seat."""
        seats = (np.arange(self.game.players) - player[:, None]) % self.game.players
        return np.take_along_axis(luck, seats, 1)

    def _mean_of_deals(self, deals: int) -> Array:
        """The mean worth of random deals by seat, counted from the first to draw."""
        tables = Stepper(self.game, deals)
        tables.start(np.array([rng.key(np.uint64(0), i, DEALS_STREAM) for i in range(deals)], np.uint64))
        return np.asarray(luck_and_worth(self.values, self._drawn(tables)[0])[1].mean(0))


def _next_answers(tables: Stepper, answers: Sequence[Array], at: Array) -> Array:
    """The next answers of all open decisions; `at` counts those taken at each table."""
    found = np.zeros(len(tables), np.int64)
    for i, table in enumerate(tables.tables.tolist()):
        found[i] = answers[table][at[table]]
        at[table] += 1
    return found


def luck_of_games(events: Array, games: int, players: int, kinds: tuple[int, ...] = (DEAL, DRAW, FLOWER)) -> Array:
    """Luck in points by game and seat, float64[games, players]."""
    total = np.zeros((games, players))
    wanted = np.isin(events["kind"], kinds)
    np.add.at(total, events["game"][wanted], events["luck"][wanted].astype(np.float64))
    return total
