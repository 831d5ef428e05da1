"""Bots written for Botzone, as subprocesses at our tables.

On Botzone, every seat answers every request, mostly with PASS; our tables ask only players who have a choice. So
before its own question, a bot gets a request for everything that has happened, and must pass there.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from janshi.protocols.bot import FATAL_KINDS, Bot, BotFault, substitute
from janshi.protocols.botzone.form import AUTO, Form, Heard, check_form, find_form
from janshi.protocols.botzone.io import MARK, History, Output, OutputError, read_output
from janshi.protocols.botzone.lines import (
    PASS,
    Narration,
    Reply,
    ReplyError,
    hand_after_call,
    is_allowed,
    parse_reply,
    reply_text,
)
from janshi.protocols.botzone.mistakes import illegal_answer, legal_answers, wrong_discard
from janshi.protocols.confinement import PLAIN, Confinement
from janshi.protocols.process import Child, ChildError
from janshi.records.botzone.model import Act, Event
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.state import NONE, TURN
from janshi.rules.guobiao.table import Table

SECONDS: Final = 6.0
"""Botzone's time limit for a Python bot per turn."""
FIRST_TURN: Final = 2
"""Multiplier on the time limit for the first answer of a process."""
EXIT_SECONDS: Final = 1.0
"""How long a bot that has answered may take to exit."""


def event_dicts(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Events of a `records.botzone.replay.Recorder` as bots get them."""
    return [event._asdict() for event in events]


class BotzoneProcess:
    """A bot behind a command that answers request lines, restarted for every turn or kept running as it asks.

    `io` and `keep_running` set how it communicates; by default this is detected (`form.py`). It can play at the
    judge's table (`judge.play_hand`), which then raises its faults.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        io: str = AUTO,
        keep_running: bool | None = None,
        seconds: float = SECONDS,
        confinement: Confinement = PLAIN,
    ) -> None:
        check_form(io)
        self.command, self.io, self.keep_running, self.seconds = list(command), io, keep_running, seconds
        self.confinement = confinement
        self.form = Form(io, keep_running) if io != AUTO and keep_running is not None else None
        """How the bot talks, once that is known."""
        self.history = History()
        self._child: Child | None = None

    def begin(self) -> None:
        """A game starts: nothing is left of the last but the data the bot saved for all its games."""
        self.stop()
        self.history = History(globaldata=self.history.globaldata)

    def start(self) -> Child:
        """Start the program; raises `ChildError`."""
        return Child(self.command, confinement=self.confinement)

    def answer(self, request: str) -> str:
        """The bot's answer to its next request; raises `BotFault`."""
        self.history.requests.append(request)
        response = self.exchange().response
        self.history.responses.append(response)
        return response

    def exchange(self) -> Output:
        """Hand the bot its input for the last request and read what it writes; raises `BotFault`."""
        self.form = self.form or _FOUND.get(self._key)
        try:
            output = self._first_exchange() if self.form is None else self._exchange(self.form)
        except BotFault as fault:
            raise self._described(fault) from fault
        self.history.save(output)
        return output

    # --- turns

    def _first_exchange(self) -> Output:
        """Detect how the bot communicates from its answer."""
        self.form, output = find_form(self._trial, self.io, self.keep_running)
        _FOUND[self._key] = self.form
        return output

    def _trial(self, form: Form) -> Heard:
        self.stop()
        return self._turn(form)

    def _exchange(self, form: Form) -> Output:
        heard = self._turn(form)
        if heard.marked and not form.keep_running and self.keep_running is None:
            self.form = form._replace(keep_running=True)
        try:
            return read_output(form.io, heard.lines)
        except OutputError as wrong:
            raise BotFault("nonsense", str(wrong)) from wrong

    def _turn(self, form: Form) -> Heard:
        """Run one turn; raises `BotFault`."""
        try:
            return self._talk(form)
        except ChildError as wrong:
            self.stop()
            raise BotFault(wrong.kind, wrong.message) from wrong

    def _talk(self, form: Form) -> Heard:
        fresh = self._child is None or not self._child.running
        if fresh:
            self.stop()
            self._child = self.start()
        child = self._child
        assert child is not None
        deadline = time.monotonic() + self.seconds * (FIRST_TURN if fresh else 1)
        whole = self.history.whole_input(form.io, saved=not form.keep_running)
        self._send(child, whole if fresh else self.history.next_input(form.io), deadline)
        if not form.keep_running:
            child.end_input()
        heard = self._listen(child, deadline)
        if not (heard.marked and form.keep_running):
            self.stop()
        return heard

    @staticmethod
    def _send(child: Child, text: str, deadline: float) -> None:
        """Hand over the input. A bot may answer and end without reading it, so that is no fault yet."""
        try:
            child.send(text.encode(), deadline)
        except ChildError as wrong:
            if wrong.kind != "crash":
                raise

    @staticmethod
    def _listen(child: Child, deadline: float) -> Heard:
        """The lines of an answer: up to the mark, or to the end of a bot that does not ask to be kept."""
        lines: list[str] = []
        size = 0
        while (line := child.read_line(deadline)) is not None:
            if line.strip() == MARK:
                return Heard(lines, True)
            lines.append(line)
            size += len(line) + 1
            if size > child.most_waiting:
                raise ChildError("flood", f"it wrote more than {child.most_waiting} bytes in one turn")
        status = child.exit_status(time.monotonic() + EXIT_SECONDS)
        if status or not any(line.strip() for line in lines):
            raise child.death()
        return Heard(lines, False)

    # --- faults

    def _described(self, fault: BotFault) -> BotFault:
        """A fault with the bot's input; at the first request also with how the bot was run, which may be wrong."""
        message = f"{fault.message} (request {self.history.last})"
        if len(self.history.requests) == 1:
            _FOUND.pop(self._key, None)
            tried = f" (run as {self.form}; options io and keep_running change that)" if self.form else ""
            message += tried if fault.kind != "start" else ""
            self.form = self.form if self.io != AUTO and self.keep_running is not None else None
        return BotFault(fault.kind, message, self.history.input())

    @property
    def _key(self) -> tuple[object, ...]:
        return (*self.command, self.io, self.keep_running)

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._child is not None:
            self._child.kill()
            self._child = None


