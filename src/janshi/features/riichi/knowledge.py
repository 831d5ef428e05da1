"""Facts about each player's hand with all hands open: shanten, useful tiles, waits and their payments.

They are kept from event to event, and updated only if a hand, its riichi or the dora have changed.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.shanten import FIRST_P, FIRST_S, honour_key, shanten, suit_key
from janshi.core.tiles import EAST, NUM_KINDS, RANKS, SUITS, WHITE
from janshi.core.ukeire import useful_mask
from janshi.rules.riichi.concealed import held_in_melds
from janshi.rules.riichi.deal import FIRST_INDICATOR
from janshi.rules.riichi.dora import count_dora, count_reds
from janshi.rules.riichi.score import score
from janshi.rules.riichi.state import PLAYERS, Context
from janshi.rules.riichi.win import OUTER
from janshi.rules.riichi.winning import describe_melds, is_furiten

PAIR, TRIPLET = 2, 3

KNOWN_DTYPE: Final = record_dtype(
    [
        ("useful", np.int64),  # kinds that bring the hand nearer
        ("waits", np.int64),  # kinds that complete it
        ("hand", np.int8, (NUM_KINDS,)),  # the hand that these facts describe
        ("melds", np.int8),
        ("riichi", np.int8),
        ("ippatsu", np.int8),
        ("indicators", np.int8),
        ("first_indicator", np.int16),
        ("shanten", np.int8),
        ("dora", np.int8),
        ("reds", np.int8),
        ("triplets", np.int8),  # of dragons and the player's winds, melded or not
        ("honour_pairs", np.int8),  # pairs of the same
        ("outer", np.int8),  # terminals and honours among the concealed tiles
        ("flush", np.int8),  # tiles of the fullest suit and honours, melds included
        ("pairs", np.int8),  # kinds held at least twice
        ("furiten", np.int8),
        ("tsumo", np.float32, (NUM_KINDS,)),  # base points of a win by drawing a kind; 0 if it is none
        ("ron", np.float32, (NUM_KINDS,)),
    ]
)


@kernel
def forget(known: Any) -> None:
    """Force everything to be recomputed."""
    for player in range(PLAYERS):
        known[player].melds = -1


@kernel
def learn_hands(s: Any, known: Any, c: Context) -> None:
    """Update the facts about all hands, each of 13 - 3n concealed tiles."""
    for player in range(PLAYERS):
        learn_hand(s, player, known[player], c)


@kernel
def learn_hand(s: Any, player: int, k: Any, c: Context) -> None:
    """Update the facts about one hand if it has changed."""
    moved = k.melds != s.melds[player]
    for kind in range(NUM_KINDS):
        if k.hand[kind] != s.hand[player, kind]:
            moved = True
            k.hand[kind] = s.hand[player, kind]
    k.furiten = 1 if is_furiten(s, player) else 0
    first = np.int64(s.wall[FIRST_INDICATOR]) if s.indicators > 0 else -1
    same = k.riichi == s.riichi[player] and k.ippatsu == s.ippatsu[player]
    if not moved and same and k.indicators == s.indicators and k.first_indicator == first:
        return
    if moved:
        k.melds = s.melds[player]
        learn_shape(s, player, k, c)
    k.riichi = s.riichi[player]
    k.ippatsu = s.ippatsu[player]
    k.indicators = s.indicators
    k.first_indicator = first
    k.dora = count_dora(s, player, -1, False)
    k.reds = count_reds(s, player, -1)
    learn_worth(s, player, k, c)


@kernel
def learn_shape(s: Any, player: int, k: Any, c: Context) -> None:
    """The hand's shanten, useful tiles, and the kind of hand it may become."""
    hand, melds = s.hand[player], int(s.melds[player])
    k.shanten = shanten(hand, melds, c.tables)
    k.useful = useful_mask(
        suit_key(hand, 0),
        suit_key(hand, FIRST_P),
        suit_key(hand, FIRST_S),
        honour_key(hand),
        melds,
        int(k.shanten),
        c.tables,
    )
    k.waits = k.useful if k.shanten == 0 else 0
    k.outer, k.pairs, k.triplets, k.honour_pairs = 0, 0, 0, 0
    most, honours = 0, 0
    for suit in range(SUITS):
        tiles = 0
        for rank in range(RANKS):
            tiles += int(hand[RANKS * suit + rank]) + held_in_melds(s, player, RANKS * suit + rank)
        most = max(most, tiles)
    for kind in range(NUM_KINDS):
        count = int(hand[kind])
        k.pairs += 1 if count >= PAIR else 0
        if (OUTER >> kind) & 1:
            k.outer += count
        if kind >= EAST:
            count += held_in_melds(s, player, kind)
            honours += count
            if is_value_honour(s, player, kind):
                k.triplets += 1 if count >= TRIPLET else 0
                k.honour_pairs += 1 if count == PAIR else 0
    k.flush = most + honours


@kernel
def is_value_honour(s: Any, player: int, kind: int) -> bool:
    """Whether a triplet of a kind is a yaku: dragons, the round's wind, the player's wind."""
    if kind >= WHITE:
        return True
    seat = (player + PLAYERS - int(s.kyoku) % PLAYERS) % PLAYERS
    return kind == EAST + seat or kind == EAST + (int(s.kyoku) // PLAYERS) % PLAYERS


@kernel
def learn_worth(s: Any, player: int, k: Any, c: Context) -> None:
    """Write the value of a win on each of the hand's waits."""
    for kind in range(NUM_KINDS):
        k.tsumo[kind] = 0
        k.ron[kind] = 0
        if (int(k.waits) >> kind) & 1:
            k.tsumo[kind] = base_of_win(s, player, kind, True, c)
            k.ron[kind] = base_of_win(s, player, kind, False, c)


@kernel
def base_of_win(s: Any, player: int, kind: int, tsumo: bool, c: Context) -> int:
    """Base points of a win on a kind, without ura-dora or the yaku of first and last tiles; 0 if there is no yaku."""
    w = c.win
    for other in range(NUM_KINDS):
        w.hand[other] = s.hand[player, other]
    w.hand[kind] += 1
    w.win_kind = kind
    w.tsumo = 1 if tsumo else 0
    describe_melds(s, player, c)
    w.seat_wind = (player + PLAYERS - int(s.kyoku) % PLAYERS) % PLAYERS
    w.round_wind = (int(s.kyoku) // PLAYERS) % PLAYERS
    w.riichi = s.riichi[player]
    w.ippatsu = 1 if s.riichi[player] and s.ippatsu[player] and c.rules.ippatsu else 0
    w.rinshan, w.chankan, w.last_tile, w.first_turn, w.ura = 0, 0, 0, 0, 0
    w.dora = count_dora(s, player, kind, False)
    w.red = count_reds(s, player, -1)
    score(w, c.rules, c.score)
    return int(c.score["base"]) if c.score.yaku != 0 else 0
