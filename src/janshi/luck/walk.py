"""Walking through played hands: every chance event, with the input of the value function before and after it.

The engine replays a hand's answers. Whenever a tile comes from the wall, the position just before it is encoded as a
row of numbers, with another row for each tile that could have come. Between two events, only players act.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import NUM_IDS, NUM_KINDS
from janshi.features.riichi.knowledge import KNOWN_DTYPE, forget, learn_hands
from janshi.features.riichi.unseen_tiles import NUM_TILES, blank_indicator, fill_pool, id_of_tile
from janshi.luck.features import TILE, WIDTH, write_prospect, write_table, write_tile, write_tiles
from janshi.luck.types import DEAL, DORA, DRAW, KAN_DORA, URA
from janshi.records.rebuild import begin
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.apply import answer
from janshi.rules.riichi.concealed import drop, kind_of, take, tile_of
from janshi.rules.riichi.deal import FIRST_INDICATOR
from janshi.rules.riichi.legal import is_legal
from janshi.rules.riichi.state import HAND_OVER, NONE, PLAYERS, RON_WIN, STATE_DTYPE, TSUMO_WIN, Context

DEALS: Final = 32
"""Number of independent deals to compare a deal with."""
STREAM: Final = 0x6C75636B
"""Key of the random stream for independent deals."""

CHANCE_DTYPE: Final = record_dtype(
    [
        ("hand", np.int32),
        ("row", np.int32),  # its first row of a table
        ("rows", np.int16),  # how many it has: one for a draw
        ("place", np.int32),  # its tile rows (draws) or its scores (ura); -1 for none
        ("standing", np.int32),
        ("kind", np.int8),
        ("player", np.int8),  # who draws; for the others who draws next
        ("tile", np.int8),  # what came: its place among the alternatives
        ("turn", np.int8),
        ("left", np.int8),
        ("weight", np.float32, (NUM_TILES,)),  # probabilities of the alternatives
    ]
)
"""A chance event. A deal's rows are the deal itself and independent ones; those of an indicator are by tile."""

STANDING_DTYPE: Final = record_dtype(
    [
        ("hand", np.int32),
        ("scores", np.int32, (PLAYERS,)),
        ("sticks", np.int16),
    ]
)
"""Scores and sticks in the middle of a hand: a riichi changes them."""

END_DTYPE: Final = record_dtype(
    [
        ("scores", np.int32, (PLAYERS,)),
        ("points", np.int32),  # of the (largest) win, without honba and sticks
        ("sticks", np.int16),
        ("result", np.int8),
        ("winner", np.int8),  # NONE for draws
        ("loser", np.int8),  # the winner for a self-drawn win
        ("tenpai", np.int8),
        ("stays", np.int8),
    ]
)
"""How a hand ended."""

SCRATCH_DTYPE: Final = record_dtype(
    [
        ("hand", np.int8, (NUM_KINDS,)),
        ("visible", np.int8, (NUM_KINDS,)),
        ("shantens", np.int8, (NUM_KINDS,)),
        ("counts", np.int16, (NUM_KINDS,)),
        ("pool", np.int16, (NUM_TILES,)),
        ("ids", np.uint8, (NUM_IDS,)),
    ]
)

URA_MOST: Final = 64
"""Room for ura indicators beyond one a hand."""
LONGEST: Final = 100
"""Most events of a hand."""
INDICATOR_ROWS: Final = NUM_TILES


class Walked(NamedTuple):
    """Output arrays for some hands."""

    chances: Any  # CHANCE_DTYPE
    rows: Any  # float32[n, WIDTH]
    tiles: Any  # float32[n, 37, TILE]; with one tile a draw float32[n, 1, TILE]
    ura: Any  # int32[n, 37, 4]
    standings: Any  # STANDING_DTYPE
    ends: Any  # END_DTYPE[hands]


class Bench(NamedTuple):
    """Scratch space: states, knowledge of hands, small arrays. Not shared between threads."""

    states: Any  # STATE_DTYPE[3]: the table, a copy before the last answers, a copy to try things on
    known: Any
    tried: Any
    scratch: Any


def new_bench() -> Bench:
    """Scratch space for one thread."""
    return Bench(
        np.zeros(3, STATE_DTYPE),
        np.zeros(PLAYERS, KNOWN_DTYPE),
        np.zeros(PLAYERS, KNOWN_DTYPE),
        np.zeros(1, SCRATCH_DTYPE),
    )


