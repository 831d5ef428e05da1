"""Cases for fitting the deal-in model: a turn, one tenpai opponent, that opponent's hand and what it would win.

Games and players have the same roles as for the other models (`fitting.data`): the test pack is used only for testing,
and held-out opponents never for training. A pass over the data set keeps a random sample of the cases of each *stance*
and writes them to files shard by shard, so that an interrupted pass can be continued.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.core.files import replacing
from janshi.core.tiles import NUM_KINDS
from janshi.fitting.data import BATCH, TRAINING, Source
from janshi.models.labels import own_turns, payments, plain_views, tenpai
from janshi.rules.riichi.state import PLAYERS
from janshi.rules.riichi.view import VIEW_DTYPE

CLOSED_CASE, ONE_MELD_CASE, TWO_MELDS_CASE, MORE_MELDS_CASE = range(4)
CASE_KINDS: Final = 4
"""Kinds of cases by number of melds, not counting concealed kans of a closed hand."""
CASE_NAMES: Final = ("concealed", "one meld", "two melds", "three or more melds")


class Cases(NamedTuple):
    """Cases, one per row."""

    views: npt.NDArray[Any]
    """VIEW_DTYPE[n]."""
    players: npt.NDArray[np.int64]
    """The tenpai opponent, a relative seat (1 to 3)."""
    hands: npt.NDArray[np.int8]
    """The opponent's concealed tiles, int8[n, 34]."""
    payments: npt.NDArray[np.int32]
    """The cost of each discard, int32[n, 34]; 0 if there is no ron."""
    rows: npt.NDArray[np.int64]
    """Row of the hand in the data set."""
    unseen: npt.NDArray[np.bool_]
    """Whether the opponent is new to training."""

    def take(self, chosen: npt.NDArray[Any]) -> Cases:
        """A selection, by a mask or by numbers."""
        return Cases(*(part[chosen] for part in self))

    @property
    def dealer(self) -> npt.NDArray[np.bool_]:
        """Whether the opponent is the dealer."""
        return np.asarray(self.views["dealer"] == self.players)

    @property
    def kinds(self) -> npt.NDArray[np.int64]:
        """The kind of each case, by the opponent's melds."""
        at = np.arange(len(self.players))
        melds = self.views["melds"][at, self.players].astype(np.int64)
        types = self.views["meld_type"][at, self.players]
        opened = ((types != 0) & (types != 4)).any(1)
        return np.where(opened, np.minimum(melds, MORE_MELDS_CASE), CLOSED_CASE)


def join(parts: list[Cases]) -> Cases:
    """Several sets of cases joined."""
    return Cases(*(np.concatenate(some) for some in zip(no_cases(), *parts)))


def no_cases() -> Cases:
    """No cases."""
    return Cases(
        np.zeros(0, VIEW_DTYPE),
        np.zeros(0, np.int64),
        np.zeros((0, NUM_KINDS), np.int8),
        np.zeros((0, NUM_KINDS), np.int32),
        np.zeros(0, np.int64),
        np.zeros(0, np.bool_),
    )


def find_cases(
    source: Source, role: str, shares: npt.NDArray[Any], seed: int, part: tuple[int, int]
) -> Iterator[Cases]:
    """Cases of the games with a role: a random share of each kind of case."""
    source.roles.need(source.dataset, role)
    seats = "seen" if role == TRAINING else "all"
    rng = np.random.default_rng([seed, *part])
    batches = source.dataset.decisions(BATCH, oracle=True, seats=seats, where=source.roles.where(role), part=part)
    for number, (hidden, _, info) in enumerate(batches):
        chosen = own_turns(hidden) & (rng.random(len(hidden)) < shares.max())
        found = _cases(source, hidden[chosen], info[chosen], number)
        if role == TRAINING:
            found = found.take(~found.unseen)
        yield found.take(rng.random(len(found.rows)) < shares[found.kinds] / shares.max())


def _cases(source: Source, hidden: Any, info: Any, number: int) -> Cases:
    """All tenpai opponents of some oracle views."""
    at, opponents = np.nonzero(tenpai(hidden))
    seats = (hidden["seat"][at].astype(np.int64) + 1 + opponents) % PLAYERS
    rows = info["hand"][at].astype(np.int64)
    return Cases(
        plain_views(hidden)[at],
        opponents + 1,
        hidden["hands"][at, opponents + 1].copy(),
        payments(hidden, number)[at, opponents],
        rows,
        source.unseen[rows, seats],
    )


class Store:
    """Cases in files of a folder, one for each slice of the data set."""

    def __init__(self, folder: Path, role: str, slices: int) -> None:
        self.folder, self.role, self.slices = folder, role, slices
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, number: int) -> Path:
        """The file of one slice."""
        return self.folder / f"{self.role}-{number:03d}-of-{self.slices:03d}.npz"

    def fill(self, source: Source, shares: npt.NDArray[Any], seed: int, report: Callable[[str], None]) -> None:
        """Write the missing files."""
        for number in range(self.slices):
            path = self.path(number)
            if path.exists():
                continue
            found = join(list(find_cases(source, self.role, shares, seed, (number, self.slices))))
            with replacing(path) as temporary:
                np.savez(temporary, allow_pickle=False, **_plain(found))
            counts = np.bincount(found.kinds, minlength=CASE_KINDS)
            report(f"{self.role}: slice {number + 1} of {self.slices}, cases {counts.tolist()}")

    def read(self) -> Cases:
        """All cases."""
        parts = []
        for number in range(self.slices):
            with np.load(self.path(number), allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
            arrays["views"] = arrays["views"].view(VIEW_DTYPE)[:, 0]
            parts.append(Cases(**arrays))
        return join(parts)


def _plain(cases: Cases) -> dict[str, Any]:
    """Arrays in the form stored in files: views as bytes."""
    arrays = cases._asdict()
    raw = np.ascontiguousarray(cases.views).view(np.uint8)
    arrays["views"] = raw.reshape(len(cases.views), VIEW_DTYPE.itemsize)
    return arrays
