"""What a riichi hand may win: the chance of winning, as a race of draws, and what it would pay.

The race goes from shanten to shanten: each draw of the player is one of the useful tiles, or not. The first step counts
the hand's actual useful tiles; later steps count those of an average hand. Kernels read a player's settings from a
record made from `Manner`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.shanten import count_bits, is_orphan
from janshi.core.tiles import EAST, FIRST_RED, NUM_KINDS, RANKS, WHITE
from janshi.rules.game import Array
from janshi.rules.riichi.concealed import in_meld, kind_of
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.ruleset import HONBA_RON, STICK, Ruleset
from janshi.rules.riichi.state import INDICATORS, NONE, PLAYERS
from janshi.rules.riichi.win import CHI, CONCEALED_KAN

STAGES: Final = 8
DRAWS: Final = 20
HANS: Final = 14
SIMPLES: Final = sum(1 << kind for kind in range(EAST) if 0 < kind % RANKS < RANKS - 1)
"""Bit set of the kinds from 2 to 8."""
TYPICAL: Final = (5.5, 17.0, 28.0, 38.0, 46.0, 52.0, 56.0, 60.0)
"""Useful tiles of an average hand, by shanten."""
UNSEEN: Final = 75.0
"""Tiles that a player does not see in the middle of a hand."""
CLOSED_POINTS: Final = (1500, 2600, 4200, 6700, 8500, 9500, 12500, 13000, 16500, 17000, 18000, 24000, 25000, 32000)
"""What a win in riichi pays on average, by the han known in advance; includes ura-dora and luck."""
OPEN_POINTS: Final = (0, 1300, 2300, 4500, 7700, 8300, 12000, 12500, 16000, 16500, 17000, 24000, 25000, 32000)


@dataclass(frozen=True)
class Manner:
    """The settings of a careful player."""

    courage: float = 0.8
    """The weight of winning points against losing as many."""
    riichi_cost: float = 5500.0
    """Average cost of dealing into a riichi."""
    open_cost: float = 2500.0
    """Cost of dealing into an open hand, before dora."""
    dora_cost: float = 1500.0
    """Extra cost for each visible dora of that hand, and for discarding one into it."""
    ron: float = 2.1
    """Multiplier on the rate of winning from tenpai, because opponents discard winning tiles, too."""
    calls: float = 1.3
    """Multiplier on the rate of useful tiles for an open hand."""
    rivals: float = 0.2
    """Share that each threat takes from the chance of every step."""
    eager: float = 1.1
    """Factor by which a call must raise the worth of the hand."""
    detour: float = 0.3
    """Useful tiles after a discard that raises the shanten, as a share of an average hand's."""
    calling: float = 1.0
    """Whether it calls at all."""


MANNER_DTYPE: Final = record_dtype(
    [
        *((f.name, np.float64) for f in fields(Manner)),
        ("later", np.float64, (2, STAGES, DRAWS + 1)),  # result of `race`, closed and open
        ("points", np.float64, (2, HANS)),
        ("open_tanyao", np.int8),
    ]
)
MIND_DTYPE: Final = record_dtype(  # scratch space of a player
    [
        ("risk", np.float64, (NUM_KINDS,)),  # expected cost of a discard in points
        ("chance", np.float64, (NUM_KINDS,)),
        ("unseen", np.int64, (NUM_KINDS,)),
        ("threats", np.float64),  # estimated number of tenpai opponents
        ("tiles", np.int64),  # unseen tiles of all kinds
        ("draws", np.int64),  # draws left for the player
        ("useful", np.int16, (NUM_KINDS,)),
        ("dora", np.int8, (NUM_KINDS,)),  # dora value of a tile of the kind, in han
        ("hand", np.int8, (NUM_KINDS,)),
        ("own", np.int8, (NUM_KINDS,)),  # the tiles of the hand that the plan can use
        ("visible", np.int8, (NUM_KINDS,)),
        ("distance", np.int8, (NUM_KINDS,)),
    ]
)


# --- the race to a win


def race(pace: float, ron: float) -> Array:
    """The chance of winning with average hands, float64[STAGES, DRAWS + 1]: by shanten and draws left."""
    chance = np.zeros((STAGES, DRAWS + 1))
    for stage in range(STAGES):
        rate = min(0.9, (pace if stage else ron) * TYPICAL[stage] / UNSEEN)
        for draws in range(1, DRAWS + 1):
            then = chance[stage - 1, draws - 1] if stage else 1.0
            chance[stage, draws] = rate * then + (1 - rate) * chance[stage, draws - 1]
    return chance


@kernel
def win_chance(distance: int, useful: float, draws: int, tiles: int, is_open: int, m: Any) -> float:
    """The chance of winning, by shanten, the number of useful tiles among the unseen `tiles`, and draws left."""
    pace = m.ron if distance <= 0 else (m.calls if is_open else 1.0)
    rate = min(0.9, pace * useful / max(tiles, 1))
    stage, waiting, chance = min(distance, STAGES - 1), 1.0, 0.0
    for left in range(min(draws, DRAWS) - 1, -1, -1):
        chance += waiting * rate * (m.later[is_open, stage - 1, left] if stage > 0 else 1.0)
        waiting *= 1 - rate
    return float(chance)


