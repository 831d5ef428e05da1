"""Options of the simplified game: the hand after each action, and how dangerous a discard looks.

The hand after a call or kong is the one after the best discard by the search model (`agents/search`), whose value of
every option is also given.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.search.simplified import DRAWS, SUMS, Hands, best_play, fill_chances, hand_value, make_hands
from janshi.agents.strategist.options import Options, OptionSet, Writer
from janshi.core._jit import kernel
from janshi.features.simplified.prospects import best_wait, worth_of
from janshi.rules.game import Array, Game
from janshi.rules.simplified.actions import CHI, HU, KONG, NUM_ACTIONS, PASS, PONG
from janshi.rules.simplified.apply import fan_of
from janshi.rules.simplified.distance import KIND_NAMES, PLAIN, distances, is_complete, meld_fact, scoring_hands
from janshi.rules.simplified.policies import after_call
from janshi.rules.simplified.shapes import CELLS
from janshi.rules.simplified.state import CHI_MELD, KONG_MELD, PLAYERS, PONG_MELD, REACTION, Context, new_context
from janshi.rules.simplified.tiles import COPIES, EAST, NUM_KINDS, RANKS, SUITS

HANDS: Final = (*KIND_NAMES, "any hand")
WHO: Final = ("own", "next player's", "player before's")
FACTS: Final = ("has a chi", "has an honour meld")
OF_SUIT: Final = ("has a meld of", "has the low chi of", "has the high chi of")
SUIT_NAMES: Final = ("dots", "bamboo")
FAR_TILES: Final = 8
"""Distances count as at most this."""
WINDOW: Final = 2
"""Tiles this near to a discard are looked at."""
WINDOW_NAMES: Final = ("two below", "one below", "the tile itself", "one above", "two above")
LEAST_VALUE: Final = 0.02
"""Points added to the search's values before taking logarithms."""
JUST_NOW: Final = 2
"""A tile that passed this many discards ago was safe for everybody since."""

ABOUT_POSITION: Final = (
    "tiles left",
    "discards of all players",
    *(f"tiles missing for {hand}" for hand in HANDS),
    *(f"{who} melds" for who in WHO),
    *(f"{who} discards" for who in WHO),
    *(
        f"{who} melds: {fact}"
        for who in WHO[1:]
        for fact in (
            *FACTS,
            *(f"{fact} {suit}" for suit in SUIT_NAMES for fact in OF_SUIT),
            "kongs",
            "pongs",
        )
    ),
    *(f"own melds: {fact}" for fact in FACTS),
    "first seat",
    "second seat",
    "reaction to a discard",
)
ABOUT_OPTION: Final = (
    *(f"tiles then missing for {hand}" for hand in HANDS),
    "search's value, logarithm",
    "search's value",
    "share of the best search's value, logarithm",
    "live winning tiles",
    "live winning tiles, share of the unseen",
    "fan and 1 of a win, mean",
    "fan and 1 of a win, most",
    "fan and 1 of a win times the share",
    "unseen tiles that bring a win closer",
    "worth of the hand one tile later, logarithm",
    "pay of the waits that each unseen tile brings, logarithm",
    "waiting",
    "own kongs",
    "kong",
    "pass",
    "call",
    "pong",
    "discard",
    "an honour",
    "tile's distance from the middle of its suit",
    *(f"unseen, {place}" for place in WINDOW_NAMES),
    *(f"in the {who} river, {place}" for who in WHO[1:] for place in WINDOW_NAMES),
    "in an opponent's river just now",
    "in the own river",
    *(f"{who} last discard is of its suit" for who in WHO[1:]),
    *(f"{who} melds of its suit" for who in WHO[1:]),
)
(VALUE_LOG, VALUE, SHARE, LIVE, LIVE_SHARE, PAY, MOST_PAY, PAY_SHARE, CLOSER) = range(len(HANDS), len(HANDS) + 9)
AHEAD, SECOND, WAITING, KONGS, IS_KONG, IS_PASS, IS_CALL, IS_PONG = range(CLOSER + 1, CLOSER + 9)
TILE: Final = IS_PONG + 1
HONOUR, FROM_MIDDLE, UNSEEN = TILE + 1, TILE + 2, TILE + 3
RIVERS: Final = UNSEEN + len(WINDOW_NAMES)
RECENT: Final = RIVERS + (PLAYERS - 1) * len(WINDOW_NAMES)
OWN_RIVER, LAST = RECENT + 1, RECENT + 2
MELDED: Final = LAST + PLAYERS - 1
OPPONENT_FACTS: Final = 10
"""Numbers about an opponent's melds."""


