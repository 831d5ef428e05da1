"""Kernels that pack riichi views: the legal actions and the active inputs, which `layout.py` defines.

`list_inputs` writes numbers below `INPUTS` one after another and returns how many. It reads only the view and the
rules, so nothing hidden can leak in.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.features.riichi.derived import list_danger, list_efficiency
from janshi.features.riichi.game_tokens import list_game, list_question
from janshi.features.riichi.layout import NO_INPUT
from janshi.features.riichi.notes import note_table
from janshi.features.riichi.player_tokens import list_overtaking, list_player
from janshi.features.riichi.tile_tokens import list_hand, list_melds, list_rivers
from janshi.rules.riichi.state import PLAYERS

ROOM: Final = 768
"""Space for the active inputs of a packed position: about 320 are active in games, and we have never seen over 500."""

PACKED_DTYPE: Final = record_dtype(
    [
        ("legal", np.int64, (2,)),  # legal actions, 60 a word
        ("drawn", np.int16),  # the viewer's drawn tile (0..36), or NONE
        ("count", np.int16),  # how many inputs are active
        ("inputs", np.uint16, (ROOM,)),  # their numbers in order, then NO_INPUT
    ]
)
"""A packed position: the legal actions and the active inputs."""


@kernel
def write_packed(views: Any, rules: Any, which: Any, tables: Any, notes: Any, out: Any) -> None:
    """Pack many views, VIEW_DTYPE[n], into PACKED_DTYPE[n]; `which` is the index of each view's rules in `rules`."""
    for i in range(len(views)):
        pack_view(views[i], rules[which[i]], tables[0], notes[0], out[i])


@kernel
def pack_view(v: Any, rules: Any, t: Any, notes: Any, out: Any) -> None:
    """Pack one view."""
    out.legal[0] = v.legal[0]
    out.legal[1] = v.legal[1]
    out.drawn = v.drawn
    listed = notes.listed
    n = min(sort_once(listed, list_inputs(v, rules, t, notes, listed)), ROOM)
    out.count = n
    out.inputs[:n] = listed[:n]
    out.inputs[n:] = NO_INPUT


@kernel
def sort_once(inputs: Any, n: int) -> int:
    """Sort a list of n inputs and remove duplicates (two discards may give the same input); returns the new length."""
    inputs[:n].sort()
    kept = 0
    for i in range(n):
        if kept == 0 or inputs[i] != inputs[kept - 1]:
            inputs[kept] = inputs[i]
            kept += 1
    return kept


@kernel
def list_inputs(v: Any, rules: Any, t: Any, notes: Any, out: Any) -> int:
    """List the active inputs of a view into `out`, uint16[LISTED], some twice; returns how many."""
    note_table(v, notes)
    n = list_hand(v, notes, out, 0)
    n = list_rivers(v, notes, out, n)
    n = list_melds(v, out, n)
    n = list_efficiency(v, t, notes, out, n)
    n = list_danger(v, notes, out, n)
    for player in range(PLAYERS):
        n = list_player(v, player, notes, out, n)
        if player > 0:
            n = list_overtaking(v, player, notes, out, n)
    n = list_game(v, rules, out, n)
    return list_question(v, notes, out, n)
