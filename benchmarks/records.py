"""How fast recorded games are read, replayed, imported and rebuilt, compared with a peer where there is one.

Without options: measure everything, print a table, write docs/benchmarks/records.md. Uses real Tenhou games if the
shared test data is next to the checkout ($JANSHI_SHARED names another place), else games of built-in players.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from _command import command_line, report
from _peers import ask
from _report import Figure
from _timing import on_cores, rate
from janshi.records.dataset import Dataset
from janshi.records.formats import get_format, read_record
from janshi.records.importer import import_records
from janshi.records.model import GameRecord
from janshi.records.replay import replay_game
from janshi.records.sources import Sources

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("JANSHI_SHARED", ROOT.parent / "shared")) / "records" / "houou-2018.tar.xz"
ENDINGS = {"mjlog": ".mjlog", "tenhou6": ".json", "mjai": ".jsonl"}
INTRO = (
    "Reading, replaying, importing and rebuilding recorded games, each on one core; the best of several runs counts. "
    "Reading checks every tag, tile and score of a record; replaying compares everything in it with the engine; "
    "rebuilding gives every decision as a view, from a data set on disk to batches in memory."
)


@dataclass
class Run:
    """How thoroughly to measure, and the games to measure on."""

    seconds: float
    repetitions: int
    quick: bool
    folder: Path
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """How many games to work on."""
        return 60 if self.quick else 300

    @cached_property
    def real(self) -> bool:
        """Whether there are real games."""
        return SHARED.exists()

    @property
    def what(self) -> str:
        """A description of the games."""
        return "real Tenhou games of 2018" if self.real else "East games of built-in players"

    @cached_property
    def mjlogs(self) -> list[tuple[str, bytes]]:
        """Names and contents of games as mjlog."""
        if not self.real:
            return generated(self.games)
        files = iter(Sources([SHARED]))
        return [(file.name, file.content) for file, _ in zip(files, range(self.games))]

    @cached_property
    def records(self) -> list[GameRecord]:
        """The games, read."""
        return [read_record(content, name) for name, content in self.mjlogs]

    def texts(self, format: str) -> list[str]:
        """The games in a format."""
        return [get_format(format).write(record) for record in self.records]

    @cached_property
    def mjai_files(self) -> Path:
        """A JSON file that lists the games written as mjai, for peers."""
        paths = []
        for number, text in enumerate(self.texts("mjai")):
            paths.append(str(self.folder / f"{number}.jsonl"))
            Path(paths[-1]).write_text(text, encoding="utf-8")
        listed = self.folder / "files.json"
        listed.write_text(json.dumps({"files": paths}), encoding="utf-8")
        return listed

    @cached_property
    def dataset(self) -> Dataset:
        """The games as a data set."""
        import_records([self.archive(1)], self.folder / "set", workers=1)
        return Dataset(self.folder / "set")

    def archive(self, times: int) -> Path:
        """A tar of the games, repeated under other names."""
        path = self.folder / f"games-{times}.tar"
        with tarfile.open(path, "w") as archive:
            for copy in range(times):
                for number, (_, content) in enumerate(self.mjlogs):
                    source = self.folder / "one.mjlog"
                    source.write_bytes(content)
                    archive.add(source, f"2018010100gm-0001-{copy:04x}-{number:08x}.mjlog")
        return path

    def best(self, once: Callable[[], int]) -> list[float]:
        """Several runs on one core."""
        with on_cores(1):
            once()
            return [rate(once, self.seconds) for _ in range(self.repetitions)]

    def peer(self, work: str) -> dict[str, float]:
        """RiichiEnv on the same games."""
        with on_cores(1):
            found = ask("riichienv", work, self.seconds, self.mjai_files)
        if found is None:
            return {}
        self.versions["riichienv"] = found["version"]
        return {"riichienv": float(found["rate"])}


def generated(games: int) -> list[tuple[str, bytes]]:
    """Recorded games of built-in players."""
    sys.path.insert(0, str(ROOT / "tests" / "records"))
    from played import played_name, played_text

    return [(played_name(seed), played_text(seed)) for seed in range(games)]


# --- metrics


def measure_parse(run: Run) -> list[Figure]:
    """Reading games in each format."""
    figures = []
    for format in ENDINGS:
        texts = run.texts(format)

        def once(texts: list[str] = texts) -> int:
            for text in texts:
                read_record(text, "game")
            return len(texts)

        runs = run.best(once)
        peers = run.peer("read") if format == "mjai" else {}
        note = f"{run.what}, {sum(map(len, texts)) / len(texts) / 1000:,.1f} kB each"
        if format == "mjai":
            note += "; RiichiEnv (Rust) reads the events without checking them, from a file"
        elif format == "mjlog":
            note += "; no peer that reads this format could be installed"
        figures.append(Figure(f"read {format}", "games/s", max(runs), 300, True, peers, note, runs))
    return figures


def measure_replay(run: Run) -> list[Figure]:
    """Replaying games that were read, with all checks."""
    records = run.records
    hands = sum(len(record.hands) for record in records)

    def once() -> int:
        for record in records:
            found = [what for what in replay_game(record) if not what.explained]
            assert not found, found[0]
        return hands

    runs = run.best(once)
    return [Figure("replay with all checks", "hands/s", max(runs), 2000, runs=runs, note=run.what)]


def measure_rebuild(run: Run) -> list[Figure]:
    """Rebuilding decisions of a data set as views."""
    everything = {"skip_forced": False, "skip_unsure": False, "skip_disconnects": False, "seats": "all"}
    kinds = {
        "every decision, in order": everything,
        "as for training, shuffled": {"shuffle": 1},
        "every decision, oracle views": {**everything, "oracle": True},
    }
    figures = []
    for words, choice in kinds.items():

        def once(choice: dict[str, object] = choice) -> int:
            return sum(len(batch.actions) for batch in run.dataset.decisions(4096, **choice))  # type: ignore[arg-type]

        runs = run.best(once)
        peers = run.peer("rebuild") if choice is everything else {}
        note = "from Parquet to batches of 4,096; RiichiEnv steps through parsed hands, an object for each action"
        target = 300_000 if "oracle" not in words else None
        figures.append(
            Figure(f"rebuild {words}", "decisions/s", max(runs), target, True, peers, note if peers else "", runs)
        )
    return figures


IMPORT = """
import sys, time
from janshi.records.importer import import_records
start = time.perf_counter()
done = import_records([sys.argv[1]], sys.argv[2], workers=1, unit_games=64)
seconds = time.perf_counter() - start
try:
    status = open("/proc/self/status").read()
    peak = int(status.partition("VmHWM:")[2].split()[0])
