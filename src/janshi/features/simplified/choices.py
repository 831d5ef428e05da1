"""Prospects of choices in the simplified game: all hands before a decision, and what each action would do to them.

As with draws (`prospects.py`), nothing depends on the order of the wall or on the chosen action, so values computed
from them can measure the luck of an action sampled from a policy.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.features.prospects import ProspectSet, Writer, to_byte
from janshi.features.simplified.prospects import GAIN_UNIT, HANDS, SMALLEST, WORTH_UNIT, worth_of
from janshi.rules.game import Game
from janshi.rules.simplified.actions import CHI, HU, KONG, NUM_ACTIONS, PASS, PONG
from janshi.rules.simplified.apply import fan_of
from janshi.rules.simplified.distance import PLAIN, distances, is_complete, meld_fact, meld_facts, scoring_hands
from janshi.rules.simplified.policies import after_call
from janshi.rules.simplified.state import CHI_MELD, KONG_MELD, PLAYERS, PONG_MELD, TURN, Context, new_context
from janshi.rules.simplified.tiles import COPIES, NUM_KINDS

_OTHERS: Final = ("next player", "player before")
ABOUT_PLAYERS: Final = (
    *(f"tiles missing for {hand}" for hand in HANDS),
    "worth of the hand, logarithm",
    "melds",
    "winning tiles undrawn",
    "winning tiles in other hands",
    "fan and 1 of a win, mean",
    "undrawn tiles that bring a win closer",
    "tiles left",
    "whose turn it is",
)
ABOUT_ACTIONS: Final = (
    "it wins: fan and 1",
    "worth of the hand after it, logarithm",
    *(f"tiles then missing for {hand}" for hand in HANDS),
    "winning tiles then undrawn, after the best discard",
    "winning tiles then in other hands",
    "fan and 1 of a win then, mean",
    *(f"the {who} wins on the tile: fan and 1" for who in _OTHERS),
    *(f"how much more the hand of the {who} would be worth with the tile, logarithm" for who in _OTHERS),
    "discard",
    "kong",
    "call",
    "pass",
    "legal",
)
WORTH, MELDS, WAITS, HELD_BY_OTHERS, PAY, CLOSER, LEFT, ON_TURN = range(len(HANDS), len(ABOUT_PLAYERS))
WINS, THEN_WORTH, MISSING = 0, 1, 2
THEN_WAITS: Final = MISSING + len(HANDS)
THEN_HELD, THEN_PAY = THEN_WAITS + 1, THEN_WAITS + 2
OTHERS_WIN: Final = THEN_PAY + 1
OTHERS_GAIN: Final = OTHERS_WIN + PLAYERS - 1
IS_DISCARD: Final = OTHERS_GAIN + PLAYERS - 1
IS_KONG, IS_CALL, IS_PASS, LEGAL = range(IS_DISCARD + 1, IS_DISCARD + 5)


@kernel
def count_kongs(s: Any, player: int) -> int:
    """The kongs among a player's melds."""
    count = 0
    for i in range(int(s.melds[player])):
        count += int(s.meld_type[player, i] == KONG_MELD)
    return count


@kernel
def elsewhere_of(s: Any, player: int, kind: int) -> int:
    """Tiles of a kind in the other players' hands."""
    count = 0
    for other in range(PLAYERS):
        count += int(s.hand[other, kind]) if other != player else 0
    return count


@kernel
def wait_of(s: Any, player: int, code: int, facts: int, kongs: int, undrawn: Any, c: Context) -> tuple[int, int, int]:
    """A wait: its undrawn winning tiles, those in other hands, and their total payment."""
    count = held = pay = 0
    for kind in range(NUM_KINDS):
        more = code + (1 << (2 * kind))
        if (code >> (2 * kind)) & COPIES != COPIES and is_complete(more, c.shapes):
            others = elsewhere_of(s, player, kind)
            count, held = count + int(undrawn[kind]), held + others
            pay += (int(undrawn[kind]) + others) * (1 + fan_of(scoring_hands(more, facts, c.shapes), kongs, c))
    return count, held, pay


