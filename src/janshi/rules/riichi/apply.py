"""Kernels that carry answers out: the course of a hand from deal to result."""

from __future__ import annotations

from typing import Any

from janshi.core._jit import kernel
from janshi.core.tiles import EAST, NORTH, RANKS, RED_DRAGON, WHITE
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import drop, holds_red, kind_of, red_of, settle
from janshi.rules.riichi.deal import draw_live, draw_replacement, turn_indicator
from janshi.rules.riichi.legal import (
    MAX_KANS,
    ask_discard_reactions,
    ask_kan_reactions,
    ask_riichi_discard,
    ask_turn,
    chi_ban,
    kans_made,
    swap_ban,
)
from janshi.rules.riichi.payment import (
    MANGAN_BASE,
    STICK,
    gain,
    pay_tenpai,
    pay_tsumo,
    settle_ron,
    settle_tsumo,
    take_sticks,
)
from janshi.rules.riichi.state import (
    CALLED_FLAG,
    EXHAUSTIVE_DRAW,
    FOUR_KANS_DRAW,
    FOUR_RIICHI_DRAW,
    FOUR_WINDS_DRAW,
    HAND_OVER,
    KAN_REACTION,
    LIABLE_DRAGONS,
    LIABLE_KANS,
    LIABLE_WINDS,
    MELDS,
    NAGASHI_MANGAN,
    NINE_TERMINALS_DRAW,
    NONE,
    PLAYERS,
    REACTION,
    RIICHI_FLAG,
    RON_WIN,
    TRIPLE_RON_DRAW,
    TSUMO_WIN,
    TSUMOGIRI_FLAG,
    TURN,
    Context,
)
from janshi.rules.riichi.win import ADDED_KAN, CHI, CONCEALED_KAN, DOUBLE_RIICHI, OPEN_KAN, PON, RIICHI


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


# --- discards


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
    """The discard now made declares riichi; the stick is paid when nobody wins on it."""
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
def was_asked(s: Any, player: int) -> bool:
    """Whether a player was asked in the reactions now resolved."""
    return player != s.actor and (s.legal[player, 0] != 0 or s.legal[player, 1] != 0)


@kernel
def mark_passed(s: Any) -> None:
    """Players who wait for the tile and did not win are furiten: till their next turn, or for good after riichi."""
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


# --- calls


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
def call(s: Any, player: int, action: int, c: Context) -> None:
    """A player melds the discard; after pon and chi they discard, after a kan they draw a replacement."""
    discarder = int(s.actor)
    s.river_flags[discarder, int(s.discards[discarder]) - 1] |= CALLED_FLAG
    kind = kind_of(int(s.tile))
    s.seen[kind] -= 1
    interrupt(s)
    s.actor = player
    s.phase = TURN
    if action == act.OPEN_KAN:
        call_kan(s, player, kind, discarder, c)
        return
    if action >= act.PON:
        call_pon(s, player, kind, action == act.PON_RED, discarder)
        s.banned = swap_ban(kind, -1, c)
    else:
        place = (action - act.CHI) % 3
        call_chi(s, player, kind, place, action >= act.CHI_RED, discarder)
        s.banned = chi_ban(kind, place, c)
    ask_turn(s, c)


@kernel
def interrupt(s: Any) -> None:
    """A call or kan ends everyone's ippatsu and uninterrupted first turn."""
    s.ippatsu[:] = 0
    s.first_turn[:] = 0


@kernel
def give(s: Any, player: int, kind: int, red: bool) -> int:
    """Move a tile of a kind from the hand to a meld, the red five if wanted; returns 1 if it was red."""
    tile = red_of(kind) if red else kind
    drop(s, player, tile)
    s.seen[kind] += 1
    return 1 if red else 0


@kernel
def give_any(s: Any, player: int, kind: int) -> int:
    """Move all tiles of a kind from the hand to a meld; returns 1 if a red five was among them."""
    red = 0
    for _ in range(int(s.hand[player, kind])):
        red |= give(s, player, kind, holds_red(s, player, kind))
    return red


