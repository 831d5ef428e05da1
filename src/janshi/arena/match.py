"""Running a match: missing games are played here, by workers or on a cluster, and stored as they finish.

>>> from janshi.arena.match import run_match
>>> from janshi.arena.plan import Plan
>>> results = run_match(Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), walls=4, seed=1))
>>> len(results)
12
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from janshi.arena.contestants import check_label, check_names, is_slow, version_of
from janshi.arena.plan import Plan
from janshi.arena.results import Results, empty_results, join_results
from janshi.arena.store import MatchStore
from janshi.arena.units import Options, Player
from janshi.arena.workers import play_with_workers, unit_size
from janshi.rules.registry import make_game

FLUSH_SECONDS: Final = 0.5
"""Minimum seconds between writes: games that finish earlier are stored with the next ones."""
PLAIN: Final = Options()
LOOK_WALLS: Final = 16
"""Number of wall sets between two checks of a stopping rule; wall sets count in their order, not as they finish."""


class Stopping(Protocol):
    """A rule that may end a match early."""

    def __call__(self, results: Results) -> bool:
        """Whether the results of all wall sets up to some point are enough."""


Watching = Callable[[Results, int], None]
"""Called with the games that have just finished, and the total so far."""


def run_match(
    plan: Plan,
    path: Path | str | None = None,
    *,
    workers: int = 1,
    cluster: str | None = None,
    options: Options = PLAIN,
    watch: Watching | None = None,
    stop: Stopping | None = None,
) -> Results:
    """Play a match, or its missing games, and return its games in order.

    With a path, games are stored there, and an interrupted match is continued. `workers` are processes on this
    machine; `cluster` is the address of a Ray cluster, or `local`. The results are the same in all cases.
    """
    check_plan(plan, start=cluster is None)
    if path is None:
        return _run(plan, None, workers, cluster, options, watch, stop)
    game = make_game(plan.rules)
    versions = {label: version_of(label, game) for label in plan.contestants}
    store = MatchStore.create(path, plan, versions)
    with store.writing():
        return _run(plan, store, workers, cluster, options, watch, stop)


def check_plan(plan: Plan, start: bool = False) -> None:
    """Raise `ValueError` if the plan cannot be played; with `start`, if a bot's program cannot be started here."""
    game = make_game(plan.rules)
    for lineup in plan.lineups:
        if len(lineup) != game.players:
            raise ValueError(f"{plan.rules} has {game.players} players, not {len(lineup)}")
    check_names(plan.contestants)
    for label in plan.contestants:
        check_label(label, game, start)


class _Keeper:
    """Keeps finished games, on disk if there is a store."""

    def __init__(self, plan: Plan, store: MatchStore | None, watch: Watching | None) -> None:
        self.players = len(plan.lineups[0])
        self.store = store
        self.watch = watch
        old = store.read(counted=False) if store is not None else empty_results(self.players)
        self.kept = [old.select(old.game < len(plan))]
        self.count = len(self.kept[0])
        self.fresh: list[Results] = []
        self.flushed = 0.0

    def add(self, results: Results) -> None:
        self.fresh.append(results)
        self.count += len(results)
        if time.monotonic() - self.flushed > FLUSH_SECONDS:
            self.flush()
        if self.watch is not None:
            self.watch(results, self.count)

    def flush(self) -> None:
        if self.fresh:
            joined = join_results(self.fresh, self.players)
            if self.store is not None:
                self.store.append(joined)
            self.kept.append(joined)
            self.fresh = []
            self.flushed = time.monotonic()

    def results(self) -> Results:
        self.flush()
        self.kept = [join_results(self.kept, self.players).sorted()]
        return self.kept[0]


def _run(
    plan: Plan,
    store: MatchStore | None,
    workers: int,
    cluster: str | None,
    options: Options,
    watch: Watching | None,
    stop: Stopping | None,
) -> Results:
    keeper = _Keeper(plan, store, watch)
    rule = None if stop is None else _Rule(plan, stop)
    ended = rule is not None and rule.ends(keeper.results())
    missing = np.setdiff1d(np.arange(len(plan)), keeper.results().game)
    if len(missing) and not ended:
        playing = _play(plan, missing.tolist(), workers, cluster, options)
        try:
            for results in playing:
                keeper.add(results)
                if rule is not None and rule.finished(results) and rule.ends(keeper.results()):
                    break
        finally:
            playing.close()  # type: ignore[attr-defined]
            keeper.flush()
    results = keeper.results()
    if rule is not None and rule.walls is not None:
        results = results.select(results.wall < rule.walls)
    if store is not None:
        store.set_stopped(None if rule is None else rule.walls)
    return results


def _play(plan: Plan, numbers: Sequence[int], workers: int, cluster: str | None, options: Options) -> Iterator[Results]:
    game = make_game(plan.rules)
    size = unit_size(len(numbers), max(workers, 2), any(is_slow(label, game) for label in plan.contestants))
    if cluster is not None:
        from janshi.arena.cluster import play_on_cluster

        yield from play_on_cluster(plan, options, numbers, cluster, workers, size)
    elif workers > 1:
        yield from play_with_workers(plan, options, numbers, workers, size)
    else:
        player = Player(plan, options)
        try:
            yield from player.play(numbers)
        finally:
            player.close()


class _Rule:
    """Asks a stopping rule about complete wall sets in their order, so that the end does not depend on the workers."""

    def __init__(self, plan: Plan, stop: Stopping) -> None:
        self.each = len(plan.tables)
        self.stop = stop
        self.left = np.full(plan.walls, self.each)
        self.asked = 0
        self.walls: int | None = None
        """Wall sets that count, once the rule has ended the match."""

    def finished(self, results: Results) -> bool:
        """Note finished games; returns whether the rule must be asked."""
        np.subtract.at(self.left, results.game // self.each, 1)
        ahead = self.left[self.asked : self.asked + LOOK_WALLS]
        return len(ahead) == LOOK_WALLS and not ahead.any()

    def ends(self, results: Results) -> bool:
        """Whether the rule ends the match, at every check that is due."""
        number = results.game // self.each
        self.left[:] = self.each - np.bincount(number, minlength=len(self.left))[: len(self.left)]
        while (end := self.asked + LOOK_WALLS) <= len(self.left) and not self.left[self.asked : end].any():
            self.asked = end
            if self.stop(results.select(number < end)):
                self.walls = int(results.wall[number < end].max()) + 1
                return True
        return False
