"""A plain client of live games, for tests: it keeps all that it was sent and answers by a policy."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import httpx
from pydantic import TypeAdapter
from websockets.sync.client import connect

from janshi.web.live.messages import Said
from patience import PATIENCE

SAID: TypeAdapter[Any] = TypeAdapter(Said)
Ask = dict[str, Any]
Policy = Callable[[Ask], int]


def drawn_or_pass(ask: Ask) -> int:
    """Wins if possible, else passes, else discards what was drawn: the shortest way through a game."""
    kinds = {choice["kind"]: choice["action"] for choice in reversed(ask["choices"])}
    for kind in ("tsumo", "ron", "pass", "tsumogiri"):
        if kind in kinds:
            return int(kinds[kind])
    return int(ask["choices"][-1]["action"])


def everything(ask: Ask) -> int:
    """Calls and declares whenever it can, so that all kinds of actions occur."""
    kinds = {choice["kind"]: choice["action"] for choice in ask["choices"]}
    for kind in ("tsumo", "ron", "kan", "riichi", "pon", "chi", "nine_terminals"):
        if kind in kinds:
            return int(kinds[kind])
    return int(ask["choices"][ask["id"] % len(ask["choices"])]["action"])


class Player:
    """A seat at a game over a real socket."""

    def __init__(self, url: str, id: str, key: str | None = None, policy: Policy = drawn_or_pass) -> None:
        self.url, self.id, self.key, self.policy = url, id, key, policy
        self.sent: list[dict[str, Any]] = []
        """All messages of the server."""
        self.state: dict[str, Any] = {}
        self.open()

    def open(self) -> None:
        """Connect, or connect again."""
        place = self.url.replace("http", "ws", 1) + f"/api/live/{self.id}/socket"
        self.held = ExitStack()
        self.socket = self.held.enter_context(
            connect(place + (f"?key={self.key}" if self.key else ""), open_timeout=PATIENCE, ping_interval=None)
        )

    def close(self) -> None:
        self.held.close()

    def hear(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message."""
        message = json.loads(self.socket.recv(timeout))
        assert SAID.dump_python(SAID.validate_python(message)) == message, "a message other than its type says"
        self.sent.append(message)
        if message["type"] == "state":
            self.state = message
        return message

    def hear_ask(self, id: int) -> None:
        """Hear until the question of this number is put."""
        while (self.state.get("ask") or {}).get("id") != id:
            self.deal()
            self.hear()

    def hear_type(self, kind: str, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message of a type."""
        while (message := self.hear(timeout))["type"] != kind:
            pass
        return message

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def until_asked(self, timeout: float = PATIENCE) -> Ask:
        """Hear until there is a question; next hands are dealt."""
        if not self.state:
            self.hear_type("state", timeout)
        while not self.state["ask"] and not self.state["over"]:
            self.deal()
            self.hear(timeout)
        return self.state["ask"] or {}

    def deal(self) -> None:
        """Ask for the next hand if one waits."""
        wanted = self.state.get("next")
        if wanted and wanted["wanted"] and self.state["position"]["viewer"] not in wanted["ready"]:
            self.say(type="next")

    def answer(self, action: int | None = None) -> None:
        """Answer the open question and wait for what follows."""
        ask = self.state["ask"]
        self.say(type="answer", ask=ask["id"], action=self.policy(ask) if action is None else action)
        before = ask["id"]
        while self.hear()["type"] != "state" or (self.state["ask"] or {}).get("id") == before:
            pass

    def play(self, most: int = 2000) -> dict[str, Any]:
        """Play until the game is over, or for `most` answers."""
        for _ in range(most):
            self.until_asked()
            if self.state["over"]:
                break
            self.answer()
        return self.state


def begin(client: httpx.Client, **wanted: Any) -> dict[str, Any]:
    """Begin a game; a server that is getting ready is asked again."""
    while (answer := client.post("/api/live", json=wanted)).status_code == 503:
        time.sleep(0.5)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())
