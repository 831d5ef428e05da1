"""Prospects of the simplified game: distances to all scoring hands, waits and their payments, now and a tile later."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core._jit import kernel
from janshi.features.prospects import ProspectSet, Writer, to_byte
from janshi.rules.game import Game
from janshi.rules.simplified.apply import fan_of
from janshi.rules.simplified.distance import (
    ALL_PUNGS,
    FLUSH,
    HONOUR_PUNG,
    KIND_NAMES,
    PLAIN,
    STRAIGHT,
    distances,
    is_complete,
    meld_facts,
    scoring_hands,
)
from janshi.rules.simplified.policies import POWERS
from janshi.rules.simplified.state import AFTER_KONG, KONG_MELD, NONE, PLAYERS, TURN, Context, new_context
from janshi.rules.simplified.tiles import COPIES, NUM_KINDS

HANDS: Final = (*KIND_NAMES, "any hand")
_PLACES: Final = ("drawing player", "next player", "player before")
ABOUT_PLAYERS: Final = (
    *(f"tiles missing for {hand}" for hand in HANDS),
    "worth of the hand, logarithm",
    "melds",
    "winning tiles undrawn",
    "winning tiles in other hands",
    "fan and 1 of a win, mean",
    "undrawn tiles that bring a win closer",
    "tiles left",
    "pay of the waits that each undrawn tile brings, logarithm",
)
ABOUT_TILES: Final = (
    "the drawing player wins: fan and 1",
    "how much more the drawing player's hand is worth with it, logarithm",
    *(f"tiles then missing for {hand}" for hand in HANDS),
    "held by the drawing player",
    "the next player wins on it: fan and 1",
    "the player before wins on it: fan and 1",
    "how much more the next player's hand would be worth with it, logarithm",
    "how much more the hand of the player before would be worth with it, logarithm",
    *(f"winning tiles undrawn if the {who} had it, after the best discard" for who in _PLACES),
    *(f"fan and 1 of a win then if the {who} had it, mean" for who in _PLACES),
    *(f"the {who} wins on the discard that probably follows: fan and 1" for who in _PLACES[1:]),
    "undrawn",
)
WORTH, MELDS, WAITS, HELD_BY_OTHERS, PAY, CLOSER, LEFT, SECOND = range(len(HANDS), len(ABOUT_PLAYERS))
WINS, GAIN, MISSING = 0, 1, 2
HELD: Final = MISSING + len(HANDS)
OTHERS_WIN: Final = HELD + 1
OTHERS_GAIN: Final = OTHERS_WIN + PLAYERS - 1
NEXT_WAITS: Final = OTHERS_GAIN + PLAYERS - 1
NEXT_PAY: Final = NEXT_WAITS + PLAYERS
THROWN_WIN: Final = NEXT_PAY + PLAYERS
UNDRAWN: Final = THROWN_WIN + PLAYERS - 1
WORTH_UNIT: Final = 16.0
GAIN_UNIT: Final = 32.0
"""Steps of the bytes for twice the worth."""
SECOND_UNIT: Final = 16.0
NEARLY: Final = 0.5
"""Discards that leave at least this share of the highest worth are compared one tile further ahead."""
SMALLEST: Final = 1 / 256
"""The worth encoded as a byte of 0."""


class Scratch(NamedTuple):
    """Scratch space for looking at one hand after another."""

    distances: Any  # int64[2, 5]
    live: Any  # int64[14]
    worths: Any  # float64[14]
    known: Any  # float64[14, 14, 15], by discard and two more tiles; negative: not known yet


@kernel
def worth_of(missing: Any, rules: Any) -> float:
    """Points of the hands within reach, each times a chance for every missing tile, as in the `valued` policy."""
    total = 2 * int(rules.basic) * POWERS[missing[PLAIN]]
    total += int(rules.honour_pung) * POWERS[missing[HONOUR_PUNG]] + int(rules.straight) * POWERS[missing[STRAIGHT]]
    return total + int(rules.all_pungs) * POWERS[missing[ALL_PUNGS]] + int(rules.flush) * POWERS[missing[FLUSH]]


@kernel
def write_undrawn(s: Any, tiles: Any) -> None:
    """Count the tiles that could have come: those of the wall and the drawn one."""
    for i in range(int(s.left)):
        tiles[int(s.wall[i]), UNDRAWN] += 1
    tiles[int(s.drawn), UNDRAWN] += 1


@kernel
def count_elsewhere(s: Any, player: int, kind: int) -> int:
    """Tiles of a kind in the other players' hands before the draw."""
    count = -1 if s.drawn == kind and s.actor != player else 0
    for other in range(PLAYERS):
        if other != player:
            count += int(s.hand[other, kind])
    return count


