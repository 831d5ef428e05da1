"""The strength of a policy in training: duplicate hands against copies of an agent.

Published figures come from the arena (`scripts/measure_rvr.py`). This is the same kind of match, played in one process
with the network on its device, so that a point of a learning curve takes seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.base import Asked
from janshi.agents.registry import make_agent
from janshi.core import rng
from janshi.features.planes import Encoder, encoder
from janshi.rules.game import Array, Game
from janshi.rules.stepper import Stepper

Answer = Callable[[Array], Array]
"""Actions int64[m] for private inputs uint8[m, private_bytes]."""
WALLS: Final = 301
SLICE: Final = 16
"""Batch size of a thread's calls to an agent."""
WIDE: Final = 1.96
"""Standard errors of a 95 % interval."""


@dataclass(frozen=True)
class Strength:
    """Results of a policy in hands against copies of one agent, with 95 % intervals by wall."""

    games: int
    points: float
    """Mean score of a hand: the paper's average fan (AF)."""
    points_error: float
    """Half of the interval."""
    wins: float
    """Share of hands won (WR)."""
    wins_error: float
    draws: float

    def __str__(self) -> str:
        return (
            f"{self.points:+.2f} ± {self.points_error:.2f} points a hand, {100 * self.wins:.1f} ± "
            f"{100 * self.wins_error:.1f} % won, {100 * self.draws:.1f} % drawn ({self.games} hands)"
        )


class ByWall(NamedTuple):
    """Results of a policy on each wall, as means over the seats."""

    points: Array  # float64[walls]
    wins: Array  # float64[walls]
    drawn: float
    """Share of all hands."""


def evaluate(
    answer: Answer,
    game: Game,
    opponent: str = "search",
    walls: int = 200,
    seed: int = 0,
    threads: int = 1,
    planes: Encoder | None = None,
) -> Strength:
    """Play each wall once from every seat, with `opponent` in all other seats: see `results_by_wall`."""
    return strength_of(results_by_wall(answer, game, opponent, walls, seed, threads, planes), game.players)


def strength_of(found: ByWall, players: int) -> Strength:
    """Means and intervals of results, each wall played from all `players` seats."""
    walls = len(found.points)
    width = WIDE / sqrt(max(walls - 1, 1))
    return Strength(
        walls * players,
        float(found.points.mean()),
        width * float(found.points.std()),
        float(found.wins.mean()),
        width * float(found.wins.std()),
        found.drawn,
    )


def results_by_wall(
    answer: Answer,
    game: Game,
    opponent: str,
    walls: int,
    seed: int,
    threads: int = 1,
    planes: Encoder | None = None,
) -> ByWall:
    """Play each wall once from every seat, with `opponent` in all other seats.

    `planes` makes the records; by default the planes of the game's family.
    """
    players = game.players
    stepper = Stepper(game, walls * players)
    seeds = np.array([rng.key(np.uint64(seed % 2**64), wall, WALLS) for wall in range(walls)], np.uint64)
    stepper.start(np.repeat(seeds, players))
    states = stepper.states
    mine = np.tile(np.arange(players), walls)  # the policy's seat at each table
    planes = planes or encoder(game.family.name)
    with ThreadPoolExecutor(threads) as pool:
        ask = _asker(game, opponent, pool, threads)
        while len(stepper):
            stepper.step(_answers(stepper, mine, planes, answer, ask))
    scores = game.scores(states).astype(np.float64)
    own = scores[np.arange(len(states)), mine].reshape(walls, players).mean(1)
    won = (scores[np.arange(len(states)), mine] > 0).reshape(walls, players).mean(1)
    return ByWall(own, won, float((scores == 0).all(1).mean()))


def _answers(
    stepper: Stepper, mine: Array, planes: Encoder, answer: Answer, ask: Callable[[Array, Array], Array]
) -> Array:
    """The actions of all open decisions."""
    tables, players = stepper.tables, stepper.players
    actions = np.zeros(len(stepper), np.int64)
    own = players == mine[tables]
    if own.any():
        private = np.zeros((int(own.sum()), planes.private_bytes), np.uint8)
        planes.pack_states(stepper.states, tables[own], players[own], private)
        actions[own] = answer(private)
    if not own.all():
        actions[~own] = ask(stepper.views(~own), tables[~own])
    return actions


def _asker(game: Game, spec: str, pool: ThreadPoolExecutor, threads: int) -> Callable[[Array, Array], Array]:
    """Asks an agent in several threads: each has its own slice of the decisions and its own agent."""
    idle: list[Any] = [make_agent(spec, game) for _ in range(threads)]

    def ask(views: Array, tables: Array) -> Array:
        def some(a: int) -> Array:
            agent, part = idle.pop(), slice(a, a + SLICE)
            words = np.arange(len(views), dtype=np.uint64)
            answers = np.asarray(agent.act(Asked(game, views[part], words[part], tables[part])), np.int64)
            idle.append(agent)
            return answers

        return np.concatenate(list(pool.map(some, range(0, len(views), SLICE))))

    return ask
