"""How long a review of a whole game takes on one core, after loading.

Without options: measure everything, print a table, write docs/benchmarks/review.md. Games are a sample of houou-2022 if
the shared test data is next to the checkout ($JANSHI_SHARED names another place).
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")  # one core, as stated

import argparse
import sys
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from _command import command_line, report
from _report import Figure
from _timing import on_cores
from janshi.web.review import work
from janshi.web.review.content import find_format, unpack
from janshi.web.review.games import PLAYERS, Recorded
from janshi.web.review.reviewers import check_label

ROOT = Path(__file__).resolve().parent.parent
PACK = Path(os.environ.get("JANSHI_SHARED", ROOT.parent / "shared")) / "records" / "houou-2022.tar.xz"
SEATS = tuple(range(PLAYERS))
TARGET_SECONDS = 3.0
INTRO = (
    "[Reviews](../review.md) of whole games by the recommended reviewer: all decisions of the four players, with the"
    " positions that the page shows. Games are spread evenly over houou-2022. Processor time of one core, after"
    " loading; reading the record and measuring luck are not included."
)


def sample(count: int) -> list[Recorded]:
    """Games of the pack, evenly spread."""
    with tarfile.open(PACK, "r:xz") as archive:
        names = [entry.name for entry in archive if entry.name.endswith(".mjlog")]
        chosen = [names[i] for i in np.linspace(0, len(names) - 1, count).astype(int)]
        contents = [(name, archive.extractfile(name)) for name in chosen]
        texts = [(name, unpack(content.read())) for name, content in contents if content is not None]
    return [work.read(text, find_format(text), Path(name).name) for name, text in texts]


def review_figures(run: argparse.Namespace) -> list[Figure]:
    """Seconds of a whole game's review."""
    if not PACK.exists():
        print(f"no {PACK.name}: the review of a game is not measured", file=sys.stderr)
        return []
    label, games = check_label("", "riichi"), sample(run.games)
    next(work.think(games[0], label, SEATS))  # loads and compiles
    seconds, decisions = [], 0
    for game in games:
        begun = time.process_time()
        decisions += sum(1 for _ in work.think(game, label, SEATS))
        seconds.append(time.process_time() - begun)
    mean, each = float(np.mean(seconds)), decisions // len(games)
    note = f"{label}; mean of {len(games)} games, {each} decisions each; the longest {max(seconds):.1f} s"
    return [Figure("review of a whole game", "s", mean, TARGET_SECONDS, False, note=note, runs=seconds)]


METRICS: dict[str, Callable[[argparse.Namespace], list[Figure]]] = {"review": review_figures}


def main() -> None:
    """Measure and report."""
    run = command_line(__doc__, METRICS).parse_args()
    run.games = 2 if run.quick else 12
    with on_cores(1):
        figures = [figure for name in run.metrics or METRICS for figure in METRICS[name](run)]
    report(run, "review", "Reviews", "Speed of reviews", INTRO, figures)


if __name__ == "__main__":
    main()
