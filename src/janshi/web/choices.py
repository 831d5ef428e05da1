"""Legal actions as JSON: what kind of action it is, which tile it is about, which own tiles it uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from janshi.core.tiles import FIRST_RED, RANKS, kind_of
from janshi.rules.guobiao import actions as gb
from janshi.rules.riichi import actions as act
from janshi.rules.simplified import actions as small
from janshi.web.families import FIVES, NONE, Family, family_of

Choice = dict[str, Any]
Read = tuple[str, int, list[int], str | None]
"""Kind of the action, its tile, own tiles that are used, and the kind of kan."""
OPEN, CONCEALED, ADDED = "open_kan", "concealed_kan", "added_kan"


def choices(table: Any, seat: int) -> list[Choice]:
    """All that an asked player may do, in the order of actions."""
    view = table.view(seat)
    return [choice_of_view(table.game, view, action) for action in table.legal_actions(seat)]


def choice(table: Any, seat: int, action: int) -> Choice:
    """One action of a player."""
    return choice_of_view(table.game, table.view(seat), action)


def choice_of_view(game: Any, view: Any, action: int) -> Choice:
    """An action as the player of a view has it."""
    family = family_of(game)
    kind, tile, tiles, kan = _READERS[family.name](family, view, action)
    text = None if tile == NONE else family.text(tile)
    told: Choice = {"action": action, "kind": kind, "tile": text, "tiles": [family.text(t) for t in tiles]}
    if kan is not None:
        told["kan"] = kan
    told["name"] = f"tsumogiri {text}" if kind == "tsumogiri" and text else game.action_names[action]
    return told


def twin_key(told: Mapping[str, Any]) -> tuple[Any, ...]:
    """Choices with the same key are the same to the agents: discards of a kind, calls of a shape."""
    kind, tile = told["kind"], told.get("tile")
    if kind in ("discard", "tsumogiri"):
        return ("discard", plain(tile or ""))
    if kind in ("chi", "pon"):
        return (kind, tuple(sorted(plain(own) for own in told.get("tiles") or ())))
    return (kind, told["action"])


def plain(tile: str) -> str:
    """A tile's kind: a red five is a five."""
    return tile.replace("0", "5")


def _held(view: Any, kind: int, count: int) -> list[int]:
    """Tiles of a kind from a riichi hand: red five first."""
    reds = int(view["reds"])
    tiles = [kind] * count
    if kind in FIVES and reds >> FIVES.index(kind) & 1:
        tiles[0] = FIRST_RED + FIVES.index(kind)
    return tiles


def _riichi(family: Family, view: Any, action: int) -> Read:
    if action < act.TSUMOGIRI:
        return "discard", action, [action], None
    if action == act.TSUMOGIRI:
        drawn = int(view["drawn"])
        return "tsumogiri", drawn, [drawn], None
    if act.CHI <= action < act.OPEN_KAN or action == act.OPEN_KAN:
        return _riichi_call(view, action)
    if act.CONCEALED_KAN <= action < act.ADDED_KAN:
        kind = action - act.CONCEALED_KAN
        return "kan", kind, _held(view, kind, 4), CONCEALED
    if act.ADDED_KAN <= action < act.TSUMO:
        tiles = _held(view, action - act.ADDED_KAN, 1)
        return "kan", tiles[0], tiles, ADDED
    names = {act.RIICHI: "riichi", act.TSUMO: "tsumo", act.RON: "ron", act.NINE_TERMINALS: "nine_terminals"}
    tile = int(view["drawn"]) if action == act.TSUMO else int(view["tile"]) if action == act.RON else NONE
    return names.get(action, "pass"), tile, [], None


def _riichi_call(view: Any, action: int) -> Read:
    called = int(view["tile"])
    kind = kind_of(called)
    if action == act.OPEN_KAN:
        return "kan", called, _held(view, kind, 3), OPEN
    if action in (act.PON, act.PON_RED):
        own = [kind, kind] if action == act.PON else [FIRST_RED + kind // RANKS, kind]
        return "pon", called, own, None
    low = kind - (action - act.CHI) % 3
    own = [k for k in range(low, low + 3) if k != kind]
    if action >= act.CHI_RED:
        own = [FIRST_RED + FIVES.index(k) if k in FIVES else k for k in own]
    return "chi", called, own, None


def _guobiao(family: Family, view: Any, action: int) -> Read:
    if action < gb.CHI:
        return "discard", action, [action], None
    called = int(view["tile"])
    if action < gb.PENG:
        first = int(gb.chi_first(action))
        return "chi", called, [k for k in range(first, first + 3) if k != called], None
    if action < gb.KONG:
        return "pon", called, [called] * 2, None
    if action < gb.CONCEALED_KONG:
        return "kan", called, [called] * 3, OPEN
    if action < gb.ADDED_KONG:
        return "kan", action - gb.CONCEALED_KONG, [action - gb.CONCEALED_KONG] * 4, CONCEALED
    if action < gb.HU:
        return "kan", action - gb.ADDED_KONG, [action - gb.ADDED_KONG], ADDED
    return _win_or_pass(view, action == gb.HU)


def _simplified(family: Family, view: Any, action: int) -> Read:
    if action < small.KONG:
        return "discard", action, [action], None
    if action < small.CHI:
        return "kan", action - small.KONG, [action - small.KONG] * 3, CONCEALED
    called = int(view["tile"])
    if action < small.PONG:
        low = called - (action - small.CHI)
        return "chi", called, [k for k in range(low, low + 3) if k != called], None
    if action == small.PONG:
        return "pon", called, [called] * 2, None
    return _win_or_pass(view, action == small.HU)


def _win_or_pass(view: Any, wins: bool) -> Read:
    """A win is a tsumo if the player is on turn (seat 0 of the view) with a drawn tile, else a ron."""
    if not wins:
        return "pass", NONE, [], None
    drawn = int(view["drawn"])
    return ("tsumo", drawn, [], None) if drawn != NONE else ("ron", int(view["tile"]), [], None)


_READERS: Final[dict[str, Callable[[Family, Any, int], Read]]] = {
    "riichi": _riichi,
    "guobiao": _guobiao,
    "simplified": _simplified,
}
