"""Replay every game of the record packs and write the results to docs/conformance.md.

    python scripts/conformance.py                   all packs of ../shared/records ($JANSHI_SHARED names another folder)
    python scripts/conformance.py --limit 50        the first 50 games of each pack, printed only
    python scripts/conformance.py --menus 2000      also compare legal actions with RiichiEnv in 2000 games

Packs are tar.xz files of records in any known format. Exits with 1 if a disagreement remains unexplained,
a file cannot be read or a menu differs.
"""

from __future__ import annotations

import argparse
import os
import sys
import tarfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from _page import replace_page, table_of_figures, this_machine, today
from janshi.core.interrupt import CtrlC, some_done
from janshi.records.formats import read_record
from janshi.records.invariants import Disagreement
from janshi.records.model import RecordError
from janshi.records.replay import compare_followed, follow_game, rules_of

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("JANSHI_SHARED", ROOT.parent / "shared"))
REPORT = ROOT / "docs" / "conformance.md"
CHUNK = 32
IN_FLIGHT = 4
"""Chunks waiting for each process, so that memory stays flat."""
MENUS_BEGIN, MENUS_END = "<!-- menus -->", "<!-- end of menus -->"


@dataclass
class Tally:
    """Results of some games."""

    games: int = 0
    hands: int = 0
    decisions: int = 0
    seeded: int = 0
    """Number of hands whose wall comes from a seed."""
    parse_s: float = 0.0
    replay_s: float = 0.0
    broken: list[str] = field(default_factory=list)
    disagreements: list[Disagreement] = field(default_factory=list)
    offered: Counter[str] = field(default_factory=Counter)
    menu_differences: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add another tally to this one."""
        for name in ("games", "hands", "decisions", "seeded", "parse_s", "replay_s"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.broken += other.broken
        self.disagreements += other.disagreements
        self.offered.update(other.offered)
        self.menu_differences += other.menu_differences

    @property
    def unexplained(self) -> list[Disagreement]:
        """Disagreements that nothing explains."""
        return [d for d in self.disagreements if not d.explained]


Chunk = list[tuple[str, bytes]]


def replay_chunk(chunk: Chunk) -> Tally:
    """Read and replay some games."""
    tally = Tally()
    for name, content in chunk:
        start = time.process_time()
        try:
            record = read_record(content, name)
        except RecordError as error:
            tally.broken.append(str(error))
            continue
        parsed = time.process_time()
        followed = follow_game(record, rules_of(record))
        tally.disagreements += compare_followed(record, followed)
        tally.replay_s += time.process_time() - parsed
        tally.parse_s += parsed - start
        tally.games += 1
        tally.hands += len(record.hands)
        tally.decisions += int(followed.outcomes["answers"].sum())
        tally.seeded += int(followed.hands["seeded"].sum())
    return tally


def menus_chunk(chunk: Chunk) -> Tally:
    """Compare the legal actions of some games with RiichiEnv's."""
    sys.path.insert(0, str(ROOT / "tests" / "crosscheck"))
    from riichienv_menus import compare_game

    tally = Tally()
    for name, content in chunk:
        record = read_record(content, name)
        if record.rules.red_fives:
            tally.games += 1
            tally.hands += len(record.hands)
            tally.menu_differences += [str(found) for found in compare_game(record, tally.offered)]
    return tally


# --- running


def read_pack(path: Path, limit: int | None) -> Iterator[Chunk]:
    """Yield the files of a pack, some at a time."""
    chunk: Chunk = []
    count = 0
    with tarfile.open(path, "r:xz") as pack:
        for entry in pack:
            if limit is not None and count >= limit:
                break
            if not entry.isfile():
                continue
            content = pack.extractfile(entry)
            if content is not None:
                chunk.append((Path(entry.name).name, content.read()))
                count += 1
            if len(chunk) == CHUNK:
                yield chunk
                chunk = []
    if chunk:
        yield chunk


def run_chunks(
    work: Callable[[Chunk], Tally],
    chunks: Iterable[Chunk],
    pool: ProcessPoolExecutor,
    jobs: int,
    done: Callable[[int], Any],
    interrupt: CtrlC,
) -> Tally:
    """Process all chunks in parallel, with few of them in memory at a time."""
    total = Tally()
    pending: set[Future[Tally]] = set()
    for chunk in chunks:
        pending.add(pool.submit(work, chunk))
        while len(pending) >= IN_FLIGHT * jobs:
            pending = collect(pending, total, done, interrupt)
    while pending:
        pending = collect(pending, total, done, interrupt)
    return total


