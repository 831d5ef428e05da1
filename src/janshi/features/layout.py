"""Layouts assign numbers to groups of features.

A group is a range of feature numbers, one for each combination of the values of its axes (the last axis runs fastest).
Each group has a topic. A *map* sends feature numbers to others: it leaves out groups and merges values of an axis, so
that a model without, say, melds can be trained on the same lists.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Final

import numpy as np
import numpy.typing as npt

LEFT_OUT: Final = -1
"""Where a map sends features that are left out."""


@dataclass(frozen=True)
class Group:
    """A range of feature numbers."""

    name: str
    topic: str
    """What it looks at: `turn`, `discards`, `melds`, `tiles`, `suji`, `dora`, `fan` or `situation`."""
    first: int
    axes: Mapping[str, int]
    """Its axes and how many values each has."""

    @property
    def size(self) -> int:
        """How many features it has."""
        return prod(self.axes.values())


@dataclass
class Layout:
    """The groups of one model's features, in order."""

    groups: list[Group] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many features there are."""
        return self.groups[-1].first + self.groups[-1].size if self.groups else 0

    def add(self, name: str, topic: str, **axes: int) -> int:
        """Add a group with a number for each combination of values; returns its first number."""
        first = self.size
        self.groups.append(Group(name, topic, first, axes))
        return first

    def map(
        self,
        without: Collection[str] = (),
        only: Collection[str] | None = None,
        alike: Mapping[str, Sequence[int]] | None = None,
    ) -> npt.NDArray[np.int32]:
        """A map of the features, int32[size].

        without: topics and names of groups to leave out.
        only: names of the groups to keep, if not all.
        alike: for axes, the value that each value is read as.
        """
        self._check({*without, *(only or ()), *(alike or {})})
        out = np.arange(self.size, dtype=np.int32)
        for group in self.groups:
            end = group.first + group.size
            if group.topic in without or group.name in without or (only is not None and group.name not in only):
                out[group.first : end] = LEFT_OUT
                continue
            numbers = out[group.first : end].reshape(tuple(group.axes.values()))
            for axis, name in enumerate(group.axes):
                if name in (alike or {}):
                    numbers = np.take(numbers, list((alike or {})[name])[: group.axes[name]], axis)
            out[group.first : end] = numbers.ravel()
        return out

    def decode(self, feature: int) -> tuple[str, dict[str, int]]:
        """The meaning of a feature number: the group's name, and the value on each axis."""
        for group in self.groups:
            if group.first <= feature < group.first + group.size:
                values = np.unravel_index(feature - group.first, tuple(group.axes.values()))
                return group.name, {name: int(value) for name, value in zip(group.axes, values)}
        raise ValueError(f"{feature} is not a feature: expected 0 to {self.size - 1}")

    def _check(self, words: Collection[str]) -> None:
        known = {word for group in self.groups for word in (group.name, group.topic, *group.axes)}
        for word in sorted(set(words) - known):
            raise ValueError(
                f"no topic, group or axis of these features is called {word!r}: expected {', '.join(sorted(known))}"
            )
