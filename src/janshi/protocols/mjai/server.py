"""The TCP server of the original mjai protocol, and bots that connect to it.

A client is greeted with `hello` and answers `join` with its name and a room; the next of our bots that starts a game
takes it. The client answers every message of the game with one of its own (lockstep). After `end_game` the
connection is closed, as on the original server; to play again, the client reconnects.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import time
from typing import Any, Final

from janshi.protocols.mjai.bot import START_SECONDS, MjaiBot
from janshi.protocols.process import LONGEST_LINE, MOST_WAITING, ChildError

PORT: Final = 11600
ROOM: Final = "default"
HELLO: Final = {"type": "hello", "protocol": "mjsonp", "protocol_version": 3}
JOIN_SECONDS: Final = 60.0
HANDSHAKE_SECONDS: Final = 10.0
_CHUNK: Final = 1 << 16


class SocketLink:
    """Lines over a socket, with deadlines and bounds."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._socket.setblocking(False)
        with contextlib.suppress(OSError):
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._read = b""
        self._ended = False

    @property
    def running(self) -> bool:
        """Whether the client is still connected."""
        with contextlib.suppress(ChildError):
            self._fill()
        return not self._ended

    def send_line(self, line: str, deadline: float) -> None:
        """Write a line before a moment of `time.monotonic()`; raises `ChildError`."""
        left = memoryview(line.encode() + b"\n")
        while left:
            try:
                left = left[self._socket.send(left) :]
            except BlockingIOError:
                self._wait(deadline, writing=True)
            except OSError as error:
                raise ChildError("crash", f"it has disconnected ({error})") from error

    def read_line(self, deadline: float) -> str | None:
        """The next line, None if there is no more; raises `ChildError`."""
        while b"\n" not in self._read and not self._ended:
            self._fill()
            if b"\n" not in self._read and not self._ended:
                self._wait(deadline, writing=False)
        line, newline, rest = self._read.partition(b"\n")
        if not newline:
            return None
        self._read = rest
        return line.decode(errors="replace").rstrip("\r")

    @property
    def waiting(self) -> int:
        """How many lines have come that nobody has read."""
        return self._read.count(b"\n")

    def has_line(self) -> bool:
        """Whether a line, or the end, can be read without waiting."""
        self._fill()
        return b"\n" in self._read or self._ended

    def fileno(self) -> int:
        """The socket's number, for `select`."""
        return self._socket.fileno()

    def death(self) -> ChildError:
        """The error of a client that has gone."""
        return ChildError("crash", "it has disconnected")

    def kill(self) -> None:
        """Close the connection."""
        self._ended = True
        with contextlib.suppress(OSError):
            self._socket.close()

    def _wait(self, deadline: float, writing: bool) -> None:
        rest = deadline - time.monotonic()
        wanted = [self._socket]
        ready = select.select([] if writing else wanted, wanted if writing else [], [], max(0.0, rest))
        if not any(ready):
            raise ChildError("timeout", "it did not read in time" if writing else "it did not answer in time")

    def _fill(self) -> None:
        """Take what has come; raises `ChildError` if it is too much."""
        while not self._ended:
            try:
                chunk = self._socket.recv(_CHUNK)
            except BlockingIOError:
                return
            except OSError:
                chunk = b""
            self._ended = not chunk
            self._read += chunk
            first = self._read.find(b"\n")
            if len(self._read) > MOST_WAITING or (first if first >= 0 else len(self._read)) > LONGEST_LINE:
                raise ChildError(
                    "flood", f"it wrote a line of over {LONGEST_LINE} bytes, or over {MOST_WAITING} unasked"
                )


