"""What one layer needs to know about every family of rules: a record of one type, found by family.

A layer declares its record and a `Layer`, and asks it: `ARENA.of(game.family).tally(...)`. Records are loaded on
first use:

- a family from another package names its record in `Family.layers`;
- a family of this package has it as `FAMILY` in a module of the layer with the family's name:
  `janshi.arena.families.riichi`. So rules never import from the layers above them;
- a family with neither has the layer's default.
"""

from __future__ import annotations

from importlib.util import find_spec
from pkgutil import resolve_name
from typing import Generic, TypeVar

from janshi.rules.family import Family

Record = TypeVar("Record")


class Layer(Generic[Record]):
    """The records of one layer."""

    def __init__(self, name: str, default: Record) -> None:
        self.name, self.default = name, default
        self._found: dict[Family, Record] = {}

    def of(self, family: Family) -> Record:
        """The record of a family."""
        if family not in self._found:
            self._found[family] = self._load(family)
        return self._found[family]

    def _load(self, family: Family) -> Record:
        own = f"janshi.{self.name}.families.{family.name}"
        path = family.layers.get(self.name) or (f"{own}:FAMILY" if find_spec(own) else None)
        if path is None:
            return self.default
        record = resolve_name(path)
        if not isinstance(record, type(self.default)):
            expected, given = type(self.default).__name__, type(record).__name__
            raise TypeError(f"{path} is the record of {family.name} for {self.name}: expected {expected}, not {given}")
        return record
