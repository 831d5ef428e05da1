"""Evidence of what options are worth: decisions of a player that explores, and what followed without luck.

Between two draws, only decisions change the value of a position. So the *gain* of a decision is the sum of all changes
from the draw before it to the end of the hand, other than by luck: value before the next draw minus value after this
one, and so on, the result of the hand at the end. The values are those of draws (`models/draw_values.py`), which know
all hands. A gain has the expectation of the result less a number that does not depend on the action, whatever the
values are; carried over each draw by a `trace` below 1, it trusts them a little and has less noise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from janshi.agents.base import Asked
from janshi.agents.registry import make_agent
from janshi.agents.strategist.options import Options, options_of, settled
from janshi.core import rng
from janshi.features.prospects import Prospects, undrawn
from janshi.learn.slots import turned
from janshi.learn.strategist.config import PLAIN, StrategistConfig
from janshi.models.draw_values import DrawValues, luck_and_worth, shipped_file
from janshi.rules.game import Array, Game
from janshi.rules.stepper import Stepper

STREAM: Final = 4242
"""Separates the walls from all others."""
Chances = Callable[[Options], Array]
"""How a player chooses: the probability of each row among the options of its decision, float64[k]."""


class Evidence(NamedTuple):
    """Decisions with a choice, and what followed."""

    options: Options
    """Their options; rows in half precision."""
    chosen: Array
    """The row of the action that was played, int64[d]."""
    chances: Array
    """How likely each row was to be played, float32[k]."""
    gains: Array
    """To learn from, by the settings; and to judge by, unbiased and without luck: float32[d, 2], in points."""

    def __len__(self) -> int:
        return len(self.chosen)


def join(parts: Sequence[Evidence]) -> Evidence:
    """Evidence of several sessions together."""
    rows = np.cumsum([0, *(len(part.chances) for part in parts)])
    first = np.concatenate([[0], *(part.options.first[1:] + at for part, at in zip(parts, rows))])
    actions, numbers = (np.concatenate([getattr(part.options, name) for part in parts]) for name in ("actions", "rows"))
    chosen = np.concatenate([part.chosen + at for part, at in zip(parts, rows)])
    chances, gains = (np.concatenate([getattr(part, name) for part in parts]) for name in ("chances", "gains"))
    return Evidence(Options(first, actions, numbers), chosen, chances, gains)


class Draws(NamedTuple):
    """All draws of some hands, hand by hand and in the order of play."""

    table: Array
    luck: Array
    """In points by seat, float64[n, players]."""
    worth: Array
    """Of the position before the draw, likewise."""

    @classmethod
    def sorted(cls, parts: list[Draws]) -> Draws:
        """Put the draws of all steps in order."""
        found = cls(*(np.concatenate(columns) for columns in zip(*parts)))
        return cls(*(column[np.argsort(found.table, kind="stable")] for column in found))


class Played(NamedTuple):
    """What was noted at one step of all tables."""

    options: Options
    chosen: Array
    chances: Array
    table: Array
    player: Array
    drawn: Array
    """Draws of the table so far."""


class Collector:
    """Plays hands and gathers evidence."""

    def __init__(self, game: Game, config: StrategistConfig) -> None:
        self.game, self.config = game, config
        self.about = options_of(game.family)
        self._write, self._rival = self.about.writer(game), make_agent(config.rival, game)
        self._prospects, self._values = Prospects(game), DrawValues.load(shipped_file(game.family.name))

    def play(self, chances: Chances, hands: int, number: int) -> tuple[Evidence, Array]:
        """Evidence from some hands, and their scores, float64[hands, players]; different numbers have other walls."""
        random = np.random.default_rng([self.config.seed, number])
        own = random.integers(self.game.players, size=hands)
        own[random.random(hands) >= self.config.rivals] = -1  # copies of the player in all seats
        tables = Stepper(self.game, hands)
        key = np.uint64(rng.key(np.uint64(self.config.seed % 2**64), number, STREAM))
        tables.start(np.array([rng.key(key, i, STREAM) for i in range(hands)], np.uint64))
        draws, played, drawn = list[Draws](), list[Played](), np.zeros(hands, np.int64)
        while not (tables.states["phase"] == self.game.game_over).all():
            draws.append(self._draws(tables))
            np.add.at(drawn, draws[-1].table, 1)
            tables.step(self._answers(tables, chances, own, drawn, random, played))
        scores = self.game.scores(tables.states).astype(np.float64)
        return evidence_of(played, Draws.sorted(draws), scores, self.config), scores

    def _draws(self, tables: Stepper) -> Draws:
        """The draws just before the open decisions."""
        table, player = tables.tables.copy(), tables.players.copy()
        prospects = self._prospects.of(tables.states, table, player)
        there = undrawn(prospects).any(1)
        table, player = table[there], player[there]
        if not len(table):
            return Draws(table, *np.zeros((2, 0, self.game.players)))
        luck, worth = luck_and_worth(self._values, prospects[there])
        return Draws(table, turned(luck, -player), turned(worth, -player))

    def _answers(
        self,
        tables: Stepper,
        chances: Chances,
        own: Array,
        drawn: Array,
        random: np.random.Generator,
        out: list[Played],
    ) -> Array:
        """An action for each open decision; notes those of the player that have a choice."""
        views = tables.views()
        actions, choice = settled(self.game.masks_of_views(views), self.about.win)
        theirs = (own[tables.tables] >= 0) & (own[tables.tables] != tables.players)
        if theirs.any():
            words = np.zeros(int(theirs.sum()), np.uint64)
            actions[theirs] = self._rival.act(Asked(self.game, views[theirs], words, tables.tables[theirs]))
        mine = np.flatnonzero(choice & ~theirs)
        if len(mine):
            options = self._write(views[mine])
            likely = chances(options)
            rows = drawn_rows(options, likely, random)
            actions[mine] = options.actions[rows]
            small = options._replace(rows=options.rows.astype(np.float16))
            table = tables.tables[mine]
            out.append(Played(small, rows, likely.astype(np.float32), table, tables.players[mine].copy(), drawn[table]))
        return actions


def drawn_rows(options: Options, chances: Array, random: np.random.Generator) -> Array:
    """Draw a row for each decision."""
    below = np.cumsum(chances)
    below *= len(options.first[1:]) / below[-1]  # each decision has a mass of one, but for rounding
    drawn = np.arange(len(options.first) - 1) + random.random(len(options.first) - 1)
    rows = np.searchsorted(below, drawn, side="right")
    return np.asarray(np.clip(rows, options.first[:-1], options.first[1:] - 1))


def evidence_of(played: list[Played], draws: Draws, scores: Array, config: StrategistConfig) -> Evidence:
    """Put together what was noted at all steps."""
    begin = np.searchsorted(draws.table, np.arange(len(scores) + 1))
    table, player, drawn = (np.concatenate([getattr(p, name) for p in played]) for name in ("table", "player", "drawn"))
    last = begin[table] + drawn - 1
    traced, unbiased = (gains_after(draws, begin, scores, trace)[last, player] for trace in (config.trace, 1.0))
    gains = np.stack([scores[table, player] if config.returns == PLAIN else traced, unbiased], 1)
    steps = np.split(gains.astype(np.float32), np.cumsum([len(p.chosen) for p in played])[:-1])
    return join([Evidence(p.options, p.chosen, p.chances, own) for p, own in zip(played, steps)])


def gains_after(draws: Draws, begin: Array, scores: Array, trace: float) -> Array:
    """All gains after each draw, each weighted by the trace for every draw between; float64[n, players]."""
    last = np.zeros(len(draws.table), np.bool_)
    last[begin[1:] - 1] = True
    gains = -draws.worth - draws.luck
    gains[~last] += draws.worth[np.flatnonzero(~last) + 1]
    gains[last] += scores[draws.table[last]]
    place = np.arange(len(last)) - begin[draws.table]
    for at in range(int(place.max(initial=0)) - 1, -1, -1):
        here = np.flatnonzero((place == at) & ~last)
        gains[here] += trace * gains[here + 1]
    return gains
