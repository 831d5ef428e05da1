"""A table to play at, one step at a time.

>>> from mini_mahjong.table import Table
>>> table = Table(seed=7)
>>> while not table.over:
...     table.step({player: table.legal_actions(player)[0] for player in table.asked})
>>> sum(table.scores)
0
"""

from __future__ import annotations

from typing import NamedTuple

from janshi.rules.one_table import OneTable, tile_or_none
from mini_mahjong.game import PLAYERS, TURN, MiniGame
from mini_mahjong.ruleset import PRESETS, Ruleset


class Result(NamedTuple):
    """How a game ended."""

    winner: int | None
    payer: int | None
    scores: tuple[int, ...]

    def __str__(self) -> str:
        if self.winner is None:
            return "the wall is exhausted"
        how = "on a drawn tile" if self.payer is None else f"on a discard of player {self.payer}"
        return f"player {self.winner} wins {how}"


class Table(OneTable):
    """One game. Player 0 begins."""

    _turn = TURN

    def __init__(self, seed: int = 0, rules: Ruleset = PRESETS["quick"]) -> None:
        self._begin(MiniGame(rules), seed)

    @property
    def result(self) -> Result | None:
        """How the game ended, or None while it is on."""
        if not self.over:
            return None
        winner, payer = (tile_or_none(self.state[name]) for name in ("winner", "payer"))
        return Result(winner, payer, tuple(self.scores))

    def __str__(self) -> str:
        lines = [f"{self.state['left']} tiles left"]
        for player in range(PLAYERS):
            river = self.state["river"][player, : self.state["discards"][player]]
            lines.append(f"{player}  {self._hand_text(player)} | {self._format(river)}")
        return "\n".join(lines)
