"""A table of the simplified game to play at, one step at a time.

>>> from janshi.rules.simplified.table import Table
>>> table = Table(seed=7)
>>> while not table.over:
...     table.step({player: table.legal_actions(player)[0] for player in table.asked})
>>> sum(table.scores)
0
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.rules.one_table import OneTable, tile_or_none
from janshi.rules.simplified.actions import parse_action
from janshi.rules.simplified.distance import KIND_NAMES
from janshi.rules.simplified.game import SimplifiedGame
from janshi.rules.simplified.ruleset import PAPER, Ruleset, get_ruleset
from janshi.rules.simplified.state import (
    CALLED_FLAG,
    CHI_MELD,
    DISCARD_WIN,
    MELD_NAMES,
    PLAYERS,
    RESULT_NAMES,
    TURN,
)
from janshi.rules.simplified.stepping import start_from_wall
from janshi.rules.simplified.tiles import COPIES, NUM_KINDS, NUM_TILES, format_kinds, parse_kinds


class Meld(NamedTuple):
    """A meld: its type's name, its kinds, the called kind and the seat it came from, if any."""

    type: str
    kinds: tuple[int, ...]
    called: int | None
    source: int | None

    def __str__(self) -> str:
        return f"[{format_kinds(self.kinds)}]" if self.type == "kong" else f"({format_kinds(self.kinds)})"


class Discard(NamedTuple):
    """A tile in a river, and whether it was called."""

    kind: int
    called: bool

    def __str__(self) -> str:
        return format_kinds([self.kind]) + ("^" if self.called else "")


class Result(NamedTuple):
    """How a game ended."""

    name: str
    winner: int | None
    payer: int | None
    hands: tuple[str, ...]
    kongs: int
    fan: int
    scores: tuple[int, ...]

    def __str__(self) -> str:
        if self.winner is None:
            return f"{self.name}; scores {list(self.scores)}"
        source = "" if self.payer is None else f" of player {self.payer}"
        hands = ", ".join([*(self.hands or ("plain hand",)), *(["kong"] * self.kongs)])
        return f"{self.name}{source}: player {self.winner}, {hands}: {self.fan} fan; scores {list(self.scores)}"


class Table(OneTable):
    """One game. Seats are 0 to 2; seat 0 begins.

    A game starts from a seed or from a given wall: a text or sequence of all 42 kinds, drawn from the end.
    """

    game: SimplifiedGame
    rules: Ruleset
    _turn = TURN
    _parse_action, _format = staticmethod(parse_action), staticmethod(format_kinds)

    def __init__(self, seed: int = 0, rules: Ruleset | str = PAPER, *, wall: str | Sequence[int] | None = None) -> None:
        self._begin(SimplifiedGame(get_ruleset(rules) if isinstance(rules, str) else rules), seed)
        if wall is not None:
            start_from_wall(self._states, _checked_wall(wall), *self._context)

    # --- the state of the game

    @property
    def result(self) -> Result | None:
        """How the game ended, or None while it is being played."""
        if not self.over:
            return None
        s = self.state
        hands = tuple(name for i, name in enumerate(KIND_NAMES) if int(s["win_kinds"]) >> i & 1)
        payer = tile_or_none(s["payer"]) if s["result"] == DISCARD_WIN else None
        name = RESULT_NAMES[int(s["result"])]
        kongs, fan = int(s["win_kongs"]), int(s["win_fan"])
        return Result(name, tile_or_none(s["winner"]), payer, hands, kongs, fan, tuple(self.scores))

    @property
    def tiles_left(self) -> int:
        """Tiles left to draw."""
        return int(self.state["left"])

    def melds(self, player: int) -> list[Meld]:
        """A player's melds."""
        return [self._meld(player, i) for i in range(int(self.state["melds"][player]))]

    def _meld(self, player: int, i: int) -> Meld:
        s = self.state
        number, lowest = int(s["meld_type"][player, i]), int(s["meld_kind"][player, i])
        kinds = tuple(lowest + (step if number == CHI_MELD else 0) for step in range(COPIES))
        called, source = tile_or_none(s["meld_tile"][player, i]), tile_or_none(s["meld_from"][player, i])
        return Meld(MELD_NAMES[number], kinds, called, source)

    def river(self, player: int) -> list[Discard]:
        """A player's discards."""
        s = self.state
        length = int(s["discards"][player])
        kinds, flags = s["river"][player, :length].tolist(), s["river_flags"][player].tolist()
        return [Discard(kind, bool(flag & CALLED_FLAG)) for kind, flag in zip(kinds, flags)]

    # --- text

    def __repr__(self) -> str:
        return f"<Table simplified/{self.rules.name}: {self.tiles_left} tiles left, scores {self.scores}>"

    def __str__(self) -> str:
        lines = [f"{self.tiles_left} tiles left", *(self._player_line(player) for player in range(PLAYERS))]
        return "\n".join([*lines, str(self.result)] if self.over else lines)

    def _player_line(self, player: int) -> str:
        mark = "> " if player == self.actor else "  "
        river = " ".join(str(discard) for discard in self.river(player))
        return f"{mark}{player}  {self._hand_text(player):<24} | {river}".rstrip()


def _checked_wall(wall: str | Sequence[int]) -> npt.NDArray[np.int8]:
    kinds = parse_kinds(wall) if isinstance(wall, str) else [int(kind) for kind in wall]
    if sorted(kinds) != sorted(list(range(NUM_KINDS)) * COPIES):
        raise ValueError(f"a wall holds {NUM_TILES} tiles, each of the {NUM_KINDS} kinds {COPIES} times")
    return np.array(kinds, np.int8)
