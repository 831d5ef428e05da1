"""The luck of a career's games, measured some games at a time; only the person's own games count.

For every hand, each seat of a measured game stores its luck by source and the worth of the hand (places, points).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.career.store import CareerStore
from janshi.core.dtypes import record_dtype
from janshi.luck.estimators import SOURCES, luck_of_hands
from janshi.luck.games import PlayedGames, games_of_records, join_played
from janshi.luck.measure import score_games
from janshi.luck.types import MEASURES, ScoredGames
from janshi.luck.value import ValueFunction, shipped
from janshi.records.formats import read_record
from janshi.records.model import RecordError
from janshi.rules.riichi.state import PLAYERS

TOGETHER: Final = 16
"""Games measured at once."""
LUCK_DTYPE: Final = record_dtype(
    [
        ("luck", np.float32, (len(SOURCES), len(MEASURES))),  # good luck is positive
        ("gain", np.float32, (len(MEASURES),)),  # what the hand was worth: places (their sum is 2.5 - rank), points
    ]
)
"""Luck of one hand for one seat."""

Array = npt.NDArray[Any]


def measure_waiting(store: CareerStore, beat: Callable[[], None] = lambda: None, most: int | None = None) -> int:
    """Measure the person's games, at most `most`; returns how many were done. Stops when uploads wait to be read."""
    value, done = shipped(), 0
    while store.next_upload() is None and (most is None or done < most):
        games = store.luck_waiting(TOGETHER if most is None else min(TOGETHER, most - done))
        if not games:
            break
        measure(store, games, value)
        done += len(games)
        beat()
    return done


def measure(store: CareerStore, games: Sequence[int], value: ValueFunction) -> None:
    """Measure some games together."""
    parts = {game: played for game in games if (played := _played(store, game)) is not None}
    if not parts:
        return
    whole = join_played(list(parts.values()))
    scored, trained = score_games(whole, value), value.knows(whole)
    seats = by_seat(scored)
    for number, game in enumerate(parts):
        hands = scored.game == number
        store.set_luck(game, [seat[hands].tobytes() for seat in seats], bool(trained[number]))


def _played(store: CareerStore, game: int) -> PlayedGames | None:
    """A game in the form that luck is measured in; if the engine cannot follow it, None, and the reason is stored."""
    found = store.content(game)
    if found is None:  # deleted in the meantime
        return None
    name, content = found
    try:
        played = games_of_records([read_record(content, name)])
    except RecordError as error:
        store.set_no_luck(game, str(error))
        return None
    if not len(played):
        store.set_no_luck(game, "; ".join(played.problems))
        return None
    return played


def by_seat(scored: ScoredGames) -> Array:
    """Luck of every hand for each seat, LUCK_DTYPE[4, hands]."""
    luck = luck_of_hands(scored)  # (hands, sources, measures, seats)
    found = np.zeros((PLAYERS, len(luck)), LUCK_DTYPE)
    found["luck"] = np.moveaxis(luck, -1, 0)
    found["gain"] = np.moveaxis(scored.gains, -1, 0)
    return found
