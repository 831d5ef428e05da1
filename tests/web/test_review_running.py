"""The runner of reviews: requests are served in threads, but its event loop may be woken only from its own thread."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from janshi.web.review.runner import Runner


class EmptyStore:
    """A store that knows no review and notes which ones it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def unfinished(self) -> list[str]:
        return []

    def get(self, id: str) -> None:
        self.asked.append(id)


class NotedEvent(asyncio.Event):
    """An event that notes the threads in which it was set."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: list[int] = []

    def set(self) -> None:
        self.threads.append(threading.get_ident())
        super().set()


def test_a_review_queued_from_a_thread_wakes_the_runner_in_its_own() -> None:
    store: Any = EmptyStore()

    async def queue_one() -> NotedEvent:
        runner = Runner(store)
        runner._wake = wake = NotedEvent()
        runner.start()
        await asyncio.sleep(0)  # the runner now waits for a review
        await asyncio.to_thread(runner.add, "one")
        while not store.asked:
            await asyncio.sleep(0.01)
        await runner.stop()
        return wake

    wake = asyncio.run(queue_one())
    assert store.asked == ["one"]
    assert wake.threads == [threading.get_ident()], "asyncio.Event.set() is not for other threads"
