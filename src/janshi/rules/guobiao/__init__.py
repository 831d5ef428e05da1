"""Chinese standard mahjong (Guobiao): `guobiao.Table`, `guobiao.Hand`, `guobiao.Ruleset` and its presets."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from janshi.rules.guobiao.actions import ActionError, action_name, parse_action
    from janshi.rules.guobiao.fans import FANS, MINIMUM, Fan
    from janshi.rules.guobiao.game import GuobiaoGame
    from janshi.rules.guobiao.hand import FanLine, FanReport, Hand
    from janshi.rules.guobiao.policies import KernelPlayer
    from janshi.rules.guobiao.result import HandResult, Win
    from janshi.rules.guobiao.ruleset import PRESETS, Ruleset, get_ruleset
    from janshi.rules.guobiao.table import Table

_HOMES = {
    "ActionError": "actions",
    "action_name": "actions",
    "parse_action": "actions",
    "FANS": "fans",
    "MINIMUM": "fans",
    "Fan": "fans",
    "GuobiaoGame": "game",
    "FanLine": "hand",
    "FanReport": "hand",
    "Hand": "hand",
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
    "FANS",
    "MINIMUM",
    "PRESETS",
    "ActionError",
    "Fan",
    "FanLine",
    "FanReport",
    "GuobiaoGame",
    "Hand",
    "HandResult",
    "KernelPlayer",
    "Ruleset",
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