_FOUND: Final[dict[tuple[object, ...], Form]] = {}
"""Forms found so far, by the bot's command and options: a bot with several seats is tried once."""


class BotzoneProcessBot(Bot):
    """A bot behind a command at one of our tables.

    `seconds` is the time limit of an answer; the first of a process may take twice as long. After a fault that does not
    end the game for the bot, its history shows what was played instead.
    """

    family = "guobiao"

    def __init__(
        self,
        command: Sequence[str],
        *,
        io: str = AUTO,
        keep_running: bool | None = None,
        seconds: float = SECONDS,
        confinement: Confinement = PLAIN,
        label: str = "",
    ) -> None:
        self.process = BotzoneProcess(
            command, io=io, keep_running=keep_running, seconds=seconds, confinement=confinement
        )
        self.seconds = seconds
        self.label = label or f"botzone:{' '.join(command)}"
        self._game: _Game | None = None

    # --- the contract

    def check_start(self) -> None:
        """Raise `ValueError` if the bot's program cannot be started."""
        try:
            self.process.start().kill()
        except ChildError as wrong:
            raise ValueError(f"player {self.label!r}: {wrong.message}") from wrong

    def begin(self, table: Any, seat: int, names: Sequence[str]) -> None:
        """A game starts; every game has a new process."""
        self.process.begin()
        self._game = _Game(Narration.of(table), seat)

    def tell(self, events: list[dict[str, Any]]) -> None:
        """Take events as made by `event_dicts`. The bot gets them when it is asked."""
        self._now().narration.take_all(_event(event) for event in events)

    def ask(self, table: Any, seat: int) -> int:
        """The bot's action; raises `BotFault`."""
        game = self._now()
        if game.dead is not None:
            raise game.dead
        if table.state["phase"] == TURN and table.drawn is None and game.discard != NONE:
            discard, game.discard = game.discard, NONE
            return discard
        try:
            reply = self._catch_up(game, table)
        except BotFault as fault:
            if fault.kind in FATAL_KINDS:
                game.dead = fault
                self.process.stop()
            self.process.history.answered(reply_text(substitute(table, seat)))
            raise
        game.discard = reply.discard
        return reply.action

    def leave(self) -> None:
        """The substitute plays the rest of the game."""
        game = self._now()
        game.dead = game.dead or BotFault("illegal", "the substitute plays the rest of this game")
        self.process.stop()

    def end(self, table: Any) -> BotFault | None:
        """The game is over: the bot gets the requests after its last decision, as on Botzone, and must pass."""
        game = self._now()
        fault = None if game.dead is not None else self._hear_out(game)
        self.close()
        return fault

    def close(self) -> None:
        """Leave no process behind."""
        self._game = None
        self.process.stop()

    # --- turns

    def _now(self) -> _Game:
        if self._game is None:
            raise ValueError(f"{self.label}: no game has begun")
        return self._game

    def _catch_up(self, game: _Game, table: Table) -> Reply:
        """Let the bot answer all turns it has not seen; its answer to the last one is its action."""
        history = self.process.history
        *passed, last = self._waiting(game) or [""]
        if not last:
            raise ValueError(f"{self.label} is asked, but got no event that it could answer")
        fault = self._pass_all(passed, game)
        history.requests.append(last)
        response = self.process.exchange().response
        if fault is not None:
            raise fault
        reply = _read(response, table, game.seat, history)
        history.answered(response)
        return reply

    def _hear_out(self, game: _Game) -> BotFault | None:
        try:
            return self._pass_all(self._waiting(game), game)
        except BotFault as fault:
            return fault

    def _waiting(self, game: _Game) -> list[str]:
        """Requests that the bot has not seen."""
        return [turn[game.seat] for turn in game.narration.turns[len(self.process.history.requests) :]]

    def _pass_all(self, requests: Sequence[str], game: _Game) -> BotFault | None:
        """Give the bot requests where it can only pass: its first mistake, unless that is fatal, which is raised."""
        history, fault = self.process.history, None
        for request in requests:
            history.requests.append(request)
            try:
                response = self.process.exchange().response
                if response.split() != [PASS]:
                    fault = fault or illegal_answer(response, [PASS], game.narration.rules, history)
            except BotFault as wrong:
                if wrong.kind in FATAL_KINDS:
                    raise
                fault = fault or wrong
            history.answered(PASS)
        return fault


@dataclass
class _Game:
    """A game from one bot's seat."""

    narration: Narration
    seat: int
    discard: int = NONE
    """The tile played after the chi or peng just called."""
    dead: BotFault | None = None
    """The fault that ended the bot's game."""


def _event(data: dict[str, Any]) -> Event:
    return Event(data["player"], Act(data["act"]), data["tile"])


def _read(response: str, table: Table, seat: int, history: History) -> Reply:
    """The bot's answer as one of our actions; raises `BotFault`."""
    tile = table.last_tile if table.last_tile is not None and table.state["phase"] != TURN else NONE
    try:
        reply = parse_reply(response, tile)
    except ReplyError as wrong:
        raise BotFault("nonsense", f"{wrong}, to request {history.last}", history.input()) from wrong
    if is_allowed(table, seat, reply):
        return reply
    if act.CHI <= reply.action < act.KONG and table.is_legal(seat, reply.action):
        left = hand_after_call(table.hand(seat), reply.action, table.last_tile)
        raise wrong_discard(response, left, history)
    raise illegal_answer(response, legal_answers(table.legal_actions(seat)), table.rules, history)
