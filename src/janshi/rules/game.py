"""The contract of a rule set: what batches, checks, adapters and agents need to play any game.

States are structured arrays, one record per table, written only by the rules. Players who are asked must answer; when
all asked players of a table have, the rules carry out the answers and ask again. A *decision* is one asked player of
one table; decisions of a batch are listed table by table, in seat order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from janshi.core.tiles import NUM_TILES, format_tiles
from janshi.rules.family import Family
from janshi.rules.masks import LEGAL_BITS, find_illegal, write_masks

if TYPE_CHECKING:
    from janshi.rules.events import Event

Array = npt.NDArray[Any]


class Game(ABC):
    """One rule set with all its flags. Kernels behind it release the GIL, so tables can be stepped by many threads.

    States have at least the fields `asked` (bit set of players), `legal` (words of `LEGAL_BITS` actions for each
    player), `phase` and `scores`; the methods here read them.
    """

    family: ClassVar[Family]
    """The family of rules it belongs to."""
    version: ClassVar[int] = 1
    """Changed whenever the behaviour changes."""
    players: int
    action_names: tuple[str, ...]
    discards: int
    """Number of discard actions: these come first, and action i discards tile i. The last action is to pass."""
    tile_texts: tuple[str, ...] = tuple(format_tiles([tile]) for tile in range(NUM_TILES))
    """The text of each tile as states and views number them."""
    game_over: int
    """The phase of a table whose game is over."""
    state_dtype: np.dtype[Any]
    view_dtype: np.dtype[Any]
    oracle_dtype: np.dtype[Any]

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        """The ruleset it plays by."""
        self.name = f"{self.family.name}/{rules.name}"
        """Its name in the registry, such as `riichi/tenhou`."""
        self.id = f"{self.name}-v{self.version}"
        """Name with a version, such as `riichi/tenhou-v1`: it changes when behaviour does."""
        self._words = -(-self.num_actions // LEGAL_BITS)

    @property
    def num_actions(self) -> int:
        """Size of the action space."""
        return len(self.action_names)

    def new_states(self, n: int) -> Array:
        """Make `n` blank tables."""
        return np.zeros(n, self.state_dtype)

    @abstractmethod
    def new_context(self) -> Any:
        """Make what the kernels need besides states (rules, tables, scratch space): one for each thread."""

    @abstractmethod
    def start(self, states: Array, seeds: Array, context: Any) -> None:
        """Begin a game on every table from its seed (uint64)."""

    @abstractmethod
    def step(self, states: Array, first: Array, actions: Array, restart: bool, context: Any) -> None:
        """Answer for all asked players; table i's answers are `actions[first[i]:first[i + 1]]` in seat order.

        A table where nobody is asked moves on to its next hand or, with `restart`, its next game. Actions are trusted
        to be legal; see `first_illegal`.
        """

    def first_illegal(self, states: Array, first: Array, actions: Array) -> int:
        """Index of the first decision whose action is not legal, or -1."""
        return find_illegal(states["asked"], self._legal_words(states), first, actions, self.num_actions)

    def asked(self, states: Array) -> Array:
        """Bit set of the players asked at each table."""
        return np.asarray(states["asked"])

    def legal_masks(self, states: Array, tables: Array, players: Array, out: Array) -> None:
        """Write the legal actions of each decision, bool[m, num_actions]."""
        write_masks(states["asked"], self._legal_words(states), tables, players, out)

    def _legal_words(self, states: Array) -> Array:
        """The legal actions of every player as bits, int64[n, players, words]."""
        return states["legal"].reshape(len(states), self.players, self._words)

    @abstractmethod
    def views(self, states: Array, tables: Array, players: Array, out: Array) -> None:
        """Write what each player of (tables, players) may know, view_dtype[m]."""

    def masks_of_views(self, views: Array) -> Array:
        """The legal actions in views, bool[m, num_actions]; none where the viewer is not asked."""
        words = np.ascontiguousarray(views["legal"], "<i8").reshape(len(views), self._words, 1)
        bits = np.unpackbits(words.view(np.uint8), axis=2, bitorder="little")[:, :, :LEGAL_BITS]
        flags = bits.reshape(len(views), self._words * LEGAL_BITS)[:, : self.num_actions]
        return np.ascontiguousarray(flags).view(np.bool_)

    @abstractmethod
    def oracle_views(self, states: Array, tables: Array, players: Array, out: Array) -> None:
        """Write views with the hidden hands added (never the wall), oracle_dtype[m]."""

    def is_over(self, states: Array) -> Array:
        """Whether each table's game is over, bool[n]."""
        return np.asarray(states["phase"] == self.game_over)

    def rewards(self, states: Array) -> Array:
        """What each player gets at the end of a finished game, float32[n, players]; zero while it is not over.

        Rewards sum to zero. They are the scores, unless a game defines others.
        """
        points = self.final_points(states).astype(np.float32)
        return np.asarray(np.where(self.is_over(states)[:, None], points, np.float32(0)))

    def final_points(self, states: Array) -> Array:
        """What each player would get if the game ended now, float[n, players]."""
        return self.scores(states)

    def scores(self, states: Array) -> Array:
        """The players' running scores, int32[n, players]."""
        return np.asarray(states["scores"])

    @abstractmethod
    def tile_counts(self, states: Array) -> Array:
        """How many tiles of each kind are anywhere on each table, int[n, kinds]: constant during a game."""

    def total_points(self, states: Array) -> Array:
        """All points on each table, in hands and pot: constant during a game, int[n]."""
        return np.asarray(states["scores"].sum(1, dtype=np.int64))

    @abstractmethod
    def shuffle_hidden(self, state: Any, player: int, seed: int) -> None:
        """Exchange at random, in place, tiles that `player` cannot see: their view must not change."""

    # --- what happens at one table: see `rules/events.py`

    def deal_events(self, states: Array) -> list[Event]:
        """The events of the hand that has just been dealt; by default, who begins, and the scores."""
        from janshi.rules.events import hand_begins

        return [hand_begins(self, states)]

    def step_events(self, before: Array, after: Array, answers: Mapping[int, int]) -> list[Event]:
        """The events of a step of all asked players, from the states before and after it.

        By default these are the answers, each visible only to its player.
        """
        from janshi.rules.events import answer_events

        return answer_events(self, before, after, answers)

    def end_events(self, states: Array) -> list[Event]:
        """How the hand that is over ended. `step_events` ends with them."""
        return []
