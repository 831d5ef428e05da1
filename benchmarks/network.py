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
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from _command import command_line, report
from _device import device_figures
from _report import Figure
from _timing import on_cores
from janshi.agents.base import Asked
from janshi.agents.learned.apprentice import ApprenticeAgent
from janshi.agents.learned.choice import most_probable
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
    "The [apprentice](../apprentice.md) on one core, computed by NumPy, and by ONNX Runtime as a peer. Agreement is "
    "with players of Tenhou's highest table in 2022, whose games it did not learn from: decisions with more than one "
    "legal "
    "action, in games spread evenly over the pack; a discard counts the same whether drawn or from the hand. Times are "
    "processor time, from the view to the action. Engines take turns in the same run, each on one thread; answers "
    "are the same up to rounding."
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
    policy, drawn = agent.network.ask(packed.view(np.recarray)).policy, packed["drawn"].astype(np.int64)
    ours = most_probable(agent.softmax(policy, legal), drawn)
    theirs, tiles = (discarded(actions, drawn) for actions in (done, ours))
    is_discard = theirs >= 0
    same = np.where(is_discard, theirs == tiles, ours == done)
    note = f"{len(done):,} decisions of {run.games} games of 2022"
    discards = f"{int(is_discard.sum()):,} discards of the same games"
    return [
        Figure("agreement with all decisions", "%", 100 * float(same.mean()), 80.5, note=note),
        Figure("agreement with discards", "%", 100 * float(same[is_discard].mean()), 77.0, note=discards),
    ]


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


def speed_figures(agents: dict[str, ApprenticeAgent], run: argparse.Namespace) -> list[Figure]:
    """The time of a single decision, and decisions per second in batches; engines take turns, ours first."""
    views = positions()
    alone: dict[str, list[float]] = {name: [] for name in agents}
    together: dict[str, list[float]] = {name: [] for name in agents}
    for agent in agents.values():
        ask(agent, views[:2])
    for i in np.arange(run.decisions) % len(views):
        for name, agent in agents.items():
            alone[name].append(1000 * ask(agent, views[i : i + 1]))
    for i in range(min(run.batches, 8)):
        for name, agent in agents.items():
            together[name].append(TABLES / ask(agent, views[i * TABLES : (i + 1) * TABLES]))
    ours, *peers = agents
    late = float(np.quantile(alone[ours], 0.99))
    return [
        Figure(
            "a decision asked alone",
            "ms",
            float(np.median(alone[ours])),
            5.0,
            False,
            peers={name: float(np.median(alone[name])) for name in peers},
            note=f"the middle one of {run.decisions}; 99 in 100 take at most {late:.1f} ms",
        ),
        Figure(
            "decisions in batches",
            "decisions/s",
            max(together[ours]),
            500,
            peers={name: max(together[name]) for name in peers},
            note=f"{TABLES} at a time",
            runs=together[ours],
        ),
        Figure("the file of its weights", "MiB", agents[ours].file.stat().st_size / 2**20, 12.0, False),
    ]


def engines() -> dict[str, ApprenticeAgent]:
    """Our own path, and ONNX Runtime if it is installed."""
    found = {"NumPy": ApprenticeAgent(GAME)}
    if find_spec("onnxruntime") and find_spec("onnx"):
        found["ONNX Runtime"] = ApprenticeAgent(GAME, engine="onnx")
    return found


def measure(run: argparse.Namespace) -> list[Figure]:
    """All figures."""
    with on_cores(1):
        agents = engines()
        figures = [*agreement_figures(agents["NumPy"], run), *speed_figures(agents, run)]
    if run.device:
        plain, other = ApprenticeAgent(GAME), ApprenticeAgent(GAME, device=run.device)
        name = f"PyTorch on {run.device}"
        figures += device_figures(name, plain, other, positions(), run.device_batch, run.batches)
    return figures


def main() -> None:
    """Measure and report."""
    parser = command_line(__doc__)
    parser.add_argument("--device", help="also measure PyTorch on a device, such as cuda or cpu")
    run = parser.parse_args()
    run.games, run.decisions, run.batches = (4, 60, 2) if run.quick else (60, 600, 8)
    run.device_batch = 1024 if run.quick or run.device == "cpu" else 16384
    peers = {"ONNX Runtime": version("onnxruntime")} if find_spec("onnxruntime") else {}
    report(run, "network", "The apprentice", "The apprentice's agreement and speed", INTRO, measure(run), peers)


if __name__ == "__main__":
    main()
