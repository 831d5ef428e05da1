"""Features of the actions of a Guobiao decision, from the view alone: own wins near and far, danger, kind of action.

- *Wins*: the search's values and chances of wins by their missing tiles, weighed for several speeds: at speed 2, every
  missing tile comes twice as easily, so far wins count for more (`agents/search/levels.py`). Also the number of unseen
  tiles that the nearest wins miss.
- *Danger*: the chance that somebody wins on the discard (`models/guobiao_opponents.py`), and how safe the rest of the
  hand is.
- *Kind of action*: the role of the tile, calls and kongs.
- Products of these with the draws that are left, and with how likely opponents are ready.
- The situation itself, which is the same for all actions of a decision: it only matters to a hidden layer.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from janshi.agents.search.levels import CHANCE, VALUE, Levels, levels_of
from janshi.agents.search.targets import LEVELS
from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS
from janshi.models.guobiao_opponents import (
    DRAGONS,
    RANK,
    GuobiaoOpponents,
    logistic,
    ready_features,
    seen_in,
    win_features,
)
from janshi.rules.game import Array
from janshi.rules.guobiao import actions as act

VERSION: Final = 1
SPEEDS: Final = (0.5, 1.0, 2.0, 4.0)
PLAIN, FAST = 1, 2
"""Places of the search's own speed, and of twice that."""
WORTH_TRYING: Final = 0.35
"""Discards are considered if the search values them at this share of the best, or more."""
LEAST_VALUE: Final = 0.05
"""Points added to values before taking logarithms."""
LEAST_CHANCE: Final = 1e-12
DRAWS: Final = 21.0
"""Roughly the number of a player's draws in a hand."""
SAFE: Final = 0.03
"""A tile this dangerous counts as 1/e of a safe tile."""
ROLES: Final = ("rank 1 or 9", "rank 2 or 8", "rank 3 or 7", "rank 4 to 6", "wind", "dragon")
MELDS: Final = ("chi", "peng", "kong", "concealed kong", "added kong")
OF_HAND: Final = ("logarithm", "points", "chance", "ready", "missing tiles", "value of a win")
"""Numbers about the hand after an action that are also multiplied with the situation."""
_BOUNDS: Final = (act.CHI, act.PENG, act.KONG, act.CONCEALED_KONG, act.ADDED_KONG, act.HU)

FEATURES: Final = (
    *(f"wins at speed {speed:g}, logarithm" for speed in SPEEDS),
    *(f"points at speed {speed:g}" for speed in SPEEDS),
    *(f"chance to win at speed {speed:g}" for speed in SPEEDS),
    *("ready", "ready, chance", "missing tiles", "value of a win"),
    *(f"{name}, draws left" for name in OF_HAND),
    *(f"{name}, opponents ready" for name in OF_HAND),
    *(f"{name}, own melds" for name in OF_HAND[:3]),
    *("danger", "danger, square root", "danger, chance to win", "danger, draws left", "danger, melds"),
    *("safe tiles", "safe tiles, opponents ready", "safe tiles, chance to win", "safest tile, opponents ready"),
    *ROLES,
    *(f"{name}, draws left" for name in ROLES),
    *("visible", "visible, draws left", "held twice", "in the next river", "late in the next river"),
    *MELDS,
    *(f"{name}, draws left" for name in MELDS),
    *("call, own melds", "call, opponents ready", "call, opponents' melds", "first call"),
    *("useful tiles", "useful tiles, logarithm", "useful tiles, draws left", "useful tiles, missing tiles"),
    "useful tiles, one farther",
    *("draws left", "opponents ready", "own melds", "opponents' melds", "logarithm of the best", "reaction"),
)


class Rows(NamedTuple):
    """The legal actions of some decisions, without wins, and their features."""

    decision: Array
    """int64[n], ascending."""
    action: Array
    """int64[n]."""
    about: Array
    """float64[n, FEATURES]."""
    value: Array
    """The search's value, float64[n]."""
    danger: Array
    """float64[n]."""

    def where(self, kept: Array) -> Rows:
        """Some of them."""
        return Rows(*(column[kept] for column in self))

    def of_several(self) -> Rows:
        """Those of decisions with more than one action."""
        return self.where(np.bincount(self.decision)[self.decision] > 1)


def sensible(rows: Rows) -> Rows:
    """Without actions that give up most wins within reach, except calls and the safest discards."""
    new = np.diff(rows.decision, prepend=-1) > 0
    starts, which = np.flatnonzero(new), np.cumsum(new) - 1
    most, least = np.maximum.reduceat(rows.value, starts), np.minimum.reduceat(rows.danger, starts)
    near = rows.value + LEAST_VALUE >= WORTH_TRYING * (most[which] + LEAST_VALUE)
    return rows.where(near | (rows.action >= NUM_KINDS) | (rows.danger <= least[which]))


