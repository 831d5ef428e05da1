"""Prospects of Guobiao: distance, worth of the nearest plans, waits with enough fan, and the effect of each tile.

The worth of a hand comes from its plans (`guobiao.outlook`). A tile that a plan wants raises its worth by about the
cost of one missing tile: its worth per missing tile, as if all were equally likely.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.melds import CHI
from janshi.core.shanten import shanten_keys
from janshi.core.tables import ShantenTables
from janshi.core.tiles import COPIES, NUM_KINDS
from janshi.core.ukeire import useful_standard
from janshi.features.guobiao.outlook import DRAWS, OUTLOOK_DTYPE, find_lacks, held_of, lay, wanted, worth_of
from janshi.features.guobiao.plans import KIND_BITS, PLAN_PAY
from janshi.features.prospects import ProspectSet, Writer, to_byte
from janshi.rules.game import Game
from janshi.rules.guobiao.distance import keys_of
from janshi.rules.guobiao.evaluate import evaluate
from janshi.rules.guobiao.state import FIRST_FLOWER, MELDS, NONE, PLAYERS, TURN, Context, new_context
from janshi.rules.guobiao.winning import SHOWN_BEFORE_LAST, count_flowers

_OTHERS: Final = ("next player", "player across", "player before")
ABOUT_PLAYERS: Final = (
    "tiles missing for sets and a pair",
    "tiles missing for the nearest plan",
    "worth of the plans, logarithm",
    "melds",
    "winning tiles undrawn",
    "winning tiles in other hands",
    "fan of a self-drawn win, mean",
    "own draws left",
    "undrawn tiles",
)
ABOUT_TILES: Final = (
    "the drawing player wins: fan",
    "it completes the drawing player's hand, with any number of fan",
    "it brings the drawing player's sets and pair closer",
    "how much more the drawing player's plans are worth with it, logarithm",
    *(f"the {who} wins on it: fan" for who in _OTHERS),
    *(f"how much more the plans of the {who} would be worth with it, logarithm" for who in _OTHERS),
    "held by the drawing player",
    "undrawn",
)
MISSING, LACK, WORTH, OPEN, WAITS, HELD_BY_OTHERS, PAY, OWN_DRAWS, LEFT = range(len(ABOUT_PLAYERS))
WINS, COMPLETES, CLOSER, GAIN = range(4)
OTHERS_WIN: Final = GAIN + 1
OTHERS_GAIN: Final = OTHERS_WIN + PLAYERS - 1
HELD: Final = OTHERS_GAIN + PLAYERS - 1
UNDRAWN: Final = HELD + 1
WORTH_UNIT: Final = 10.0
GAIN_UNIT: Final = 16.0
"""Steps of the bytes for twice the worth."""
EVEN: Final = 128.0
"""The byte of a worth of one."""
LEAST: Final = 1e-9
MOST_LACK: Final = 15

SCRATCH_DTYPE = record_dtype([("outlook", OUTLOOK_DTYPE), ("gains", np.float64, (NUM_KINDS,))])


@kernel
def write_undrawn(s: Any, tiles: Any) -> int:
    """Count the tiles that could have come, without flowers: those of the walls and the drawn one."""
    total = 1
    for wall in range(PLAYERS if s.own_walls else 1):
        first = int(s.wall_size) * wall
        for at in range(first, first + int(s.left[wall])):
            if s.wall[at] < FIRST_FLOWER:
                tiles[int(s.wall[at]), UNDRAWN] += 1
                total += 1
    tiles[int(s.drawn), UNDRAWN] += 1
    return total


@kernel
def held_before(s: Any, player: int, kind: int) -> int:
    """Tiles of a kind in a player's hand before the draw."""
    return int(s.hand[player, kind]) - int(player == s.actor and kind == s.drawn)


@kernel
def set_up(s: Any, player: int, o: Any) -> None:
    """Begin a player's outlook from the hand before the draw, the melds, and the tiles that everybody sees."""
    o.unseen = o.gone = 0
    for kind in range(NUM_KINDS):
        o.hand[kind] = held_before(s, player, kind)
        o.live[kind] = max(COPIES - o.hand[kind] - int(s.seen[kind]), 0)
        o.unseen += o.live[kind]
        if o.live[kind] == 0:
            o.gone |= KIND_BITS[kind]
    o.melds = o.meld_bits = 0
    for i in range(int(s.melds[player])):
        lay(o, int(s.meld_type[player, i]) == CHI, int(s.meld_kind[player, i]))


