"""Guobiao as the arena sees it: counters, and bots that speak Botzone's protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from janshi.arena.families import ArenaFamily
from janshi.arena.results import (
    CALLS,
    DEAL_IN_POINTS,
    DEAL_INS,
    DRAWS,
    HANDS,
    SELF_DRAWS,
    TENPAIS,
    WIN_FAN,
    WIN_POINTS,
    WINS,
)
from janshi.core._jit import kernel
from janshi.core.melds import CONCEALED_KAN
from janshi.rules.game import Game
from janshi.rules.guobiao.state import DRAWN_GAME, HAND_OVER, PENALTY, PLAYERS, SELF_DRAWN_WIN


@kernel
def tally_hands(states: Any, playing: Any, out: Any) -> None:
    """Count finished Guobiao hands; an illegal answer does not count as dealing in."""
    for i in range(len(states)):
        s = states[i]
        if playing[i] and s.phase == HAND_OVER:
            for player in range(PLAYERS):
                row, change = out[i, player], int(s.deltas[player])
                row[HANDS] += 1
                row[CALLS] += 1 if count_open(s, player) else 0
                row[DRAWS] += 1 if s.result == DRAWN_GAME else 0
                row[TENPAIS] += 1 if s.result == DRAWN_GAME and s.waits[player] != 0 else 0
                if player == s.winner:
                    row[WINS] += 1
                    row[SELF_DRAWS] += 1 if s.result == SELF_DRAWN_WIN else 0
                    row[WIN_POINTS] += change
                    row[WIN_FAN] += s.win_fan
                elif player == s.loser and s.result != PENALTY:
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


class GuobiaoStage:
    """A Guobiao table with Botzone's events."""

    def __init__(self, game: Game, seed: int, names: Sequence[str]) -> None:
        from janshi.records.botzone.replay import Recorder
        from janshi.rules.guobiao.table import Table

        self.table = Table(seed, game.rules)
        self._make_recorder = Recorder
        self._recorder = Recorder(self.table)
        self._reported = 0

    def step(self, answers: dict[int, int] | None) -> None:
        """Carry out the answers of all asked players, or deal the next hand."""
        if answers is not None:
            self._recorder.step(answers)
            return
        self.table.step()
        if not self.table.over:
            self._recorder, self._reported = self._make_recorder(self.table), 0

    def news(self) -> list[Any]:
        """The events since the last call, hands open."""
        from janshi.protocols.botzone.process import event_dicts

        events = self._recorder.events[self._reported :]
        self._reported += len(events)
        return list(event_dicts(events))


FAMILY: Final = ArenaFamily(tally=tally_hands, stage=GuobiaoStage)
