"""How fast the arena plays matches, compared with its peers, in one run.

Without options: measure everything, print a table, write docs/benchmarks/arena.md. The compared programs take turns,
and the best of several runs counts for each, because slow runs on a busy machine measure its other work.
"""

from __future__ import annotations

import shlex
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import numpy as np

from _command import command_line, report
from _peers import ask
from _report import Figure
from _timing import on_cores
from janshi.agents.base import Agent, Asked
from janshi.agents.registry import AGENTS, make_agent
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.results import Results
from janshi.rules.game import Array, Game
from janshi.rules.registry import make_game
from janshi.rules.riichi.playout import playout

SOUTH, EAST = "riichi/tenhou", "riichi/tenhou_east"
INTRO = (
    "How fast `janshi match` plays, on one core, its games stored as they finish. The overhead compares a match of "
    "four `greedy` with the same games played inside the kernels alone (`playout`): the same seeds, the same policy, "
    "and the final scores are found equal. It is measured in CPU time, the two taking turns. Kernel policies such as "
    "`greedy` play whole hands without leaving the kernels, here too; other agents get views at every step, and the "
    "cost of that is measured with `greedy` behind views. Peers play the simplest bots they come with: RiichiEnv its "
    "random agent, Mortal's engine in `mjai` players that discard what they draw. Mortal's own `OneVsThree` and "
    "`TwoVsTwo` are not measured: no package of `libriichi` is published, and the part of it in `mjai` plays single "
    "games only. `mjai`'s own simulator starts its bots in Docker and is not measured."
)


