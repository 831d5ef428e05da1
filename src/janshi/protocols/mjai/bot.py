"""An mjai bot at one of our tables, connected by a process's pipes or a socket.

Events go to the bot as one JSON object per line. Programs answer in different ways, so there are reply modes:

    always   one reply to every event, `{"type":"none"}` if there is nothing to do (the original protocol)
    asked    a line only when the bot can act (Mortal)
    batch    the events since the last question come as one JSON array, answered by one reply (mjai.app)
    auto     `always` if start_game is answered, otherwise `asked`; detected once, at the bot's first game

An unsolicited answer is ignored.
"""

from __future__ import annotations

import contextlib
import json
import time
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Final, Protocol

from janshi.protocols.bot import FATAL_KINDS, Bot, BotFault
from janshi.protocols.mjai.actions import IllegalMessage, MessageError, action_of
from janshi.protocols.mjai.events import Message, masked
from janshi.protocols.process import ChildError

REPLY_MODES: Final = ("auto", "always", "asked", "batch")
SECONDS: Final = 5.0
START_SECONDS: Final = 30.0
"""How long a bot may take for its first reply after it was started: models must be loaded."""
FAREWELL_SECONDS: Final = 1.0
"""How long to wait for its answer to the end of a game."""
MOST_UNASKED: Final = 32
"""Maximum number of unsolicited lines from a bot."""
_ENCODE: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Link(Protocol):
    """A connection to a bot; its methods raise `ChildError`."""

    @property
    def running(self) -> bool:
        """Whether the other side is still connected."""

    @property
    def waiting(self) -> int:
        """How many lines have come that nobody has read."""

    def send_line(self, line: str, deadline: float) -> None:
        """Write a line before a moment of `time.monotonic()`."""

    def read_line(self, deadline: float) -> str | None:
        """The next line, None if there is no more."""

    def death(self) -> ChildError:
        """The error of a link that has ended too early."""

    def kill(self) -> None:
        """End it, and free what it held."""


