"""Convert every game of the record packs along all walks of formats, check each result, write docs/conversions.md.

    python scripts/conversions.py                every game of ../shared/records ($JANSHI_SHARED names another folder)
    python scripts/conversions.py --games 100    100 games of each pack, evenly spread
    python scripts/conversions.py -j 16 --page out/conversions.md

A walk is a list of conversions in a row, such as mjlog to tenhou.net/6 to mjai. Needs only NumPy and Numba. Finished
games are noted in build/conversions.jsonl; the same command continues after an interruption, and starts anew when the
source has changed. Exits with 1 if a conversion is wrong.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tarfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from _page import replace_page, table, table_of_figures, this_machine, today
from janshi.core.interrupt import CtrlC, some_done
from janshi.records.conversions import Walk, try_conversions, walks_from
from janshi.records.formats import FORMATS, read_record
from janshi.records.losses import LOSSES
from janshi.records.model import RecordError

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("JANSHI_SHARED", ROOT.parent / "shared"))
NOTES = ROOT / "build" / "conversions.jsonl"
PAGE = ROOT / "docs" / "conversions.md"
SOURCES = ("core", "records", "rules/riichi")
CHUNK = 16
IN_FLIGHT = 4
"""Chunks waiting for each process: memory stays flat."""
WALKS = walks_from("mjlog")
FAULT = "a fault of the record"

Chunk = list[tuple[str, bytes]]


@dataclass
class Tally:
    """Results of some games."""

    games: int = 0
    hands: int = 0
    seconds: float = 0.0
    """Processor time."""
    done: dict[str, int] = field(default_factory=dict)
    """Right conversions by walk."""
    refused: list[str] = field(default_factory=list)
    """Games that a format refuses because of the record's own fault."""
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add another tally to this one."""
        self.games += other.games
        self.hands += other.hands
        self.seconds += other.seconds
        self.done = dict(Counter(self.done) + Counter(other.done))
        self.refused += other.refused
        self.wrong += other.wrong


# --- one chunk of games


def convert_chunk(chunk: Chunk) -> Tally:
    """Convert some games along every walk."""
    tally, start = Tally(), time.process_time()
    for name, content in chunk:
        try:
            convert_game(name, content, tally)
        except RecordError as error:
            tally.wrong.append(f"`{name}`: cannot be read: {error}")
    tally.seconds = time.process_time() - start
    return tally


def convert_game(name: str, content: bytes, tally: Tally) -> None:
    """Convert one game along every walk, and note what went wrong."""
    record = read_record(content, name)
    tally.games += 1
    tally.hands += len(record.hands)
    for walk, problem in try_conversions(record, WALKS):
        if not problem:
            tally.done[words_of(walk)] = tally.done.get(words_of(walk), 0) + 1
        elif problem.startswith("refused") and FAULT in problem:
            tally.refused.append(f"`{name}` {words_of(walk)}: {problem}")
        else:
            tally.wrong.append(f"`{name}` {words_of(walk)}: {problem}")


def words_of(walk: Walk) -> str:
    """A walk as text."""
    return " → ".join(walk)


# --- all games, resumed


def fingerprint() -> str:
    """A hash of the source that conversions depend on."""
    hashed = hashlib.sha256()
    for folder in SOURCES:
        for path in sorted((ROOT / "src" / "janshi" / folder).rglob("*.py")):
            hashed.update(path.read_bytes())
    return hashed.hexdigest()


def noted(path: Path, mark: str) -> dict[str, Tally]:
    """Tallies of the chunks that are done, by key; none if the source has changed since."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    if not lines or json.loads(lines[0]) != {"source": mark}:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"source": mark}) + "\n", encoding="utf-8")
        return {}
    found = {}
    for line in lines[1:]:
        try:
            note = json.loads(line)
        except ValueError:
            continue  # cut short by an interruption
        found[note["key"]] = Tally(**note["tally"])
    return found


