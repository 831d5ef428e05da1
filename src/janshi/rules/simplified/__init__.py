"""Paper 4's simplified three-player game: `simplified.Table`, `simplified.SimplifiedGame`, `simplified.Ruleset`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from janshi.core.lazy import lazy_names

if TYPE_CHECKING:
    from janshi.rules.simplified.actions import ActionError as ActionError
    from janshi.rules.simplified.actions import action_name as action_name
    from janshi.rules.simplified.actions import parse_action as parse_action
    from janshi.rules.simplified.game import SimplifiedGame as SimplifiedGame
    from janshi.rules.simplified.hand import Distances as Distances
    from janshi.rules.simplified.hand import hand_distances as hand_distances
    from janshi.rules.simplified.policies import KernelPlayer as KernelPlayer
    from janshi.rules.simplified.ruleset import PRESETS as PRESETS
    from janshi.rules.simplified.ruleset import Ruleset as Ruleset
    from janshi.rules.simplified.ruleset import get_ruleset as get_ruleset
    from janshi.rules.simplified.table import Result as Result
    from janshi.rules.simplified.table import Table as Table

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "actions": ("ActionError", "action_name", "parse_action"),
        "game": ("SimplifiedGame",),
        "hand": ("Distances", "hand_distances"),
        "policies": ("KernelPlayer",),
        "ruleset": ("PRESETS", "Ruleset", "get_ruleset"),
        "table": ("Result", "Table"),
    },
)
