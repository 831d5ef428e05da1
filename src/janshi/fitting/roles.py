"""The roles of a data set's games: training, validation or testing.

By default, roles follow the data set's own splits (`janshi.records.splits`). If packs are named for testing instead,
all other games except the validation split are for training.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.records.dataset import Dataset, DatasetError, arrow
from janshi.records.splits import SPLITS, TEST, VALIDATION

TRAINING, VALIDATING, TESTING = "training", "validating", "testing"
EVERY_SPLIT: Final = "all"


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of games. Raises `DatasetError` for an unknown split."""

    test_packs: tuple[str, ...] = ()
    """Only games from these packs are for testing; a pack is part of a game's source, such as `houou-2022`."""
    test_split: str | None = None
    """Only games of this split are for testing, or `all`; by default `test`, or `all` if packs are named."""
    games: tuple[str, ...] | None = None
    """Only these games are for testing, by id; None for all."""

    def __post_init__(self) -> None:
        if self.split not in (EVERY_SPLIT, *SPLITS):
            raise DatasetError(f"no split is called {self.split!r}; there are {', '.join((*SPLITS, EVERY_SPLIT))}")

    @property
    def split(self) -> str:
        """The split of the games for testing, or `all`."""
        return self.test_split or (EVERY_SPLIT if self.test_packs else TEST)

    def where(self, role: str) -> Any:
        """The games with a role, as a filter of a data set."""
        compute = arrow().compute
        split, source = (compute.field(name).cast("string") for name in ("split", "source"))
        test = compute.scalar(True) if self.split == EVERY_SPLIT else split == self.split
        if self.test_packs:
            test = test & reduce(or_, (compute.match_substring(source, pack) for pack in self.test_packs))
        if self.games is not None:
            test = test & compute.field("game").isin(list(self.games))
        kept = split == VALIDATION
        return {TRAINING: ~test & ~kept, VALIDATING: ~test & kept, TESTING: test}[role]

    def mask(self, dataset: Dataset, role: str) -> npt.NDArray[np.bool_]:
        """Which hands of a data set have a role, bool[hands]."""
        table = dataset.hands("source", "split", "game")
        rows = table.append_column("row", arrow().array(np.arange(table.num_rows))).filter(self.where(role))
        out = np.zeros(table.num_rows, np.bool_)
        out[rows.column("row").to_numpy()] = True
        return out

    def limited(self, dataset: Dataset, most: int) -> Roles:
        """The same roles with at most this many games for testing, the first of the data set."""
        games = dataset.column("game")[self.mask(dataset, TESTING)]
        return replace(self, games=tuple(dict.fromkeys(games.tolist()))[:most])

    def need(self, dataset: Dataset, role: str) -> None:
        """Raise `DatasetError` if no game of the data set has the role."""
        if not self.mask(dataset, role).any():
            raise nothing_for(role, f"of {len(dataset):,} hands none is {self.describe(role)}")

    def describe(self, role: str) -> str:
        """Describe the games with a role."""
        packs = f"from {' or '.join(self.test_packs)}" if self.test_packs else ""
        split = "" if self.split == EVERY_SPLIT else f"of the {self.split} split"
        test = " ".join(filter(None, (split, packs))) or "in the data set"
        kept = "" if role == TESTING else f"{'' if role == VALIDATING else 'not '}of the {VALIDATION} split and not "
        return kept + test

    @property
    def options(self) -> str:
        """The command-line options for these packs, preceded by a space; empty by default."""
        return f" --test-packs {' '.join(self.test_packs)}" if self.test_packs else ""

    def card(self) -> str:
        """The description of the training data for a model's card."""
        return f"games {self.describe(TRAINING)}"


BY_SPLIT: Final = Roles()
"""The data set's own splits."""


def nothing_for(role: str, why: str) -> DatasetError:
    """The error for a data set with nothing to use in a role."""
    return DatasetError(f"nothing for {role}: {why}")


def add_roles(parser: argparse.ArgumentParser) -> None:
    """Add the option that names packs for testing."""
    parser.add_argument(
        "--test-packs",
        nargs="*",
        default=[],
        metavar="PACK",
        help="games from these packs are for testing, all others but the validation split for training; by default "
        "the data set's own splits decide",
    )


def chosen_roles(args: argparse.Namespace) -> Roles:
    """The roles requested on the command line."""
    return Roles(tuple(args.test_packs))
