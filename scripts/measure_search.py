"""Measure the search model against greedy, valued and random players, and write the figures into docs/search.md.

Every wall is played with the search model in each seat in turn (the others are copies of one player, so these are all
seatings); intervals are 95 %, by wall. With --quick, only a few walls are played and nothing is written.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from _page import table, when_and_where, write_between
from janshi.agents.base import Agent, Asked
from janshi.agents.basic import BuiltInAgent
from janshi.agents.registry import make_agent
from janshi.rules.batch import Batch
from janshi.rules.game import Array, Game
from janshi.rules.registry import make_game

PAGE = Path(__file__).resolve().parent.parent / "docs" / "search.md"
FIRST, LAST = "<!-- figures -->", "<!-- end of figures -->"
SEED = 2022
COMMAND = "python scripts/measure_search.py"


class ValuedAgent(BuiltInAgent):
    """The simplified game's policy of that name."""

    name, version = "valued", "1"
    families: ClassVar[tuple[str, ...]] = ("simplified",)


@dataclass
class Match:
    """The results of one agent in each seat, by seat and wall."""

    points: Array  # float[seats, walls]
    won: Array  # bool[seats, walls]
    fan: Array  # int[seats, walls], zero where it did not win
    drawn: Array  # bool[seats, walls]

    def row(self, name: str) -> list[str]:
        """A row of the table."""
        by_wall = self.points.mean(0)
        error = 1.96 * by_wall.std(ddof=1) / len(by_wall) ** 0.5
        fan = self.fan.sum() / max(self.won.sum(), 1)
        shares = [f"{self.won.mean():.1%}", f"{self.drawn.mean():.1%}", f"{fan:.2f}", f"{self.fan.mean():.2f}"]
        return [name, f"{self.points.size:,}", f"{by_wall.mean():+.2f} ± {error:.2f}", *shares]


def asked_of(game: Game, views: Array, word: int = 0) -> Asked:
    """Decisions in the form that agents take; random words, which only `random` uses, are derived from `word`."""
    words = np.random.default_rng(word).integers(0, 2**63, len(views)).astype(np.uint64)
    return Asked(game, views, words, np.zeros(len(views), np.int64))


def play(game: Game, agent: Agent, others: Agent, seat: int, walls: int) -> Any:
    """Final states of one game on each wall, the agent in one seat."""
    batch, step = Batch(game, walls, seed=SEED, restart=False), 0
    while not batch.over.all():
        views, actions = batch.views(), np.zeros(len(batch), np.int64)
        step += 1
        mine = batch.players == seat
        for who, chosen in ((agent, mine), (others, ~mine)):
            if chosen.any():
                actions[chosen] = who.act(asked_of(game, views[chosen], step))
        batch.step(actions)
    return batch.states


def match(rules: str, opponent: str, walls: int, seats: int | None = None) -> Match:
    """Play the search model against one kind of opponent from every seat, or from the first `seats`."""
    game = make_game(rules)
    agent = make_agent("search", game)
    others = ValuedAgent(game) if opponent == "valued" else make_agent(opponent, game)
    rows: list[tuple[Array, ...]] = []
    for seat in range(seats or game.players):
        print(f"{rules}: search against {opponent}, seat {seat}, {walls} walls ...", flush=True)
        states = play(game, agent, others, seat, walls)
        won = states.winner == seat
        rows.append((game.rewards(states)[:, seat], won, np.where(won, states.win_fan, 0), states.winner < 0))
    return Match(*(np.array(column) for column in zip(*rows)))


def decision_times(rules: str, games: int) -> Array:
    """CPU seconds of each decision in games between search models, asked one at a time."""
    game = make_game(rules)
    agent, batch, times = make_agent("search", game), Batch(game, games, seed=SEED, restart=False), []
    agent.act(asked_of(game, batch.views()))
    while not batch.over.all():
        views, actions = batch.views(), np.zeros(len(batch), np.int64)
        for i in range(len(views)):
            asked = asked_of(game, views[i : i + 1])
            start = time.thread_time()
            actions[i] = agent.act(asked)[0]
            times.append(time.thread_time() - start)
        batch.step(actions)
    return np.array(times)


def time_row(rules: str, games: int) -> list[str]:
    """A row of the table of times."""
    times = 1000 * decision_times(rules, games)
    figures = (np.median(times), times.mean(), np.quantile(times, 0.99), times.max())
    return [rules, f"{len(times):,}", *(f"{figure:.2f}" for figure in figures)]


def measure(walls: int, timed: int) -> str:
    """All figures, in two tables."""
    matches = [
        match("guobiao/botzone", "greedy", walls).row("Guobiao: against three `greedy`"),
        match("guobiao/botzone", "random", walls).row("Guobiao: against three `random`"),
        match("guobiao/botzone", "search", walls, seats=1).row("Guobiao: four `search` (seat 0's figures)"),
        match("simplified/paper", "greedy", 10 * walls).row("simplified: against two `greedy`"),
        match("simplified/paper", "valued", 10 * walls).row("simplified: against two `valued`"),
        match("simplified/paper", "search", 10 * walls, seats=1).row("simplified: three `search` (seat 0's figures)"),
        match("simplified/three_sets", "valued", 5 * walls).row("simplified, three sets: against two `valued`"),
    ]
    times = [time_row(rules, timed) for rules in ("guobiao/botzone", "simplified/paper")]
    match_head = ["match", "games", "points a game", "won", "drawn", "fan of a win", "fan a game"]
    time_head = ["time of a decision, ms on one core", "decisions", "median", "mean", "99 %", "longest"]
    return f"{table(match_head, matches, tight=True)}\n\n{table(time_head, times, tight=True)}"


def main() -> None:
    """Measure, print and, except in a quick run, write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a few walls, nothing written")
    parser.add_argument("--walls", type=int, default=250, help="walls of each Guobiao match (default 250)")
    options = parser.parse_args()
    figures = measure(8 if options.quick else options.walls, 2 if options.quick else 30)
    print(figures)
    if not options.quick:
        write_between(PAGE, FIRST, LAST, f"Measured {when_and_where()}: `{COMMAND}`.\n\n{figures}\n")
        print(f"written into {PAGE.name}")


if __name__ == "__main__":
    main()
