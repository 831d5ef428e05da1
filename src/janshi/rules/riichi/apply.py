"""Kernels that carry out answers: the course of a hand from deal to result."""

from __future__ import annotations

from typing import Any

from janshi.core._jit import kernel
from janshi.core.tiles import EAST, NORTH
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.closing import end_exhausted, end_hand, was_asked, win_by_tsumo, wins_by_ron
from janshi.rules.riichi.concealed import drop, holds_red, kind_of, red_of, settle
from janshi.rules.riichi.deal import draw_live
from janshi.rules.riichi.legal import (
    MAX_KANS,
    ask_discard_reactions,
    ask_kan_reactions,
    ask_riichi_discard,
    ask_turn,
    kans_made,
)
from janshi.rules.riichi.melding import call, complete_added_kan, complete_concealed_kan, turn_pending_dora
from janshi.rules.riichi.payment import gain
from janshi.rules.riichi.ruleset import STICK
from janshi.rules.riichi.state import (
    FOUR_KANS_DRAW,
    FOUR_RIICHI_DRAW,
    FOUR_WINDS_DRAW,
    KAN_REACTION,
    NINE_TERMINALS_DRAW,
    NONE,
    PLAYERS,
    REACTION,
    RIICHI_FLAG,
    TSUMOGIRI_FLAG,
    TURN,
    Context,
)
from janshi.rules.riichi.win import ADDED_KAN, CONCEALED_KAN, DOUBLE_RIICHI, RIICHI


@kernel
def answer(s: Any, player: int, action: int, c: Context) -> None:
    """Take one asked player's legal action; when all have answered, carry the answers out."""
    s.answers[player] = action
    s.asked &= 15 ^ (1 << player)
    s.decisions += 1
    if s.asked != 0:
        return
    if s.phase == TURN:
        act_on_turn(s, action, c)
    elif s.phase == REACTION:
        resolve_discard(s, c)
    else:
        resolve_kan(s, c)


@kernel
def act_on_turn(s: Any, action: int, c: Context) -> None:
    """Carry out what the actor does on their own turn."""
    if action < act.TSUMOGIRI:
        discard(s, action, 0, c)
    elif action == act.TSUMOGIRI:
        discard(s, int(s.drawn), TSUMOGIRI_FLAG, c)
    elif action == act.RIICHI:
        s.declaring = 1
        ask_riichi_discard(s, c)
    elif action == act.TSUMO:
        win_by_tsumo(s, c)
    elif action == act.NINE_TERMINALS:
        end_hand(s, NINE_TERMINALS_DRAW, True)
    elif action >= act.ADDED_KAN:
        declare_added_kan(s, action - act.ADDED_KAN, c)
    else:
        declare_concealed_kan(s, action - act.CONCEALED_KAN, c)


@kernel
def begin_turn(s: Any, player: int, c: Context) -> None:
    """The player draws from the live wall and is asked."""
    s.actor = player
    s.phase = TURN
    draw_live(s, player, c)
    ask_turn(s, c)


@kernel
def discard(s: Any, tile: int, flag: int, c: Context) -> None:
    """The actor discards a tile; the others may react."""
    player = int(s.actor)
    drop(s, player, tile)
    s.drawn = NONE
    s.banned = 0
    s.passed[player] &= 2
    s.ippatsu[player] = 0
    if s.declaring:
        flag |= RIICHI_FLAG
        declare_riichi(s, player)
    s.first_turn[player] = 0
    put_in_river(s, player, tile, flag)
    turn_pending_dora(s, c)
    settle(s, player, c)
    s.tile = tile
    s.phase = REACTION
    ask_discard_reactions(s, four_kans_are_due(s, c), c)
    if s.asked == 0:
        resolve_discard(s, c)


@kernel
def declare_riichi(s: Any, player: int) -> None:
    """Let the present discard declare riichi; the stick is paid if nobody wins on it."""
    s.riichi[player] = DOUBLE_RIICHI if s.first_turn[player] else RIICHI
    s.ippatsu[player] = 1
    s.declaring = 0
    s.stick_due = 1


@kernel
def put_in_river(s: Any, player: int, tile: int, flag: int) -> None:
    """Add a tile to a player's river."""
    i = int(s.discards[player])
    s.river[player, i] = tile
    s.river_flags[player, i] = flag
    s.river_order[player, i] = s.turns
    s.discards[player] += 1
    s.turns += 1
    s.discarded[player] |= 1 << kind_of(tile)
    s.seen[kind_of(tile)] += 1