class Scratch(NamedTuple):
    """Room that is used again for every decision."""

    hand: Any  # int64[14]
    live: Any  # int64[14]: tiles the player has not seen
    chances: Any  # float64[14, 4]
    sums: Any
    distances: Any  # int64[5]
    position: Any  # float64[numbers about the position]


class Own(NamedTuple):
    """The player's own hand before or after an action."""

    code: int
    facts: int
    sets: int
    kongs: int


def new_scratch() -> Scratch:
    """Make room."""
    counts = np.zeros((2, NUM_KINDS), np.int64)
    sums = np.zeros((SUITS + 1, SUMS, CELLS))
    room, position = np.zeros(PLAIN + 1, np.int64), np.zeros(len(ABOUT_POSITION))
    return Scratch(counts[0], counts[1], np.zeros((NUM_KINDS, COPIES + 1)), sums, room, position)


@kernel
def meld_facts_of(v: Any, player: int) -> int:
    """Facts about a player's melds, from a view."""
    facts = 0
    for i in range(int(v.melds[player])):
        facts |= meld_fact(int(v.meld_type[player, i]), int(v.meld_kind[player, i]))
    return facts


@kernel
def count_melds(v: Any, player: int, meld_type: int) -> int:
    """A player's melds of a type."""
    count = 0
    for i in range(int(v.melds[player])):
        count += int(v.meld_type[player, i] == meld_type)
    return count


@kernel
def write_position(v: Any, own: Own, c: Context, room: Any, r: Any) -> None:
    """Write the numbers about the position."""
    r[0], r[1] = v.left, v.turns
    at = write_distances(own, c, room, r, 2)
    for player in range(PLAYERS):
        r[at + player], r[at + PLAYERS + player] = v.melds[player], v.discards[player]
    at += 2 * PLAYERS
    for player in range(1, PLAYERS):
        facts = meld_facts_of(v, player)
        for bit in range(OPPONENT_FACTS - 2):
            r[at + bit] = (facts >> bit) & 1
        r[at + OPPONENT_FACTS - 2] = count_melds(v, player, KONG_MELD)
        r[at + OPPONENT_FACTS - 1] = count_melds(v, player, PONG_MELD)
        at += OPPONENT_FACTS
    r[at], r[at + 1] = own.facts & 1, (own.facts >> 1) & 1
    r[at + 2], r[at + 3], r[at + 4] = int(v.seat == 0), int(v.seat == 1), int(v.phase == REACTION)


@kernel
def write_distances(own: Own, c: Context, room: Any, r: Any, at: int) -> int:
    """Write the tiles that a hand misses for each scoring hand; returns the next place."""
    distances(own.code, own.facts, own.sets, c.shapes, room)
    for hand in range(PLAIN + 1):
        r[at + hand] = min(int(room[hand]), FAR_TILES)
    return at + PLAIN + 1


@kernel
def write_after(own: Own, live: Any, value: float, c: Context, room: Any, r: Any) -> None:
    """Write the numbers about the hand after an action."""
    write_distances(own, c, room, r, 0)
    r[VALUE_LOG], r[VALUE], r[KONGS] = np.log(value + LEAST_VALUE), value, own.kongs
    plain, unseen = int(room[PLAIN]), 0
    for kind in range(NUM_KINDS):
        unseen += live[kind]
    r[WAITING] = int(plain == 1)
    if plain == 1:
        write_wait(own, live, max(unseen, 1), c, r)
    write_ahead(own, live, plain, max(unseen, 1), c, room, r)


