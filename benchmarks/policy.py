"""How fast positions are packed and expanded to planes, and how fast a learned policy answers without torch.

Without options: measure everything, print a table, write docs/benchmarks/policy.md. The network has 8 blocks of 128
channels, like the shipped ones, with random weights: speed does not depend on them. With `--device cuda` the shipped
policies are also measured on a GPU, on all tables at once.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")  # one core, as stated

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from _command import command_line, report
from _device import device_figures
from _report import Figure
from _timing import on_cores
from janshi.agents.base import Asked
from janshi.agents.learned.agent import LearnedAgent
from janshi.agents.registry import make_agent
from janshi.features.planes import Encoder, encoder
from janshi.models.store import save
from janshi.rules.batch import Batch
from janshi.rules.registry import find_family, make_game

GAMES = {"Guobiao": "guobiao/botzone", "simplified": "simplified/paper"}
TABLES = 1024
BLOCKS, CHANNELS, NECK, WIDTH = 8, 128, 32, 1024
INTRO = (
    "Planes of [paper 4](../features.md) and policies over them, on one core. Packing writes the compact records of "
    "asked players from states; expanding makes planes of them in NumPy (learning does that on the GPU). Decisions are "
    "those of `policy` with a network of 8 blocks of 128 channels, from the view to the action, asked one at a time."
)


@cache
def playing(rules: str) -> Batch:
    """Tables in the middle of random games."""
    batch = Batch(make_game(rules), TABLES, seed=1)
    for _ in range(40):
        batch.step(batch.random_actions())
    return batch


def best_rate(metric: str, unit: str, once: Callable[[], int], run: argparse.Namespace) -> Figure:
    """A figure from the best of several runs."""
    once()
    runs = [quickest(once, run.seconds) for _ in range(run.repetitions)]
    return Figure(metric, unit, max(runs), runs=runs)


def quickest(once: Callable[[], int], seconds: float) -> float:
    """Units per second of the fastest call within some seconds: the one that other programs disturbed least."""
    end, best = time.perf_counter() + seconds, 0.0
    while (begun := time.perf_counter()) < end:
        units = once()
        best = max(best, units / (time.perf_counter() - begun))
    return best


def measure_packing(name: str, rules: str, run: argparse.Namespace) -> list[Figure]:
    """Packing from states, nanoseconds per decision."""
    batch, made = playing(rules), encoder(find_family(rules).name)
    private = np.zeros((len(batch), made.private_bytes), np.uint8)
    hidden = np.zeros((len(batch), made.hidden_bytes), np.uint8)
    figures = []
    for what, records in (("private record", (private, None)), ("private and hidden records", (private, hidden))):

        def once(records: Any = records) -> int:
            made.pack_states(batch.states, batch.tables, batch.players, *records)
            return len(batch)

        found = best_rate("", "", once, run)
        runs = [1e9 / r for r in found.runs]
        size = sum(len(r[0]) for r in records if r is not None)
        metric = f"packing a {what}, {name}" if records[1] is None else f"packing {what}, {name}"
        figures.append(Figure(metric, "ns", min(runs), 500.0, False, note=f"{size} bytes", runs=runs))
    return figures


def measure_expanding(name: str, rules: str, run: argparse.Namespace) -> list[Figure]:
    """Planes in NumPy, 64 positions per call."""
    batch, made = playing(rules), encoder(find_family(rules).name)
    private = made.pack_views(batch.views()[:64])

    def once() -> int:
        return len(made.expand_numpy(private))

    figure = best_rate(f"expanding to planes in NumPy, {name}", "positions/s", once, run)
    figure.note = f"{made.private_channels} × {made.rows} × {made.columns}"
    return [figure]


def random_weights(made: Encoder) -> dict[str, Any]:
    """Arrays of an exported policy with random weights."""
    chance = np.random.default_rng(1)
    cells = made.rows * made.columns
    shapes = {
        "stem": (9, made.private_channels, CHANNELS),
        "stem_bias": (CHANNELS,),
        "blocks": (2 * BLOCKS, 9, CHANNELS, CHANNELS),
        "blocks_bias": (2 * BLOCKS, CHANNELS),
        "neck": (CHANNELS, NECK),
        "neck_bias": (NECK,),
        "first": (cells * NECK, WIDTH),
        "first_bias": (WIDTH,),
        "second": (WIDTH, WIDTH),
        "second_bias": (WIDTH,),
        "last": (WIDTH, made.num_actions),
        "last_bias": (made.num_actions,),
    }
    return {name: (0.02 * chance.standard_normal(shape)).astype(np.float16) for name, shape in shapes.items()}


def measure_decisions(name: str, rules: str, run: argparse.Namespace) -> list[Figure]:
    """Decisions of a policy, asked one at a time, and the size of its file."""
    game, made = make_game(rules), encoder(find_family(rules).name)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "policy.npz"
        save(file, random_weights(made), {"format": 1, "family": made.name, "planes": made.version})
        agent, size = LearnedAgent(game, str(file)), file.stat().st_size / 2**20
    views = playing(rules).views()
    views = views[agent.game.masks_of_views(views).sum(1) > 1]
    times = []
    for i in range(run.decisions + 1):
        view = views[i % len(views) : i % len(views) + 1]
        begun = time.process_time()
        agent.act(Asked(game, view, np.zeros(1, np.uint64), np.zeros(1, np.int64)))
        times.append(1e3 * (time.process_time() - begun))
    times = sorted(times[1:])
    middle, late = times[len(times) // 2], times[int(0.99 * (len(times) - 1))]
    note = f"processor time, the middle one of {run.decisions}; 99 in 100 take at most {late:.1f} ms"
    return [
        Figure(f"a policy's decision, {name}", "ms", middle, 20.0, False, note=note),
        Figure(f"its weights in float16, {name}", "MiB", size, 15.0, False),
    ]


def measure_device(name: str, rules: str, run: argparse.Namespace) -> list[Figure]:
    """The shipped policy on a device of PyTorch, and how often it chooses otherwise than NumPy."""
    plain, agent = (make_agent(label, make_game(rules)) for label in ("rvr", f"rvr:device={run.device}"))
    views = playing(rules).views()
    views = views[plain.game.masks_of_views(views).sum(1) > 1][:256]
    return device_figures(f"PyTorch on {run.device}, {name}", plain, agent, views, run.device_batch, run.repetitions)


def measure(run: argparse.Namespace) -> list[Figure]:
    """All figures."""
    figures = []
    with on_cores(1):
        for how in (measure_packing, measure_expanding, measure_decisions):
            for name, rules in GAMES.items():
                figures += how(name, rules, run)
    if run.device:
        for name, rules in GAMES.items():
            figures += measure_device(name, rules, run)
    return figures


def main() -> None:
    """Measure and report."""
    parser = command_line(__doc__)
    parser.add_argument("--device", help="also measure PyTorch on a device, such as cuda or cpu")
    run = parser.parse_args()
    run.seconds, run.repetitions, run.decisions = (0.2, 1, 20) if run.quick else (1.0, 5, 400)
    run.device_batch = 256 if run.quick or run.device == "cpu" else 16384
    report(run, "policy", "Planes and policies", "Speed of planes and policies", INTRO, measure(run))


if __name__ == "__main__":
    main()
