"""Kernels that carry out answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.rules.simplified.actions import CHI, HU, KONG, PASS, PONG
from janshi.rules.simplified.deal import build_wall, deal, draw, drop, lay_down, put_in_river, take
from janshi.rules.simplified.distance import ALL_PUNGS, FLUSH, HONOUR_PUNG, STRAIGHT, meld_facts, scoring_hands
from janshi.rules.simplified.legal import ask_actor, ask_others
from janshi.rules.simplified.state import (
    AFTER_CALL,
    AFTER_KONG,
    CALLED_FLAG,
    CHI_MELD,
    DISCARD_WIN,
    EXHAUSTED,
    GAME_OVER,
    KONG_MELD,
    NONE,
    PLAYERS,
    PONG_MELD,
    SELF_DRAW,
    TURN,
    Context,
)
from janshi.rules.simplified.tiles import COPIES


@kernel
def start_game(s: Any, seed: np.uint64, c: Context) -> None:
    """Begin a game from its seed."""
    s.seed = seed
    build_wall(s)
    begin(s, c)


@kernel
def begin(s: Any, c: Context) -> None:
    """Deal from the wall that is set; seat 0 draws."""
    deal(s, c)
    draw(s, 0)
    ask_actor(s, c)


@kernel
def proceed(s: Any, restart: bool, c: Context) -> None:
    """Where nobody is asked: begin the next game, if restarting."""
    if s.phase == GAME_OVER and restart:
        start_game(s, rng.mix(s.seed + rng.GAMMA), c)


@kernel
def answer(s: Any, player: int, action: int, c: Context) -> None:
    """Take an asked player's legal answer; the last one carries all of them out."""
    s.decisions += 1
    s.asked &= ~(1 << player)
    s.legal[player] = 0
    if s.phase == TURN:
        act(s, player, action, c)
        return
    s.answers[player] = action
    if s.asked == 0:
        react(s, c)


@kernel
def act(s: Any, player: int, action: int, c: Context) -> None:
    """Carry out the action of the player whose turn it is."""
    if action == HU:
        win(s, player, NONE, c)
    elif action >= KONG:
        declare_kong(s, player, action - KONG, c)
    else:
        discard(s, player, action, c)


@kernel
def declare_kong(s: Any, player: int, kind: int, c: Context) -> None:
    """Lay three equal tiles down. No tile replaces them: the player discards, or declares another kong."""
    for _ in range(COPIES):
        drop(s, player, kind)
    lay_down(s, player, KONG_MELD, kind, NONE)
    s.seen[kind] += COPIES
    s.moment = AFTER_KONG
    ask_actor(s, c)


@kernel
def discard(s: Any, player: int, kind: int, c: Context) -> None:
    """Discard, and ask all players who could react."""
    put_in_river(s, player, kind)
    s.answers[:] = PASS
    ask_others(s, c)
    if s.asked == 0:
        go_on(s, c)


@kernel
def go_on(s: Any, c: Context) -> None:
    """Nobody called: the next player draws, or the wall is exhausted and the game drawn."""
    if s.left == 0:
        finish(s, EXHAUSTED)
        return
    draw(s, (int(s.actor) + 1) % PLAYERS)
    ask_actor(s, c)


@kernel
def react(s: Any, c: Context) -> None:
    """All have answered a discard: hu goes before pong, pong before chi; of two hu the nearest player's counts."""
    actor = int(s.actor)
    for step in range(1, PLAYERS):
        player = (actor + step) % PLAYERS
        if s.answers[player] == HU:
            win(s, player, actor, c)
            return
    for step in range(1, PLAYERS):
        player = (actor + step) % PLAYERS
        if s.answers[player] == PONG:
            call(s, player, PONG_MELD, int(s.tile), c)
            return
    following = (actor + 1) % PLAYERS
    chosen = int(s.answers[following])
    if CHI <= chosen < PONG:
        call(s, following, CHI_MELD, int(s.tile) - (chosen - CHI), c)
        return
    go_on(s, c)


@kernel
def call(s: Any, player: int, meld_type: int, lowest: int, c: Context) -> None:
    """Make a meld of the last discard; the caller then discards."""
    kind = int(s.tile)
    take(s, player, kind)
    for i in range(COPIES):
        member = lowest + i if meld_type == CHI_MELD else kind
        drop(s, player, member)
        s.seen[member] += 1
    s.seen[kind] -= 1  # it lay in the river
    mark_called(s)
    lay_down(s, player, meld_type, lowest, kind)
    s.actor = player
    s.tile = NONE
    s.moment = AFTER_CALL
    ask_actor(s, c)


@kernel
def mark_called(s: Any) -> None:
    """Mark the last discard as taken."""
    actor = int(s.actor)
    s.river_flags[actor, int(s.discards[actor]) - 1] |= CALLED_FLAG


@kernel
def win(s: Any, player: int, payer: int, c: Context) -> None:
    """Pay a win: the others pay the basic points each; the discarder, or both after a self-draw, pay the fan too."""
    code = int(s.code[player])
    if payer != NONE:
        code += 1 << (2 * int(s.tile))
    s.winner = player
    s.payer = payer
    s.win_kinds = scoring_hands(code, meld_facts(s, player), c.shapes)
    s.win_kongs = kongs(s, player)
    s.win_fan = fan_of(int(s.win_kinds), int(s.win_kongs), c)
    for other in range(PLAYERS):
        if other != player:
            due = int(c.rules.basic)
            if payer in (NONE, other):
                due += int(s.win_fan)
            s.scores[other] -= due
            s.scores[player] += due
    finish(s, SELF_DRAW if payer == NONE else DISCARD_WIN)


@kernel
def kongs(s: Any, player: int) -> int:
    """How many kongs a player has."""
    count = 0
    for i in range(int(s.melds[player])):
        count += s.meld_type[player, i] == KONG_MELD
    return count


@kernel
def fan_of(kinds: int, kong_count: int, c: Context) -> int:
    """The fan of a set of scoring hands and of kongs: all count."""
    r = c.rules
    fan = int(r.kong) * kong_count
    fan += int(r.honour_pung) * ((kinds >> HONOUR_PUNG) & 1)
    fan += int(r.straight) * ((kinds >> STRAIGHT) & 1)
    fan += int(r.all_pungs) * ((kinds >> ALL_PUNGS) & 1)
    fan += int(r.flush) * ((kinds >> FLUSH) & 1)
    return fan


@kernel
def finish(s: Any, result: int) -> None:
    """End the game. The tile won on stays in its river."""
    s.result = result
    s.asked = 0
    s.phase = GAME_OVER