@kernel
def look_at(s: Any, player: int, place: int, undrawn: Any, c: Context, room: Any, tiles: Any, own: Any) -> None:
    """Write a player's distances, and into `tiles`, int64[14, 2 × players], the payment and gain of each kind."""
    code, facts = int(s.code[player]), meld_facts(s, player)
    sets, kongs = int(c.rules.sets) - int(s.melds[player]), count_kongs(s, player)
    now, then = room[0], room[1]
    distances(code, facts, sets, c.shapes, now)
    worth, closer = worth_of(now, c.rules), 0
    for kind in range(NUM_KINDS):
        tiles[kind, place] = tiles[kind, PLAYERS + place] = 0
        if (code >> (2 * kind)) & COPIES == COPIES:
            continue
        more = code + (1 << (2 * kind))
        distances(more, facts, sets, c.shapes, then)
        tiles[kind, PLAYERS + place] = to_byte(GAIN_UNIT * np.log2(worth_of(then, c.rules) / worth))
        closer += int(undrawn[kind]) if then[PLAIN] < now[PLAIN] else 0
        if now[PLAIN] == 1 and is_complete(more, c.shapes):
            tiles[kind, place] = 1 + fan_of(scoring_hands(more, facts, c.shapes), kongs, c)
    waits, held, pay = wait_of(s, player, code, facts, kongs, undrawn, c) if now[PLAIN] == 1 else (0, 0, 0)
    for hand in range(PLAIN + 1):
        own[hand] = now[hand]
    own[WORTH] = to_byte(WORTH_UNIT * np.log2(worth / SMALLEST))
    own[MELDS], own[WAITS], own[HELD_BY_OTHERS], own[CLOSER] = s.melds[player], waits, held, closer
    own[PAY], own[LEFT] = to_byte(pay / max(waits + held, 1)), s.left
    own[ON_TURN] = player == s.actor


@kernel
def best_rest(s: Any, player: int, code: int, facts: int, kongs: int, undrawn: Any, c: Context) -> tuple[int, int, int]:
    """The best wait after a discard from a hand: see `wait_of`."""
    best = (0, 0, 0)
    for kind in range(NUM_KINDS):
        if (code >> (2 * kind)) & COPIES:
            found = wait_of(s, player, code - (1 << (2 * kind)), facts, kongs, undrawn, c)
            if found[2] > best[2]:
                best = found
    return best


@kernel
def write_after(
    s: Any, player: int, rest: tuple[int, int, int, int], whole: bool, undrawn: Any, c: Context, room: Any, out: Any
) -> None:
    """Write a hand after an action: `rest` is its code, facts, sets and kongs; `whole` if a discard follows."""
    code, facts, sets, kongs = rest
    distances(code, facts, sets, c.shapes, room)
    for hand in range(PLAIN + 1):
        out[MISSING + hand] = room[hand]
    out[THEN_WORTH] = to_byte(WORTH_UNIT * np.log2(worth_of(room, c.rules) / SMALLEST))
    if room[PLAIN] <= 1:
        if whole:
            waits, held, pay = best_rest(s, player, code, facts, kongs, undrawn, c)
        else:
            waits, held, pay = wait_of(s, player, code, facts, kongs, undrawn, c)
        out[THEN_WAITS], out[THEN_HELD], out[THEN_PAY] = waits, held, to_byte(pay / max(waits + held, 1))


