"""All rule sets by name, loaded when asked for."""

from __future__ import annotations

from collections.abc import Callable

from janshi.rules.game import Game


def _riichi(preset: str) -> Game:
    from janshi.rules.riichi.game import RiichiGame
    from janshi.rules.riichi.ruleset import get_ruleset

    return RiichiGame(get_ruleset(preset))


def _guobiao(preset: str) -> Game:
    from janshi.rules.guobiao.game import GuobiaoGame
    from janshi.rules.guobiao.ruleset import get_ruleset

    return GuobiaoGame(get_ruleset(preset))


def _simplified(preset: str) -> Game:
    from janshi.rules.simplified.game import SimplifiedGame
    from janshi.rules.simplified.ruleset import get_ruleset

    return SimplifiedGame(get_ruleset(preset))


FAMILIES: dict[str, Callable[[str], Game]] = {"riichi": _riichi, "guobiao": _guobiao, "simplified": _simplified}
"""Families of rules: a name such as `riichi/tenhou` is a family and one of its presets."""
DEFAULTS = {"riichi": "tenhou", "guobiao": "botzone", "simplified": "paper"}
"""The preset meant where only the family is named."""


def game_names() -> list[str]:
    """Names of all games with their presets."""
    from janshi.rules.guobiao import ruleset as guobiao
    from janshi.rules.riichi import ruleset as riichi
    from janshi.rules.simplified import ruleset as simplified

    presets = {"riichi": [*riichi.PRESETS], "guobiao": [*guobiao.PRESETS], "simplified": [*simplified.PRESETS]}
    return [f"{family}/{preset}" for family, names in presets.items() for preset in names]


def make_game(name: str) -> Game:
    """Make a game by its name: `make_game("riichi/tenhou")`; the preset may be left out for the family's default."""
    family, _, preset = name.partition("/")
    if family not in FAMILIES:
        raise ValueError(f"no rules are called {name!r}; there are {', '.join(game_names())}")
    return FAMILIES[family](preset or DEFAULTS[family])
