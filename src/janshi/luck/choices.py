"""The luck of players' own random choices: action terms as in AIVAT, for players whose probabilities are known.

At each decision of a player who randomises, the luck is the value after the chosen action minus the mean value over
all actions, weighted by the player's own probabilities. Like the luck of draws, it has mean zero whatever the values
are. Players who never randomise have no such luck.

The value after a discard is that of the table before the next draw, or of the win if somebody can win on the discard.
A win is worth what it pays. After any other action, the value is that of the table before the tile was drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

import numpy as np

from janshi.agents.worths import Situation, Worths, worths
from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.features.riichi.knowledge import base_of_win, forget, learn_hands
from janshi.features.riichi.unseen_tiles import fill_pool
from janshi.luck.agent_styles import style_of, with_styles
from janshi.luck.features import WIDTH, write_table
from janshi.luck.games import PlayedGames
from janshi.luck.types import MEASURES, Array
from janshi.luck.value import ValueFunction, shipped
from janshi.luck.walk import STANDING_DTYPE, Bench, new_bench
from janshi.models.amounts import AMOUNTS, spread
from janshi.records.rebuild import begin
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.apply import answer
from janshi.rules.riichi.concealed import drop, kind_of, take
from janshi.rules.riichi.legal import is_legal
from janshi.rules.riichi.state import HAND_OVER, NONE, PLAYERS, REACTION, TURN, Context
from janshi.rules.riichi.view import VIEW_DTYPE, look

MOST: Final = 400
"""Space for the decisions of a hand, and for the legal actions of an average decision."""
ACTIONS: Final = 20

DECISION_DTYPE: Final = record_dtype(
    [
        ("hand", np.int32),
        ("first", np.int32),  # its first action in the list of all
        ("actions", np.int32),
        ("chosen", np.int32),  # which of them was taken
        ("standing", np.int32),
        ("player", np.int8),
    ]
)
OPTION_DTYPE: Final = record_dtype(
    [
        ("row", np.int32),  # a row of the table after it; NONE for a win
        ("action", np.int16),
        ("drawer", np.int8),  # who draws next in that table
        ("winner", np.int8),
        ("loser", np.int8),
        ("amounts", np.float32, (AMOUNTS,)),
    ]
)


@runtime_checkable
class Mixes(Protocol):
    """An agent that publishes the probability of each action."""

    def chances(self, views: Array) -> Array:
        """The probability of every action in each view, float[n, actions]."""


class Options(NamedTuple):
    """Space for the decisions of a hand."""

    decisions: Any  # DECISION_DTYPE
    options: Any  # OPTION_DTYPE
    rows: Any  # float32[n, WIDTH]
    views: Any  # VIEW_DTYPE
    standings: Any  # STANDING_DTYPE


def luck_of_choices(
    games: PlayedGames,
    players: Mapping[int, Mixes],
    seats: Array,
    value: ValueFunction | None = None,
) -> Array:
    """Luck of players who randomise, float64[games, measures, 4]; `seats`, int[games, 4], is who sits where."""
    value = value or shipped()
    total = np.zeros((len(games), len(MEASURES), PLAYERS))
    room = Options(
        np.zeros(MOST, DECISION_DTYPE),
        np.zeros(MOST * ACTIONS, OPTION_DTYPE),
        np.zeros((MOST * ACTIONS, WIDTH), np.float32),
        np.zeros(MOST, VIEW_DTYPE),
        np.zeros(8, STANDING_DTYPE),
    )
    bench, frame, used = new_bench(), games.frame(), np.zeros(4, np.int64)
    for number, hand in enumerate(games.hands):
        game = int(games.game[number])
        wanted = sum(1 << seat for seat in range(PLAYERS) if int(seats[game, seat]) in players)
        if not wanted:
            continue
        if not list_choices(games.hands[number : number + 1], games.answers, wanted, room, used, bench, *frame):
            raise ValueError(f"row {int(hand['row'])} cannot be replayed: its answers do not fit the rules")
        total[game] += _luck_of_hand(games, number, players, seats[game], value, room, used)
    return total


def _luck_of_hand(
    games: PlayedGames,
    number: int,
    players: Mapping[int, Mixes],
    seats: Array,
    value: ValueFunction,
    room: Options,
    used: Array,
) -> Array:
    """The luck of one hand's listed decisions, float64[measures, 4]."""
    decisions, options = room.decisions[: used[0]], room.options[: used[1]]
    at, hand = room.standings[: used[3]], games.hands[number]
    same = (np.full(len(at), int(hand[name])) for name in ("kyoku", "honba", "rules"))
    worth = worths(Situation(at["scores"].astype(np.int64), at["sticks"].astype(np.int64), *same), games.rules)
    owner = np.repeat(np.arange(len(decisions)), decisions["actions"])
    rows = room.rows[: used[2]]
    if value.styled:
        styles = np.array([[style_of(name) for name in games.names[int(games.game[number])]]], np.int8)
        rows = with_styles(rows, np.repeat(styles, len(rows), 0), _drawers(options, len(rows)))
    after = values_after(options, rows, decisions["standing"][owner], worth, value)
    chances = np.zeros(len(options))
    for who, player in players.items():
        mine = np.flatnonzero(seats[decisions["player"]] == who)
        if len(mine):
            given = np.asarray(player.chances(room.views[: used[0]][mine]), np.float64)
            rows = np.flatnonzero(np.isin(owner, mine))
            chances[rows] = given[np.searchsorted(mine, owner[rows]), options["action"][rows]]
    sums = np.bincount(owner, chances, len(decisions))
    if len(sums) and np.abs(sums - 1).max() > 1e-4:
        raise ValueError("a player's probabilities of the legal actions do not sum to one")
    mean = (chances[:, None, None] * after).sum(0)
    taken = after[decisions["first"] + decisions["chosen"]].sum(0)
    return np.asarray(taken - mean)


