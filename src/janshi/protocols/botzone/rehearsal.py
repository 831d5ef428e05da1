"""A short made-up game in which a seat is dealt, draws, may chi, peng, kong and win: all that needs compiling."""

from __future__ import annotations

from typing import Final

REHEARSAL: Final = (
    "0 1 0",
    "1 0 0 0 0 W1 W1 W1 W2 W3 W4 W5 W6 W7 W8 W9 W9 W9",
    "3 0 DRAW",
    "3 0 PLAY F2",
    "2 F1",
    "3 1 PLAY F1",
    "3 2 DRAW",
    "3 2 PLAY W1",
    "3 3 DRAW",
    "3 3 PLAY J1",
    "3 0 DRAW",
    "3 0 PLAY W5",
)
"""The requests of seat 1, which holds nine gates: every tile of its suit wins."""
