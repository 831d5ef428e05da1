"""How fast the rules engine is, compared with its peers, in one run.

Without options: measure everything, print a table, write docs/benchmarks/engine.md. Our runs and the peers' take turns,
and the best of several counts for each, because slow runs on a busy machine measure its other work. With --quick no
cold compilation is measured.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from _command import command_line, report
from _peers import ask
from _report import Figure
from _samples import Wins, random_hands, random_wins
from _timing import available_cores, on_cores, rate
from janshi.core.shanten import shanten_batch
from janshi.core.tables import load_tables
from janshi.rules.batch import Batch
from janshi.rules.registry import make_game
from janshi.rules.riichi.playout import playout
from janshi.rules.riichi.ruleset import TENHOU
from janshi.rules.riichi.score import score_batch
from janshi.rules.riichi.table import Table
from janshi.rules.riichi.win import SCORE_DTYPE

RULES = "riichi/tenhou"
SHOWN_TO_PEERS = 2_000
"""Number of hands for peers: more than fit in a cache, few enough to send as JSON."""
MILLION = 1_000_000
INTRO = (
    "The engine's speed beside its peers, measured in one run: ours and theirs take turns on the same core and the "
    "best run of each counts. Peers play random-legal South games through their Python interface as fast as it goes "
    "(RiichiEnv, without its event log); Mortal's engine in `mjai` can only be timed with players that discard what "
    "they draw, which is less work. Shanten and scores are of the same hands, and the answers are compared."
)


@dataclass
class Run:
    """How thoroughly to measure, and data shared by all metrics."""

    seconds: float
    repetitions: int
    quick: bool
    folder: Path
    versions: dict[str, str] = field(default_factory=dict)

    def in_turn(self, ours: Callable[[], float], peers: dict[str, Callable[[], float | None]]) -> Turns:
        """Measure us and the peers in turn, several times."""
        turns = Turns()
        for _ in range(self.repetitions):
            turns.runs.append(ours())
            for name, measure in peers.items():
                if (found := measure()) is not None:
                    turns.peers[name] = max(found, turns.peers.get(name, 0.0))
        return turns

    def peer(self, name: str, work: str, expected: list[int] | None = None) -> Callable[[], float | None]:
        """A measurement of a peer, whose answers are compared with ours if we have any."""

        def measure() -> float | None:
            found = ask(name, work, self.seconds, self.sample if expected else None)
            if found is None:
                return None
            self.versions[name] = found["version"]
            self.compare(name, work, found["answers"], expected or [])
            return float(found["rate"])

        return measure

    def compare(self, name: str, work: str, theirs: list[int], ours: list[int]) -> None:
        """Warn if a peer's answers differ from ours. RiichiEnv doubles some yakuman under any rules: a few hands."""
        differ = sum(their != our for their, our in zip(theirs, ours))
        if differ > len(theirs) // 200:
            print(f"{name} and we differ on {differ} of {len(theirs)} at {work}", file=sys.stderr)

    @cached_property
    def hands(self) -> Any:
        """Random hands, uint8[n, 34]."""
        return random_hands(20_000 if self.quick else 100_000)

    @cached_property
    def wins(self) -> Wins:
        """Random wins."""
        return random_wins(4_000 if self.quick else 20_000)

    @cached_property
    def sample(self) -> Path:
        """A file with the input of peers."""
        path = self.folder / "sample.json"
        shown = {"hands": self.hands[:SHOWN_TO_PEERS].tolist(), "wins": self.wins.shown[:SHOWN_TO_PEERS]}
        path.write_text(json.dumps(shown), encoding="utf-8")
        return path


@dataclass
class Turns:
    """Runs of ours, and the best of each peer's."""

    runs: list[float] = field(default_factory=list)
    peers: dict[str, float] = field(default_factory=dict)

    @property
    def best(self) -> float:
        """Our best run."""
        return max(self.runs)


# --- playing


def random_play(tables: int, threads: int = 1) -> Callable[[], int]:
    """Random-legal play of many tables, with legal masks, through `Batch`; already warm and in the middle of games."""
    batch = Batch(make_game(RULES), tables, seed=1, threads=threads)

    def once() -> int:
        decisions = len(batch)
        batch.step(batch.random_actions())
        return decisions

    for _ in range(100):
        once()
    return once


def best_size(run: Run) -> int:
    """The number of tables that is fastest here: enough to spread the cost of a call, few enough for the cache."""
    sizes = (512, 2048) if run.quick else (128, 256, 512, 1024, 2048, 4096, 8192)
    return max(sizes, key=lambda tables: rate(random_play(tables), run.seconds / 2))


