"""Planes of Guobiao with plans: those of `guobiao.planes`, and the hand's worth by its ways to eight fan.

The paper's planes show only tiles, so a network must find out for itself how to reach eight fan. These planes add the
results of `guobiao.outlook`: the hand's worth after each discard and each call, its distance to the nearest plan of
each sort, and the tiles that plan keeps and wants. They depend on the view alone.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tables import ShantenTables, tables_array
from janshi.core.tiles import NUM_KINDS
from janshi.features.guobiao import planes as base
from janshi.features.guobiao.outlook import (
    DRAWS,
    FAR,
    OUTLOOK_DTYPE,
    Outlook,
    lay,
    look_at_hand,
    set_up,
    worth_now,
)
from janshi.features.guobiao.planes import CELLS, write_hidden, write_record
from janshi.features.guobiao.plans import NO_SET, NUM_SORTS, SORTS
from janshi.features.planes import AMOUNT, CHOICE, FLAG, SHARE, Group, PlaneSet
from janshi.rules.game import Array
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.policies import allows
from janshi.rules.guobiao.view import VIEW_DTYPE, look

VERSION: Final = "guobiao-plans-1"
CALLS: Final = ("chow, tile lowest", "chow, tile in the middle", "chow, tile highest", "pong", "kong")
PASS: Final = len(CALLS)
PONG, KONG = 3, 4
FULL: Final = 255
"""The byte that encodes one."""
MOST_LACK: Final = 8
"""More missing tiles than this are encoded as this many."""
HALF: Final = NUM_SORTS // 2
"""Sorts whose flags share a byte."""
OCTAVE: Final = 10.0
"""Steps of the byte that encodes the worth of a hand, for twice the worth."""
HIGHEST: Final = 64.0
"""The worth that encodes as one."""

PRIVATE_DTYPE = record_dtype(
    [
        ("plain", base.PRIVATE_DTYPE),
        ("worth", np.uint8, (CELLS,)),  # after each discard, as a share of the best
        ("keep", np.uint8, (2, CELLS)),  # bit sets of sorts: the nearest plan needs a tile of the kind that is held
        ("want", np.uint8, (2, CELLS)),  # a tile of the kind brings it nearer
        ("lack", np.uint8, (NUM_SORTS,)),  # tiles missing for the nearest plan of each sort
        ("least", np.uint8),  # for the nearest of all
        ("prospect", np.uint8),  # logarithm of the worth
        ("call", np.uint8, (PASS + 1,)),  # worth after each call and after passing, as shares of the best
        ("call_lack", np.uint8, (PASS,)),  # tiles missing after each call
        ("more", np.uint8, (7,)),
    ]
)

PRIVATE: Final = (
    *base.PRIVATE,
    Group("worth", "of the hand after each discard, as a share of the best", "worth", AMOUNT, levels=FULL, paper=False),
    Group("kept for", "kinds held that the nearest plan of a sort needs", "keep", FLAG, SORTS[:HALF], paper=False),
    Group("kept for, further", "the same of other sorts", "keep", FLAG, SORTS[HALF:], paper=False, first_byte=CELLS),
    Group("wanted for", "kinds that bring the nearest plan of a sort nearer", "want", FLAG, SORTS[:HALF], paper=False),
    Group("wanted for, further", "the same of other sorts", "want", FLAG, SORTS[HALF:], paper=False, first_byte=CELLS),
    Group("lacking", "tiles to the nearest plan of a sort", "lack", SHARE, SORTS, MOST_LACK, paper=False),
    Group("least lacking", "tiles to the nearest plan of all", "least", CHOICE, levels=MOST_LACK + 1, paper=False),
    Group("prospect", "logarithm of what the hand is worth", "prospect", SHARE, levels=FULL, paper=False),
    Group("call", "worth after it, as a share of the best", "call", SHARE, (*CALLS, "pass"), FULL, paper=False),
    Group("lacking after a call", "tiles to the nearest plan", "call_lack", SHARE, CALLS, MOST_LACK, paper=False),
)

SCRATCH_DTYPE = record_dtype([("looked", VIEW_DTYPE), ("outlook", OUTLOOK_DTYPE)])


@kernel
def share_of(value: float, best: float) -> int:
    """Encode a value as a share of the best, in a byte."""
    return min(int(FULL * value / best + 0.5), FULL) if best > 0.0 else 0


@kernel
def write_plans(v: Any, o: Outlook, r: Any, t: ShantenTables) -> None:
    """Pack the outlook of a view."""
    for cell in range(CELLS):
        r.worth[cell] = 0
        for half in range(2):
            r.keep[half, cell] = r.want[half, cell] = 0
    for i in range(PASS + 1):
        r.call[i] = 0
    for i in range(PASS):
        r.call_lack[i] = MOST_LACK
    for i in range(len(r.more)):
        r.more[i] = 0
    turn = not allows(v, act.PASS)
    tries = DRAWS * (1.0 + int(v.left[0]))
    set_up(v, o)
    look_at_hand(o, turn, tries if turn else tries + DRAWS, t)
    write_outlook(o, r)
    if not turn:
        write_calls(v, o, r, tries, t)


@kernel
def write_outlook(o: Outlook, r: Any) -> None:
    """Pack the outlook of the hand as it is."""
    best = 0.0
    for kind in range(NUM_KINDS):
        best = max(best, o.worth[kind])
    for kind in range(NUM_KINDS):
        r.worth[kind] = share_of(o.worth[kind], best)
    for sort in range(NUM_SORTS):
        half, bit = sort // HALF, sort % HALF
        plan = o.best[sort]
        r.lack[sort] = MOST_LACK if plan == NO_SET else min(o.lacks[plan], MOST_LACK)
        for kind in range(NUM_KINDS):
            r.keep[half, kind] |= ((o.keep[sort] >> kind) & 1) << bit
            r.want[half, kind] |= ((o.want[sort] >> kind) & 1) << bit
    r.least = min(o.least, MOST_LACK)
    r.prospect = prospect_of(o.worth[NUM_KINDS])


@kernel
def prospect_of(worth: float) -> int:
    """Encode the logarithm of a hand's worth in a byte."""
    level = FULL + OCTAVE * np.log2(max(worth, 1e-12) / HIGHEST)
    return int(max(min(level, float(FULL)), 0.0))


