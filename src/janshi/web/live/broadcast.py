"""Send the state of a game to everybody: to each outlook only what it may know, when it may know it."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Final

from janshi.rules.events import Event
from janshi.web.live.audience import Connection, Message, Outlook
from janshi.web.live.auto import auto_answer
from janshi.web.live.events import written
from janshi.web.position import position
from janshi.web.reader import REACTION, TURN

if TYPE_CHECKING:
    from janshi.web.live.game import LiveGame

HOLD: Final = 0.5
"""Maximum seconds before outlooks that are not asked see a discard that others can react to."""
MOST_CONNECTIONS: Final = 100
"""Maximum number of connections of one game."""


class Broadcast:
    """The audience of a game."""

    def __init__(self, game: LiveGame) -> None:
        self.game = game
        self.outlooks: dict[tuple[int | None, bool], Outlook] = {}
        self.touched = time.monotonic()
        """Time when somebody last joined, left or received something."""

    # --- connections

    @property
    def connections(self) -> int:
        """Number of connections."""
        return sum(len(outlook.connections) for outlook in self.outlooks.values())

    def outlook(self, viewer: int | None, open_hands: bool = False) -> Outlook:
        """The outlook of a viewer, made on first use."""
        key = (viewer, open_hands)
        if key not in self.outlooks:
            self.outlooks[key] = Outlook(*key)
        return self.outlooks[key]

    def join(self, connection: Connection, outlook: Outlook) -> bool:
        """Add a connection, if there is room."""
        if self.connections >= MOST_CONNECTIONS:
            return False
        self.touched = time.monotonic()
        self._refresh(outlook)
        outlook.welcome(connection)
        self.game.stir.set()
        return True

    def leave(self, connection: Connection) -> None:
        """Remove a connection."""
        self.touched = time.monotonic()
        for outlook in self.outlooks.values():
            outlook.connections.discard(connection)

    def dismiss(self) -> None:
        """Close all connections."""
        for outlook in self.outlooks.values():
            for connection in list(outlook.connections):
                connection.close()

    # --- sending

    async def state(self, outlook: Outlook) -> Message:
        """The state as last sent; waits until it may be sent."""
        self._refresh(outlook)
        while outlook.last is None:
            await asyncio.sleep(HOLD / 10)
            self._refresh(outlook)
        return {**outlook.last, "events": []}

    def _refresh(self, outlook: Outlook) -> None:
        """Update an unused outlook as soon as it may know the state."""
        if outlook.last is None and outlook.timer is None:
            if self._not_asked(outlook):
                self._hold(outlook)
            else:
                outlook.show(self.message(outlook))
        elif outlook.last is not None and outlook.viewer in self.game.asks:
            outlook.last = {**outlook.last, "ask": self._ask(outlook.viewer)}  # the clock has moved on

    def note(self, events: list[Event]) -> None:
        """Collect events until they are sent."""
        for outlook in self.outlooks.values():
            outlook.events += written(events, self.game.game, outlook.viewer, outlook.open_hands)

    def note_undo(self) -> None:
        """Drop events that were not sent yet, after moves were taken back."""
        for outlook in self.outlooks.values():
            outlook.events = [{"type": "undo"}]

    def update(self) -> None:
        """Send everybody the current state."""
        self.touched = time.monotonic()
        for outlook in self.outlooks.values():
            if not outlook.connections:
                outlook.forget()
            elif not self._not_asked(outlook):
                outlook.show(self.message(outlook))
            elif outlook.timer is None:
                self._hold(outlook)

    def update_all(self) -> None:
        """Send everybody the state again, because settings have changed."""
        for outlook in self.outlooks.values():
            if not self._not_asked(outlook):
                outlook.show(self.message(outlook))

    def update_one(self, seat: int) -> None:
        """Send the state to one player."""
        outlook = self.outlooks.get((seat, False))
        if outlook is not None:
            outlook.show(self.message(outlook))

    def acknowledge(self, seat: int, ask: int) -> None:
        """Acknowledge at once that an answer is stored; what follows may wait for others."""
        outlook = self.outlooks.get((seat, False))
        for connection in outlook.connections if outlook is not None else ():
            connection.say({"type": "accepted", "ask": ask})

    def _hold(self, outlook: Outlook) -> None:
        outlook.timer = asyncio.get_running_loop().call_later(HOLD, self._update_late, outlook)

    def _update_late(self, outlook: Outlook) -> None:
        outlook.timer = None
        outlook.show(self.message(outlook))

    def _not_asked(self, outlook: Outlook) -> bool:
        """Whether a viewer would learn something from the fact that others are being asked."""
        hidden = self.game.play.phase == REACTION and not outlook.open_hands
        return hidden and outlook.viewer not in self.game.asks

    # --- messages

    def message(self, outlook: Outlook) -> Message:
        """The state of the game as an outlook may know it."""
        game, play, viewer = self.game, self.game.play, outlook.viewer
        shown = position(play.table, viewer, open_hands=outlook.open_hands, names=game.names, agents=game.agents)
        on_turn = play.phase == TURN and play.table.actor not in game.people
        return {
            "type": "state",
            "id": game.row.id,
            "kind": game.row.kind,
            "position": shown,
            "ask": self._ask(viewer),
            "auto": game.auto.get(viewer) if viewer is not None else None,
            "clock": game.clock.as_json(viewer),
            "practice": game.row.setup["practice"],
            "can_undo": game.undo_step(viewer) is not None,
            "thinking": [play.table.actor] if on_turn else [],
            "next": {"wanted": game.waits_for_next, "ready": sorted(game.ready)} if game.people else None,
            "watch": None if game.people else {**game.pacing.as_json(), "open": outlook.open_hands},
            "over": play.over,
        }

    def _ask(self, viewer: int | None) -> dict[str, Any] | None:
        """The question put to a viewer, if it is open and no option answers it."""
        game = self.game
        ask = game.asks.get(viewer) if viewer is not None else None
        if ask is None or viewer is None or viewer in game.given:
            return None
        if auto_answer(ask.choices, game.auto[viewer]) is not None:
            return None
        return {"id": ask.id, "choices": ask.choices, "deadline": ask.left}
