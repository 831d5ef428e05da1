"""The 120 actions of riichi, as fixed numbers with names.

Discards are by tile (0..36) from the concealed hand; `TSUMOGIRI` discards the tile just drawn, which others can see, so
that the two differ even for equal tiles. `RIICHI` is answered by the question which tile to discard. A chi is named by
where the called tile stands in the sequence; its `red` form uses a red five from the hand.
"""

from __future__ import annotations

from typing import Final

from janshi.core.tiles import NUM_KINDS, NUM_TILES, format_tiles
from janshi.rules.answers import ActionError as ActionError

DISCARD: Final = 0
TSUMOGIRI: Final = 37
RIICHI: Final = 38
CHI: Final = 39
CHI_RED: Final = 42
PON: Final = 45
PON_RED: Final = 46
OPEN_KAN: Final = 47
CONCEALED_KAN: Final = 48
ADDED_KAN: Final = 82
TSUMO: Final = 116
RON: Final = 117
NINE_TERMINALS: Final = 118
PASS: Final = 119
NUM_ACTIONS: Final = 120

HALF: Final = 60
"""Legal actions are kept as two 64-bit words of 60 actions each (so that no sign bit is touched)."""

_CHI_PLACES = ("low", "middle", "high")


def _names() -> tuple[str, ...]:
    tiles = [format_tiles([t]) for t in range(NUM_TILES)]
    kinds = tiles[:NUM_KINDS]
    chis = [f"chi {place}" for place in _CHI_PLACES]
    return (
        *(f"discard {tile}" for tile in tiles),
        "tsumogiri",
        "riichi",
        *chis,
        *(f"{chi} red" for chi in chis),
        "pon",
        "pon red",
        "kan",
        *(f"concealed kan {kind}" for kind in kinds),
        *(f"added kan {kind}" for kind in kinds),
        "tsumo",
        "ron",
        "nine terminals",
        "pass",
    )


ACTION_NAMES: Final = _names()
_NUMBERS: Final = {name: number for number, name in enumerate(ACTION_NAMES)}


def action_name(action: int) -> str:
    """Name an action: `action_name(0) == "discard 1m"`."""
    if not 0 <= action < NUM_ACTIONS:
        raise ActionError(f"no action {action}: riichi's actions are 0 to {NUM_ACTIONS - 1}")
    return ACTION_NAMES[action]


def parse_action(name: str) -> int:
    """Find an action by its name, the inverse of `action_name`."""
    try:
        return _NUMBERS[name]
    except KeyError:
        raise ActionError(f"no action is called {name!r}; names are such as 'discard 5m', 'chi low', 'ron'") from None
