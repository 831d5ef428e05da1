"""Guobiao rules as frozen data: one engine, a `Ruleset` of flags, and the presets people play.

`botzone` is a single hand in the duplicate format of the Botzone platform: each seat draws from its own wall.
`match` is the 16-hand match at one table: four rounds, one common wall, flowers.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from janshi.core.dtypes import record_dtype


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Every choice in which Guobiao games differ. The defaults are Botzone's."""

    name: str = "botzone"
    hands: int = 1
    """Hands of a game; the deal passes after every hand, and the prevalent wind changes after every fourth."""
    own_walls: bool = True
    """Each seat draws from its own quarter of the wall (duplicate format); else all draw from one wall."""
    flowers: bool = False
    """The eight flowers are in the wall; they are set aside and replaced as soon as they are drawn."""
    minimum_fan: int = 8
    """Fan a win needs, flowers not counted."""
    penalty: int = 10
    """Points paid to each other player for a false hu or an illegal action."""
    any_wind: bool = True
    """The first hand's prevalent wind comes from the seed; else it is East."""

    def __post_init__(self) -> None:
        if not 1 <= self.hands <= MOST_HANDS:
            raise ValueError(f"a game has 1 to {MOST_HANDS} hands, not {self.hands}")
        if self.minimum_fan < 0 or self.penalty < 0:
            raise ValueError("the minimum fan and the penalty must not be negative")

    def record(self) -> Any:
        """The flags as kernels read them: a `RULES_DTYPE` array of one record."""
        record = np.zeros(1, RULES_DTYPE)
        for name in _KERNEL_FIELDS:
            record[name] = int(getattr(self, name))
        return record


MOST_HANDS = 100
_KERNEL_FIELDS = tuple(f.name for f in fields(Ruleset) if f.name != "name")
RULES_DTYPE = record_dtype([(name, np.int16) for name in _KERNEL_FIELDS])

BOTZONE = Ruleset()
MATCH = replace(BOTZONE, name="match", hands=16, own_walls=False, flowers=True, any_wind=False)

PRESETS = {rules.name: rules for rules in (BOTZONE, MATCH)}


def get_ruleset(name: str) -> Ruleset:
    """Find a preset by name."""
    if name not in PRESETS:
        raise ValueError(f"no Guobiao rules are called {name!r}; presets are {', '.join(PRESETS)}")
    return PRESETS[name]
