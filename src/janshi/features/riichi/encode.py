"""Kernels that list the active inputs of a riichi view; `layout.py` says what each input means.

`list_inputs` writes numbers below `INPUTS` one after another and returns how many. Nothing but the view and the rules
is read, so nothing hidden can get in.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.melds import CHI, CONCEALED_KAN, OPEN_KAN, PON
from janshi.core.shanten import FIRST_P, FIRST_S, count_bits, honour_key, shanten, suit_key
from janshi.core.tiles import COPIES, EAST, FIRST_RED, NUM_KINDS, RANKS
from janshi.core.ukeire import ukeire_discards, useful_mask
from janshi.features.riichi import layout as at
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import held_in_melds, in_meld, kind_of
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.ruleset import HONBA_RON, HONBA_TSUMO, STICK
from janshi.rules.riichi.state import (
    CALLED_FLAG,
    INDICATORS,
    KAN_REACTION,
    NONE,
    PLAYERS,
    REACTION,
    RIICHI_FLAG,
    TSUMOGIRI_FLAG,
    TURN,
)

ROOM: Final = 768
"""Room for the active inputs of a packed position: about 320 are active in games, and we saw no more than 500."""
LISTED: Final = 1024
"""Room for an unsorted list. No position needs more: `tests/features/test_riichi_inputs.py` adds up the groups."""

PACKED_DTYPE: Final = record_dtype(
    [
        ("legal", np.int64, (2,)),  # legal actions, 60 a word
        ("drawn", np.int16),  # the viewer's drawn tile (0..36), or NONE
        ("count", np.int16),  # how many inputs are active
        ("inputs", np.uint16, (ROOM,)),  # their numbers in order, then NO_INPUT
    ]
)
"""A packed position: the legal actions and the active inputs."""

NOTES_DTYPE: Final = record_dtype(
    [
        ("listed", np.uint16, (LISTED,)),  # active inputs as they are found
        ("safe", np.int64, (PLAYERS,)),  # kinds a player cannot win on
        ("passed", np.int64, (PLAYERS,)),  # kinds that passed since the player's last discard from the hand
        ("hand", np.uint8, (NUM_KINDS,)),
        ("visible", np.uint8, (NUM_KINDS,)),
        ("shanten", np.int8, (NUM_KINDS,)),
        ("useful", np.int16, (NUM_KINDS,)),
        ("dora", np.int8, (NUM_KINDS,)),
        ("rank", np.int8, (PLAYERS,)),
    ]
)
"""Scratch space of a thread."""

RESULTS: Final = np.array(at.RESULTS, np.int64)
GAPS: Final = np.array(at.GAPS, np.int64)
SCORES: Final = np.array(at.SCORES, np.int64)
AGE_ENDS: Final = np.array([1, 4, 8, 16], np.int64)
USEFUL_ENDS: Final = np.array([4, 8, 12, 16, 24, 32], np.int64)
QUESTION_ACTIONS: Final = np.array(
    [
        act.RIICHI,
        *range(act.CHI, act.OPEN_KAN + 1),
        act.TSUMO,
        act.RON,
        act.NINE_TERMINALS,
        act.PASS,
    ],
    np.int64,
)
"""Actions that have a channel of the question token; concealed and added kans follow."""
CONCEALED_KAN_CHANNEL: Final = at.LEGAL + len(QUESTION_ACTIONS)
ADDED_KAN_CHANNEL: Final = CONCEALED_KAN_CHANNEL + 1
TILE_WIDTH: Final = at.TILE_SECTION.width
PLAYER_FIRST: Final = at.PLAYER_SECTION.first
PLAYER_WIDTH: Final = at.PLAYER_SECTION.width
GAME_FIRST: Final = at.GAME_SECTION.first
QUESTION_FIRST: Final = at.QUESTION_SECTION.first
NO_INPUT: Final = at.NO_INPUT
LAST_KAN: Final = act.CONCEALED_KAN + NUM_KINDS - 1


def new_notes() -> Any:
    """Scratch space for one thread."""
    return np.zeros(1, NOTES_DTYPE)


@kernel
def write_packed(views: Any, rules: Any, which: Any, tables: Any, notes: Any, out: Any) -> None:
    """Pack many views, VIEW_DTYPE[n], into PACKED_DTYPE[n]; `which` is the index of each view's rules in `rules`."""
    for i in range(len(views)):
        pack_view(views[i], rules[which[i]], tables[0], notes[0], out[i])


