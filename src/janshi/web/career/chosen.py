"""Which of the person's games are reviewed first."""

from __future__ import annotations

import numpy as np

from janshi.career.games import own_games
from janshi.career.store import CareerStore
from janshi.luck.types import PLACES


def chosen(store: CareerStore, which: str, count: int) -> list[tuple[int, int]]:
    """Games as (number, seat): the latest, the unluckiest, those with the worst rank without luck, or spread evenly."""
    games = own_games(store, store.names())
    reviewed = {tuple(row) for row in store.read("select game, seat from review where state != 'queued'")}
    open_ = np.array([key not in reviewed for key in zip(games.id.tolist(), games.seat.tolist())], bool)
    places = np.flatnonzero(open_)
    if which == "latest":
        order = places[::-1]
    elif which == "spread":
        order = places[np.unique(np.linspace(0, len(places) - 1, min(count, len(places))).round().astype(int))]
    else:
        keys = games.luck_of_games()[:, :, PLACES].sum(1) if which == "unluckiest" else -games.luckless_rank()
        order = places[np.argsort(np.where(np.isnan(keys), np.inf, keys)[places], kind="stable")]
    return [(int(games.id[place]), int(games.seat[place])) for place in order[:count]]
