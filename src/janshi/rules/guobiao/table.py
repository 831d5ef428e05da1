"""A Guobiao table to play at, one step at a time.

>>> from janshi.rules.guobiao.table import Table
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

from janshi.core.melds import Meld
from janshi.core.tiles import COPIES, NUM_KINDS, format_tiles
from janshi.rules.answers import ActionError
from janshi.rules.guobiao.actions import parse_action
from janshi.rules.guobiao.game import GuobiaoGame
from janshi.rules.guobiao.hidden import tiles_in_hand
from janshi.rules.guobiao.result import HandResult, melds_of, read_result
from janshi.rules.guobiao.ruleset import BOTZONE, Ruleset, get_ruleset
from janshi.rules.guobiao.state import (
    ALL_KINDS,
    CALLED_FLAG,
    FLOWERS,
    GAME_OVER,
    HAND_OVER,
    PLAYERS,
    TURN,
)
from janshi.rules.guobiao.stepping import set_situation
from janshi.rules.one_table import OneTable

WIND_NAMES = ("East", "South", "West", "North")


class Discard(NamedTuple):
    """A tile in a river."""

    tile: int
    called: bool

    def __str__(self) -> str:
        return format_tiles([self.tile]) + ("^" if self.called else "")


class Table(OneTable):
    """One game of Guobiao. Seats are 0 to 3; seat 0 deals first.

    A game starts from a seed, or from any situation: `wall` holds the kinds (0..33, flowers 34..41) of all tiles; with
    own walls, seat p's are the p-th quarter, and every wall is dealt and drawn from its end. `wind` (0..3) is the
    prevalent wind of the first hand, `hand_number` counts hands from 0. With `one_hand` the game ends after one hand.
    """

    game: GuobiaoGame
    rules: Ruleset
    _turn = TURN
    _parse_action, _format = staticmethod(parse_action), staticmethod(format_tiles)

    def __init__(
        self,
        seed: int = 0,
        rules: Ruleset | str = BOTZONE,
        *,
        wall: Sequence[int] | None = None,
        wind: int | None = None,
        scores: Sequence[int] | None = None,
        hand_number: int = 0,
        one_hand: bool = False,
    ) -> None:
        self._begin(GuobiaoGame(get_ruleset(rules) if isinstance(rules, str) else rules), seed)
        if wall is not None or wind is not None or scores is not None or hand_number:
            first_wind = int(self.state["first_wind"]) if wind is None else _in_range("wind", wind, PLAYERS)
            number = _in_range("hand_number", hand_number, self.rules.hands)
            tiles = np.zeros(0, np.uint8) if wall is None else _checked_wall(wall, self.rules)
            set_situation(self._states, number, first_wind, _checked_scores(scores), tiles, *self._context)
            self._advance()
        self._states["stop_after_hand"] = one_hand

    def declare_false_hu(self, player: int) -> None:
        """Let a player call hu without a hand that may win, or act illegally: they pay the penalty, the hand ends.

        The masks never offer this. It is for programs that answer freely, as on Botzone, and for their records.
        """
        try:
            self.game.penalise(self._states, 0, player, self._context)
        except ValueError as error:
            raise ActionError(str(error)) from error

    # --- the state of the game

    @property
    def hand_over(self) -> bool:
        """Whether a hand has just ended; `result` says how."""
        return bool(self._phase.item(0) == HAND_OVER)

    @property
    def result(self) -> HandResult | None:
        """How the last hand ended: set when a hand ends, until the next is dealt."""
        return read_result(self._states) if self.state["phase"] in (HAND_OVER, GAME_OVER) else None

    @property
    def hand_number(self) -> int:
        """Hands played before this one."""
        return int(self.state["hand_number"])

    @property
    def wind(self) -> int:
        """The prevalent wind, 0..3 = E S W N."""
        return int(self.state["wind"])

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return int(self.state["dealer"])

    @property
    def round_name(self) -> str:
        """Such as `East 1`: the prevalent wind and the dealer's number."""
        return f"{WIND_NAMES[self.wind]} {self.dealer + 1}"

    @property
    def tiles_left(self) -> list[int]:
        """Tiles left for each player to draw: the same for all where there is one wall."""
        left = [int(n) for n in self.state["left"]]
        return left if self.state["own_walls"] else left[:1] * PLAYERS

    def hand(self, player: int) -> list[int]:
        """A player's concealed tiles in order, the drawn tile among them."""
        return tiles_in_hand(self.state, player)

    def melds(self, player: int) -> list[Meld]:
        """A player's melds."""
        return melds_of(self.state, player)

    def river(self, player: int) -> list[Discard]:
        """A player's discards."""
        s = self.state
        length = int(s["discards"][player])
        tiles, flags = s["river"][player].tolist(), s["river_flags"][player].tolist()
        return [Discard(tile, bool(flag & CALLED_FLAG)) for tile, flag in zip(tiles[:length], flags)]

    def flowers(self, player: int) -> list[int]:
        """The flowers (1..8) a player has set aside."""
        return [i + 1 for i in range(FLOWERS) if int(self.state["flowers"][player]) >> i & 1]

    # --- text

    def __repr__(self) -> str:
        return f"<Table guobiao/{self.rules.name}: {self.round_name}, scores {self.scores}>"

    def __str__(self) -> str:
        left = self.tiles_left if self.state["own_walls"] else self.tiles_left[:1]
        head = f"{self.round_name}, {' '.join(map(str, left))} tiles left"
        return "\n".join([head, *(self._player_lines(player) for player in range(PLAYERS))])

    def _player_lines(self, player: int) -> str:
        wind = WIND_NAMES[(player - self.dealer) % PLAYERS]
        marks = ("> " if player == self.actor else "  ") + f"{player} {wind:<5} {self.scores[player]:>5}"
        flowers = f"  flowers {len(self.flowers(player))}" if self.flowers(player) else ""
        return f"{marks}  {self._hand_text(player)}{flowers}\n" + (
            f"{'':>10}{' '.join(str(discard) for discard in self.river(player))}".rstrip()
        )


def _in_range(name: str, number: int, limit: int) -> int:
    if not 0 <= number < limit:
        raise ValueError(f"{name} must be from 0 to {limit - 1}, not {number}")
    return number


def _checked_wall(wall: Sequence[int], rules: Ruleset) -> npt.NDArray[np.uint8]:
    tiles = np.asarray(wall, np.int64)
    flowers = ALL_KINDS - NUM_KINDS if rules.flowers else 0
    wanted = [COPIES] * NUM_KINDS + [1] * flowers
    if tiles.shape != (sum(wanted),):
        raise ValueError(f"a wall has {sum(wanted)} tiles, not shape {tiles.shape}")
    if tiles.min() < 0 or np.bincount(tiles, minlength=len(wanted)).tolist() != wanted:
        raise ValueError("a wall holds each kind four times" + (" and each flower once" if flowers else ""))
    return tiles.astype(np.uint8)


def _checked_scores(scores: Sequence[int] | None) -> npt.NDArray[np.int32]:
    points = np.zeros(PLAYERS, np.int32) if scores is None else np.asarray(scores, np.int32)
    if points.shape != (PLAYERS,) or points.sum() != 0:
        raise ValueError(f"expected scores for {PLAYERS} players that sum to zero, not {scores!r}")
    return points