def new_room(hands: int, whole: bool) -> Walked:
    """Allocate room for `hands` hands; with `whole` for every tile that could have come, else for what came."""
    rows = hands * (LONGEST + (DEALS + 2 * INDICATOR_ROWS if whole else 4))
    return Walked(
        np.zeros(hands * LONGEST, CHANCE_DTYPE),
        np.zeros((rows, WIDTH), np.float32),
        np.zeros((hands * LONGEST, NUM_TILES if whole else 1, TILE), np.float32),
        np.zeros((hands + URA_MOST, NUM_TILES, PLAYERS), np.int32),
        np.zeros(hands * 6, STANDING_DTYPE),
        np.zeros(hands, END_DTYPE),
    )


@kernel
def walk_hands(
    hands: Any, answers: Any, whole: bool, out: Walked, used: Any, bench: Bench, frame: Any, tables: Any
) -> int:
    """Walk through hands (STORED_DTYPE) while there is room; returns their number, or -1 - i if hand i is invalid.

    `used` int64[5] gets the numbers of events, rows, tile rows, standings and ura indicators written.
    """
    used[:] = 0
    for i in range(len(hands)):
        full = i >= len(out.ends) or used[0] + LONGEST > len(out.chances) or used[3] + 6 > len(out.standings)
        full = full or used[4] + 5 > len(out.ura)
        if full or used[1] + LONGEST + DEALS + 5 * INDICATOR_ROWS > len(out.rows):
            return i
        c = Context(frame[int(hands[i].rules)].rules, tables[0], frame[0].win, frame[0].score)
        if not walk_hand(hands[i], i, answers, whole, out, used, bench, c):
            return -1 - i
    return len(hands)


@kernel
def walk_hand(h: Any, number: int, answers: Any, whole: bool, out: Walked, used: Any, bench: Bench, c: Context) -> bool:
    """Walk through one hand; False if its answers are illegal."""
    s, before = bench.states[0], bench.states[1]
    begin(s, h, c)
    forget(bench.known)
    forget(bench.tried)
    note_standing(s, number, out, used)
    walk_deal(s, number, whole, out, used, bench, c)
    note_draw(s, number, whole, out, used, bench, c)
    given, end = int(h.first), int(h.first) + int(h.decisions)
    while s.phase < HAND_OVER:
        asked = int(s.asked)
        first = given
        for player in range(PLAYERS):
            if (asked >> player) & 1:
                if given >= end or not is_legal(s, player, int(answers[given])):
                    return False
                given += 1
        wins = claims_win(s, asked, answers, first)
        if wins:
            bench.states[1] = s
        indicators, draws, taken = int(s.indicators), int(s.next_draw), int(s.replacements)
        give(s, asked, answers, first, c)
        if s.phase == HAND_OVER:
            if wins and whole:
                note_ura(s, before, number, asked, answers, first, out, used, bench, c)
            break
        note_standing(s, number, out, used)
        drew = int(s.next_draw) != draws or int(s.replacements) != taken
        if int(s.indicators) != indicators:
            note_indicator(s, number, drew, whole, out, used, bench, c)
        if drew:
            note_draw(s, number, whole, out, used, bench, c)
    if given != end:
        return False
    note_end(s, out.ends[number])
    return True


@kernel
def claims_win(s: Any, asked: int, answers: Any, first: int) -> bool:
    """Whether one of the answers of a player in riichi is a win."""
    for player in range(PLAYERS):
        if (asked >> player) & 1:
            action = int(answers[first])
            if s.riichi[player] and (action == act.TSUMO or action == act.RON):
                return True
            first += 1
    return False


@kernel
def give(s: Any, asked: int, answers: Any, first: int, c: Context) -> None:
    """Give the engine the answers of all asked players."""
    for player in range(PLAYERS):
        if (asked >> player) & 1:
            answer(s, player, int(answers[first]), c)
            first += 1


@kernel
def note_standing(s: Any, number: int, out: Walked, used: Any) -> None:
    """Write scores and sticks if they changed."""
    n = used[3]
    same = n > 0 and out.standings[n - 1].hand == number
    for player in range(PLAYERS):
        same = same and out.standings[n - 1].scores[player] == s.scores[player]
    if not same:
        out.standings[n].hand = number
        out.standings[n].scores[:] = s.scores
        out.standings[n].sticks = s.sticks
        used[3] += 1