@kernel
def resolve_discard(s: Any, c: Context) -> None:
    """All have answered a discard: wins go before pon and kan, those before chi, else the next player draws."""
    if wins_by_ron(s, c):
        return
    mark_passed(s)
    pay_stick(s)
    draw = draw_after_discard(s, c)
    if draw != 0:
        end_hand(s, draw, True)
        return
    caller = find_caller(s)
    if caller != NONE:
        call(s, caller, int(s.answers[caller]), c)
    elif s.left == 0:
        end_exhausted(s, c)
    else:
        begin_turn(s, (int(s.actor) + 1) % PLAYERS, c)


@kernel
def mark_passed(s: Any) -> None:
    """Players who wait for the tile and did not win are furiten: until their next turn, or permanently after riichi."""
    kind = kind_of(int(s.tile))
    for player in range(PLAYERS):
        if player != s.actor and (s.waits[player] >> kind) & 1:
            s.passed[player] |= 2 if s.riichi[player] else 1


@kernel
def pay_stick(s: Any) -> None:
    """Nobody won on the riichi discard: its stick goes to the table."""
    if s.stick_due:
        player = int(s.actor)
        s.stick_due = 0
        gain(s, player, -STICK)
        s.sticks += 1


@kernel
def draw_after_discard(s: Any, c: Context) -> int:
    """The abortive draw that the passed discard brings about, or 0."""
    if c.rules.four_riichi and s.riichi[0] and s.riichi[1] and s.riichi[2] and s.riichi[3]:
        return FOUR_RIICHI_DRAW
    if c.rules.four_winds and four_winds_discarded(s):
        return FOUR_WINDS_DRAW
    if four_kans_are_due(s, c):
        return FOUR_KANS_DRAW
    return 0


@kernel
def four_winds_discarded(s: Any) -> bool:
    """Whether the first four discards, with no call, are one and the same wind."""
    if s.turns != PLAYERS:
        return False
    kind = int(s.river[0, 0])
    for player in range(PLAYERS):
        if s.melds[player] > 0 or s.discards[player] != 1 or s.river[player, 0] != kind:
            return False
    return EAST <= kind <= NORTH


@kernel
def four_kans_are_due(s: Any, c: Context) -> bool:
    """Whether four kans by more than one player end the hand once the present discard has passed."""
    if not c.rules.four_kans or kans_made(s) < MAX_KANS:
        return False
    for player in range(PLAYERS):
        if s.kans[player] == MAX_KANS:
            return False
    return True


@kernel
def find_caller(s: Any) -> int:
    """Who calls the discard: pon and kan before chi; NONE if all passed."""
    caller = NONE
    for player in range(PLAYERS):
        if was_asked(s, player):
            action = int(s.answers[player])
            if act.PON <= action <= act.OPEN_KAN:
                return player
            if act.CHI <= action < act.PON:
                caller = player
    return caller


@kernel
def declare_concealed_kan(s: Any, kind: int, c: Context) -> None:
    """The actor shows four equal tiles; thirteen orphans may rob it where the rules allow."""
    s.tile = kind
    s.kan_type = CONCEALED_KAN
    ask_kan(s, c)


@kernel
def declare_added_kan(s: Any, kind: int, c: Context) -> None:
    """The actor adds the fourth tile to a pon; others may rob it."""
    player = int(s.actor)
    s.tile = red_of(kind) if holds_red(s, player, kind) else kind
    s.kan_type = ADDED_KAN
    ask_kan(s, c)


@kernel
def ask_kan(s: Any, c: Context) -> None:
    """Ask who may rob the kan being declared, or complete it."""
    s.phase = KAN_REACTION
    ask_kan_reactions(s, c)
    if s.asked == 0:
        resolve_kan(s, c)


@kernel
def resolve_kan(s: Any, c: Context) -> None:
    """All have answered a kan: it is robbed, or completed."""
    if wins_by_ron(s, c):
        return
    if s.kan_type == ADDED_KAN:
        mark_passed(s)
        complete_added_kan(s, c)
    else:
        mark_passed_orphans(s)
        complete_concealed_kan(s, c)


@kernel
def mark_passed_orphans(s: Any) -> None:
    """Players who could have robbed the concealed kan and did not are furiten."""
    for player in range(PLAYERS):
        if was_asked(s, player):
            s.passed[player] |= 2 if s.riichi[player] else 1
