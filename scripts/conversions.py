"""Convert every game of the record packs along all walks of formats, check each result, write docs/conversions.md.

    python scripts/conversions.py                every game of ../shared/records ($JANSHI_SHARED names another folder)
    python scripts/conversions.py --games 100    100 games of each pack, evenly spread
    python scripts/conversions.py --report       the page of the games that are done so far
    python scripts/conversions.py -j 16 --page out/conversions.md

A walk is a sequence of conversions, such as mjlog to tenhou.net/6 to mjai. Needs only NumPy and Numba. It starts with
a few games of every pack, then takes more, up to all. Finished games are recorded in build/conversions.jsonl; the same
command continues after an interruption, and starts over if the source has changed. Exits with 1 if a conversion is
wrong.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import sys
import tarfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from _other_records import Others, convert_others, section
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
FIRST_GAMES = 40
"""Games of each pack in the first round; each later round doubles the number."""
IN_FLIGHT = 4
"""Chunks waiting for each process: memory stays flat."""
WALKS = walks_from("mjlog")
OTHERS = ("fixtures", "fixtures/Euophrys-Riichi-Trainer/majsoul_replay.txt", "guobiao/sample_games.txt")
"""Other records, beside the folder of the packs."""
MAJIANG = ROOT / "tests" / "records" / "majiang_games"
FAULT = "a fault of the record"

Chunk = list[tuple[str, bytes]]
"""Names and contents of games."""
Work = tuple[str, Chunk]
"""Games of a pack, by its name."""


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
    """Games that a format refuses because the record itself is faulty."""
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
    """Convert one game along every walk, and record failures."""
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


@dataclass
class Done:
    """Finished work: the names of a pack's games, and their tally."""

    games: set[str] = field(default_factory=set)
    tally: Tally = field(default_factory=Tally)

    def add(self, games: Iterable[str], tally: Tally) -> None:
        """Add some games."""
        self.games.update(games)
        self.tally.add(tally)


def is_current(path: Path, mark: str) -> bool:
    """Whether the notes come from the current source."""
    with path.open(encoding="utf-8") if path.exists() else io.StringIO() as notes:
        return notes.readline() == first_line(mark)


def first_line(mark: str) -> str:
    """The first line of the notes."""
    return json.dumps({"source": mark}) + "\n"


def noted(path: Path, packs: Iterable[str]) -> dict[str, Done]:
    """The finished games of each pack."""
    found = {pack: Done() for pack in packs}
    text = path.read_text(encoding="utf-8") if path.exists() else "\n"
    for line in text.splitlines()[1:]:
        try:
            note = json.loads(line)
        except ValueError:
            continue  # cut short by an interruption
        if note["pack"] in found:
            found[note["pack"]].add(note["games"], Tally(**note["tally"]))
    if not text.endswith("\n"):
        path.write_text(text + "\n", encoding="utf-8")
    return found


def read_pack(path: Path, wanted: range | set[int], done: set[str]) -> Iterator[Chunk]:
    """Yield the unfinished games of a pack with the given numbers, some at a time."""
    chunk: Chunk = []
    with tarfile.open(path, "r:xz") as pack:
        for number, entry in enumerate(entry for entry in pack if entry.isfile()):
            name = Path(entry.name).name
            content = pack.extractfile(entry) if number in wanted and name not in done else None
            if content is not None:
                chunk.append((name, content.read()))
            if len(chunk) == CHUNK:
                yield chunk
                chunk = []
    if chunk:
        yield chunk


def evenly_spread(games: int, known: int) -> set[int]:
    """Numbers of a sample of the known games; a sample of twice the size contains it."""
    return {i * known // games for i in range(games)} if games < known else set(range(known))


def rounds(games: int) -> Iterator[int]:
    """Games of each pack tried by the end of each round: a few, then twice as many, up to `games`."""
    count = FIRST_GAMES
    while count < games:
        yield count
        count *= 2
    yield games


def count_games(folder: Path) -> Counter[str]:
    """Number of games in each pack according to the folder's list."""
    lines = (folder / "games.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return Counter(line.split("\t", 1)[0] for line in lines)


def wanted_chunks(packs: list[Path], games: int | None, done: dict[str, Done], counts: Counter[str]) -> Iterator[Work]:
    """Yield the chunks of games that remain, round by round."""
    for count in rounds(games or max(counts.values())):
        for path in packs:
            name = pack_name(path)
            wanted = evenly_spread(count, counts[name])
            if len(done[name].games) < len(wanted):
                yield from ((name, chunk) for chunk in read_pack(path, wanted, done[name].games))
        print(f"{count:,} games of each pack are done or begun", file=sys.stderr, flush=True)


def run_packs(packs: list[Path], arguments: argparse.Namespace, done: dict[str, Done]) -> None:
    """Convert the remaining games of all packs."""
    pending: dict[Future[Tally], Work] = {}
    with (
        CtrlC() as interrupt,
        ProcessPoolExecutor(arguments.jobs) as pool,
        arguments.notes.open("a", encoding="utf-8") as notes,
    ):

        def collect() -> None:
            finished, _ = some_done(set(pending), interrupt)
            for future in finished:
                pack, chunk = pending.pop(future)
                names, tally = [name for name, _ in chunk], future.result()
                done[pack].tally.add(tally)
                note = {"pack": pack, "games": names, "tally": asdict(tally)}
                notes.write(json.dumps(note, ensure_ascii=False) + "\n")
                notes.flush()

        for pack, chunk in wanted_chunks(packs, arguments.games, done, count_games(arguments.records)):
            done[pack].games.update(name for name, _ in chunk)
            pending[pool.submit(convert_chunk, chunk)] = pack, chunk
            while len(pending) >= IN_FLIGHT * arguments.jobs:
                collect()
        while pending:
            collect()


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


def report(tallies: dict[str, Tally], counts: Counter[str], others: Others, current: bool) -> str:
    """The page; `current` says whether the games were converted by the present source."""
    total = Tally()
    for tally in tallies.values():
        total.add(tally)
    known = sum(counts[name] for name in tallies)
    extent = f"Every game ({known:,})" if total.games == known else f"{total.games:,} of the {known:,} games"
    lines = [
        "# Conversions between formats",
        "",
        f"{extent} of the record packs, converted along every walk of one to three formats and back. Written by",
        "`make conformance` (`scripts/conversions.py`); do not edit.",
        "",
        f"- Date: {today()}",
        f"- Machine: {this_machine()}",
        f"- Took {total.seconds:,.0f} s of processor time.",
        *([] if current else ["- The source has changed since these games were converted (not the other records)."]),
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
        *section(others),
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
    parser.add_argument("--report", action="store_true", help="convert nothing, only write the page")
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
    current = is_current(arguments.notes, fingerprint())
    if not current and not arguments.report:
        arguments.notes.parent.mkdir(parents=True, exist_ok=True)
        arguments.notes.write_text(first_line(fingerprint()), encoding="utf-8")
    done = noted(arguments.notes, map(pack_name, packs))
    if not arguments.report:
        convert_chunk(next(read_pack(packs[0], range(1), set())))  # compile before the processes start
        run_packs(packs, arguments, done)
    tallies = {name: of_pack.tally for name, of_pack in done.items()}
    others = convert_others([arguments.records.parent / place for place in OTHERS] + [MAJIANG])
    text = report(tallies, count_games(arguments.records), others, current or not arguments.report)
    if arguments.pack:
        print(text)
    else:
        replace_page(arguments.page, text)
        print(f"wrote {arguments.page.name}")
    wrong = [line for found in (*tallies.values(), *others.formats.values()) for line in found.wrong]
    for line in wrong[:20]:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