def _drawers(options: Array, rows: int) -> Array:
    """Who draws next in each table row."""
    drawers = np.zeros(rows, np.int64)
    there = options["row"] != NONE
    drawers[options["row"][there]] = options["drawer"][there]
    return drawers


def values_after(options: Array, rows: Array, standing: Array, worth: Worths, value: ValueFunction) -> Array:
    """The value after each action, float64[n, measures, 4]."""
    out = np.zeros((len(options), len(MEASURES), PLAYERS))
    won = options["row"] == NONE
    some = options[won]
    table = worth.wins[standing[won], some["winner"], some["loser"]]
    out[won] = np.einsum("na,nams->nms", some["amounts"], table)
    other = options[~won]
    if len(other):
        looked = rows[other["row"]][:, None]
        out[~won] = value.of_tables(looked, other["drawer"].astype(np.int64), worth, standing[~won])[:, 0]
    return out


@kernel
def list_choices(
    hands: Any, answers: Any, wanted: int, out: Options, used: Any, bench: Bench, frame: Any, tables: Any
) -> bool:
    """List the decisions of some players (a bit set) in one hand, with every legal action.

    Writes the numbers of decisions, actions, rows and standings into `used`, int64[4]. False if the answers do not
    fit.
    """
    used[:] = 0
    h, s = hands[0], bench.states[0]
    c = Context(frame[int(h.rules)].rules, tables[0], frame[0].win, frame[0].score)
    begin(s, h, c)
    forget(bench.known)
    forget(bench.tried)
    given, end = int(h.first), int(h.first) + int(h.decisions)
    while s.phase < HAND_OVER:
        asked, first = int(s.asked), given
        for player in range(PLAYERS):
            if (asked >> player) & 1:
                if given >= end or not is_legal(s, player, int(answers[given])):
                    return False
                full = used[0] >= len(out.decisions) or used[1] + act.NUM_ACTIONS > len(out.options)
                if (wanted >> player) & 1 and not full:
                    list_decision(s, player, int(answers[given]), out, used, bench, c)
                given += 1
        for player in range(PLAYERS):
            if (asked >> player) & 1:
                answer(s, player, int(answers[first]), c)
                first += 1
    return given == end


