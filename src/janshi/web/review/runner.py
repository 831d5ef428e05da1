"""Run reviews one at a time, each in a worker process, and ask workers about recorded games.

A review's worker is killed when the review is cancelled and when the server stops. After a restart, reviews continue
where they stopped: decisions are stored one by one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Sequence
from contextlib import aclosing
from typing import Any, Final

from janshi.web.errors import Refused
from janshi.web.problems import problem
from janshi.web.review.processes import READ_SECONDS, SILENT_SECONDS, START_SECONDS, WorkerError, ask_worker
from janshi.web.review.shapes import MomentText
from janshi.web.review.store import CANCELLED, DONE, FAILED, THINKING, UNFINISHED, WAITING, ReviewStore
from janshi.web.review.watched import WatchedGames

log = logging.getLogger("janshi.web.review")

READERS: Final = 2
"""Maximum number of uploads read at the same time."""
MOST_READING: Final = 16
"""Maximum number of uploads waiting to be read."""
MOST_WAITING: Final = 200
"""Maximum number of waiting reviews."""


class Runner:
    """Reads uploads, and runs reviews one after another."""

    def __init__(self, store: ReviewStore) -> None:
        self.store = store
        self._queue: deque[str] = deque()
        self._loop: asyncio.AbstractEventLoop
        self._wake = asyncio.Event()
        self._reading = asyncio.Semaphore(READERS)
        self._waiting_to_read = 0
        self._main: asyncio.Task[None] | None = None
        self._current: tuple[str, asyncio.Task[None]] | None = None
        self._lucks: dict[str, asyncio.Task[None]] = {}
        self._watched = WatchedGames(self._reading)

    def start(self) -> None:
        """Continue what an earlier server left unfinished, and wait for more."""
        self._loop = asyncio.get_running_loop()
        self._queue.extend(self.store.unfinished())
        self._main = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End all workers; unfinished reviews can be continued later."""
        tasks = [self._main, self._current and self._current[1], *self._lucks.values()]
        for task in tasks:
            if task is not None:
                task.cancel()
        await asyncio.gather(*(task for task in tasks if task is not None), return_exceptions=True)
        await self._watched.stop()

    # --- reading

    async def read(self, text: str, format: str, name: str) -> dict[str, Any]:
        """The head of an uploaded game; raises `Refused`."""
        if self._waiting_to_read >= MOST_READING:
            raise Refused("too_many_uploads", 503)
        self._waiting_to_read += 1
        try:
            async with self._reading:
                said = await self._only({"job": "read", "format": format, "name": name}, text, READ_SECONDS)
        except WorkerError as refused:
            raise Refused("game_not_reviewed", 422, problem=refused.problem) from None
        finally:
            self._waiting_to_read -= 1
        return dict(said["head"])

    async def _only(self, job: dict[str, Any], text: str, seconds: float) -> dict[str, Any]:
        """The one answer of a worker, within a time from when it is ready."""
        said: dict[str, Any] = {}
        try:
            async with asyncio.timeout(START_SECONDS) as clock, aclosing(ask_worker(job, text, START_SECONDS)) as lines:
                async for said in lines:
                    if said["say"] == "ready":
                        clock.reschedule(asyncio.get_running_loop().time() + seconds)
        except TimeoutError:
            raise WorkerError("worker_too_slow", seconds=round(seconds)) from None
        if said.get("say", "ready") == "ready":
            raise WorkerError("worker_gave_no_answer")
        return said

    async def watch(self, id: str, format: str, hand: int) -> list[MomentText]:
        """All positions of a hand of a stored record; raises `Refused`."""
        try:
            return await self._watched.hand(id, format, hand, self.store.text)
        except WorkerError as refused:
            raise Refused(refused.problem, 422) from None

    async def chances(self, id: str, format: str, seats: Sequence[int], number: int) -> dict[str, dict[str, float]]:
        """How the hand may end after each choice of a decision; raises `Refused`."""
        job = {"job": "chances", "format": format, "name": "", "seats": list(seats), "number": number}
        said = await self._asked(job, id, START_SECONDS)
        return dict(said["chances"])

    async def start_of(self, id: str, format: str, place: dict[str, Any]) -> dict[str, Any]:
        """A position of a stored record to play on from; raises `Refused`."""
        said = await self._asked({"job": "start", "format": format, "name": "", **place}, id)
        return dict(said["start"])

    async def _asked(self, job: dict[str, Any], id: str, seconds: float = READ_SECONDS) -> dict[str, Any]:
        try:
            async with self._reading:
                return await self._only(job, self.store.text(id), seconds)
        except WorkerError as refused:
            raise Refused(refused.problem, 422) from None

    # --- reviewing

    def add(self, id: str) -> None:
        """Queue a review behind those already waiting. Any thread may call this."""
        self._queue.append(id)
        self._loop.call_soon_threadsafe(self._wake.set)

    @property
    def idle(self) -> bool:
        """Whether no review runs or waits, so that work of low priority may begin."""
        return not self._queue and self._current is None and self._waiting_to_read == 0

    def check_room(self) -> None:
        """Refuse more reviews than can be done soon."""
        if len(self._queue) >= MOST_WAITING:
            raise Refused("too_many_waiting", 503)

    def ahead_of(self, id: str) -> int:
        """How many reviews come before one that waits."""
        return self._queue.index(id) + 1 if id in self._queue else 0

    async def cancel(self, id: str) -> None:
        """Stop a review; what is known so far is kept."""
        with contextlib.suppress(ValueError):
            self._queue.remove(id)
        review = self.store.get(id)
        if review is not None and review.state in UNFINISHED:
            self.store.set_state(id, CANCELLED)
        if self._current is not None and self._current[0] == id:
            task = self._current[1]
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            while not self._queue:
                self._wake.clear()
                await self._wake.wait()
            id = self._queue.popleft()
            task = asyncio.create_task(self._think(id))
            self._current = id, task
            await asyncio.wait([task])
            self._current = None

    async def _think(self, id: str) -> None:
        """Run one review, storing every decision as it arrives."""
        review = self.store.get(id)
        if review is None or review.state not in UNFINISHED:
            return
        self.store.set_state(id, THINKING)
        job: dict[str, Any] = {"job": "think", "format": review.format, "name": review.name, "agent": review.agent}
        job |= {"seats": list(review.seats), "skip": self.store.done(id)}
        finished = False
        try:
            async with aclosing(ask_worker(job, self.store.text(id), SILENT_SECONDS)) as lines:
                async for said in lines:
                    if said["say"] == "decision":
                        self.store.add_decision(id, said["decision"])
                    finished = finished or said["say"] == "done"
            self.store.set_state(
                id, DONE if finished else FAILED, None if finished else problem("worker_stopped_early")
            )
        except WorkerError as refused:
            self.store.set_state(id, FAILED, refused.problem)
        except asyncio.CancelledError:
            state = self.store.get(id)
            if state is not None and state.state == THINKING:
                self.store.set_state(id, WAITING)
            raise
        except Exception:
            log.exception("a review failed")
            self.store.set_state(id, FAILED, problem("internal_error"))

    # --- luck

    def measure_luck(self, id: str) -> asyncio.Task[None]:
        """Start measuring the luck of a game, unless that is already running."""
        if id not in self._lucks:
            self._lucks[id] = asyncio.create_task(self._luck(id))
            self._lucks[id].add_done_callback(lambda _: self._lucks.pop(id, None))
        return self._lucks[id]

    async def _luck(self, id: str) -> None:
        from janshi.web.review.luck import not_available

        review = self.store.get(id)
        if review is None:
            return
        job = {"job": "luck", "format": review.format, "name": review.name}
        try:
            async with self._reading:
                said = await self._only(job, self.store.text(id), SILENT_SECONDS)
            self.store.set_luck(id, said["luck"])
        except WorkerError as refused:
            self.store.set_luck(id, not_available(refused.problem))
