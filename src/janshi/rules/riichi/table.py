"""A riichi table to play at, one step at a time.

>>> from janshi.rules.riichi.table import Table
>>> table = Table(seed=7)
>>> while not table.over:
...     table.step({player: table.legal_actions(player)[0] for player in table.asked})
>>> sum(table.scores)
100000
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.core.melds import Meld
from janshi.core.tiles import NUM_IDS, format_tiles
from janshi.rules.answers import read_answers
from janshi.rules.riichi.actions import ACTION_NAMES, HALF, NUM_ACTIONS, ActionError, action_name, parse_action
from janshi.rules.riichi.deal import FIRST_INDICATOR
from janshi.rules.riichi.final import final_points, ranks
from janshi.rules.riichi.game import RiichiGame
from janshi.rules.riichi.hidden import tile_in_wall, tiles_in_hand
from janshi.rules.riichi.result import HandResult, melds_of, read_result, seats
from janshi.rules.riichi.ruleset import TENHOU, Ruleset, get_ruleset
from janshi.rules.riichi.state import (
    CALLED_FLAG,
    GAME_OVER,
    HAND_OVER,
    NONE,
    PLAYERS,
    RIICHI_FLAG,
    TSUMOGIRI_FLAG,
    TURN,
)
from janshi.rules.riichi.stepping import set_situation, step_tables

WIND_NAMES = ("East", "South", "West", "North")
SEATS = tuple(seats(bits) for bits in range(1 << PLAYERS))
"""The players of each bit set."""
LAST_ROUND = 15
"""North 4."""
MOST_COUNTERS = 100
"""More honba or riichi sticks than any game has seen."""
_ONLY = np.zeros(1, np.int64)


class Discard(NamedTuple):
    """A tile in a river."""

    tile: int
    tsumogiri: bool
    riichi: bool
    called: bool

    def __str__(self) -> str:
        mark = ("r" if self.riichi else "") + ("*" if self.tsumogiri else "") + ("^" if self.called else "")
        return format_tiles([self.tile]) + mark


class Table:
    """One game of riichi. Seats are 0 to 3; seat 0 deals first.

    A game starts from a seed, or from any situation: `wall` is an order of the 136 tile ids as Tenhou lays walls out,
    `round` is 0 for East 1, 4 for South 1. With `one_hand` the game ends after the first hand. Later walls come from
    the seed, the round and the honba.
    """

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
        self.rules = get_ruleset(rules) if isinstance(rules, str) else rules
        self.game = RiichiGame(self.rules)
        self._context = self.game.new_context()
        self._take(self.game.new_states(1))
        self.game.start(self._states, np.array([seed % 2**64], np.uint64), self._context)
        points = [self.rules.starting_points] * PLAYERS if scores is None else _checked_scores(scores)
        if wall is not None or scores is not None or round or honba or sticks:
            tiles = np.zeros(0, np.uint8) if wall is None else _checked_wall(wall)
            set_situation(self._states, round, honba, sticks, np.asarray(points, np.int32), tiles)
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
        return SEATS[self._asked.item(0)]

    def legal_actions(self, player: int) -> list[int]:
        """What a player may do now; empty if they are not asked."""
        if not self._asked.item(0) >> player & 1:
            return []
        legal = _places(self._legal.item(0, player, 0), 0)
        return legal + _places(self._legal.item(0, player, 1), HALF)

    def legal_names(self, player: int) -> list[str]:
        """Names of the legal actions."""
        return [action_name(action) for action in self.legal_actions(player)]

    def is_legal(self, player: int, action: int) -> bool:
        """Whether a player is asked and may take this action."""
        if not 0 <= action < NUM_ACTIONS or not self._asked.item(0) >> player & 1:
            return False
        return bool(self._legal.item(0, player, action // HALF) >> action % HALF & 1)

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
        return read_result(self.state, self.rules) if self.state["phase"] in (HAND_OVER, GAME_OVER) else None

    @property
    def scores(self) -> list[int]:
        """The players' points."""
        return [int(score) for score in self.state["scores"]]

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
        """The tile last discarded or added to a kan, which may be reacted to."""
        tile = int(self.state["tile"])
        return None if tile == NONE else tile

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

    def ranks(self) -> list[int]:
        """Rank of each player by points, 1 to 4."""
        return [int(rank) + 1 for rank in ranks(self.state["scores"])]

    def final_points(self) -> npt.NDArray[np.float64]:
        """Final points in thousands, uma and oka included, as if the game ended now."""
        return final_points(self.state["scores"], self.rules)

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

    def _hand_text(self, player: int) -> str:
        tiles, drawn = self.hand(player), ""
        if player == self.actor and self.state["phase"] == TURN and self.drawn is not None:
            tiles.remove(self.drawn)
            drawn = " " + format_tiles([self.drawn])
        return " ".join([format_tiles(tiles) + drawn, *(str(meld) for meld in self.melds(player))])


def _places(word: int, offset: int) -> list[int]:
    """Places of the set bits, counted from an offset."""
    places = []
    while word:
        low = word & -word
        places.append(offset + low.bit_length() - 1)
        word ^= low
    return places


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
        raise ValueError(f"scores are needed for {PLAYERS} players, not {scores!r}")
    return points