def collect(
    pending: set[Future[Tally]], total: Tally, done: Callable[[int], Any], interrupt: CtrlC
) -> set[Future[Tally]]:
    """Add up the finished tallies; return the pending ones."""
    finished, rest = some_done(pending, interrupt)
    for future in finished:
        tally = future.result()
        total.add(tally)
        done(tally.games)
    return rest


def count_games(folder: Path) -> Counter[str]:
    """Number of games in each pack according to the folder's list, for the progress bar."""
    listing = folder / "games.tsv"
    lines = listing.read_text(encoding="utf-8").splitlines()[1:] if listing.exists() else []
    return Counter(line.split("\t", 1)[0] for line in lines)


def run_packs(packs: list[Path], arguments: argparse.Namespace) -> tuple[dict[str, Tally], float]:
    """Replay all packs; returns a tally of each, and the time taken."""
    tallies: dict[str, Tally] = {}
    counts = count_games(arguments.records)
    start = time.perf_counter()
    columns = (TextColumn("{task.description:<24}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with CtrlC() as interrupt, ProcessPoolExecutor(arguments.jobs) as pool, Progress(*columns) as progress:
        for path in packs:
            name = path.name.removesuffix(".tar.xz")
            games = min(counts[name], arguments.limit or counts[name])
            task = progress.add_task(name, total=games or None)
            chunks = read_pack(path, arguments.limit)
            tallies[name] = run_chunks(
                replay_chunk, chunks, pool, arguments.jobs, lambda n, task=task: progress.advance(task, n), interrupt
            )
    return tallies, time.perf_counter() - start


def run_menus(packs: list[Path], arguments: argparse.Namespace) -> Tally:
    """Compare menus in the requested number of games, the same number from each pack if it has enough."""
    each = -(-arguments.menus // len(packs))
    total = Tally()
    with CtrlC() as interrupt, ProcessPoolExecutor(arguments.jobs) as pool, Progress() as progress:
        task = progress.add_task("comparing with RiichiEnv", total=arguments.menus)
        for path in packs:
            chunks = read_pack(path, each)
            total.add(
                run_chunks(menus_chunk, chunks, pool, arguments.jobs, lambda n: progress.advance(task, n), interrupt)
            )
    return total


# --- reporting


def packs_table(tallies: dict[str, Tally]) -> str:
    """The table of packs."""
    total = Tally()
    for tally in tallies.values():
        total.add(tally)
    head = ["pack", "games", "hands", "walls from seeds", "decisions", "disagreements", "explained", "unexplained"]
    rows = []
    for name, t in [*tallies.items(), ("**all**", total)]:
        counts = (t.games, t.hands, t.seeded, t.decisions, len(t.disagreements))
        counts += (len(t.disagreements) - len(t.unexplained), len(t.unexplained), len(t.broken))
        rows.append([name, *(f"{number:,}" for number in counts)])
    return table_of_figures([*head, "broken files"], rows)


def explained(tallies: dict[str, Tally]) -> list[str]:
    """Every disagreement with its explanation, the unexplained first."""
    found = [d for tally in tallies.values() for d in tally.disagreements]
    lines = []
    for why in sorted({d.explained for d in found}):
        some = sorted((d for d in found if d.explained == why), key=lambda d: (d.source, d.hand))
        lines += ["", f"### {why[:1].upper() + why[1:] if why else 'Unexplained'} ({len(some)})", ""]
        for d in some:
            lines.append(f"- `{d.source}` {d.place}: {d.invariant}")
            lines.append(f"  — ours: {d.ours}; the record's: {d.recorded}")
    return lines or ["", "None."]


def menus_section(t: Tally, seconds: float) -> list[str]:
    """Results of the comparison with RiichiEnv."""
    decisions = t.offered.pop("decision", 0)
    offered = [(family, f"{count:,}") for family, count in t.offered.most_common()]
    return [
        f"{decisions:,} decisions of {t.games:,} games ({t.hands:,} hands) in {seconds:,.0f} s:"
        f" the menus differ at {len(t.menu_differences):,}.",
        "",
        table_of_figures(["decisions that offered", "number"], offered),
        *(["", "Differences:", ""] if t.menu_differences else []),
        *(f"- {difference}" for difference in t.menu_differences),
    ]


def kept_menus() -> list[str]:
    """The section on menus of the existing report."""
    text = REPORT.read_text(encoding="utf-8") if REPORT.exists() else ""
    if MENUS_BEGIN not in text:
        return ["Not yet run: `python scripts/conformance.py --menus 2000`."]
    return text.split(MENUS_BEGIN, 1)[1].split(MENUS_END, 1)[0].strip().splitlines()


def report(tallies: dict[str, Tally], seconds: float, jobs: int, menus: list[str]) -> str:
    """The page."""
    hands = sum(t.hands for t in tallies.values())
    games = sum(t.games for t in tallies.values())
    parse_s, replay_s = sum(t.parse_s for t in tallies.values()), sum(t.replay_s for t in tallies.values())
    lines = [
        "# Conformance with real games",
        "",
        "Every game of the record packs, replayed through the engine hand by hand. Written by `make conformance`",
        "(`scripts/conformance.py`); do not edit.",
        "",
        f"- Date: {today()}",
        f"- Machine: {this_machine()}; {jobs} processes",
        f"- Took {seconds:,.0f} s. In a second of processor time, one process read {games / max(parse_s, 1e-9):,.0f}"
        f" games and replayed, with all checks, {hands / max(replay_s, 1e-9):,.0f} hands.",
        "",
        packs_table(tallies),
        "",
        "`janshi.records.invariants` lists what is compared: every action is legal and its player was asked; every",
        "draw, indicator and riichi stick comes at the right moment; and everything the record says about each result,",
        "the next hand and the end of the game is equal. If a record has seeds, the walls are made from them and must",
        "hold every tile that the record shows: deals, draws, dora and ura indicators.",
        "",
        "## Disagreements",
        "",
        "Each with the reason why the record differs: rules that have changed since (listed with dates in",
        "`janshi.records.old_rules`) or a fault of the record itself.",
        *explained(tallies),
        "",
        "## Legal actions compared with RiichiEnv",
        "",
        "At every decision, the players asked and the legal actions of each are compared with those of RiichiEnv",
        "0.4.11, whose live engine is dealt the same wall and given the same answers (`--menus`).",
        "",
        MENUS_BEGIN,
        *menus,
        MENUS_END,
        "",
    ]
    return "\n".join(lines)


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--records", type=Path, default=SHARED / "records", help="folder of the packs")
    parser.add_argument("--pack", action="append", help="only this pack (may be given several times); printed only")
    parser.add_argument("--limit", type=int, help="only the first games of each pack; printed only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument(
        "--menus", type=int, default=0, help="games in which legal actions are compared with RiichiEnv's"
    )
    return parser.parse_args()


def main() -> int:
    """Run and report; 1 if something is wrong."""
    arguments = parse_arguments()
    packs = sorted(arguments.records.glob("*.tar.xz"))
    packs = [path for path in packs if not arguments.pack or path.name.removesuffix(".tar.xz") in arguments.pack]
    if not packs:
        print(f"no packs (*.tar.xz) in {arguments.records.name}/", file=sys.stderr)
        return 1
    replay_chunk(next(read_pack(packs[0], 1)))  # compile before the processes start
    tallies, seconds = run_packs(packs, arguments)
    menus, menu_differences = kept_menus(), []
    if arguments.menus:
        start = time.perf_counter()
        compared = run_menus(packs, arguments)
        menus, menu_differences = menus_section(compared, time.perf_counter() - start), compared.menu_differences
    text = report(tallies, seconds, arguments.jobs, menus)
    if arguments.limit or arguments.pack:
        print(text)
    else:
        replace_page(REPORT, text)
        print(f"wrote docs/{REPORT.name}")
    unexplained = [d for tally in tallies.values() for d in tally.unexplained]
    for disagreement in unexplained[:20]:
        print(disagreement, file=sys.stderr)
    broken = any(tally.broken for tally in tallies.values())
    return 1 if unexplained or broken or menu_differences else 0


if __name__ == "__main__":
    sys.exit(main())