@kernel
def add_meld(s: Any, player: int, meld_type: int, kind: int, tile: int, source: int, red: int) -> None:
    """Lay a meld on the table."""
    i = int(s.melds[player])
    s.meld_type[player, i] = meld_type
    s.meld_kind[player, i] = kind
    s.meld_tile[player, i] = tile
    s.meld_from[player, i] = source
    s.meld_red[player, i] = red
    s.meld_order[player, i] = s.turns
    s.melds[player] += 1
    if meld_type != CONCEALED_KAN:
        s.open_melds[player] += 1
    if meld_type >= OPEN_KAN:
        s.kans[player] += 1
    note_liability(s, player, kind, meld_type, source)


@kernel
def call_pon(s: Any, player: int, kind: int, red: bool, source: int) -> None:
    """Meld the discard with two equal tiles."""
    held = give(s, player, kind, red) + give(s, player, kind, False)
    called = 1 if s.tile != kind else 0
    s.seen[kind] += 1
    add_meld(s, player, PON, kind, int(s.tile), source, held + called)


@kernel
def call_chi(s: Any, player: int, kind: int, place: int, red: bool, source: int) -> None:
    """Meld the discard into a sequence; `place` is where it stands."""
    reds = 1 if s.tile != kind else 0
    first = kind - place
    for i in range(3):
        if i != place:
            reds += give(s, player, first + i, red and holds_red(s, player, first + i))
    s.seen[kind] += 1
    add_meld(s, player, CHI, first, int(s.tile), source, reds)


@kernel
def call_kan(s: Any, player: int, kind: int, source: int, c: Context) -> None:
    """Meld the discard with three equal tiles and draw a replacement."""
    red = give_any(s, player, kind) | (1 if s.tile != kind else 0)
    s.seen[kind] += 1
    add_meld(s, player, OPEN_KAN, kind, int(s.tile), source, red)
    settle(s, player, c)
    replace_after_kan(s, player, c.rules.open_kan_dora == 1, c)


@kernel
def note_liability(s: Any, player: int, kind: int, meld_type: int, source: int) -> None:
    """Who fed the set that completes three dragons, four winds or four kans on the table is liable for it."""
    if source == NONE:
        return
    dragons, winds = 0, 0
    for i in range(int(s.melds[player])):
        first = int(s.meld_kind[player, i])
        dragons += 1 if WHITE <= first <= RED_DRAGON else 0
        winds += 1 if EAST <= first <= NORTH else 0
    if WHITE <= kind <= RED_DRAGON and dragons == 3:
        s.liable[player, LIABLE_DRAGONS] = source
    if EAST <= kind <= NORTH and winds == 4:
        s.liable[player, LIABLE_WINDS] = source
    if meld_type == OPEN_KAN and s.kans[player] == MAX_KANS:
        s.liable[player, LIABLE_KANS] = source


# --- kans


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


@kernel
def complete_concealed_kan(s: Any, c: Context) -> None:
    """Lay the four tiles down; the new dora is turned at once."""
    player, kind = int(s.actor), int(s.tile)
    interrupt(s)
    red = give_any(s, player, kind)
    add_meld(s, player, CONCEALED_KAN, kind, NONE, NONE, red)
    s.drawn = NONE
    if s.riichi[player] == 0:
        settle(s, player, c)
    replace_after_kan(s, player, True, c)


@kernel
def complete_added_kan(s: Any, c: Context) -> None:
    """Turn a pon into a kan."""
    player, kind = int(s.actor), kind_of(int(s.tile))
    interrupt(s)
    red = give_any(s, player, kind)
    for i in range(MELDS):
        if s.meld_type[player, i] == PON and s.meld_kind[player, i] == kind:
            s.meld_type[player, i] = ADDED_KAN
            if red:
                s.meld_red[player, i] = 2
    s.kans[player] += 1
    s.drawn = NONE
    settle(s, player, c)
    replace_after_kan(s, player, c.rules.open_kan_dora == 1, c)


