"""One-player mahjong: the discard or call that an expert who only tries to win would make (Mizukami & Tsuruoka).

The value of a discard is a sum of weights over features of the hand it leaves. Sums over the patterns of whole suits
are tabulated when the model is loaded, so a candidate costs two look-ups and a dozen additions: a few microseconds per
decision, which a Monte Carlo player can afford at every simulated turn.

>>> from janshi.models.one_player import shipped
>>> model = shipped()
>>> model.choose("123m456p1178s22p54z")
'4z'

Inside a kernel:

    model, tables, maps = shipped().record, tables_array(), hand_pattern.maps()     # before it
    situation, weighing = new_situation(), new_weighing()
    situate(view, situation[0])                          # or fill the fields of SITUATION_DTYPE
    best_discard(hand, seen, kinds, situation[0], model[0], maps[0], tables[0], weighing[0])
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.shanten import count_bits
from janshi.core.tables import tables_array
from janshi.core.tiles import EAST, FIRST_RED, NUM_KINDS, RANKS, format_tiles, kind_of, parse_tiles
from janshi.features import hand_pattern
from janshi.features.calls import LAYOUT as CALL_LAYOUT
from janshi.features.calls import list_call, look_before
from janshi.features.discards import list_rest
from janshi.features.hand_pattern import LAYOUT, PATTERNS, STAGES, suit_index, write_suit_values
from janshi.features.own_hand import (
    new_situation,
    new_weighing,
    situate,
    stage_of,
    weigh_hand,
)
from janshi.models import store
from janshi.models.linear import margin
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.policies import Question, allows, discardable, question_of_view

NAME: Final = "one_player"
SIZE: Final = LAYOUT.size
LEAST: Final = np.float32(-1e30)
"""The value of a tile that cannot be discarded."""

MODEL_DTYPE: Final = record_dtype(
    [
        ("suits", np.float32, (STAGES, PATTERNS)),  # sums over the patterns of a suit
        ("weights", np.float32, (SIZE,)),
    ]
)
"""The model as kernels read it: 13 MB of sums, and the weights."""


class OnePlayerModel:
    """Values of discards to a player who only tries to win."""

    def __init__(
        self, weights: npt.NDArray[Any], calls: npt.NDArray[Any] | None = None, card: dict[str, Any] | None = None
    ) -> None:
        self.card = card or {}
        self.calls = np.full(CALL_LAYOUT.size, -1, np.float32) if calls is None else calls.astype(np.float32)
        """Weights of calls, for `best_call`; without any it never calls."""
        self.record = np.zeros(1, MODEL_DTYPE)
        """For kernels: one record of MODEL_DTYPE."""
        self.record["weights"][0] = weights
        write_suit_values(self.record["weights"][0], hand_pattern.maps(), tables_array(), self.record["suits"][0])

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """The model shipped with the package, or another."""
        arrays, card = store.load(NAME, path, hand_pattern.VERSION, SIZE)
        return cls(arrays["weights"], arrays["calls"], card)

    def values(self, hand: str, indicators: str = "", seat_wind: int = 0, round_wind: int = 0) -> dict[str, float]:
        """The value of each discard of a closed hand of 14 tiles on the first turn, by the tile's usual notation."""
        situation, weighing, counts = self._read(hand, indicators)
        situation["seat_wind"], situation["round_wind"] = seat_wind, round_wind
        kinds = sum(1 << kind for kind in np.flatnonzero(counts).tolist())
        seen = np.zeros(NUM_KINDS, np.int8)
        for tile in parse_tiles(indicators):
            seen[kind_of(tile)] += 1
        choose_discard(counts, seen, kinds, situation, self.record, hand_pattern.maps(), tables_array(), weighing)
        return {format_tiles([kind]): float(weighing["value"][0, kind]) for kind in np.flatnonzero(counts).tolist()}

    def choose(self, hand: str, indicators: str = "", seat_wind: int = 0, round_wind: int = 0) -> str:
        """The discard of a closed hand of 14 tiles with the highest value."""
        values = self.values(hand, indicators, seat_wind, round_wind)
        return max(values, key=values.__getitem__)

    def _read(self, hand: str, indicators: str) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.int8]]:
        tiles = parse_tiles(hand)
        if len(tiles) != 14:
            raise ValueError(f"a hand to discard from has 14 tiles, not {len(tiles)}: {hand!r}")
        situation, counts = new_situation(), np.zeros(NUM_KINDS, np.int8)
        for tile in tiles:
            counts[kind_of(tile)] += 1
            if tile >= FIRST_RED:
                situation["reds"] |= 1 << (tile - FIRST_RED)
        for tile in parse_tiles(indicators):
            situation["dora"][0, dora_of(kind_of(tile))] += 1
        return situation, new_weighing(), counts

    def discards(self, views: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """The kind to discard in each view of a player to discard, int64[n]."""
        out = np.zeros(len(views), np.int64)
        discard_views(views, self.record, new_situation(), hand_pattern.maps(), tables_array(), new_weighing(), out)
        return out


@cache
def shipped() -> OnePlayerModel:
    """The shipped model, loaded once."""
    return OnePlayerModel.load()


@kernel
def choose_discard(
    hand: Any, seen: Any, kinds: int, situation: Any, model: Any, maps: Any, tables: Any, weighing: Any
) -> int:
    """`best_discard` for Python: each record in an array of one."""
    return best_discard(hand, seen, kinds, situation[0], model[0], maps[0], tables[0], weighing[0])


@kernel
def discard_views(views: Any, model: Any, situation: Any, maps: Any, tables: Any, weighing: Any, out: Any) -> None:
    """Write the kind to discard in each view into `out`, int64[n]."""
    for i in range(len(views)):
        v = views[i]
        situate(v, situation[0])
        kinds = discardable(question_of_view(v))
        out[i] = best_discard(v.hand, v.seen, kinds, situation[0], model[0], maps[0], tables[0], weighing[0])


@kernel
def best_discard(hand: Any, seen: Any, kinds: int, s: Any, model: Any, m: Any, t: Any, x: Any) -> int:
    """The kind with the highest value among the bit set `kinds`; writes their values into `x.value`.

    hand: int8[34], 14 - 3 * melds concealed tiles; seen: int8[34], tiles visible to everybody, without the player's
    hand; s: SITUATION_DTYPE; model: MODEL_DTYPE; m: MAPS_DTYPE; t: the shanten tables; x: WEIGHING_DTYPE, scratch
    space.
    """
    weigh_hand(hand, seen, s, t, x)
    return value_discards(hand, kinds, s, model, m, t, x)


@kernel
def value_discards(hand: Any, kinds: int, s: Any, model: Any, m: Any, t: Any, x: Any) -> int:
    """The same for a hand that has already been weighed."""
    stage, best = stage_of(x, s), -1
    for kind in range(NUM_KINDS):
        x.value[kind] = LEAST
    while kinds:
        kind = count_bits((kinds & -kinds) - 1)
        kinds &= kinds - 1
        x.value[kind] = value_of(hand, kind, stage, s, model, m, t, x)
        if best < 0 or x.value[kind] > x.value[best]:
            best = kind
    return best


@kernel
def value_of(hand: Any, kind: int, stage: int, s: Any, model: Any, m: Any, t: Any, x: Any) -> Any:
    """The value of one discard, from the tables of suits and the weights of the other features."""
    total: Any = np.float32(0)
    if kind < EAST:
        suit = kind // RANKS
        key = int(x.keys[suit])
        after = key - (1 << 3 * (kind - RANKS * suit))
        total += model.suits[stage, suit_index(after, t)] - model.suits[stage, suit_index(key, t)]
    for i in range(list_rest(hand, kind, s, t, m, x, x.list, 0)):
        feature = x.list[i]
        if feature >= 0:
            total += model.weights[feature]
        else:
            total -= model.weights[-1 - feature]
    return total


@kernel
def may_call(q: Question) -> bool:
    """Whether a chi or pon is offered."""
    return (q.low >> act.CHI) & ((1 << (act.OPEN_KAN - act.CHI)) - 1) != 0


@kernel
def best_call(v: Any, q: Question, weights: Any, s: Any, t: Any, x: Any, c: Any) -> tuple[int, Any]:
    """The call with the highest value, or PASS if none is above 0, and that value.

    v: a view of a player who is offered chi or pon; weights: float32[CALL_LAYOUT.size]; s, x, c: SITUATION_DTYPE,
    WEIGHING_DTYPE and CALLING_DTYPE, scratch space; t: the shanten tables.
    """
    look_before(v, s, t, x, c)
    best: Any = act.PASS
    most: Any = np.float32(0)
    for action in range(act.CHI, act.OPEN_KAN):
        if allows(q, action):
            value = margin(c.list, list_call(v, action, s, t, x, c), weights)
            if value > most:
                best, most = action, value
    return best, most
