"""The events of the rules as messages of the page, each as a viewer may know it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from janshi.rules import events as ev
from janshi.rules.game import Game
from janshi.web.families import WEB_LAYER

Message = dict[str, Any]


def written(events: Sequence[ev.Event], game: Game, viewer: int | None, open_hands: bool = False) -> list[Message]:
    """What happened in a step, for the player at a seat or a spectator (None); with `open_hands` nothing is hidden."""
    if len(events) > 1 and isinstance(events[-1], ev.GameOver):
        events = events[:-1]  # the game was one hand, and its end shows that it is over
    seen = events if open_hands else [known for event in events if (known := event.seen_by(viewer)) is not None]
    return [write(event, game) for event in seen if (write := _writer(type(event))) is not None]


def _writer(kind: type[ev.Event]) -> Callable[[Any, Game], Message] | None:
    """The writer of a type of events, the family's or the common one; None for events that the page does not need."""
    return next((_WRITERS[base] for base in kind.__mro__ if base in _WRITERS), None)


def _draw(event: ev.Draw, game: Game) -> Message:
    message = {"type": "draw", "seat": event.seat}
    return message if event.tile == ev.HIDDEN else {**message, "tile": game.tile_texts[event.tile]}


def _discard(event: ev.Discard, game: Game) -> Message:
    tile = game.tile_texts[event.tile]
    return {"type": "discard", "seat": event.seat, "tile": tile, "tsumogiri": event.drawn, "riichi": event.riichi}


def _call(event: ev.Call, game: Game) -> Message:
    tile, own = game.tile_texts[event.tile], [game.tile_texts[tile] for tile in event.own]
    head = {"type": "call", "seat": event.seat, "from": event.source}
    return {**head, "kind": event.kind, "tile": tile, "tiles": own}


def _kan(event: ev.Kan, game: Game) -> Message:
    tile = None if event.tile == ev.HIDDEN else game.tile_texts[event.tile]
    return {"type": "kan", "seat": event.seat, "kind": event.kind, "tile": tile}


def _win(event: ev.Win, game: Game) -> Message:
    tile = game.tile_texts[event.tile]
    return {"type": "win", "seat": event.seat, "loser": event.loser, "tile": tile, "points": event.points}


def _scores(event: ev.Scores, game: Game) -> Message:
    kind = WEB_LAYER.of(game.family).results.get(event.kind, event.kind)
    return {"type": "end", "kind": kind, "changes": list(event.changes)}


_WRITERS: Final[dict[type[ev.Event], Callable[[Any, Game], Message]]] = {
    ev.Deal: lambda event, game: {"type": "hand", "seat": event.dealer},
    ev.Draw: _draw,
    ev.Discard: _discard,
    ev.Call: _call,
    ev.Kan: _kan,
    ev.Riichi: lambda event, game: {"type": "riichi", "seat": event.seat},
    ev.Indicator: lambda event, game: {"type": "dora", "tile": game.tile_texts[event.tile]},
    ev.Win: _win,
    ev.Scores: _scores,
    ev.GameOver: lambda event, game: {"type": "over"},
}
