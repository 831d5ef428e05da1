"""The rules as frozen data, and the presets: the first is the default."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The flags in which games differ."""

    name: str = "quick"
    sets: int = 1
    """Sets of a winning hand in addition to its pair: 1 or 2."""
    self_drawn: int = 2
    """Points of a win on a drawn tile; one on a discard brings 1."""


PRESETS = {rules.name: rules for rules in (Ruleset(), Ruleset("long", sets=2))}