@kernel
def new_chance(s: Any, number: int, kind: int, player: int, tile: int, out: Walked, used: Any) -> int:
    """Start an event; returns its place."""
    at = int(used[0])
    e = out.chances[at]
    e.hand, e.kind, e.player, e.tile = number, kind, player, tile
    e.turn, e.left = s.turns, s.left
    e.row, e.rows, e.place = used[1], 0, -1
    e.standing = used[3] - 1
    e.weight[:] = 0.0
    used[0] += 1
    return at


@kernel
def add_row(
    s: Any, known: Any, player: int, dead: bool, out: Walked, used: Any, at: int, bench: Bench, c: Context
) -> None:
    """Add a row with the current table to an event."""
    pool = bench.scratch[0].pool
    total = fill_pool(s, int(c.rules.red_fives), pool)
    learn_hands(s, known, c)
    write_table(s, known, pool, total, player, dead, out.rows[used[1]])
    used[1] += 1
    out.chances[at].rows += 1


# --- draws


@kernel
def note_draw(s: Any, number: int, whole: bool, out: Walked, used: Any, bench: Bench, c: Context) -> None:
    """Write the draw just made: the table before it, and the tiles that could have come."""
    player, tile = int(s.actor), int(s.drawn)
    drop(s, player, tile)
    at = new_chance(s, number, DRAW, player, tile, out, used)
    out.chances[at].left += 0 if s.from_dead_wall else 1
    s.left += 0 if s.from_dead_wall else 1
    add_row(s, bench.known, player, s.from_dead_wall != 0, out, used, at, bench, c)
    pool = bench.scratch[0].pool
    total = 0
    for other in range(NUM_TILES):
        total += int(pool[other])
    for other in range(NUM_TILES):
        out.chances[at].weight[other] = pool[other] / total
    place = used[2]
    out.chances[at].place = place
    if whole:
        write_tiles(s, bench.known, pool, player, bench.scratch[0], out.tiles[place], c)
    else:
        write_one_tile(s, bench.known, pool, player, tile, bench.scratch[0], out.tiles[place, 0], c)
    used[2] += 1
    s.left -= 0 if s.from_dead_wall else 1
    take(s, player, tile)


@kernel
def write_one_tile(s: Any, known: Any, pool: Any, player: int, tile: int, scratch: Any, x: Any, c: Context) -> None:
    """Write the row of the one tile that came."""
    x[:] = 0.0
    write_tile(s, known, player, tile, x)
    write_prospect(s, known, pool, player, tile, scratch, x, c)


# --- indicators


@kernel
def note_indicator(
    s: Any, number: int, drew: bool, whole: bool, out: Walked, used: Any, bench: Bench, c: Context
) -> None:
    """Write the kan dora just turned: before the tile drawn with it, if one was."""
    player, tile = int(s.actor), int(s.drawn)
    if drew:
        drop(s, player, tile)
        s.left += 0 if s.from_dead_wall else 1
    try_indicators(s, number, KAN_DORA, player if drew else next_player(s), whole, out, used, bench, c)
    if drew:
        s.left -= 0 if s.from_dead_wall else 1
        take(s, player, tile)


@kernel
def next_player(s: Any) -> int:
    """Who draws next if nobody calls."""
    return (int(s.actor) + 1) % PLAYERS


@kernel
def try_indicators(
    s: Any, number: int, kind: int, player: int, whole: bool, out: Walked, used: Any, bench: Bench, c: Context
) -> None:
    """Write an event of the last indicator: the table as it is, or with each indicator that could have been turned."""
    place = FIRST_INDICATOR + 2 * (int(s.indicators) - 1)
    came, reds = int(s.wall[place]), int(c.rules.red_fives)
    at = new_chance(s, number, kind, player, tile_of(came, reds), out, used)
    if not whole:
        add_row(s, bench.known, player, False, out, used, at, bench, c)
        return
    t = bench.states[2]
    bench.states[2] = s
    t.indicators -= 1
    t.seen[came >> 2] -= 1
    total = fill_pool(t, reds, bench.scratch[0].pool)
    weights = out.chances[at].weight
    for tile in range(NUM_TILES):
        weights[tile] = bench.scratch[0].pool[tile] / total
    t.indicators += 1
    bench.tried[:] = bench.known
    for tile in range(NUM_TILES):
        if weights[tile] > 0:
            t.wall[place] = id_of_tile(tile, reds)
            t.seen[kind_of(tile)] += 1
            for other in range(PLAYERS):
                bench.tried[other].indicators = -1
            add_row(t, bench.tried, player, False, out, used, at, bench, c)
            t.seen[kind_of(tile)] -= 1
        else:
            used[1] += 1
            out.chances[at].rows += 1


