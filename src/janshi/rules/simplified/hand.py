"""Hands as people write them: how far they are from each scoring hand.

>>> from janshi.rules.simplified.hand import hand_distances
>>> hand_distances("123p45p77z")
Distances(honour_pung=2, straight=1, flush=3, all_pungs=4, plain=1)
>>> hand_distances("45p77z", "123p").straight
1
>>> hand_distances("45p77z", "123p", gone="666p").straight is None
True
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from janshi.rules.simplified.distance import PLAIN, ROW, distances, live_distances, meld_fact
from janshi.rules.simplified.ruleset import PAPER, Ruleset
from janshi.rules.simplified.shapes import FAR, patterns, shapes
from janshi.rules.simplified.state import CHI_MELD, PONG_MELD
from janshi.rules.simplified.tiles import COPIES, NUM_KINDS, RANKS, SUITS, code_of, format_kinds, parse_kinds


class Distances(NamedTuple):
    """Tiles missing for each scoring hand and for any complete hand; None if melds exclude it or tiles are gone."""

    honour_pung: int | None
    straight: int | None
    flush: int | None
    all_pungs: int | None
    plain: int | None


def hand_distances(concealed: str, *melds: str, gone: str | None = None, rules: Ruleset = PAPER) -> Distances:
    """Distances of a hand: concealed tiles and melds such as `123p` or `777z`, after a draw or before it.

    With `gone`, tiles visible elsewhere (perhaps none: `""`), only tiles that are still available count; the hand's
    own melds are gone too.
    """
    kinds = parse_kinds(concealed)
    sets = rules.sets - len(melds)
    if sets < 0 or len(kinds) not in (3 * sets + 1, 3 * sets + 2):
        raise ValueError(f"{concealed!r} with {len(melds)} melds is not a hand of {rules.sets} sets and a pair")
    known = parse_kinds(concealed + "".join(melds) + (gone or ""))  # no more than three of a kind in all
    facts = 0
    for meld in melds:
        facts |= _fact(meld)
    out = np.zeros(PLAIN + 1, np.int64)
    hand = np.array([kinds.count(kind) for kind in range(NUM_KINDS)])
    if gone is None:
        distances(code_of(hand.tolist()), facts, sets, shapes()[0], out)
    else:
        live = np.array([COPIES - known.count(kind) for kind in range(NUM_KINDS)])
        live_distances(hand, live, facts, sets, patterns(), np.zeros((SUITS + 1, ROW), np.int8), out)
    return Distances(*(None if value >= FAR else int(value) for value in out))


def _fact(text: str) -> int:
    kinds = sorted(parse_kinds(text))
    lowest = kinds[0]
    if kinds == [lowest] * COPIES:
        return meld_fact(PONG_MELD, lowest)
    in_a_suit = lowest // RANKS == kinds[-1] // RANKS and kinds[-1] < 2 * RANKS
    if kinds == [lowest, lowest + 1, lowest + 2] and in_a_suit:
        return meld_fact(CHI_MELD, lowest)
    raise ValueError(f"{format_kinds(kinds)!r} is not a chi, pong or kong")
