"""Japanese riichi mahjong: `riichi.Table`, `riichi.Hand`, `riichi.Ruleset` and its presets."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from janshi.rules.riichi.actions import ActionError, action_name, parse_action
    from janshi.rules.riichi.game import RiichiGame
    from janshi.rules.riichi.hand import Hand, NoYakuError, ScoreReport
    from janshi.rules.riichi.policies import KernelPlayer
    from janshi.rules.riichi.result import HandResult, Win
    from janshi.rules.riichi.ruleset import PRESETS, Ruleset, get_ruleset
    from janshi.rules.riichi.table import Table

_HOMES = {
    "ActionError": "actions",
    "action_name": "actions",
    "parse_action": "actions",
    "RiichiGame": "game",
    "Hand": "hand",
    "NoYakuError": "hand",
    "ScoreReport": "hand",
    "KernelPlayer": "policies",
    "HandResult": "result",
    "Win": "result",
    "PRESETS": "ruleset",
    "Ruleset": "ruleset",
    "get_ruleset": "ruleset",
    "Table": "table",
}
"""Where each name lives: loaded when first used, so that importing the package stays quick."""

__all__ = [
    "PRESETS",
    "ActionError",
    "Hand",
    "HandResult",
    "KernelPlayer",
    "NoYakuError",
    "RiichiGame",
    "Ruleset",
    "ScoreReport",
    "Table",
    "Win",
    "action_name",
    "get_ruleset",
    "parse_action",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
