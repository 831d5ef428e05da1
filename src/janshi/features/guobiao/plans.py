"""Plans: ways to eight fan in Guobiao.

A *plan* fixes some sets, the kinds that may be used, or a shape, and leaves the rest of the hand free: a mixed
straight with any set and pair, a half flush, all pungs, seven pairs. About two hundred plans, in sixteen *sorts*,
cover most winning hands. `guobiao.outlook` computes how far a hand is from each.
"""

from __future__ import annotations

from itertools import permutations
from typing import Final, NamedTuple

import numpy as np

from janshi.core.shanten import HONOURS_AT
from janshi.core.tiles import EAST, NUM_KINDS, RANKS
from janshi.rules.guobiao.reach import ALL_SETS, RUN_SETS
from janshi.rules.guobiao.win import KNITTED_HONOURS, KNITTED_STRAIGHT, SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS

SORTS: Final = (
    "mixed triple chow",
    "mixed straight",
    "mixed shifted chows",
    "three chows of a suit",
    "shifted or triple pungs",
    "all pungs",
    "half flush",
    "full flush",
    "knitted straight",
    "knitted tiles or orphans",
    "seven pairs",
    "all types",
    "few ranks",
    "concealed",
    "dragons or winds",
    "any hand",
)
NUM_SORTS: Final = len(SORTS)
(
    MIXED_TRIPLE,
    MIXED_STRAIGHT,
    MIXED_SHIFTED,
    ONE_SUIT,
    LIKE_PUNGS,
    ALL_PUNGS,
    HALF_FLUSH,
    FULL_FLUSH,
    KNITTED,
    SCATTERED,
    PAIRS,
    ALL_TYPES,
    FEW_RANKS,
    CONCEALED,
    HONOUR_PUNGS,
    ANY,
) = range(NUM_SORTS)
NO_SET: Final = -1
SETS, PUNGS, TYPES, SHAPE = range(4)
"""How to compute the missing tiles of a plan: fixed sets and allowed kinds; pungs only; all types; a shape."""
SURE: Final = 7.0
"""Minimum fan for a plan to count as reaching eight."""


class Plan(NamedTuple):
    """A way to eight fan."""

    sort: int
    fan: float
    """Its worth, reduced if it needs luck to reach eight fan."""
    sets: tuple[int, ...] = ()
    kinds: tuple[int, ...] = tuple(range(NUM_KINDS))
    """Kinds that the rest of the hand may use."""
    form: int = SETS
    shape: int = STANDARD
    concealed: bool = False
    """Melds rule it out."""


def _run(suit: int, low: int) -> int:
    return 7 * suit + low


def _pung(suit: int, rank: int) -> int:
    return RUN_SETS + RANKS * suit + rank


_SUITS: Final = tuple(range(27))
_ORDERS: Final = tuple(permutations(range(3)))


def _ranks(*ranks: int) -> tuple[int, ...]:
    return tuple(RANKS * suit + rank - 1 for suit in range(3) for rank in ranks)


def _chow_plans() -> list[Plan]:
    plans = [Plan(MIXED_TRIPLE, 8, tuple(_run(suit, low) for suit in range(3))) for low in range(7)]
    plans += [Plan(MIXED_STRAIGHT, 8, tuple(_run(suit, 3 * i) for i, suit in enumerate(order))) for order in _ORDERS]
    for low in range(5):
        for order in _ORDERS:
            plans.append(Plan(MIXED_SHIFTED, 7, tuple(_run(suit, low + i) for i, suit in enumerate(order)), _SUITS))
    for suit in range(3):
        plans.append(Plan(ONE_SUIT, 16, (_run(suit, 0), _run(suit, 3), _run(suit, 6))))
        plans += [Plan(ONE_SUIT, 24, (_run(suit, low),) * 3) for low in range(7)]
        for step in (1, 2):
            lows = range(7 - 2 * step)
            plans += [Plan(ONE_SUIT, 16, tuple(_run(suit, low + step * i) for i in range(3))) for low in lows]
    return plans