@kernel
def write_ahead(own: Own, live: Any, plain: int, unseen: int, c: Context, room: Any, r: Any) -> None:
    """Write the numbers about the hand with one more of the unseen tiles."""
    closer, second, ahead = 0, 0, 0.0
    for kind in range(NUM_KINDS):
        if live[kind] <= 0 or (own.code >> (2 * kind)) & COPIES == COPIES:
            continue
        more = own.code + (1 << (2 * kind))
        distances(more, own.facts, own.sets, c.shapes, room)
        ahead += live[kind] * worth_of(room, c.rules)
        closer += live[kind] if room[PLAIN] < plain else 0
        if room[PLAIN] == 1:
            _, pay = best_wait(more, kind, own.facts, own.kongs, live, c)
            second += live[kind] * pay
    r[CLOSER], r[SECOND] = closer, np.log(1.0 + second / unseen)
    r[AHEAD] = np.log(ahead / unseen + LEAST_VALUE)


@kernel
def write_wait(own: Own, live: Any, unseen: int, c: Context, r: Any) -> None:
    """Write the numbers about a waiting hand's winning tiles."""
    count = pay = most = 0
    for kind in range(NUM_KINDS):
        more = own.code + (1 << (2 * kind))
        if live[kind] > 0 and (own.code >> (2 * kind)) & COPIES != COPIES and is_complete(more, c.shapes):
            win = 1 + fan_of(scoring_hands(more, own.facts, c.shapes), own.kongs, c)
            count, pay, most = count + live[kind], pay + live[kind] * win, max(most, win)
    r[LIVE], r[LIVE_SHARE], r[PAY_SHARE] = count, count / unseen, pay / unseen
    r[PAY], r[MOST_PAY] = pay / max(count, 1), most


