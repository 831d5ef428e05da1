"""The events of Guobiao, from the states before and after a step. Tiles are kinds (0..33); the flowers are 34..41."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from janshi.core.tiles import COPIES
from janshi.rules import events
from janshi.rules.events import (
    HIDDEN,
    Answer,
    Call,
    Discard,
    Draw,
    DrawnHand,
    Event,
    Flower,
    Kan,
    Penalty,
    Scores,
    Tiles,
)
from janshi.rules.game import Array
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.fans import Fan
from janshi.rules.guobiao.result import read_result
from janshi.rules.guobiao.state import FIRST_FLOWER, FLOWERS, HAND_OVER, HAND_TILES, NONE, PLAYERS, TURN

Answers = Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(events.Deal):
    """A hand is dealt: each player's 13 tiles, and the flowers that came between them, which are set aside."""

    wind: int
    """Prevalent wind, 0..3 = E S W N."""

    def _shown(self, hand: Tiles, own: bool) -> Tiles:
        """Everybody sees the flowers."""
        return hand if own else tuple(tile if tile >= FIRST_FLOWER else HIDDEN for tile in hand)


@dataclass(frozen=True, slots=True, kw_only=True)
class Win(events.Win):
    """A player wins."""

    fan: int
    """Fan, flowers included."""
    fans: tuple[tuple[Fan, int], ...]
    """Each fan and how many times it counts, the highest first."""


def deal_turns(dealer: int) -> list[tuple[int, int]]:
    """(player, tiles) of a deal in order: four at a time three times, then one."""
    blocks = (4, 4, 4, HAND_TILES - 12)
    return [((dealer + i) % PLAYERS, tiles) for tiles in blocks for i in range(PLAYERS)]


def dealt(states: Array) -> tuple[Tiles, ...]:
    """Each player's deal, flowers included, of the first of the tables, whose hand has just been dealt."""
    s = states[0]
    size, own = int(s["wall_size"]), bool(s["own_walls"])
    walls = [s["wall"][size * p : size * (p + 1)].tolist() if own or p == 0 else [] for p in range(PLAYERS)]
    deals: list[list[int]] = [[] for _ in range(PLAYERS)]
    for player, tiles in deal_turns(int(s["dealer"])):
        while tiles:
            tile = walls[player if own else 0].pop()
            deals[player].append(tile)
            tiles -= 0 if tile >= FIRST_FLOWER else 1
    return tuple(map(tuple, deals))


def deal_events(states: Array) -> list[Event]:
    """The events of a hand that has just been dealt: the deal, and the dealer's first draw."""
    s = states
    deal = Deal(s["dealer"].item(0), dealt(s), tuple(s["scores"][0].tolist()), wind=s["wind"].item(0))
    set_aside = sum(1 << tile - FIRST_FLOWER for tile in deal.hands[s["actor"].item(0)] if tile >= FIRST_FLOWER)
    return [deal, *_draws(set_aside, s)]


def step_events(before: Array, after: Array, answers: Answers) -> list[Event]:
    """The events of a step."""
    b, s = before, after
    actor, on_turn = b["actor"].item(0), b["phase"].item(0) == TURN
    claims = [] if on_turn else events.ordered_claims(answers, act.PASS, claim_rank, actor, PLAYERS)
    happened = _own_action(actor, answers[actor]) if on_turn else _call(b, claims)
    happened += _draws(b["flowers"].item(0, s["actor"].item(0)), s)
    return [*happened, *end_events(after, tuple(claims[1:]))] if s["phase"].item(0) == HAND_OVER else happened


def _draws(flowers: int, s: Array) -> list[Event]:
    """What the player on turn has drawn: flowers that were not among `flowers` before, then a tile if there was one."""
    seat, tile = s["actor"].item(0), s["drawn"].item(0)
    new = s["flowers"].item(0, seat) & ~flowers
    drawn: list[Event] = [Flower(seat, FIRST_FLOWER + i) for i in range(FLOWERS) if new >> i & 1] if new else []
    if tile != NONE and s["phase"].item(0) == TURN:
        drawn.append(Draw(seat, tile, s["after_kong"].item(0) != 0))
    return drawn


def _own_action(seat: int, action: int) -> list[Event]:
    """What a player does on their turn; a win is reported at the end of the hand."""
    if action < act.CHI:
        return [Discard(seat, action, action)]
    if action >= act.HU:
        return []
    if action >= act.ADDED_KONG:
        kind = action - act.ADDED_KONG
        return [Kan(seat, events.ADDED_KAN, kind, (kind,), action)]
    kind = action - act.CONCEALED_KONG
    return [Kan(seat, events.CONCEALED_KAN, kind, (kind,) * COPIES, action, hidden=True)]


def _call(b: Array, claims: list[Answer]) -> list[Event]:
    """The call that was carried out, if there was one and nobody won."""
    if not claims or claims[0].action == act.HU:
        return []
    tile, seat, action = b["tile"].item(0), claims[0].seat, claims[0].action
    kind, own = _called(action, tile)
    return [Call(seat, b["actor"].item(0), kind, tile, own, action, tuple(claims[1:]))]


def _called(action: int, tile: int) -> tuple[str, Tiles]:
    """The kind of a call, and the caller's own tiles in it."""
    if action >= act.KONG:
        return events.OPEN_KAN, (tile,) * (COPIES - 1)
    if action >= act.PENG:
        return events.PON, (tile,) * (COPIES - 2)
    first = int(act.chi_first(action))
    return events.CHI, tuple(kind for kind in range(first, first + 3) if kind != tile)


def claim_rank(action: int) -> int:
    """Where a claim stands among others of the same tile, from 0: hu, then peng and kong, then chi."""
    if action == act.HU:
        return 0
    return 2 if action < act.PENG else 1


def end_events(states: Array, ignored: tuple[Answer, ...] = ()) -> list[Event]:
    """How the hand that is over ended; `ignored` are claims that had to give way."""
    result = read_result(states)
    scores = Scores(result.kind, result.changes, tuple(states[0]["scores"].tolist()))
    if result.penalised is not None:
        return [Penalty(result.penalised), scores]
    if result.win is None:
        return [DrawnHand(result.kind), scores]
    win = result.win
    points = result.changes[win.player]
    return [Win(win.player, win.loser, win.tile, points, act.HU, ignored, fan=win.total, fans=win.fans), scores]
