"""Paper 4's simplified three-player game: `simplified.Table`, `simplified.SimplifiedGame`, `simplified.Ruleset`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from janshi.rules.simplified.actions import ActionError, action_name, parse_action
    from janshi.rules.simplified.game import SimplifiedGame
    from janshi.rules.simplified.hand import Distances, hand_distances
    from janshi.rules.simplified.policies import KernelPlayer
    from janshi.rules.simplified.ruleset import PRESETS, Ruleset, get_ruleset
    from janshi.rules.simplified.table import Result, Table

_HOMES = {
    "ActionError": "actions",
    "action_name": "actions",
    "parse_action": "actions",
    "SimplifiedGame": "game",
    "Distances": "hand",
    "hand_distances": "hand",
    "KernelPlayer": "policies",
    "PRESETS": "ruleset",
    "Ruleset": "ruleset",
    "get_ruleset": "ruleset",
    "Result": "table",
    "Table": "table",
}
"""Where each name lives: loaded when first used, so that importing the package stays quick."""

__all__ = [
    "PRESETS",
    "ActionError",
    "Distances",
    "KernelPlayer",
    "Result",
    "Ruleset",
    "SimplifiedGame",
    "Table",
    "action_name",
    "get_ruleset",
    "hand_distances",
    "parse_action",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
