"""How fast the simplified game is, and how other choices of its rules would play.

Without options: measure everything, print a table, write docs/benchmarks/simplified.md. With --options: play the
built-in players under each choice of rules and print the table of docs/simplified.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from _command import command_line, report
from _report import Figure
from _timing import available_cores, on_cores, rate
from janshi.rules.batch import Batch
from janshi.rules.registry import make_game
from janshi.rules.simplified.distance import KIND_NAMES, ROW, distances, live_distances
from janshi.rules.simplified.game import SimplifiedGame
from janshi.rules.simplified.playout import playout
from janshi.rules.simplified.ruleset import PAPER, Ruleset
from janshi.rules.simplified.shapes import patterns, shapes
from janshi.rules.simplified.state import PLAYERS

RULES = "simplified/paper"
MILLION = 1_000_000
TABLES = 1024
INTRO = (
    "The simplified game's speed. Play is random-legal with legal masks through `Batch`, which also checks every "
    "action; there is no peer that plays this game."
)


@dataclass
class Run:
    """How long to measure, and how often."""

    seconds: float
    repetitions: int

    def best(
        self, metric: str, unit: str, once: Callable[[], int], target: float | None = None, note: str = ""
    ) -> Figure:
        """A figure from the best of several runs."""
        once()
        runs = [rate(once, self.seconds) for _ in range(self.repetitions)]
        return Figure(metric, unit, max(runs), target, note=note, runs=runs)


def random_play(threads: int = 1) -> Callable[[], int]:
    """Random-legal play of many tables, warm and in the middle of games."""
    batch = Batch(make_game(RULES), TABLES * threads, seed=1, threads=threads)

    def once() -> int:
        decisions = len(batch)
        batch.step(batch.random_actions())
        return decisions

    for _ in range(50):
        once()
    return once


def started(game: SimplifiedGame, games: int, seed: int = 0) -> Any:
    """Tables at the start of their games."""
    states = game.new_states(games)
    game.start(states, np.arange(games, dtype=np.uint64) + np.uint64(seed * games), game.new_context())
    return states


def measure_play(run: Run) -> list[Figure]:
    """Random-legal play with masks on one core and on all."""
    with on_cores(1):
        figures = [run.best("random-legal play with masks, one core", "decisions/s", random_play(), 2 * MILLION)]
    cores = len(available_cores())
    if cores > 1:
        figures.append(run.best(f"the same on {cores} threads", "decisions/s", random_play(cores)))
    return figures


def measure_playouts(run: Run) -> list[Figure]:
    """Whole games inside the kernels."""
    game, figures = SimplifiedGame(), []
    for policy, games in (("random", 2000), ("greedy", 500), ("valued", 200)):

        def once(policy: str = policy, games: int = games) -> int:
            states = started(game, games)
            playout(states, (policy,) * PLAYERS)
            return int(states["decisions"].sum())

        with on_cores(1):
            figures.append(run.best(f"playout in kernels, {policy} players", "decisions/s", once))
    return figures


def measure_views(run: Run) -> list[Figure]:
    """Views of all open decisions of a batch."""
    batch = Batch(make_game(RULES), TABLES, seed=1)
    with on_cores(1):
        return [run.best("views", "views/s", lambda: len(batch.views()))]


def measure_distances(run: Run) -> list[Figure]:
    """Distances to all scoring hands, called one by one from Python."""
    hand, live, out = np.array([1, 1, 1, 0, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0]), np.ones(14, np.int64), np.zeros(5, np.int64)
    rows, tables = np.zeros((3, ROW), np.int8), shapes()[0]
    code = int(sum(int(count) << 2 * kind for kind, count in enumerate(hand)))

    def fast() -> int:
        for _ in range(1000):
            distances(code, 0, 2, tables, out)
        return 1000

    def exact() -> int:
        for _ in range(1000):
            live_distances(hand, live, 0, 2, patterns(), rows, out)
        return 1000

    with on_cores(1):
        return [
            run.best("distances, one call from Python each", "hands/s", fast),
            run.best("distances with tiles gone, one call each", "hands/s", exact),
        ]


def measure_state(run: Run) -> list[Figure]:
    """Bytes of one table."""
    return [Figure("state of a table", "bytes", make_game(RULES).state_dtype.itemsize, 512, False)]


METRICS: dict[str, Callable[[Run], list[Figure]]] = {
    "play": measure_play,
    "playouts": measure_playouts,
    "views": measure_views,
    "distances": measure_distances,
    "state": measure_state,
}
"""Metrics by name, in the order of the table."""


# --- other choices of rules

OPTIONS: dict[str, Ruleset] = {
    "as chosen": PAPER,
    "three sets": replace(PAPER, sets=3),
    "basic 1": replace(PAPER, basic=1),
    "basic 4": replace(PAPER, basic=4),
    "flush 8, all pungs 6": replace(PAPER, flush=8, all_pungs=6),
    "kong 0": replace(PAPER, kong=0),
    "kong 2": replace(PAPER, kong=2),
}
HEADINGS = (
    "rules",
    "players",
    "won",
    "self-drawn",
    "decisions",
    *KIND_NAMES,
    "plain",
    "fan of a win",
    "kongs of a win",
)


def played(rules: Ruleset, policies: tuple[str, ...], games: int) -> Any:
    """Games from seeds 0 up."""
    states = started(SimplifiedGame(rules), games)
    playout(states, policies, seed=1, rules=rules)
    return states


def row(name: str, policy: str, states: Any) -> str:
    """One row of the table of options."""
    won = states["winner"] >= 0
    kinds = states["win_kinds"][won]
    shares = [won.mean(), (states["payer"][won] < 0).mean()]
    hands = [(kinds >> bit & 1).mean() for bit in range(len(KIND_NAMES))]
    cells = [f"{100 * share:.1f} %" for share in shares] + [f"{states['decisions'].mean():.1f}"]
    cells += [f"{100 * share:.1f} %" for share in (*hands, (kinds == 0).mean())]
    cells += [f"{states['win_fan'][won].mean():.2f}", f"{states['win_kongs'][won].mean():.3f}"]
    return "| " + " | ".join([name, policy, *cells]) + " |"


def duel(name: str, rules: Ruleset, games: int) -> str:
    """Points a game and wins of one `valued` player against two `greedy` ones, each wall played from all seats."""
    points, wins = np.zeros(games), 0.0
    for seat in range(PLAYERS):
        states = played(rules, tuple("valued" if p == seat else "greedy" for p in range(PLAYERS)), games)
        points += states["scores"][:, seat] / PLAYERS
        wins += (states["winner"] == seat).mean() / PLAYERS
    return f"| {name} | {points.mean():+.3f} ± {1.96 * points.std() / games**0.5:.3f} | {100 * wins:.1f} % |"


def print_options(games: int) -> None:
    """Print how the game plays under each choice of rules."""
    print("| " + " | ".join(HEADINGS) + " |\n" + "|---" * len(HEADINGS) + "|")
    for name, rules in OPTIONS.items():
        for policy in ("random", "greedy", "valued") if name in ("as chosen", "three sets") else ("valued",):
            print(row(name, policy, played(rules, (policy,) * PLAYERS, games)))
    print("\n| rules | `valued` against two `greedy`, points a game | won |\n|---|---|---|")
    for name, rules in OPTIONS.items():
        print(duel(name, rules, games))


def main() -> None:
    """Measure and report."""
    parser = command_line(__doc__, METRICS)
    parser.add_argument("--options", action="store_true", help="print how other choices of rules would play")
    args = parser.parse_args()
    if args.options:
        print_options(2_000 if args.quick else 20_000)
        return
    run = Run(0.4 if args.quick else 1.0, 2 if args.quick else 5)
    figures = [figure for name in args.metrics or METRICS for figure in METRICS[name](run)]
    report(args, "simplified", "The simplified game", "The simplified game", INTRO, figures)


if __name__ == "__main__":
    main()
