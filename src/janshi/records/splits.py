"""Splits of recorded games by date and by player. They never change, so that all models are tested on the same games.

*By date.* Games from 1 January 2022 on are `test`. Of the earlier games and those without a date, 2 % are
`validation`, chosen by a hash of the game's id; the rest are `train`.

*By player.* 5 % of all players are held out in every split, chosen by a hash of their name. Training uses only
decisions of the others; a test can use only decisions of held-out players, which training never saw (though they sat at
tables that training sees from the other seats). Seats without a name are never held out.

A hash is the first eight bytes (big-endian) of the SHA-256 of "janshi game 1:" or "janshi player 1:" and the id or
name in UTF-8, modulo 10,000: below 200 is validation, below 500 is held out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Final

TRAIN: Final = "train"
VALIDATION: Final = "validation"
TEST: Final = "test"
SPLITS: Final = (TRAIN, VALIDATION, TEST)

TEST_FROM: Final = date(2022, 1, 1)
PARTS: Final = 10_000
VALIDATION_PARTS: Final = 200
HELD_OUT_PARTS: Final = 500


def _part(kind: str, name: str) -> int:
    digest = hashlib.sha256(f"janshi {kind} 1:{name}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % PARTS


def split_of(game: str, played: date | None) -> str:
    """The split of a game, by its id and its date."""
    if played is not None and played >= TEST_FROM:
        return TEST
    return VALIDATION if _part("game", game) < VALIDATION_PARTS else TRAIN


@lru_cache(maxsize=1 << 14)
def is_held_out(name: str) -> bool:
    """Whether a player is held out of training."""
    return bool(name) and _part("player", name) < HELD_OUT_PARTS


def held_out_seats(names: Sequence[str]) -> int:
    """Bit set of the seats whose players are held out."""
    return sum(1 << seat for seat, name in enumerate(names) if is_held_out(name))
