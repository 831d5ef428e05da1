"""The form in which a Botzone bot communicates, detected from its first answer.

On Botzone, the author sets the form of input and output, and the bot itself asks to be kept running. Here nobody sets
it, so the first request is a trial: the bot gets it in the simple form and its input is closed, which a bot that reads
to the end of its input needs. If it fails or answers in the other form, it is restarted with JSON. If it asks to be
kept running, it is restarted with its input open, so it never sees more than Botzone would send it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from janshi.protocols.bot import BotFault
from janshi.protocols.botzone.io import FORMS, Output, OutputError, read_output
from janshi.protocols.botzone.lines import ReplyError, parse_reply

AUTO: Final = "auto"
FIRST_TRIED: Final = ("simple", "json")
"""In this order: a program that expects JSON fails at once on the simple form, but the reverse may hang."""
NAMES: Final = {"simple": "simple text", "json": "JSON"}
_TELLING: Final = ("nonsense", "flood", "timeout", "crash")
"""Kinds of faults, the most informative first."""


class Form(NamedTuple):
    """How a bot is run."""

    io: str
    keep_running: bool

    def __str__(self) -> str:
        return f"{NAMES[self.io]}, {'kept running' if self.keep_running else 'restarted every turn'}"


class Heard(NamedTuple):
    """What a bot wrote in one turn."""

    lines: list[str]
    marked: bool
    """Whether it asked to be kept running."""


Talk = Callable[[Form], Heard]
"""Runs the bot's turn in a form; raises `BotFault`."""


def check_form(io: str) -> None:
    """Raise `ValueError` for a form that does not exist."""
    if io not in (AUTO, *FORMS):
        raise ValueError(f"io is {AUTO}, {' or '.join(FORMS)}, not {io!r}")


def find_form(talk: Talk, io: str, keep_running: bool | None) -> tuple[Form, Output]:
    """The form of a bot and its answer to the first request, found by trying; raises `BotFault` with what was tried."""
    failed: list[tuple[Form, BotFault]] = []
    for form in _candidates(io, keep_running):
        try:
            heard = talk(form)
            output = _usable(form.io, heard.lines) if io == AUTO else _read(form.io, heard.lines)
        except BotFault as wrong:
            if wrong.kind == "start":
                raise
            failed.append((form, wrong))
            continue
        if heard.marked and keep_running is None:
            form = form._replace(keep_running=True)
            return form, _read(form.io, talk(form).lines)
        return form, output
    raise _failure(failed)


def _candidates(io: str, keep_running: bool | None) -> Iterator[Form]:
    for tried in FIRST_TRIED if io == AUTO else (io,):
        yield Form(tried, bool(keep_running))


def _usable(io: str, lines: Sequence[str]) -> Output:
    """An answer that is one of the protocol in this form; raises `BotFault`."""
    output = _read(io, lines)
    try:
        parse_reply(output.response)
    except ReplyError as wrong:
        raise BotFault("nonsense", str(wrong)) from wrong
    return output


def _read(io: str, lines: Sequence[str]) -> Output:
    try:
        return read_output(io, lines)
    except OutputError as wrong:
        raise BotFault("nonsense", str(wrong)) from wrong


def _failure(failed: Sequence[tuple[Form, BotFault]]) -> BotFault:
    tried = "; ".join(f"as {form}: {fault.message}" for form, fault in failed)
    kinds = [fault.kind for _, fault in failed]
    kind = next(kind for kind in (*_TELLING, *kinds) if kind in kinds)
    return BotFault(kind, f"no usable answer to its first request. Tried {tried}")