def favourites(rows: Rows) -> Array:
    """The row that the search prefers in each decision: the outermost of equal discards, no call without need."""
    calls = (rows.action >= act.CHI) & (rows.action < act.PASS)
    order = np.lexsort((np.where(calls, -rows.action, rows.action), ~calls, rows.value, rows.decision))
    return np.asarray(order[np.flatnonzero(np.diff(rows.decision[order], append=-1))])


def rows_of(views: Array, models: GuobiaoOpponents) -> Rows:
    """Search the actions of some views and compute their features."""
    return features(views, levels_of(views), models)


# --- what features are made of


class Actions(NamedTuple):
    """The actions of some decisions, one row each, and what is known around them."""

    views: Array
    """The view of each decision."""
    decision: Array
    action: Array
    has: Array
    """Whether the player discards now or after the call, bool[n]."""
    kind: Array
    """The discard; 0 without one."""
    left: Array
    """Draws left, 1 for a whole hand."""
    ready: Array
    """How likely some opponent is ready."""
    melds: Array
    """The player's melds, in fours."""
    others: Array
    """The opponents' melds, in fours."""
    risks: Array
    """The danger of every kind, float64[n, 34]."""
    melded: Array
    """The same, each opponent's share multiplied by the number of melds."""

    @property
    def rows(self) -> Array:
        """0, 1, 2 ..."""
        return np.arange(len(self.kind))

    @property
    def danger(self) -> Array:
        """The danger of the discard, float64[n]."""
        return np.asarray(self.risks[self.rows, self.kind] * self.has)


class Wins(NamedTuple):
    """The wins within reach after actions."""

    logs: Array
    """Logarithms of values, float64[n, SPEEDS]."""
    points: Array
    """Tens of points, each win at most once, float64[n, SPEEDS]."""
    chances: Array
    """Chance to win, float64[n, SPEEDS]."""
    waits: Array
    """Whether the hand is ready."""
    missing: Array
    """Mean number of missing tiles of wins."""
    pay: Array
    """Mean payment of wins, in forties of points."""

    @property
    def of_hand(self) -> Array:
        """The numbers of OF_HAND, float64[n, 6]."""
        logs, points, chances = self.logs[:, PLAIN], self.points[:, FAST], self.chances[:, FAST]
        return np.stack([logs, points, chances, self.waits, self.missing, self.pay], 1)


def features(views: Array, found: Levels, models: GuobiaoOpponents) -> Rows:
    """Features from what the search found."""
    legal = found.values >= 0
    legal[:, act.HU] = False
    decision, action = np.nonzero(legal)
    a = actions_of(views, decision, action, found.thrown[decision, action], models)
    w = wins_of(found.levels[decision, action])
    columns = [
        *(w.logs, w.points, w.chances),
        np.stack([w.waits, w.waits * w.chances[:, PLAIN], w.missing, w.pay], 1),
        *(w.of_hand * a.left[:, None], w.of_hand * a.ready[:, None], w.of_hand[:, :3] * a.melds[:, None]),
        *(_about_danger(a, w), _about_tile(a), _about_call(a)),
        *(_about_useful(a, w, found), _about_situation(a, w)),
    ]
    about = np.concatenate([np.asarray(column, np.float64) for column in columns], 1)
    return Rows(decision, action, about, found.values[decision, action], a.danger)


def dangers(views: Array, models: GuobiaoOpponents) -> tuple[Array, Array, Array]:
    """How likely opponents are ready, float64[m, 3]; the danger of each kind, float64[m, 34], and weighed by melds."""
    seen = seen_in(views)
    ready = logistic(ready_features(seen) @ models.ready)
    wins = ready[:, :, None] * logistic(win_features(seen) @ models.wins)
    return ready, 1.0 - np.prod(1.0 - wins, axis=1), (wins * seen.melds[:, :, None]).sum(1)


def actions_of(views: Array, decision: Array, action: Array, thrown: Array, models: GuobiaoOpponents) -> Actions:
    """What is known around some actions."""
    ready, risks, melded = dangers(views, models)
    melds = views["melds"] / 4.0
    return Actions(
        views,
        decision,
        action,
        thrown >= 0,
        np.maximum(thrown, 0),
        (views["left"][:, 0] / DRAWS)[decision],
        (1.0 - np.prod(1.0 - ready, 1))[decision],
        melds[decision, 0],
        melds[:, 1:].sum(1)[decision],
        risks[decision],
        melded[decision],
    )