# --- the deal


@kernel
def walk_deal(s: Any, number: int, whole: bool, out: Walked, used: Any, bench: Bench, c: Context) -> None:
    """Write the deal, beside independent ones, and the first indicator; the dealer has drawn already."""
    player, tile = int(s.actor), int(s.drawn)
    drop(s, player, tile)
    s.left += 1
    came = int(s.wall[FIRST_INDICATOR])
    s.indicators = 0
    s.seen[came >> 2] -= 1
    at = new_chance(s, number, DEAL, player, NONE, out, used)
    add_row(s, bench.known, player, False, out, used, at, bench, c)
    if whole:
        deal_again(s, player, out, used, at, bench, c)
    s.indicators = 1
    s.seen[came >> 2] += 1
    try_indicators(s, number, DORA, player, whole, out, used, bench, c)
    s.left -= 1
    take(s, player, tile)


@kernel
def deal_key(s: Any) -> np.uint64:
    """Key of a deal's random stream: equal for the same deal from any source, different for other deals.

    A stream shared by all hands of one situation would put the same error into all of them.
    """
    key = rng.key(STREAM, int(s.kyoku), int(s.honba))
    for player in range(PLAYERS):
        for kind in range(0, NUM_KINDS, 2):
            pair = 5 * int(s.hand[player, kind]) + int(s.hand[player, kind + 1])
            key = rng.mix(key ^ (np.uint64(pair) + rng.GAMMA))
    return key


@kernel
def deal_again(s: Any, player: int, out: Walked, used: Any, at: int, bench: Bench, c: Context) -> None:
    """Write rows of independent deals, different for every deal."""
    t, ids = bench.states[2], bench.scratch[0].ids
    bench.states[2] = s
    stream = deal_key(s)
    reds = int(c.rules.red_fives)
    for _ in range(DEALS):
        for i in range(NUM_IDS):
            ids[i] = i
        stream = rng.shuffle(ids, stream)
        t.hand[:] = 0
        t.reds[:] = 0
        for i in range(13 * PLAYERS):
            take(t, i % PLAYERS, tile_of(ids[i], reds))
        add_row(t, bench.tried, player, False, out, used, at, bench, c)


# --- the end


@kernel
def note_ura(
    s: Any,
    before: Any,
    number: int,
    asked: int,
    answers: Any,
    first: int,
    out: Walked,
    used: Any,
    bench: Bench,
    c: Context,
) -> None:
    """Write, for each ura indicator in turn, the scores after the win with every tile it could have been.

    Later indicators are left blank: they point to a kind that no winner holds.
    """
    if not c.rules.ura_dora:
        return
    reds, shown, t = int(c.rules.red_fives), int(before.indicators), bench.states[2]
    pool = bench.scratch[0].pool
    total = fill_pool(before, reds, pool)
    blank = blank_indicator(before, int(s.winners))
    for i in range(shown):
        place = FIRST_INDICATOR - 1 + 2 * i
        came = tile_of(before.wall[place], reds)
        at = new_chance(s, number, URA, -1, came, out, used)
        e = out.chances[at]
        e.place = used[4]
        scores = out.ura[used[4]]
        used[4] += 1
        for tile in range(NUM_TILES):
            e.weight[tile] = pool[tile] / total
            scores[tile, :] = s.scores
            if pool[tile] > 0:
                bench.states[2] = before
                t.wall[place] = id_of_tile(tile, reds)
                for later in range(i + 1, shown):
                    t.wall[FIRST_INDICATOR - 1 + 2 * later] = id_of_tile(blank, reds)
                give(t, asked, answers, first, c)
                scores[tile, :] = t.scores
        pool[came] -= 1
        total -= 1


@kernel
def note_end(s: Any, end: Any) -> None:
    """Write how the hand ended."""
    end.scores[:] = s.scores
    end.sticks = s.sticks
    end.result = s.result
    end.tenpai = s.tenpai
    end.stays = s.dealer_stays
    end.winner, end.loser, end.points = NONE, NONE, 0
    if s.result == TSUMO_WIN or s.result == RON_WIN:
        for player in range(PLAYERS):
            if (int(s.winners) >> player) & 1 and s.win_points[player] > end.points:
                end.points = s.win_points[player]
                end.winner = player
        end.loser = s.actor
