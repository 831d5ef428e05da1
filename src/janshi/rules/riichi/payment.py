"""Kernels that move points at the end of a hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core._jit import kernel
from janshi.rules.riichi.points import YAKUMAN_BASE, ron_payment, tsumo_payment
from janshi.rules.riichi.ruleset import HONBA_RON, HONBA_TSUMO, STICK
from janshi.rules.riichi.score import score
from janshi.rules.riichi.state import (
    LIABLE_DRAGONS,
    LIABLE_KANS,
    LIABLE_WINDS,
    NONE,
    PLAYERS,
    Context,
)
from janshi.rules.riichi.winning import describe_win
from janshi.rules.riichi.yaku import DAISANGEN, DAISUUSHII, SUUKANTSU

TENPAI_POT = 3000
"""Total that players who are not tenpai pay when a hand is drawn."""


@kernel
def gain(s: Any, player: int, points: int) -> None:
    """Change a player's score, and note it among the hand's changes."""
    s.scores[player] += points
    s.deltas[player] += points


@kernel
def pay(s: Any, payer: int, receiver: int, points: int) -> None:
    """Move points from one player to another."""
    gain(s, payer, -points)
    gain(s, receiver, points)


@kernel
def pay_tsumo(s: Any, winner: int, base: int, honba: int) -> None:
    """All others pay for a self-drawn win of `base` points."""
    dealer = int(s.kyoku) % PLAYERS
    for payer in range(PLAYERS):
        if payer != winner:
            share = tsumo_payment(base, winner == dealer or payer == dealer)
            pay(s, payer, winner, share + HONBA_TSUMO * honba)


@kernel
def take_sticks(s: Any, winner: int) -> None:
    """The winner takes the riichi sticks on the table."""
    gain(s, winner, STICK * int(s.sticks))
    s.win_sticks = s.sticks
    s.sticks = 0


@kernel
def judge_win(s: Any, winner: int, c: Context) -> int:
    """Score a win into the state's result; returns its base points."""
    describe_win(s, winner, c)
    score(c.win, c.rules, c.score)
    out = c.score
    s.winners |= 1 << winner
    s.win_yaku[winner] = np.int64(out.yaku)
    s.win_han[winner] = out.han
    s.win_fu[winner] = out.fu
    s.win_yakuman[winner] = out.yakuman
    return int(out["base"])


@kernel
def liable_player(s: Any, winner: int, c: Context) -> tuple[int, int]:
    """Who is liable for a win, and for how many yakuman: (seat or NONE, count)."""
    yaku = int(s.win_yaku[winner])
    if (yaku >> DAISANGEN) & 1 and s.liable[winner, LIABLE_DRAGONS] != NONE:
        return int(s.liable[winner, LIABLE_DRAGONS]), 1
    if (yaku >> DAISUUSHII) & 1 and s.liable[winner, LIABLE_WINDS] != NONE:
        return int(s.liable[winner, LIABLE_WINDS]), 2 if c.rules.double_yakuman else 1
    if (yaku >> SUUKANTSU) & 1 and s.liable[winner, LIABLE_KANS] != NONE and c.rules.liability_four_kans:
        return int(s.liable[winner, LIABLE_KANS]), 1
    return NONE, 0


@kernel
def liability(s: Any, winner: int, base: int, c: Context) -> tuple[int, int]:
    """Who is liable for a win, and for which part of its base points: (seat or NONE, part)."""
    liable, count = liable_player(s, winner, c)
    if c.rules.liability_whole_hand:
        return liable, base
    return liable, YAKUMAN_BASE * count


@kernel
def pay_liable_tsumo(s: Any, winner: int, base: int, liable: int, part: int) -> None:
    """Self-drawn win with liability: the liable player pays for their part and the honba, all pay for the rest."""
    dealer = int(s.kyoku) % PLAYERS
    pay(s, liable, winner, ron_payment(part, winner == dealer) + HONBA_RON * int(s.honba))
    pay_tsumo(s, winner, base - part, 0)


@kernel
def pay_liable_ron(s: Any, winner: int, loser: int, base: int, liable: int, part: int, honba: int) -> None:
    """Win by discard with liability: the liable player pays half of their part and the honba."""
    dealer = int(s.kyoku) % PLAYERS
    half = ron_payment(part, winner == dealer) // 2
    pay(s, liable, winner, half + HONBA_RON * honba)
    pay(s, loser, winner, half + ron_payment(base - part, winner == dealer))


@kernel
def settle_tsumo(s: Any, winner: int, c: Context) -> None:
    """Score and pay a self-drawn win."""
    base = judge_win(s, winner, c)
    before = int(s.deltas[winner])
    liable, part = liability(s, winner, base, c)
    if liable != NONE:
        pay_liable_tsumo(s, winner, base, liable, part)
    else:
        pay_tsumo(s, winner, base, int(s.honba))
    s.win_points[winner] = int(s.deltas[winner]) - before - HONBA_RON * int(s.honba)
    take_sticks(s, winner)


@kernel
def settle_ron(s: Any, winner: int, loser: int, honba: int, c: Context) -> None:
    """Score and pay a win by discard; `honba` is 0 for all but the first of several winners."""
    base = judge_win(s, winner, c)
    before = int(s.deltas[winner])
    dealer = int(s.kyoku) % PLAYERS
    liable, part = liability(s, winner, base, c)
    if liable != NONE and liable != loser:
        pay_liable_ron(s, winner, loser, base, liable, part, honba)
    else:
        pay(s, loser, winner, ron_payment(base, winner == dealer) + HONBA_RON * honba)
    s.win_points[winner] = int(s.deltas[winner]) - before - HONBA_RON * honba


@kernel
def pay_tenpai(s: Any) -> None:
    """Players who are not tenpai pay a total of 3,000 to those who are."""
    tenpai = 0
    for player in range(PLAYERS):
        tenpai += (int(s.tenpai) >> player) & 1
    if tenpai == 0 or tenpai == PLAYERS:
        return
    for player in range(PLAYERS):
        if (int(s.tenpai) >> player) & 1:
            gain(s, player, TENPAI_POT // tenpai)
        else:
            gain(s, player, -(TENPAI_POT // (PLAYERS - tenpai)))