@kernel
def pack_view(v: Any, rules: Any, t: Any, notes: Any, out: Any) -> None:
    """Pack one view."""
    out.legal[0] = v.legal[0]
    out.legal[1] = v.legal[1]
    out.drawn = v.drawn
    listed = notes.listed
    n = min(sort_once(listed, list_inputs(v, rules, t, notes, listed)), ROOM)
    out.count = n
    out.inputs[:n] = listed[:n]
    out.inputs[n:] = NO_INPUT


@kernel
def sort_once(inputs: Any, n: int) -> int:
    """Sort a list of n inputs and remove duplicates (two discards may give the same one); returns how many are left."""
    inputs[:n].sort()
    kept = 0
    for i in range(n):
        if kept == 0 or inputs[i] != inputs[kept - 1]:
            inputs[kept] = inputs[i]
            kept += 1
    return kept


@kernel
def list_inputs(v: Any, rules: Any, t: Any, notes: Any, out: Any) -> int:
    """List the active inputs of a view into `out`, uint16[LISTED], some twice; returns how many."""
    note_table(v, notes)
    n = list_hand(v, notes, out, 0)
    n = list_rivers(v, notes, out, n)
    n = list_melds(v, out, n)
    n = list_efficiency(v, t, notes, out, n)
    n = list_danger(v, notes, out, n)
    for player in range(PLAYERS):
        n = list_player(v, player, notes, out, n)
        if player > 0:
            n = list_overtaking(v, player, notes, out, n)
    n = list_game(v, rules, out, n)
    return list_question(v, notes, out, n)


# --- small helpers


@kernel
def tile(out: Any, n: int, kind: int, channel: int) -> int:
    """Add a channel of a tile token."""
    out[n] = kind * TILE_WIDTH + channel
    return n + 1


@kernel
def seat(out: Any, n: int, player: int, channel: int) -> int:
    """Add a channel of a player token."""
    out[n] = PLAYER_FIRST + player * PLAYER_WIDTH + channel
    return n + 1


@kernel
def table(out: Any, n: int, channel: int) -> int:
    """Add a channel of the game token."""
    out[n] = GAME_FIRST + channel
    return n + 1


@kernel
def question(out: Any, n: int, channel: int) -> int:
    """Add a channel of the question token."""
    out[n] = QUESTION_FIRST + channel
    return n + 1


@kernel
def part_of(value: int, ends: Any) -> int:
    """Index of the first end that a value lies below; the number of ends if there is none."""
    for i in range(len(ends)):
        if value < ends[i]:
            return i
    return len(ends)


