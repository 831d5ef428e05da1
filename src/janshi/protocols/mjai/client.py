"""Our agents as mjai bots on other people's servers: over standard input and output, or over TCP.

>>> from janshi.agents.registry import make_agent
>>> from janshi.protocols.mjai.client import MjaiPlayer
>>> from janshi.rules.registry import make_game
>>> player = MjaiPlayer(make_agent("greedy", make_game("riichi")))
>>> player.react({"type": "start_game", "id": 0, "names": ["a", "b", "c", "d"]})
{'type': 'none'}

Unknown fields are ignored; an event that is unknown, or cannot be applied, is answered with `none` and a warning.
"""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable, Iterable
from typing import IO, Any, Final

import numpy as np

from janshi.agents.base import Agent
from janshi.core import rng
from janshi.protocols.mjai.actions import message_of
from janshi.protocols.mjai.events import NOTHING, Message
from janshi.protocols.mjai.tracker import EventError, Tracker
from janshi.rules.riichi.game import RiichiGame

REPLIES: Final = ("always", "asked")
CONNECT_SECONDS: Final = 20.0


def _warn(text: str) -> None:
    print(f"janshi bot: {text}", file=sys.stderr, flush=True)


class MjaiPlayer:
    """An agent at one seat of games given as mjai events."""

    def __init__(self, agent: Agent, seed: int = 0, warn: Callable[[str], None] = _warn) -> None:
        assert isinstance(agent.game, RiichiGame)
        self.agent = agent
        self.tracker = Tracker(agent.game)
        self.asked = False
        """Whether a question has not been answered yet."""
        self._seed, self._games, self._warn = seed % 2**64, 0, warn
        self._stream = np.uint64(0)
        self._began = False

    def see(self, event: object) -> bool:
        """Take an event; returns whether it asks us for an action."""
        if not isinstance(event, dict):
            self._warn(f"{str(event)[:200]!r} is not an event: expected a JSON object")
            return False
        kind = event.get("type")
        try:
            if not self.tracker.see(event):
                self._warn(f"an event of unknown type {kind!r} is ignored")
                return False
        except EventError as error:
            self._warn(str(error))
            self.asked = False
            return False
        if kind == "start_game":
            self._began = False
        elif kind == "start_kyoku" and not self._began:
            self._begin()
        elif kind == "end_game" and self._began:
            self._end()
        if kind == "dora":  # leaves what was asked before it open, if it was not answered
            return False
        self.asked = self.tracker.asked and event.get("can_act") is not False
        return self.asked

    def answer(self) -> Message:
        """The answer to the last event; `none` if nothing is asked."""
        if not self.asked:
            return dict(NOTHING)
        self.asked = False
        view = self.tracker.view()
        stream, word = rng.draw_word(self._stream)
        self._stream = np.uint64(stream)
        return message_of(self.agent.answer(view, int(word), self._games), view)

    def react(self, event: object) -> Message:
        """Take an event and answer it."""
        return self.answer() if self.see(event) else dict(NOTHING)

    def react_all(self, events: Iterable[object]) -> Message:
        """Take events and answer the last one."""
        for event in events:
            self.see(event)
        return self.answer()

    def _begin(self) -> None:
        self._began = True
        self._games += 1
        self._stream = np.uint64(rng.key(np.uint64(self._seed), self._games, self.tracker.seat))
        self.agent.begin(np.array([self._games]), np.array([self.tracker.seat]))

    def _end(self) -> None:
        self._began = False
        self.agent.end(np.array([self._games]), np.array([self.tracker.seat]))


def reply_to_line(player: MjaiPlayer, line: str, reply: str = "always") -> str | None:
    """The reply to a line: one to an array of events; one to a single event, or none unless asked."""
    try:
        message: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        _warn(f"{line[:200]!r} is not JSON: {error}")
        return None if reply == "asked" else _dump(NOTHING)
    if isinstance(message, list):
        return _dump(player.react_all(message))
    if player.see(message):
        return _dump(player.answer())
    return None if reply == "asked" else _dump(NOTHING)


def _dump(message: Message) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def play_lines(player: MjaiPlayer, source: IO[str], sink: IO[str], reply: str = "always") -> None:
    """Answer lines until there are no more."""
    if reply not in REPLIES:
        raise ValueError(f"reply is {reply!r}, expected one of {', '.join(REPLIES)}")
    for line in iter(source.readline, ""):
        if line.strip():
            answer = reply_to_line(player, line, reply)
            if answer is not None:
                sink.write(f"{answer}\n")
                sink.flush()


def play_connected(player: MjaiPlayer, host: str, port: int, name: str, room: str) -> bool:
    """Join a room of an mjai server and play one game; returns whether the game was finished."""
    try:
        connection = socket.create_connection((host, port), CONNECT_SECONDS)
    except OSError as error:
        raise ConnectionError(f"no server answers at {host}:{port} ({error.strerror or error})") from None
    with connection:
        connection.settimeout(None)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection.makefile("rw", encoding="utf-8", newline="\n") as stream:
            return _play_stream(player, stream, name, room)


def _play_stream(player: MjaiPlayer, stream: IO[str], name: str, room: str) -> bool:
    for line in iter(stream.readline, ""):
        kind = _type_of(line)
        if kind == "error":
            raise ConnectionError(f"the server says: {line.strip()[:300]}")
        if kind == "hello":
            answer: str | None = _dump({"type": "join", "name": name, "room": room})
        else:
            answer = reply_to_line(player, line)
        stream.write(f"{answer}\n")
        stream.flush()
        if kind == "end_game":
            return True
    return False


def _type_of(line: str) -> object:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message.get("type") if isinstance(message, dict) else None
