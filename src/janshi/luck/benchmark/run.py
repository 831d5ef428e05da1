"""Play a bot against the ladder until its rating is precise enough.

Each wall set is played with the bot at every seat. Every few wall sets, the luck of the new games is measured and the
rating is computed from ranks without luck; play ends when half of its 95 % interval is small enough. Looking several
times hardly costs confidence, because the rule depends on the width of the interval rather than on the rating: in
simulated matches, 94 to 95 of 100 intervals contain the true value (`tests/luck/test_benchmark_bot.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from janshi.arena.contestants import shown_name
from janshi.arena.ladder import Rung, ladder, rung
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.results import Results
from janshi.arena.stats import Estimate, mean
from janshi.arena.summary import values_of
from janshi.arena.units import Options
from janshi.luck.benchmark.rating import BotRating, rating_of
from janshi.luck.matches import games_of_match, score_match
from janshi.luck.types import MEASURES, PLACES, Array
from janshi.rules.registry import make_game

OPPONENTS: Final = ("casual", "regular", "apprentice")
LEAST: Final = 16
"""Wall sets before play may stop: with fewer, the width of the interval is itself too uncertain."""
LOOK: Final = 4
"""Wall sets between two looks."""
KEEP: Final = Options(keep_actions=True)
"""Answers are stored, so that luck is measured in the games as they were played."""
FAILING: Final = 0.25
"""Largest share of games in which a bot may fail and still be measured."""


class BotFails(ValueError):
    """The bot makes too many mistakes for a rating of its play."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a benchmark stands after some whole wall sets."""

    plan: Plan
    results: Results
    rank: Estimate
    """The bot's average rank."""
    adjusted: Estimate
    """The same without luck."""
    rating: BotRating
    plain: BotRating
    """The rating from ranks with luck, for comparison."""
    faults: int
    """Games in which the bot failed at least once."""
    known: bool
    """Whether the rating is as precise as requested."""

    @property
    def bot(self) -> str:
        """The bot's name."""
        return shown_name(self.plan.contestants[0])

    @property
    def worth(self) -> float:
        """How many plain games one game without luck is worth."""
        return (self.rank.error / self.adjusted.error) ** 2 if self.adjusted.error > 0 else float("nan")


Watching = Callable[[Progress], None]
"""Called after each look."""


def benchmark_plan(bot: str, opponents: Sequence[str], walls: int, rules: str, seed: int) -> Plan:
    """The match: the bot against three players of the ladder, in every seat on every wall set."""
    seats = make_game(rules).players
    if len(opponents) != seats - 1:
        raise ValueError(f"a table needs {seats - 1} opponents, not {len(opponents)}")
    labels = tuple(dict.fromkeys((bot, *opponents)))
    if bot in opponents:
        raise ValueError(f"{bot!r} cannot be measured against itself: choose other opponents")
    return Plan(rules, labels, ((0, *map(labels.index, opponents)),), walls, seed)


def rungs(opponents: Sequence[str]) -> list[Rung]:
    """The ladder's figures of opponents, by name without options."""
    found = [rung(label.partition(":")[0]) for label in opponents]
    for label, one in zip(opponents, found):
        if one is None:
            names = ", ".join(known.name for known in ladder())
            raise ValueError(f"{label!r} has no rating on the ladder; opponents are {names}")
    return [one for one in found if one is not None]


def benchmark_bot(
    bot: str,
    path: Path | str,
    *,
    within: float = 25.0,
    opponents: Sequence[str] = OPPONENTS,
    most: int = 500,
    rules: str = "riichi/tenhou_east",
    seed: int = 0,
    workers: int = 1,
    watch: Watching | None = None,
) -> Progress:
    """Play until the bot's rating is known to ± `within` Elo points, or for `most` wall sets. Stores games in `path`.

    An interrupted match is continued: games already played are kept.
    """
    if within <= 0:
        raise ValueError(f"the rating cannot be known to ± {within:g}: expected more than 0")
    if most < LEAST:
        raise ValueError(f"a rating needs at least {LEAST} wall sets, not {most}")
    field, luck = rungs(opponents), np.zeros((0, len(MEASURES), 4))
    trial = run_match(benchmark_plan(bot, opponents, 1, rules, seed), path, workers=workers, options=KEEP)
    _check_faults(trial, bot)  # detects a bot that cannot play after four games
    walls = LEAST
    while True:
        plan = benchmark_plan(bot, opponents, walls, rules, seed)
        results = run_match(plan, path, workers=workers, options=KEEP)
        _check_faults(results, bot)
        luck = _more_luck(plan, results, luck, workers)
        now = _progress(plan, results, luck, field, within)
        if watch is not None:
            watch(now)
        if now.known or walls >= most:
            return now
        walls = min(walls + LOOK, most)


def _more_luck(plan: Plan, results: Results, luck: Array, workers: int) -> Array:
    """The luck of all games, float64[games, 2, 4]; `luck` is that of the first ones."""
    new = results.select(np.arange(len(luck), len(results)))
    if not len(new):
        return luck
    more = score_match(plan, games_of_match(plan, new), threads=workers)[1]
    return np.concatenate([luck, more])


def _progress(plan: Plan, results: Results, luck: Array, field: Sequence[Rung], within: float) -> Progress:
    known = ~np.isnan(luck[:, PLACES]).any(1)
    raw = values_of(results, results.ranks, 0)
    free = values_of(results, results.ranks + luck[:, PLACES], 0)
    rank, adjusted = mean(raw[known], results.wall[known]), mean(free[known], results.wall[known])
    rating, plain = rating_of(adjusted, field), rating_of(rank, field)
    return Progress(plan, results, rank, adjusted, rating, plain, _failed(results), rating.half <= within)


def _failed(results: Results) -> int:
    """Games in which the bot, contestant 0, failed."""
    return sum(any(seats[row["seat"]] == 0 for row in rows) for seats, rows in zip(results.seats, results.faults))


def _check_faults(results: Results, bot: str) -> None:
    """Raise if the bot fails so often that its rating would not reflect its play."""
    failed = _failed(results)
    if failed <= FAILING * len(results):
        return
    first = next(row for seats, rows in zip(results.seats, results.faults) for row in rows if seats[row["seat"]] == 0)
    raise BotFails(
        f"{shown_name(bot)} failed in {failed} of {len(results)} games, which says nothing about its play. "
        f"First fault: {first['kind']}: {first['message']}"
    )
