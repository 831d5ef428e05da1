"""Kernels that close a hand: wins, exhaustive and abortive draws."""

from __future__ import annotations

from typing import Any

from janshi.core._jit import kernel
from janshi.core.tiles import EAST, RANKS
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.payment import pay_tenpai, pay_tsumo, settle_ron, settle_tsumo, take_sticks
from janshi.rules.riichi.points import MANGAN_BASE
from janshi.rules.riichi.state import (
    CALLED_FLAG,
    EXHAUSTIVE_DRAW,
    HAND_OVER,
    NAGASHI_MANGAN,
    PLAYERS,
    RON_WIN,
    TRIPLE_RON_DRAW,
    TSUMO_WIN,
    Context,
)


@kernel
def was_asked(s: Any, player: int) -> bool:
    """Whether a player was asked in the reactions now resolved."""
    return player != s.actor and (s.legal[player, 0] != 0 or s.legal[player, 1] != 0)


@kernel
def end_hand(s: Any, result: int, dealer_stays: bool) -> None:
    """Close the hand: no one is asked, points are as noted in `deltas`."""
    s.result = result
    s.dealer_stays = dealer_stays
    s.asked = 0
    s.phase = HAND_OVER


@kernel
def win_by_tsumo(s: Any, c: Context) -> None:
    """The actor wins on the drawn tile."""
    winner = int(s.actor)
    settle_tsumo(s, winner, c)
    end_hand(s, TSUMO_WIN, winner == int(s.kyoku) % PLAYERS)


@kernel
def wins_by_ron(s: Any, c: Context) -> bool:
    """Settle the wins on the present tile, if there are any."""
    winners = 0
    for player in range(PLAYERS):
        if was_asked(s, player) and s.answers[player] == act.RON:
            winners += 1
    if winners == 0:
        return False
    if winners == 3 and c.rules.triple_ron_aborts:
        end_hand(s, TRIPLE_RON_DRAW, True)
        return True
    settle_rons(s, min(winners, int(c.rules.multiple_ron)), c)
    return True


@kernel
def settle_rons(s: Any, allowed: int, c: Context) -> None:
    """Pay up to `allowed` winners in turn order; the first takes honba and sticks."""
    loser, dealer = int(s.actor), int(s.kyoku) % PLAYERS
    paid = 0
    stays = False
    for i in range(1, PLAYERS):
        player = (loser + i) % PLAYERS
        if was_asked(s, player) and s.answers[player] == act.RON and paid < allowed:
            settle_ron(s, player, loser, int(s.honba) if paid == 0 else 0, c)
            if paid == 0:
                take_sticks(s, player)
            paid += 1
            stays = stays or player == dealer
    end_hand(s, RON_WIN, stays)


@kernel
def end_exhausted(s: Any, c: Context) -> None:
    """The wall is empty: nagashi mangan, or payments for tenpai."""
    for player in range(PLAYERS):
        if s.waits[player] != 0:
            s.tenpai |= 1 << player
        if c.rules.nagashi_mangan and is_nagashi(s, player):
            s.winners |= 1 << player
    stays = (int(s.tenpai) >> (int(s.kyoku) % PLAYERS)) & 1 == 1
    if s.winners != 0:
        for player in range(PLAYERS):
            if (int(s.winners) >> player) & 1:
                pay_tsumo(s, player, MANGAN_BASE, 0)
        end_hand(s, NAGASHI_MANGAN, stays)
    else:
        pay_tenpai(s)
        end_hand(s, EXHAUSTIVE_DRAW, stays)


@kernel
def is_nagashi(s: Any, player: int) -> bool:
    """Whether a river holds only terminals and honours, none of them called."""
    for i in range(int(s.discards[player])):
        kind = kind_of(int(s.river[player, i]))
        if s.river_flags[player, i] & CALLED_FLAG:
            return False
        if kind < EAST and kind % RANKS != 0 and kind % RANKS != RANKS - 1:
            return False
    return True
