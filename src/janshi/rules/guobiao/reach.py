"""Whether eight fan can still be reached: an upper bound on the fan of the hands within some tiles of this one.

A hand reaches another by taking tiles (drawn or claimed) and discarding as many. The bound looks at every hand of sets
and a pair that keeps the melds, misses at most `draws` tiles, and needs no tile that is gone; and at the other shapes,
which are always worth more than eight fan. It may say yes where the true answer is no, never the reverse:

- it assumes the best possible wait, a winning tile that opens no triplet, and kongs of all triplets for whose fourth
  tile there are draws;
- with three or more sets to find and more than `SEARCHED` draws it says yes without looking.

Luck (last tiles, replacement tiles, robbed kongs) is left out, because with luck every hand can reach eight. The last
tile of its kind counts where the melds make it certain.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.tables import ShantenTables
from janshi.core.tiles import COPIES, NUM_KINDS, RANKS
from janshi.rules.guobiao import fans as f
from janshi.rules.guobiao.distance import SHAPES, keys_of, shape_shanten
from janshi.rules.guobiao.evaluate import evaluate
from janshi.rules.guobiao.win import PON, SCORE_DTYPE, SEVEN_PAIRS, WIN_DTYPE, survey_melds, tiles_of

Array = npt.NDArray[Any]

SEARCHED: Final = 3
"""Draws up to which three or four missing sets are searched."""
RUN_SETS: Final = 21
ALL_SETS: Final = RUN_SETS + NUM_KINDS
"""Sets by number: the sequences, then a triplet of each kind."""
CERTAIN: Final = f.FANS[f.LAST_OF_KIND].value
MANY_KONGS: Final = f.FANS[f.THREE_KONGS].value
TWO_KONGS: Final = f.FANS[f.TWO_CONCEALED_KONGS].value
ONE_KONG: Final = f.FANS[f.CONCEALED_KONG].value
CHICKEN: Final = f.FANS[f.CHICKEN_HAND].value


@kernel
def add_set(hand: Array, number: int, tiles: int) -> None:
    """Add a set to a hand (or take it away with `tiles` -1)."""
    if number < RUN_SETS:
        kind = number // 7 * RANKS + number % 7
        for i in range(3):
            hand[kind + i] = int(hand[kind + i]) + tiles
    else:
        hand[number - RUN_SETS] = int(hand[number - RUN_SETS]) + 3 * tiles


@kernel
def lacks(wanted: Array, held: Array, left: Array) -> int:
    """Number of wanted tiles that a hand is missing; more than all tiles if some are gone."""
    lacking = 0
    for kind in range(NUM_KINDS):
        more = int(np.int64(wanted[kind]) - np.int64(held[kind]))
        if more > np.int64(left[kind]):
            return NUM_KINDS * COPIES
        lacking += max(more, 0)
    return lacking


@kernel
def kong_bound(trial: Any, held: Array, left: Array, draws: int) -> int:
    """Fan that kongs still to be made can add: each takes a spare fourth tile, or a draw."""
    spare = drawn = 0
    for i in range(int(trial.melds)):
        if trial.meld_type[i] == PON:
            kind = int(trial.meld_kind[i])
            is_spare = int(held[kind] > trial.hand[kind])
            spare += is_spare
            drawn += (1 - is_spare) * int(left[kind] > 0)
    for kind in range(NUM_KINDS):
        if trial.hand[kind] >= 3:
            is_spare = int(held[kind] > trial.hand[kind])
            spare += is_spare
            drawn += (1 - is_spare) * int(left[kind] > 0)
    kongs = spare + min(drawn, draws)
    if kongs == 0:
        return 0
    melds = survey_melds(trial)
    return kong_worth(kongs, melds.melded_kongs + melds.concealed_kongs)


@kernel
def kong_worth(new: int, old: int) -> int:
    """Fan that new kongs can add to a hand that has old ones."""
    if new + old > 2:
        return MANY_KONGS
    return TWO_KONGS if new + old == 2 else ONE_KONG


@kernel
def last_is_certain(trial: Any) -> bool:
    """Whether a concealed tile is the fourth of a kind whose other three are in the melds."""
    words = survey_melds(trial).words
    for kind in range(NUM_KINDS):
        if trial.hand[kind] == 1 and tiles_of(words, kind) == 3:
            return True
    return False


@kernel
def fan_bound(trial: Any, pair: int, self_drawn: int, out: Any) -> int:
    """Upper bound on the fan of a complete hand, for any winning tile."""
    trial.win_kind, trial.self_drawn = pair, self_drawn
    evaluate(trial, out)
    wait = int(out.counts[f.EDGE_WAIT]) + int(out.counts[f.CLOSED_WAIT]) + int(out.counts[f.SINGLE_WAIT])
    if out.fan == wait:
        return CHICKEN
    return int(out.fan) + 1 - wait


@kernel
def pair_reaches(trial: Any, held: Array, left: Array, draws: int, enough: int, out: Any) -> bool:
    """Whether the sets in `trial` reach enough fan with some pair."""
    for pair in range(NUM_KINDS):
        trial.hand[pair] = int(trial.hand[pair]) + 2
        lacking = lacks(trial.hand, held, left)
        reached = lacking <= draws
        if reached:
            most = max(fan_bound(trial, pair, 0, out), fan_bound(trial, pair, 1, out))
            if most < enough:
                most += kong_bound(trial, held, left, draws - lacking) + CERTAIN * int(last_is_certain(trial))
            reached = most >= enough
        trial.hand[pair] = int(trial.hand[pair]) - 2
        if reached:
            return True
    return False


@kernel
def sets_reach(trial: Any, held: Array, left: Array, draws: int, enough: int, stack: Array, out: Any) -> bool:
    """Whether some sets and a pair besides the melds reach enough fan; `stack` int64[5] holds the sets chosen."""
    free, depth = 4 - int(trial.melds), 0
    stack[0] = 0
    if free == 0:
        return pair_reaches(trial, held, left, draws, enough, out)
    while depth >= 0:
        if stack[depth] == ALL_SETS:
            depth -= 1
        else:
            add_set(trial.hand, stack[depth], 1)
            if lacks(trial.hand, held, left) <= draws:
                if depth + 1 < free:
                    stack[depth + 1] = stack[depth]
                    depth += 1
                    continue
                if pair_reaches(trial, held, left, draws, enough, out):
                    return True
        if depth >= 0:
            add_set(trial.hand, stack[depth], -1)
            stack[depth] += 1
    return False


@kernel
def shape_reaches(hand: Array, melds: int, draws: int, t: ShantenTables) -> bool:
    """Whether one of the shapes other than sets and a pair is within some draws."""
    k = keys_of(hand)
    for shape in range(SEVEN_PAIRS, SHAPES + 1):
        if shape_shanten(k, melds, shape, t) < draws:
            return True
    return False


@kernel
def can_reach(
    win: Any, left: Array, draws: int, enough: int, t: ShantenTables, trial: Any, stack: Array, out: Any
) -> bool:
    """Whether a hand may reach `enough` fan (at most twelve) with this many more tiles.

    `win`: a record of `WIN_DTYPE` with the concealed tiles (13 or 14 less three for each meld), melds and winds;
    `left` uint8[34]: tiles of each kind that can still come. `trial` (`WIN_DTYPE`), `stack` int64[5] and `out`
    (`SCORE_DTYPE`) are written over.
    """
    melds = int(win.melds)
    if shape_reaches(win.hand, melds, draws, t) or (melds < 2 and draws > SEARCHED):
        return True
    trial.melds, trial.seat_wind, trial.round_wind = win.melds, win.seat_wind, win.round_wind
    trial.last_of_kind = trial.last_tile = trial.after_kong = trial.robbing = trial.flowers = 0
    for i in range(4):
        trial.meld_type[i] = win.meld_type[i] if i < melds else 0
        trial.meld_kind[i] = win.meld_kind[i] if i < melds else 0
    for kind in range(NUM_KINDS):
        trial.hand[kind] = 0
    return sets_reach(trial, win.hand, left, draws, enough, stack, out)


def reaches(win: Any, left: Array, draws: int, t: ShantenTables, enough: int = f.MINIMUM) -> bool:
    """`can_reach` with its own scratch space."""
    trial = np.zeros(1, WIN_DTYPE).view(np.recarray)[0]
    out = np.zeros(1, SCORE_DTYPE).view(np.recarray)[0]
    return bool(can_reach(win, left, draws, enough, t, trial, np.zeros(5, np.int64), out))
