"""The simplified game as the arena sees it: its counters."""

from __future__ import annotations

from typing import Any, Final

from janshi.arena.families import ArenaFamily
from janshi.arena.results import CALLS, DEAL_IN_POINTS, DEAL_INS, DRAWS, HANDS, SELF_DRAWS, WIN_FAN, WIN_POINTS, WINS
from janshi.core._jit import kernel
from janshi.rules.simplified.state import EXHAUSTED, GAME_OVER, PLAYERS, SELF_DRAW


@kernel
def tally_hands(states: Any, playing: Any, out: Any) -> None:
    """Count finished simplified games, which are one hand each."""
    for i in range(len(states)):
        s = states[i]
        if playing[i] and s.phase == GAME_OVER:
            for player in range(PLAYERS):
                row, change = out[i, player], int(s.scores[player])
                row[HANDS] += 1
                row[CALLS] += 1 if s.melds[player] else 0
                row[DRAWS] += 1 if s.result == EXHAUSTED else 0
                if player == s.winner:
                    row[WINS] += 1
                    row[SELF_DRAWS] += 1 if s.result == SELF_DRAW else 0
                    row[WIN_POINTS] += change
                    row[WIN_FAN] += s.win_fan
                elif player == s.payer:
                    row[DEAL_INS] += 1
                    row[DEAL_IN_POINTS] -= change


FAMILY: Final = ArenaFamily(tally=tally_hands)
