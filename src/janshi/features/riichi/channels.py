"""Kernels that add a channel of a token to a list of active inputs; `layout.py` says what each channel means."""

from __future__ import annotations

from typing import Any, Final

from janshi.core._jit import kernel
from janshi.features.riichi import layout as at

TILE_WIDTH: Final = at.TILE_SECTION.width
PLAYER_FIRST: Final = at.PLAYER_SECTION.first
PLAYER_WIDTH: Final = at.PLAYER_SECTION.width
GAME_FIRST: Final = at.GAME_SECTION.first
QUESTION_FIRST: Final = at.QUESTION_SECTION.first


@kernel
def tile(out: Any, n: int, kind: int, channel: int) -> int:
    """Add a channel of a tile token."""
    out[n] = kind * TILE_WIDTH + channel
    return n + 1


@kernel
def seat(out: Any, n: int, player: int, channel: int) -> int:
    """Add a channel of a player token."""
    out[n] = PLAYER_FIRST + player * PLAYER_WIDTH + channel
    return n + 1


@kernel
def table(out: Any, n: int, channel: int) -> int:
    """Add a channel of the game token."""
    out[n] = GAME_FIRST + channel
    return n + 1


@kernel
def question(out: Any, n: int, channel: int) -> int:
    """Add a channel of the question token."""
    out[n] = QUESTION_FIRST + channel
    return n + 1


@kernel
def part_of(value: int, ends: Any) -> int:
    """Index of the first bound above a value; the number of bounds if there is none."""
    for i in range(len(ends)):
        if value < ends[i]:
            return i
    return len(ends)
