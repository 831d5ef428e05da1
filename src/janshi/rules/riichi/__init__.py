"""Japanese riichi mahjong: `riichi.Table`, `riichi.Hand`, `riichi.Ruleset` and its presets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from janshi.core.lazy import lazy_names

if TYPE_CHECKING:
    from janshi.rules.riichi.actions import ActionError as ActionError
    from janshi.rules.riichi.actions import action_name as action_name
    from janshi.rules.riichi.actions import parse_action as parse_action
    from janshi.rules.riichi.game import RiichiGame as RiichiGame
    from janshi.rules.riichi.hand import Hand as Hand
    from janshi.rules.riichi.hand import NoYakuError as NoYakuError
    from janshi.rules.riichi.hand import ScoreReport as ScoreReport
    from janshi.rules.riichi.policies import KernelPlayer as KernelPlayer
    from janshi.rules.riichi.result import HandResult as HandResult
    from janshi.rules.riichi.result import Win as Win
    from janshi.rules.riichi.ruleset import PRESETS as PRESETS
    from janshi.rules.riichi.ruleset import Ruleset as Ruleset
    from janshi.rules.riichi.ruleset import get_ruleset as get_ruleset
    from janshi.rules.riichi.table import Table as Table

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "actions": ("ActionError", "action_name", "parse_action"),
        "game": ("RiichiGame",),
        "hand": ("Hand", "NoYakuError", "ScoreReport"),
        "policies": ("KernelPlayer",),
        "result": ("HandResult", "Win"),
        "ruleset": ("PRESETS", "Ruleset", "get_ruleset"),
        "table": ("Table",),
    },
)
