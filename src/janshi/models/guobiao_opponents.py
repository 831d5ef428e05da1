"""What opponents may hold in Guobiao: who can win with eight fan, and on which tiles, from public information.

Two logistic regressions, fitted to hands between our own players (`scripts/fit_guobiao_opponents.py`):

- *ready*: whether an opponent could win on some discard now, with enough fan;
- *wins*: whether an opponent who is ready could win on a kind.

Guobiao has no furiten, so no tile is certainly safe: tiles that an opponent has discarded or let pass are only less
likely waits.

>>> from janshi.models.guobiao_opponents import GuobiaoOpponents
>>> GuobiaoOpponents.load().ready.dtype
dtype('float64')
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from janshi.core.melds import CHI, CONCEALED_KAN
from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS
from janshi.models.store import load, save
from janshi.rules.guobiao.state import MELDS, NONE, PLAYERS, RIVER

Array = npt.NDArray[Any]

NAME: Final = "guobiao_opponents"
VERSION: Final = 1
"""Version of the features."""
OPPONENTS: Final = PLAYERS - 1
SUITS: Final = 3
LATE: Final = 4
"""Number of an opponent's last discards that count as late."""
TURNS: Final = (4, 7, 10, 13, 16)
"""Bounds of the groups of hands by the opponent's number of discards."""

