"""Riichi actions as mjai messages, both ways, from the view of the player who is asked.

A riichi is one message (`reach`) and its discard another, like our second question. Messages of both dialects are
accepted: missing fields are filled in if only one action fits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from janshi.core.tiles import COPIES, FIRST_RED, NAMES, TileError, kind_of, red_of, tile_from_name
from janshi.protocols.mjai.events import NOTHING, Message
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import NONE, PLAYERS, TURN
from janshi.rules.riichi.win import PON

Read = Callable[[Message, Any], int]


class MessageError(ValueError):
    """A message that is not an mjai action (`nonsense`)."""


class IllegalMessage(ValueError):
    """An action that may not be taken now."""


# --- actions as messages


def message_of(action: int, view: Any) -> Message:
    """The mjai message of an action that the viewer takes."""
    seat = int(view["seat"])
    if action <= act.TSUMOGIRI:
        tile = int(view["drawn"]) if action == act.TSUMOGIRI else action
        return {"type": "dahai", "actor": seat, "pai": NAMES[tile], "tsumogiri": action == act.TSUMOGIRI}
    if action == act.RIICHI:
        return {"type": "reach", "actor": seat}
    if action <= act.OPEN_KAN:
        return _call(action, view, seat)
    if action < act.ADDED_KAN:
        return {"type": "ankan", "actor": seat, "consumed": _named(_held(view, action - act.CONCEALED_KAN))}
    if action < act.TSUMO:
        return _added_kan(action - act.ADDED_KAN, view, seat)
    if action in (act.TSUMO, act.RON):
        tile = view["drawn"] if action == act.TSUMO else view["tile"]
        return {"type": "hora", "actor": seat, "target": _actor(view), "pai": NAMES[int(tile)]}
    if action == act.NINE_TERMINALS:
        return {"type": "ryukyoku", "actor": seat, "reason": "kyushukyuhai"}
    return dict(NOTHING)


def _actor(view: Any) -> int:
    """The seat whose turn it is, or whose tile is reacted to."""
    return (int(view["actor"]) + int(view["seat"])) % PLAYERS


def _named(tiles: list[int]) -> list[str]:
    return [NAMES[tile] for tile in tiles]


def _held(view: Any, kind: int) -> list[int]:
    """All tiles of a kind in the viewer's hand, the red five first."""
    red, count = red_of(kind), int(view["hand"][kind])
    if red is not None and int(view["reds"]) >> (red - FIRST_RED) & 1:
        return [red, *[kind] * (count - 1)]
    return [kind] * count


def _one(view: Any, kind: int, red: bool) -> int:
    """A tile of a kind from the viewer's hand, the red five if wanted and held."""
    held = _held(view, kind)
    return held[0] if red else held[-1]


def _call(action: int, view: Any, seat: int) -> Message:
    called = int(view["tile"])
    kind = kind_of(called)
    if action == act.OPEN_KAN:
        name, tiles = "daiminkan", _held(view, kind)
    elif action >= act.PON:
        name, tiles = "pon", [_one(view, kind, action == act.PON_RED), _held(view, kind)[-1]]
    else:
        low = kind - (action - act.CHI) % 3
        name, tiles = "chi", [_one(view, k, action >= act.CHI_RED) for k in range(low, low + 3) if k != kind]
    return {"type": name, "actor": seat, "target": _actor(view), "pai": NAMES[called], "consumed": _named(tiles)}


def _added_kan(kind: int, view: Any, seat: int) -> Message:
    melds = zip(view["meld_type"][0], view["meld_kind"][0], view["meld_red"][0])
    red = next(bool(red) for meld, first, red in melds if meld == PON and first == kind)
    fives = red_of(kind)
    three = [fives if red and fives is not None else kind, kind, kind]
    tile = NAMES[_held(view, kind)[0]]
    return {"type": "kakan", "actor": seat, "pai": tile, "consumed": _named(three)}


# --- messages as actions


def action_of(message: object, view: Any) -> int:
    """The action that a message of the viewer means; raises `MessageError` or `IllegalMessage`."""
    if not isinstance(message, dict):
        raise MessageError(f"{_short(message)} is not a message: expected a JSON object with a type")
    kind = message.get("type")
    read = _READERS.get(kind) if isinstance(kind, str) else None
    if read is None:
        raise MessageError(f"{_short(message)} has no known type: expected one of {', '.join(_READERS)}")
    seat = int(view["seat"])
    if message.get("actor", seat) != seat and kind != "none":
        raise IllegalMessage(f"{_short(message)} is an action of player {message['actor']!r}, asked is {seat}")
    action = read(message, view)
    if not is_legal(view, action):
        may = ", ".join(act.action_name(a) for a in range(act.NUM_ACTIONS) if is_legal(view, a))
        raise IllegalMessage(
            f"{_short(message)} means {act.action_name(action)!r}, which is not legal; legal are: {may}"
        )
    return action


