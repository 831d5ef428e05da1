"""Explaining illegal answers in Botzone's terms: the request, the legal answers, and what a false win lacked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from janshi.protocols.bot import BotFault
from janshi.protocols.botzone.io import History
from janshi.protocols.botzone.tracker import RequestError, Tracker
from janshi.records.botzone.model import BOTZONE_NAMES, TILE_NAMES
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.result import count_fan
from janshi.rules.guobiao.ruleset import Ruleset
from janshi.rules.guobiao.state import KONG_REACTION, NONE, TURN

SHOWN: Final = 80
"""Characters shown of an answer."""


def legal_answers(actions: Sequence[int]) -> list[str]:
    """Actions as Botzone writes them; all tiles that can be played together, and `T` for the tile after a claim."""
    plays = [TILE_NAMES[action - act.PLAY] for action in actions if action < act.CHI]
    found = [f"PLAY {'/'.join(plays)}"] if plays else []
    for action in actions:
        if act.CHI <= action < act.PENG:
            found.append(f"CHI {TILE_NAMES[act.chi_first(action) + 1]} T")
        elif act.PENG <= action < act.KONG:
            found.append("PENG T")
        elif act.KONG <= action < act.CONCEALED_KONG:
            found.append("GANG")
        elif act.CONCEALED_KONG <= action < act.ADDED_KONG:
            found.append(f"GANG {TILE_NAMES[action - act.CONCEALED_KONG]}")
        elif act.ADDED_KONG <= action < act.HU:
            found.append(f"BUGANG {TILE_NAMES[action - act.ADDED_KONG]}")
        elif action in (act.HU, act.PASS):
            found.append("HU" if action == act.HU else "PASS")
    return list(dict.fromkeys(found))


def illegal_answer(response: str, legal: Sequence[str], rules: Ruleset, history: History) -> BotFault:
    """The fault of an answer that is not legal; `legal` are those that are."""
    why = f": {_why_no_win(rules, history)}" if response.split() == ["HU"] else ""
    message = f"{response[:SHOWN]!r} to request {history.last} is illegal{why}; legal: {', '.join(legal)}"
    return BotFault("illegal", message, history.input())


def wrong_discard(response: str, left: Sequence[int], history: History) -> BotFault:
    """The fault of a claim with a tile to play that the bot would not hold; `left` are those it would."""
    tiles = "/".join(dict.fromkeys(TILE_NAMES[tile] for tile in left))
    message = f"{response[:SHOWN]!r} to request {history.last} is illegal: after the claim it could play {tiles}"
    return BotFault("illegal", message, history.input())


def _why_no_win(rules: Ruleset, history: History) -> str:
    """Why the bot cannot win at the last request, from its own requests."""
    tracker = Tracker(rules)
    try:
        for number, request in enumerate(history.requests):
            tracker.hear(request)
            if number < len(history.requests) - 1:
                tracker.said(history.responses[number])
    except (RequestError, ValueError):
        return "it cannot win now"
    state, seat = tracker.state, tracker.seat
    on_turn = state["phase"] == TURN
    tile = int(state["drawn"] if on_turn else state["tile"])
    if tile == NONE or on_turn != (state["actor"] == seat):
        return "there is no tile to win with"
    if not int(state["waits"][seat]) >> tile & 1:
        return f"the hand is not complete with {TILE_NAMES[tile]}"
    fan, _, found = count_fan(tracker._states, seat, bool(state["phase"] == KONG_REACTION))
    names = ", ".join(f"{BOTZONE_NAMES.get(f.chinese, f.chinese)} {f.value * count}" for f, count in found)
    return f"the hand has {fan} fan ({names}), {rules.minimum_fan} are needed"
