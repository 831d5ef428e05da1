"""The events of the rules as messages of the page, each as a viewer may know it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from janshi.rules import events as ev
from janshi.web.families import Family
from janshi.web.outcome import KINDS

Message = dict[str, Any]


def written(events: Sequence[ev.Event], family: Family, viewer: int | None, open_hands: bool = False) -> list[Message]:
    """What happened in a step, for the player at a seat or a spectator (None); with `open_hands` nothing is hidden."""
    if len(events) > 1 and isinstance(events[-1], ev.GameOver):
        events = events[:-1]  # the game was one hand, whose end tells the page that it is over
    told = [event if open_hands else event.seen_by(viewer) for event in events]
    return [write(event, family) for event in told if (write := _writer(type(event))) is not None]


@cache
def _writer(kind: type[ev.Event | None]) -> Callable[[Any, Family], Message] | None:
    """What writes events of a type, its own or that of all families; None for what the page does not need."""
    return next((_WRITERS[base] for base in kind.__mro__ if base in _WRITERS), None)


def _draw(event: ev.Draw, family: Family) -> Message:
    message = {"type": "draw", "seat": event.seat}
    return message if event.tile == ev.HIDDEN else {**message, "tile": family.text(event.tile)}


def _discard(event: ev.Discard, family: Family) -> Message:
    tile = family.text(event.tile)
    return {"type": "discard", "seat": event.seat, "tile": tile, "tsumogiri": event.drawn, "riichi": event.riichi}


def _call(event: ev.Call, family: Family) -> Message:
    tile, own = family.text(event.tile), [family.text(tile) for tile in event.own]
    head = {"type": "call", "seat": event.seat, "from": event.source}
    return {**head, "kind": event.kind, "tile": tile, "tiles": own}


def _kan(event: ev.Kan, family: Family) -> Message:
    tile = None if event.tile == ev.HIDDEN else family.text(event.tile)
    return {"type": "kan", "seat": event.seat, "kind": event.kind, "tile": tile}


def _win(event: ev.Win, family: Family) -> Message:
    tile = family.text(event.tile)
    return {"type": "win", "seat": event.seat, "loser": event.loser, "tile": tile, "points": event.points}


def _scores(event: ev.Scores, family: Family) -> Message:
    return {"type": "end", "kind": KINDS.get(event.kind, event.kind), "changes": list(event.changes)}


_WRITERS: Final[dict[type[ev.Event], Callable[[Any, Family], Message]]] = {
    ev.Answer: lambda event, family: {"type": "answer", "seat": event.seat, "action": event.action},
    ev.Deal: lambda event, family: {"type": "hand", "seat": event.dealer},
    ev.Draw: _draw,
    ev.Discard: _discard,
    ev.Call: _call,
    ev.Kan: _kan,
    ev.Riichi: lambda event, family: {"type": "riichi", "seat": event.seat},
    ev.Indicator: lambda event, family: {"type": "dora", "tile": family.text(event.tile)},
    ev.Win: _win,
    ev.Scores: _scores,
    ev.GameOver: lambda event, family: {"type": "over"},
}