@kernel
def list_decision(s: Any, player: int, chosen: int, out: Options, used: Any, bench: Bench, c: Context) -> None:
    """List one decision if it has several legal actions."""
    n = used[3]
    same = n > 0
    for other in range(PLAYERS):
        same = same and out.standings[n - 1].scores[other] == s.scores[other]
    if not same:
        out.standings[n].scores[:] = s.scores
        out.standings[n].sticks = s.sticks
        used[3] += 1
    d = out.decisions[used[0]]
    d.first, d.actions, d.chosen = used[1], 0, 0
    d.player, d.standing = player, used[3] - 1
    look(s, player, int(c.rules.red_fives), out.views[used[0]])
    still = used[2]
    write_still(s, player, out, used, bench, c)
    for action in range(act.NUM_ACTIONS):
        if is_legal(s, player, action):
            o = out.options[used[1]]
            o.action, o.row, o.drawer, o.winner = action, still, player, NONE
            if action == act.TSUMO or action == act.RON:
                write_win(s, player, int(s.actor), s.phase == TURN, o, c)
            elif s.phase == TURN and action <= act.TSUMOGIRI and not s.declaring:
                write_discard(s, player, action, o, out, used, bench, c)
            if action == chosen:
                d.chosen = d.actions
            d.actions += 1
            used[1] += 1
    used[0] += 1


@kernel
def write_win(s: Any, winner: int, loser: int, tsumo: bool, o: Any, c: Context) -> None:
    """Mark an action as a win, with its payer and amount."""
    o.row, o.winner, o.loser = NONE, winner, winner if tsumo else loser
    o.amounts[:] = 0.0
    tile = int(s.drawn) if tsumo else int(s.tile)
    if tsumo:
        drop(s, winner, tile)
    base = base_of_win(s, winner, kind_of(tile), tsumo, c)
    if tsumo:
        take(s, winner, tile)
    spread(float(max(base, 240)), 1.0, o.amounts)


@kernel
def write_discard(s: Any, player: int, action: int, o: Any, out: Options, used: Any, bench: Bench, c: Context) -> None:
    """Write the table after a discard: a win for somebody, or a row before the next draw."""
    t = bench.states[2]
    bench.states[2] = s
    answer(t, player, action, c)
    if t.phase == REACTION:
        for other in range(1, PLAYERS):
            rival = (player + other) % PLAYERS
            if (int(t.asked) >> rival) & 1 and is_legal(t, rival, act.RON):
                write_win(t, rival, player, False, o, c)
                return
    drawer = (player + 1) % PLAYERS
    if t.phase == TURN and t.drawn != NONE:
        drop(t, int(t.actor), int(t.drawn))
        t.left += 1
    o.row, o.drawer = used[2], drawer
    write_row(t, drawer, out, used, bench, c)


@kernel
def write_still(s: Any, player: int, out: Options, used: Any, bench: Bench, c: Context) -> None:
    """Write the current table, without the drawn tile."""
    t = bench.states[2]
    bench.states[2] = s
    if t.phase == TURN and t.drawn != NONE:
        drop(t, int(t.actor), int(t.drawn))
    write_row(t, player, out, used, bench, c)


@kernel
def write_row(t: Any, drawer: int, out: Options, used: Any, bench: Bench, c: Context) -> None:
    """Write a row of a table."""
    pool = bench.scratch[0].pool
    total = fill_pool(t, int(c.rules.red_fives), pool)
    learn_hands(t, bench.tried, c)
    write_table(t, bench.tried, pool, total, drawer, False, out.rows[used[2]])
    used[2] += 1
