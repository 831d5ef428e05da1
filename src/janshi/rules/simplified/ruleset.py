"""The simplified game's rules as frozen data. `docs/simplified.md` gives the reasons for them."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from janshi.core.dtypes import record_dtype


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules that paper 4 leaves open, with our choices as defaults."""

    name: str = "paper"
    sets: int = 2
    """Sets of a complete hand, besides its pair: players hold 3 × sets + 1 tiles."""
    basic: int = 2
    """What each of the others pays for any win, before fan."""
    honour_pung: int = 2
    """Fan for a pung (or kong) of East or Red."""
    straight: int = 4
    """Fan for 1-2-3 and 4-5-6 of one suit."""
    flush: int = 6
    """Fan for a hand of one suit without honours."""
    all_pungs: int = 8
    """Fan for a hand without a sequence."""
    kong: int = 1
    """Fan for each kong, if the player wins."""

    def __post_init__(self) -> None:
        if self.sets not in (2, 3):
            raise ValueError(f"a hand has 2 or 3 sets, not {self.sets}: 42 tiles are too few for more")

    def record(self) -> Any:
        """The rules as kernels read them: a `RULES_DTYPE` array of one record."""
        record = np.zeros(1, RULES_DTYPE)
        for name in _KERNEL_FIELDS:
            record[name] = int(getattr(self, name))
        return record


_KERNEL_FIELDS = tuple(field.name for field in fields(Ruleset) if field.name != "name")
RULES_DTYPE = record_dtype([(name, np.int32) for name in _KERNEL_FIELDS])

PAPER = Ruleset()
THREE_SETS = replace(PAPER, name="three_sets", sets=3)
PRESETS: dict[str, Ruleset] = {rules.name: rules for rules in (PAPER, THREE_SETS)}
"""Rule sets by name."""


def get_ruleset(name: str) -> Ruleset:
    """Find a preset by name."""
    if name not in PRESETS:
        raise ValueError(f"no simplified rules are called {name!r}; there are {', '.join(PRESETS)}")
    return PRESETS[name]
