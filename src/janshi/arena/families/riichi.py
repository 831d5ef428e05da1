"""Riichi as the arena sees it: counters, the tie rule, and bots that speak mjai."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from janshi.arena.families import ArenaFamily, shared_ranks
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
from janshi.rules.game import Array, Game
from janshi.rules.riichi.final import ranks
from janshi.rules.riichi.state import EXHAUSTIVE_DRAW, HAND_OVER, NAGASHI_MANGAN, PLAYERS, RON_WIN, TSUMO_WIN


@kernel
def tally_hands(states: Any, playing: Any, out: Any) -> None:
    """Count finished riichi hands."""
    for i in range(len(states)):
        if playing[i] and states[i].phase == HAND_OVER:
            for player in range(PLAYERS):
                tally_seat(states[i], player, out[i, player])


@kernel
def tally_seat(s: Any, player: int, out: Any) -> None:
    """Count a finished riichi hand for one seat. Nagashi mangan is a draw."""
    result, change = int(s.result), int(s.deltas[player])
    won = (int(s.winners) >> player) & 1
    out[HANDS] += 1
    out[RIICHIS] += 1 if s.riichi[player] else 0
    out[CALLS] += 1 if s.open_melds[player] else 0
    if result in (TSUMO_WIN, RON_WIN):
        if won:
            out[WINS] += 1
            out[SELF_DRAWS] += 1 if result == TSUMO_WIN else 0
            out[WIN_POINTS] += change
            out[WIN_FAN] += s.win_han[player]
        elif result == RON_WIN and player == s.actor:
            out[DEAL_INS] += 1
            out[DEAL_IN_POINTS] -= change
    elif result in (EXHAUSTIVE_DRAW, NAGASHI_MANGAN):
        out[DRAWS] += 1
        out[TENPAIS] += (int(s.tenpai) >> player) & 1


def _ranks(game: Game, scores: Array, points: Array) -> Array:
    """Ties are broken by seat, unless the rules share ranks."""
    return shared_ranks(game, scores, points) if game.rules.shared_ranks else np.asarray(ranks(scores) + 1, np.float32)


class RiichiStage:
    """A riichi table with mjai events."""

    def __init__(self, game: Game, seed: int, names: Sequence[str]) -> None:
        from janshi.protocols.mjai.events import Narrator
        from janshi.records.recorder import Recorder
        from janshi.rules.riichi.table import Table

        self.table = Table(seed, game.rules)
        self._recorder = Recorder(self.table, names)
        self._narrator = Narrator(self._recorder)

    def step(self, answers: dict[int, int] | None) -> None:
        """Carry out the answers of all asked players, or deal the next hand."""
        self._recorder.step(answers)

    def news(self) -> list[Any]:
        """The mjai events since the last call, hands open."""
        return self._narrator.news()


FAMILY: Final = ArenaFamily(tally=tally_hands, ranks=_ranks, stage=RiichiStage, by_rank=True, fan="han")