@kernel
def replace_after_kan(s: Any, player: int, at_once: bool, c: Context) -> None:
    """Turn the indicators that are due, draw the replacement tile and ask the player again."""
    turn_pending_dora(s, c)
    if at_once:
        turn_indicator(s, c)
    else:
        s.pending_dora += 1
    s.phase = TURN
    draw_replacement(s, player, c)
    ask_turn(s, c)


@kernel
def turn_pending_dora(s: Any, c: Context) -> None:
    """Turn the indicators of earlier open kans."""
    while s.pending_dora > 0:
        turn_indicator(s, c)
        s.pending_dora -= 1


# --- ends of a hand


@kernel
def end_hand(s: Any, result: int, dealer_stays: bool) -> None:
    """Close the hand: no one is asked, points are as noted in `deltas`."""
    s.result = result
    s.dealer_stays = dealer_stays
    s.asked = 0
    s.phase = HAND_OVER


@kernel
def win_by_tsumo(s: Any, c: Context) -> None:
    """The actor wins on the drawn tile."""
    winner = int(s.actor)
    settle_tsumo(s, winner, c)
    end_hand(s, TSUMO_WIN, winner == int(s.kyoku) % PLAYERS)


@kernel
def wins_by_ron(s: Any, c: Context) -> bool:
    """Settle the wins on the present tile, if there are any."""
    winners = 0
    for player in range(PLAYERS):
        if was_asked(s, player) and s.answers[player] == act.RON:
            winners += 1
    if winners == 0:
        return False
    if winners == 3 and c.rules.triple_ron_aborts:
        end_hand(s, TRIPLE_RON_DRAW, True)
        return True
    settle_rons(s, min(winners, int(c.rules.multiple_ron)), c)
    return True


@kernel
def settle_rons(s: Any, allowed: int, c: Context) -> None:
    """Pay up to `allowed` winners in turn order; the first takes honba and sticks."""
    loser, dealer = int(s.actor), int(s.kyoku) % PLAYERS
    paid = 0
    stays = False
    for i in range(1, PLAYERS):
        player = (loser + i) % PLAYERS
        if was_asked(s, player) and s.answers[player] == act.RON and paid < allowed:
            settle_ron(s, player, loser, int(s.honba) if paid == 0 else 0, c)
            if paid == 0:
                take_sticks(s, player)
            paid += 1
            stays = stays or player == dealer
    end_hand(s, RON_WIN, stays)


@kernel
def end_exhausted(s: Any, c: Context) -> None:
    """The wall is empty: nagashi mangan, or payments for tenpai."""
    for player in range(PLAYERS):
        if s.waits[player] != 0:
            s.tenpai |= 1 << player
        if c.rules.nagashi_mangan and is_nagashi(s, player):
            s.winners |= 1 << player
    stays = (int(s.tenpai) >> (int(s.kyoku) % PLAYERS)) & 1 == 1
    if s.winners != 0:
        for player in range(PLAYERS):
            if (int(s.winners) >> player) & 1:
                pay_tsumo(s, player, MANGAN_BASE, 0)
        end_hand(s, NAGASHI_MANGAN, stays)
    else:
        pay_tenpai(s)
        end_hand(s, EXHAUSTIVE_DRAW, stays)


@kernel
def is_nagashi(s: Any, player: int) -> bool:
    """Whether a river holds only terminals and honours, none of them called."""
    for i in range(int(s.discards[player])):
        kind = kind_of(int(s.river[player, i]))
        if s.river_flags[player, i] & CALLED_FLAG:
            return False
        if kind < EAST and kind % RANKS != 0 and kind % RANKS != RANKS - 1:
            return False
    return True
