"""A connection to a game: carries out what a browser or a bot says, and sends it what it may know."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from janshi.web.errors import Refused
from janshi.web.live.agents import adviser_of, check_label
from janshi.web.live.audience import Connection
from janshi.web.live.floor import HOST, Floor
from janshi.web.live.game import LiveError, LiveGame, spawn
from janshi.web.problems import Problem, problem, problem_of
from janshi.web.thought import thought

log = logging.getLogger("janshi.web")
NOT_FOUND: Final = 4404
REFUSED: Final = 4403
LOST: Final = 4408
"""Codes with which a socket is closed: no such game or seat, not allowed, too slow."""
READY_EVERY: Final = 1.0
"""Seconds between messages while Janshi gets ready."""
SLOWEST_PACE: Final = 60.0
MESSAGES_A_SECOND: Final = 100


class Socket:
    """One WebSocket from its opening to its end."""

    def __init__(self, socket: WebSocket, floor: Floor) -> None:
        self.socket, self.floor = socket, floor
        self.connection = Connection()
        self.game: LiveGame
        self.seat: int | None = None
        self.host = False

    async def run(self, id: str, key: str | None, owner: str | None) -> None:
        """Serve the connection."""
        await self.socket.accept()
        try:
            self.game = await self._find(id)
            place = self.floor.seat_of(self.game, key, owner)
            self.host = place == HOST
            self.seat = int(place) if place is not None and not self.host else None
            self._join()
        except (Refused, LiveError) as error:
            await self.socket.send_text(json.dumps({"type": "error", **error.problem.as_json()}))
            await self.socket.close(NOT_FOUND if isinstance(error, Refused) and error.status == 404 else REFUSED)
            return
        except (WebSocketDisconnect, RuntimeError):
            return
        sending = asyncio.create_task(self._send())
        try:
            await self._receive()
        finally:
            self.game.broadcast.leave(self.connection)
            self.connection.close()
            sending.cancel()

    def _join(self, open_hands: bool = False) -> None:
        broadcast = self.game.broadcast
        broadcast.leave(self.connection)
        if not broadcast.join(self.connection, broadcast.outlook(self.seat, open_hands)):
            raise LiveError("too_many_viewers")

    async def _find(self, id: str) -> LiveGame:
        """The game; while its rules or players are not ready, the browser gets a message that says so."""
        while True:
            finding = asyncio.ensure_future(self.floor.find(id))
            try:
                while True:
                    found, _ = await asyncio.wait([finding], timeout=READY_EVERY)
                    if found:
                        return finding.result()
                    if not self.floor.warmth.finished:
                        await self._say_waiting(self.floor.warmth.words())
            except Refused as error:
                if error.status != 503:
                    raise
                await self._say_waiting(error.problem)
                await asyncio.sleep(READY_EVERY)

    async def _say_waiting(self, what: Problem) -> None:
        await self.socket.send_text(json.dumps({"type": "waiting", **what.as_json()}))

    async def _send(self) -> None:
        try:
            while (text := await self.connection.outbox.get()) is not None:
                await self.socket.send_text(text)
            await self.socket.close(LOST)
        except (WebSocketDisconnect, RuntimeError):
            self.connection.lost = True

    async def _receive(self) -> None:
        loop = asyncio.get_running_loop()
        second, count = loop.time(), 0
        while True:
            try:
                text = await self.socket.receive_text()
            except (WebSocketDisconnect, RuntimeError, KeyError):
                return
            if loop.time() - second >= 1:
                second, count = loop.time(), 0
            count += 1
            if count > MESSAGES_A_SECOND:
                await asyncio.sleep(1)
            await self._hear(text)

    async def _hear(self, text: str) -> None:
        """Carry out a message, or say why not."""
        try:
            message = _read(text)
            await _HEARD[message["type"]](self, message)
        except (LiveError, Refused, ValueError) as error:
            self._refuse(problem_of(error, "message_refused"))
        except Exception:
            log.exception("a message could not be carried out")
            self._refuse(problem("message_failed"))

    def _refuse(self, what: Problem) -> None:
        self.connection.say({"type": "error", **what.as_json()})

    # --- what may be said

    def _my_seat(self) -> int:
        if self.seat is None:
            raise LiveError("players_only")
        return self.seat

    def _my_show(self) -> LiveGame:
        if not self.host:
            raise LiveError("host_only")
        return self.game

    async def _ping(self, _: dict[str, Any]) -> None:
        self.connection.say({"type": "pong"})

    async def _answer(self, message: dict[str, Any]) -> None:
        await self.game.answer(self._my_seat(), _integer(message, "ask"), _integer(message, "action"))

    async def _next(self, _: dict[str, Any]) -> None:
        self.game.next_hand(self._my_seat())

    async def _undo(self, _: dict[str, Any]) -> None:
        await self.game.undo(self._my_seat())

    async def _auto(self, message: dict[str, Any]) -> None:
        self.game.set_auto(self._my_seat(), {key: value for key, value in message.items() if key != "type"})

    async def _pace(self, message: dict[str, Any]) -> None:
        seconds = message.get("seconds")
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= SLOWEST_PACE:
            raise LiveError("pace_invalid", most=int(SLOWEST_PACE))
        self._my_show().set_pace(seconds=float(seconds))

    async def _pause(self, _: dict[str, Any]) -> None:
        self._my_show().set_pace(paused=True)

    async def _resume(self, _: dict[str, Any]) -> None:
        self._my_show().set_pace(paused=False)

    async def _step(self, _: dict[str, Any]) -> None:
        self._my_show().pacing.step()

    async def _open(self, message: dict[str, Any]) -> None:
        """Show or hide all hands: for viewers of agents, and for players when the game is over."""
        if not isinstance(message.get("open"), bool):
            raise LiveError("open_invalid")
        if message["open"] and not (self.host or (self.seat is not None and self.game.play.over)):
            raise LiveError("hands_closed")
        self._join(message["open"])

    async def _hint(self, message: dict[str, Any]) -> None:
        seat, family = self._my_seat(), self.game.play.game.family.name
        label = message.get("agent") or adviser_of(family)
        if not isinstance(label, str):
            raise LiveError("agent_invalid")
        if seat in self.game.hinting:
            raise LiveError("hint_running")
        check_label(label, family)
        ask, view = self.game.view_for_hint(seat)
        self.game.hinting.add(seat)
        spawn(self._think(seat, label, ask, view))

    async def _think(self, seat: int, label: str, ask: int, view: Any) -> None:
        game = self.game.game
        try:
            explanation = await self.floor.minds.explain(game, label, view)
            self.connection.say({"type": "hint", "ask": ask, "thought": thought(game, view, label, explanation)})
        except ValueError as error:
            self._refuse(problem_of(error, "agent_cannot_hint"))
        except Exception:
            self._refuse(problem("agent_failed", label=repr(label)))
            raise
        finally:
            self.game.hinting.discard(seat)


def _read(text: str) -> dict[str, Any]:
    """A message with a known type; `LiveError` for anything else."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise LiveError("message_not_json") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise LiveError("message_without_type")
    if message["type"] not in _HEARD:
        raise LiveError("message_unknown", name=repr(message["type"][:40]), names=", ".join(_HEARD))
    return message


def _integer(message: dict[str, Any], name: str) -> int:
    value = message.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise LiveError("integer_expected", name=name)
    return value


_HEARD: Final[dict[str, Callable[[Socket, dict[str, Any]], Awaitable[None]]]] = {
    "answer": Socket._answer,
    "next": Socket._next,
    "hint": Socket._hint,
    "undo": Socket._undo,
    "auto": Socket._auto,
    "ping": Socket._ping,
    "pace": Socket._pace,
    "pause": Socket._pause,
    "resume": Socket._resume,
    "step": Socket._step,
    "open": Socket._open,
}
