"""Kernels that carry out what players answer: plays, calls, kongs, wins."""

from __future__ import annotations

from typing import Any

from janshi.core._jit import kernel
from janshi.core.melds import ADDED_KAN, CHI, CONCEALED_KAN, OPEN_KAN, PON
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.concealed import settle
from janshi.rules.guobiao.deal import draw
from janshi.rules.guobiao.legal import ask_discard_reactions, ask_kong_reactions, ask_turn
from janshi.rules.guobiao.payment import settle_penalty, settle_win
from janshi.rules.guobiao.state import (
    CALLED_FLAG,
    DISCARD_WIN,
    DRAWN_GAME,
    HAND_OVER,
    KONG_REACTION,
    NONE,
    PENALTY,
    PLAYERS,
    REACTION,
    ROBBED_KONG_WIN,
    SELF_DRAWN_WIN,
    TURN,
    Context,
)


@kernel
def answer(s: Any, player: int, action: int, c: Context) -> None:
    """Take one asked player's legal action; when all have answered, carry the answers out."""
    s.answers[player] = action
    s.asked &= 15 ^ (1 << player)
    s.decisions += 1
    if s.asked != 0:
        return
    if s.phase == TURN:
        act_on_turn(s, action, c)
    elif s.phase == REACTION:
        resolve_discard(s, c)
    else:
        resolve_added_kong(s, c)


@kernel
def act_on_turn(s: Any, action: int, c: Context) -> None:
    """Carry out what the actor does on their own turn."""
    if action < act.CHI:
        play(s, action, c)
    elif action == act.HU:
        settle_win(s, int(s.actor), NONE, False, c)
        end_hand(s, SELF_DRAWN_WIN)
    elif action >= act.ADDED_KONG:
        declare_added_kong(s, action - act.ADDED_KONG, c)
    else:
        make_concealed_kong(s, action - act.CONCEALED_KONG, c)


@kernel
def begin_turn(s: Any, player: int, after_kong: bool, c: Context) -> None:
    """The player draws and is asked; the hand is drawn if there is nothing to draw."""
    s.actor = player
    s.phase = TURN
    s.tile = NONE
    if draw(s, player, after_kong):
        ask_turn(s, c)
    else:
        end_hand(s, DRAWN_GAME)


# --- discards


@kernel
def play(s: Any, kind: int, c: Context) -> None:
    """The actor discards a tile; the others may react."""
    player = int(s.actor)
    s.hand[player, kind] -= 1
    s.drawn = NONE
    s.after_kong = 0
    i = int(s.discards[player])
    s.river[player, i] = kind
    s.river_flags[player, i] = 0
    s.river_order[player, i] = s.turns
    s.discards[player] += 1
    s.turns += 1
    settle(s, player, c)
    s.tile = kind
    s.phase = REACTION
    ask_discard_reactions(s, c)
    if s.asked == 0:
        resolve_discard(s, c)


