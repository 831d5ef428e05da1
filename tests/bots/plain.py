"""A bot that discards what it draws, in the original lockstep; misbehaving bots spoil its replies."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable

Reply = dict[str, object]
Spoil = Callable[[int, dict[str, object], Reply], None]


def say(reply: object) -> None:
    """Write a reply."""
    sys.stdout.write(f"{json.dumps(reply)}\n")
    sys.stdout.flush()


def note_pid() -> None:
    """Write our process's number where the test looks for it."""
    if "PIDS" in os.environ:
        with open(os.environ["PIDS"], "a", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\n")


def run(spoil: Spoil) -> None:
    """Answer every event; `spoil(questions, event, reply)` may do something else, when we are to discard."""
    note_pid()
    seat, questions = -1, 0
    for line in sys.stdin:
        event = json.loads(line)
        seat = event.get("id", seat)
        reply: Reply = {"type": "none"}
        if event["type"] == "tsumo" and event["actor"] == seat:
            reply = {"type": "dahai", "actor": seat, "pai": event["pai"], "tsumogiri": True}
            questions += 1
            spoil(questions, event, reply)
        say(reply)
