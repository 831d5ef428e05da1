"""Kernels that play recorded hands through the engine, checking every row of their scripts.

At each question of the engine, the recorded action must be legal and its player must be asked; other asked players
pass. Draws, indicators and sticks that the engine handles by itself must come at the same moment in the script. All
answers are stored in the order of asking (players asked together by seat); together with the wall, they are the whole
hand.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import NUM_IDS, NUM_KINDS
from janshi.records.script import DRAW, HAND_SIZE, PAID, TURNED
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.apply import answer
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.deal import DEAD_WALL, FIRST_INDICATOR, REPLACEMENT_PLACES
from janshi.rules.riichi.dora import count_dora, count_reds
from janshi.rules.riichi.ending import end_game, game_is_over, pass_the_deal, start_hand
from janshi.rules.riichi.legal import is_legal
from janshi.rules.riichi.payment import liable_player
from janshi.rules.riichi.points import YAKUMAN, limit_of
from janshi.rules.riichi.ruleset import STICK
from janshi.rules.riichi.state import (
    HAND_OVER,
    INDICATORS,
    MELDS,
    NEW,
    NONE,
    PLAYERS,
    REACTION,
    RON_WIN,
    TSUMO_WIN,
    TURN,
    Context,
)

MAX_ANSWERS: Final = PLAYERS
"""Maximum number of answers per row of a script: three players and the actor. A hand's answers begin at `4 * first`."""

# How following a script ended
AGREED, NOT_LEGAL, NOT_ASKED, WRONG_DRAW, WRONG_DORA, WRONG_STICK, ENDED_EARLY, GOES_ON, NO_WALL, OTHER_WALL = range(10)

OUTCOME_DTYPE: Final = record_dtype(
    [
        ("code", np.int8),
        ("player", np.int8),  # the player of a disagreement
        ("row", np.int32),  # rows followed
        ("answers", np.int32),  # answers written
        ("left", np.int8),
        ("turned", np.int8),
        ("paid", np.int8),
        ("paid_by", np.int8, (PLAYERS,)),
        # the result
        ("result", np.int8),
        ("winners", np.int8),
        ("tenpai", np.int8),
        ("actor", np.int8),
        ("tile", np.int8),
        ("indicators", np.int8),
        ("sticks", np.int8),
        ("win_sticks", np.int8),
        ("changes", np.int32, (PLAYERS,)),  # riichi sticks paid in the hand left out
        ("yaku", np.int64, (PLAYERS,)),
        ("points", np.int32, (PLAYERS,)),
        ("han", np.int8, (PLAYERS,)),
        ("fu", np.int16, (PLAYERS,)),
        ("yakuman", np.int8, (PLAYERS,)),
        ("limit", np.int8, (PLAYERS,)),
        ("dora", np.int8, (PLAYERS,)),
        ("ura", np.int8, (PLAYERS,)),
        ("red", np.int8, (PLAYERS,)),
        ("liable", np.int8, (PLAYERS,)),
        ("open_melds", np.int8, (PLAYERS,)),
        ("melds", np.int8, (PLAYERS,)),
        ("meld_type", np.int8, (PLAYERS, MELDS)),
        ("meld_kind", np.int8, (PLAYERS, MELDS)),
        ("riichi", np.int8, (PLAYERS,)),
        ("hand", np.int8, (PLAYERS, NUM_KINDS)),  # concealed tiles, a tile won by ron included
        ("reds", np.int8, (PLAYERS,)),
        # the next situation
        ("over", np.int8),
        ("next_kyoku", np.int8),
        ("next_honba", np.int8),
        ("scores", np.int32, (PLAYERS,)),  # final ones if the game is over
    ]
)


class Outcome(NamedTuple):
    """An element of OUTCOME_DTYPE as Python values."""

    code: int
    player: int
    row: int
    answers: int
    left: int
    turned: int
    paid: int
    paid_by: list[int]
    result: int
    winners: int
    tenpai: int
    actor: int
    tile: int
    indicators: int
    sticks: int
    win_sticks: int
    changes: list[int]
    yaku: list[int]
    points: list[int]
    han: list[int]
    fu: list[int]
    yakuman: list[int]
    limit: list[int]
    dora: list[int]
    ura: list[int]
    red: list[int]
    liable: list[int]
    open_melds: list[int]
    melds: list[int]
    meld_type: list[list[int]]
    meld_kind: list[list[int]]
    riichi: list[int]
    hand: list[list[int]]
    reds: list[int]
    over: int
    next_kyoku: int
    next_honba: int
    scores: list[int]