@kernel
def write_turn(s: Any, player: int, legal: int, undrawn: Any, c: Context, room: Any, tiles: Any, out: Any) -> None:
    """Write discards and kongs."""
    code, facts = int(s.code[player]), meld_facts(s, player)
    sets, kongs = int(c.rules.sets) - int(s.melds[player]), count_kongs(s, player)
    for kind in range(NUM_KINDS):
        if (legal >> kind) & 1:
            r = out[kind]
            r[IS_DISCARD] = 1
            write_after(s, player, (code - (1 << (2 * kind)), facts, sets, kongs), False, undrawn, c, room, r)
            for place in range(1, PLAYERS):
                r[OTHERS_WIN + place - 1] = tiles[kind, place]
                r[OTHERS_GAIN + place - 1] = tiles[kind, PLAYERS + place]
        if (legal >> (KONG + kind)) & 1:
            r = out[KONG + kind]
            r[IS_KONG] = 1
            more = facts | meld_fact(KONG_MELD, kind)
            rest = (code - (COPIES << (2 * kind)), more, sets - 1, kongs + 1)
            write_after(s, player, rest, True, undrawn, c, room, r)
    if (legal >> HU) & 1:
        out[HU, WINS] = 1 + fan_of(scoring_hands(code, facts, c.shapes), kongs, c)


@kernel
def write_reaction(s: Any, player: int, legal: int, undrawn: Any, c: Context, room: Any, tiles: Any, out: Any) -> None:
    """Write calls, passing and a win on another's discard."""
    code, facts, tile = int(s.code[player]), meld_facts(s, player), int(s.tile)
    sets, kongs = int(c.rules.sets) - int(s.melds[player]), count_kongs(s, player)
    for action in range(CHI, PASS + 1):
        if (legal >> action) & 1 == 0:
            continue
        r = out[action]
        for place in range(1, PLAYERS):
            if (player + place) % PLAYERS != s.actor:
                r[OTHERS_WIN + place - 1] = tiles[tile, place]
                r[OTHERS_GAIN + place - 1] = tiles[tile, PLAYERS + place]
        if action == HU:
            r[WINS] = 1 + fan_of(scoring_hands(code + (1 << (2 * tile)), facts, c.shapes), kongs, c)
        elif action == PASS:
            r[IS_PASS] = 1
            write_after(s, player, (code, facts, sets, kongs), False, undrawn, c, room, r)
        else:
            r[IS_CALL] = 1
            low = tile if action == PONG else tile - (action - CHI)
            more = facts | meld_fact(PONG_MELD if action == PONG else CHI_MELD, low)
            rest = (after_call(code, tile, action), more, sets - 1, kongs)
            write_after(s, player, rest, True, undrawn, c, room, r)


@kernel
def write_choices(states: Any, tables: Any, players: Any, rules: Any, shapes: Any, out: Any) -> None:
    """Write the prospects of decisions; zeros if only one action is legal."""
    c, room = Context(rules[0], shapes[0]), np.zeros((2, PLAIN + 1), np.int64)
    undrawn, tiles = np.zeros(NUM_KINDS, np.int64), np.zeros((NUM_KINDS, 2 * PLAYERS), np.int64)
    for i in range(len(tables)):
        s, r, player = states[tables[i]], out[i], int(players[i])
        r.players[:] = 0
        r.tiles[:] = 0
        r.drawn = 0
        legal = int(s.legal[player])
        if legal & (legal - 1) == 0:
            continue
        undrawn[:] = 0
        for at in range(int(s.left)):
            undrawn[int(s.wall[at])] += 1
        for place in range(PLAYERS):
            look_at(s, (player + place) % PLAYERS, place, undrawn, c, room, tiles, r.players[place])
        for action in range(NUM_ACTIONS):
            r.tiles[action, LEGAL] = (legal >> action) & 1
        if s.phase == TURN:
            write_turn(s, player, legal, undrawn, c, room[1], tiles, r.tiles)
        else:
            write_reaction(s, player, legal, undrawn, c, room[1], tiles, r.tiles)


def writer(game: Game) -> Writer:
    """A function that writes prospects of choices in this game."""
    context = new_context(game.rules)
    return lambda states, tables, players, out: write_choices(states, tables, players, *context, out)


CHOICES: Final = ProspectSet("simplified-choices-1", PLAYERS, NUM_ACTIONS, ABOUT_PLAYERS, ABOUT_ACTIONS, writer)