@kernel
def fan_with(s: Any, player: int, tile: int, self_drawn: bool, c: Context) -> int:
    """Fan of the win on a tile, flowers included; 0 if there are too few."""
    w = c.win
    for kind in range(NUM_KINDS):
        w.hand[kind] = held_before(s, player, kind)
    w.hand[tile] += 1
    w.melds = s.melds[player]
    for i in range(MELDS):
        there = i < s.melds[player]
        w.meld_type[i] = s.meld_type[player, i] if there else 0
        w.meld_kind[i] = s.meld_kind[player, i] if there else 0
    w.win_kind, w.self_drawn = tile, self_drawn
    w.seat_wind, w.round_wind = (player + PLAYERS - int(s.dealer)) % PLAYERS, s.wind
    w.last_of_kind = s.seen[tile] == SHOWN_BEFORE_LAST
    w.last_tile = w.robbing = 0
    w.after_kong = self_drawn and s.after_kong == 1 and player == s.actor
    w.flowers = count_flowers(s, player)
    evaluate(w, c.score)
    return int(c.score.total) if c.score.fan >= c.rules.minimum_fan else 0


@kernel
def write_plans(s: Any, player: int, place: int, draws: int, scratch: Any, t: ShantenTables, r: Any) -> None:
    """Write the distance and worth of a player's plans, and the gain in worth from each tile."""
    o, gains, own = scratch.outlook, scratch.gains, r.players[place]
    set_up(s, player, o)
    keys, free = keys_of(o.hand), 4 - int(s.melds[player])
    held = held_of(keys)
    count = find_lacks(o, held, t)
    worth = max(worth_of(o, count, held, DRAWS * (1.0 + draws), t), LEAST)
    gains[:] = 0.0
    for i in range(count):
        plan = o.near[i]
        lack, now = int(o.lacks[plan]), o.weights[i]
        if lack > 0 and now > 0.0:
            more = now * ((PLAN_PAY[plan] / now) ** (1.0 / lack) - 1.0)
            kinds = wanted(o, held, plan, lack, t)
            for kind in range(NUM_KINDS):
                gains[kind] += more * ((kinds >> kind) & 1)
    shanten = shanten_keys(keys[0], keys[1], keys[2], keys[3], free, t)
    closer = useful_standard(keys[0], keys[1], keys[2], keys[3], free, shanten, t)
    for kind in range(NUM_KINDS):
        gain = to_byte(GAIN_UNIT * np.log2(1.0 + max(gains[kind], 0.0) / worth))
        r.tiles[kind, GAIN if place == 0 else OTHERS_GAIN + place - 1] = gain
        if place == 0:
            r.tiles[kind, CLOSER], r.tiles[kind, HELD] = (closer >> kind) & 1, o.hand[kind]
    own[MISSING], own[LACK] = shanten + 1, min(int(o.least), MOST_LACK)
    own[WORTH] = to_byte(EVEN + WORTH_UNIT * np.log2(worth))


@kernel
def write_waits(s: Any, player: int, place: int, c: Context, r: Any) -> None:
    """Write the tiles that complete a player's hand, and the payment for a win with each."""
    undrawn = elsewhere = fan = 0
    for kind in range(NUM_KINDS):
        if (int(s.waits[player]) >> kind) & 1 == 0:
            continue
        drawn = fan_with(s, player, kind, True, c)
        if drawn > 0:
            undrawn += int(r.tiles[kind, UNDRAWN])
            fan += drawn * int(r.tiles[kind, UNDRAWN])
        if place == 0:
            r.tiles[kind, WINS], r.tiles[kind, COMPLETES] = to_byte(drawn), 1
        called = fan_with(s, player, kind, False, c)
        if place > 0:
            r.tiles[kind, OTHERS_WIN + place - 1] = to_byte(called)
        for other in range(PLAYERS if called > 0 else 0):
            elsewhere += held_before(s, other, kind) if other != player else 0
    own = r.players[place]
    own[WAITS], own[HELD_BY_OTHERS], own[PAY] = to_byte(undrawn), to_byte(elsewhere), to_byte(fan / max(undrawn, 1))


@kernel
def write_prospects(states: Any, at: Any, players: Any, scratch: Any, frame: Any, tables: Any, out: Any) -> None:
    """Write the prospects of decisions; zeros for decisions that do not follow a draw."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    for i in range(len(at)):
        s, r = states[at[i]], out[i]
        r.players[:] = 0
        r.tiles[:] = 0
        r.drawn = 0
        if s.phase != TURN or s.actor != players[i] or s.drawn == NONE:
            continue
        r.drawn = s.drawn
        total = write_undrawn(s, r.tiles)
        for place in range(PLAYERS):
            player = (int(s.actor) + place) % PLAYERS
            draws = int(s.left[player]) if s.own_walls else int(s.left[0]) // PLAYERS
            write_plans(s, player, place, draws, scratch[0], c.tables, r)
            write_waits(s, player, place, c, r)
            own = r.players[place]
            own[OPEN], own[OWN_DRAWS], own[LEFT] = s.melds[player], to_byte(draws), to_byte(total)


def writer(game: Game) -> Writer:
    """A function that writes prospects of this game."""
    context, scratch = new_context(game.rules), np.zeros(1, SCRATCH_DTYPE)
    return lambda states, tables, players, out: write_prospects(states, tables, players, scratch, *context, out)


PROSPECTS: Final = ProspectSet("guobiao-prospects-1", PLAYERS, NUM_KINDS, ABOUT_PLAYERS, ABOUT_TILES, writer)