@kernel
def best_wait(code: int, drawn: int, facts: int, kongs: int, live: Any, c: Context) -> tuple[int, int]:
    """The best wait after a discard from `code`, which has the tile `drawn`: live winning tiles, and their pay.

    `live` counts the tiles of each kind that may come, `drawn` included.
    """
    waits = best = 0
    for discard in range(NUM_KINDS):
        if (code >> (2 * discard)) & COPIES == 0:
            continue
        left, count, pay = code - (1 << (2 * discard)), 0, 0
        for kind in range(NUM_KINDS):
            undrawn = int(live[kind]) - int(kind == drawn)
            more = left + (1 << (2 * kind))
            if undrawn > 0 and (left >> (2 * kind)) & COPIES != COPIES and is_complete(more, c.shapes):
                count += undrawn
                pay += undrawn * (1 + fan_of(scoring_hands(more, facts, c.shapes), kongs, c))
        if pay > best:
            waits, best = count, pay
    return waits, best


@kernel
def write_player(s: Any, place: int, c: Context, room: Any, r: Any) -> None:
    """Write the facts about one player's hand, and the effect of each tile on it; `room` is int64[2, 5]."""
    player = (int(s.actor) + place) % PLAYERS
    code = int(s.code[player]) - (1 << (2 * int(s.drawn)) if place == 0 else 0)
    facts, sets, kongs = meld_facts(s, player), int(c.rules.sets) - int(s.melds[player]), 0
    for i in range(int(s.melds[player])):
        kongs += int(s.meld_type[player, i] == KONG_MELD)
    now, then, own = room[0], room[1], r.players[place]
    distances(code, facts, sets, c.shapes, now)
    worth = worth_of(now, c.rules)
    waits = elsewhere = pay = closer = second = 0
    for kind in range(NUM_KINDS):
        held = (code >> (2 * kind)) & COPIES
        if held == COPIES:
            continue
        more = code + (1 << (2 * kind))
        distances(more, facts, sets, c.shapes, then)
        gain, win = to_byte(GAIN_UNIT * np.log2(worth_of(then, c.rules) / worth)), 0
        undrawn = int(r.tiles[kind, UNDRAWN])
        if now[PLAIN] == 1 and is_complete(more, c.shapes):
            win = 1 + fan_of(scoring_hands(more, facts, c.shapes), kongs, c)
            waits, pay = waits + undrawn, pay + win * undrawn
            elsewhere += count_elsewhere(s, player, kind)
        closer += undrawn if then[PLAIN] < now[PLAIN] else 0
        if then[PLAIN] <= 1 and undrawn > 0:
            count, then_pay = best_wait(more, kind, facts, kongs, r.tiles[:, UNDRAWN], c)
            second += undrawn * then_pay
            r.tiles[kind, NEXT_WAITS + place] = count
            r.tiles[kind, NEXT_PAY + place] = to_byte(then_pay / max(count, 1))
        write_tile(r.tiles[kind], place, win, gain, held, then)
    for hand in range(PLAIN + 1):
        own[hand] = now[hand]
    own[WORTH] = to_byte(WORTH_UNIT * np.log2(worth / SMALLEST))
    own[MELDS], own[WAITS], own[HELD_BY_OTHERS], own[CLOSER] = s.melds[player], waits, elsewhere, closer
    own[PAY], own[LEFT] = to_byte(pay / max(waits, 1)), s.left
    own[SECOND] = to_byte(SECOND_UNIT * np.log2(1.0 + second))


@kernel
def worth_ahead(code: int, drawn: int, discard: int, facts: int, sets: int, c: Context, scratch: Scratch) -> float:
    """Worth of a hand with the tile `drawn`, after a discard and one more tile, summed over the live tiles.

    Two tiles give the same hand in either order, so worths are cached; `code` is the hand before the draw.
    """
    total, live, known, room = 0.0, scratch.live, scratch.known, scratch.distances[0]
    rest, row = code + (1 << (2 * drawn)) - (1 << (2 * discard)), 0 if discard == drawn else discard
    for kind in range(NUM_KINDS):
        if live[kind] <= 0:
            continue
        low, high = (kind, NUM_KINDS) if discard == drawn else (min(kind, drawn), max(kind, drawn))
        worth = known[row, low, high]
        if worth < 0.0:
            distances(rest + (1 << (2 * kind)), facts, sets, c.shapes, room)
            worth = worth_of(room, c.rules)
            known[row, low, high] = worth
        total += live[kind] * worth
    return total


