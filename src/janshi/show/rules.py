"""The riichi presets and their flags, as a table in the terminal."""

from __future__ import annotations

from dataclasses import fields
from enum import IntEnum

from rich import box
from rich.table import Table as Grid

from janshi.rules.riichi.ruleset import PRESETS, Ruleset


def flag_text(value: object) -> str:
    """A flag's value as text: yes and no, named choices, figures with separators."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, IntEnum):
        return value.name.lower().replace("_", " ")
    if isinstance(value, tuple):
        return "/".join(f"{part:+d}" for part in value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def rules_grid() -> Grid:
    """One row per flag, one column per preset; rows in which presets differ are bold."""
    grid = Grid("flag", *PRESETS, box=box.SIMPLE_HEAD, pad_edge=False)
    for field in fields(Ruleset):
        if field.name != "name":
            values = [flag_text(getattr(rules, field.name)) for rules in PRESETS.values()]
            grid.add_row(field.name, *values, style="bold" if len(set(values)) > 1 else "")
    for column in grid.columns:
        column.overflow = "fold"  # a name is never cut off
    return grid
