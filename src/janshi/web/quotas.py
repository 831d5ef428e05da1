"""How much one browser may store on the server, so that a single visitor cannot fill it.

A browser is known by its cookie (`owner.py`). One that drops the cookie starts again from zero, so the limits of the
whole server (`Settings.most_games`, `review.routes.MOST_REVIEWS`) stay in force beside these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from janshi.web.errors import Refused

MIB: Final = 1 << 20
TOO_MANY_REQUESTS: Final = 429


@dataclass(frozen=True, slots=True)
class Quotas:
    """Limits of one browser; 0 lifts one."""

    games: int = 500
    """Games that it has started and not deleted."""
    reviews: int = 200
    """Reviews that it has not deleted."""
    bytes: int = 256 * MIB
    """Bytes that its reviews take."""
    career_games: int = 20_000
    """Games that its career may have."""
    career_bytes: int = 1024 * MIB
    """Bytes that the records of its career may take."""

    def check_games(self, kept: int) -> None:
        """Refuse another game if a browser has as many as it may keep."""
        if 0 < self.games <= kept:
            raise Refused("quota_games", TOO_MANY_REQUESTS, most=self.games)

    def check_reviews(self, kept: int, size: int) -> None:
        """Refuse another review if a browser has as many as it may keep, or they take as much room as they may."""
        if 0 < self.reviews <= kept:
            raise Refused("quota_reviews", TOO_MANY_REQUESTS, most=self.reviews)
        if 0 < self.bytes <= size:
            raise Refused("quota_bytes", TOO_MANY_REQUESTS, most=self.bytes // MIB)

    def check_career(self, games: int, size: int) -> None:
        """Refuse more uploads for a career that is full."""
        if 0 < self.career_games <= games:
            raise Refused("quota_career_games", TOO_MANY_REQUESTS, most=self.career_games)
        if 0 < self.career_bytes <= size:
            raise Refused("quota_career_bytes", TOO_MANY_REQUESTS, most=self.career_bytes // MIB)
