"""A riichi table to play at, one step at a time.

>>> from janshi.rules.riichi.table import Table
>>> table = Table(seed=7)
>>> while not table.over:
...     table.step({player: table.legal_actions(player)[0] for player in table.asked})
>>> sum(table.scores)
100000
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.core.melds import Meld
from janshi.core.tiles import NUM_IDS, format_tiles
from janshi.rules.one_table import OneTable
from janshi.rules.riichi.actions import parse_action
from janshi.rules.riichi.deal import FIRST_INDICATOR
from janshi.rules.riichi.final import final_points, ranks
from janshi.rules.riichi.game import RiichiGame
from janshi.rules.riichi.hidden import tile_in_wall, tiles_in_hand
from janshi.rules.riichi.result import HandResult, melds_of, read_result
from janshi.rules.riichi.ruleset import TENHOU, Ruleset, get_ruleset
from janshi.rules.riichi.state import (
    CALLED_FLAG,
    GAME_OVER,
    HAND_OVER,
    PLAYERS,
    RIICHI_FLAG,
    TSUMOGIRI_FLAG,
    TURN,
)
from janshi.rules.riichi.stepping import set_situation

WIND_NAMES = ("East", "South", "West", "North")
LAST_ROUND = 15
"""North 4."""
MOST_COUNTERS = 100
"""More honba or riichi sticks than any real game has."""


class Discard(NamedTuple):
    """A tile in a river."""

    tile: int
    tsumogiri: bool
    riichi: bool
    called: bool

    def __str__(self) -> str:
        mark = ("r" if self.riichi else "") + ("*" if self.tsumogiri else "") + ("^" if self.called else "")
        return format_tiles([self.tile]) + mark


class Table(OneTable):
    """One game of riichi. Seats are 0 to 3; seat 0 deals first.

    A game starts from a seed, or from any situation: `wall` is an order of the 136 tile ids as Tenhou lays walls out,
    `round` is 0 for East 1, 4 for South 1. With `one_hand` the game ends after the first hand. Later walls come from
    the seed, the round and the honba.
    """

    game: RiichiGame
    rules: Ruleset
    _turn = TURN
    _parse_action, _format = staticmethod(parse_action), staticmethod(format_tiles)

    def __init__(
        self,
        seed: int = 0,
        rules: Ruleset | str = TENHOU,
        *,
        wall: Sequence[int] | None = None,
        scores: Sequence[int] | None = None,
        round: int = 0,
        honba: int = 0,
        sticks: int = 0,
        one_hand: bool = False,
    ) -> None:
        _checked_situation(round=round, honba=honba, sticks=sticks)
        self._begin(RiichiGame(get_ruleset(rules) if isinstance(rules, str) else rules), seed)
        points = [self.rules.starting_points] * PLAYERS if scores is None else _checked_scores(scores)
        if wall is not None or scores is not None or round or honba or sticks:
            tiles = np.zeros(0, np.uint8) if wall is None else _checked_wall(wall)
            set_situation(self._states, round, honba, sticks, np.asarray(points, np.int32), tiles)
            self._advance()
        self._states["stop_after_hand"] = one_hand

    # --- the state of the game

    @property
    def hand_over(self) -> bool:
        """Whether a hand has just ended; `result` says how."""
        return bool(self._phase.item(0) == HAND_OVER)

    @property
    def result(self) -> HandResult | None:
        """How the last hand ended: set when a hand ends, until the next is dealt."""
        return read_result(self.state, self.rules) if self.state["phase"] in (HAND_OVER, GAME_OVER) else None

    @property
    def round(self) -> int:
        """0 for East 1, 4 for South 1, 8 for West 1."""
        return int(self.state["kyoku"])

    @property
    def round_name(self) -> str:
        """Such as `East 1`."""
        return f"{WIND_NAMES[self.round // PLAYERS % PLAYERS]} {self.round % PLAYERS + 1}"

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self.round % PLAYERS

    @property
    def honba(self) -> int:
        """Counters on the table."""
        return int(self.state["honba"])

    @property
    def sticks(self) -> int:
        """Riichi sticks on the table."""
        return int(self.state["sticks"])

    @property
    def tiles_left(self) -> int:
        """Tiles left to draw."""
        return int(self.state["left"])

    @property
    def dora_indicators(self) -> list[int]:
        """The dora indicators shown."""
        return [self._wall_tile(FIRST_INDICATOR + 2 * i) for i in range(int(self.state["indicators"]))]

    def _wall_tile(self, place: int) -> int:
        return tile_in_wall(self.state, place, self.rules)

    def hand(self, player: int) -> list[int]:
        """A player's concealed tiles in order, the drawn tile among them."""
        return tiles_in_hand(self.state, player)

    def melds(self, player: int) -> list[Meld]:
        """A player's melds."""
        return melds_of(self.state, player)

    def river(self, player: int) -> list[Discard]:
        """A player's discards."""
        s = self.state
        flags = s["river_flags"][player].tolist()
        tiles = s["river"][player].tolist()
        return [
            Discard(tile, bool(flag & TSUMOGIRI_FLAG), bool(flag & RIICHI_FLAG), bool(flag & CALLED_FLAG))
            for tile, flag in zip(tiles[: int(s["discards"][player])], flags)
        ]

    def in_riichi(self, player: int) -> bool:
        """Whether a player has declared riichi."""
        return bool(self.state["riichi"][player])

    def ranks(self) -> list[int]:
        """Rank of each player by points, 1 to 4."""
        return [int(rank) + 1 for rank in ranks(self.state["scores"])]

    def final_points(self) -> npt.NDArray[np.float64]:
        """Final points in thousands, uma and oka included, as if the game ended now."""
        return final_points(self.state["scores"], self.rules)

    # --- text

    def __repr__(self) -> str:
        return f"<Table {self.rules.name}: {self.round_name}, honba {self.honba}, scores {self.scores}>"

    def __str__(self) -> str:
        head = (
            f"{self.round_name}, honba {self.honba}, sticks {self.sticks}, {self.tiles_left} tiles left, "
            f"dora indicators {format_tiles(self.dora_indicators)}"
        )
        return "\n".join([head, *(self._player_lines(player) for player in range(PLAYERS))])

    def _player_lines(self, player: int) -> str:
        wind = WIND_NAMES[(player - self.dealer) % PLAYERS]
        marks = ("> " if player == self.actor else "  ") + f"{player} {wind:<5} {self.scores[player]:>6}"
        return f"{marks}{' riichi' if self.in_riichi(player) else ''}  {self._hand_text(player)}\n" + (
            f"{'':>10}{' '.join(str(discard) for discard in self.river(player))}".rstrip()
        )


def _checked_situation(**numbers: int) -> None:
    for name, number in numbers.items():
        most = LAST_ROUND if name == "round" else MOST_COUNTERS
        if not 0 <= number <= most:
            raise ValueError(f"{name} must be from 0 to {most}, not {number}")


def _checked_wall(wall: Sequence[int]) -> npt.NDArray[np.uint8]:
    tiles = np.asarray(wall, np.int64)
    if tiles.shape != (NUM_IDS,):
        raise ValueError(f"a wall has {NUM_IDS} tile ids, not shape {tiles.shape}")
    if sorted(tiles.tolist()) != list(range(NUM_IDS)):
        raise ValueError("a wall holds each tile id from 0 to 135 exactly once")
    return tiles.astype(np.uint8)


def _checked_scores(scores: Sequence[int]) -> npt.NDArray[np.int32]:
    points = np.asarray(scores, np.int32)
    if points.shape != (PLAYERS,):
        raise ValueError(f"expected scores for {PLAYERS} players, not {scores!r}")
    return points