@kernel
def may(v: Any, action: int) -> bool:
    """Whether an action is legal."""
    return bool((int(v.legal[action // act.HALF]) >> (action % act.HALF)) & 1)


# --- what several lists need


@kernel
def note_table(v: Any, notes: Any) -> None:
    """Note tiles seen, dora, ranks, and what is safe against whom."""
    for kind in range(NUM_KINDS):
        notes.hand[kind] = v.hand[kind]
        notes.visible[kind] = min(COPIES, int(v.seen[kind]) + int(v.hand[kind]))
        notes.dora[kind] = 0
    for i in range(INDICATORS):
        if v.indicators[i] != NONE:
            notes.dora[dora_of(kind_of(int(v.indicators[i])))] += 1
    for player in range(PLAYERS):
        notes.rank[player] = rank_of(v, player)
        note_safety(v, player, notes)


@kernel
def rank_of(v: Any, player: int) -> int:
    """A player's rank by points, 0 the first; of equal points the earlier seat is ahead."""
    rank = 0
    mine, my_seat = int(v.scores[player]), (int(v.seat) + player) % PLAYERS
    for other in range(PLAYERS):
        points = int(v.scores[other])
        if points > mine or (points == mine and (int(v.seat) + other) % PLAYERS < my_seat):
            rank += 1
    return rank


@kernel
def note_safety(v: Any, player: int, notes: Any) -> None:
    """Note the kinds a player cannot win on, and those let go since the player last changed the hand."""
    own, passed = 0, 0
    riichi_order, change_order = 127, -1
    for i in range(int(v.discards[player])):
        own |= 1 << kind_of(int(v.river[player, i]))
        order = int(v.river_order[player, i])
        if int(v.river_flags[player, i]) & RIICHI_FLAG:
            riichi_order = order
        if not int(v.river_flags[player, i]) & TSUMOGIRI_FLAG:
            change_order = order
    since = own
    for other in range(PLAYERS):
        for i in range(int(v.discards[other])):
            order = int(v.river_order[other, i])
            if order > change_order:
                passed |= 1 << kind_of(int(v.river[other, i]))
            if v.riichi[player] and order > riichi_order:
                since |= 1 << kind_of(int(v.river[other, i]))
    notes.safe[player] = since
    notes.passed[player] = passed


# --- tile tokens


@kernel
def list_hand(v: Any, notes: Any, out: Any, n: int) -> int:
    """The viewer's hand, unseen tiles, dora, winds and the tile in question."""
    for kind in range(NUM_KINDS):
        held = int(v.hand[kind])
        if held:
            n = tile(out, n, kind, at.HAND + min(held, COPIES) - 1)
        if held and may(v, act.DISCARD + kind):
            n = tile(out, n, kind, at.MAY_DISCARD)
        n = tile(out, n, kind, at.UNSEEN + COPIES - int(notes.visible[kind]))
        if notes.dora[kind]:
            n = tile(out, n, kind, at.DORA + min(int(notes.dora[kind]), 3) - 1)
    for suit in range(3):
        if (int(v.reds) >> suit) & 1:
            n = tile(out, n, kind_of(FIRST_RED + suit), at.HAND_RED)
    if v.drawn != NONE:
        n = tile(out, n, kind_of(int(v.drawn)), at.DRAWN + int(v.drawn >= FIRST_RED))
    for i in range(INDICATORS):
        if v.indicators[i] != NONE:
            n = tile(out, n, kind_of(int(v.indicators[i])), at.INDICATOR)
    for player in range(PLAYERS):
        n = tile(out, n, EAST + wind_of(v, player), at.SEAT_WIND + player)
    n = tile(out, n, EAST + round_wind(v), at.ROUND_WIND)
    if v.phase != TURN and v.tile != NONE:
        channel = at.CALLABLE + int(v.actor) * 2 + int(v.tile >= FIRST_RED)
        n = tile(out, n, kind_of(int(v.tile)), channel)
    return n


@kernel
def wind_of(v: Any, player: int) -> int:
    """A player's wind, 0 East."""
    return (player + PLAYERS - int(v.dealer)) % PLAYERS


@kernel
def round_wind(v: Any) -> int:
    """The wind of the round, 0 East."""
    return (int(v.kyoku) // PLAYERS) % PLAYERS


@kernel
def list_rivers(v: Any, notes: Any, out: Any, n: int) -> int:
    """All discards in order, and what is safe."""
    for player in range(PLAYERS):
        length = int(v.discards[player])
        for i in range(length):
            n = list_discard(v, player, i, out, n)
        if length:
            n = tile(out, n, kind_of(int(v.river[player, length - 1])), at.LAST + player)
        if player > 0:
            n = list_safe(int(notes.safe[player]), int(notes.passed[player]), player - 1, out, n)
    return n


@kernel
def list_safe(safe: int, passed: int, opponent: int, out: Any, n: int) -> int:
    """Kinds an opponent cannot win on, and others that were let go since the last change of the hand."""
    for kind in range(NUM_KINDS):
        if (safe >> kind) & 1:
            n = tile(out, n, kind, at.SAFE + opponent)
        elif (passed >> kind) & 1:
            n = tile(out, n, kind, at.PASSED + opponent)
    return n


@kernel
def list_discard(v: Any, player: int, i: int, out: Any, n: int) -> int:
    """One discard."""
    discarded, flags = int(v.river[player, i]), int(v.river_flags[player, i])
    kind, turn = kind_of(discarded), min(i, at.TURNS - 1)
    drawn = int(flags & TSUMOGIRI_FLAG != 0)
    n = tile(out, n, kind, at.RIVER + (player * 2 + drawn) * at.TURNS + turn)
    if flags & RIICHI_FLAG:
        n = tile(out, n, kind, at.RIICHI_TILE + player)
    if flags & CALLED_FLAG:
        n = tile(out, n, kind, at.CALLED + player)
    if discarded >= FIRST_RED:
        n = tile(out, n, kind, at.RIVER_RED + player)
    age = int(v.turns) - int(v.river_order[player, i])
    return tile(out, n, kind, at.AGE + player * at.AGES + part_of(age - 1, AGE_ENDS))


@kernel
def list_melds(v: Any, out: Any, n: int) -> int:
    """All melds."""
    for player in range(PLAYERS):
        for kind in range(NUM_KINDS):
            chis = chis_with(v, player, kind)
            if chis:
                n = tile(out, n, kind, at.CHI + player * 2 + min(chis, 2) - 1)
        for i in range(int(v.melds[player])):
            n = list_meld(v, player, i, out, n)
    return n


@kernel
def chis_with(v: Any, player: int, kind: int) -> int:
    """How many of a player's chis hold a kind."""
    found = 0
    for i in range(int(v.melds[player])):
        if v.meld_type[player, i] == CHI:
            found += in_meld(v, player, i, kind)
    return found


@kernel
def list_meld(v: Any, player: int, i: int, out: Any, n: int) -> int:
    """One meld beside the tiles of a chi: its type, called tile, source, time and red five."""
    type, kind = int(v.meld_type[player, i]), int(v.meld_kind[player, i])
    if type == PON:
        n = tile(out, n, kind, at.PON + player)
    elif type != CHI:
        n = tile(out, n, kind, at.KAN + player * 3 + type - OPEN_KAN)
    called = kind_of(int(v.meld_tile[player, i])) if v.meld_tile[player, i] != NONE else kind
    if v.meld_from[player, i] != NONE:
        n = tile(out, n, called, at.CALLED_TILE + player * PLAYERS + int(v.meld_from[player, i]))
    n = tile(out, n, called, at.CALLED_AT + player * 4 + min(int(v.meld_order[player, i]) // 16, 3))
    if v.meld_red[player, i]:
        n = tile(out, n, red_kind(type, kind), at.MELD_RED + player)
    return n


@kernel
def red_kind(type: int, kind: int) -> int:
    """The five in a meld that holds a red one."""
    return kind // RANKS * RANKS + 4 if type == CHI else kind


# --- derived inputs


@kernel
def list_efficiency(v: Any, t: Any, notes: Any, out: Any, n: int) -> int:
    """Shanten, useful tiles and waits of the viewer's hand."""
    melds, tiles = int(v.melds[0]), 0
    for kind in range(NUM_KINDS):
        tiles += int(notes.hand[kind])
    if tiles % 3 == 2:
        best = ukeire_discards(notes.hand, melds, notes.visible, t, notes.shanten, notes.useful)
        for kind in range(NUM_KINDS):
            if notes.hand[kind] and notes.shanten[kind] == best:
                n = tile(out, n, kind, at.SHANTEN_KEPT)
                n = tile(out, n, kind, at.USEFUL_AFTER + part_of(int(notes.useful[kind]), USEFUL_ENDS))
    else:
        best = shanten(notes.hand, melds, t)
        useful = useful_mask(
            suit_key(notes.hand, 0),
            suit_key(notes.hand, FIRST_P),
            suit_key(notes.hand, FIRST_S),
            honour_key(notes.hand),
            melds,
            best,
            t,
        )
        for kind in range(NUM_KINDS):
            if (useful >> kind) & 1:
                n = tile(out, n, kind, at.USEFUL)
    waits = int(v.waits)
    for kind in range(NUM_KINDS):
        if (waits >> kind) & 1:
            n = tile(out, n, kind, at.WAIT)
    n = question(out, n, at.SHANTEN + min(max(best + 1, 0), 7))
    return question(out, n, at.WAITS + min(count_bits(waits), 6))


@kernel
def list_danger(v: Any, notes: Any, out: Any, n: int) -> int:
    """Suji of each opponent, and kinds that a two-sided wait can no longer be for."""
    for kind in range(EAST):
        rank = kind % RANKS
        blocked = int(rank < 3 or is_walled(notes, kind, -1)) + int(rank > 5 or is_walled(notes, kind, 1))
        walls = int(rank >= 3 and is_walled(notes, kind, -1)) + int(rank <= 5 and is_walled(notes, kind, 1))
        if walls:
            n = tile(out, n, kind, at.NO_CHANCE + int(blocked == 2))
        for player in range(1, PLAYERS):
            n = list_suji(int(notes.safe[player]), kind, rank, player, out, n)
    return n


@kernel
def is_walled(notes: Any, kind: int, side: int) -> bool:
    """Whether all of one of the two kinds next to a kind on one side are seen."""
    near, far = kind + side, kind + 2 * side
    return bool(notes.visible[near] >= COPIES or notes.visible[far] >= COPIES)


@kernel
def list_suji(safe: int, kind: int, rank: int, player: int, out: Any, n: int) -> int:
    """Whether the kinds three ranks away are safe: one side, or all sides there are."""
    sides = int(rank >= 3) + int(rank <= 5)
    found = int(rank >= 3 and (safe >> (kind - 3)) & 1) + int(rank <= 5 and (safe >> (kind + 3)) & 1)
    if found:
        n = tile(out, n, kind, at.SUJI + (player - 1) * 2 + int(found == sides))
    return n


# --- player tokens


@kernel
def list_player(v: Any, player: int, notes: Any, out: Any, n: int) -> int:
    """One player's points, riichi, river and melds in numbers."""
    points = int(v.scores[player])
    for i in range(len(SCORES)):
        if points >= SCORES[i]:
            n = seat(out, n, player, at.POINTS + i)
    n = seat(out, n, player, at.RANK + int(notes.rank[player]))
    n = seat(out, n, player, at.WIND + wind_of(v, player))
    if player > 0:
        for i in range(len(GAPS)):
            if points - int(v.scores[0]) >= GAPS[i]:
                n = seat(out, n, player, at.GAP + i)
    n = list_riichi(v, player, out, n)
    n = seat(out, n, player, at.DISCARDS + min(int(v.discards[player]), at.TURNS))
    n = seat(out, n, player, at.DRAWN_RUN + min(drawn_run(v, player), 5))
    n = list_open(v, player, notes, out, n)
    if v.actor == player:
        n = seat(out, n, player, at.TO_ACT)
    return n


@kernel
def list_riichi(v: Any, player: int, out: Any, n: int) -> int:
    """Whether a player is in riichi and since when."""
    if not v.riichi[player]:
        return n
    n = seat(out, n, player, at.RIICHI + int(v.riichi[player]) - 1)
    if v.ippatsu[player]:
        n = seat(out, n, player, at.IPPATSU)
    for i in range(int(v.discards[player])):
        if int(v.river_flags[player, i]) & RIICHI_FLAG:
            n = seat(out, n, player, at.RIICHI_TURN + min(i, at.TURNS - 1))
            since = int(v.discards[player]) - 1 - i
            n = seat(out, n, player, at.SINCE_RIICHI + min(since // 2, 5))
    return n


@kernel
def drawn_run(v: Any, player: int) -> int:
    """How many of a player's last discards were drawn tiles."""
    run = 0
    for i in range(int(v.discards[player]) - 1, -1, -1):
        if not int(v.river_flags[player, i]) & TSUMOGIRI_FLAG:
            break
        run += 1
    return run


@kernel
def list_open(v: Any, player: int, notes: Any, out: Any, n: int) -> int:
    """A player's melds in numbers."""
    opened, kans, dora = 0, 0, 0
    for i in range(int(v.melds[player])):
        opened += int(v.meld_type[player, i] != CONCEALED_KAN)
        kans += int(v.meld_type[player, i] >= OPEN_KAN)
        dora += int(v.meld_red[player, i] != 0)
    for kind in range(NUM_KINDS):
        if notes.dora[kind]:
            dora += int(notes.dora[kind]) * held_in_melds(v, player, kind)
    n = seat(out, n, player, at.OPEN_MELDS + opened)
    if kans:
        n = seat(out, n, player, at.KANS + min(kans, 3) - 1)
    return seat(out, n, player, at.MELD_DORA + min(dora, 5))


@kernel
def list_overtaking(v: Any, player: int, notes: Any, out: Any, n: int) -> int:
    """Which wins reverse the order of the viewer and another player, in either direction.

    Values are those of RESULTS; honba and sticks are counted. Equal points go to the earlier seat.
    """
    ahead = notes.rank[player] < notes.rank[0]
    winner, loser = (0, player) if ahead else (player, 0)
    gap = int(v.scores[loser]) - int(v.scores[winner])
    earlier = (int(v.seat) + winner) % PLAYERS < (int(v.seat) + loser) % PLAYERS
    need = gap if earlier else gap + 1
    dealer = v.dealer == winner
    ron, other, tsumo = at.OVERTAKE_RON, at.OVERTAKE_OTHER, at.OVERTAKE_TSUMO
    if not ahead:
        ron, other, tsumo = at.OVERTAKEN_RON, at.OVERTAKEN_OTHER, at.OVERTAKEN_TSUMO
    sticks, honba = STICK * int(v.sticks), int(v.honba)
    for i in range(len(RESULTS)):
        value = RESULTS[i] * 3 // 2 if dealer else RESULTS[i]
        direct = value + HONBA_RON * honba
        share = (value + 2) // 3 if dealer else (value // 2 if v.dealer == loser else value // 4)
        if 2 * direct + sticks >= need:
            n = seat(out, n, player, ron + i)
        if direct + sticks >= need:
            n = seat(out, n, player, other + i)
        if value + 3 * HONBA_TSUMO * honba + sticks + share + HONBA_TSUMO * honba >= need:
            n = seat(out, n, player, tsumo + i)
    return n


# --- the game and the question


@kernel
def list_game(v: Any, rules: Any, out: Any, n: int) -> int:
    """Round, honba, sticks, tiles left and the rules."""
    n = table(out, n, at.ROUND + min(int(v.kyoku), 11))
    left = max(int(rules.rounds) * PLAYERS - 1 - int(v.kyoku), 0)
    n = table(out, n, at.HANDS_LEFT + min(left, 7))
    n = table(out, n, at.HONBA + min(int(v.honba), 5))
    n = table(out, n, at.STICKS + min(int(v.sticks), 4))
    n = table(out, n, at.TILES_LEFT + min(int(v.left) // 4, 18))
    if v.left < 8:
        n = table(out, n, at.LAST_TILES + max(int(v.left), 0))
    shown, riichi = 0, 0
    for i in range(INDICATORS):
        shown += int(v.indicators[i] != NONE)
    for player in range(1, PLAYERS):
        riichi += int(v.riichi[player] != 0)
    n = table(out, n, at.INDICATORS + max(shown, 1) - 1)
    n = table(out, n, at.IN_RIICHI + riichi)
    return list_rules(rules, out, n)


@kernel
def list_rules(rules: Any, out: Any, n: int) -> int:
    """Flags of the rules."""
    n = table(out, n, at.LENGTH + min(int(rules.rounds), 2) - 1)
    if rules.red_fives:
        n = table(out, n, at.RED_FIVES)
    if rules.open_tanyao:
        n = table(out, n, at.OPEN_TANYAO)
    if rules.extra_round:
        n = table(out, n, at.EXTRA_ROUND)
    if rules.bust_ends:
        n = table(out, n, at.BUST_ENDS)
    if rules.multiple_ron == 1:
        n = table(out, n, at.HEAD_BUMP)
    return n


@kernel
def list_question(v: Any, notes: Any, out: Any, n: int) -> int:
    """What is asked, and the viewer's hand in numbers."""
    phase = 0 if v.phase == TURN else 1 if v.phase == REACTION else 2
    n = question(out, n, at.PHASE + phase)
    if (v.phase == REACTION or v.phase == KAN_REACTION) and v.tile != NONE:
        n = question(out, n, at.SOURCE + int(v.actor))
        n = question(out, n, at.ASKED_KIND + kind_of(int(v.tile)))
    if v.drawn != NONE:
        n = question(out, n, at.DRAWN_KIND + kind_of(int(v.drawn)))
    n = list_legal(v, out, n)
    if v.declaring:
        n = question(out, n, at.DECLARING)
    opened, dora = 0, 0
    for i in range(int(v.melds[0])):
        opened += int(v.meld_type[0, i] != CONCEALED_KAN)
        dora += int(v.meld_red[0, i] != 0)
    if opened == 0:
        n = question(out, n, at.CLOSED)
    reds = (int(v.reds) & 1) + ((int(v.reds) >> 1) & 1) + ((int(v.reds) >> 2) & 1)
    n = question(out, n, at.REDS + reds)
    dora += reds
    for kind in range(NUM_KINDS):
        if notes.dora[kind]:
            dora += int(notes.dora[kind]) * (int(v.hand[kind]) + held_in_melds(v, 0, kind))
    n = question(out, n, at.DORA_HELD + min(dora, 5))
    if v.furiten:
        n = question(out, n, at.FURITEN)
    if v.first_turn:
        n = question(out, n, at.FIRST_TURN)
    return n


@kernel
def list_legal(v: Any, out: Any, n: int) -> int:
    """Actions other than discards that may be taken."""
    for i in range(len(QUESTION_ACTIONS)):
        if may(v, int(QUESTION_ACTIONS[i])):
            n = question(out, n, at.LEGAL + i)
    concealed, added = False, False
    for kind in range(NUM_KINDS):
        concealed = concealed or may(v, act.CONCEALED_KAN + kind)
        added = added or may(v, act.ADDED_KAN + kind)
    if concealed:
        n = question(out, n, CONCEALED_KAN_CHANNEL)
    if added:
        n = question(out, n, ADDED_KAN_CHANNEL)
    return n
