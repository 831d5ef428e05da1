"""What the search finds for each action in Guobiao, by how far the wins are: values, chances, and the discard to come.

`search` adds all wins within reach up. Here they are kept apart by their number of missing tiles, so that players can
weigh near and far wins differently (`agents/weigher`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.search.guobiao import (
    DRAWS,
    best_discard,
    make_meld,
    read_view,
    value_hand,
    value_near,
    win_pay,
)
from janshi.agents.search.reach import CALLED, MOST
from janshi.agents.search.targets import LEVELLED, LEVELS, SEARCH_DTYPE, TOTAL, Search, fill_chances
from janshi.core._jit import kernel
from janshi.core.tables import ShantenTables, tables_array
from janshi.core.tiles import NUM_KINDS
from janshi.rules.game import Array
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.policies import allows

VALUE, CHANCE = range(2)
ILLEGAL: Final = -1.0


class Levels(NamedTuple):
    """What the search finds for the actions of some views."""

    values: Array
    """As `SearchAgent.action_values`, but -1 for illegal actions: float64[m, 235]."""
    levels: Array
    """Value and chance of the wins with one missing tile, two and so on: float64[m, 235, LEVELS, 2]."""
    useful: Array
    """The kinds that these wins miss, bit k for kind k: int64[m, 235, LEVELS]."""
    thrown: Array
    """The kind discarded: now, or next after a chi or peng; -1 for none. int64[m, 235]."""


def levels_of(views: Array) -> Levels:
    """Search the hands that each action leaves."""
    search = np.zeros(1, SEARCH_DTYPE)
    search["noting"] = LEVELLED
    found = Levels(
        np.full((len(views), act.NUM_ACTIONS), ILLEGAL),
        np.zeros((len(views), act.NUM_ACTIONS, LEVELS, 2)),
        np.zeros((len(views), act.NUM_ACTIONS, LEVELS), np.int64),
        np.full((len(views), act.NUM_ACTIONS), -1, np.int64),
    )
    write_all_levels(np.ascontiguousarray(views), search, DRAWS, CALLED, MOST, tables_array(), *found)
    return found


@kernel
def write_all_levels(
    views: Array,
    searches: Array,
    draws: float,
    called: float,
    most: int,
    tables: Array,
    values: Array,
    levels: Array,
    useful: Array,
    thrown: Array,
) -> None:
    """Write what the search finds for each view."""
    for i in range(len(views)):
        write_levels(views[i], searches[0], draws, called, most, tables[0], values[i], levels[i], useful[i], thrown[i])


@kernel
def write_levels(
    v: Any,
    s: Search,
    draws: float,
    called: float,
    most: int,
    t: ShantenTables,
    values: Array,
    levels: Array,
    useful: Array,
    thrown: Array,
) -> None:
    """Write values, levels and discards of every legal action of a view; see `guobiao.write_values`."""
    own_turn = not allows(v, act.PASS)
    read_view(v, s)
    if allows(v, act.HU):
        values[act.HU] = win_pay(v, s, own_turn)
    tries = draws * (1.0 + int(v.left[0]))
    fill_chances(s, tries + (0.0 if own_turn else draws), called)
    limit = value_hand(s, most, t)
    if own_turn:
        for kind in range(NUM_KINDS):
            if s.hand[kind] > 0:
                values[kind], thrown[kind] = s.values[kind], kind
                levels[kind], useful[kind] = s.levels[kind], s.useful[kind]
    else:
        values[act.PASS] = s.values[TOTAL]
        levels[act.PASS], useful[act.PASS] = s.levels[TOTAL], s.useful[TOTAL]
    for action in range(act.CHI, act.HU):
        if allows(v, action):
            read_view(v, s)
            fill_chances(s, tries, called)
            make_meld(s, int(v.tile), action)
            kind = TOTAL
            if action >= act.KONG:
                value_near(s, limit, most)
            else:
                value_near(s, max(limit - 1, 1), most)
                kind = thrown[action] = best_discard(s)[1]
            values[action] = s.values[kind]
            levels[action], useful[action] = s.levels[kind], s.useful[kind]
