"""A live riichi game as mjai events, and what one seat may see of them.

`Narrator` follows a recorder and returns the events since the last call, all hands open. `masked` hides what a seat may
not see: the other players' dealt hands and drawn tiles become `?`. Events have the fields of both dialects, the
original one (https://mjai.app and the mjai server before it) and Mortal's: readers ignore unknown fields.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.core.tiles import NAMES
from janshi.records.ids import tiles_of_ids
from janshi.records.mjai.writer import end_of, event_of, header_of, result_of, start_of
from janshi.records.model import HandRecord, Kind
from janshi.records.recorder import Recorder
from janshi.rules.riichi.ruleset import STICK
from janshi.rules.riichi.state import PLAYERS

Message = dict[str, Any]
UNKNOWN: Final = "?"
NOTHING: Final[Message] = {"type": "none"}


class Narrator:
    """Turns what a recorder records into events."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.names = [NAMES[tile] for tile in tiles_of_ids(recorder.table.rules.red_fives)]
        self._hand = self._event = 0
        self._began = self._ended = False
        self._scores: list[int] = []

    def news(self) -> list[Message]:
        """All events since the last call; the first are the start of the game and of its first hand."""
        events: list[Message] = []
        if not self._began:
            events.append(header_of(self.recorder.record()))
            self._began = True
        while self._hand < len(self.recorder.hands):
            hand = self.recorder.hands[self._hand]
            events += self._news_of(hand)
            if not hand.wins and hand.draw is None:
                break
            events += self._result(hand)
            self._hand, self._event = self._hand + 1, 0
        if self.recorder.table.over and not self._ended:
            events.append(end_of(self.recorder.record()))
            self._ended = True
        return events

    def _news_of(self, hand: HandRecord) -> list[Message]:
        events: list[Message] = []
        if self._event == 0:
            events.append(start_of(hand, self.names))
            self._scores = list(hand.scores)
        for event in hand.events[self._event :]:
            message = event_of(event, self.names)
            if event.kind == Kind.RIICHI_PAID:
                message |= self._paid([-STICK if player == event.player else 0 for player in range(PLAYERS)])
            events.append(message)
        self._event = len(hand.events)
        return events

    def _paid(self, changes: list[int]) -> Message:
        """Changes and the scores after them, as in the original dialect."""
        self._scores = [score + change for score, change in zip(self._scores, changes)]
        return {"deltas": changes, "scores": list(self._scores)}

    def _result(self, hand: HandRecord) -> list[Message]:
        events = result_of(hand, self.names)
        for event in events:
            event |= self._paid(event["deltas"])
        for event, win in zip(events, hand.wins):
            event["uradora_markers"] = event["ura_markers"]
            event["hora_tehais"] = [self.names[tile] for tile in win.hand if tile != win.tile]
        if hand.draw is not None:
            shown = hand.draw.shown
            events[0]["tehais"] = [self._shown(shown.get(player)) for player in range(PLAYERS)]
        return [*events, {"type": "end_kyoku"}]

    def _shown(self, hand: tuple[int, ...] | None) -> list[str]:
        """A hand as everybody sees it at a draw; one that is not shown is empty."""
        return [] if hand is None else [self.names[tile] for tile in hand]


def masked(event: Message, seat: int) -> Message:
    """An event as one seat sees it."""
    kind = event.get("type")
    if kind == "start_game":
        return {"type": kind, "id": seat, **{key: value for key, value in event.items() if key not in ("type", "id")}}
    if kind == "start_kyoku":
        hands = [hand if player == seat else [UNKNOWN] * len(hand) for player, hand in enumerate(event["tehais"])]
        return event | {"tehais": hands}
    if kind == "tsumo" and event["actor"] != seat:
        return event | {"pai": UNKNOWN}
    return event