class MjaiBot(Bot):
    """A bot that speaks mjai. Subclasses define how to reach it."""

    family = "riichi"
    keeps_link = True
    """Whether one link serves several games."""

    def __init__(self, label: str, seconds: float, reply: str, start_seconds: float) -> None:
        if reply not in REPLY_MODES:
            raise ValueError(f"bot {label!r}: reply is {reply!r}, expected one of {', '.join(REPLY_MODES)}")
        if seconds <= 0 or start_seconds <= 0:
            raise ValueError(f"bot {label!r}: times must be above 0, not {seconds} and {start_seconds}")
        self.label, self.seconds, self.start_seconds = label, seconds, max(start_seconds, seconds)
        self.reply = reply
        self._link: Link | None = None
        self._fresh = self._left_over = False
        self._fault: BotFault | None = None
        self._begin(0, ())

    @abstractmethod
    def _connect(self, deadline: float) -> Link:
        """Reach the bot; raises `ChildError`."""

    def _begin(self, seat: int, names: Sequence[str]) -> None:
        self._seat, self._names = seat, list(names)
        self._fault = None
        self._started = False
        self._outstanding = 0
        self._unheard: list[str] = []
        """Number of this game's lines that have had no reply yet."""
        self._batch: list[Message] = []

    # --- the contract

    def begin(self, table: Any, seat: int, names: Sequence[str]) -> None:
        """A game starts; a process that has exited since the last one is restarted."""
        self._begin(seat, names)
        try:
            if self._link is None or not self._link.running:
                self._open()
        except ChildError as error:
            self._note(error)

    def tell(self, events: list[Message]) -> None:
        """Pass on what happened, as this seat sees it."""
        if self._fault is not None or not events:
            return
        try:
            if not self._started:
                self._start(masked(events[0], self._seat))
            deadline = self._deadline()
            for event in events:
                if event["type"] != "start_game":
                    self._tell(masked(event, self._seat), deadline)
        except ChildError as error:
            self._note(error)

    def ask(self, table: Any, seat: int) -> int:
        """The bot's answer to the last event, as a legal action; raises `BotFault`."""
        if self._fault is not None:
            raise self._fault
        try:
            line = self._answer()
        except ChildError as error:
            raise self._note(error) from error
        try:
            return action_of(_read_json(line), table.view(seat))
        except MessageError as error:
            raise BotFault("nonsense", str(error)) from error
        except IllegalMessage as error:
            raise BotFault("illegal", str(error)) from error

    def end(self, table: Any) -> BotFault | None:
        """The game is over: a bot may answer the last event, or end."""
        if self._link is None:
            return None
        with contextlib.suppress(ChildError):
            deadline = time.monotonic() + min(FAREWELL_SECONDS, self.seconds)
            if self._batch:
                self._send_batch(deadline)
                self._outstanding = 1
            if self._outstanding and self.reply != "asked":
                self._link.read_line(deadline)
        self._outstanding = 0
        self._left_over = True
        if not self.keeps_link or not self._link.running:
            self._drop()
        return None

    def close(self) -> None:
        """Leave no process behind."""
        self._drop()

    # --- lines

    def _open(self) -> None:
        self._drop()
        self._link = self._connect(time.monotonic() + self.start_seconds)
        self._fresh, self._left_over = True, False

    def _drop(self) -> None:
        if self._link is not None:
            self._link.kill()
            self._link = None

    def _note(self, error: ChildError) -> BotFault:
        """Keep a fault until the next question, and end the process."""
        self._fault = BotFault(error.kind, f"{self.label}: {error.message}")
        assert error.kind in FATAL_KINDS
        self._drop()
        return self._fault

    def _deadline(self) -> float:
        return time.monotonic() + (self.start_seconds if self._fresh else self.seconds)

    def _tell(self, event: Message, deadline: float) -> None:
        if self.reply == "batch":
            self._batch.append(event)
            return
        while self._outstanding:
            self._read(deadline)
        self._send(_ENCODE(event))

    def _start(self, event: Message) -> None:
        """Greet the bot with start_game, the game's first event, and detect how it replies."""
        self._started = True
        if event["type"] != "start_game":
            event = {"type": "start_game", "id": self._seat, "names": self._names}
        if self.reply == "batch":
            self._batch.append(event)
            return
        self._send(_ENCODE(event))
        if self.reply == "auto":
            try:
                self._outstanding = 1
                self._read(self._deadline())
                self.reply = "always"
            except ChildError as error:
                if error.kind != "timeout":
                    raise
                self.reply, self._outstanding = "asked", 0

    def _send(self, line: str) -> None:
        assert self._link is not None
        self._unheard.append(line)
        try:
            self._link.send_line(line, self._deadline())
        except ChildError:
            if not self._left_over:
                raise
            self._renew()
        if self.reply == "always":
            self._outstanding += 1

    def _send_batch(self, deadline: float) -> None:
        assert self._link is not None
        line, self._batch = _ENCODE(self._batch), []
        self._unheard.append(line)
        try:
            self._link.send_line(line, deadline)
        except ChildError:
            if not self._left_over:
                raise
            self._renew()

    def _renew(self) -> None:
        """A process of an earlier game has exited, as some do: start another and send it this game so far."""
        lines = list(self._unheard)
        self._open()
        assert self._link is not None
        for line in lines:
            self._link.send_line(line, self._deadline())

    def _read(self, deadline: float) -> str:
        while True:
            assert self._link is not None
            line = self._link.read_line(deadline)
            if line is None and self._left_over:
                self._renew()
                deadline = self._deadline()
            elif line is None:
                raise self._link.death()
            elif self._link.waiting > self._outstanding + MOST_UNASKED:
                raise ChildError("flood", f"it wrote {self._link.waiting} lines that nobody asked for")
            elif line.strip():
                self._fresh = self._left_over = False
                self._outstanding = max(0, self._outstanding - 1)
                self._unheard.clear()
                return line

    def _answer(self) -> str:
        """The reply to the last event."""
        deadline = self._deadline()
        if self.reply == "batch":
            self._send_batch(deadline)
        if self.reply == "always":
            while self._outstanding > 1:
                self._read(deadline)
        return self._read(deadline)


def _read_json(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise MessageError(f"{line[:200]!r} is not JSON: {error}") from None
