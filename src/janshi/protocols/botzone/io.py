"""Botzone's two forms of input and output, from the platform's side and from the bot's.

*JSON*: a bot gets one line, `{"requests": [...], "responses": [...], "data": ..., "globaldata": ...}`, and writes
one, `{"response": ..., "debug": ..., "data": ..., "globaldata": ...}`. *Simple*: it gets the number of turns, then
requests and its responses alternately, one per line, then data and globaldata; it writes the response, then debug, data
and globaldata, one per line, all but the first optional.

A bot is started every turn with the whole history. If it ends its answer with the line `MARK`, it is kept running and
next time gets only the new request (in JSON form as a JSON string).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol, TextIO

MARK: Final = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
FORMS: Final = ("json", "simple")


class OutputError(ValueError):
    """The output of a bot does not have its form."""


class InputError(ValueError):
    """The input of a bot does not have its form."""


# --- the platform's side


class Output(NamedTuple):
    """What a bot wrote in one turn."""

    response: str
    data: Any = None
    globaldata: Any = None
    debug: Any = None


@dataclass
class History:
    """The game so far, from one seat."""

    requests: list[str] = field(default_factory=list)
    responses: list[str] = field(default_factory=list)
    data: Any = None
    globaldata: Any = None

    def answered(self, response: str) -> None:
        """Note the answer to the last request, or what was played instead."""
        self.responses += [response] * (len(self.requests) - len(self.responses))

    @property
    def last(self) -> str:
        """The last request with its number, counted from 1."""
        return f"{len(self.requests)}, {self.requests[-1]!r}"

    def input(self) -> dict[str, Any]:
        """All requests and the answers to those before the last, to run the bot again."""
        number = len(self.requests)
        return {"request": number, "requests": list(self.requests), "responses": self.responses[: number - 1]}

    def save(self, output: Output) -> None:
        """Keep the data that a bot wants back."""
        self.data = output.data if output.data is not None else self.data
        self.globaldata = output.globaldata if output.globaldata is not None else self.globaldata

    def whole_input(self, form: str, *, saved: bool = True) -> str:
        """The input of a bot that has just been started. `saved`: the simple form has lines for saved data."""
        if form == "json":
            given = {"requests": self.requests, "responses": self.responses}
            kept = {"data": self.data, "globaldata": self.globaldata}
            return json.dumps({**given, **{name: value for name, value in kept.items() if value is not None}}) + "\n"
        lines = [str(len(self.requests))]
        for i, request in enumerate(self.requests):
            lines += [request, *self.responses[i : i + 1]]
        if saved:
            lines += [self.data or "", self.globaldata or ""]
        return "\n".join(lines) + "\n"

    def next_input(self, form: str) -> str:
        """The input of a bot that has kept running."""
        return (json.dumps(self.requests[-1]) if form == "json" else self.requests[-1]) + "\n"


def read_output(form: str, lines: Sequence[str]) -> Output:
    """Read what a bot wrote before the mark or its exit; raises `OutputError`."""
    if form == "json":
        return _read_json(" ".join(lines))
    filled = [line.strip() for line in lines]
    while filled and not filled[0]:
        filled.pop(0)
    if not filled:
        raise OutputError("it wrote no answer")
    debug, data, *rest = [*filled[1:], "", ""]
    return Output(filled[0], data or None, "\n".join(rest).strip() or None, debug or None)


def _read_json(text: str) -> Output:
    if not text.strip():
        raise OutputError("it wrote no answer")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise OutputError(f"its answer is not JSON ({wrong}): {text[:200]!r}") from wrong
    if not isinstance(found, dict) or not isinstance(found.get("response"), str):
        raise OutputError(f'its answer is not an object with a text under "response": {text[:200]!r}')
    return Output(found["response"], found.get("data"), found.get("globaldata"), found.get("debug"))


# --- the bot's side


class Player(Protocol):
    """The player: see `player.AgentPlayer`."""

    def answer(self, request: str) -> str:
        """Take a request and answer it."""
        ...

    def restore(self, requests: Sequence[str], responses: Sequence[str]) -> None:
        """Take a whole game up to the last request."""
        ...


def serve(player: Player, source: TextIO, sink: TextIO, form: str = "json", *, keep_running: bool = False) -> None:
    """Answer as a bot: one turn, or with `keep_running` all turns until the input ends; raises `InputError`."""
    read = {"json": _whole_json, "simple": _whole_simple}[form]
    requests, responses = read(source)
    if not requests:
        raise InputError("there is no request in the input")
    player.restore(requests[:-1], responses)
    _write(player.answer(requests[-1]), sink, form, keep_running)
    while keep_running:
        line = source.readline()
        if not line:
            return
        if line.strip():
            _write(player.answer(_next_request(line, form)), sink, form, keep_running)


def _write(answer: str, sink: TextIO, form: str, keep_running: bool) -> None:
    print(json.dumps({"response": answer}) if form == "json" else answer, file=sink)
    if keep_running:
        print(MARK, file=sink)
    sink.flush()


def _whole_json(source: TextIO) -> tuple[list[str], list[str]]:
    line = source.readline()
    try:
        found = json.loads(line)
        return list(map(_text, found["requests"])), list(map(_text, found.get("responses", [])))
    except (ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise InputError(f"the input is not a JSON object with requests ({wrong!r}): {line[:80]!r}") from wrong


def _whole_simple(source: TextIO) -> tuple[list[str], list[str]]:
    first = source.readline().strip()
    if not first.isdigit():
        raise InputError(f"the input begins with {first[:80]!r}, expected the number of turns")
    lines = [source.readline().strip() for _ in range(2 * int(first) - 1)]
    return lines[::2], lines[1::2]


def _next_request(line: str, form: str) -> str:
    if form == "json" and line.lstrip().startswith('"'):
        return _text(json.loads(line))
    return line.strip()


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def run(make: Callable[[], Player], form: str, keep_running: bool) -> None:
    """Run a bot on standard input and output. What libraries print goes to standard error."""
    import os
    import sys

    with os.fdopen(os.dup(1), "w") as sink:
        os.dup2(2, 1)
        serve(make(), sys.stdin, sink, form, keep_running=keep_running)
