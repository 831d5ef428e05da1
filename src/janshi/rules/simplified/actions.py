"""The 34 actions of the simplified game, as fixed numbers with names.

A chi is named by where the called tile stands in the sequence. A discard does not say whether it was just drawn, as on
Botzone.
"""

from __future__ import annotations

from typing import Final

from janshi.rules.answers import ActionError as ActionError
from janshi.rules.simplified.tiles import NUM_KINDS, format_kinds

DISCARD: Final = 0
KONG: Final = 14
CHI: Final = 28
PONG: Final = 31
HU: Final = 32
PASS: Final = 33
NUM_ACTIONS: Final = 34

ACTION_NAMES: Final = (
    *(f"discard {format_kinds([kind])}" for kind in range(NUM_KINDS)),
    *(f"kong {format_kinds([kind])}" for kind in range(NUM_KINDS)),
    "chi low",
    "chi middle",
    "chi high",
    "pong",
    "hu",
    "pass",
)
_NUMBERS: Final = {name: number for number, name in enumerate(ACTION_NAMES)}


def action_name(action: int) -> str:
    """Name an action: `action_name(0) == "discard 1p"`."""
    if not 0 <= action < NUM_ACTIONS:
        raise ActionError(f"no action {action}: the simplified game's actions are 0 to {NUM_ACTIONS - 1}")
    return ACTION_NAMES[action]


def parse_action(name: str) -> int:
    """Find an action by its name, the inverse of `action_name`."""
    try:
        return _NUMBERS[name]
    except KeyError:
        raise ActionError(f"no action is called {name!r}; names are such as 'discard 5p', 'chi low', 'hu'") from None
