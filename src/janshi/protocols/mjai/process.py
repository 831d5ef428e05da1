"""An mjai bot as a subprocess: JSON lines over its standard input and output.

>>> from janshi.protocols.mjai.process import MjaiProcessBot
>>> bot = MjaiProcessBot("janshi bot mjai --agent greedy", seconds=2)
>>> bot.close()

The process is started for the first game and kept for the next ones; if it exits after a game, it is restarted. It
runs in its own process group, which is killed as a whole by `close` and after a crash, a time-out or a flood.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence
from typing import Any

from janshi.protocols.confinement import PLAIN, Confinement
from janshi.protocols.mjai.bot import SECONDS, START_SECONDS, MjaiBot
from janshi.protocols.process import Child, ChildError

LONGEST_LINE = 1 << 18
"""Bytes of the longest reply: some bots put their whole analysis into it."""


class MjaiProcessBot(MjaiBot):
    """A bot behind a command."""

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        seconds: float = SECONDS,
        reply: str = "auto",
        start_seconds: float = START_SECONDS,
        label: str | None = None,
        environment: Mapping[str, str] | None = None,
        confinement: Confinement = PLAIN,
        folder: str | None = None,
    ) -> None:
        words = shlex.split(command) if isinstance(command, str) else list(command)
        if not words:
            raise ValueError("an mjai bot needs a command, such as mjai:python bot.py")
        super().__init__(label or f"mjai:{shlex.join(words)}", seconds, reply, start_seconds)
        self.command, self.environment, self.confinement, self.folder = words, environment, confinement, folder

    def begin(self, table: Any, seat: int, names: Sequence[str]) -> None:
        """A game starts; a process that has exited since the last one is restarted."""
        super().begin(table, seat, names)
        if isinstance(self._link, Child):
            self._link.renew()

    def check_start(self) -> None:
        """Raise `ValueError` if the bot's program cannot be started."""
        try:
            self._connect(time.monotonic()).kill()
        except ChildError as wrong:
            raise ValueError(f"player {self.label!r}: {wrong.message}") from wrong

    def _connect(self, deadline: float) -> Child:
        return Child(
            self.command,
            environment=self.environment,
            confinement=self.confinement,
            folder=self.folder,
            longest_line=LONGEST_LINE,
        )
