"""The events of the simplified game, from the states before and after a step. Tiles are its 14 kinds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
    s = states
    order: list[int] = s["wall"][0].tolist()[::-1]
    size = 3 * rules.sets + 1
    hands = tuple(tuple(order[size * p : size * (p + 1)]) for p in range(PLAYERS))
    return [Deal(s["actor"].item(0), hands, tuple(s["scores"][0].tolist())), _draw(s)]


def _draw(s: Array) -> Draw:
    return Draw(s["actor"].item(0), s["drawn"].item(0))


def step_events(before: Array, after: Array, answers: Answers) -> list[Event]:
    """The events of a step."""
    b, s = before, after
    actor, on_turn = b["actor"].item(0), b["phase"].item(0) == TURN
    claims = [] if on_turn else events.ordered_claims(answers, act.PASS, claim_rank, actor, PLAYERS)
    happened = _own_action(actor, answers[actor]) if on_turn else _call(b, claims)
    if s["left"].item(0) != b["left"].item(0):
        happened.append(_draw(s))
    return [*happened, *end_events(after, tuple(claims[1:]))] if s["phase"].item(0) == GAME_OVER else happened


def _own_action(seat: int, action: int) -> list[Event]:
    """What a player does on their turn; a win is reported at the end of the hand."""
    if action < act.KONG:
        return [Discard(seat, action, action)]
    if action < act.CHI:
        kind = action - act.KONG
        return [Kan(seat, events.CONCEALED_KAN, kind, (kind,) * COPIES, action)]
    return []


def _call(b: Array, claims: list[Answer]) -> list[Event]:
    """The call that was carried out, if there was one and nobody won."""
    if not claims or claims[0].action == act.HU:
        return []
    tile, seat, action = b["tile"].item(0), claims[0].seat, claims[0].action
    kind, own = _called(action, tile)
    return [Call(seat, b["actor"].item(0), kind, tile, own, action, tuple(claims[1:]))]


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