def _pung_plans() -> list[Plan]:
    plans = [Plan(LIKE_PUNGS, 16, tuple(_pung(suit, rank) for suit in range(3))) for rank in range(RANKS)]
    for low in range(7):
        for order in _ORDERS:
            plans.append(Plan(LIKE_PUNGS, 8, tuple(_pung(suit, low + i) for i, suit in enumerate(order))))
        plans += [Plan(LIKE_PUNGS, 24, tuple(_pung(suit, low + i) for i in range(3))) for suit in range(3)]
    plans.append(Plan(ALL_PUNGS, 7, form=PUNGS))
    dragons, winds = [_pung(3, 4 + i) for i in range(3)], [_pung(3, i) for i in range(4)]
    plans += [Plan(HONOUR_PUNGS, 7, (dragons[i], dragons[j])) for i, j in ((0, 1), (0, 2), (1, 2))]
    plans += [Plan(HONOUR_PUNGS, 12, tuple(winds[i] for i in range(4) if i != out)) for out in range(4)]
    return plans


def _other_plans() -> list[Plan]:
    honours = tuple(range(EAST, NUM_KINDS))
    suits = [tuple(range(RANKS * suit, RANKS * suit + RANKS)) for suit in range(3)]
    plans = [Plan(HALF_FLUSH, 6, kinds=suit + honours) for suit in suits] + [
        Plan(FULL_FLUSH, 24, kinds=suit) for suit in suits
    ]
    plans.append(Plan(KNITTED, 12, form=SHAPE, shape=KNITTED_STRAIGHT))
    plans.append(Plan(SCATTERED, 12, form=SHAPE, shape=KNITTED_HONOURS))
    plans.append(Plan(SCATTERED, 88, form=SHAPE, shape=THIRTEEN_ORPHANS))
    plans.append(Plan(PAIRS, 24, form=SHAPE, shape=SEVEN_PAIRS))
    plans.append(Plan(ALL_TYPES, 7, form=TYPES))
    for fan, ranks in ((12, (1, 2, 3, 4)), (12, (6, 7, 8, 9)), (24, (1, 2, 3)), (24, (4, 5, 6)), (24, (7, 8, 9))):
        plans.append(Plan(FEW_RANKS, fan, kinds=_ranks(*ranks)))
    reversible = [RANKS + rank - 1 for rank in (1, 2, 3, 4, 5, 8, 9)] + [17 + rank for rank in (2, 4, 5, 6, 8, 9)]
    plans.append(Plan(FEW_RANKS, 8, kinds=(*reversible, EAST + 4)))
    plans.append(Plan(CONCEALED, 3, kinds=_SUITS, concealed=True))
    plans.append(Plan(CONCEALED, 4, kinds=_ranks(2, 3, 4, 5, 6, 7, 8), concealed=True))
    plans.append(Plan(ANY, 0.5))
    return plans


PLANS: Final = tuple(_chow_plans() + _pung_plans() + _other_plans())


def _bit(kind: int) -> int:
    """The bit of a kind in the order of `core.shanten.kind_bits`."""
    suit, rank = divmod(kind, RANKS)
    return 1 << (HONOURS_AT + 3 * rank if suit == 3 else 3 * rank + suit)


def _set_bits(number: int) -> int:
    if number >= RUN_SETS:
        return _bit(number - RUN_SETS)
    low = number // 7 * RANKS + number % 7
    return _bit(low) | _bit(low + 1) | _bit(low + 2)


KIND_BITS: Final = np.array([_bit(kind) for kind in range(NUM_KINDS)], np.int64)
SET_BITS: Final = np.array([_set_bits(number) for number in range(ALL_SETS)], np.int64)
PLAN_SETS: Final = np.array([[*plan.sets, *(NO_SET,) * (3 - len(plan.sets))] for plan in PLANS], np.int64)
PLAN_KINDS: Final = np.array([sum(_bit(kind) for kind in plan.kinds) for plan in PLANS], np.int64)
PLAN_FORM: Final = np.array([plan.form for plan in PLANS], np.int64)
PLAN_SHAPE: Final = np.array([plan.shape for plan in PLANS], np.int64)
PLAN_SORT: Final = np.array([plan.sort for plan in PLANS], np.int64)
PLAN_CONCEALED: Final = np.array([plan.concealed for plan in PLANS], np.bool_)
PLAN_PAY: Final = np.array([(24 + 1.6 * plan.fan) * min(plan.fan / 8, 1.0) ** 2 for plan in PLANS], np.float64)
PLAN_SURE: Final = np.array([plan.fan >= SURE for plan in PLANS], np.bool_)
NUM_PLANS: Final = len(PLANS)