def measure_play(run: Run) -> list[Figure]:
    """Random-legal decisions on one core."""
    with on_cores(1):
        tables = best_size(run)
        once = random_play(tables)
        peers = {"riichienv": run.peer("riichienv", "play"), "mjai (tsumogiri)": run.peer("mjai", "play")}
        turns = run.in_turn(lambda: rate(once, run.seconds), peers)
    note = f"batch of {tables} tables: legal masks, a random choice, a checked step"
    figures = [Figure("random play, one core", "decisions/s", turns.best, MILLION, True, turns.peers, note, turns.runs)]
    if turns.peers:
        ratio = turns.best / max(turns.peers.values())
        figures.append(Figure("random play, one core, to the fastest peer", "times", ratio, 20))
    return figures


def measure_threads(run: Run) -> list[Figure]:
    """The same on two cores, compared with one."""
    if len(available_cores()) < 2:
        print("one core only: two threads are not measured", file=sys.stderr)
        return []
    tables = 4096
    one, two = random_play(tables), random_play(2 * tables, threads=2)
    alone, together = [], []
    for _ in range(2 * run.repetitions):
        with on_cores(1):
            alone.append(rate(one, run.seconds))
        with on_cores(2):
            together.append(rate(two, run.seconds))
    ratio = max(together) / max(alone)
    return [
        Figure("random play, two threads", "decisions/s", max(together), runs=together),
        Figure(
            "random play, two threads to one",
            "times",
            ratio,
            1.8,
            note=f"{tables} tables a thread; needs two idle cores, on a busy machine it says little",
        ),
    ]


def measure_single(run: Run) -> list[Figure]:
    """One table, stepped from Python by a random player."""
    rng, seeds = random.Random(1), iter(range(10**9))

    def once() -> int:
        table, decisions = Table(seed=next(seeds)), 0
        while not table.over:
            answers = {player: rng.choice(table.legal_actions(player)) for player in table.asked}
            decisions += len(answers)
            table.step(answers)
        return decisions

    with on_cores(1):
        once()
        turns = run.in_turn(lambda: rate(once, run.seconds), {"riichienv": run.peer("riichienv", "play")})
    target = max(turns.peers.values(), default=None)
    note = "legal_actions, random.choice and step of one table: the same loop as the peer's"
    return [Figure("single table from Python", "decisions/s", turns.best, target, True, turns.peers, note, turns.runs)]


def measure_playouts(run: Run) -> list[Figure]:
    """Whole games inside the kernels, for information."""
    figures = []
    game, context = make_game(RULES), make_game(RULES).new_context()
    counted = {"decisions": 0, "games": 0}

    def games(policy: str, number: int, unit: str) -> Callable[[], int]:
        seeds = iter(range(1, 10**9))
        states = game.new_states(number)

        def once() -> int:
            seed = next(seeds)
            game.start(states, np.arange(number, dtype=np.uint64) + np.uint64(seed * number), context)
            playout(states, (policy,) * game.players, seed)
            counted["decisions"], counted["games"] = int(states["decisions"].sum()), number
            return counted[unit]

        return once

    with on_cores(1):
        for policy, number, unit in (("random", 64, "decisions"), ("greedy", 16, "games")):
            once = games(policy, number, unit)
            once()
            runs = [rate(once, run.seconds) for _ in range(run.repetitions)]
            figures.append(Figure(f"playout in kernels, {policy} South games", f"{unit}/s", max(runs), runs=runs))
    return figures


def measure_views(run: Run) -> list[Figure]:
    """Views of all open decisions of a batch."""
    batch = Batch(make_game(RULES), 1024, seed=1)
    with on_cores(1):
        batch.views()
        runs = [rate(lambda: len(batch.views()), run.seconds) for _ in range(run.repetitions)]
    return [Figure("views", "views/s", max(runs), runs=runs, note="records of what a player may know, 1024 a call")]


# --- hands


def measure_shanten(run: Run) -> list[Figure]:
    """Shanten of random hands of 14 tiles."""
    hands, tables = run.hands, load_tables()
    melds, out = np.zeros(len(hands), np.uint8), np.zeros(len(hands), np.int8)

    def once() -> int:
        shanten_batch(hands, melds, tables, out)
        return len(hands)

    once()
    expected = out.tolist()
    with on_cores(1):
        peers = {name: run.peer(name, "shanten", expected) for name in ("riichienv", "xiangting")}
        turns = run.in_turn(lambda: rate(once, run.seconds), peers)
    note = "random hands of 14 tiles, all three forms, counts in and shanten out"
    return [
        Figure("shanten in batch, one core", "hands/s", turns.best, 15 * MILLION, True, turns.peers, note, turns.runs)
    ]


def measure_scores(run: Run) -> list[Figure]:
    """Full scores of random wins."""
    wins, rules = run.wins.records, TENHOU.record()[0]
    out = np.zeros(len(wins), SCORE_DTYPE)

    def once() -> int:
        score_batch(wins, rules, out)
        return len(wins)

    once()
    with on_cores(1):
        peers = {name: run.peer(name, "scores", run.wins.paid) for name in ("riichienv", "mahjong")}
        turns = run.in_turn(lambda: rate(once, run.seconds), peers)
    note = "best reading, yaku, fu, points of random wins, open and closed"
    return [Figure("scores in batch, one core", "wins/s", turns.best, MILLION, True, turns.peers, note, turns.runs)]


