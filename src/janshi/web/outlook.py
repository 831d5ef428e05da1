"""The prospects of each discard of a closed hand: the chance of winning the hand, and points, by the `mdp` player.

The hand is put on a table as the dealer's first turn of East 1, with a dora that it does not hold and nothing else
seen, so that hands can be compared. The opponents are the average players of the models.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from fastapi import APIRouter, Request
from pydantic import BaseModel

from janshi.agents.base import Agent
from janshi.agents.explain import Explains
from janshi.agents.registry import make_agent
from janshi.core.coded_error import CodedError
from janshi.core.hand import WAITING_SIZE
from janshi.core.tiles import NUM_IDS, NUM_KINDS, Tile, id_to_tile, kind_of
from janshi.rules.registry import make_game
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.hand import Hand
from janshi.rules.riichi.table import Table
from janshi.web.errors import ERRORS, Refused
from janshi.web.tools import Question, hand_problem

router = APIRouter(prefix="/api/tools", tags=["tools"], responses=ERRORS)

AGENT: Final = "mdp:hands=12500"
RULES: Final = "riichi/tenhou"
DEALT: Final = [NUM_IDS - 1 - start - i for start in (0, 16, 32) for i in range(4)] + [NUM_IDS - 1 - 48]
"""Places in the wall of the dealer's 13 tiles."""
DRAWN: Final = 83
"""The place of the dealer's first draw."""
INDICATOR: Final = 5


class Promise(BaseModel):
    """What a discard promises."""

    tile: str
    win: float
    """Chance of winning the hand."""
    points: float
    """Expected change of the score in this hand."""


class Outlook(BaseModel):
    """What the discards of a hand promise, best first; empty for a hand with melds or of 13 tiles."""

    agent: str
    discards: list[Promise]


@router.post("/outlook")
async def outlook(question: Question, request: Request) -> Outlook:
    """The chance of winning and the points of every discard of a closed riichi hand of 14 tiles."""
    try:
        hand = Hand(question.tiles, [text.strip() for text in question.melds])
    except CodedError as error:
        raise Refused(hand_problem(error), 422) from None
    if hand.melds or len(hand) == WAITING_SIZE:
        return Outlook(agent=AGENT, discards=[])
    floor = getattr(request.app.state, "floor", None)
    if floor is not None:
        await floor.warmth.wait("riichi", [AGENT])
    return Outlook(agent=AGENT, discards=await asyncio.to_thread(promises, hand.tiles))


@cache
def _thinker() -> tuple[Agent, threading.Lock]:
    return make_agent(AGENT, make_game(RULES)), threading.Lock()


def promises(tiles: Sequence[int]) -> list[Promise]:
    """The prospects of every discard of 14 closed tiles, by expected points, best first."""
    table = Table(wall=wall_with(tiles), rules="tenhou")
    agent, lock = _thinker()
    views = np.zeros(1, agent.game.view_dtype)
    views[0] = table.view(table.dealer)
    assert isinstance(agent, Explains)
    with lock:
        (found,) = agent.explain(views)
    last = Tile(tiles[-1])
    by_tile: dict[str, Promise] = {}
    for choice in found.choices:
        kind, _, text = choice.name.partition(" ")
        numbers = choice.numbers
        if kind not in ("discard", "tsumogiri") or numbers.get("win") is None or numbers.get("points") is None:
            continue
        tile = str(last) if kind == "tsumogiri" and not text else text.split()[0]
        by_tile.setdefault(tile, Promise(tile=tile, win=numbers["win"], points=numbers["points"]))
    return sorted(by_tile.values(), key=lambda one: -one.points)


def wall_with(tiles: Sequence[int]) -> list[int]:
    """A wall from which the dealer gets these 14 tiles, the last one as the first draw."""
    free: dict[int, list[int]] = {}
    for place in range(NUM_IDS):
        free.setdefault(int(id_to_tile(place)), []).append(place)
    wall: dict[int, int] = {}
    for place, tile in zip([*DEALT, DRAWN], tiles):
        wall[place] = _taken(int(tile), free)
    wall[INDICATOR] = free[_indicator(tiles, free)].pop()
    rest = iter([one for places in free.values() for one in places])
    return [wall[place] if place in wall else next(rest) for place in range(NUM_IDS)]


def _indicator(tiles: Sequence[int], free: dict[int, list[int]]) -> int:
    """A plain tile whose dora the hand does not hold."""
    held = {kind_of(tile) for tile in tiles}
    return next(kind for kind in range(NUM_KINDS) if free[kind] and int(dora_of(kind)) not in held)


def _taken(tile: int, free: dict[int, list[int]]) -> int:
    """An id of a tile; a fourth plain five is the red one."""
    same = [other for other in free if kind_of(other) == kind_of(tile) and free[other]]
    return free[tile if free.get(tile) else same[0]].pop()
