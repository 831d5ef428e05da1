"""The pace of a game: time between agents' moves, pauses, single steps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

MOST_STEPS: Final = 100
"""Maximum number of steps that may be requested in advance."""


class Pacing:
    """When the next move of a watched game may come."""

    def __init__(self, seconds: float, stir: asyncio.Event, watched: Callable[[], bool]) -> None:
        self.seconds, self.stir, self.watched = seconds, stir, watched
        self.paused = False
        self._steps = 0

    def as_json(self) -> dict[str, Any]:
        """The pace as sent to watchers."""
        return {"pace": self.seconds, "paused": self.paused}

    def set(self, seconds: float | None = None, paused: bool | None = None) -> None:
        """Change the pace, pause or continue."""
        self.seconds = self.seconds if seconds is None else seconds
        self.paused = self.paused if paused is None else paused
        self._steps = 0
        self.stir.set()

    def step(self) -> None:
        """Pause after one more move."""
        self.paused = True
        self._steps = min(self._steps + 1, MOST_STEPS)
        self.stir.set()

    async def wait(self) -> None:
        """Wait until the next move may come; not while paused or without viewers."""
        begun = time.monotonic()
        while True:
            if self._steps:
                self._steps -= 1
                return
            goes = self.watched() and not self.paused
            left = begun + self.seconds - time.monotonic()
            if goes and left <= 0:
                return
            self.stir.clear()
            try:
                async with asyncio.timeout(left if goes else None):
                    await self.stir.wait()
            except TimeoutError:
                pass
