"""Kernels that lay melds on the table: calls of a discard, and kans."""

from __future__ import annotations

from typing import Any

from janshi.core._jit import kernel
from janshi.core.tiles import EAST, NORTH, RED_DRAGON, WHITE
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import drop, holds_red, kind_of, red_of, settle
from janshi.rules.riichi.deal import draw_replacement, turn_indicator
from janshi.rules.riichi.legal import MAX_KANS, ask_turn, chi_ban, swap_ban
from janshi.rules.riichi.state import CALLED_FLAG, LIABLE_DRAGONS, LIABLE_KANS, LIABLE_WINDS, MELDS, NONE, TURN, Context
from janshi.rules.riichi.win import ADDED_KAN, CHI, CONCEALED_KAN, OPEN_KAN, PON


@kernel
def call(s: Any, player: int, action: int, c: Context) -> None:
    """A player melds the discard; after pon and chi they discard, after a kan they draw a replacement."""
    discarder = int(s.actor)
    s.river_flags[discarder, int(s.discards[discarder]) - 1] |= CALLED_FLAG
    kind = kind_of(int(s.tile))
    s.seen[kind] -= 1
    interrupt(s)
    s.actor = player
    s.phase = TURN
    if action == act.OPEN_KAN:
        call_kan(s, player, kind, discarder, c)
        return
    if action >= act.PON:
        call_pon(s, player, kind, action == act.PON_RED, discarder)
        s.banned = swap_ban(kind, -1, c)
    else:
        place = (action - act.CHI) % 3
        call_chi(s, player, kind, place, action >= act.CHI_RED, discarder)
        s.banned = chi_ban(kind, place, c)
    ask_turn(s, c)


@kernel
def interrupt(s: Any) -> None:
    """A call or kan ends everyone's ippatsu and uninterrupted first turn."""
    s.ippatsu[:] = 0
    s.first_turn[:] = 0


@kernel
def give(s: Any, player: int, kind: int, red: bool) -> int:
    """Move a tile of a kind from the hand to a meld, the red five if wanted; returns 1 if it was red."""
    tile = red_of(kind) if red else kind
    drop(s, player, tile)
    s.seen[kind] += 1
    return 1 if red else 0


@kernel
def give_any(s: Any, player: int, kind: int) -> int:
    """Move all tiles of a kind from the hand to a meld; returns 1 if a red five was among them."""
    red = 0
    for _ in range(int(s.hand[player, kind])):
        red |= give(s, player, kind, holds_red(s, player, kind))
    return red


@kernel
def add_meld(s: Any, player: int, meld_type: int, kind: int, tile: int, source: int, red: int) -> None:
    """Lay a meld on the table."""
    i = int(s.melds[player])
    s.meld_type[player, i] = meld_type
    s.meld_kind[player, i] = kind
    s.meld_tile[player, i] = tile
    s.meld_from[player, i] = source
    s.meld_red[player, i] = red
    s.meld_order[player, i] = s.turns
    s.melds[player] += 1
    if meld_type != CONCEALED_KAN:
        s.open_melds[player] += 1
    if meld_type >= OPEN_KAN:
        s.kans[player] += 1
    note_liability(s, player, kind, meld_type, source)


@kernel
def call_pon(s: Any, player: int, kind: int, red: bool, source: int) -> None:
    """Meld the discard with two equal tiles."""
    held = give(s, player, kind, red) + give(s, player, kind, False)
    called = 1 if s.tile != kind else 0
    s.seen[kind] += 1
    add_meld(s, player, PON, kind, int(s.tile), source, held + called)


@kernel
def call_chi(s: Any, player: int, kind: int, place: int, red: bool, source: int) -> None:
    """Meld the discard into a sequence; `place` is where it stands."""
    reds = 1 if s.tile != kind else 0
    first = kind - place
    for i in range(3):
        if i != place:
            reds += give(s, player, first + i, red and holds_red(s, player, first + i))
    s.seen[kind] += 1
    add_meld(s, player, CHI, first, int(s.tile), source, reds)


@kernel
def call_kan(s: Any, player: int, kind: int, source: int, c: Context) -> None:
    """Meld the discard with three equal tiles and draw a replacement."""
    red = give_any(s, player, kind) | (1 if s.tile != kind else 0)
    s.seen[kind] += 1
    add_meld(s, player, OPEN_KAN, kind, int(s.tile), source, red)
    settle(s, player, c)
    replace_after_kan(s, player, c.rules.open_kan_dora == 1, c)


@kernel
def note_liability(s: Any, player: int, kind: int, meld_type: int, source: int) -> None:
    """Note who is liable: the player who fed the set that completes three dragons, four winds or four kans."""
    if source == NONE:
        return
    dragons, winds = 0, 0
    for i in range(int(s.melds[player])):
        first = int(s.meld_kind[player, i])
        dragons += 1 if WHITE <= first <= RED_DRAGON else 0
        winds += 1 if EAST <= first <= NORTH else 0
    if WHITE <= kind <= RED_DRAGON and dragons == 3:
        s.liable[player, LIABLE_DRAGONS] = source
    if EAST <= kind <= NORTH and winds == 4:
        s.liable[player, LIABLE_WINDS] = source
    if meld_type == OPEN_KAN and s.kans[player] == MAX_KANS:
        s.liable[player, LIABLE_KANS] = source


@kernel
def complete_concealed_kan(s: Any, c: Context) -> None:
    """Lay the four tiles down; the new dora is turned at once."""
    player, kind = int(s.actor), int(s.tile)
    interrupt(s)
    red = give_any(s, player, kind)
    add_meld(s, player, CONCEALED_KAN, kind, NONE, NONE, red)
    s.drawn = NONE
    if s.riichi[player] == 0:
        settle(s, player, c)
    replace_after_kan(s, player, True, c)


@kernel
def complete_added_kan(s: Any, c: Context) -> None:
    """Turn a pon into a kan."""
    player, kind = int(s.actor), kind_of(int(s.tile))
    interrupt(s)
    red = give_any(s, player, kind)
    for i in range(MELDS):
        if s.meld_type[player, i] == PON and s.meld_kind[player, i] == kind:
            s.meld_type[player, i] = ADDED_KAN
            if red:
                s.meld_red[player, i] = 2
    s.kans[player] += 1
    s.drawn = NONE
    settle(s, player, c)
    replace_after_kan(s, player, c.rules.open_kan_dora == 1, c)


@kernel
def replace_after_kan(s: Any, player: int, at_once: bool, c: Context) -> None:
    """Turn the indicators that are due, draw the replacement tile and ask the player again."""
    turn_pending_dora(s, c)
    if at_once:
        turn_indicator(s, c)
    else:
        s.pending_dora += 1
    s.phase = TURN
    draw_replacement(s, player, c)
    ask_turn(s, c)


@kernel
def turn_pending_dora(s: Any, c: Context) -> None:
    """Turn the indicators of earlier open kans."""
    while s.pending_dora > 0:
        turn_indicator(s, c)
        s.pending_dora -= 1
