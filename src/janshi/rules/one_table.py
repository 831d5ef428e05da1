"""What single tables of all rule sets share: who is asked, what they may do, steps, views and copies.

A rule set's `Table` adds how it starts, how hands end and what is on the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from janshi.rules.answers import ActionError, read_answers
from janshi.rules.game import Array, Game
from janshi.rules.masks import LEGAL_BITS

MOST_PLAYERS = 4
SEATS = tuple(tuple(p for p in range(MOST_PLAYERS) if bits >> p & 1) for bits in range(1 << MOST_PLAYERS))
"""The players of each bit set."""
NO_TILE = -1
"""The value for no tile in states."""
_ONLY = np.zeros(1, np.int64)


class OneTable:
    """A table of one game, stepped from Python. States have the fields `phase`, `actor`, `drawn`, `tile` and `hand`."""

    game: Game
    rules: Any
    state: Any
    """The table's record: for reading."""

    _turn: ClassVar[int]
    """The phase in which the actor has a tile to discard."""

    def _begin(self, game: Game, seed: int) -> None:
        """Start a game from a seed."""
        self.game, self.rules = game, game.rules
        self._context = game.new_context()
        self._take(game.new_states(1))
        game.start(self._states, np.array([seed % 2**64], np.uint64), self._context)

    def _take(self, states: Array) -> None:
        """Hold the table's record and the views of it that every step reads."""
        self._states = states
        self.state = states[0]
        self._asked, self._phase = states["asked"], states["phase"]
        self._legal = states["legal"].reshape(1, self.game.players, -1)
        self._offsets = tuple(LEGAL_BITS * word for word in range(self._legal.shape[2]))
        self._first = np.zeros(2, np.int64)
        self._actions = np.zeros(self.game.players, np.int64)
        self._num_actions = self.game.num_actions

    # --- who may do what

    @property
    def asked(self) -> tuple[int, ...]:
        """The players who must answer now; empty when a hand or the game has just ended."""
        return SEATS[self._asked.item(0)]

    def legal_actions(self, player: int) -> list[int]:
        """What a player may do now; empty if they are not asked."""
        if not self._asked.item(0) >> player & 1:
            return []
        legal = []
        for word, offset in enumerate(self._offsets):
            bits = self._legal.item(0, player, word)
            while bits:
                low = bits & -bits
                legal.append(offset + low.bit_length() - 1)
                bits ^= low
        return legal

    def legal_names(self, player: int) -> list[str]:
        """Names of the legal actions."""
        return [self.game.action_names[action] for action in self.legal_actions(player)]

    def is_legal(self, player: int, action: int) -> bool:
        """Whether a player is asked and may take this action."""
        if not 0 <= action < self._num_actions or not self._asked.item(0) >> player & 1:
            return False
        return bool(self._legal.item(0, player, action // LEGAL_BITS) >> action % LEGAL_BITS & 1)

    def step(self, answers: Mapping[int, int | str] | int | str | None = None) -> None:
        """Take the answers of all asked players: a mapping from player to action, or one action if one is asked.

        Actions are numbers or names. After the end of a hand, `step()` without answers deals the next. An illegal
        answer raises `ActionError` and changes nothing.
        """
        if self.asked:
            self.carry_out(self.chosen(answers))
        else:
            self._refuse_answers(answers)
            self._advance()

    def chosen(self, answers: Mapping[int, int | str] | int | str | None) -> list[int]:
        """The asked players' actions, in seat order; raises `ActionError` for what is missing, unknown or illegal."""
        return read_answers(self, self.asked, answers, self.game.action_names, self._parse_action)

    def carry_out(self, actions: Sequence[int]) -> None:
        """Take the actions of all asked players, in seat order, which `chosen` has found legal."""
        self._actions[: len(actions)] = actions
        self._advance()

    def _parse_action(self, name: str, /) -> int:
        """Find an action by its name."""
        try:
            return self.game.action_names.index(name)
        except ValueError:
            raise ActionError(f"no action is called {name!r}") from None

    def _refuse_answers(self, answers: object) -> None:
        if answers is not None and answers != {}:
            why = "the game is over" if self.over else "nobody is asked now"
            raise ActionError(f"{why}, but answers were given: {answers!r}")
        if self.over:
            raise ActionError("the game is over")

    def _advance(self) -> None:
        self.game.step(self._states, self._first, self._actions, False, self._context)

    # --- the state of the game

    @property
    def states(self) -> Array:
        """The table's record as an array of one table, as the methods of `Game` take it: for reading."""
        return self._states

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self._phase.item(0) == self.game.game_over)

    @property
    def scores(self) -> list[int]:
        """The players' points."""
        return [int(score) for score in self.state["scores"]]

    @property
    def actor(self) -> int:
        """Whose turn it is, or whose tile is reacted to."""
        return int(self.state["actor"])

    @property
    def drawn(self) -> int | None:
        """The tile the actor has drawn, if any."""
        return tile_or_none(self.state["drawn"])

    @property
    def last_tile(self) -> int | None:
        """The tile last discarded or added to a kan, while it may be reacted to or when it was won on."""
        return tile_or_none(self.state["tile"])

    def hand(self, player: int) -> list[int]:
        """A player's concealed tiles in order, the drawn tile among them."""
        counts = self.state["hand"][player].tolist()
        return [kind for kind, count in enumerate(counts) for _ in range(count)]

    def melds(self, player: int) -> Sequence[Any]:
        """A player's melds; a game without melds has none."""
        return ()

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

    def copy(self) -> Self:
        """A table in the same state, independent of this one. To undo, keep a copy."""
        other = object.__new__(type(self))
        other.game, other.rules = self.game, self.rules
        other._context = self.game.new_context()
        other._take(self._states.copy())
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return bool(self.rules == other.rules) and self._states.tobytes() == other._states.tobytes()

    __hash__ = None  # type: ignore[assignment]

    def _format(self, tiles: Iterable[int], /) -> str:
        """Tiles in writing."""
        return "".join(self.game.tile_texts[tile] for tile in tiles)

    def _hand_text(self, player: int) -> str:
        """A player's tiles, the drawn one apart, and melds."""
        tiles, drawn = self.hand(player), self.drawn
        apart = ""
        if player == self.actor and self.state["phase"] == self._turn and drawn is not None and drawn in tiles:
            tiles.remove(drawn)
            apart = " " + self._format([drawn])
        return " ".join([self._format(tiles) + apart, *(str(meld) for meld in self.melds(player))])


def tile_or_none(number: Any) -> int | None:
    """A tile of a record, None where there is none."""
    return None if number == NO_TILE else int(number)
