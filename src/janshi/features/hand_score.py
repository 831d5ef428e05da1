"""Features of the hand score model: what dealing a kind into an opponent would cost.

There are two lists: one for the opponent, shared by all kinds, and a short one for the kind. They cover what the melds
show (dora, red fives, valued honours), what they may become, unseen dora, riichi and the dealer.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.core._jit import kernel
from janshi.core.tiles import EAST, FIRST_RED, FIVE_M, RANKS
from janshi.features.layout import Layout
from janshi.features.opponent import RIICHI_STANCE, ROLES, STANCES
from janshi.features.winning_tile import KINDS_OF_STANCE, LOW_RANKS, flush_count, flush_part
from janshi.rules.riichi.state import PLAYERS

VERSION: Final = 2
"""Changes when the meaning of a feature number does."""

YAKU: Final = 32
"""What melds may become: simples, triplets, outer, flush, each or not, and valued honours."""
DORA_COUNTS: Final = 7
HAN: Final = 4
TURNS: Final = 22

LAYOUT: Final = Layout()
STANCE: Final = LAYOUT.add("stance and dealer", "situation", stance=STANCES, dealer=2)
RIICHI: Final = LAYOUT.add("riichi: single or double, ippatsu, dealer", "situation", riichi=3, ippatsu=2, dealer=2)
RIICHI_TURN: Final = LAYOUT.add("turn of riichi", "turn", turn=TURNS)
MELD_DORA: Final = LAYOUT.add("dora in melds", "melds", stance=STANCES, dora=DORA_COUNTS, dealer=2)
MELD_YAKU: Final = LAYOUT.add("what the melds may become", "melds", stance=STANCES, yaku=YAKU)
MELD_HAN: Final = LAYOUT.add("han the melds show", "fan", stance=STANCES, han=HAN, dora=DORA_COUNTS, simple=2)
MELD_WORTH: Final = LAYOUT.add(
    "han the melds show and may become", "fan", stance=STANCES, han=HAN, dora=DORA_COUNTS, yaku=16
)
MELD: Final = LAYOUT.add("meld", "melds", type=6, role=ROLES, melds=4)
FLUSH: Final = LAYOUT.add("flush: discards of the suit", "melds", stance=STANCES, count=8, part=3)
UNSEEN_DORA: Final = LAYOUT.add("dora not seen", "dora", stance=STANCES, dora=10)
UNSEEN_REDS: Final = LAYOUT.add("red fives not seen", "dora", stance=STANCES, reds=4)
INDICATORS: Final = LAYOUT.add("dora indicators", "dora", stance=STANCES, indicators=6)
DORA_ROLE: Final = LAYOUT.add("role of the dora and copies left", "dora", rough=KINDS_OF_STANCE, role=ROLES, left=5)
DORA_GIVEN: Final = LAYOUT.add("dora discarded", "dora", rough=KINDS_OF_STANCE, dora=3, reds=3)
TURN: Final = LAYOUT.add("turn", "turn", stance=STANCES, turn=TURNS)
LAST_TILES: Final = LAYOUT.add("tiles left in the wall", "turn", left=5, rough=KINDS_OF_STANCE)
OUTER_GIVEN: Final = LAYOUT.add("terminals and honours among the first six", "discards", stance=STANCES, count=7)
HONOURS_GIVEN: Final = LAYOUT.add(
    "discards by suit: honours and the rarest", "discards", stance=STANCES, count=7, rarest=5
)
MIDDLE_GIVEN: Final = LAYOUT.add("middle tiles among the first six", "discards", stance=STANCES, count=7)
STANDING: Final = LAYOUT.add("rank and round", "situation", stance=STANCES, rank=4, late=4)
OTHERS: Final = LAYOUT.add("riichi of others", "situation", stance=STANCES, riichi=4)
KANS: Final = LAYOUT.add("kans", "melds", stance=STANCES, kans=3)

ROLE: Final = LAYOUT.add("role", "tiles", stance=STANCES, role=ROLES, dealer=2)
DORA_WORTH: Final = LAYOUT.add("is dora and han the melds show", "fan", stance=STANCES, dora=3, han=8)
IS_DORA: Final = LAYOUT.add("is dora", "dora", stance=STANCES, role=ROLES, dora=3)
FIVE: Final = LAYOUT.add("five and red fives not seen", "dora", stance=STANCES, reds=4)
ROLE_YAKU: Final = LAYOUT.add("role and what the melds may become", "melds", stance=STANCES, yaku=YAKU, role=ROLES)
FLUSH_PART: Final = LAYOUT.add("part of the flush", "melds", stance=STANCES, member=4, count=7)
SUIT_DORA: Final = LAYOUT.add("dora in the suit", "dora", rough=KINDS_OF_STANCE, low=LOW_RANKS, place=RANKS + 1)
SUJI: Final = LAYOUT.add("safe three ranks away", "discards", stance=STANCES, low=LOW_RANKS, down=2, up=2)
LEFT: Final = LAYOUT.add("copies left", "tiles", stance=STANCES, role=ROLES, left=5)
ROLE_OUTER: Final = LAYOUT.add(
    "role and outer tiles among the first six", "discards", rough=KINDS_OF_STANCE, role=ROLES, count=7
)
ROLE_TURN: Final = LAYOUT.add("role and turn", "turn", rough=KINDS_OF_STANCE, role=ROLES, part=6)

MOST_OF_OPPONENT: Final = 40
MOST_OF_KIND: Final = 16
MOST: Final = MOST_OF_OPPONENT + MOST_OF_KIND
"""Longest lists."""


@kernel
def meld_yaku(r: Any) -> int:
    """What the melds may become, encoded as a number below YAKU."""
    flags = int(r.simple) * 4 + int(r.triplets) * 2 + int(r.outer)
    return (int(r.meld_han > 0) * 2 + int(r.flush >= 0)) * 8 + flags


@kernel
def outer_given(r: Any) -> int:
    """Terminals and honours among an opponent's first six discards."""
    count = 0
    for i in range(min(int(r.discards), 6)):
        role = int(r.role[r.river[i]])
        count += int(role == 0 or role >= 5)
    return count


