"""What choices are worth in Guobiao, by trying all of them: copies of the table go on for some draws, without luck.

At some decisions of a hand, every sensible action is tried at a copy of the table: same hidden hands, same walls. The
copy goes on with the usual players until a number of draws later; the value of the position before the next draw, minus
the luck of the draws in between, is the worth of the action (`luck/points/measure.py`). All actions of a decision are
tried under the same conditions, so their differences have little noise: at zero draws, only that of the hidden hands.

At zero draws, differences also contain the errors of the values of draws, and choices that are fitted to them exploit
these errors: `docs/notebook.md` shows how a gain of 0.05 points a decision was gone twelve draws later.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.weigher.features import FEATURES, Rows, rows_of, sensible
from janshi.core.dtypes import record_dtype
from janshi.luck.points.measure import PointLuck, shipped_values
from janshi.luck.points.seated import Seated
from janshi.models.draw_values import Values
from janshi.models.guobiao_opponents import shipped as shipped_opponents
from janshi.rules.game import Array, Game
from janshi.rules.guobiao.actions import HU, PASS
from janshi.rules.guobiao.view import VIEW_DTYPE
from janshi.rules.stepper import Stepper, whole

HORIZONS: Final = (0, 4)
"""Draws after which the worth of a choice is measured."""

DECISION_DTYPE = record_dtype(
    [
        ("game", np.int32),
        ("seat", np.int8),
        ("action", np.int16),  # what the player did
        ("view", VIEW_DTYPE),
    ]
)


def branch_dtype(horizons: int) -> np.dtype[Any]:
    """An action tried: its decision, features, and worth to the player, in points, after each number of draws."""
    about = ("about", np.float32, (len(FEATURES),))
    return record_dtype([("decision", np.int32), ("action", np.int16), about, ("worth", np.float32, (horizons,))])


class Branches:
    """Plays hands and tries the choices of some decisions."""

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        learner: int | None = None,
        horizons: tuple[int, ...] = HORIZONS,
        values: Values | None = None,
        calls: bool = False,
        rivals: Sequence[Agent] = (),
    ) -> None:
        """`agents` play the seats, turned by one with each hand.

        Only decisions of the `learner` are tried, or all; with `calls`, only those about calls. If there are `rivals`,
        only the actions that they would take are tried, where they differ.
        """
        self.game, self.seated, self.learner, self.horizons = game, Seated(game, agents), learner, horizons
        self.calls, self.rivals = calls, list(rivals)
        self.luck = PointLuck(game, values or shipped_values(game.family.name), deals=1)

    def play(self, seeds: Array, often: float, random: np.random.Generator) -> tuple[Array, Array]:
        """Decisions of some hands and their branches, as records."""
        tables = Stepper(self.game, len(seeds))
        tables.start(seeds)
        decisions, branches, count = list[Array](), list[Array](), 0
        while not (tables.states["phase"] == self.game.game_over).all():
            views = tables.views()
            actions = self.seated.answers(views, tables.players, tables.tables)
            chosen = self._chosen(views, tables, often, random)
            if len(chosen):
                made, tried = self._try(tables, views, actions, chosen)
                tried["decision"] += count
                count += len(made)
                decisions.append(made)
                branches.append(tried)
            tables.step(actions)
        return np.concatenate(decisions), np.concatenate(branches)

    def _chosen(self, views: Array, tables: Stepper, often: float, random: np.random.Generator) -> Array:
        """The decisions whose choices are tried: open ones without a win."""
        legal = self.game.masks_of_views(views)
        open_ = (legal.sum(1) > 1) & ~legal[:, HU] & (random.random(len(views)) < often)
        if self.calls:
            open_ &= legal[:, PASS]
        if self.learner is not None:
            open_ &= self.seated.places(tables.tables, tables.players) == self.learner
        return np.flatnonzero(open_)

    def _try(self, tables: Stepper, views: Array, actions: Array, chosen: Array) -> tuple[Array, Array]:
        """Try the sensible actions of some decisions."""
        made = np.zeros(len(chosen), DECISION_DTYPE)
        made["game"], made["seat"] = tables.tables[chosen], tables.players[chosen]
        made["action"], made["view"] = actions[chosen], views[chosen]
        rows = self._candidates(views[chosen]).of_several()
        at, action = rows.decision, rows.action
        row = chosen[at]
        place = tables.tables[row]
        first, last = tables.first[place], tables.first[place + 1]
        states = whole(tables.states)[place].view(self.game.state_dtype)
        copies = Stepper.of(self.game, states)
        sizes = last - first
        given = actions[np.repeat(first - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes) + np.arange(sizes.sum())]
        given[np.concatenate([[0], np.cumsum(sizes)[:-1]]) + row - first] = action
        copies.step(given)
        tried = np.zeros(len(at), branch_dtype(len(self.horizons)))
        tried["decision"], tried["action"], tried["about"] = at, action, rows.about
        tried["worth"] = self._follow(copies, tables.tables[row], tables.players[row])
        return made, tried

    def _candidates(self, views: Array) -> Rows:
        """The actions to try."""
        rows = rows_of(views, shipped_opponents())
        if not self.rivals:
            return sensible(rows)
        none = np.zeros(len(views), np.int64)
        answers = [rival.act(Asked(self.game, views, none.astype(np.uint64), none)) for rival in self.rivals]
        return rows.where(np.any([rows.action == answer[rows.decision] for answer in answers], axis=0))

    def _follow(self, copies: Stepper, hands: Array, seats: Array) -> Array:
        """The worth of the positions to each seat after `horizons` draws, float64[n, horizons]."""
        number = np.arange(len(hands))
        drawn, luck = np.zeros(len(hands), np.int64), np.zeros(len(hands))
        worth = np.full((len(hands), len(self.horizons)), np.nan)
        last = max(self.horizons)
        while True:
            table, lucky, before = self.luck.draws(copies)
            who = number[table]
            own_luck, own_before = (part[np.arange(len(table)), seats[who]] for part in (lucky, before))
            for i, horizon in enumerate(self.horizons):
                here = drawn[who] == horizon
                worth[who[here], i] = own_before[here] - luck[who[here]]
            luck[who] += own_luck
            drawn[who] += 1
            over = copies.states["phase"] == self.game.game_over
            if over.any():
                ended = number[over]
                points = self.game.scores(copies.states[over])[np.arange(len(ended)), seats[ended]]
                missing = np.isnan(worth[ended])
                worth[ended] = np.where(missing, (points - luck[ended])[:, None], worth[ended])
            stay = np.flatnonzero(~over & (drawn[number] <= last))
            if not len(stay):
                return worth
            if len(stay) < len(number):
                copies.keep(stay)
                number = number[stay]
            views = copies.views()
            copies.step(self.seated.answers(views, copies.players, hands[number[copies.tables]]))