# --- size and starting


def measure_state(run: Run) -> list[Figure]:
    """Bytes of one table."""
    return [Figure("state of a table", "bytes", make_game(RULES).state_dtype.itemsize, 2048, False)]


IMPORT = "import time; start = time.perf_counter(); import janshi; print(time.perf_counter() - start)"
PLAY_HAND = """
import time; start = time.perf_counter()
from janshi.rules.riichi.table import Table
table = Table(seed=1)
while not (table.hand_over or table.over):
    table.step({player: table.legal_actions(player)[-1] for player in table.asked})
print(time.perf_counter() - start)
"""
PLAY_ALL = """
import time; start = time.perf_counter()
from janshi.rules.batch import Batch
from janshi.rules.registry import make_game
from janshi.rules.riichi.table import Table
table = Table(seed=1)
while not table.over:
    table.step({player: table.legal_actions(player)[0] for player in table.asked})
table.view(0), str(table), table.result, table.final_points()
batch = Batch(make_game("riichi/tenhou"), 64, seed=1)
for _ in range(100):
    batch.views()
    batch.step(batch.random_actions())
print(time.perf_counter() - start)
"""

FIRST_START = """
import json, time; start = time.perf_counter()
from janshi.web.warmup import Warmth, import_all
import_all()
page = time.perf_counter()
warmth, seconds = Warmth(), {"the page": page - start}
warmth.start()
while len(seconds) < 4:
    ready = {"the rules": "riichi" in warmth.done}
    ready |= {name: ("riichi", name) not in warmth.pending for name in ("mdp", "apprentice")}
    for name in ready:
        if ready[name] and name not in seconds:
            seconds[name] = time.perf_counter() - page
    time.sleep(0.05)
warmth.stop()
print(json.dumps(seconds))
"""


def printed_by(code: str, cache: Path | None = None) -> str:
    """The output of a fresh Python."""
    environment = {**os.environ, "JANSHI_CACHE_DIR": str(cache)} if cache else None
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return done.stdout


def seconds_of(code: str, cache: Path | None = None) -> float:
    """The seconds that a fresh Python reports."""
    return float(printed_by(code, cache))


def measure_import(run: Run) -> list[Figure]:
    """`import janshi` in a fresh Python."""
    runs = [seconds_of(IMPORT) for _ in range(5)]
    return [Figure("import janshi", "s", min(runs), 0.5, False, runs=runs)]


def measure_start(run: Run) -> list[Figure]:
    """From a fresh Python to the end of a first hand, with kernels in the cache."""
    seconds_of(PLAY_HAND)
    runs = [seconds_of(PLAY_HAND) for _ in range(run.repetitions)]
    return [Figure("second start: import and play a hand", "s", min(runs), 2, False, runs=runs)]


def measure_compile(run: Run) -> list[Figure]:
    """From an empty cache to a whole game at a table and a batch, compiling everything on the way."""
    if run.quick:
        return []
    seconds = seconds_of(PLAY_ALL, run.folder / "cache")
    return [Figure("cold start: compile all a game needs", "s", seconds, 60, False)]


def measure_first_start(run: Run) -> list[Figure]:
    """From the page of the app, without any compiled kernel, to the first move of its strongest riichi players."""
    if run.quick:
        return []
    seconds = json.loads(printed_by(FIRST_START, run.folder / "first"))
    note = "the app starts without any compiled kernel, and two processes compile; needs two idle cores"
    return [
        Figure("first start of the app: from the start to the page", "s", seconds["the page"], None, False),
        Figure("first start of the app: from the page to the rules", "s", seconds["the rules"], None, False, note=note),
        Figure("first start of the app: from the page to a move of mdp", "s", seconds["mdp"], 30, False),
        Figure("first start of the app: from the page to a move of apprentice", "s", seconds["apprentice"], 30, False),
    ]


METRICS: dict[str, Callable[[Run], list[Figure]]] = {
    "play": measure_play,
    "threads": measure_threads,
    "shanten": measure_shanten,
    "scores": measure_scores,
    "single": measure_single,
    "state": measure_state,
    "compile": measure_compile,
    "first_start": measure_first_start,
    "import": measure_import,
    "start": measure_start,
    "playouts": measure_playouts,
    "views": measure_views,
}
"""Metrics by name, in the order of the table."""


def main() -> None:
    """Measure and report."""
    args = command_line(__doc__, METRICS).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = Run(0.4 if args.quick else 1.0, 2 if args.quick else 5, args.quick, Path(folder))
        figures = [figure for name in args.metrics or METRICS for figure in METRICS[name](run)]
    report(args, "engine", "Engine", "The engine", INTRO, figures, run.versions)


if __name__ == "__main__":
    main()
