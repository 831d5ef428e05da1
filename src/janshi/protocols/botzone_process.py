"""Bots written for Botzone, as subprocesses at our tables.

On Botzone every seat answers every request, and mostly with PASS; our tables ask only who has a choice. So a bot is
asked about all that happened before its own question, and must pass there.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any, Final

from janshi.protocols.bot import FATAL_KINDS, Bot, BotFault, substitute
from janshi.protocols.botzone_io import FORMS, MARK, History, Output, OutputError, read_output
from janshi.protocols.botzone_lines import PASS, Narration, Reply, ReplyError, is_allowed, parse_reply, reply_text
from janshi.protocols.process import Child, ChildError
from janshi.records.botzone_model import Act, Event
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.state import NONE, TURN
from janshi.rules.guobiao.table import Table

SECONDS: Final = 6.0
"""What Botzone gives a Python bot for a turn."""
FIRST_TURN: Final = 2
"""So many times as long for the first answer of a process."""
EXIT_SECONDS: Final = 1.0
"""How long a bot that has answered may take to end."""


def event_dicts(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Events of a `botzone_replay.Recorder` as bots are told them."""
    return [event._asdict() for event in events]


class BotzoneProcessBot(Bot):
    """A bot behind a command, restarted for every turn or kept running as it asks.

    `seconds` is the time limit of an answer; the first of a process may take twice as long. After a fault that does not
    end the game for the bot, its history shows what was played in its place.
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
        if io not in FORMS:
            raise ValueError(f"io is {' or '.join(FORMS)}, not {io!r}")
        self.command, self.io, self.keep_running, self.seconds = list(command), io, keep_running, seconds
        self.label = label or f"botzone:{' '.join(self.command)}"
        self.globaldata: Any = None
        """What the bot saved for its next games."""
        self._child: Child | None = None
        self._game: _Game | None = None

    # --- the contract

    def begin(self, table: Any, seat: int, names: Sequence[str]) -> None:
        """A game starts; every game has a fresh process."""
        self._stop()
        self._game = _Game(table, seat, self.globaldata)

    def tell(self, events: list[dict[str, Any]]) -> None:
        """Take what happened: events as `event_dicts` makes them."""
        self._now().tell(events)

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
                self._stop()
            game.answered(reply_text(substitute(table, seat)))
            raise
        game.discard = reply.discard
        return reply.action

    def end(self, table: Any) -> None:
        """The game is over."""
        if self._game is not None:
            self.globaldata = self._game.history.globaldata
        self._game = None
        self._stop()

    def close(self) -> None:
        """Leave no process behind."""
        self._game = None
        self._stop()

    # --- turns

    def _now(self) -> _Game:
        if self._game is None:
            raise ValueError(f"{self.label}: no game has begun")
        return self._game

    def _catch_up(self, game: _Game, table: Table) -> Reply:
        """Let the bot answer all turns it has not seen; the last one's answer is its action."""
        fault: BotFault | None = None
        while game.behind > 1:
            game.next_turn()
            output = self._exchange(game)
            if output.response.split() != [PASS]:
                told = f"it said {output.response[:80]!r} to {game.history.requests[-1]!r}, where it can only pass"
                fault = fault or BotFault("illegal", told)
            game.answered(PASS, output)
        game.next_turn()
        output = self._exchange(game)
        reply = _read(output.response, table, game.seat)
        if fault is not None:
            raise fault
        game.answered(output.response, output)
        return reply

    def _exchange(self, game: _Game) -> Output:
        """One turn: hand the bot its input and read its answer."""
        try:
            lines = self._talk(game.history)
            return read_output(self.io, lines)
        except ChildError as wrong:
            self._stop()
            raise BotFault(wrong.kind, wrong.message) from wrong
        except OutputError as wrong:
            raise BotFault("nonsense", str(wrong)) from wrong

    def _talk(self, history: History) -> list[str]:
        fresh = self._child is None or not self._child.running
        if fresh:
            self._stop()
            self._child = Child(self.command)
        child = self._child
        assert child is not None
        deadline = time.monotonic() + self.seconds * (FIRST_TURN if fresh else 1)
        whole = history.whole_input(self.io, saved=not self.keep_running)
        try:
            child.send((whole if fresh else history.next_input(self.io)).encode(), deadline)
        except ChildError as wrong:
            if wrong.kind != "crash":
                raise
        if not self.keep_running:
            child.end_input()
        return self._listen(child, deadline)

    def _listen(self, child: Child, deadline: float) -> list[str]:
        """The lines of an answer: up to the mark, or to the end of a bot that does not ask to be kept."""
        lines: list[str] = []
        while (line := child.read_line(deadline)) is not None:
            if line.strip() == MARK:
                if not self.keep_running:
                    self._stop()
                return lines
            lines.append(line)
            if sum(map(len, lines)) > child.most_waiting:
                raise ChildError("flood", f"it wrote more than {child.most_waiting} bytes in one turn")
        status = child.exit_status(time.monotonic() + EXIT_SECONDS)
        if status or not any(line.strip() for line in lines):
            raise child.death()
        self._stop()
        return lines

    def _stop(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child = None


class _Game:
    """A game as one bot's seat has it."""

    def __init__(self, table: Table, seat: int, globaldata: Any) -> None:
        self.seat = seat
        self.narration = Narration.of(table)
        self.history = History(globaldata=globaldata)
        self.discard = NONE
        """What is played after the chi or peng just called."""
        self.dead: BotFault | None = None

    def tell(self, events: Iterable[dict[str, Any]]) -> None:
        self.narration.take_all(_event(event) for event in events)

    @property
    def behind(self) -> int:
        """Turns the bot has not seen."""
        return len(self.narration.turns) - len(self.history.requests)

    def next_turn(self) -> None:
        if self.behind < 1:
            raise ValueError(
                "the bot is asked, but nothing has happened that it could answer: tell it the events first"
            )
        self.history.requests.append(self.narration.turns[len(self.history.requests)][self.seat])

    def answered(self, response: str, output: Output | None = None) -> None:
        missing = len(self.history.requests) - len(self.history.responses)
        self.history.responses += [PASS] * (missing - 1) + [response] * (missing > 0)
        if output is not None:
            self.history.data = output.data if output.data is not None else self.history.data
            self.history.globaldata = output.globaldata if output.globaldata is not None else self.history.globaldata


def _event(told: dict[str, Any]) -> Event:
    return Event(told["player"], Act(told["act"]), told["tile"])


def _read(response: str, table: Table, seat: int) -> Reply:
    """The bot's answer as an action of ours; raises `BotFault`."""
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
