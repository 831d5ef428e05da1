"""Measuring the luck of games: each chance event is compared with everything that could have come instead.

from janshi.luck.measure import score_records
from janshi.records.formats import read_file

scored = score_records([read_file("game.mjlog")])
scored.luck_of_games()[0]                   # places and points, by seat
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np

from janshi.agents.worths import Ended, Situation, Worths, places_after, worths
from janshi.features.riichi.unseen_tiles import NUM_TILES
from janshi.luck.agent_styles import styles_of, with_styles
from janshi.luck.games import PlayedGames, games_of_records
from janshi.luck.outcomes import gains_of_hands
from janshi.luck.types import DEAL, DRAW, EVENT_DTYPE, MEASURES, PLACES, POINTS, URA, Array, ScoredGames
from janshi.luck.value import ValueFunction, shipped
from janshi.luck.walk import Walked, new_bench, new_room, walk_hands
from janshi.records.model import GameRecord
from janshi.rules.riichi.state import PLAYERS

CHUNK: Final = 64
"""Hands walked through at once."""
ROOM: Final = 96
"""Space in hands of average size; more than `CHUNK`, because some hands have many kans."""

Watching = Callable[[int], None]
"""Called with the number of hands scored so far."""


def score_records(
    records: Sequence[GameRecord],
    value: ValueFunction | None = None,
    *,
    threads: int = 1,
    watch: Watching | None = None,
) -> ScoredGames:
    """Measure the luck of recorded games; `problems` lists what could not be scored."""
    return score_games(games_of_records(records), value, threads=threads, watch=watch)


def score_games(
    games: PlayedGames, value: ValueFunction | None = None, *, threads: int = 1, watch: Watching | None = None
) -> ScoredGames:
    """Measure the luck of played games. The result does not depend on the number of threads."""
    value = value or shipped()
    parts = [slice(at, at + CHUNK) for at in range(0, len(games.hands), CHUNK)]
    found: list[Array] = []
    with ThreadPoolExecutor(threads) as pool:
        for part, events in zip(parts, pool.map(HandScorer(games, value), parts)):
            events["hand"] += part.start
            found.append(events)
            if watch is not None:
                watch(min(part.stop, len(games.hands)))
    events = np.concatenate(found) if found else np.zeros(0, EVENT_DTYPE)
    return ScoredGames(
        events,
        np.searchsorted(events["hand"], np.arange(len(games.hands) + 1)),
        games.game,
        games.hands["kyoku"],
        games.hands["honba"],
        gains_of_hands(games),
        games.ranks,
        games.scores,
        games.hands["scores"][games.starts],
        games.names,
        games.sources,
        value.name,
        value.ratio,
        list(games.problems),
    )


class HandScorer:
    """Scores hands; each thread has its own scratch space."""

    def __init__(self, games: PlayedGames, value: ValueFunction) -> None:
        self.games = games
        self.value = value
        self._own = threading.local()
        self.styles = styles_of(games) if value.styled else None

    def __call__(self, part: slice) -> Array:
        """The events of some hands, numbered from 0."""
        found = []
        for at, hands, room, used in self.walk(self.games.hands[part]):
            chances = room.chances[: used[0]]
            events = np.zeros(len(chances), EVENT_DTYPE)
            for name in ("kind", "player", "tile", "turn", "left", "hand"):
                events[name] = chances[name]
            styles = None if self.styles is None else self.styles[part][at : at + len(hands)]
            self._measure(chances, hands, room, self.worths(hands, room, used), styles, events["luck"])
            events["hand"] += at
            events["player"][chances["kind"] != DRAW] = -1
            found.append(events)
        return np.concatenate(found)

    def walk(self, hands: Array) -> Iterator[tuple[int, Array, Walked, Array]]:
        """Walk through hands, as many at a time as fit. Yields the first index, the hands, the buffers and their use.

        The buffers are overwritten by the next hands, including those of another walk in the same thread.
        """
        if not hasattr(self._own, "space"):
            self._own.space = self.games.frame(), new_bench(), new_room(ROOM, True)
        frame, bench, room = self._own.space
        at, used = 0, np.zeros(5, np.int64)
        while at < len(hands):
            done = walk_hands(hands[at:], self.games.answers, True, room, used, bench, *frame)
            if done < 0:
                row = at - 1 - done
                raise ValueError(f"row {int(hands['row'][row])} cannot be replayed: its answers do not fit the rules")
            yield at, hands[at : at + done], room, used
            at += done

    def worths(self, hands: Array, room: Walked, used: Array) -> Worths:
        """The worth of every end of the walked hands, for each standing."""
        at = room.standings[: used[3]]
        own = hands[at["hand"]]
        numbers = (own[name].astype(np.int64) for name in ("kyoku", "honba", "rules"))
        return worths(
            Situation(at["scores"].astype(np.int64), at["sticks"].astype(np.int64), *numbers), self.games.rules
        )

    def _measure(
        self, chances: Array, hands: Array, room: Walked, worth: Worths, styles: Array | None, luck: Array
    ) -> None:
        """Write the luck of events, float32[n, measures, 4]."""
        for places, values in self.values_of_events(chances, hands, room, worth, styles):
            some = chances[places]
            luck[places] = against_deals(values) if some["kind"][0] == DEAL else against_all(values, some)

    def values_of_events(
        self, chances: Array, hands: Array, room: Walked, worth: Worths, styles: Array | None
    ) -> Iterator[tuple[Array, Array]]:
        """Yield, kind by kind, indices of events and values of all that could have come, [n, t, measures, 4]."""
        for kind in np.unique(chances["kind"]).tolist():
            places = np.flatnonzero(chances["kind"] == kind)
            some = chances[places]
            players, standing = some["player"].astype(np.int64), some["standing"]
            if kind == URA:
                yield places, self._after_ura(some, hands, room)
                continue
            rows = room.rows[some["row"]]
            if kind != DRAW:
                rows = room.rows[some["row"][:, None] + np.arange(int(some["rows"][0]))]
            if styles is not None:
                rows = with_styles(rows, styles[some["hand"]], players)
            if kind == DRAW:
                yield places, self.value.after_draws(rows, room.tiles[some["place"]], players, worth, standing)
            else:
                yield places, self.value.of_tables(rows, players, worth, standing)

    def ura_luck(self, some: Array, hands: Array, room: Walked) -> Array:
        """Luck of ura indicators, float64[n, measures, 4]."""
        return against_all(self._after_ura(some, hands, room), some)

    def _after_ura(self, some: Array, hands: Array, room: Walked) -> Array:
        """The worth of a win with each ura indicator; exact, since the hand is over."""
        own, ends = hands[some["hand"]], room.ends[some["hand"]]
        scores = room.ura[some["place"]].astype(np.int64)
        n = len(some) * NUM_TILES

        def each(column: Any) -> Array:
            return np.repeat(np.asarray(column).astype(np.int64), NUM_TILES)

        ended = Ended(
            scores.reshape(n, PLAYERS),
            np.zeros(n, np.int64),
            each(own["kyoku"]),
            each(own["honba"]),
            np.ones(n, np.bool_),
            each(ends["stays"]) != 0,
            each(own["rules"]),
        )
        out = np.zeros((len(some), NUM_TILES, len(MEASURES), PLAYERS))
        out[:, :, PLACES] = places_after(ended, self.games.rules).reshape(out[:, :, PLACES].shape)
        out[:, :, POINTS] = scores
        return out


def against_all(values: Array, chances: Array) -> Array:
    """The value of the actual outcome minus the mean over all possible ones."""
    mean = np.matmul(chances["weight"][:, None], values.reshape(*values.shape[:2], -1))[:, 0]
    return np.asarray(values[np.arange(len(values)), chances["tile"]] - mean.reshape(len(values), *values.shape[2:]))


def against_deals(values: Array) -> Array:
    """The value of a deal minus the mean of independent deals."""
    return np.asarray(values[:, 0] - values[:, 1:].mean(1))
