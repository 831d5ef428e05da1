"""Kernels that pay: wins by their fan, and penalties."""

from __future__ import annotations

from typing import Any

from janshi.core._jit import kernel
from janshi.rules.guobiao.evaluate import evaluate
from janshi.rules.guobiao.state import NONE, PLAYERS, Context
from janshi.rules.guobiao.winning import describe_win

BASE = 8
"""What everyone pays a winner in addition to the fan."""


@kernel
def pay(s: Any, payer: int, payee: int, points: int) -> None:
    """Move points from one player to another."""
    s.scores[payer] -= points
    s.deltas[payer] -= points
    s.scores[payee] += points
    s.deltas[payee] += points


@kernel
def settle_win(s: Any, winner: int, loser: int, robbing: bool, c: Context) -> None:
    """Pay a win: all pay base and fan on a self-draw (no loser), else the loser pays them and the others the base."""
    describe_win(s, winner, robbing, c.win)
    evaluate(c.win, c.score)
    fan = int(c.score.total)
    s.win_fan = fan
    s.winner = winner
    s.loser = loser
    for player in range(PLAYERS):
        if player != winner:
            pay(s, player, winner, BASE + (fan if loser == NONE or player == loser else 0))


@kernel
def settle_penalty(s: Any, player: int, c: Context) -> None:
    """A player who called a false hu or acted illegally pays each of the others."""
    s.winner = NONE
    s.loser = player
    for other in range(PLAYERS):
        if other != player:
            pay(s, player, other, int(c.rules.penalty))
