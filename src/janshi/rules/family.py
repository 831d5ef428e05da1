"""A family of rules: its name, its presets, and where to find everything that plays them.

A `Family` is plain data and loads nothing. Games, tables and rulesets are named by location
(`module:name`) and imported on demand. What other layers need to know about a family is in their own records
(`rules/layer.py`), which a family from another package names in `layers`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Any


@dataclass(frozen=True, slots=True)
class Family:
    """A family of rules, such as riichi. Its games differ only in their ruleset."""

    name: str
    """The first part of its games' names: `riichi` of `riichi/tenhou`."""
    presets: str
    """Location of its rulesets, a mapping from their names, the default first: `my_rules.ruleset:PRESETS`."""
    game: str
    """Location of its `Game`, a class that is called with a ruleset."""
    table: str
    """Location of its `Table`, a class that is called with a seed and a ruleset."""
    layers: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Locations of its records for other layers, by layer: `{"arena": "my_rules.arena:FAMILY"}`."""

    def __str__(self) -> str:
        return self.name

    def rulesets(self) -> Mapping[str, Any]:
        """Its rulesets by name, the default first."""
        return resolve_name(self.presets)

    @property
    def default(self) -> str:
        """The preset used when only the family is named."""
        return next(iter(self.rulesets()))

    def ruleset(self, preset: str) -> Any:
        """The ruleset of a preset; raises `ValueError` if there is none."""
        rulesets = self.rulesets()
        if preset not in rulesets:
            raise ValueError(f"no {self.name} rules are called {preset!r}; presets are {', '.join(rulesets)}")
        return rulesets[preset]

    def make_game(self, rules: Any) -> Any:
        """The `Game` of a ruleset."""
        return resolve_name(self.game)(rules)

    def new_table(self, seed: int, rules: Any, **start: Any) -> Any:
        """A `Table` at the start of a game, or in the situation that the table's own arguments describe."""
        return resolve_name(self.table)(seed, rules, **start)