@kernel
def follow_tables(hands: Any, script: Any, answers: Any, outcomes: Any, states: Any, frame: Any, tables: Any) -> None:
    """Follow many hands: HAND_DTYPE[h], int16[n, 3], uint8[4 n] (written), OUTCOME_DTYPE[h] (written), one table."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    for i in range(len(hands)):
        follow(states[0], hands[i], script, answers, outcomes[i], c)


@kernel
def follow(s: Any, h: Any, script: Any, answers: Any, o: Any, c: Context) -> None:
    """Play one hand from its wall along its script; writes how far it agreed, and the result if it did, into `o`."""
    set_up(s, h, o)
    lay_wall(h, script, o)
    if o.code != AGREED:
        return
    s.wall[:] = h.wall
    start_hand(s, c)
    while s.phase < HAND_OVER and o.code == AGREED:
        catch_up(s, h, script, o)
        if o.code == AGREED and s.phase == TURN:
            act_on_turn(s, h, script, answers, o, c)
        elif o.code == AGREED:
            react(s, h, script, answers, o, c)
    if o.code == AGREED:
        close(s, h, script, o)
    if o.code == AGREED:
        write_result(s, o, c)


@kernel
def set_up(s: Any, h: Any, o: Any) -> None:
    """Put the hand's situation on the table."""
    s.kyoku = h.kyoku
    s.honba = h.honba
    s.sticks = h.sticks
    s.stop_after_hand = 0
    s.scores[:] = h.scores
    s.decisions = 0
    s.phase = NEW
    o.code = AGREED
    o.player = NONE
    o.row = 0
    o.answers = 0
    o.left = NUM_IDS - DEAD_WALL - HAND_SIZE * PLAYERS
    o.turned = 0
    o.paid = 0
    o.paid_by[:] = 0


@kernel
def lay_wall(h: Any, script: Any, o: Any) -> None:
    """Put every tile that the record shows at its place in the wall, and the other tiles at the other places.

    If the wall is given, it is compared instead.
    """
    h.seen[:] = NONE
    see_deals(h, o)
    see_draws(h, script, o)
    for i in range(INDICATORS):
        if h.ura[i] != NONE:
            see(h, FIRST_INDICATOR - 1 + 2 * i, int(h.ura[i]), o)
    if h.seeded:
        for place in range(NUM_IDS):
            if h.seen[place] != NONE and h.seen[place] != h.wall[place]:
                disagree(o, OTHER_WALL, NONE)
    elif o.code == AGREED:
        fill_wall(h, o)


@kernel
def see(h: Any, place: int, tile: int, o: Any) -> None:
    """A tile of the record must have been at this place."""
    if tile < 0 or tile >= NUM_IDS or (h.seen[place] != NONE and h.seen[place] != tile):
        disagree(o, NO_WALL, NONE)
    else:
        h.seen[place] = tile


@kernel
def see_deals(h: Any, o: Any) -> None:
    """Deals: 4, 4, 4 and 1 tiles, from the dealer on."""
    place = NUM_IDS - 1
    for i in range(HAND_SIZE):
        if i % 4 == 0:  # the next block of four, or the last tile
            for j in range(PLAYERS):
                player = (int(h.kyoku) + j) % PLAYERS
                for k in range(i, min(i + 4, HAND_SIZE)):
                    see(h, place, int(h.deals[player, k]), o)
                    place -= 1


@kernel
def see_draws(h: Any, script: Any, o: Any) -> None:
    """Draws from the live wall and after kans, and dora indicators."""
    see(h, FIRST_INDICATOR, int(h.indicator), o)
    place, kans, turned, after_kan = NUM_IDS - 1 - HAND_SIZE * PLAYERS, 0, 1, False
    for row in range(int(h.first), int(h.end)):
        action, tile = int(script[row, 0]), int(script[row, 2])
        if act.OPEN_KAN <= action < act.TSUMO:
            after_kan = True
        elif action == TURNED and turned < INDICATORS:
            see(h, FIRST_INDICATOR + 2 * turned, tile, o)
            turned += 1
        elif action == DRAW and after_kan and kans < len(REPLACEMENT_PLACES):
            see(h, REPLACEMENT_PLACES[kans], tile, o)
            kans += 1
            after_kan = False
        elif action == DRAW and not after_kan and place >= DEAD_WALL + kans:
            see(h, place, tile, o)
            place -= 1
        elif action == TURNED or action == DRAW:  # noqa: SIM109
            disagree(o, NO_WALL, NONE)


