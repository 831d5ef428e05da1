"""How often the apprentice agrees with experts in games it never saw, and how fast it decides on one core.

Without options: measure everything, print a table, write docs/benchmarks/network.md. Agreement is measured on a sample
of houou-2022 if the shared test data is next to the checkout ($JANSHI_SHARED names another place).
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")  # one core, as stated

import argparse
import sys
import tarfile
import tempfile
import time
from pathlib import Path

import numpy as np

from _command import command_line, report
from _report import Figure
from _timing import on_cores
from janshi.agents.base import Asked
from janshi.agents.learned.apprentice import ApprenticeAgent
from janshi.agents.registry import make_agent
from janshi.core.tiles import NUM_TILES
from janshi.learn.imitation.examples import Selection, examples
from janshi.records.compact import gather
from janshi.records.dataset import Dataset
from janshi.records.importer import import_records
from janshi.rules.batch import Batch
from janshi.rules.game import Array
from janshi.rules.masks import LEGAL_BITS
from janshi.rules.registry import make_game
from janshi.rules.riichi.actions import TSUMOGIRI

GAME = make_game("riichi/tenhou")
ROOT = Path(__file__).resolve().parent.parent
PACK = Path(os.environ.get("JANSHI_SHARED", ROOT.parent / "shared")) / "records" / "houou-2022.tar.xz"
TABLES = 64
INTRO = (
    "The [apprentice](../apprentice.md) on one core, with its weights in NumPy. Agreement is with players of Tenhou's"
    " highest table in 2022, whose games it did not learn from: decisions with more than one legal action, in games "
    "spread evenly over the pack; a discard counts the same whether drawn or from the hand. Times are processor time,"
    " from the view to the action."
)


# --- agreement


def sample(count: int, folder: Path) -> None:
    """Write games of the pack into a folder, evenly spread."""
    with tarfile.open(PACK, "r:xz") as archive:
        entries = [(entry, archive.extractfile(entry)) for entry in archive if entry.name.endswith(".mjlog")]
        for i in np.linspace(0, len(entries) - 1, count).astype(int).tolist():
            entry, content = entries[i]
            assert content is not None
            (folder / Path(entry.name).name).write_bytes(content.read())


def decisions(count: int) -> tuple[Array, Array]:
    """Packed positions of the sample, and the actions played."""
    with tempfile.TemporaryDirectory() as place:
        games, data = Path(place) / "games", Path(place) / "data"
        games.mkdir()
        sample(count, games)
        import_records([games], data, workers=1)
        chunks = list(examples(gather(Dataset(data)), Selection("test", "all")))
    return np.concatenate([packed for packed, _ in chunks]), np.concatenate([said["action"] for _, said in chunks])


def discarded(actions: Array, drawn: Array) -> Array:
    """The tile each action discards, -1 if it is not a discard."""
    return np.where(actions == TSUMOGIRI, drawn, np.where(actions < NUM_TILES, actions, -1))


def agreement_figures(agent: ApprenticeAgent, run: argparse.Namespace) -> list[Figure]:
    """The shares of decisions and of discards that agree with the experts."""
    if not PACK.exists():
        print(f"no {PACK.name}: agreement is not measured", file=sys.stderr)
        return []
    packed, done = decisions(run.games)
    done = done.astype(np.int64)
    legal = ((packed["legal"][:, :, None] >> np.arange(LEGAL_BITS)) & 1).reshape(len(packed), -1) == 1
    policy = agent.network.ask(packed.view(np.recarray)).policy
    ours = np.where(legal, policy, -np.inf).argmax(1)
    theirs, tiles = (discarded(actions, packed["drawn"].astype(np.int64)) for actions in (done, ours))
    is_discard = theirs >= 0
    note = f"{len(done):,} decisions of {run.games} games of 2022"
    discards = f"{int(is_discard.sum()):,} discards of the same games"
    return [
        Figure("agreement with all decisions", "%", 100 * float((ours == done).mean()), 80.5, note=note),
        Figure("agreement with discards", "%", _percent(theirs, tiles, is_discard), 77.0, note=discards),
    ]


def _percent(theirs: Array, ours: Array, chosen: Array) -> float:
    return 100 * float((theirs == ours)[chosen].mean())


# --- speed


def positions() -> Array:
    """Free decisions in the middle of games among greedy players."""
    batch, player, found = Batch(GAME, TABLES, seed=1), make_agent("greedy", GAME), []
    for step in range(120):
        views = batch.views()
        if step % 12 == 6:
            found.append(views[GAME.masks_of_views(views).sum(1) > 1])
        batch.step(player.act(Asked(GAME, views, np.zeros(len(views), np.uint64), batch.tables)))
    return np.concatenate(found)


def ask(agent: ApprenticeAgent, views: Array) -> float:
    """Seconds of processor time for a batch of decisions."""
    asked = Asked(GAME, views, np.zeros(len(views), np.uint64), np.arange(len(views)))
    begun = time.process_time()
    agent.act(asked)
    return time.process_time() - begun


def speed_figures(agent: ApprenticeAgent, run: argparse.Namespace) -> list[Figure]:
    """The time of a single decision, and decisions per second in batches."""
    views = positions()
    ask(agent, views[:2])
    alone = sorted(1000 * ask(agent, views[i : i + 1]) for i in np.arange(run.decisions) % len(views))
    middle, late = alone[len(alone) // 2], alone[int(0.99 * (len(alone) - 1))]
    together = [TABLES / ask(agent, views[i * TABLES : (i + 1) * TABLES]) for i in range(min(run.batches, 8))]
    size = agent.file.stat().st_size / 2**20
    return [
        Figure(
            "a decision asked alone",
            "ms",
            middle,
            5.0,
            False,
            note=f"the middle one of {run.decisions}; 99 in 100 take at most {late:.1f} ms",
        ),
        Figure("decisions in batches", "decisions/s", max(together), 500, note=f"{TABLES} at a time", runs=together),
        Figure("the file of its weights", "MiB", size, 12.0, False),
    ]


def measure(run: argparse.Namespace) -> list[Figure]:
    """All figures."""
    with on_cores(1):
        agent = ApprenticeAgent(GAME)
        return [*agreement_figures(agent, run), *speed_figures(agent, run)]


def main() -> None:
    """Measure and report."""
    run = command_line(__doc__).parse_args()
    run.games, run.decisions, run.batches = (4, 60, 2) if run.quick else (60, 600, 8)
    report(run, "network", "The apprentice", "The apprentice's agreement and speed", INTRO, measure(run))


if __name__ == "__main__":
    main()
