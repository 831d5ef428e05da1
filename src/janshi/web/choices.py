"""Legal actions as JSON: the kind of action, the tile it concerns, and the player's tiles it uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from janshi.rules.game import Game
from janshi.web.families import WEB_LAYER, Read
from janshi.web.tiles import NONE, tile_text

Choice = dict[str, Any]
WINS: Final = ("win", "hu", "tsumo", "ron")
"""Names of actions that win."""
KINDS: Final = {"chi": "chi", "pon": "pon", "pong": "pon", "peng": "pon", "kan": "kan", "kong": "kan"}
"""Kinds of actions by the first word of their names."""
OTHER: Final = "other"
"""An action that the page knows by its name only."""


def choices(table: Any, seat: int) -> list[Choice]:
    """All legal choices of an asked player, in the order of actions."""
    view = table.view(seat)
    return [choice_of_view(table.game, view, action) for action in table.legal_actions(seat)]


def choice(table: Any, seat: int, action: int) -> Choice:
    """One action of a player."""
    return choice_of_view(table.game, table.view(seat), action)


def choice_of_view(game: Game, view: Any, action: int) -> Choice:
    """An action as the player of a view has it."""
    kind, tile, tiles, kan = (WEB_LAYER.of(game.family).read_action or read_by_name)(game, view, action)
    texts = game.tile_texts
    text = None if tile == NONE else tile_text(texts, tile)
    described: Choice = {"action": action, "kind": kind, "tile": text, "tiles": [tile_text(texts, t) for t in tiles]}
    if kan is not None:
        described["kan"] = kan
    described["name"] = f"tsumogiri {text}" if kind == "tsumogiri" and text else game.action_names[action]
    return described


def twin_key(described: Mapping[str, Any]) -> tuple[Any, ...]:
    """Agents do not distinguish choices with the same key: discards of a kind, calls of a shape."""
    kind, tile = described["kind"], described.get("tile")
    if kind in ("discard", "tsumogiri"):
        return ("discard", plain(tile or ""))
    if kind in ("chi", "pon"):
        return (kind, tuple(sorted(plain(own) for own in described.get("tiles") or ())))
    return (kind, described["action"])


def plain(tile: str) -> str:
    """A tile's kind: a red five is a five."""
    return tile.replace("0", "5")


def read_by_name(game: Game, view: Any, action: int) -> Read:
    """An action of any game: a discard, a pass, or what the first word of its name says."""
    if action < game.discards:
        return "discard", action, [action], None
    word = game.action_names[action].split()[0]
    if word in WINS or action == game.num_actions - 1:
        return win_or_pass(view, word in WINS)
    return KINDS.get(word, OTHER), NONE, [], None


def win_or_pass(view: Any, wins: bool) -> Read:
    """A win is a tsumo if the player is on turn (seat 0 of the view) with a drawn tile, else a ron."""
    if not wins:
        return "pass", NONE, [], None
    drawn = int(view["drawn"])
    return ("tsumo", drawn, [], None) if drawn != NONE else ("ron", int(view["tile"]), [], None)