SUIT: Final = np.minimum(np.arange(NUM_KINDS) // RANKS, SUITS)
"""The suit of each kind; honours count as a fourth."""
RANK: Final = np.where(np.arange(NUM_KINDS) < EAST, np.arange(NUM_KINDS) % RANKS, -RANKS)
"""The rank of each kind from 0; far from all others for honours."""
DRAGONS: Final = EAST + 4

READY: Final = (
    "always",
    *(f"{n} melds" for n in range(1, MELDS + 1)),
    *(f"discards: {n} and more" for n in TURNS),
    *(f"{n} melds, discards" for n in range(MELDS)),
    "concealed kongs",
    "melds of one suit, beyond the first",
    "pungs, beyond the first",
    "late discards of ranks 4 to 6",
    "late honours",
    "suits missing from the river",
)
ROLES: Final = ("rank 1 or 9", "rank 2 or 8", "rank 3 or 7", "rank 4 to 6", "wind", "dragon")
WINS: Final = (
    *ROLES,
    *(f"{n} melds" for n in range(1, MELDS + 1)),
    *(f"unseen: {n}" for n in range(COPIES)),
    *(f"visible: {n}" for n in range(1, COPIES)),
    "discarded by the opponent",
    "discarded late by the opponent",
    "let pass since the opponent's last discard",
    "let pass in the opponent's last turns",
    "next kind discarded by the opponent",
    "next kind discarded late",
    "kind beyond the next discarded",
    "suji of discards",
    "ways to wait in a sequence",
    "share of the suit in the river",
    "suit missing from the river, discards",
    "melds of the suit",
    "melds of one suit, the kind of it",
    "melds of other suits, beyond the first",
    "melds of one suit, the kind of another",
    "pungs, honours and ends",
    "pungs, beyond the first",
    "its sequence completes a straight of melds",
    "its sequence is melded in another suit",
    "its rank is a pung in another suit",
    "discards, honour",
    "discards, rank 4 to 6",
    "held by the viewer",
)


class Seen(NamedTuple):
    """Counts from some views, by opponent in turn order."""

    melds: Array
    """float[m, 3]."""
    discards: Array
    rivers: Array
    """How often each opponent discarded each kind, float[m, 3, 34]."""
    late: Array
    """The same for the last `LATE` discards."""
    passed: Array
    """Whether another player has discarded a kind since the opponent's last discard, bool[m, 3, 34]."""
    passed_before: Array
    """The same since the last discard but two."""
    chows: Array
    """Melded sequences by their first kind, float[m, 3, 34]."""
    pungs: Array
    """Melded triplets and kongs, float[m, 3, 34]; concealed kongs are hidden."""
    hidden: Array
    """Concealed kongs, float[m, 3]."""
    unseen: Array
    """Tiles of each kind that the viewer does not see, float[m, 34]."""
    visible: Array
    """Tiles of each kind that everybody sees."""
    held: Array
    """Tiles of each kind in the viewer's hand."""


def seen_in(views: Array) -> Seen:
    """Count what features need."""
    m, rows = len(views), np.arange(len(views))[:, None, None]
    who = np.arange(OPPONENTS)[None, :, None]
    river, order = views["river"][:, 1:].astype(np.int64), views["river_order"][:, 1:].astype(np.int64)
    there = np.arange(RIVER) < views["discards"][:, 1:, None]
    recent = np.arange(RIVER) >= views["discards"][:, 1:, None].astype(np.int64) - LATE
    rivers, late = (np.zeros((m, OPPONENTS, NUM_KINDS)) for _ in range(2))
    np.add.at(rivers, (rows, who, np.maximum(river, 0)), there)
    np.add.at(late, (rows, who, np.maximum(river, 0)), there & recent)
    kinds, types = views["meld_kind"][:, 1:].astype(np.int64), views["meld_type"][:, 1:]
    open_ = (np.arange(MELDS) < views["melds"][:, 1:, None]) & (kinds != NONE)
    chows, pungs = (np.zeros((m, OPPONENTS, NUM_KINDS)) for _ in range(2))
    np.add.at(chows, (rows, who, np.maximum(kinds, 0)), open_ & (types == CHI))
    np.add.at(pungs, (rows, who, np.maximum(kinds, 0)), open_ & (types != CHI))
    visible = views["seen"].astype(np.float64)
    held = np.flatnonzero(views["tile"] >= 0)
    visible[held, views["tile"][held]] += 1
    return Seen(
        views["melds"][:, 1:].astype(np.float64),
        views["discards"][:, 1:].astype(np.float64),
        rivers,
        late,
        _passed(views, _last_order(order, there, 1)),
        _passed(views, _last_order(order, there, 3)),
        chows,
        pungs,
        ((types == CONCEALED_KAN) & (np.arange(MELDS) < views["melds"][:, 1:, None])).sum(2).astype(np.float64),
        np.maximum(COPIES - views["hand"] - visible, 0.0),
        np.minimum(visible, COPIES),
        views["hand"].astype(np.float64),
    )


def _last_order(order: Array, there: Array, back: int) -> Array:
    """The number, among all discards, of each opponent's `back`-th last discard; 0 without one."""
    ordered = np.sort(np.where(there, order + 1, 0), axis=2)
    return np.asarray(ordered[:, :, -back])


def _passed(views: Array, since: Array) -> Array:
    """Kinds that players other than the opponent discarded after a discard, bool[m, 3, 34]."""
    m = len(views)
    out = np.zeros((m, OPPONENTS, NUM_KINDS), np.bool_)
    rows, who = np.arange(m)[:, None], np.arange(OPPONENTS)
    for player in range(PLAYERS):
        for place in range(RIVER):
            there = place < views["discards"][:, player]
            if not there.any():
                break
            later = there[:, None] & (views["river_order"][:, player, place, None] + 1 > since) & (since > 0)
            if player:
                later[:, player - 1] = False
            kind = np.maximum(views["river"][:, player, place], 0).astype(np.int64)
            out[rows, who[None], kind[:, None]] |= later
    return out


def ready_features(s: Seen) -> Array:
    """Features of opponents, float64[m, 3, READY]."""
    melds, turns = s.melds, s.discards / 10.0
    by_suit = suits_of(s.chows + s.pungs)
    one_suit = ((by_suit > 0).sum(2) == 1) * np.maximum(by_suit.sum(2) - 1, 0)
    middle = s.late[:, :, (RANK >= 3) & (RANK <= 5)].sum(2)
    absent = (suits_of(s.rivers) == 0).sum(2) * (s.discards >= 6)
    columns = [
        np.ones_like(melds),
        *(melds == n for n in range(1, MELDS + 1)),
        *(s.discards >= n for n in TURNS),
        *((melds == n) * turns for n in range(MELDS)),
        s.hidden,
        one_suit,
        np.maximum(s.pungs.sum(2) - 1, 0),
        middle,
        s.late[:, :, EAST:].sum(2),
        absent,
    ]
    return np.stack([np.asarray(column, np.float64) for column in columns], 2)


def suits_of(counts: Array) -> Array:
    """Counts by suit, without honours, float[m, 3, 3]."""
    return np.stack([counts[:, :, suit * RANKS : (suit + 1) * RANKS].sum(2) for suit in range(SUITS)], 2)


def win_features(s: Seen) -> Array:
    """Features of opponents and kinds, float64[m, 3, 34, WINS]."""
    shape = (len(s.melds), OPPONENTS, NUM_KINDS)
    by_suit = np.pad(suits_of(s.chows + s.pungs), ((0, 0), (0, 0), (0, 1)))
    of_suit = by_suit[:, :, SUIT]
    suited = by_suit.sum(2)[:, :, None]
    others = suited - of_suit
    numbered = np.arange(NUM_KINDS) < EAST
    pungs = s.pungs.sum(2)[:, :, None]
    in_river = np.pad(suits_of(s.rivers), ((0, 0), (0, 0), (0, 1)))[:, :, SUIT]
    turns = s.discards[:, :, None] / 10.0
    roles = [
        numbered & np.isin(RANK, ranks) for ranks in ((0, RANKS - 1), (1, RANKS - 2), (2, RANKS - 3), (3, 4, 5))
    ] + [(np.arange(NUM_KINDS) >= EAST) & (np.arange(NUM_KINDS) < DRAGONS), np.arange(NUM_KINDS) >= DRAGONS]
    columns = [
        *roles,
        *((s.melds == n)[:, :, None] for n in range(1, MELDS + 1)),
        *((s.unseen == n)[:, None] for n in range(COPIES)),
        *((s.visible == n)[:, None] for n in range(1, COPIES)),
        s.rivers > 0,
        s.late > 0,
        s.passed,
        s.passed_before,
        beside(s.rivers > 0, 1),
        beside(s.late > 0, 1),
        beside(s.rivers > 0, 2),
        beside(s.rivers > 0, 3),
        ways_to_wait(s.unseen)[:, None],
        numbered * in_river / np.maximum(s.discards, 1.0)[:, :, None],
        numbered * (in_river == 0) * turns,
        of_suit,
        numbered * (others == 0) * np.maximum(of_suit - 1, 0),
        numbered * np.maximum(others - 1, 0),
        numbered * (of_suit == 0) * ((by_suit > 0).sum(2) == 1)[:, :, None] * np.maximum(suited - 1, 0),
        (~numbered | (RANK == 0) | (RANK == RANKS - 1)) * pungs,
        np.maximum(pungs - 1, 0),
        straights(s.chows),
        elsewhere(s.chows, 3),
        elsewhere(s.pungs, 1),
        ~numbered * turns,
        roles[3] * turns,
        (s.held > 0)[:, None],
    ]
    return np.stack([np.broadcast_to(np.asarray(column, np.float64), shape) for column in columns], 3)


def beside(there: Array, distance: int) -> Array:
    """Number of kinds present at this distance in the same suit, float[m, 3, 34]."""
    out = np.zeros(there.shape)
    for kind in range(EAST):
        for other in (kind - distance, kind + distance):
            if 0 <= other < EAST and SUIT[other] == SUIT[kind]:
                out[:, :, kind] += there[:, :, other]
    return out


def ways_to_wait(unseen: Array) -> Array:
    """Number of ways for a kind to complete a sequence with tiles that the viewer does not see, float[m, 34]."""
    out = np.zeros(unseen.shape)
    for kind in range(EAST):
        for pair in ((-2, -1), (-1, 1), (1, 2)):
            if all(0 <= RANK[kind] + step < RANKS for step in pair):
                out[:, kind] += (unseen[:, [kind + step for step in pair]] > 0).all(1)
    return out


def straights(chows: Array) -> Array:
    """Melded thirds of a straight besides the one that a kind belongs to, in its suit, float[m, 3, 34]."""
    out = np.zeros(chows.shape)
    for kind in range(EAST):
        base = SUIT[kind] * RANKS
        thirds = [base + 3 * i for i in range(3) if i != RANK[kind] // 3]
        out[:, :, kind] = (chows[:, :, thirds] > 0).sum(2)
    return out


def elsewhere(sets: Array, length: int) -> Array:
    """Melded sets of other suits that contain a kind's rank, float[m, 3, 34]; `length` of a set in ranks."""
    out = np.zeros(sets.shape)
    for kind in range(EAST):
        for suit in range(SUITS):
            first = range(max(RANK[kind] - length + 1, 0), RANK[kind] + 1)
            if suit != SUIT[kind]:
                out[:, :, kind] += sets[:, :, [suit * RANKS + rank for rank in first]].sum(2)
    return out


class GuobiaoOpponents:
    """The fitted models."""

    def __init__(self, ready: Array, wins: Array, card: dict[str, Any] | None = None) -> None:
        self.ready, self.wins, self.card = np.asarray(ready, np.float64), np.asarray(wins, np.float64), card or {}

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read weights: the shipped ones, or those in a file."""
        arrays, card = load(NAME, path, VERSION, len(READY) + len(WINS))
        return cls(arrays["weights"][: len(READY)], arrays["weights"][len(READY) :], card)

    def save(self, path: Path) -> None:
        """Write the weights and their card."""
        save(path, {"weights": np.concatenate([self.ready, self.wins])}, {**self.card, "feature version": VERSION})

    def predict(self, views: Array) -> tuple[Array, Array]:
        """The chance that each opponent is ready, float64[m, 3], and if so wins on each kind, float64[m, 3, 34]."""
        s = seen_in(views)
        return logistic(ready_features(s) @ self.ready), logistic(win_features(s) @ self.wins)


def logistic(x: Array) -> Array:
    """1 / (1 + exp(-x))."""
    return np.asarray(1.0 / (1.0 + np.exp(-x)))


@cache
def shipped() -> GuobiaoOpponents:
    """The shipped models, loaded once."""
    return GuobiaoOpponents.load()
