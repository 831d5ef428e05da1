"""The events of the simplified game, from the states before and after a step. Tiles are its 14 kinds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from janshi.rules import events
from janshi.rules.events import Answer, Call, Deal, Discard, Draw, DrawnHand, Event, Kan, Scores, Tiles
from janshi.rules.game import Array
from janshi.rules.simplified import actions as act
from janshi.rules.simplified.ruleset import Ruleset
from janshi.rules.simplified.state import DISCARD_WIN, EXHAUSTED, GAME_OVER, NONE, PLAYERS, RESULT_NAMES, TURN
from janshi.rules.simplified.tiles import COPIES

Answers = Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Win(events.Win):
    """A player wins."""

    fan: int
    """Fan, kongs included."""


def deal_events(states: Array, rules: Ruleset) -> list[Event]:
    """The events of a hand that has just been dealt: all tiles of a player at once, from seat 0 on."""
    s = states[0]
    order: list[int] = s["wall"].tolist()[::-1]
    size = 3 * rules.sets + 1
    hands = tuple(tuple(order[size * p : size * (p + 1)]) for p in range(PLAYERS))
    return [Deal(int(s["actor"]), hands, tuple(s["scores"].tolist())), _draw(s)]


def _draw(s: Any) -> Draw:
    return Draw(int(s["actor"]), int(s["drawn"]))


def step_events(before: Array, after: Array, answers: Answers) -> list[Event]:
    """The events of a step."""
    b, s = before[0], after[0]
    actor = int(b["actor"])
    claims = [] if b["phase"] == TURN else events.ordered_claims(answers, act.PASS, claim_rank, actor, PLAYERS)
    told = _own_action(actor, answers[actor]) if b["phase"] == TURN else _call(b, claims)
    if s["left"] != b["left"]:
        told.append(_draw(s))
    return [*told, *end_events(after, tuple(claims[1:]))] if s["phase"] == GAME_OVER else told


def _own_action(seat: int, action: int) -> list[Event]:
    """What a player does on their turn; a win is told at the end."""
    if action < act.KONG:
        return [Discard(seat, action, action)]
    if action < act.CHI:
        kind = action - act.KONG
        return [Kan(seat, events.CONCEALED_KAN, kind, (kind,) * COPIES, action)]
    return []


def _call(b: Any, claims: list[Answer]) -> list[Event]:
    """The call that was carried out, if there was one and nobody won."""
    if not claims or claims[0].action == act.HU:
        return []
    tile, (seat, action) = int(b["tile"]), (claims[0].seat, claims[0].action)
    kind, own = _called(action, tile)
    return [Call(seat, int(b["actor"]), kind, tile, own, action, tuple(claims[1:]))]


def _called(action: int, tile: int) -> tuple[str, Tiles]:
    """The kind of a call, and the caller's own tiles in it."""
    if action == act.PONG:
        return events.PON, (tile,) * (COPIES - 1)
    low = tile - (action - act.CHI)
    return events.CHI, tuple(kind for kind in range(low, low + 3) if kind != tile)


def claim_rank(action: int) -> int:
    """Where a claim stands among others of the same tile, from 0: hu, then pong, then chi."""
    if action == act.HU:
        return 0
    return 1 if action == act.PONG else 2


def end_events(states: Array, ignored: tuple[Answer, ...] = ()) -> list[Event]:
    """How the game, which is one hand, ended; `ignored` are claims that had to give way."""
    s = states[0]
    kind, points = RESULT_NAMES[int(s["result"])], tuple(s["scores"].tolist())
    scores = Scores(kind, points, points)
    winner = int(s["winner"])
    if s["result"] == EXHAUSTED or winner == NONE:
        return [DrawnHand(kind), scores]
    loser = int(s["payer"]) if s["result"] == DISCARD_WIN else None
    tile = int(s["drawn" if loser is None else "tile"])
    return [Win(winner, loser, tile, points[winner], act.HU, ignored, fan=int(s["win_fan"])), scores]
