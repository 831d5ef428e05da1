"""The results of a match: one row per game, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any, Final

import numpy as np

from janshi.rules.game import Array

COUNTERS: Final = (
    "hands",
    "wins",
    "self_draws",
    "deal_ins",
    "riichis",
    "calls",
    "draws",
    "tenpais",
    "win_points",
    "deal_in_points",
    "win_fan",
)
"""The counters of every seat: hands; hands won, won by self-draw, dealt in, with riichi, with an open meld, drawn, and
tenpai at a draw; points won with wins and paid for deal-ins; fan (han) of the wins."""
HANDS, WINS, SELF_DRAWS, DEAL_INS, RIICHIS, CALLS, DRAWS, TENPAIS, WIN_POINTS, DEAL_IN_POINTS, WIN_FAN = range(11)


@dataclass(slots=True)
class Results:
    """Finished games. Arrays have one row per game and one column per seat."""

    game: Array
    """The game's number in the plan, int64[n]."""
    wall: Array
    """Number of the wall set, int64[n]."""
    lineup: Array
    seed: Array
    """Seed of the walls, uint64[n]."""
    seats: Array
    """The contestant at each seat, int16[n, players]."""
    scores: Array
    """Final scores of the players, int32[n, players]."""
    points: Array
    """Final points (uma and oka included), float64[n, players]."""
    ranks: Array
    """Ranks from 1, float32[n, players]; without a tie rule, equal points share the mean of their ranks."""
    counters: Array
    """Counts in the order of `COUNTERS`, int32[n, players, 11]."""
    decisions: Array
    """Decisions of each seat, int32[n, players]."""
    seconds: Array
    """Thinking time of each seat, float32[n, players]. The only column that differs from run to run."""
    faults: list[list[dict[str, Any]]]
    """Faults of each game: seat, kind, how often, first message."""
    actions: list[bytes | None]
    """All answers in the order of asking, two bytes each (little endian), if they were stored."""

    def __len__(self) -> int:
        return len(self.game)

    @property
    def players(self) -> int:
        """Seats at a table."""
        return int(self.seats.shape[1])

    def select(self, rows: Array) -> Results:
        """The games of some rows (numbers or a mask), in their order."""
        places = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        picked = {f.name: _pick(getattr(self, f.name), places) for f in fields(self)}
        return Results(**picked)

    def sorted(self) -> Results:
        """The games in the order of their numbers."""
        return self.select(np.argsort(self.game, kind="stable"))

    def same_games(self, other: Results) -> bool:
        """Whether two sets of results describe the same play, apart from thinking times."""
        kept = [f.name for f in fields(self) if f.name not in ("seconds", "actions")]
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in kept)


def _pick(column: Any, places: Array) -> Any:
    return [column[i] for i in places] if isinstance(column, list) else column[places]


def empty_results(players: int) -> Results:
    """Results of no game."""
    return Results(
        game=np.zeros(0, np.int64),
        wall=np.zeros(0, np.int64),
        lineup=np.zeros(0, np.int32),
        seed=np.zeros(0, np.uint64),
        seats=np.zeros((0, players), np.int16),
        scores=np.zeros((0, players), np.int32),
        points=np.zeros((0, players), np.float64),
        ranks=np.zeros((0, players), np.float32),
        counters=np.zeros((0, players, len(COUNTERS)), np.int32),
        decisions=np.zeros((0, players), np.int32),
        seconds=np.zeros((0, players), np.float32),
        faults=[],
        actions=[],
    )


def join_results(parts: Iterable[Results], players: int) -> Results:
    """One set of results from several."""
    found: Sequence[Results] = [part for part in parts if len(part)] or [empty_results(players)]
    if len(found) == 1:
        return found[0]
    columns: dict[str, Any] = {}
    for f in fields(Results):
        values = [getattr(part, f.name) for part in found]
        columns[f.name] = list(chain(*values)) if isinstance(values[0], list) else np.concatenate(values)
    return Results(**columns)


def rank_points(points: Array) -> Array:
    """Ranks from 1 by points, float32[n, players]; equal points get the mean of their ranks."""
    ahead = (points[:, None, :] > points[:, :, None]).sum(2)
    level = (points[:, None, :] == points[:, :, None]).sum(2)
    return np.asarray(1 + ahead + (level - 1) / 2, np.float32)
