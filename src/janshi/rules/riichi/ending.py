"""Kernels between the hands: who deals next, when the game is over, and the final scores."""

from __future__ import annotations

from typing import Any

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.rules.riichi.apply import begin_turn
from janshi.rules.riichi.deal import build_wall, deal_hand, reset_game
from janshi.rules.riichi.ruleset import STICK
from janshi.rules.riichi.state import (
    EXHAUSTIVE_DRAW,
    GAME_OVER,
    HAND_OVER,
    NAGASHI_MANGAN,
    PLAYERS,
    RON_WIN,
    TSUMO_WIN,
    Context,
)


@kernel
def start_game(s: Any, seed: Any, c: Context) -> None:
    """Begin a game from a seed: the first hand is dealt and its dealer asked."""
    reset_game(s, seed, c)
    build_wall(s)
    start_hand(s, c)


@kernel
def start_hand(s: Any, c: Context) -> None:
    """Deal the hand whose wall and situation are set, and ask the dealer."""
    deal_hand(s, c)
    begin_turn(s, int(s.kyoku) % PLAYERS, c)


@kernel
def next_hand(s: Any, c: Context) -> None:
    """After a finished hand: end the game, or deal the next hand."""
    if s.stop_after_hand or game_is_over(s, c):
        end_game(s)
        return
    pass_the_deal(s)
    build_wall(s)
    start_hand(s, c)


@kernel
def pass_the_deal(s: Any) -> None:
    """Move round and honba on: a draw or the dealer's win adds a honba, another's win clears them."""
    won = s.result == TSUMO_WIN or s.result == RON_WIN
    if won and not s.dealer_stays:
        s.honba = 0
    else:
        s.honba += 1
    if not s.dealer_stays:
        s.kyoku += 1


@kernel
def leader(s: Any) -> int:
    """The player with most points; of equals the one who dealt earlier."""
    best = 0
    for player in range(1, PLAYERS):
        if s.scores[player] > s.scores[best]:
            best = player
    return best


@kernel
def somebody_is_bust(s: Any) -> bool:
    """Whether a player has fallen below zero."""
    return min(s.scores[0], s.scores[1], s.scores[2], s.scores[3]) < 0


@kernel
def game_is_over(s: Any, c: Context) -> bool:
    """Whether the hand just finished was the game's last."""
    r = c.rules
    if r.bust_ends and somebody_is_bust(s):
        return True
    last = PLAYERS * int(r.rounds) - 1
    if s.kyoku < last:
        return False
    top = leader(s)
    reached = s.scores[top] >= r.target_points
    if s.dealer_stays:
        return reached and r.dealer_may_stop and top == s.kyoku % PLAYERS and ended_by_dealer(s)
    if reached or not r.extra_round:
        return True
    return s.kyoku >= last + PLAYERS


@kernel
def ended_by_dealer(s: Any) -> bool:
    """Whether the dealer stays by a win or by tenpai, not by an abortive draw."""
    return s.result == TSUMO_WIN or s.result == RON_WIN or s.result == EXHAUSTIVE_DRAW or s.result == NAGASHI_MANGAN


@kernel
def end_game(s: Any) -> None:
    """Close the game: riichi sticks left on the table go to the leader."""
    top = leader(s)
    s.scores[top] += STICK * int(s.sticks)
    s.sticks = 0
    s.asked = 0
    s.phase = GAME_OVER


@kernel
def proceed(s: Any, restart: bool, c: Context) -> None:
    """Where nobody is asked, continue: with the next hand, or after a finished game with a new one."""
    if s.phase == HAND_OVER:
        next_hand(s, c)
    elif s.phase == GAME_OVER and restart:
        start_game(s, rng.mix(s.seed + rng.GAMMA), c)
