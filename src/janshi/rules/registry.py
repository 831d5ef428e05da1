"""All families of rules, and their games by name, loaded on demand.

>>> from janshi.rules.registry import make_game
>>> make_game("riichi/tenhou").players
4

Families from other packages are found by their entry points, in the group `janshi.families`:

    [project.entry-points."janshi.families"]
    my_rules = "my_rules.family:FAMILY"
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pkgutil import resolve_name
from types import MappingProxyType
from typing import Final

from janshi.rules.family import Family
from janshi.rules.game import Game

BUILT_IN: Final = ("riichi", "guobiao", "simplified")
"""The families of this package, each a `FAMILY` in `rules/<name>/family.py`."""
GROUP: Final = "janshi.families"
"""The group of entry points by which other packages add families."""


@cache
def families() -> Mapping[str, Family]:
    """All families by name: those of this package, then those of others in the order of their names."""
    found = {name: _built_in(name) for name in BUILT_IN if find_spec(f"janshi.rules.{name}")}  # a bundle has one
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        family = _installed(entry)
        if family is not None:
            found.setdefault(family.name, family)
    return MappingProxyType(found)


@cache
def _built_in(name: str) -> Family:
    family = resolve_name(f"janshi.rules.{name}.family:FAMILY")
    assert isinstance(family, Family)
    return family


def _installed(entry: EntryPoint) -> Family | None:
    """The family of an entry point; one that cannot be used is skipped with a warning, and the others still work."""
    try:
        family = entry.load()
        if not isinstance(family, Family):
            raise TypeError(f"{entry.value} is not a Family")
        if family.name != entry.name or "/" in family.name:
            raise ValueError(f"its name is {family.name!r}")
    except Exception as error:
        warnings.warn(f"the rules {entry.name!r} cannot be loaded: {error}", stacklevel=2)
        return None
    return family


def find_family(name: str) -> Family:
    """The family of a name: `riichi`, or any of its games, `riichi/tenhou`. Raises `ValueError` if there is none."""
    family = name.partition("/")[0]
    if family in BUILT_IN:  # avoids looking at installed packages
        return _built_in(family)
    if family not in families():
        raise ValueError(f"no rules are called {name!r}; there are {', '.join(game_names())}")
    return families()[family]


def game_names() -> list[str]:
    """Names of all games with their presets."""
    return [f"{family.name}/{preset}" for family in families().values() for preset in family.rulesets()]


def full_name(name: str) -> str:
    """A game's name with its preset: a family's name alone means its default. Raises `ValueError` if there is none."""
    family = find_family(name)
    preset = name.partition("/")[2] or family.default
    family.ruleset(preset)
    return f"{family.name}/{preset}"


def spoken_name(name: str) -> str:
    """A game's name with its preset, of which people may leave out either part: `riichi`, `tenhou`."""
    if "/" in name or name in families():
        return full_name(name)
    for game in game_names():
        if game.endswith(f"/{name}"):
            return game
    presets = [preset for family in families().values() for preset in family.rulesets()]
    raise ValueError(f"no rules are called {name!r}; there are {', '.join([*presets, *families()])}")


def make_game(name: str) -> Game:
    """Make a game by its name: `make_game("riichi/tenhou")`; the preset may be left out for the family's default."""
    family = find_family(name)
    return family.make_game(family.ruleset(name.partition("/")[2] or family.default))
