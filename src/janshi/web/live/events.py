"""The events of the rules as messages of the page, each as a viewer may know it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from janshi.rules import events as ev
from janshi.web.outcome import KINDS

Message = dict[str, Any]
Texts = Sequence[str]
"""The text of each tile (`Game.tile_texts`)."""


def written(events: Sequence[ev.Event], texts: Texts, viewer: int | None, open_hands: bool = False) -> list[Message]:
    """What happened in a step, for the player at a seat or a spectator (None); with `open_hands` nothing is hidden."""
    if len(events) > 1 and isinstance(events[-1], ev.GameOver):
        events = events[:-1]  # the game was one hand, whose end tells the page that it is over
    seen = [event if open_hands else event.seen_by(viewer) for event in events]
    return [write(event, texts) for event in seen if event is not None and (write := _writer(type(event))) is not None]


@cache
def _writer(kind: type[ev.Event]) -> Callable[[Any, Texts], Message] | None:
    """What writes events of a type, its own or that of all families; None for what the page does not need."""
    return next((_WRITERS[base] for base in kind.__mro__ if base in _WRITERS), None)


def _draw(event: ev.Draw, texts: Texts) -> Message:
    message = {"type": "draw", "seat": event.seat}
    return message if event.tile == ev.HIDDEN else {**message, "tile": texts[event.tile]}


def _discard(event: ev.Discard, texts: Texts) -> Message:
    tile = texts[event.tile]
    return {"type": "discard", "seat": event.seat, "tile": tile, "tsumogiri": event.drawn, "riichi": event.riichi}


def _call(event: ev.Call, texts: Texts) -> Message:
    tile, own = texts[event.tile], [texts[tile] for tile in event.own]
    head = {"type": "call", "seat": event.seat, "from": event.source}
    return {**head, "kind": event.kind, "tile": tile, "tiles": own}


def _kan(event: ev.Kan, texts: Texts) -> Message:
    tile = None if event.tile == ev.HIDDEN else texts[event.tile]
    return {"type": "kan", "seat": event.seat, "kind": event.kind, "tile": tile}


def _win(event: ev.Win, texts: Texts) -> Message:
    tile = texts[event.tile]
    return {"type": "win", "seat": event.seat, "loser": event.loser, "tile": tile, "points": event.points}


def _scores(event: ev.Scores, texts: Texts) -> Message:
    return {"type": "end", "kind": KINDS.get(event.kind, event.kind), "changes": list(event.changes)}


_WRITERS: Final[dict[type[ev.Event], Callable[[Any, Texts], Message]]] = {
    ev.Deal: lambda event, texts: {"type": "hand", "seat": event.dealer},
    ev.Draw: _draw,
    ev.Discard: _discard,
    ev.Call: _call,
    ev.Kan: _kan,
    ev.Riichi: lambda event, texts: {"type": "riichi", "seat": event.seat},
    ev.Indicator: lambda event, texts: {"type": "dora", "tile": texts[event.tile]},
    ev.Win: _win,
    ev.Scores: _scores,
    ev.GameOver: lambda event, texts: {"type": "over"},
}