except OSError:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(done.games, seconds, peak)
"""
"""Prints games, seconds and the peak of its memory in KiB. (`ru_maxrss` would include the parent's memory.)"""


def measure_import(run: Run) -> list[Figure]:
    """Import: speed, size, and memory for some games and for four times as many."""
    found = []
    for times in (1, 4):
        command = [sys.executable, "-c", IMPORT, str(run.archive(times)), str(run.folder / f"imported-{times}")]
        with on_cores(1):
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        games, seconds, peak = (float(word) for word in done.stdout.split())
        found.append((games, seconds, peak / 1024))
    (games, seconds, small), (more, longer, large) = found
    size = sum(path.stat().st_size for path in (run.folder / "imported-4").glob("*.parquet")) / more * 1000 / 1e6
    speed = (more - games) / (longer - seconds)
    return [
        Figure("import, one process", "games/s", speed, note="read, replayed with all checks, written"),
        Figure("size of a data set", "MB for 1,000 games", size, higher_is_better=False),
        Figure(f"import, peak memory for {games:,.0f} games", "MB", small, higher_is_better=False),
        Figure(f"import, peak memory for {more:,.0f} games", "MB", large, 1.1 * small, False),
    ]


METRICS: dict[str, Callable[[Run], list[Figure]]] = {
    "parse": measure_parse,
    "replay": measure_replay,
    "rebuild": measure_rebuild,
    "import": measure_import,
}


def main() -> None:
    """Measure and report."""
    args = command_line(__doc__, METRICS).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = Run(0.4 if args.quick else 1.0, 2 if args.quick else 5, args.quick, Path(folder))
        figures = [figure for name in args.metrics or METRICS for figure in METRICS[name](run)]
    report(args, "records", "Records", "Recorded games", INTRO, figures, run.versions)


if __name__ == "__main__":
    main()
