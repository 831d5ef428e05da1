"""How long a review of a whole game takes on one core, after loading; how fast a career is imported and shown.

Without options: measure everything, print a table, write docs/benchmarks/review.md. Games are a sample of houou-2022 if
the shared test data is next to the checkout ($JANSHI_SHARED names another place); the career is one player's games,
copied up to 10,000 for the page.
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")  # one core, as stated

import argparse
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from _career import multiply, real_games, written
from _command import command_line, report
from _report import Figure
from _timing import on_cores
from janshi.career.importer import import_paths
from janshi.career.store import CareerStore
from janshi.web.review import work
from janshi.web.review.content import find_format, unpack
from janshi.web.review.games import PLAYERS, Recorded
from janshi.web.review.reviewers import check_label

ROOT = Path(__file__).resolve().parent.parent
PACK = Path(os.environ.get("JANSHI_SHARED", ROOT.parent / "shared")) / "records" / "houou-2022.tar.xz"
SEATS = tuple(range(PLAYERS))
TARGET_SECONDS = 3.0
TARGET_IMPORT, TARGET_PAGE = 20, 1000
CAREER_GAMES = 10_000
PAGE_RUNS = 5
INTRO = (
    "[Reviews](../review.md) of whole games by the recommended reviewer: all decisions of the four players, with the"
    " positions that the page shows. Games are spread evenly over houou-2022. Processor time of one core, after"
    " loading; reading the record and measuring luck are not included. The [career](../career.md) is imported without"
    " luck and reviews, which follow in the background; its page is asked for over the app's own routes."
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


def import_figures(run: argparse.Namespace) -> list[Figure]:
    """Games of a career imported a second."""
    files, _ = real_games(10 * run.games + 20)
    with tempfile.TemporaryDirectory() as place:
        folder = written(files, Path(place) / "records")
        rates = []
        for number in range(3):
            store = CareerStore(Path(place) / f"career-{number}")
            begun = time.process_time()
            done = import_paths(store, [folder])
            rates.append(done.games / (time.process_time() - begun))
            store.close()
    note = f"{done.games} games from single files: read, replayed, counted and stored; processor time of one core"
    return [Figure("import into a career", "games/s", max(rates), TARGET_IMPORT, note=note, runs=rates)]


def page_figures(run: argparse.Namespace) -> list[Figure]:
    """Milliseconds of a career's page with 10,000 games."""
    from fastapi.testclient import TestClient

    from janshi.web.app import make_app
    from janshi.web.settings import Settings

    files, me = real_games(2 * run.games + 6)
    with tempfile.TemporaryDirectory() as place:
        store = CareerStore(Path(place) / "career")
        import_paths(store, [written(files, Path(place) / "records")])
        store.set_names([me])
        multiply(store, CAREER_GAMES)
        count = store.count()
        store.close()
        app = make_app(Settings(Path(place), warm=False))
        with TestClient(app, base_url="http://127.0.0.1") as client:
            page = page_times(client, "/api/career")
            games = page_times(client, "/api/career/games?sort=luck&count=50")
    note = f"{count:,} games with luck (copies of {len(files)}); everything the page shows, by processor time"
    return [
        Figure("page of a career of 10,000 games", "ms", min(page), TARGET_PAGE, False, note=note, runs=page),
        Figure("its list of games, sorted by luck", "ms", min(games), TARGET_PAGE, False, runs=games),
    ]


def page_times(client: Any, address: str) -> list[float]:
    """Milliseconds of several requests, after a first one."""
    found = []
    for number in range(PAGE_RUNS + 1):
        begun = time.process_time()
        answer = client.get(address)
        assert answer.status_code == 200, answer.text
        if number:
            found.append(1000 * (time.process_time() - begun))
    return found


METRICS: dict[str, Callable[[argparse.Namespace], list[Figure]]] = {
    "review": review_figures,
    "import": import_figures,
    "page": page_figures,
}


def main() -> None:
    """Measure and report."""
    run = command_line(__doc__, METRICS).parse_args()
    run.games = 2 if run.quick else 12
    with on_cores(1):
        figures = [figure for name in run.metrics or METRICS for figure in METRICS[name](run)]
    report(run, "review", "Reviews", "Speed of reviews and careers", INTRO, figures)


if __name__ == "__main__":
    main()