@kernel
def list_opponent(v: Any, player: int, r: Any, out: Any) -> int:
    """List the features of an opponent, whose reading is `r`, into `out` (int32); returns how many."""
    stance, dealer = int(r.stance), int(r.dealer)
    dora = min(int(r.meld_dora), DORA_COUNTS - 1)
    out[0] = STANCE + stance * 2 + dealer
    out[1] = MELD_DORA + (stance * DORA_COUNTS + dora) * 2 + dealer
    out[2] = MELD_HAN + ((stance * HAN + min(int(r.meld_han), HAN - 1)) * DORA_COUNTS + dora) * 2 + int(r.simple)
    out[3] = MELD_YAKU + stance * YAKU + meld_yaku(r)
    out[4] = UNSEEN_DORA + stance * 10 + min(int(r.unseen_dora), 9)
    out[5] = UNSEEN_REDS + stance * 4 + int(r.unseen_reds)
    out[6] = INDICATORS + stance * 6 + int(r.indicators)
    out[7] = TURN + stance * TURNS + min(int(r.discards), TURNS - 1)
    out[8] = LAST_TILES + min((int(v.left) + 3) // 4, 4) * KINDS_OF_STANCE + min(stance, KINDS_OF_STANCE - 1)
    out[9] = FLUSH + (stance * 8 + (min(flush_count(r), 6) if r.flush >= 0 else 7)) * 3 + min(int(r.discards) // 6, 2)
    yaku = int(r.flush >= 0) * 8 + int(r.simple) * 4 + int(r.triplets) * 2 + int(r.outer)
    out[10] = MELD_WORTH + ((stance * HAN + min(int(r.meld_han), HAN - 1)) * DORA_COUNTS + dora) * 16 + yaku
    n = 11
    if stance == RIICHI_STANCE:
        out[n] = RIICHI + (int(v.riichi[player]) * 2 + int(v.ippatsu[player])) * 2 + dealer
        out[n + 1] = RIICHI_TURN + min(max(int(r.riichi_at), 0), TURNS - 1)
        n += 2
    kans = 0
    for i in range(int(v.melds[player])):
        type = int(v.meld_type[player, i])
        kans += int(type >= 3)
        out[n] = MELD + (type * ROLES + int(r.role[v.meld_kind[player, i]])) * 4 + min(max(int(r.melds), 1) - 1, 3)
        n += 1
    out[n] = KANS + stance * 3 + min(kans, 2)
    return list_discards(v, player, r, stance, out, n + 1)


@kernel
def list_discards(v: Any, player: int, r: Any, stance: int, out: Any, n: int) -> int:
    """What the river shows about an opponent's hand, and the state of the game."""
    rough = min(stance, KINDS_OF_STANCE - 1)
    dora = reds = middle = 0
    for i in range(int(r.discards)):
        dora += int(r.dora[r.river[i]] > 0)
        reds += int(v.river[player, i] >= FIRST_RED)
        middle += int(i < 6 and 2 <= r.role[r.river[i]] <= 4)
    rarest = min(int(r.suit_discards[0]), int(r.suit_discards[1]), int(r.suit_discards[2]))
    out[n] = DORA_GIVEN + (rough * 3 + min(dora, 2)) * 3 + min(reds, 2)
    out[n + 1] = OUTER_GIVEN + stance * 7 + outer_given(r)
    out[n + 2] = MIDDLE_GIVEN + stance * 7 + middle
    out[n + 3] = HONOURS_GIVEN + (stance * 7 + min(int(r.suit_discards[3]), 6)) * 5 + min(rarest, 4)
    n += 4
    for kind in range(len(r.dora)):
        if r.dora[kind]:
            out[n] = DORA_ROLE + (rough * ROLES + int(r.role[kind])) * 5 + int(r.left[kind])
            n += 1
    rank = others = 0
    for other in range(PLAYERS):
        rank += int(v.scores[other] > v.scores[player])
        others += int(other != player and v.riichi[other] != 0)
    kyoku = int(v.kyoku)
    late = 0 if kyoku < 4 else 1 if kyoku < 7 else 2 if kyoku == 7 else 3
    out[n] = STANDING + (stance * 4 + rank) * 4 + late
    out[n + 1] = OTHERS + stance * 4 + others
    return n + 2


@kernel
def list_kind(v: Any, player: int, kind: int, r: Any, out: Any, n: int) -> int:
    """List the features of a kind into `out` from place `n` on; returns the place after the last."""
    stance, role = int(r.stance), int(r.role[kind])
    rough = min(stance, KINDS_OF_STANCE - 1)
    out[n] = ROLE + (stance * ROLES + role) * 2 + int(r.dealer)
    out[n + 1] = ROLE_YAKU + (stance * YAKU + meld_yaku(r)) * ROLES + role
    out[n + 2] = FLUSH_PART + (stance * 4 + flush_part(r, kind)) * 7 + flush_count(r)
    out[n + 3] = LEFT + (stance * ROLES + role) * 5 + int(r.left[kind])
    out[n + 4] = ROLE_OUTER + (rough * ROLES + role) * 7 + outer_given(r)
    out[n + 5] = ROLE_TURN + (rough * ROLES + role) * 6 + min(int(r.discards) // 3, 5)
    han = min(int(r.meld_han) + int(r.meld_dora), 7)
    out[n + 6] = DORA_WORTH + (stance * 3 + min(int(r.dora[kind]), 2)) * 8 + han
    n += 7
    if r.dora[kind]:
        out[n] = IS_DORA + (stance * ROLES + role) * 3 + min(int(r.dora[kind]), 2)
        n += 1
    if kind < EAST:
        n = list_suit(r, kind, stance, rough, role, out, n)
    return n


@kernel
def list_suit(r: Any, kind: int, stance: int, rough: int, low: int, out: Any, n: int) -> int:
    """Dora and safe kinds in the suit of a number kind."""
    step = 1 if kind % RANKS == low else -1
    base = kind - step * low
    dora = 0
    for place in range(RANKS):
        if r.dora[base + step * place]:
            dora = place + 1
    down = int(low < 3 or r.status[kind - 3 * step] > 0)
    out[n] = SUIT_DORA + (rough * LOW_RANKS + low) * (RANKS + 1) + dora
    out[n + 1] = SUJI + ((stance * LOW_RANKS + low) * 2 + down) * 2 + int(r.status[kind + 3 * step] > 0)
    n += 2
    if low == FIVE_M:
        out[n] = FIVE + stance * 4 + int(r.unseen_reds)
        n += 1
    return n
