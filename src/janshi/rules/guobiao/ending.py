"""Kernels between the hands: the next deal, and the end of the game."""

from __future__ import annotations

from typing import Any

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.rules.guobiao.apply import begin_turn
from janshi.rules.guobiao.deal import build_wall, deal_hand, reset_game
from janshi.rules.guobiao.state import GAME_OVER, HAND_OVER, PLAYERS, Context


@kernel
def start_game(s: Any, seed: Any, c: Context) -> None:
    """Begin a game from a seed: the first hand is dealt and its dealer asked."""
    reset_game(s, seed, c)
    build_wall(s, c)
    start_hand(s, c)


@kernel
def start_hand(s: Any, c: Context) -> None:
    """Deal the hand whose wall and situation are set, and ask the dealer."""
    deal_hand(s, c)
    begin_turn(s, int(s.dealer), False, c)


@kernel
def next_hand(s: Any, c: Context) -> None:
    """After a finished hand: end the game, or pass the deal on, regardless of the winner, and deal."""
    if s.stop_after_hand or s.hand_number + 1 >= c.rules.hands:
        s.phase = GAME_OVER
        return
    s.hand_number += 1
    set_place(s)
    build_wall(s, c)
    start_hand(s, c)


@kernel
def set_place(s: Any) -> None:
    """Dealer and prevalent wind of the hand's number."""
    s.dealer = int(s.hand_number) % PLAYERS
    s.wind = (int(s.first_wind) + int(s.hand_number) // PLAYERS) % PLAYERS


@kernel
def proceed(s: Any, restart: bool, c: Context) -> None:
    """Where nobody is asked, continue: with the next hand, or after a finished game with a new one."""
    if s.phase == HAND_OVER:
        next_hand(s, c)
    elif s.phase == GAME_OVER and restart:
        start_game(s, rng.mix(s.seed + rng.GAMMA), c)
