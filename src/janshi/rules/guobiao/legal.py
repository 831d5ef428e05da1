"""Kernels that say what a player may do: on their turn, on another's discard, on another's added kong."""

from __future__ import annotations

from typing import Any

from janshi.core._jit import kernel
from janshi.core.melds import PON
from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.deal import left_for
from janshi.rules.guobiao.state import NONE, PLAYERS, Context
from janshi.rules.guobiao.winning import may_win


@kernel
def allow(s: Any, player: int, action: int) -> None:
    """Add an action to a player's legal ones."""
    s.legal[player, action // act.WORD] |= 1 << (action % act.WORD)


@kernel
def forbid_all(s: Any, player: int) -> None:
    """Remove all legal actions of a player."""
    for word in range(act.WORDS):
        s.legal[player, word] = 0


@kernel
def ask_turn(s: Any, c: Context) -> None:
    """Ask the actor, who has drawn or called, what to do."""
    player = int(s.actor)
    forbid_all(s, player)
    s.asked = 1 << player
    held = 0
    for kind in range(NUM_KINDS):
        if s.hand[player, kind] > 0:
            held |= 1 << kind
    s.legal[player, 0] = held
    if s.drawn == NONE:
        return
    if left_for(s, player) > 0 and left_for(s, (player + 1) % PLAYERS) > 0:
        allow_kongs(s, player)
    if may_win(s, player, int(s.drawn), False, c):
        allow(s, player, act.HU)


@kernel
def allow_kongs(s: Any, player: int) -> None:
    """Allow the concealed and added kongs of a player who has drawn."""
    for kind in range(NUM_KINDS):
        if s.hand[player, kind] == COPIES:
            allow(s, player, act.CONCEALED_KONG + kind)
    for meld in range(int(s.melds[player])):
        kind = int(s.meld_kind[player, meld])
        if s.meld_type[player, meld] == PON and s.hand[player, kind] > 0:
            allow(s, player, act.ADDED_KONG + kind)


@kernel
def ask_discard_reactions(s: Any, c: Context) -> None:
    """Ask the other players who can react to the actor's discard."""
    s.asked = 0
    kind, actor = int(s.tile), int(s.actor)
    callable_ = left_for(s, (actor + 1) % PLAYERS) > 0
    for i in range(1, PLAYERS):
        player = (actor + i) % PLAYERS
        forbid_all(s, player)
        able = False
        if callable_:
            able = allow_calls(s, player, kind, i == 1)
        if may_win(s, player, kind, False, c):
            allow(s, player, act.HU)
            able = True
        if able:
            ask(s, player)


@kernel
def ask(s: Any, player: int) -> None:
    """Ask a player who has a choice; passing is always possible."""
    allow(s, player, act.PASS)
    s.asked |= 1 << player


@kernel
def allow_calls(s: Any, player: int, kind: int, is_next: bool) -> bool:
    """Allow the peng, kong and chis a player can make of the discarded kind; returns whether there are any."""
    able = False
    held = int(s.hand[player, kind])
    if held >= 2:
        able = True
        allow(s, player, act.PENG + kind)
        if held == 3:
            allow(s, player, act.KONG + kind)
    if is_next and kind < EAST:
        rank = kind % RANKS
        for place in range(3):
            if place <= rank < RANKS - 2 + place and holds_rest(s, player, kind - place, place):
                allow(s, player, act.chi_action(kind - place, place))
                able = True
    return able


@kernel
def holds_rest(s: Any, player: int, first: int, place: int) -> bool:
    """Whether a player holds the two other tiles of a sequence."""
    for i in range(3):
        if i != place and s.hand[player, first + i] == 0:
            return False
    return True


@kernel
def ask_kong_reactions(s: Any, c: Context) -> None:
    """Ask the players who can win on the tile being added to a kong."""
    s.asked = 0
    for i in range(1, PLAYERS):
        player = (int(s.actor) + i) % PLAYERS
        forbid_all(s, player)
        if may_win(s, player, int(s.tile), True, c):
            allow(s, player, act.HU)
            ask(s, player)
