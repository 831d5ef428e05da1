"""Paper 4's search model for Guobiao: the winning hands of eight fan or more near the hand that each action leaves.

The value of a hand is the sum, over the winning hands near it, of what they pay times the chances of the missing tiles.
*Near* means at most one tile farther than the nearest of eight fan.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.agents.search.shapes import search_knitted, search_shapes
from janshi.agents.search.targets import TOTAL, Search, fill_chances, search_sets
from janshi.core._jit import kernel
from janshi.core.melds import ADDED_KAN, CHI, CONCEALED_KAN, OPEN_KAN, PON
from janshi.core.tables import ShantenTables
from janshi.core.tiles import COPIES, NUM_KINDS
from janshi.rules.game import Array
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao import fans as f
from janshi.rules.guobiao.distance import shanten
from janshi.rules.guobiao.evaluate import evaluate
from janshi.rules.guobiao.policies import allows

DRAWS: Final = 0.1
"""Default number of tries at each missing tile per draw; measured in `docs/search.md`."""
FARTHEST: Final = 9
"""No hand of eight fan is farther than this many tiles."""
GROWTH: Final = 8
"""About how many times as many targets there are one tile farther."""


@kernel
def value_near(s: Search, limit: int, most: int) -> bool:
    """Write `values` from all targets with at most `limit` missing tiles; False if there were more than `most`."""
    melds = int(s.win.melds)
    s.values[:] = 0.0
    s.targets = s.enough = 0
    s.need[:] = 0
    s.lack[0] = 0
    s.open_chance[0] = s.own_chance[0] = 1.0
    s.weight = s.fan = 0.0
    s.noted[:] = 0.0
    if not search_sets(s, 4 - melds, limit, most):
        return False
    if melds < 2:
        search_knitted(s, melds, limit, most)
    if melds == 0:
        search_shapes(s, limit)
    if s.enough > 0 and (s.nearest == 0 or limit < s.nearest):
        s.nearest = limit
    return True


@kernel
def value_hand(s: Search, most: int, t: ShantenTables) -> int:
    """Write `values` of a hand: from the nearest targets of eight fan and, if not too many, those one tile farther.

    Returns the number of tiles missing to the farthest.
    """
    limit = max(shanten(s.hand, int(s.win.melds), t) + 1, 1)
    value_near(s, limit, most)
    last = False
    while limit < FARTHEST and not last:
        last = s.enough > 0
        if last and s.targets * GROWTH > most:
            break
        if not value_near(s, limit + 1, most):
            value_near(s, limit, most)
            break
        limit += 1
    return limit


@kernel
def read_view(v: Any, s: Search) -> None:
    """Set up a search from what a player sees."""
    w = s.win
    for kind in range(NUM_KINDS):
        s.hand[kind] = v.hand[kind]
        s.seen[kind] = v.seen[kind]
        s.live[kind] = COPIES - int(v.hand[kind]) - int(v.seen[kind])
    if v.tile >= 0:
        s.live[int(v.tile)] -= 1
    w.melds = v.melds[0]
    for i in range(4):
        w.meld_type[i] = w.meld_kind[i] = 0
        if i < v.melds[0]:
            w.meld_type[i], w.meld_kind[i] = v.meld_type[0, i], v.meld_kind[0, i]
            if v.meld_type[0, i] == CONCEALED_KAN:
                s.live[int(v.meld_kind[0, i])] -= COPIES
    w.seat_wind, w.round_wind = v.seat_wind, v.wind
    w.last_tile = w.after_kong = w.robbing = w.flowers = 0
    for kind in range(NUM_KINDS):
        s.live[kind] = max(s.live[kind], 0)


@kernel
def lay(s: Search, meld_type: int, kind: int) -> None:
    """Add a meld to the player's."""
    w = s.win
    at = int(w.melds)
    w.meld_type[at], w.meld_kind[at] = meld_type, kind
    w.melds = at + 1


@kernel
def best_discard(s: Search) -> tuple[float, int]:
    """The highest value of a discard, and its kind: the outermost of equals."""
    most, best = -1.0, -1
    for kind in range(NUM_KINDS):
        if s.hand[kind] > 0 and s.values[kind] >= most:
            most, best = s.values[kind], kind
    return most, best