def wins_of(levels: Array) -> Wins:
    """Wins from their values and chances by missing tiles, float64[n, LEVELS, 2]."""
    number = np.arange(1, LEVELS + 1)
    speeds = np.array(SPEEDS)[:, None] ** number
    values, chances = levels[:, :, VALUE] @ speeds.T, levels[:, :, CHANCE] @ speeds.T
    least = np.maximum(chances, LEAST_CHANCE)
    caught = 1.0 - np.exp(-chances)
    return Wins(
        np.log(values + LEAST_VALUE),
        caught * values / least / 10.0,
        caught,
        (levels[:, 0, VALUE] > 0).astype(np.float64),
        levels[:, :, CHANCE] @ (speeds[FAST] * number) / least[:, FAST],
        values[:, FAST] / least[:, FAST] / 40.0,
    )


def _about_danger(a: Actions, w: Wins) -> Array:
    """The danger of the discard, and how safe the tiles are that stay."""
    own, chance = a.danger, w.chances[:, FAST]
    rest = a.views["hand"][a.decision].astype(np.float64)
    rest[a.rows[a.has], a.kind[a.has]] -= 1
    safe = (np.minimum(rest, 2.0) * np.exp(-a.risks / SAFE)).sum(1) / 4.0
    safest = np.where(rest > 0, a.risks, 1.0).min(1)
    safest = np.where(safest < 1.0, safest, 0.0) * 10.0
    melded = a.melded[a.rows, a.kind] * a.has
    danger = [own * 10, np.sqrt(own), own * 10 * chance, own * 10 * a.left, melded]
    return np.stack([*danger, safe, safe * a.ready, safe * chance, safest * a.ready], 1)


def _about_tile(a: Actions) -> Array:
    """The role of the discard, how much of it is visible, and whether the next player discarded it."""
    role = (ROLE[a.kind][:, None] == np.arange(len(ROLES))) & a.has[:, None]
    visible = a.views["seen"][a.decision, a.kind] / 3.0 * a.has
    twice = (a.views["hand"][a.decision, a.kind] >= 2) & a.has
    river, late = _next_river(a)
    others = np.stack([visible, visible * a.left, twice, river & a.has, late & a.has], 1)
    return np.concatenate([role, role * a.left[:, None], others], 1)


def _about_call(a: Actions) -> Array:
    """Which kind of meld an action makes, if any."""
    kinds = np.stack([(a.action >= low) & (a.action < high) for low, high in pairwise(_BOUNDS)], 1)
    called = kinds[:, :3].any(1)
    more = np.stack([called * a.melds, called * a.ready, called * a.others, called * (a.melds == 0)], 1)
    return np.concatenate([kinds, kinds * a.left[:, None], more], 1)


def _about_useful(a: Actions, w: Wins, found: Levels) -> Array:
    """Unseen tiles, in twenties, that the nearest wins miss; and with those that wins one tile farther miss."""
    unseen = np.maximum(COPIES - a.views["hand"] - a.views["seen"], 0)[a.decision].astype(np.float64)
    nearest = (found.levels[a.decision, a.action, :, CHANCE] > 0).argmax(1)
    near = found.useful[a.decision, a.action, nearest]
    both = near | found.useful[a.decision, a.action, np.minimum(nearest + 1, LEVELS - 1)]
    count, farther = (((kinds[:, None] >> np.arange(NUM_KINDS) & 1) * unseen).sum(1) / 20.0 for kinds in (near, both))
    return np.stack([count, np.log(count + 0.05), count * a.left, count * w.missing, farther], 1)


def _about_situation(a: Actions, w: Wins) -> Array:
    """What is the same for all actions of a decision."""
    best = np.full(len(a.views), -np.inf)
    np.maximum.at(best, a.decision, w.logs[:, PLAIN])
    return np.stack([a.left, a.ready, a.melds, a.others, best[a.decision], a.views["tile"][a.decision] >= 0], 1)


def _next_river(a: Actions) -> tuple[Array, Array]:
    """Whether the next player has discarded the kind, and whether it was among the last three discards."""
    river, count = a.views["river"][a.decision, 1], a.views["discards"][a.decision, 1, None]
    places = np.arange(river.shape[1])
    same = (river == a.kind[:, None]) & (places < count)
    return same.any(1), (same & (places >= count - 3)).any(1)


def _roles() -> Array:
    """The role of each kind, a place in ROLES."""
    ends = np.minimum(RANK, RANKS - 1 - RANK)
    found = np.where(np.arange(NUM_KINDS) < EAST, np.minimum(ends, 3), 4)
    found[DRAGONS:] = 5
    return np.asarray(found)


ROLE: Final = _roles()
