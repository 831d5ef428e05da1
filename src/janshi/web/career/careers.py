"""The careers of a server: their owners, their folders, and the process that works on one at a time.

An app that only this machine can reach has one career, the same that `janshi career` uses. One that others can reach
keeps a career for every browser, by its cookie.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import sys
from collections import deque
from pathlib import Path
from typing import Final

from janshi.career.database import DATABASE
from janshi.career.store import CareerStore, Limits
from janshi.web.review.processes import end_process, one_thread
from janshi.web.settings import Settings, is_loopback

log = logging.getLogger("janshi.web.career")

LOCAL: Final = "career"
SHARED: Final = "careers"
SILENT_SECONDS: Final = 600.0
"""Seconds of silence after which a worker is killed; the first record may have to wait for compilation."""
MOST_CRASHES: Final = 5
"""Crashes in a row after which a career is left alone until something new is uploaded."""
STUCK: Final = "could not be read: it took too long or too much memory"


class Careers:
    """Opens careers, and has their uploads read and their luck measured in the background."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        quotas = settings.quotas
        self.limits = Limits(quotas.career_games, quotas.career_bytes)
        self._stores: dict[Path, CareerStore] = {}
        self._queue: deque[Path] = deque()
        self._wake = asyncio.Event()
        self._main: asyncio.Task[None] | None = None
        self.running: Path | None = None

    def start(self) -> None:
        """Continue what an earlier server left unfinished, and wait for more."""
        self._main = asyncio.create_task(self._run())
        for folder in self._existing():
            store = self._open(folder)
            if has_work(store):
                self.wake(store)

    async def stop(self) -> None:
        """End the worker; what is unfinished can be continued later."""
        if self._main is not None:
            self._main.cancel()
            await asyncio.gather(self._main, return_exceptions=True)
        for store in self._stores.values():
            store.close()

    def _existing(self) -> list[Path]:
        folders = [self.settings.data / LOCAL, *sorted((self.settings.data / SHARED).glob("*"))]
        return [folder for folder in folders if (folder / DATABASE).exists()]

    def of(self, owner: str) -> CareerStore:
        """The career of a browser."""
        if is_loopback(self.settings.host):
            return self._open(self.settings.data / LOCAL)
        name = hashlib.sha256(owner.encode()).hexdigest()[:32]
        return self._open(self.settings.data / SHARED / name)

    def _open(self, folder: Path) -> CareerStore:
        if folder not in self._stores:
            self._stores[folder] = CareerStore(folder)
        return self._stores[folder]

    def opened(self) -> list[CareerStore]:
        """The careers that were opened since the start."""
        return list(self._stores.values())

    # --- the worker

    def wake(self, store: CareerStore) -> None:
        """Have a career worked on."""
        if store.folder not in self._queue:
            self._queue.append(store.folder)
        self._wake.set()

    def is_running(self, store: CareerStore) -> bool:
        """Whether a career is being worked on, or will be soon."""
        return self.running == store.folder or store.folder in self._queue

    async def _run(self) -> None:
        while True:
            while not self._queue:
                self._wake.clear()
                await self._wake.wait()
            folder = self._queue.popleft()
            self.running = folder
            try:
                await self._work(self._open(folder))
            except Exception:
                log.exception("a career could not be worked on")
            self.running = None

    async def _work(self, store: CareerStore) -> None:
        """Run workers until nothing is left; if one dies, the record it was reading is listed as a problem."""
        crashes = 0
        while has_work(store) and crashes < MOST_CRASHES:
            code = await self._worker(store)
            crashes = 0 if code == 0 else crashes + 1
            upload = store.next_upload()
            if code != 0 and upload is not None:
                store.add_problem(upload.name, STUCK, upload.id)

    async def _worker(self, store: CareerStore) -> int:
        """Run one worker to its end; returns its exit code, -9 if it had to be killed."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "janshi.career.worker", str(store.folder)),
            *(str(self.limits.games), str(self.limits.bytes)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=one_thread(),
        )
        assert process.stdout is not None
        try:
            while await asyncio.wait_for(process.stdout.readline(), SILENT_SECONDS):
                pass
            return await asyncio.wait_for(process.wait(), SILENT_SECONDS)
        except TimeoutError:
            return -9
        finally:
            with contextlib.suppress(ProcessLookupError):
                await end_process(process)


def has_work(store: CareerStore) -> bool:
    """Whether uploads wait to be read, or games of the person to be measured."""
    return store.next_upload() is not None or bool(store.luck_waiting(1))