# --- what the hand is worth


@kernel
def note_dora(v: Any, dora: Any) -> None:
    """Write the dora value of each kind in han (int8[34])."""
    for kind in range(NUM_KINDS):
        dora[kind] = 0
    for i in range(INDICATORS):
        if v.indicators[i] != NONE:
            dora[dora_of(kind_of(int(v.indicators[i])))] += 1


@kernel
def unseen_reds(v: Any) -> int:
    """Bit set of the red fives that the viewer does not see."""
    seen = int(v.reds)
    for player in range(PLAYERS):
        for i in range(int(v.discards[player])):
            if v.river[player, i] >= FIRST_RED:
                seen |= 1 << (int(v.river[player, i]) - FIRST_RED)
        for i in range(int(v.melds[player])):
            if v.meld_red[player, i]:
                seen |= 1 << (int(v.meld_kind[player, i]) // RANKS)
    for i in range(INDICATORS):
        if v.indicators[i] >= FIRST_RED:
            seen |= 1 << (int(v.indicators[i]) - FIRST_RED)
    return 7 & ~seen


@kernel
def meld_dora(v: Any, player: int, dora: Any) -> int:
    """Dora and red fives in a player's melds."""
    han = 0
    for i in range(int(v.melds[player])):
        han += 1 if v.meld_red[player, i] else 0
        for kind in range(NUM_KINDS):
            if dora[kind]:
                han += int(dora[kind]) * in_meld(v, player, i, kind)
    return han


@kernel
def open_melds(v: Any) -> int:
    """How many of the viewer's melds are open."""
    count = 0
    for i in range(int(v.melds[0])):
        count += 1 if v.meld_type[0, i] != CONCEALED_KAN else 0
    return count


@kernel
def meld_is_simple(meld_type: int, kind: int) -> bool:
    """Whether a meld holds no terminal and no honour."""
    return not is_orphan(kind) and not (meld_type == CHI and is_orphan(kind + 2))


@kernel
def melds_are_simple(v: Any) -> bool:
    """Whether the viewer's melds hold no terminal and no honour."""
    for i in range(int(v.melds[0])):
        if not meld_is_simple(int(v.meld_type[0, i]), int(v.meld_kind[0, i])):
            return False
    return True


@kernel
def value_sets(v: Any, hand: Any) -> int:
    """Yakuhai: triplets of the hand and melds that are a yaku, a double wind twice."""
    han = 0
    for kind in range(EAST, NUM_KINDS):
        if hand[kind] >= 3:
            han += value_han(v, kind)
    for i in range(int(v.melds[0])):
        if v.meld_type[0, i] != CHI and v.meld_kind[0, i] >= EAST:
            han += value_han(v, int(v.meld_kind[0, i]))
    return han


@kernel
def value_han(v: Any, kind: int) -> int:
    """Han of three of a kind of honours."""
    seat_wind = (PLAYERS - int(v.dealer)) % PLAYERS
    if kind >= WHITE:
        return 1
    return (1 if kind == EAST + seat_wind else 0) + (1 if kind == EAST + int(v.kyoku) // PLAYERS else 0)


@kernel
def hand_han(v: Any, hand: Any, x: Any) -> int:
    """Dora and red fives of concealed tiles and melds."""
    han = count_bits(int(v.reds)) + meld_dora(v, 0, x.dora)
    for kind in range(NUM_KINDS):
        han += int(hand[kind]) * int(x.dora[kind])
    return han


@kernel
def worth(v: Any, han: int, is_open: int, m: Any) -> float:
    """Expected points of a win with this many han, including riichi sticks and honba."""
    points = m.points[is_open, min(max(han, 0), HANS - 1)]
    if v.dealer == 0:
        points *= 1.5
    return float(points + STICK * int(v.sticks) + HONBA_RON * int(v.honba))


@kernel
def future_han(v: Any, hand: Any, plan: int, is_open: int, x: Any) -> int:
    """Han the hand will have: riichi if closed, value triplets, dora, tanyao if it is all simples."""
    han = hand_han(v, hand, x) + value_sets(v, hand) + (1 - is_open)
    if plan == SIMPLES:
        return han + 1
    for kind in range(NUM_KINDS):
        if hand[kind] > 0 and is_orphan(kind):
            return han
    return han + (1 if melds_are_simple(v) else 0)


def manner_record(manner: Manner, rules: Ruleset) -> Any:
    """The settings as a record for kernels, with what follows from them and the rules."""
    record = np.zeros(1, MANNER_DTYPE)
    for f in fields(Manner):
        record[f.name] = getattr(manner, f.name)
    record["later"][0] = race(1.0, manner.ron), race(manner.calls, manner.ron)
    record["points"][0] = CLOSED_POINTS, OPEN_POINTS
    record["open_tanyao"] = int(rules.open_tanyao)
    return record
