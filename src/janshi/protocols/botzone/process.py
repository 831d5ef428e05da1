"""Bots written for Botzone, as subprocesses at our tables.

On Botzone every seat answers every request, mostly with PASS; our tables ask only players who have a choice. So a bot
is asked about everything that happened before its own question, and must pass there.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from janshi.protocols.bot import FATAL_KINDS, Bot, BotFault, substitute
from janshi.protocols.botzone.io import FORMS, MARK, History, Output, OutputError, read_output
from janshi.protocols.botzone.lines import PASS, Narration, Reply, ReplyError, is_allowed, parse_reply, reply_text
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

    It can sit at the judge's table (`judge.play_hand`); its faults are then raised there.
    """

    def __init__(
        self, command: Sequence[str], *, io: str = "json", keep_running: bool = True, seconds: float = SECONDS
    ) -> None:
        if io not in FORMS:
            raise ValueError(f"io is {' or '.join(FORMS)}, not {io!r}")
        self.command, self.io, self.keep_running, self.seconds = list(command), io, keep_running, seconds
        self.history = History()
        self._child: Child | None = None

    def begin(self) -> None:
        """A game starts: nothing is left of the last but the data the bot saved for all its games."""
        self.stop()
        self.history = History(globaldata=self.history.globaldata)

    def answer(self, request: str) -> str:
        """The bot's answer to its next request; raises `BotFault`."""
        self.history.requests.append(request)
        response = self.exchange().response
        self.history.responses.append(response)
        return response

    def exchange(self) -> Output:
        """Hand the bot its input for the last request and read what it writes; raises `BotFault`."""
        try:
            output = read_output(self.io, self._talk())
        except ChildError as wrong:
            self.stop()
            raise BotFault(wrong.kind, wrong.message) from wrong
        except OutputError as wrong:
            raise BotFault("nonsense", str(wrong)) from wrong
        self.history.save(output)
        return output

    def _talk(self) -> list[str]:
        fresh = self._child is None or not self._child.running
        if fresh:
            self.stop()
            self._child = Child(self.command)
        child = self._child
        assert child is not None
        deadline = time.monotonic() + self.seconds * (FIRST_TURN if fresh else 1)
        whole = self.history.whole_input(self.io, saved=not self.keep_running)
        self._send(child, whole if fresh else self.history.next_input(self.io), deadline)
        if not self.keep_running:
            child.end_input()
        return self._listen(child, deadline)

    @staticmethod
    def _send(child: Child, text: str, deadline: float) -> None:
        """Hand over the input. A bot may answer and end without reading it, so that is no fault yet."""
        try:
            child.send(text.encode(), deadline)
        except ChildError as wrong:
            if wrong.kind != "crash":
                raise

    def _listen(self, child: Child, deadline: float) -> list[str]:
        """The lines of an answer: up to the mark, or to the end of a bot that does not ask to be kept."""
        lines: list[str] = []
        size = 0
        while (line := child.read_line(deadline)) is not None:
            if line.strip() == MARK:
                if not self.keep_running:
                    self.stop()
                return lines
            lines.append(line)
            size += len(line) + 1
            if size > child.most_waiting:
                raise ChildError("flood", f"it wrote more than {child.most_waiting} bytes in one turn")
        status = child.exit_status(time.monotonic() + EXIT_SECONDS)
        if status or not any(line.strip() for line in lines):
            raise child.death()
        self.stop()
        return lines

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._child is not None:
            self._child.kill()
            self._child = None


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
        io: str = "json",
        keep_running: bool = True,
        seconds: float = SECONDS,
        label: str = "",
    ) -> None:
        self.process = BotzoneProcess(command, io=io, keep_running=keep_running, seconds=seconds)
        self.seconds = seconds
        self.label = label or f"botzone:{' '.join(command)}"
        self._game: _Game | None = None

    # --- the contract

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

    def end(self, table: Any) -> None:
        """The game is over."""
        self.close()

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
        waiting = [turn[game.seat] for turn in game.narration.turns[len(history.requests) :]]
        if not waiting:
            raise ValueError(f"{self.label} is asked, but got no event that it could answer")
        fault: BotFault | None = None
        for request in waiting[:-1]:
            history.requests.append(request)
            try:
                response = self.process.exchange().response
                if response.split() != [PASS]:
                    fault = fault or BotFault("illegal", f"{response[:80]!r} to {request!r}, where it can only pass")
            except BotFault as wrong:
                if wrong.kind in FATAL_KINDS:
                    raise
                fault = fault or wrong
            history.answered(PASS)
        history.requests.append(waiting[-1])
        response = self.process.exchange().response
        if fault is not None:
            raise fault
        reply = _read(response, table, game.seat)
        history.answered(response)
        return reply


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


def _read(response: str, table: Table, seat: int) -> Reply:
    """The bot's answer as one of our actions; raises `BotFault`."""
    tile = table.last_tile if table.last_tile is not None and table.state["phase"] != TURN else NONE
    try:
        reply = parse_reply(response, tile)
    except ReplyError as wrong:
        raise BotFault("nonsense", str(wrong)) from wrong
    if not is_allowed(table, seat, reply):
        names = ", ".join(table.legal_names(seat))
        with_tile = " with the tile it would play" if act.CHI <= reply.action < act.KONG else ""
        raise BotFault("illegal", f"{response[:80]!r} is not allowed{with_tile}; legal are: {names}")
    return reply