class MjaiServer:
    """Waits for clients and seats them: `take` returns the next that has joined the room."""

    def __init__(self, port: int = PORT, host: str = "127.0.0.1", room: str = ROOM) -> None:
        self.room = room
        self._listener = socket.create_server((host, port), backlog=16)
        self._listener.setblocking(False)
        self.host, self.port = host, int(self._listener.getsockname()[1])
        self._greeted: list[tuple[SocketLink, float]] = []
        self._joined: list[tuple[SocketLink, str]] = []
        self.users = 0

    def take(self, deadline: float) -> tuple[SocketLink, str]:
        """The next client and its name; raises `ChildError` when none has joined in time."""
        while True:
            self._accept()
            self._greeted = [(link, until) for link, until in self._greeted if not self._shake(link, until)]
            while self._joined:
                link, name = self._joined.pop(0)
                if link.running:
                    return link, name
                link.kill()
            rest = deadline - time.monotonic()
            if rest <= 0:
                raise ChildError("start", f"no client joined room {self.room!r} at {self.host}:{self.port} in time")
            waiting = [self._listener.fileno(), *(link.fileno() for link, _ in self._greeted)]
            select.select(waiting, [], [], min(rest, 0.5))

    def close(self) -> None:
        """Stop listening and disconnect waiting clients."""
        for link in [link for link, _ in self._greeted] + [link for link, _ in self._joined]:
            link.kill()
        self._greeted, self._joined = [], []
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except (BlockingIOError, ConnectionError):
                return
            link, until = SocketLink(connection), time.monotonic() + HANDSHAKE_SECONDS
            with contextlib.suppress(ChildError):
                link.send_line(json.dumps(HELLO), until)
                self._greeted.append((link, until))

    def _shake(self, link: SocketLink, until: float) -> bool:
        """Read a client's join if it has come; returns whether the greeting is over, accepted or not."""
        try:
            if not link.has_line():
                if time.monotonic() > until:
                    link.kill()
                return time.monotonic() > until
            line = link.read_line(until)
        except ChildError:
            line = None
        problem = self._refused(line)
        if problem:
            with contextlib.suppress(ChildError):
                link.send_line(json.dumps({"type": "error", "message": problem}), time.monotonic() + 1)
            link.kill()
        else:
            self._joined.append((link, json.loads(line or "{}")["name"]))
        return True

    def _refused(self, line: str | None) -> str:
        """Why a join is not accepted; empty if it is."""
        example = json.dumps({"type": "join", "name": "noname", "room": self.room})
        try:
            message: Any = json.loads(line or "")
        except (ValueError, RecursionError) as error:
            return f"JSON syntax error ({error}); expected e.g. {example}"
        if not isinstance(message, dict) or message.get("type") != "join" or not isinstance(message.get("name"), str):
            return f"expected e.g. {example}"
        return "" if message.get("room") == self.room else f"no such room; available room: {self.room}"


_SHARED: Final[dict[tuple[str, int, str], MjaiServer]] = {}


def shared_server(port: int, host: str = "127.0.0.1", room: str = ROOM) -> MjaiServer:
    """The server of a port, the same for all bots of this process that name it."""
    key = (host, port, room)
    if key not in _SHARED:
        _SHARED[key] = MjaiServer(port, host, room)
    server = _SHARED[key]
    server.users += 1
    return server


class MjaiTcpBot(MjaiBot):
    """A bot whose client connects to us, once per game."""

    keeps_link = False

    def __init__(
        self,
        listener: MjaiServer | int = PORT,
        *,
        seconds: float = START_SECONDS,
        join_seconds: float = JOIN_SECONDS,
        host: str = "127.0.0.1",
        room: str = ROOM,
        label: str | None = None,
    ) -> None:
        self._place = (host, listener, room) if isinstance(listener, int) else None
        self._server = None if isinstance(listener, int) else listener
        port = listener if isinstance(listener, int) else listener.port
        super().__init__(label or f"mjai-tcp:{port}", seconds, "always", seconds)
        self.join_seconds = join_seconds
        self.name = ""
        """The name the client gave itself."""

    def _connect(self, deadline: float) -> SocketLink:
        if self._server is None:
            assert self._place is not None
            host, port, room = self._place
            try:
                self._server = shared_server(port, host, room)
            except OSError as error:
                raise ChildError("start", f"cannot listen at {host}:{port}: {error}") from error
        link, self.name = self._server.take(time.monotonic() + self.join_seconds)
        return link

    def close(self) -> None:
        """Disconnect the client; the last bot of a shared port stops listening."""
        super().close()
        if self._server is not None and self._place is not None:
            self._server.users -= 1
            if self._server.users == 0:
                self._server.close()
                _SHARED.pop(self._place, None)
            self._server = None
