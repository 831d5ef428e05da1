"""The simplified game for the page: its 34 actions, kongs of three tiles, and the fan of a win."""

from __future__ import annotations

from typing import Any, Final

from janshi.rules.game import Game
from janshi.rules.simplified import actions as act
from janshi.rules.simplified.distance import KIND_NAMES
from janshi.rules.simplified.state import AFTER_DRAW
from janshi.rules.simplified.tiles import COPIES
from janshi.web import outcome
from janshi.web.choices import win_or_pass
from janshi.web.families import Read, Traits, WebFamily
from janshi.web.outcome import EXHAUSTIVE, RON, TSUMO
from janshi.web.reader import PositionReader
from janshi.web.tiles import CHI, CONCEALED_KAN, PON


class SimplifiedReader(PositionReader):
    """Reads a position of the simplified game."""

    def drew(self) -> bool:
        """Whether the actor holds a tile that was just drawn: a kong draws none, and may use up the one that was."""
        return super().drew() and int(self.table.state["moment"]) == AFTER_DRAW


def read_action(game: Game, view: Any, action: int) -> Read:
    """An action of the player of a view."""
    if action < act.KONG:
        return "discard", action, [action], None
    if action < act.CHI:
        return "kan", action - act.KONG, [action - act.KONG] * COPIES, CONCEALED_KAN
    called = int(view["tile"])
    if action < act.PONG:
        low = called - (action - act.CHI)
        return CHI, called, [k for k in range(low, low + 3) if k != called], None
    if action == act.PONG:
        return PON, called, [called] * 2, None
    return win_or_pass(view, action == act.HU)


def describe_result(table: Any) -> dict[str, Any]:
    """How the game, which is one hand, ended."""
    shown, result, rules = outcome.describe_result(table), table.result, table.rules
    for winner in shown["winners"]:
        worth = dict(zip(KIND_NAMES, (rules.honour_pung, rules.straight, rules.flush, rules.all_pungs)))
        fans = [{"name": name, "points": worth[name], "count": 1} for name in result.hands]
        if result.kongs:
            fans.append({"name": "kong", "points": rules.kong * result.kongs, "count": result.kongs})
        winner |= {"fan": fans, "total": result.fan}
    return shown


FAMILY: Final = WebFamily(
    traits=Traits(yardstick="search"),
    melds=("none", CHI, PON, CONCEALED_KAN),
    kan_size=COPIES,
    reader=SimplifiedReader,
    read_action=read_action,
    describe_result=describe_result,
    results={"self-draw": TSUMO, "win on a discard": RON, "draw": EXHAUSTIVE},
    warmed=("strategist", "search", "rvr"),
)
