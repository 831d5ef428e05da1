"""The viewers of a table: outlooks, each with its connections.

An *outlook* is a way to see a game: from a seat, as a spectator, or with all hands open. All connections with the same
outlook receive the same texts, and later requests get what was last sent, so nobody can learn more by asking often.

After a discard the rules ask only players who can react to it. The fact that somebody is asked reveals something about
a hidden hand. So an outlook that is not asked sees the discard together with what follows, as if nobody had been asked;
it sees the discard earlier only if the answers take long (a person is thinking).
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any, Final

MOST_WAITING: Final = 256
"""Messages that may wait for a slow connection before it is closed; after reconnecting it gets the complete state."""
Message = dict[str, Any]


class Connection:
    """One socket's outbox."""

    def __init__(self) -> None:
        self.outbox: asyncio.Queue[str | None] = asyncio.Queue(MOST_WAITING)
        self.lost = False

    def push(self, text: str) -> None:
        """Send a text, or drop the connection if it does not keep up."""
        if self.lost:
            return
        try:
            self.outbox.put_nowait(text)
        except asyncio.QueueFull:
            self.lost = True
            while not self.outbox.empty():
                self.outbox.get_nowait()
            self.outbox.put_nowait(None)

    def say(self, message: Message) -> None:
        """Send a message."""
        self.push(encode(message))

    def close(self) -> None:
        """End the outbox: nothing more will be sent."""
        if not self.lost:
            self.lost = True
            if self.outbox.full():
                self.outbox.get_nowait()
            self.outbox.put_nowait(None)


@dataclass
class Outlook:
    """One way to see a game."""

    viewer: int | None
    open_hands: bool = False
    seq: int = 0
    last: Message | None = None
    """The last message sent, without events."""
    events: list[Any] = field(default_factory=list)
    """What has happened since."""
    connections: set[Connection] = field(default_factory=set)
    timer: asyncio.TimerHandle | None = None

    def show(self, message: Message) -> None:
        """Send a new state, with all events since the last one."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        self.seq += 1
        self.last = {**message, "seq": self.seq}
        events, self.events = self.events, []
        if self.connections:
            text = encode({**self.last, "events": events})
            for connection in self.connections:
                connection.push(text)

    def forget(self) -> None:
        """Discard the last message: it is out of date, and nobody is watching."""
        self.last, self.events = None, []
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def welcome(self, connection: Connection) -> None:
        """Add a connection and send it the current state."""
        self.connections.add(connection)
        if self.last is not None:
            connection.say({**self.last, "events": []})


def encode(message: Message) -> str:
    """A message as compact JSON."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)
