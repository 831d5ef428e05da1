"""Positions for learning and testing: the turns in a data set, with who sits where.

`janshi.fitting.roles` decides which games are for training, validation and testing. Training never uses held-out
opponents (5 % of all players, `janshi.records.splits`), so that tests can use unseen players: these, and players who
appear only in test games.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.fitting.roles import BY_SPLIT, TESTING, TRAINING, VALIDATING, Roles
from janshi.models.labels import OPPONENTS, own_turns, payments, plain_views, tenpai
from janshi.records.dataset import Dataset, to_numpy
from janshi.records.splits import is_held_out
from janshi.rules.riichi.state import PLAYERS

__all__ = ["BATCH", "BY_SPLIT", "TESTING", "TRAINING", "VALIDATING", "Positions", "Roles", "Source", "join"]
BATCH: Final = 1 << 14


class Positions(NamedTuple):
    """Turns as the player's views, with facts about the opponents from oracle views."""

    views: npt.NDArray[Any]
    """VIEW_DTYPE[n]."""
    tenpai: npt.NDArray[np.bool_]
    """bool[n, 3]."""
    payments: npt.NDArray[np.int32]
    """int32[n, 3, 34]: the cost of each discard, 0 if there is no ron."""
    unseen: npt.NDArray[np.bool_]
    """Whether training did not see the opponent, bool[n, 3]."""
    actions: npt.NDArray[np.uint8]
    """What the viewer did."""
    hands: npt.NDArray[np.int64]
    """Row of the hand in the data set."""

    def take(self, chosen: npt.NDArray[Any]) -> Positions:
        """A selection, by a mask or by numbers."""
        return Positions(*(part[chosen] for part in self))


def join(parts: list[Positions]) -> Positions:
    """Several sets of positions joined."""
    return Positions(*(np.concatenate(some) for some in zip(*parts)))


@dataclass
class Source:
    """A data set with the roles of its games and players."""

    dataset: Dataset
    roles: Roles = BY_SPLIT

    def __post_init__(self) -> None:
        table = self.dataset.hands("names", "game", "disconnect")
        self.test = self.roles.mask(self.dataset, TESTING)
        self.train = self.roles.mask(self.dataset, TRAINING)
        self.games = table.column("game").to_numpy(zero_copy_only=False)
        self.disconnect = to_numpy(table.column("disconnect"))
        names = np.array(table.column("names").to_pylist(), dtype=object)
        self.seen_players = {name for name in names[self.train].ravel() if not is_held_out(name)}
        self.unseen = np.array([[name not in self.seen_players for name in row] for row in names])

    def positions(
        self, role: str, seed: int | None = None, share: float = 1.0, part: tuple[int, int] = (0, 1)
    ) -> Iterator[Positions]:
        """Yield batches of turns from the games with a role, in random order if a seed is given.

        share: the share of positions to use, chosen at random. Raises `DatasetError` if no game has the role.
        """
        self.roles.need(self.dataset, role)
        where = self.roles.where(role)
        seats = "seen" if role == TRAINING else "all"
        rng = np.random.default_rng([seed or 0, 1])
        batches = self.dataset.decisions(BATCH, oracle=True, seats=seats, shuffle=seed, where=where, part=part)
        for number, (hidden, actions, info) in enumerate(batches):
            chosen = own_turns(hidden)
            if share < 1:
                chosen &= rng.random(len(hidden)) < share
            yield self._positions(hidden[chosen], actions[chosen], info[chosen], number)

    def _positions(self, hidden: Any, actions: Any, info: Any, number: int) -> Positions:
        seats = (hidden["seat"][:, None] + 1 + np.arange(OPPONENTS)) % PLAYERS
        unseen = self.unseen[info["hand"][:, None], seats]
        return Positions(
            plain_views(hidden), tenpai(hidden), payments(hidden, number), unseen, actions, info["hand"].copy()
        )