@kernel
def was_asked(s: Any, player: int) -> bool:
    """Whether a player was asked in the reactions now resolved (passing is always among their choices)."""
    if player == s.actor:
        return False
    return (s.legal[player, act.PASS // act.WORD] >> (act.PASS % act.WORD)) & 1 == 1


@kernel
def find_winner(s: Any) -> int:
    """The nearest player after the actor who wins on their tile, or NONE."""
    for i in range(1, PLAYERS):
        player = (int(s.actor) + i) % PLAYERS
        if was_asked(s, player) and s.answers[player] == act.HU:
            return player
    return NONE


@kernel
def find_caller(s: Any) -> int:
    """Who calls the discard: peng and kong before chi; NONE if all passed."""
    caller = NONE
    for player in range(PLAYERS):
        if was_asked(s, player):
            action = int(s.answers[player])
            if act.PENG <= action < act.CONCEALED_KONG:
                return player
            if act.CHI <= action < act.PENG:
                caller = player
    return caller


@kernel
def resolve_discard(s: Any, c: Context) -> None:
    """All have answered a discard: a win goes before peng and kong, those before chi, else the next player draws."""
    discarder = int(s.actor)
    winner = find_winner(s)
    if winner != NONE:
        settle_win(s, winner, discarder, False, c)
        end_hand(s, DISCARD_WIN)
        return
    caller = find_caller(s)
    if caller != NONE:
        call(s, caller, int(s.answers[caller]), c)
    else:
        s.seen[int(s.tile)] += 1
        begin_turn(s, (discarder + 1) % PLAYERS, False, c)


# --- calls


@kernel
def call(s: Any, player: int, action: int, c: Context) -> None:
    """A player melds the discard; after peng and chi they play a tile, after a kong they draw first."""
    discarder, kind = int(s.actor), int(s.tile)
    s.river_flags[discarder, int(s.discards[discarder]) - 1] |= CALLED_FLAG
    if action >= act.KONG:
        lay_equal(s, player, OPEN_KAN, kind, discarder)
        settle(s, player, c)
        begin_turn(s, player, True, c)
        return
    if action >= act.PENG:
        lay_equal(s, player, PON, kind, discarder)
    else:
        lay_sequence(s, player, act.chi_first(action), kind, discarder)
    s.actor = player
    s.phase = TURN
    s.tile = NONE
    ask_turn(s, c)


@kernel
def add_meld(s: Any, player: int, meld_type: int, kind: int, tile: int, source: int) -> None:
    """Lay a meld on the table."""
    i = int(s.melds[player])
    s.meld_type[player, i] = meld_type
    s.meld_kind[player, i] = kind
    s.meld_tile[player, i] = tile
    s.meld_from[player, i] = source
    s.melds[player] += 1


@kernel
def lay_equal(s: Any, player: int, meld_type: int, kind: int, source: int) -> None:
    """Meld the discard with two (peng) or three (kong) equal tiles."""
    own = 2 if meld_type == PON else 3
    s.hand[player, kind] -= own
    s.seen[kind] += own + 1
    add_meld(s, player, meld_type, kind, kind, source)


@kernel
def lay_sequence(s: Any, player: int, first: int, kind: int, source: int) -> None:
    """Meld the discard into a sequence."""
    for tile in range(first, first + 3):
        s.seen[tile] += 1
        if tile != kind:
            s.hand[player, tile] -= 1
    add_meld(s, player, CHI, first, kind, source)


# --- kongs on one's own turn


@kernel
def make_concealed_kong(s: Any, kind: int, c: Context) -> None:
    """The actor lays four equal tiles face down, which nobody can rob or see, and draws again."""
    player = int(s.actor)
    s.hand[player, kind] = 0
    add_meld(s, player, CONCEALED_KAN, kind, NONE, NONE)
    settle(s, player, c)
    begin_turn(s, player, True, c)


@kernel
def declare_added_kong(s: Any, kind: int, c: Context) -> None:
    """The actor adds the fourth tile to a peng; others may rob it."""
    s.tile = kind
    s.phase = KONG_REACTION
    ask_kong_reactions(s, c)
    if s.asked == 0:
        resolve_added_kong(s, c)


@kernel
def resolve_added_kong(s: Any, c: Context) -> None:
    """All have answered an added kong: it is robbed, or completed."""
    player, kind = int(s.actor), int(s.tile)
    winner = find_winner(s)
    if winner != NONE:
        settle_win(s, winner, player, True, c)
        end_hand(s, ROBBED_KONG_WIN)
        return
    s.hand[player, kind] -= 1
    s.seen[kind] += 1
    for i in range(int(s.melds[player])):
        if s.meld_type[player, i] == PON and s.meld_kind[player, i] == kind:
            s.meld_type[player, i] = ADDED_KAN
    settle(s, player, c)
    begin_turn(s, player, True, c)


# --- ends of a hand


@kernel
def end_hand(s: Any, result: int) -> None:
    """Close the hand: no one is asked, points are as noted in `deltas`."""
    s.result = result
    s.asked = 0
    s.phase = HAND_OVER


@kernel
def penalise(s: Any, player: int, c: Context) -> None:
    """End the hand with a penalty: a false hu, or another illegal action."""
    settle_penalty(s, player, c)
    end_hand(s, PENALTY)