@dataclass
class Run:
    """How thoroughly to measure, and data shared by all metrics."""

    quick: bool
    folder: Path
    versions: dict[str, str] = field(default_factory=dict)
    numbers: count[int] = field(default_factory=count)

    @property
    def repetitions(self) -> int:
        """Number of runs of each measurement."""
        return 2 if self.quick else 7

    @property
    def seconds(self) -> float:
        """Seconds of each measurement of a peer."""
        return 0.4 if self.quick else 1.0

    def scaled(self, games: int) -> int:
        """A number of games; an eighth of it in a quick run."""
        return max(1, games // 8) if self.quick else games

    def match(self, plan: Plan) -> tuple[Results, float, float]:
        """Play a match in its own directory, as a user would: returns its games, seconds, and seconds of CPU time."""
        path = self.folder / f"match-{next(self.numbers)}"
        started, cpu = time.perf_counter(), time.process_time()
        results = run_match(plan, path)
        return results, time.perf_counter() - started, time.process_time() - cpu

    def peer(self, name: str, work: str) -> float | None:
        """Units per second of a peer."""
        found = ask(name, work, self.seconds)
        if found is None:
            return None
        self.versions[name] = found["version"]
        return float(found["rate"])


def copies(agent: str, rules: str, games: int, seed: int) -> Plan:
    """A match of copies of one agent, every game on separate walls."""
    return Plan(rules, (agent,), ((0,) * make_game(rules).players,), games, seed, "fixed")


def measure_speed(run: Run, agent: str, rules: str, games: int, target: float | None = None) -> Figure:
    """Games per second of a match of copies of one agent."""
    run.match(copies(agent, rules, 4, 1_000))
    runs = []
    for seed in range(run.repetitions):
        results, seconds, _ = run.match(copies(agent, rules, games, seed))
        runs.append(len(results) / seconds)
    return Figure(f"four `{agent}`, {rules}", "games/s", max(runs), target, runs=runs, note=f"{games} games a run")


# --- the arena and the engine


def kernels_alone(plan: Plan) -> tuple[np.ndarray, float]:
    """The final scores of a plan's games played inside the kernels, and the CPU time."""
    started = time.process_time()
    game = make_game(plan.rules)
    states = game.new_states(len(plan))
    seeds = np.array([plan.game(number).seed for number in range(len(plan))], np.uint64)
    game.start(states, seeds, game.new_context())
    playout(states, (plan.contestants[0],) * game.players, rules=game.rules)
    return states["scores"], time.process_time() - started


class Viewed(Agent):
    """Greedy as an agent that gets views, like all agents except kernel policies."""

    name, version, families = "viewed", "1", ("riichi",)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.greedy = make_agent("greedy", game)

    def act(self, asked: Asked) -> Array:
        """Answer as greedy does."""
        return self.greedy.act(asked)


def compare(run: Run, label: str, games: int) -> tuple[list[float], list[float], list[float]]:
    """Games/s of a match, and the CPU time of it and of the same games inside the kernels alone, run by run."""
    rates, alone, arena = [], [], []
    run.match(copies(label, SOUTH, 4, 1_000))
    kernels_alone(copies("greedy", SOUTH, 4, 1_000))
    for seed in range(run.repetitions):
        scores, cpu = kernels_alone(copies("greedy", SOUTH, games, seed))
        results, seconds, spent = run.match(copies(label, SOUTH, games, seed))
        if not (scores == results.scores).all():
            raise AssertionError("the arena and the kernels alone do not play the same games")
        alone.append(cpu)
        arena.append(spent)
        rates.append(games / seconds)
    return rates, alone, arena


def overhead(name: str, target: float | None, alone: list[float], arena: list[float], note: str) -> Figure:
    """The arena's overhead over the kernels alone, in percent."""
    pairs = [100 * (spent / cpu - 1) for spent, cpu in zip(arena, alone)]
    return Figure(name, "%", 100 * (min(arena) / min(alone) - 1), target, False, runs=pairs, note=note)


def measure_greedy(run: Run) -> list[Figure]:
    """South games of four greedy, and the arena's overhead over the engine; the same for an agent that gets views."""
    games = run.scaled(2048)
    rates, alone, arena = compare(run, "greedy", games)
    seen, seen_alone, seen_arena = compare(run, f"{__name__}.Viewed", games)
    note = f"{games} games a run: what a match with its store takes beyond the kernels alone, in CPU time"
    return [
        Figure("four `greedy`, South games", "games/s", max(rates), 200, runs=rates, note=f"{games} games a run"),
        overhead("overhead over the engine, `greedy`", 20, alone, arena, note),
        Figure("`greedy` shown views, South games", "games/s", max(seen), 200, runs=seen, note=f"{games} games a run"),
        overhead("overhead, `greedy` shown views", None, seen_alone, seen_arena, f"{note}; views are written and read"),
    ]


# --- compared with peers


def beside(run: Run, agent: str, games: int, peer: str) -> list[Figure]:
    """South games of copies of a simple agent and of a peer's, in turn."""
    rates, theirs = [], []
    run.match(copies(agent, SOUTH, 4, 1_000))
    for seed in range(min(run.repetitions, 4)):
        results, seconds, _ = run.match(copies(agent, SOUTH, games, seed))
        rates.append(len(results) / seconds)
        if (found := run.peer(peer, "games")) is not None:
            theirs.append(found)
    peers = {peer: max(theirs)} if theirs else {}
    return [Figure(f"four `{agent}`, South games", "games/s", max(rates), None, True, peers, runs=rates)]


def measure_random(run: Run) -> list[Figure]:
    """Random players, which RiichiEnv also has."""
    return beside(run, "random", run.scaled(1024), "riichienv")


def measure_tsumogiri(run: Run) -> list[Figure]:
    """Players that discard what they draw, like those of Mortal's engine in mjai."""
    return beside(run, "tsumogiri", run.scaled(1024), "mjai")


# --- stronger players and bots


def measure_careful(run: Run) -> list[Figure]:
    """East games of four careful."""
    return [measure_speed(run, "careful", EAST, run.scaled(128))] if "careful" in AGENTS else []


def measure_search(run: Run) -> list[Figure]:
    """Guobiao hands of four search models; each game is one hand."""
    return [measure_speed(run, "search", "guobiao/botzone", run.scaled(32))] if "search" in AGENTS else []


def measure_bot(run: Run) -> list[Figure]:
    """An mjai bot in a separate process against three greedy."""
    command = shlex.join([sys.executable, "-m", "janshi", "bot", "mjai", "--agent", "greedy"])
    plan = Plan(EAST, (f"mjai:{command}", "greedy"), ((0, 1, 1, 1),), run.scaled(8), 1, "fixed")
    results, _, _ = run.match(plan)
    if any(results.faults):
        raise AssertionError(f"the bot failed: {next(filter(None, results.faults))}")
    held = results.seats == 0
    rates = results.decisions[held] / results.seconds[held]
    overall = float(results.decisions[held].sum() / results.seconds[held].sum())
    note = f"our `greedy` behind `janshi bot mjai`, all of {len(results)} East games against three `greedy`"
    return [Figure("one mjai bot in a process", "decisions/s", overall, runs=rates.tolist(), note=note)]


METRICS: dict[str, Callable[[Run], list[Figure]]] = {
    "greedy": measure_greedy,
    "random": measure_random,
    "tsumogiri": measure_tsumogiri,
    "careful": measure_careful,
    "search": measure_search,
    "bot": measure_bot,
}
"""Metrics by name, in the order of the table."""


def main() -> None:
    """Measure and report."""
    args = command_line(__doc__, METRICS).parse_args()
    with tempfile.TemporaryDirectory() as folder, on_cores(1):
        run = Run(args.quick, Path(folder))
        figures = [figure for name in args.metrics or METRICS for figure in METRICS[name](run)]
    report(args, "arena", "Arena", "The arena", INTRO, figures, run.versions)


if __name__ == "__main__":
    main()