@kernel
def fill_wall(h: Any, o: Any) -> None:
    """Lay the wall: seen tiles in their places, the others in ascending order in the remaining places."""
    used = np.zeros(NUM_IDS, np.bool_)
    for place in range(NUM_IDS):
        if h.seen[place] != NONE:
            if used[h.seen[place]]:
                disagree(o, NO_WALL, NONE)
            used[h.seen[place]] = True
    tile = 0
    for place in range(NUM_IDS):
        if h.seen[place] != NONE:
            h.wall[place] = h.seen[place]
        elif o.code == AGREED:
            while used[tile]:
                tile += 1
            h.wall[place] = tile
            tile += 1


@kernel
def disagree(o: Any, code: int, player: int) -> None:
    """Note the first disagreement."""
    o.code = code
    o.player = player


@kernel
def next_action(h: Any, script: Any, o: Any) -> int:
    """The action of the next row, or NONE at the script's end."""
    at = int(h.first) + int(o.row)
    return int(script[at, 0]) if at < h.end else NONE


@kernel
def next_player(h: Any, script: Any, o: Any) -> int:
    """The player of the next row."""
    return int(script[int(h.first) + int(o.row), 1])


@kernel
def skip_shown(h: Any, script: Any, o: Any) -> None:
    """Take the rows of indicators turned and sticks paid that come next."""
    action = next_action(h, script, o)
    while action in (TURNED, PAID):
        if action == TURNED:
            o.turned += 1
        else:
            o.paid += 1
            o.paid_by[next_player(h, script, o)] += 1
        o.row += 1
        action = next_action(h, script, o)


@kernel
def catch_up(s: Any, h: Any, script: Any, o: Any) -> None:
    """Compare what the engine drew, turned and paid by itself with the rows of the script."""
    if s.left != o.left:
        o.left = s.left
        skip_shown(h, script, o)
        check_draw(s, h, script, o)
    elif s.phase == REACTION and next_action(h, script, o) == TURNED:
        skip_shown(h, script, o)
    if o.code == AGREED:
        check_shown(s, h, o, int(s.sticks))


@kernel
def check_draw(s: Any, h: Any, script: Any, o: Any) -> None:
    """The engine has drawn: the script must have the same draw, by player and tile."""
    action = next_action(h, script, o)
    if action == NONE:
        disagree(o, GOES_ON, int(s.actor))
    elif action != DRAW:
        disagree(o, NOT_ASKED, next_player(h, script, o))
    elif next_player(h, script, o) != s.actor or script[int(h.first) + int(o.row), 2] != drawn_id(s):
        disagree(o, WRONG_DRAW, int(s.actor))
    else:
        o.row += 1


@kernel
def drawn_id(s: Any) -> int:
    """The id of the tile last drawn."""
    if s.from_dead_wall:
        return int(s.wall[REPLACEMENT_PLACES[int(s.replacements) - 1]])
    return int(s.wall[int(s.next_draw) + 1])


@kernel
def check_shown(s: Any, h: Any, o: Any, sticks: int) -> None:
    """Check that the script has as many indicators turned and sticks paid as the engine."""
    if s.indicators != o.turned + 1:
        disagree(o, WRONG_DORA, NONE)
    elif sticks != h.sticks + o.paid:
        disagree(o, WRONG_STICK, int(s.actor))


@kernel
def act_on_turn(s: Any, h: Any, script: Any, answers: Any, o: Any, c: Context) -> None:
    """The actor is asked: take the recorded action (an open kan's indicator comes just before the discard)."""
    skip_shown(h, script, o)
    action = next_action(h, script, o)
    if action == NONE:
        disagree(o, GOES_ON, int(s.actor))
        return
    player = next_player(h, script, o)
    if player != s.actor or action >= DRAW:
        disagree(o, NOT_ASKED, player)
    elif take(s, h, player, action, answers, o, c):
        o.row += 1


@kernel
def take(s: Any, h: Any, player: int, action: int, answers: Any, o: Any, c: Context) -> bool:
    """Give an answer to the engine and store it, if it is legal."""
    if not is_legal(s, player, action):
        disagree(o, NOT_LEGAL, player)
        return False
    answers[MAX_ANSWERS * int(h.first) + int(o.answers)] = action
    o.answers += 1
    answer(s, player, action, c)
    return True


