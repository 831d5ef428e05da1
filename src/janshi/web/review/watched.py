"""Recorded games that somebody watches: one worker follows a whole game, and its hands are kept for a while.

The worker begins with the hand that was asked for and goes on to the others, so that only the first hand is waited for.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections import OrderedDict
from collections.abc import Callable
from contextlib import aclosing
from typing import Final, cast

from janshi.web.review.processes import READ_SECONDS, START_SECONDS, WorkerError, ask_worker
from janshi.web.review.shapes import MomentText

GAMES: Final = 16
"""Games whose hands are kept, compressed."""
QUICKLY: Final = 1
"""The level of compression."""


class WatchedGames:
    """The games watched last. At most as many are followed at a time as `reading` lets through."""

    def __init__(self, reading: asyncio.Semaphore) -> None:
        self._reading = reading
        self._games: OrderedDict[str, _Game] = OrderedDict()

    async def hand(self, id: str, format: str, hand: int, text: Callable[[str], str]) -> list[MomentText]:
        """All positions of a hand; raises `WorkerError`. `text` gives the record of a game that is not known yet."""
        game = self._games.get(id)
        if game is None or game.failed:
            game = self._games[id] = _Game({"job": "watch", "format": format, "name": "", "hand": hand}, self._reading)
            game.start(text(id))
        self._games.move_to_end(id)
        while len(self._games) > GAMES:
            self._games.popitem(last=False)[1].task.cancel()
        return await game.hand(hand)

    async def stop(self) -> None:
        """End all workers."""
        for game in self._games.values():
            game.task.cancel()
        await asyncio.gather(*(game.task for game in self._games.values()), return_exceptions=True)


class _Game:
    """One game, and the task that reads it."""

    task: asyncio.Task[None]

    def __init__(self, job: dict[str, str | int], reading: asyncio.Semaphore) -> None:
        self._job, self._reading = job, reading
        self._hands: dict[int, bytes] = {}
        self._more = asyncio.Event()
        self._wrong: WorkerError | None = None

    def start(self, text: str) -> None:
        """Begin to read."""
        self.task = asyncio.create_task(self._read(text))

    @property
    def failed(self) -> bool:
        """Whether not all hands could be read."""
        return self._wrong is not None

    async def hand(self, hand: int) -> list[MomentText]:
        """A hand, as soon as it was read."""
        while hand not in self._hands:
            if self.task.done():
                raise self._wrong or WorkerError("worker_gave_no_answer")
            self._more.clear()
            await self._more.wait()
        return cast("list[MomentText]", json.loads(zlib.decompress(self._hands[hand])))

    async def _read(self, text: str) -> None:
        wrong: WorkerError | None = WorkerError("worker_stopped_early")
        try:
            async with self._reading:
                await self._follow(text)
            wrong = None
        except TimeoutError:
            wrong = WorkerError("worker_too_slow", seconds=round(READ_SECONDS))
        except WorkerError as refused:
            wrong = refused
        finally:
            self._wrong = wrong
            self._more.set()

    async def _follow(self, text: str) -> None:
        """Keep the hands that a worker says, within a time from when it is ready."""
        lines = ask_worker(self._job, text, START_SECONDS)
        async with asyncio.timeout(START_SECONDS) as clock, aclosing(lines):
            async for said in lines:
                if said["say"] == "ready":
                    clock.reschedule(asyncio.get_running_loop().time() + READ_SECONDS)
                else:
                    self._hands[said["hand"]] = zlib.compress(json.dumps(said["moments"]).encode(), QUICKLY)
                    self._more.set()