@kernel
def write_tile(v: Any, tile: int, live: Any, r: Any) -> None:
    """Write the numbers about a discard."""
    r[TILE] = 1
    suit, rank = tile // RANKS, tile % RANKS
    if tile >= EAST:
        r[HONOUR] = 1
        write_place(v, tile, WINDOW, live, r)
    else:
        r[FROM_MIDDLE] = abs(2 * rank - RANKS + 1)
        for place in range(2 * WINDOW + 1):
            if 0 <= rank + place - WINDOW < RANKS:
                write_place(v, tile + place - WINDOW, place, live, r)
    for i in range(int(v.discards[0])):
        r[OWN_RIVER] += int(v.river[0, i] == tile)
    for player in range(1, PLAYERS):
        for i in range(int(v.discards[player])):
            passed = int(v.turns) - int(v.river_order[player, i])
            r[RECENT] += int(v.river[player, i] == tile and passed <= JUST_NOW)
        if tile < EAST:
            length = int(v.discards[player])
            last = int(v.river[player, length - 1]) if length else EAST
            r[LAST + player - 1] = int(last < EAST and last // RANKS == suit)
            for i in range(int(v.melds[player])):
                low = int(v.meld_kind[player, i])
                r[MELDED + player - 1] += int(low < EAST and low // RANKS == suit)


@kernel
def write_place(v: Any, kind: int, place: int, live: Any, r: Any) -> None:
    """Write how many tiles of a kind near to a discard are unseen and in the opponents' rivers."""
    r[UNSEEN + place] = live[kind]
    for player in range(1, PLAYERS):
        for i in range(int(v.discards[player])):
            r[RIVERS + (2 * WINDOW + 1) * (player - 1) + place] += int(v.river[player, i] == kind)


@kernel
def take_action(v: Any, action: int, own: Own, h: Hands, c: Context, s: Scratch, r: Any) -> None:
    """Write the numbers about an action: a discard, kong, call or pass."""
    draws_for = int(v.left) + (PLAYERS if action == PASS else 0)  # a call replaces a draw
    fill_chances(s.live, draws_for, h, s.chances)
    hand = s.hand
    if action == PASS:
        r[IS_PASS] = 1
        value = hand_value(hand, own.facts, own.kongs, own.sets, s.chances, h, s.sums)
        write_after(own, s.live, value, c, s.distances, r)
    elif action < KONG:
        write_tile(v, action, s.live, r)
        hand[action] -= 1
        value = hand_value(hand, own.facts, own.kongs, own.sets, s.chances, h, s.sums)
        hand[action] += 1
        write_after(
            Own(own.code - (1 << (2 * action)), own.facts, own.sets, own.kongs), s.live, value, c, s.distances, r
        )
    elif action < CHI:
        r[IS_KONG] = 1
        kind = action - KONG
        facts, kongs = own.facts | meld_fact(KONG_MELD, kind), own.kongs + 1
        hand[kind] -= COPIES
        value, discard = best_play(hand, facts, kongs, own.sets - 1, s.chances, h, s.sums)
        hand[kind] += COPIES
        code = own.code - (COPIES << (2 * kind)) - (1 << (2 * discard))
        write_after(Own(code, facts, own.sets - 1, kongs), s.live, value, c, s.distances, r)
    else:
        write_call(v, action, own, h, c, s, r)


@kernel
def write_call(v: Any, action: int, own: Own, h: Hands, c: Context, s: Scratch, r: Any) -> None:
    """Write the numbers about a chi or pong."""
    tile, pong = int(v.tile), action == PONG
    r[IS_CALL], r[IS_PONG] = 1, int(pong)
    low, step = tile if pong else tile - (action - CHI), 0 if pong else 1
    facts = own.facts | meld_fact(PONG_MELD if pong else CHI_MELD, low)
    s.hand[tile] += 1
    for i in range(COPIES):
        s.hand[low + step * i] -= 1
    value, discard = best_play(s.hand, facts, own.kongs, own.sets - 1, s.chances, h, s.sums)
    for i in range(COPIES):
        s.hand[low + step * i] += 1
    s.hand[tile] -= 1
    code = after_call(own.code, tile, action) - (1 << (2 * discard))
    write_after(Own(code, facts, own.sets - 1, own.kongs), s.live, value, c, s.distances, r)


@kernel
def read_hand(v: Any, h: Hands, s: Scratch) -> Own:
    """Read the player's hand and the tiles it has not seen."""
    code = 0
    for kind in range(NUM_KINDS):
        s.hand[kind] = v.hand[kind]
        code += int(v.hand[kind]) << (2 * kind)
        s.live[kind] = COPIES - int(v.hand[kind]) - int(v.seen[kind])
    return Own(code, meld_facts_of(v, 0), h.sets - int(v.melds[0]), count_melds(v, 0, KONG_MELD))


@kernel
def write_options(
    views: Any, h: Hands, rules: Any, shapes: Any, s: Scratch, first: Any, actions: Any, out: Any
) -> None:
    """Write the rows of all views; see `Options`."""
    c, at, about = Context(rules[0], shapes[0]), 0, len(s.position)
    for n in range(len(views)):
        v, start = views[n], at
        own = read_hand(v, h, s)
        write_position(v, own, c, s.distances, s.position)
        for action in range(NUM_ACTIONS):
            if (int(v.legal) >> action) & 1 == 0 or action == HU:
                continue
            out[at, :about] = s.position
            out[at, about:] = 0
            take_action(v, action, own, h, c, s, out[at, about:])
            actions[at] = action
            at += 1
        most = 0.0
        for i in range(start, at):
            most = max(most, out[i, about + VALUE])
        for i in range(start, at):
            out[i, about + SHARE] = np.log((out[i, about + VALUE] + LEAST_VALUE) / (most + LEAST_VALUE))
        first[n + 1] = at


def writer(game: Game) -> Writer:
    """A function that writes options in this game."""
    hands, context, numbers = make_hands(game.rules, DRAWS), new_context(game.rules), len(ABOUT_POSITION + ABOUT_OPTION)

    def write(views: Array) -> Options:
        legal, bits = views["legal"] & ~(1 << HU), np.zeros(len(views), np.int64)
        for action in range(NUM_ACTIONS):
            bits += (legal >> action) & 1
        first, rows = np.zeros(len(views) + 1, np.int64), int(bits.sum())
        actions, out = np.zeros(rows, np.int64), np.zeros((rows, numbers), np.float32)
        write_options(np.ascontiguousarray(views), hands, *context, new_scratch(), first, actions, out)
        return Options(first, actions, out)

    return write


SET: Final = OptionSet("simplified-options-1", ABOUT_POSITION, ABOUT_OPTION, ABOUT_OPTION[SHARE], HU, writer)
