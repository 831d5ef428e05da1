"""A table of the simplified game to play at, one step at a time.

>>> from janshi.rules.simplified.table import Table
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

from janshi.rules.answers import read_answers
from janshi.rules.simplified.actions import ACTION_NAMES, NUM_ACTIONS, ActionError, action_name, parse_action
from janshi.rules.simplified.distance import KIND_NAMES
from janshi.rules.simplified.game import SimplifiedGame
from janshi.rules.simplified.ruleset import PAPER, Ruleset, get_ruleset
from janshi.rules.simplified.state import (
    CALLED_FLAG,
    CHI_MELD,
    DISCARD_WIN,
    GAME_OVER,
    MELD_NAMES,
    NONE,
    PLAYERS,
    RESULT_NAMES,
    TURN,
)
from janshi.rules.simplified.stepping import start_from_wall, step_tables
from janshi.rules.simplified.tiles import COPIES, NUM_KINDS, NUM_TILES, format_kinds, parse_kinds

_ONLY = np.zeros(1, np.int64)


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


class Table:
    """One game. Seats are 0 to 2; seat 0 begins.

    A game starts from a seed or from a given wall: a text or sequence of all 42 kinds, drawn from the end.
    """

    def __init__(self, seed: int = 0, rules: Ruleset | str = PAPER, *, wall: str | Sequence[int] | None = None) -> None:
        self.rules = get_ruleset(rules) if isinstance(rules, str) else rules
        self.game = SimplifiedGame(self.rules)
        self._context = self.game.new_context()
        self._states = self.game.new_states(1)
        self.game.start(self._states, np.array([seed % 2**64], np.uint64), self._context)
        if wall is not None:
            start_from_wall(self._states, _checked_wall(wall), *self._context)
        self.state = self._states[0]

    # --- who may do what

    @property
    def asked(self) -> tuple[int, ...]:
        """The players who must answer now; empty when the game is over."""
        return tuple(player for player in range(PLAYERS) if int(self.state["asked"]) >> player & 1)

    def legal_actions(self, player: int) -> list[int]:
        """What a player may do now; empty if they are not asked."""
        return [action for action in range(NUM_ACTIONS) if self.is_legal(player, action)]

    def legal_names(self, player: int) -> list[str]:
        """Names of the legal actions."""
        return [action_name(action) for action in self.legal_actions(player)]

    def is_legal(self, player: int, action: int) -> bool:
        """Whether a player is asked and may take this action."""
        if player not in self.asked or not 0 <= action < NUM_ACTIONS:
            return False
        return bool(int(self.state["legal"][player]) >> action & 1)

    def step(self, answers: Mapping[int, int | str] | int | str) -> None:
        """Take the answers of all asked players: a mapping from player to action, or one action if one is asked.

        Actions are numbers or names. An illegal answer raises `ActionError` and changes nothing.
        """
        players = self.asked
        if not players:
            raise ActionError("the game is over")
        chosen = np.array(read_answers(self, players, answers, ACTION_NAMES, parse_action), np.int64)
        step_tables(self._states, np.array([0, len(chosen)]), chosen, False, *self._context)

    # --- where the game stands

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.state["phase"] == GAME_OVER)

    @property
    def result(self) -> Result | None:
        """How the game ended, or None while it is on."""
        if not self.over:
            return None
        s = self.state
        hands = tuple(name for i, name in enumerate(KIND_NAMES) if int(s["win_kinds"]) >> i & 1)
        payer = _or_none(s["payer"]) if s["result"] == DISCARD_WIN else None
        name = RESULT_NAMES[int(s["result"])]
        kongs, fan = int(s["win_kongs"]), int(s["win_fan"])
        return Result(name, _or_none(s["winner"]), payer, hands, kongs, fan, tuple(self.scores))

    @property
    def scores(self) -> list[int]:
        """The players' points: they sum to zero."""
        return [int(score) for score in self.state["scores"]]

    @property
    def tiles_left(self) -> int:
        """Tiles left to draw."""
        return int(self.state["left"])

    @property
    def actor(self) -> int:
        """Whose turn it is, or whose discard is reacted to."""
        return int(self.state["actor"])

    @property
    def drawn(self) -> int | None:
        """The kind the actor has drawn, if any."""
        return _or_none(self.state["drawn"])

    @property
    def last_tile(self) -> int | None:
        """The discard that is reacted to, if any."""
        return _or_none(self.state["tile"])

    def hand(self, player: int) -> list[int]:
        """A player's concealed kinds in order, the drawn tile among them."""
        return [kind for kind in range(NUM_KINDS) for _ in range(int(self.state["hand"][player, kind]))]

    def melds(self, player: int) -> list[Meld]:
        """A player's melds."""
        return [self._meld(player, i) for i in range(int(self.state["melds"][player]))]

    def _meld(self, player: int, i: int) -> Meld:
        s = self.state
        number, lowest = int(s["meld_type"][player, i]), int(s["meld_kind"][player, i])
        kinds = tuple(lowest + (step if number == CHI_MELD else 0) for step in range(COPIES))
        called, source = _or_none(s["meld_tile"][player, i]), _or_none(s["meld_from"][player, i])
        return Meld(MELD_NAMES[number], kinds, called, source)

    def river(self, player: int) -> list[Discard]:
        """A player's discards."""
        s = self.state
        length = int(s["discards"][player])
        kinds, flags = s["river"][player, :length].tolist(), s["river_flags"][player].tolist()
        return [Discard(kind, bool(flag & CALLED_FLAG)) for kind, flag in zip(kinds, flags)]

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
        other.rules, other.game, other._context = self.rules, self.game, self._context
        other._states = self._states.copy()
        other.state = other._states[0]
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self.rules == other.rules and self._states.tobytes() == other._states.tobytes()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Table simplified/{self.rules.name}: {self.tiles_left} tiles left, scores {self.scores}>"

    def __str__(self) -> str:
        lines = [f"{self.tiles_left} tiles left", *(self._player_line(player) for player in range(PLAYERS))]
        return "\n".join([*lines, str(self.result)] if self.over else lines)

    def _player_line(self, player: int) -> str:
        mark = "> " if player == self.actor else "  "
        river = " ".join(str(discard) for discard in self.river(player))
        return f"{mark}{player}  {self._hand_text(player):<24} | {river}".rstrip()

    def _hand_text(self, player: int) -> str:
        kinds, drawn = self.hand(player), ""
        if player == self.actor and self.state["phase"] == TURN and self.drawn is not None and self.drawn in kinds:
            kinds.remove(self.drawn)
            drawn = " " + format_kinds([self.drawn])
        return " ".join([format_kinds(kinds) + drawn, *(str(meld) for meld in self.melds(player))])


def _or_none(number: Any) -> int | None:
    return None if number == NONE else int(number)


def _checked_wall(wall: str | Sequence[int]) -> npt.NDArray[np.int8]:
    kinds = parse_kinds(wall) if isinstance(wall, str) else [int(kind) for kind in wall]
    if sorted(kinds) != sorted(list(range(NUM_KINDS)) * COPIES):
        raise ValueError(f"a wall holds {NUM_TILES} tiles, each of the {NUM_KINDS} kinds {COPIES} times")
    return np.array(kinds, np.int8)
