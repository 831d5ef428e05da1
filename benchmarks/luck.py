"""How fast the luck of games is measured, and how much of the results it explains.

Without options: measure everything, print a table, write docs/benchmarks/luck.md. Held-out expert games are read from
../shared/records if they exist; docs/luck.md has the figures of all of them, with intervals. With CUDA the speed on a
GPU is measured, too; without it, the page shows the last measurement on one.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")  # one core, as stated

import argparse
import json
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from _command import command_line, report
from _report import Figure
from _timing import on_cores
from janshi.luck.fitting.self_play import self_play
from janshi.luck.games import PlayedGames
from janshi.luck.measure import score_games
from janshi.luck.sources import gather
from janshi.luck.types import DRAW, PLACES, ScoredGames
from janshi.luck.value import AGENTS, ValueFunction, shipped
from janshi.luck.walk import new_bench, new_room, walk_hands

ROOT = Path(__file__).resolve().parent.parent
PACK = ROOT.parent / "shared" / "records" / "houou-2022.tar.xz"
GPU_FILE = ROOT / "docs" / "benchmarks" / "luck_gpu.json"
PAPER = {"Ogami et al. 2022, draws only": 0.8617}
CPU_TARGET, GPU_TARGET = 2.0, 200.0
RECORDS_TARGET, AGENTS_TARGET = 0.6, 0.4
INTRO = (
    "[Luck](../luck.md) of riichi games. A South game has about 500 draws, each compared with all tiles that could "
    "have been drawn. Variance left is the variance of final ranks without luck divided by that of final ranks, over "
    "all four players."
)


def walking(games: PlayedGames, run: argparse.Namespace) -> Figure:
    """Training examples per second."""
    room, used, best = new_room(400, False), np.zeros(5, np.int64), 0.0
    for _ in range(run.repetitions + 1):
        begun = time.perf_counter()
        walk_hands(games.hands[:300], games.answers, False, room, used, new_bench(), *games.frame())
        best = max(best, used[0] / (time.perf_counter() - begun))
    return Figure("chance events found in played hands", "events/s", best)


def scoring(games: PlayedGames, value: ValueFunction, run: argparse.Namespace) -> Figure:
    """South games scored per second, on one core."""
    score_games(games.select(0, 2), value)
    runs = []
    for _ in range(run.repetitions):
        begun = time.perf_counter()
        score_games(games, value)
        runs.append(len(games) / (time.perf_counter() - begun))
    return Figure("luck of South games, one core", "games/s", max(runs), CPU_TARGET, runs=runs)


def has_gpu() -> bool:
    """Whether PyTorch can use a GPU."""
    if find_spec("torch") is None:
        return False
    import torch

    return torch.cuda.is_available()


def on_gpu(run: argparse.Namespace, device: str = "cuda") -> Figure:
    """The same with a GPU and all cores, measured now and kept for pages written without a GPU."""
    sys.path.insert(0, str(ROOT / "scripts"))
    from measure_luck_gpu import find, store

    *_, found = find(device, run.gpu_games, run.repetitions, run.ways)
    if not (run.quick or run.json):
        store(found, GPU_FILE)
    return gpu_figure(found)


def last_on_gpu() -> list[Figure]:
    """The last measurement on a GPU, for the page, with its date and machine."""
    return [gpu_figure(json.loads(GPU_FILE.read_text(encoding="utf-8")))] if GPU_FILE.exists() else []


def gpu_figure(found: dict[str, Any]) -> Figure:
    """The best way to divide the cores among those that `scripts/measure_luck_gpu.py` tried."""
    best = max(found["ways"], key=lambda way: max(way["games a second"]))
    runs = best["games a second"]
    note = (
        f"{best['games']} games, {best['processes']} processes of {best['threads']} threads; {found['machine']}, "
        f"{found['date']}, `python scripts/measure_luck_gpu.py`"
    )
    return Figure("luck of South games, GPU", "games/s", max(runs), GPU_TARGET, note=note, runs=runs)


def left(scored: ScoredGames, kinds: tuple[int, ...]) -> float:
    """Variance left when some kinds of luck are removed."""
    without = scored.ranks + scored.luck_of_games(kinds)[:, PLACES]
    return float(without.var(ddof=1) / scored.ranks.var(ddof=1))


def explained(run: argparse.Namespace) -> list[Figure]:
    """Variance left in games of agents and, if available, of experts."""
    everything = (0, 1, 2, 3, 4)
    own = score_games(self_play("riichi/tenhou_east", run.games, 4711), shipped(AGENTS))
    note = f"{len(own.ranks)} East games of careful, greedy and one_player"
    figures = [Figure("variance left, our agents", "ratio", left(own, everything), AGENTS_TARGET, False, note=note)]
    if PACK.exists():
        games = gather([PACK], limit=run.games)
        scored = score_games(games, shipped())
        note = f"{len(scored.ranks)} held-out games"
        whole, draws = left(scored, everything), left(scored, (DRAW,))
        figures += [
            Figure("variance left, experts, all luck", "ratio", whole, RECORDS_TARGET, False, PAPER, note),
            Figure("variance left, experts, draws only", "ratio", draws, PAPER.copy().popitem()[1], False, PAPER, note),
        ]
    return figures


def main() -> None:
    """Measure and report."""
    run = command_line(__doc__).parse_args()
    run.repetitions, run.games = (1, 40) if run.quick else (3, 300)
    run.gpu_games, run.ways = (200, (4,)) if run.quick else (600, (1, 4))
    south = self_play("riichi/tenhou", 8 if run.quick else 40, 99)
    with on_cores(1):
        figures = [walking(south, run), scoring(south, shipped(), run), *explained(run)]
    gpu = has_gpu()
    if gpu:
        figures.append(on_gpu(run))
    past = [] if gpu else last_on_gpu()
    report(run, "luck", "Luck", "Speed of luck, and what it explains", INTRO, figures, only_on_page=past)


if __name__ == "__main__":
    main()