@kernel
def write_calls(v: Any, o: Outlook, r: Any, tries: float, t: ShantenTables) -> None:
    """Pack the hand's worth after each legal call, and after passing."""
    worths = np.zeros(PASS + 1)
    worths[PASS] = o.worth[NUM_KINDS]
    tile = int(v.tile)
    for action in range(act.CHI, act.CONCEALED_KONG):
        if not allows(v, action):
            continue
        set_up(v, o)
        if action >= act.KONG:
            place = KONG
            o.hand[tile] -= 3
            lay(o, False, tile)
        elif action >= act.PENG:
            place = PONG
            o.hand[tile] -= 2
            lay(o, False, tile)
        else:
            first = act.chi_first(action)
            place = tile - first
            o.hand[tile] += 1
            for i in range(3):
                o.hand[first + i] -= 1
            lay(o, True, first)
        worths[place] = worth_now(o, tries, t)
        r.call_lack[place] = min(o.least, MOST_LACK)
    best = worths.max()
    for i in range(PASS + 1):
        r.call[i] = share_of(worths[i], best)


@kernel
def write_view_records(views: Any, outlook: Any, tables: Any, out: Any) -> None:
    """Write a private input for each view."""
    for i in range(len(views)):
        write_record(views[i], out[i].plain)
        write_plans(views[i], outlook[0], out[i], tables[0])


@kernel
def write_state_records(states: Any, places: Any, players: Any, scratch: Any, tables: Any, out: Any) -> None:
    """Write a private input for each (table, player), by way of a view."""
    v, o = scratch[0].looked, scratch[0].outlook
    for i in range(len(places)):
        look(states[places[i]], int(players[i]), v)
        write_record(v, out[i].plain)
        write_plans(v, o, out[i], tables[0])


def write_views(views: Array, out: Array) -> None:
    """Write a private input for each view."""
    write_view_records(views, np.zeros(1, OUTLOOK_DTYPE), tables_array(), out)


def write_private(states: Array, tables: Array, players: Array, _: Array, out: Array) -> None:
    """Write a private input for each (table, player)."""
    write_state_records(states, tables, players, np.zeros(1, SCRATCH_DTYPE), tables_array(), out)


assert FAR >= MOST_LACK
__all__ = ["PLANES", "write_hidden", "write_private", "write_views"]

PLANES: Final = PlaneSet(
    "guobiao",
    VERSION,
    base.ROWS,
    base.PLANES.columns,
    act.NUM_ACTIONS,
    VIEW_DTYPE,
    PRIVATE_DTYPE,
    base.HIDDEN_DTYPE,
    PRIVATE,
    base.HIDDEN,
    sys.modules[__name__],
)