def is_legal(view: Any, action: int) -> bool:
    """Whether the viewer is asked and may take this action."""
    return bool(int(view["legal"][action // act.HALF]) >> action % act.HALF & 1)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"


def _tile(message: Message, key: str = "pai") -> int:
    return _as_tile(message.get(key), message)


def _as_tile(name: object, message: Message) -> int:
    if not isinstance(name, str):
        raise MessageError(f"{_short(message)} holds {_short(name)} where a tile such as 5mr was expected")
    try:
        return tile_from_name(name)
    except TileError as error:
        raise MessageError(f"{_short(message)}: {error}") from None


def _tiles(message: Message, count: int) -> list[int]:
    names = message.get("consumed")
    if not isinstance(names, list) or len(names) != count:
        raise MessageError(f"{_short(message)}: consumed is {_short(names)}, expected {count} tiles")
    return [_as_tile(name, message) for name in names]


def _read_discard(message: Message, view: Any) -> int:
    """A discard; if `tsumogiri` is missing or impossible, the tile decides."""
    tile = _tile(message)
    tsumogiri = message.get("tsumogiri")
    drawn = int(view["drawn"])
    if tsumogiri is True and tile != drawn:
        raise IllegalMessage(f"{_short(message)} is a tsumogiri of another tile than the one drawn")
    if tile == drawn and (tsumogiri is not False or not is_legal(view, tile)):
        return act.TSUMOGIRI
    return tile


def _check_call(message: Message, view: Any) -> int:
    """The called tile, which must be the one that was discarded."""
    called = int(view["tile"])
    if "pai" in message and _tile(message) != called:
        raise IllegalMessage(f"{_short(message)} calls another tile than the last one discarded")
    if "target" in message and message["target"] != _actor(view):
        raise IllegalMessage(f"{_short(message)} calls from another player than {_actor(view)}, who discarded")
    if view["phase"] == TURN or called == NONE:
        raise IllegalMessage(f"{_short(message)} calls where no tile was discarded")
    return called


def _read_chi(message: Message, view: Any) -> int:
    called, used = kind_of(_check_call(message, view)), _tiles(message, 2)
    kinds = sorted([called, *map(kind_of, used)])
    if [kind - kinds[0] for kind in kinds] != [0, 1, 2]:
        raise IllegalMessage(f"{_short(message)} is not a sequence")
    red = any(tile >= FIRST_RED for tile in used)
    return (act.CHI_RED if red else act.CHI) + kinds.index(called)


def _read_pon(message: Message, view: Any) -> int:
    called, used = kind_of(_check_call(message, view)), _tiles(message, 2)
    if any(kind_of(tile) != called for tile in used):
        raise IllegalMessage(f"{_short(message)} is not a triplet")
    return act.PON_RED if any(tile >= FIRST_RED for tile in used) else act.PON


def _read_open_kan(message: Message, view: Any) -> int:
    called = kind_of(_check_call(message, view))
    if "consumed" in message and any(kind_of(tile) != called for tile in _tiles(message, COPIES - 1)):
        raise IllegalMessage(f"{_short(message)} is not a kan of the tile discarded")
    return act.OPEN_KAN


def _read_concealed_kan(message: Message, view: Any) -> int:
    kinds = {kind_of(tile) for tile in _tiles(message, COPIES)}
    if len(kinds) != 1:
        raise IllegalMessage(f"{_short(message)} is not a kan")
    return act.CONCEALED_KAN + kinds.pop()


def _read_added_kan(message: Message, view: Any) -> int:
    return act.ADDED_KAN + kind_of(_tile(message))


def _read_win(message: Message, view: Any) -> int:
    return act.TSUMO if view["phase"] == TURN else act.RON


_READERS: Final[dict[str, Read]] = {
    "dahai": _read_discard,
    "chi": _read_chi,
    "pon": _read_pon,
    "daiminkan": _read_open_kan,
    "ankan": _read_concealed_kan,
    "kakan": _read_added_kan,
    "reach": lambda message, view: act.RIICHI,
    "hora": _read_win,
    "ryukyoku": lambda message, view: act.NINE_TERMINALS,
    "none": lambda message, view: act.PASS,
}
