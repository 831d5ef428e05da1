"""Chinese standard mahjong (Guobiao): `guobiao.Table`, `guobiao.Hand`, `guobiao.Ruleset` and its presets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from janshi.core.lazy import lazy_names

if TYPE_CHECKING:
    from janshi.rules.guobiao.actions import ActionError as ActionError
    from janshi.rules.guobiao.actions import action_name as action_name
    from janshi.rules.guobiao.actions import parse_action as parse_action
    from janshi.rules.guobiao.fans import FANS as FANS
    from janshi.rules.guobiao.fans import MINIMUM as MINIMUM
    from janshi.rules.guobiao.fans import Fan as Fan
    from janshi.rules.guobiao.game import GuobiaoGame as GuobiaoGame
    from janshi.rules.guobiao.hand import FanLine as FanLine
    from janshi.rules.guobiao.hand import FanReport as FanReport
    from janshi.rules.guobiao.hand import Hand as Hand
    from janshi.rules.guobiao.policies import KernelPlayer as KernelPlayer
    from janshi.rules.guobiao.result import HandResult as HandResult
    from janshi.rules.guobiao.result import Win as Win
    from janshi.rules.guobiao.ruleset import PRESETS as PRESETS
    from janshi.rules.guobiao.ruleset import Ruleset as Ruleset
    from janshi.rules.guobiao.ruleset import get_ruleset as get_ruleset
    from janshi.rules.guobiao.table import Table as Table

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "actions": ("ActionError", "action_name", "parse_action"),
        "fans": ("FANS", "MINIMUM", "Fan"),
        "game": ("GuobiaoGame",),
        "hand": ("FanLine", "FanReport", "Hand"),
        "policies": ("KernelPlayer",),
        "result": ("HandResult", "Win"),
        "ruleset": ("PRESETS", "Ruleset", "get_ruleset"),
        "table": ("Table",),
    },
)
