"""The result of a hand, in Python's terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.melds import CHI, PON, Meld
from janshi.rules.guobiao.evaluate import evaluate
from janshi.rules.guobiao.fans import FANS, Fan
from janshi.rules.guobiao.state import (
    DISCARD_WIN,
    NONE,
    PENALTY,
    PLAYERS,
    ROBBED_KONG_WIN,
    SELF_DRAWN_WIN,
)
from janshi.rules.guobiao.win import SCORE_DTYPE, WIN_DTYPE
from janshi.rules.guobiao.winning import describe_win

RESULT_NAMES: Final = ("none", "self-drawn", "discard", "robbed kong", "draw", "penalty")


@dataclass(frozen=True, slots=True)
class Win:
    """One player's win."""

    player: int
    loser: int | None
    """Who discarded the winning tile or was robbed, or None for a self-drawn win."""
    tile: int
    """The winning tile."""
    total: int
    """Fan, flowers included."""
    fans: tuple[tuple[Fan, int], ...]
    """Each fan and how many times it counts, the highest first."""


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended."""

    kind: str
    """One of `RESULT_NAMES`."""
    win: Win | None
    penalised: int | None
    """Who called a false hu or acted illegally."""
    changes: tuple[int, ...]
    """Score changes of the hand."""

    @property
    def is_draw(self) -> bool:
        """Whether the walls ran out."""
        return self.kind == "draw"


def meld_of(s: Any, player: int, i: int) -> Meld:
    """A meld of a player, read from the state."""
    kind, type_ = int(s.meld_kind[player, i]), int(s.meld_type[player, i])
    tiles = (kind, kind + 1, kind + 2) if type_ == CHI else (kind,) * (3 if type_ == PON else 4)
    source = int(s.meld_from[player, i])
    if source == NONE:
        return Meld(type_, tiles)
    return Meld(type_, tiles, int(s.meld_tile[player, i]), (source - player) % PLAYERS)


def melds_of(s: Any, player: int) -> list[Meld]:
    """A player's melds."""
    return [meld_of(s, player, i) for i in range(int(s.melds[player]))]


@kernel
def evaluate_at(states: Any, player: int, robbing: bool, win: Any, score: Any) -> None:
    """Count the fan a player of the first of the tables would have, or has, with the tile at stake."""
    describe_win(states[0], player, robbing, win[0])
    evaluate(win[0], score[0])


def count_fan(states: Any, player: int, robbing: bool = False) -> tuple[int, int, tuple[tuple[Fan, int], ...]]:
    """(fan, fan with flowers, list of fan) of the hand a player would win with now, on the first of the tables."""
    win, score = np.zeros(1, WIN_DTYPE), np.zeros(1, SCORE_DTYPE)
    evaluate_at(states, player, robbing, win, score)
    counts = score["counts"][0].tolist()
    return int(score["fan"][0]), int(score["total"][0]), tuple((fan, n) for fan, n in zip(FANS, counts) if n)


def read_result(states: Any) -> HandResult:
    """Read the result of the finished hand of the first of the tables."""
    s = states[0]
    kind = int(s.result)
    won = kind in (SELF_DRAWN_WIN, DISCARD_WIN, ROBBED_KONG_WIN)
    return HandResult(
        kind=RESULT_NAMES[kind],
        win=read_win(states) if won else None,
        penalised=int(s.loser) if kind == PENALTY else None,
        changes=tuple(int(d) for d in s.deltas),
    )


def read_win(states: Any) -> Win:
    """Read the win of a finished hand."""
    s = states[0]
    kind, player = int(s.result), int(s.winner)
    _, total, fans = count_fan(states, player, kind == ROBBED_KONG_WIN)
    alone = kind == SELF_DRAWN_WIN
    return Win(player, None if alone else int(s.loser), int(s.drawn) if alone else int(s.tile), total, fans)
