"""Measure the speed of luck measurement with a GPU and all cores: one row of docs/benchmarks/luck.md.

Needs only NumPy, Numba and PyTorch. Kernels are compiled and the device is warm before the clock starts. Writes
docs/benchmarks/luck_gpu.json, which `benchmarks/luck.py` shows if there is no GPU; with a GPU, it runs this
measurement.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")  # threads are ours

import argparse
import datetime
import json
import multiprocessing as mp
import platform
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch

from janshi.luck.fitting.self_play import self_play
from janshi.luck.games import PlayedGames
from janshi.luck.measure import score_games
from janshi.luck.torch_values import DeviceValue
from janshi.luck.value import shipped

PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks" / "luck_gpu.json"
RULES, SEED = "riichi/tenhou", 99
WARM = 60


def find(device: str, number: int, repetitions: int, ways: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Measure some games for each way to divide the cores among processes, and print the results."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    games = self_play(RULES, number, SEED)
    score_games(games.select(0, 2), shipped())
    found: dict[str, Any] = {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "machine": f"{gpu_name(device)}, {cores} cores, Python {platform.python_version()}",
        "torch": torch.__version__,
        "value": shipped().name,
        "ways": [],
    }
    for processes in ways:
        threads = max(1, cores // processes)
        runs = measure(games, device, processes, threads, repetitions)
        found["ways"].append({"processes": processes, "threads": threads, "games": len(games), "games a second": runs})
        yield found


def store(found: dict[str, Any], path: Path = PAGE) -> None:
    """Write the results."""
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def measure(games: PlayedGames, device: str, processes: int, threads: int, repetitions: int) -> list[float]:
    """Games scored per second by several processes with several threads each, run by run."""
    context = mp.get_context("spawn")
    barrier, done = context.Barrier(processes + 1), context.Queue()
    bounds = [len(games) * i // processes for i in range(processes + 1)]
    workers = [
        context.Process(target=score_share, args=(share, device, threads, repetitions, barrier, done))
        for share in (games.select(*pair) for pair in pairwise(bounds))
    ]
    for worker in workers:
        worker.start()
    runs = []
    for _ in range(repetitions):
        barrier.wait(timeout=180)
        begun = time.perf_counter()
        barrier.wait(timeout=180)
        runs.append(len(games) / (time.perf_counter() - begun))
    checks = [done.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join()
    assert sum(checks) == len(games)
    return runs


def score_share(games: PlayedGames, device: str, threads: int, repetitions: int, barrier: Any, done: Any) -> None:
    """Score a share of the games each time all processes are ready."""
    torch.set_num_threads(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    value = DeviceValue(shipped(), device)
    for _ in range(2):
        score_games(games.select(0, min(WARM, len(games))), value, threads=threads)
    scored = 0
    for _ in range(repetitions):
        barrier.wait()
        scored = len(score_games(games, value, threads=threads).ranks)
        barrier.wait()
    done.put(scored)


def main() -> None:
    """Measure several ways to divide the cores and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=PAGE, help="where to write")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--processes", type=int, nargs="*", default=[1, 4], help="ways to divide the cores")
    args = parser.parse_args()
    for found in find(args.device, args.games, args.repetitions, args.processes):
        way = found["ways"][-1]
        runs = ", ".join(f"{run:.1f}" for run in way["games a second"])
        print(f"{way['processes']} processes of {way['threads']} threads: {runs} games/s", flush=True)
        store(found, args.out)


def gpu_name(device: str) -> str:
    """The name of the device."""
    return torch.cuda.get_device_name() if device.startswith("cuda") else platform.machine()


if __name__ == "__main__":
    main()