def read_pack(path: Path, games: int | None, known: int) -> Iterator[Chunk]:
    """The games of a pack, or `games` of its `known` ones, evenly spread, some at a time."""
    wanted = None if games is None or games >= known else {i * known // games for i in range(games)}
    chunk: Chunk = []
    with tarfile.open(path, "r:xz") as pack:
        for number, entry in enumerate(entry for entry in pack if entry.isfile()):
            content = pack.extractfile(entry) if wanted is None or number in wanted else None
            if content is not None:
                chunk.append((Path(entry.name).name, content.read()))
            if len(chunk) == CHUNK:
                yield chunk
                chunk = []
    if chunk:
        yield chunk


def count_games(folder: Path) -> Counter[str]:
    """Games of each pack by the folder's list."""
    lines = (folder / "games.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return Counter(line.split("\t", 1)[0] for line in lines)


def run_packs(packs: list[Path], arguments: argparse.Namespace) -> dict[str, Tally]:
    """Convert the games of all packs; a tally for each."""
    done = noted(arguments.notes, fingerprint())
    counts = count_games(arguments.records)
    tallies = {pack_name(path): Tally() for path in packs}
    with (
        CtrlC() as interrupt,
        ProcessPoolExecutor(arguments.jobs) as pool,
        arguments.notes.open("a", encoding="utf-8") as notes,
    ):
        pending: dict[Future[Tally], tuple[str, str]] = {}

        def collect() -> None:
            finished, _ = some_done(set(pending), interrupt)
            for future in finished:
                name, key = pending.pop(future)
                tally = future.result()
                tallies[name].add(tally)
                notes.write(json.dumps({"key": key, "tally": asdict(tally)}, ensure_ascii=False) + "\n")
                notes.flush()

        for path in packs:
            name = pack_name(path)
            print(f"{name}: {counts[name]:,} games", file=sys.stderr, flush=True)
            for chunk in read_pack(path, arguments.games, counts[name]):
                key = f"{name} {hashlib.sha256(' '.join(file for file, _ in chunk).encode()).hexdigest()}"
                if key in done:
                    tallies[name].add(done[key])
                    continue
                pending[pool.submit(convert_chunk, chunk)] = name, key
                while len(pending) >= IN_FLIGHT * arguments.jobs:
                    collect()
        while pending:
            collect()
    return tallies


def pack_name(path: Path) -> str:
    """A pack's name."""
    return path.name.removesuffix(".tar.xz")


# --- reporting


def packs_table(tallies: dict[str, Tally], counts: Counter[str], total: Tally) -> str:
    """The table of packs."""
    rows = []
    for name, t in [*tallies.items(), ("**all**", total)]:
        number = counts[name] if name in counts else sum(counts[pack] for pack in tallies)
        figures = (t.games, number, t.hands, sum(t.done.values()), len(t.refused), len(t.wrong))
        rows.append([name, *(f"{figure:,}" for figure in figures)])
    return table_of_figures(["pack", "games tried", "of", "hands", "right", "refused", "wrong"], rows)


def walks_table(total: Tally) -> str:
    """The table of walks."""
    rows = [[words_of(walk), f"{total.done.get(words_of(walk), 0):,}"] for walk in WALKS]
    return table_of_figures(["conversions in a row", "right"], rows)


def losses_table() -> str:
    """What each format loses."""
    rows = [[FORMATS[name].title, "; ".join(map(str, losses))] for name, losses in LOSSES.items()]
    return table(["format", "what it cannot hold"], rows)


def report(tallies: dict[str, Tally], counts: Counter[str], jobs: int) -> str:
    """The page."""
    total = Tally()
    for tally in tallies.values():
        total.add(tally)
    known = sum(counts[name] for name in tallies)
    extent = "Every game" if total.games == known else f"{total.games:,} games, evenly spread,"
    lines = [
        "# Conversions between formats",
        "",
        f"{extent} of the record packs, converted along every walk of one to three formats and back. Written by",
        "`make conformance` (`scripts/conversions.py`); do not edit.",
        "",
        f"- Date: {today()}",
        f"- Machine: {this_machine()}; {jobs} processes",
        f"- Took {total.seconds:,.0f} s of processor time.",
        "",
        packs_table(tallies, counts, total),
        "",
        "A conversion is right if its text is read again, all its hands replay through the engine with the same result",
        "as the original, the record is the same but for what the formats on the way cannot hold, and it is written",
        "again as the same text. Walls of games with seeds are made from the seeds, and every tile must be in its",
        "place, also after mjai, which has no tile ids.",
        "",
        walks_table(total),
        "",
        "## What a format cannot hold",
        "",
        "Nothing else is lost (`janshi.records.losses`).",
        "",
        losses_table(),
        "",
        "## Games that are refused",
        "",
        "Their records contradict themselves; the formats without tile ids have no place for that.",
        "",
        *([f"- {line}" for line in total.refused] or ["None."]),
        "",
        "## Wrong conversions",
        "",
        *([f"- {line}" for line in total.wrong[:200]] or ["None."]),
        "",
    ]
    return "\n".join(lines)


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--records", type=Path, default=SHARED / "records", help="folder of the packs")
    parser.add_argument("--pack", action="append", help="only this pack (may be given several times); printed only")
    parser.add_argument("--games", type=int, help="games of each pack, evenly spread; by default all")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page to write")
    parser.add_argument("--notes", type=Path, default=NOTES, help="the file of finished games")
    return parser.parse_args()


def main() -> int:
    """Run and report; 1 if something is wrong."""
    arguments = parse_arguments()
    packs = sorted(arguments.records.glob("*.tar.xz"))
    packs = [path for path in packs if not arguments.pack or pack_name(path) in arguments.pack]
    if not packs:
        print(f"no packs (*.tar.xz) in {arguments.records.name}/", file=sys.stderr)
        return 1
    convert_chunk(next(read_pack(packs[0], None, 1))[:1])  # compile before the processes start
    tallies = run_packs(packs, arguments)
    text = report(tallies, count_games(arguments.records), arguments.jobs)
    if arguments.pack:
        print(text)
    else:
        replace_page(arguments.page, text)
        print(f"wrote {arguments.page.name}")
    wrong = [line for tally in tallies.values() for line in tally.wrong]
    for line in wrong[:20]:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
