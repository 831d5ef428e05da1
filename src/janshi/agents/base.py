"""The contract of an agent: it answers a batch of decisions with actions, from views alone.

An agent is made for one game (rule set) and keeps to four promises, which `check_agent` tests:

- every answer is legal;
- an answer depends only on the decision's view, its random word and, if the agent keeps state, what happened earlier
  in the same game at the same seat. It never depends on the rest of the batch, so results are the same for any batch
  size and number of workers;
- randomness comes from the decisions' `words` only;
- it answers within its thinking time.

>>> import numpy as np
>>> from janshi.agents.base import Agent, Asked
>>> class Last(Agent):
...     "Takes the last legal action."
...     name, version, families = "last", "1", ("riichi", "guobiao", "simplified")
...     def act(self, asked):
...         return asked.masks.shape[1] - 1 - asked.masks[:, ::-1].argmax(1)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from janshi.rules.family import Family
from janshi.rules.game import Array, Game


class Asked:
    """A batch of decisions for an agent: one view, one random word and one game and seat for each."""

    def __init__(self, game: Game, views: Array, words: Array, games: Array) -> None:
        self.game = game
        self.views = views
        """What each asked player may know: records of `game.view_dtype`."""
        self.words = words
        """A fresh random word for each decision, uint64[m]: all the randomness an agent may use."""
        self.games = games
        """The game that each decision belongs to, int64[m]; together with the view's `seat` it identifies a player."""

    def __len__(self) -> int:
        return len(self.views)

    @cached_property
    def masks(self) -> Array:
        """The legal actions of each decision, bool[m, num_actions]."""
        return self.game.masks_of_views(self.views)


class Agent(ABC):
    """A player of one game. Subclasses set the class fields and answer in `act`."""

    name: ClassVar[str]
    """Its name in the registry, in results and on the command line."""
    version: ClassVar[str]
    """Changed whenever its play changes."""
    families: ClassVar[tuple[str, ...]]
    """The families of rules it plays, by name: `riichi`, `guobiao`, `simplified` or others that are installed."""
    stateful: ClassVar[bool] = False
    """Whether it keeps state between decisions of a game; if so, `begin` and `end` announce games."""

    gives_values: ClassVar[bool] = False
    """Whether its explanations put a value on choices, in expected final rank or points (`agents.loss`)."""

    seconds: float | None = None
    """Thinking time per decision, or None if every decision takes about the same time."""

    def __init__(self, game: Game) -> None:
        if not self.plays(game.family):
            known = ", ".join(self.families) or f"rules that have a policy {self.name!r}"
            raise ValueError(f"agent {self.name!r} plays {known}, not {game.family.name}")
        self.game = game

    @classmethod
    def plays(cls, family: Family) -> bool:
        """Whether it plays a family of rules."""
        return family.name in cls.families

    @property
    def label(self) -> str:
        """Name and options, as `make_agent` reads them; results are stored under this label."""
        return getattr(self, "_label", self.name)

    @abstractmethod
    def act(self, asked: Asked) -> Array:
        """Answer each decision with a legal action, int64[len(asked)]."""

    def begin(self, games: Array, seats: Array) -> None:  # noqa: B027
        """Called when games start in which the agent plays: one seat per game. For stateful agents."""

    def end(self, games: Array, seats: Array) -> None:  # noqa: B027
        """Called when games have ended, so their state can be dropped. For stateful agents."""

    def close(self) -> None:  # noqa: B027
        """Release the agent's resources."""

    def answer(self, view: Any, word: int = 0, game: int = 0) -> int:
        """Answer a single decision."""
        views = np.zeros(1, self.game.view_dtype)
        views[0] = view
        words = np.array([word], np.uint64)
        return int(self.act(Asked(self.game, views, words, np.array([game], np.int64)))[0])