@kernel
def value_meld(v: Any, s: Search, action: int, limit: int, most: int) -> float:
    """The value of a chi, peng or kong; after chi and peng with the best discard."""
    make_meld(s, int(v.tile), action)
    if action >= act.KONG:
        value_near(s, limit, most)
        return float(s.values[TOTAL])
    value_near(s, max(limit - 1, 1), most)
    return best_discard(s)[0]


@kernel
def make_meld(s: Search, tile: int, action: int) -> None:
    """Make a chi, peng or kong from tiles in the hand and, except for a concealed kong, the `tile` reacted to."""
    if action >= act.ADDED_KONG:
        add_to_pung(s, action - act.ADDED_KONG)
    elif action >= act.CONCEALED_KONG:
        s.hand[action - act.CONCEALED_KONG] -= COPIES
        lay(s, CONCEALED_KAN, action - act.CONCEALED_KONG)
    elif action >= act.KONG:
        s.hand[tile] -= COPIES - 1
        lay(s, OPEN_KAN, tile)
    elif action >= act.PENG:
        s.hand[tile] -= 2
        lay(s, PON, tile)
    else:
        first = act.chi_first(action)
        s.hand[tile] += 1
        for i in range(3):
            s.hand[first + i] -= 1
        lay(s, CHI, first)


@kernel
def add_to_pung(s: Search, kind: int) -> None:
    """Turn a called pung into a kong."""
    w = s.win
    s.hand[kind] -= 1
    for i in range(int(w.melds)):
        if w.meld_kind[i] == kind and w.meld_type[i] == PON:
            w.meld_type[i] = ADDED_KAN


@kernel
def win_pay(v: Any, s: Search, own_turn: bool) -> float:
    """What the win that is offered pays, from a search set up by `read_view`; chance fan but a kong's are left out."""
    w, out = s.win, s.score
    for kind in range(NUM_KINDS):
        w.hand[kind] = s.hand[kind]
    w.win_kind = int(v.drawn) if own_turn else int(v.tile)
    if not own_turn:
        w.hand[int(v.tile)] += 1
    w.after_kong = v.after_kong if own_turn else 0
    w.last_of_kind, w.self_drawn = 0, int(own_turn)
    evaluate(w, out)
    w.after_kong = 0
    fan = max(int(out.fan), f.MINIMUM)
    return float(3.0 * (f.MINIMUM + fan) if own_turn else 3.0 * f.MINIMUM + fan)


@kernel
def write_values(v: Any, s: Search, draws: float, called: float, most: int, t: ShantenTables, values: Array) -> None:
    """Write the value of every legal action, float64[235]; -1 for illegal ones. A win is worth what it pays."""
    values[:] = -1.0
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
                values[kind] = s.values[kind]
    else:
        values[act.PASS] = s.values[TOTAL]
    for action in range(act.CHI, act.HU):
        if allows(v, action):
            read_view(v, s)
            fill_chances(s, tries, called)
            values[action] = value_meld(v, s, action, limit, most)


@kernel
def choose_action(v: Any, s: Search, draws: float, called: float, most: int, t: ShantenTables, values: Array) -> int:
    """The action with the highest value: the outermost of equal discards, no meld without need; wins are taken."""
    if allows(v, act.HU):
        return act.HU
    write_values(v, s, draws, called, most, t, values)
    best = act.PASS
    for kind in range(NUM_KINDS):
        if values[kind] >= values[best]:
            best = kind
    for action in range(act.CHI, act.HU):
        if values[action] > values[best]:
            best = action
    return best


@kernel
def choose_actions(
    views: Array, searches: Array, draws: float, called: float, most: int, tables: Array, actions: Array
) -> None:
    """Write the action for each view."""
    values = np.zeros(act.NUM_ACTIONS)
    for i in range(len(views)):
        actions[i] = choose_action(views[i], searches[0], draws, called, most, tables[0], values)


@kernel
def value_actions(
    views: Array, searches: Array, draws: float, called: float, most: int, tables: Array, values: Array
) -> None:
    """Write the value of each view's actions, float64[views, 235]; see `write_values`."""
    for i in range(len(views)):
        write_values(views[i], searches[0], draws, called, most, tables[0], values[i])