@kernel
def react(s: Any, h: Any, script: Any, answers: Any, o: Any, c: Context) -> None:
    """Players are asked about a discard or a kan: those who call or win in the record do so, the others pass."""
    skip_shown(h, script, o)
    asked = int(s.asked)
    action = next_action(h, script, o)
    actors = 0
    if act.CHI <= action <= act.OPEN_KAN:
        actors = 1 << next_player(h, script, o)
    elif action == act.RON:
        actors = ron_players(h, script, o)
    if actors & ~asked != 0:
        disagree(o, NOT_ASKED, lowest_bit(actors & ~asked))
    for player in range(PLAYERS):
        if (asked >> player) & 1 and o.code == AGREED:
            take(s, h, player, action if (actors >> player) & 1 else act.PASS, answers, o, c)
    if o.code == AGREED:
        while actors != 0:
            actors &= actors - 1
            o.row += 1


@kernel
def ron_players(h: Any, script: Any, o: Any) -> int:
    """Bit set of the players who win in the next rows."""
    players = 0
    for at in range(int(h.first) + int(o.row), int(h.end)):
        if script[at, 0] == act.RON:
            players |= 1 << int(script[at, 1])
    return players


@kernel
def lowest_bit(bits: int) -> int:
    """The lowest place whose bit is set."""
    place = 0
    while (bits >> place) & 1 == 0:
        place += 1
    return place


@kernel
def close(s: Any, h: Any, script: Any, o: Any) -> None:
    """The engine's hand is over: the script must be, too."""
    skip_shown(h, script, o)
    if next_action(h, script, o) != NONE:
        disagree(o, ENDED_EARLY, next_player(h, script, o))
        return
    won = s.result == TSUMO_WIN or s.result == RON_WIN
    check_shown(s, h, o, int(s.win_sticks) if won else int(s.sticks))


@kernel
def write_result(s: Any, o: Any, c: Context) -> None:
    """Write the result and what follows from it."""
    o.result = s.result
    o.winners = s.winners
    o.tenpai = s.tenpai
    o.actor = s.actor
    o.tile = s.drawn if s.result == TSUMO_WIN else s.tile
    o.indicators = s.indicators
    o.sticks = s.sticks
    o.win_sticks = s.win_sticks
    o.open_melds[:] = s.open_melds
    o.melds[:] = s.melds
    o.meld_type[:] = s.meld_type
    o.meld_kind[:] = s.meld_kind
    o.riichi[:] = s.riichi
    o.reds[:] = s.reds
    o.hand[:] = s.hand
    for player in range(PLAYERS):
        o.changes[player] = s.deltas[player] + STICK * int(o.paid_by[player])
        if (s.result == TSUMO_WIN or s.result == RON_WIN) and (int(s.winners) >> player) & 1:
            write_win(s, player, o, c)
    write_next(s, o, c)


@kernel
def write_win(s: Any, player: int, o: Any, c: Context) -> None:
    """Write what a player's win is worth."""
    ron = s.result == RON_WIN
    kind = kind_of(int(s.tile)) if ron else -1
    o.yaku[player] = s.win_yaku[player]
    o.points[player] = s.win_points[player]
    o.han[player] = s.win_han[player]
    o.fu[player] = s.win_fu[player]
    o.yakuman[player] = s.win_yakuman[player]
    o.limit[player] = (
        YAKUMAN if s.win_yakuman[player] else limit_of(int(s.win_han[player]), int(s.win_fu[player]), c.rules)
    )
    o.dora[player] = count_dora(s, player, kind, False)
    o.ura[player] = count_dora(s, player, kind, True) if s.riichi[player] and c.rules.ura_dora else 0
    o.red[player] = count_reds(s, player, int(s.tile) if ron else -1)
    o.liable[player] = liable_player(s, player, c)[0]
    if ron:
        o.hand[player, kind] += 1
        if s.tile != kind:
            o.reds[player] |= 1 << (int(s.tile) - NUM_KINDS)


@kernel
def write_next(s: Any, o: Any, c: Context) -> None:
    """Write whether the game is over, and the next situation."""
    o.over = game_is_over(s, c)
    if o.over:
        end_game(s)
    else:
        pass_the_deal(s)
    o.next_kyoku = s.kyoku
    o.next_honba = s.honba
    o.scores[:] = s.scores