@kernel
def worths_without(code: int, some: int, facts: int, sets: int, c: Context, scratch: Scratch) -> float:
    """Write a hand's worth after discarding each kind of `some` (both bits of each); returns the highest."""
    most = 0.0
    for kind in range(NUM_KINDS):
        if (code & some) >> (2 * kind) & COPIES:
            distances(code - (1 << (2 * kind)), facts, sets, c.shapes, scratch.distances[0])
            scratch.worths[kind] = worth_of(scratch.distances[0], c.rules)
            most = max(most, scratch.worths[kind])
    return most


@kernel
def dangerous_discard(
    code: int, drawn: int, danger: int, least: float, facts: int, sets: int, c: Context, scratch: Scratch
) -> int:
    """The discard that will probably follow, if it is one of the kinds of `danger` (both bits of each), else NONE.

    Of the discards that leave nearly the highest worth, `least` or more, it is the one with the highest worth after
    one more tile. `code` is the hand before the tile `drawn`.
    """
    more = code + (1 << (2 * drawn))
    risky = worths_without(more, danger, facts, sets, c, scratch)
    if risky < NEARLY * least:
        return NONE
    most = max(risky, worths_without(more, ~danger, facts, sets, c, scratch))
    if risky < NEARLY * most:
        return NONE
    best, farthest = NONE, -1.0
    for kind in range(NUM_KINDS):
        if (more >> (2 * kind)) & COPIES and scratch.worths[kind] >= NEARLY * most:
            ahead = worth_ahead(code, drawn, kind, facts, sets, c, scratch)
            if ahead > farthest:
                best, farthest = kind, ahead
    return best if (danger >> (2 * best)) & COPIES else NONE


@kernel
def write_thrown(s: Any, c: Context, scratch: Scratch, r: Any) -> None:
    """Write, for each possible tile, who wins on the discard that will probably follow it, and how much."""
    player, live = int(s.actor), scratch.live
    code = int(s.code[player]) - (1 << (2 * int(s.drawn)))
    facts, sets, danger = meld_facts(s, player), int(c.rules.sets) - int(s.melds[player]), 0
    for kind in range(NUM_KINDS):
        if r.tiles[kind, OTHERS_WIN] > 0 or r.tiles[kind, OTHERS_WIN + 1] > 0:
            danger |= COPIES << (2 * kind)
        live[kind] = COPIES - ((code >> (2 * kind)) & COPIES) - int(s.seen[kind])
    distances(code, facts, sets, c.shapes, scratch.distances[0])
    now = worth_of(scratch.distances[0], c.rules)
    if danger:
        scratch.known[:] = -1.0
    for kind in range(NUM_KINDS):
        more = code + (1 << (2 * kind))
        if r.tiles[kind, UNDRAWN] == 0 or more & danger == 0:
            continue
        live[kind] -= 1
        discard = dangerous_discard(code, kind, danger, now, facts, sets, c, scratch)
        live[kind] += 1
        for other in range(PLAYERS - 1 if discard != NONE else 0):
            r.tiles[kind, THROWN_WIN + other] = r.tiles[discard, OTHERS_WIN + other]


@kernel
def write_tile(tile: Any, place: int, win: int, gain: int, held: int, then: Any) -> None:
    """Write the effect of a kind on one player's hand."""
    if place > 0:
        tile[OTHERS_WIN + place - 1], tile[OTHERS_GAIN + place - 1] = win, gain
        return
    tile[WINS], tile[GAIN], tile[HELD] = win, gain, held
    for hand in range(PLAIN + 1):
        tile[MISSING + hand] = then[hand]


@kernel
def write_prospects(states: Any, tables: Any, players: Any, rules: Any, shapes: Any, out: Any) -> None:
    """Write the prospects of decisions; zeros for decisions that do not follow a draw."""
    c, room = Context(rules[0], shapes[0]), np.zeros((2, PLAIN + 1), np.int64)
    known = np.zeros((NUM_KINDS, NUM_KINDS, NUM_KINDS + 1))
    scratch = Scratch(room, np.zeros(NUM_KINDS, np.int64), np.zeros(NUM_KINDS), known)
    for i in range(len(tables)):
        s, r = states[tables[i]], out[i]
        r.players[:] = 0
        r.tiles[:] = 0
        r.drawn = 0
        if s.phase != TURN or s.actor != players[i] or s.drawn == NONE or s.moment == AFTER_KONG:
            continue
        r.drawn = s.drawn
        write_undrawn(s, r.tiles)
        for place in range(PLAYERS):
            write_player(s, place, c, room, r)
        write_thrown(s, c, scratch, r)


def writer(game: Game) -> Writer:
    """A function that writes prospects of this game."""
    context = new_context(game.rules)
    return lambda states, tables, players, out: write_prospects(states, tables, players, *context, out)


PROSPECTS: Final = ProspectSet("simplified-prospects-3", PLAYERS, NUM_KINDS, ABOUT_PLAYERS, ABOUT_TILES, writer)
