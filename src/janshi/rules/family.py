"""A family of rules: one name, its presets, and where everything that plays them stands.

A `Family` is plain data and loads nothing. Games, tables and rulesets are named by where they stand
(`module:name`) and imported when they are asked for. What other layers need to know of a family stands in records of
their own (`rules/layer.py`), which a family of another package names in `layers`.
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
    """Where its rulesets stand, a mapping from their names, the default first: `my_rules.ruleset:PRESETS`."""
    game: str
    """Where its `Game` stands, a class that is called with a ruleset."""
    table: str
    """Where its `Table` stands, a class that is called with a seed and a ruleset."""
    layers: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Where its records for other layers stand, by layer: `{"arena": "my_rules.arena:FAMILY"}`."""

    def __str__(self) -> str:
        return self.name

    def rulesets(self) -> Mapping[str, Any]:
        """Its rulesets by name, the default first."""
        return resolve_name(self.presets)

    @property
    def default(self) -> str:
        """The preset that is meant where only the family is named."""
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

    def new_table(self, seed: int, rules: Any) -> Any:
        """A `Table` at the start of a game."""
        return resolve_name(self.table)(seed, rules)
