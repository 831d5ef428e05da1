"""The 235 actions of Guobiao, as fixed numbers with names.

| numbers | count | action |
| --- | --- | --- |
| 0 to 33 | 34 | play a tile |
| 34 to 96 | 63 | chi: each of the 21 sequences, with its lowest, middle or highest tile called |
| 97 to 130 | 34 | peng |
| 131 to 164 | 34 | kong of a discard |
| 165 to 198 | 34 | concealed kong |
| 199 to 232 | 34 | added kong |
| 233 | 1 | hu |
| 234 | 1 | pass |

Flowers are replaced without asking, so there is no action for them.
"""

from __future__ import annotations

from typing import Final

from janshi.core._jit import kernel
from janshi.core.tiles import NUM_KINDS, RANKS, format_tiles
from janshi.rules.answers import ActionError as ActionError

STARTS: Final = RANKS - 2
"""Sequences of a suit."""
SEQUENCES: Final = 21

PLAY: Final = 0
CHI: Final = 34
PENG: Final = 97
KONG: Final = 131
CONCEALED_KONG: Final = 165
ADDED_KONG: Final = 199
HU: Final = 233
PASS: Final = 234
NUM_ACTIONS: Final = 235

WORD: Final = 60
"""Legal actions are kept as four 64-bit words of 60 actions each (so that no sign bit is touched)."""
WORDS: Final = 4


@kernel
def chi_action(first: int, place: int) -> int:
    """The chi of the sequence whose lowest kind is `first`; `place` (0..2) is the called tile's place in it."""
    return CHI + 3 * (STARTS * (first // RANKS) + first % RANKS) + place


@kernel
def chi_first(action: int) -> int:
    """The lowest kind of a chi's sequence."""
    sequence = (action - CHI) // 3
    return RANKS * (sequence // STARTS) + sequence % STARTS


@kernel
def chi_place(action: int) -> int:
    """Where the called tile stands in a chi's sequence."""
    return (action - CHI) % 3


def _names() -> tuple[str, ...]:
    kinds = [format_tiles([kind]) for kind in range(NUM_KINDS)]
    firsts = [RANKS * suit + rank for suit in range(3) for rank in range(STARTS)]
    return (
        *(f"play {kind}" for kind in kinds),
        *(f"chi {format_tiles([f, f + 1, f + 2])} taking {kinds[f + place]}" for f in firsts for place in range(3)),
        *(f"peng {kind}" for kind in kinds),
        *(f"kong {kind}" for kind in kinds),
        *(f"concealed kong {kind}" for kind in kinds),
        *(f"added kong {kind}" for kind in kinds),
        "hu",
        "pass",
    )


ACTION_NAMES: Final = _names()
_NUMBERS: Final = {name: number for number, name in enumerate(ACTION_NAMES)}


def action_name(action: int) -> str:
    """Name an action: `action_name(0) == "play 1m"`."""
    if not 0 <= action < NUM_ACTIONS:
        raise ActionError(f"no action {action}: Guobiao's actions are 0 to {NUM_ACTIONS - 1}")
    return ACTION_NAMES[action]


def parse_action(name: str) -> int:
    """Find an action by its name, the inverse of `action_name`."""
    try:
        return _NUMBERS[name]
    except KeyError:
        raise ActionError(
            f"no action is called {name!r}; names are such as 'play 5m', 'chi 345m taking 4m', 'hu'"
        ) from None
