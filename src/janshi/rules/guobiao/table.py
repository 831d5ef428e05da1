"""A Guobiao table to play at, one step at a time.

>>> from janshi.rules.guobiao.table import Table
>>> table = Table(seed=7)
>>> while not table.over:
...     table.step({player: table.legal_actions(player)[0] for player in table.asked})
>>> sum(table.scores)
0
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.core.melds import Meld
from janshi.core.tiles import COPIES, NUM_KINDS, format_tiles
from janshi.rules.answers import read_answers
from janshi.rules.guobiao.actions import ACTION_NAMES, NUM_ACTIONS, WORD, WORDS, ActionError, action_name, parse_action
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
    NONE,
    PLAYERS,
    TURN,
)
from janshi.rules.guobiao.stepping import set_situation, step_tables

WIND_NAMES = ("East", "South", "West", "North")
_ONLY = np.zeros(1, np.int64)


class Discard(NamedTuple):
    """A tile in a river."""

    tile: int
    called: bool

    def __str__(self) -> str:
        return format_tiles([self.tile]) + ("^" if self.called else "")


class Table:
    """One game of Guobiao. Seats are 0 to 3; seat 0 deals first.

    A game starts from a seed, or from any situation: `wall` holds the kinds (0..33, flowers 34..41) of all tiles; with
    own walls, seat p's are the p-th quarter, and every wall is dealt and drawn from its end. `wind` (0..3) is the
    prevalent wind of the first hand, `hand_number` counts hands from 0. With `one_hand` the game ends after one hand.
    """

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
        self.rules = get_ruleset(rules) if isinstance(rules, str) else rules
        self.game = GuobiaoGame(self.rules)
        self._context = self.game.new_context()
        self._take(self.game.new_states(1))
        self.game.start(self._states, np.array([seed % 2**64], np.uint64), self._context)
        if wall is not None or wind is not None or scores is not None or hand_number:
            first_wind = int(self.state["first_wind"]) if wind is None else _in_range("wind", wind, PLAYERS)
            number = _in_range("hand_number", hand_number, self.rules.hands)
            tiles = np.zeros(0, np.uint8) if wall is None else _checked_wall(wall, self.rules)
            set_situation(self._states, number, first_wind, _checked_scores(scores), tiles, *self._context)
            self._advance()
        self._states["stop_after_hand"] = one_hand

    def _take(self, states: npt.NDArray[Any]) -> None:
        """Hold the table's record and the views of it that every step reads."""
        self._states = states
        self.state = states[0]
        self._asked, self._phase, self._legal = states["asked"], states["phase"], states["legal"]
        self._first = np.zeros(2, np.int64)
        self._actions = np.zeros(PLAYERS, np.int64)

    # --- who may do what

    @property
    def asked(self) -> tuple[int, ...]:
        """The players who must answer now; empty when a hand or the game has just ended."""
        bits = self._asked.item(0)
        return tuple(player for player in range(PLAYERS) if bits >> player & 1)

    def legal_actions(self, player: int) -> list[int]:
        """What a player may do now; empty if they are not asked."""
        if not self._asked.item(0) >> player & 1:
            return []
        words = [self._legal.item(0, player, word) for word in range(WORDS)]
        return [action for action in range(NUM_ACTIONS) if words[action // WORD] >> action % WORD & 1]

    def legal_names(self, player: int) -> list[str]:
        """Names of the legal actions."""
        return [action_name(action) for action in self.legal_actions(player)]

    def is_legal(self, player: int, action: int) -> bool:
        """Whether a player is asked and may take this action."""
        if not 0 <= action < NUM_ACTIONS or not self._asked.item(0) >> player & 1:
            return False
        return bool(self._legal.item(0, player, action // WORD) >> action % WORD & 1)

    def step(self, answers: Mapping[int, int | str] | int | str | None = None) -> None:
        """Take the answers of all asked players: a mapping from player to action, or one action if one is asked.

        Actions are numbers or names. After the end of a hand, `step()` without answers deals the next. An illegal
        answer raises `ActionError` and changes nothing.
        """
        players = self.asked
        if not players:
            self._go_on(answers)
            return
        chosen = read_answers(self, players, answers, ACTION_NAMES, parse_action)
        self._actions[: len(chosen)] = chosen
        self._advance()

    def declare_false_hu(self, player: int) -> None:
        """Let a player call hu without a hand that may win, or act illegally: they pay the penalty, the hand ends.

        The masks never offer this. It is for programs that answer freely, as on Botzone, and for their records.
        """
        try:
            self.game.penalise(self._states, 0, player, self._context)
        except ValueError as error:
            raise ActionError(str(error)) from error

    def _go_on(self, answers: object) -> None:
        if answers is not None and answers != {}:
            raise ActionError(f"nobody is asked now, but answers were given: {answers!r}")
        if self.over:
            raise ActionError("the game is over")
        self._advance()

    def _advance(self) -> None:
        step_tables(self._states, self._first, self._actions, False, *self._context)

    # --- where the game stands

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self._phase.item(0) == GAME_OVER)

    @property
    def hand_over(self) -> bool:
        """Whether a hand has just ended, and `result` tells how."""
        return bool(self._phase.item(0) == HAND_OVER)

    @property
    def result(self) -> HandResult | None:
        """How the last hand ended: there after a hand's end, until the next is dealt."""
        return read_result(self._states) if self.state["phase"] in (HAND_OVER, GAME_OVER) else None

    @property
    def scores(self) -> list[int]:
        """The players' points, from zero."""
        return [int(score) for score in self.state["scores"]]

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

    @property
    def actor(self) -> int:
        """Whose turn it is, or whose tile is reacted to."""
        return int(self.state["actor"])

    @property
    def drawn(self) -> int | None:
        """The tile the actor has drawn, if any."""
        tile = int(self.state["drawn"])
        return None if tile == NONE else tile

    @property
    def last_tile(self) -> int | None:
        """The tile discarded or added to a kong, while it may be reacted to or when it was won on."""
        tile = int(self.state["tile"])
        return None if tile == NONE else tile

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

    def view(self, player: int) -> Any:
        """What a player may know, as a record of `VIEW_DTYPE`."""
        out = np.zeros(1, self.game.view_dtype)
        self.game.views(self._states, _ONLY, np.array([player]), out)
        return out[0]

    def oracle_view(self, player: int) -> Any:
        """A player's view with the hidden hands added, as a record of `ORACLE_DTYPE`."""
        out = np.zeros(1, self.game.oracle_dtype)
        self.game.oracle_views(self._states, _ONLY, np.array([player]), out)
        return out[0]

    # --- copies and text

    def copy(self) -> Table:
        """A table in the same state, independent of this one. To undo, keep a copy."""
        other = object.__new__(Table)
        other.rules, other.game = self.rules, self.game
        other._context = self.game.new_context()
        other._take(self._states.copy())
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self.rules == other.rules and self._states.tobytes() == other._states.tobytes()

    __hash__ = None  # type: ignore[assignment]

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

    def _hand_text(self, player: int) -> str:
        tiles, drawn = self.hand(player), ""
        if player == self.actor and self.state["phase"] == TURN and self.drawn is not None:
            tiles.remove(self.drawn)
            drawn = " " + format_tiles([self.drawn])
        return " ".join([format_tiles(tiles) + drawn, *(str(meld) for meld in self.melds(player))])


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
        raise ValueError(f"scores are needed for {PLAYERS} players, with sum zero, not {scores!r}")
    return points
