"""Counting what players did in a hand that has just ended: wins, deal-ins, riichi, calls, tenpai."""

from __future__ import annotations

from typing import Any

from janshi.arena.results import (
    CALLS,
    DEAL_IN_POINTS,
    DEAL_INS,
    DRAWS,
    HANDS,
    RIICHIS,
    SELF_DRAWS,
    TENPAIS,
    WIN_FAN,
    WIN_POINTS,
    WINS,
)
from janshi.core._jit import kernel
from janshi.core.melds import CONCEALED_KAN
from janshi.rules.game import Array, Game
from janshi.rules.guobiao import state as guobiao
from janshi.rules.riichi import state as riichi
from janshi.rules.simplified import state as simplified


def tally(game: Game, states: Array, playing: Array, out: Array) -> None:
    """Add to `out`, int32[n, players, counters], what happened at every table whose hand has just ended.

    `playing`, bool[n], says where a hand was being played before the last step.
    """
    TALLIES[game.id.partition("/")[0]](states, playing, out)


@kernel
def tally_riichi(states: Any, playing: Any, out: Any) -> None:
    """Count finished riichi hands."""
    for i in range(len(states)):
        if playing[i] and states[i].phase == riichi.HAND_OVER:
            for player in range(riichi.PLAYERS):
                tally_riichi_seat(states[i], player, out[i, player])


@kernel
def tally_riichi_seat(s: Any, player: int, out: Any) -> None:
    """Count a finished riichi hand for one seat. Nagashi mangan is a draw."""
    result, change = int(s.result), int(s.deltas[player])
    won = (int(s.winners) >> player) & 1
    out[HANDS] += 1
    out[RIICHIS] += 1 if s.riichi[player] else 0
    out[CALLS] += 1 if s.open_melds[player] else 0
    if result == riichi.TSUMO_WIN or result == riichi.RON_WIN:
        if won:
            out[WINS] += 1
            out[SELF_DRAWS] += 1 if result == riichi.TSUMO_WIN else 0
            out[WIN_POINTS] += change
            out[WIN_FAN] += s.win_han[player]
        elif result == riichi.RON_WIN and player == s.actor:
            out[DEAL_INS] += 1
            out[DEAL_IN_POINTS] -= change
    elif result == riichi.EXHAUSTIVE_DRAW or result == riichi.NAGASHI_MANGAN:
        out[DRAWS] += 1
        out[TENPAIS] += (int(s.tenpai) >> player) & 1


@kernel
def tally_guobiao(states: Any, playing: Any, out: Any) -> None:
    """Count finished Guobiao hands; whoever answered illegally is not counted as dealing in."""
    for i in range(len(states)):
        s = states[i]
        if playing[i] and s.phase == guobiao.HAND_OVER:
            for player in range(guobiao.PLAYERS):
                row, change = out[i, player], int(s.deltas[player])
                row[HANDS] += 1
                row[CALLS] += 1 if count_open(s, player) else 0
                row[DRAWS] += 1 if s.result == guobiao.DRAWN_GAME else 0
                row[TENPAIS] += 1 if s.result == guobiao.DRAWN_GAME and s.waits[player] != 0 else 0
                if player == s.winner:
                    row[WINS] += 1
                    row[SELF_DRAWS] += 1 if s.result == guobiao.SELF_DRAWN_WIN else 0
                    row[WIN_POINTS] += change
                    row[WIN_FAN] += s.win_fan
                elif player == s.loser and s.result != guobiao.PENALTY:
                    row[DEAL_INS] += 1
                    row[DEAL_IN_POINTS] -= change


@kernel
def count_open(s: Any, player: int) -> int:
    """How many melds of a Guobiao player are open."""
    count = 0
    for i in range(int(s.melds[player])):
        if s.meld_type[player, i] != CONCEALED_KAN:
            count += 1
    return count


@kernel
def tally_simplified(states: Any, playing: Any, out: Any) -> None:
    """Count finished simplified games, which are one hand each."""
    for i in range(len(states)):
        s = states[i]
        if playing[i] and s.phase == simplified.GAME_OVER:
            for player in range(simplified.PLAYERS):
                row, change = out[i, player], int(s.scores[player])
                row[HANDS] += 1
                row[CALLS] += 1 if s.melds[player] else 0
                row[DRAWS] += 1 if s.result == simplified.EXHAUSTED else 0
                if player == s.winner:
                    row[WINS] += 1
                    row[SELF_DRAWS] += 1 if s.result == simplified.SELF_DRAW else 0
                    row[WIN_POINTS] += change
                    row[WIN_FAN] += s.win_fan
                elif player == s.payer:
                    row[DEAL_INS] += 1
                    row[DEAL_IN_POINTS] -= change


TALLIES = {"riichi": tally_riichi, "guobiao": tally_guobiao, "simplified": tally_simplified}
