"""Importing: games from files and archives are read, replayed through the engine, and stored as a data set.

Games are imported in units of a few hundred, each of which becomes one shard. A shard is written under a temporary name
and then renamed, and a line of the journal records that its unit is done. So the same command continues an interrupted
import where it stopped, and produces the same files as an uninterrupted one. A game that cannot be read, or that the
engine disagrees with, is left out entirely and listed in `errors.jsonl`. Duplicates of a game are left out too.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final

import numpy as np
from filelock import FileLock, Timeout

from janshi.core.files import TEMPORARY, write_whole
from janshi.core.interrupt import CtrlC, some_done
from janshi.core.machine import available_cores
from janshi.records.dataset import KNOWN_BYTES, SHARDS, SUMMARY, VERSION, DatasetError, arrow, schema, shard_metadata
from janshi.records.follow import AGREED
from janshi.records.formats import read_record
from janshi.records.model import TENHOU_ID, GameRecord, Kind, RecordError
from janshi.records.old_rules import date_of
from janshi.records.replay import Followed, compare_followed, follow_game
from janshi.records.sources import SourceFile, Sources
from janshi.records.splits import held_out_seats, split_of
from janshi.rules.riichi.final import ranks
from janshi.rules.riichi.result import RESULT_NAMES, seats
from janshi.rules.riichi.ruleset import STICK
from janshi.rules.riichi.state import NONE, PLAYERS, RON_WIN

UNIT_GAMES: Final = 256
JOURNAL: Final = "import.jsonl"
ERRORS: Final = "errors.jsonl"
LOCK: Final = ".lock"
COMPRESSION: Final = "zstd"
DUPLICATE: Final = "is a second copy of a game"


@dataclass
class Problem:
    """A game that was left out."""

    file: str
    place: str
    what: str


@dataclass
class Unit:
    """Some games that become one shard."""

    number: int
    files: list[SourceFile] = field(default_factory=list)
    duplicates: list[str] = field(default_factory=list)

    @property
    def shard(self) -> str:
        """The name of its shard."""
        return SHARDS.replace("*", f"{self.number:05}")

    def digest(self) -> str:
        """A hash of everything it is made from."""
        hashed = hashlib.sha256(f"version {VERSION}, duplicates {self.duplicates}".encode())
        for file in self.files:
            hashed.update(f"\n{file.name} {len(file.content)} {file.problem}\n".encode())
            hashed.update(file.content)
        return hashed.hexdigest()


@dataclass
class Done:
    """The result of a unit: a line of the journal."""

    unit: int
    digest: str
    games: int = 0
    hands: int = 0
    decisions: int = 0
    duplicates: int = 0
    problems: list[Problem] = field(default_factory=list)


@dataclass
class Progress:
    """How far an import is."""

    games: int = 0
    hands: int = 0
    decisions: int = 0
    errors: int = 0
    duplicates: int = 0
    units: int = 0
    resumed: int = 0
    """Units that were already done."""
    done_bytes: int = 0
    total_bytes: int = 0

    def add(self, done: Done) -> None:
        """Count a unit."""
        self.units += 1
        self.games += done.games
        self.hands += done.hands
        self.decisions += done.decisions
        self.duplicates += done.duplicates
        self.errors += len(done.problems) - done.duplicates


Report = Callable[[Progress], None]


def import_records(
    paths: Iterable[str | Path],
    out: str | Path,
    workers: int | None = None,
    unit_games: int = UNIT_GAMES,
    report: Report = lambda progress: None,
) -> Progress:
    """Import all games under some paths into a data set; `report` is called after every unit.

    Raises `ValueError` if a path does not exist, none holds a game or `out` holds an import of other paths,
    `ImportError` without pyarrow.
    """
    arrow()
    sources = Sources(paths)
    if not sources.total_bytes:
        raise ValueError("no recorded game was found")
    folder = Path(out)
    if folder.is_file():
        raise DatasetError(f"{folder} is a file, expected a folder for the data set")
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        return _import(sources, folder, workers or available_cores(), unit_games, report)


def _import(sources: Sources, folder: Path, workers: int, unit_games: int, report: Report) -> Progress:
    done = _open(folder, sources, unit_games)
    progress = Progress(total_bytes=sources.total_bytes)
    with (folder / JOURNAL).open("a", encoding="utf-8") as journal:
        for finished in _work(_units(sources, unit_games), folder, done, workers):
            if done.get(finished.unit) == finished:
                progress.resumed += 1
            else:
                journal.write(json.dumps(asdict(finished), ensure_ascii=False) + "\n")
                journal.flush()
            done[finished.unit] = finished
            progress.add(finished)
            progress.done_bytes = sources.done_bytes
            report(progress)
    _close(folder, sources, unit_games, [done[number] for number in range(progress.units)], progress)
    return progress


# --- the folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Refuse a folder that another import is writing to. The system drops the lock however a process ends."""
    try:
        held = FileLock(folder / LOCK).acquire(blocking=False)
    except Timeout:
        raise DatasetError(f"another import is writing to {folder}") from None
    with held:
        yield


def _open(folder: Path, sources: Sources, unit_games: int) -> dict[int, Done]:
    """Start or resume an import: refuse the folder of another one, remove leftovers, return the units done."""
    journal = folder / JOURNAL
    head = {"sources": [path.name for path in sources.paths], "unit_games": unit_games, "version": VERSION}
    if not journal.exists():
        if any(path.name != LOCK for path in folder.iterdir()):
            raise DatasetError(f"{folder} holds other files: name an empty or new folder")
        _write_text(journal, json.dumps(head, ensure_ascii=False) + "\n")
        return {}
    for left in folder.glob(f"*{TEMPORARY}"):
        left.unlink()
    lines = journal.read_text(encoding="utf-8").split("\n")
    if _parsed(lines[0]) != head:
        raise DatasetError(
            f"{folder} holds an import of other paths, in other units or of another version: run its command again "
            "to continue it, or name another folder"
        )
    entries = [_entry(line) for line in lines[1:-1]]  # the last is empty or truncated
    if lines[-1]:
        _write_text(journal, "\n".join([*lines[:-1], ""]))
    return {entry.unit: entry for entry in entries if entry is not None and _is_whole(folder, entry)}


def _parsed(line: str) -> Any:
    """A line of the journal; None if it is damaged."""
    try:
        return json.loads(line)
    except ValueError:
        return None


def _entry(line: str) -> Done | None:
    """The unit of a line of the journal; None if it is damaged, so that the unit is imported again."""
    entry = _parsed(line)
    try:
        return Done(**{**entry, "problems": [Problem(**problem) for problem in entry["problems"]]})
    except TypeError:
        return None


def _is_whole(folder: Path, entry: Done) -> bool:
    """Whether a unit's shard exists, can be read and has the size the journal says."""
    try:
        return bool(shard_metadata(folder / Unit(entry.unit).shard).num_rows == entry.hands)
    except DatasetError:
        return False


def _write_text(path: Path, text: str) -> None:
    write_whole(path, text.encode())


def _close(folder: Path, sources: Sources, unit_games: int, done: list[Done], progress: Progress) -> None:
    """Write the list of games left out and the summary, and sort the journal."""
    for left in set(folder.glob(SHARDS)) - {folder / Unit(entry.unit).shard for entry in done}:
        left.unlink()
    problems = [json.dumps(asdict(problem), ensure_ascii=False) + "\n" for entry in done for problem in entry.problems]
    _write_text(folder / ERRORS, "".join(problems))
    first = (folder / JOURNAL).read_text(encoding="utf-8").partition("\n")[0]
    lines = [first, *(json.dumps(asdict(entry), ensure_ascii=False) for entry in done), ""]
    _write_text(folder / JOURNAL, "\n".join(lines))
    counted = {name: getattr(progress, name) for name in ("games", "hands", "decisions", "errors", "duplicates")}
    summary = {"version": VERSION, "sources": [path.name for path in sources.paths], **counted}
    _write_text(folder / SUMMARY, json.dumps(summary, indent=2, ensure_ascii=False) + "\n")


# --- units and workers


def _units(sources: Sources, unit_games: int) -> Iterator[Unit]:
    """Games in units, without duplicates."""
    seen: set[int] = set()  # hashes: a few bytes per game
    unit = Unit(0)
    for file in sources:
        key = _copy_key(file)
        if key in seen:
            unit.duplicates.append(file.name)
            continue
        seen.add(key)
        unit.files.append(file)
        if len(unit.files) == unit_games:
            yield unit
            unit = Unit(unit.number + 1)
    if unit.files or unit.duplicates:
        yield unit


def _copy_key(file: SourceFile) -> int:
    """What two copies of a game share: Tenhou's id, otherwise the content."""
    found = TENHOU_ID.search(file.name)
    text = found[0].encode() if found else file.content or file.name.encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big")


def _work(units: Iterator[Unit], folder: Path, done: dict[int, Done], workers: int) -> Iterator[Done]:
    """Import all units that are not done; yield the others at once. One worker means this process."""
    if workers == 1:
        for unit in units:
            yield _found(unit, done) or import_unit(unit, folder)
        return
    with CtrlC() as interrupt, ProcessPoolExecutor(workers, get_context("spawn"), _start_worker) as pool:
        waiting: set[Future[Done]] = set()
        try:
            for unit in units:
                interrupt.obey()
                if (found := _found(unit, done)) is not None:
                    yield found
                    continue
                waiting.add(pool.submit(import_unit, unit, folder))
                if len(waiting) > 2 * workers:
                    ready, waiting = some_done(waiting, interrupt)
                    yield from (future.result() for future in ready)
            while waiting:
                ready, waiting = some_done(waiting, interrupt)
                yield from (future.result() for future in ready)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    interrupt.obey()  # Ctrl-C may have come with the last unit


def _found(unit: Unit, done: dict[int, Done]) -> Done | None:
    found = done.get(unit.number)
    return found if found is not None and found.digest == unit.digest() else None


def _start_worker() -> None:
    """Leave Ctrl-C to the parent, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    """End this process when its parent is gone."""
    parent.join()
    os._exit(1)


def import_unit(unit: Unit, folder: Path) -> Done:
    """Import one unit: its shard is complete when this returns."""
    pa = arrow()
    done = Done(unit.number, unit.digest(), duplicates=len(unit.duplicates))
    rows: list[dict[str, Any]] = []
    for file in unit.files:
        try:
            game = import_game(file)
        except RecordError as error:
            done.problems.append(Problem(file.name, error.place, error.problem))
        except Exception as error:
            done.problems.append(Problem(file.name, "", f"{type(error).__name__}: {error}"))
        else:
            rows += game
            done.games += 1
    done.problems += [Problem(name, "", DUPLICATE) for name in unit.duplicates]
    done.hands, done.decisions = len(rows), sum(row["decisions"] for row in rows)
    temporary = folder / f"{unit.shard}.{os.getpid()}{TEMPORARY}"
    table = pa.Table.from_pylist(rows, schema())
    pa.parquet.write_table(
        table, temporary, compression=COMPRESSION, use_dictionary=_worded(), write_statistics=_worded()
    )
    temporary.replace(folder / unit.shard)
    return done


def _worded() -> list[str]:
    """Columns with repeated values; walls and answers have none."""
    return [name for name in schema().names if name not in ("wall", "known", "answers")]


# --- one game


def import_game(file: SourceFile) -> list[dict[str, Any]]:
    """The rows of a game; raises `RecordError` if it cannot be read or the engine disagrees with it."""
    if file.problem:
        raise RecordError(file.name, "", file.problem)
    record = read_record(file.content, file.name)
    if not record.hands:
        raise RecordError(file.name, "", "has no hand")
    followed = follow_game(record)
    _refuse_disagreements(record, followed)
    game = _game_columns(record, file, followed)
    return [{**game, **_hand_columns(record, i, followed)} for i in range(len(record.hands))]


def _refuse_disagreements(record: GameRecord, followed: Followed) -> None:
    """Refuse a game with an unexplained difference, or a hand that cannot be followed to its end."""
    whole = bool((followed.outcomes["code"] == AGREED).all())
    for found in compare_followed(record, followed):
        if not found.explained or not whole:
            raise RecordError(record.source, found.place, found.problem)


def _game_columns(record: GameRecord, file: SourceFile, followed: Followed) -> dict[str, Any]:
    rules, played = record.rules, date_of(record)
    final = _final_scores(record, followed)
    return {
        "game": file.game,
        "source": file.source,
        "date": played,
        "format": record.format,
        "names": list(record.names),
        "dans": list(record.dans) or None,
        "rates": list(record.rates) or None,
        "preset": rules.preset,
        "rounds": rules.rounds,
        "red_fives": rules.red_fives,
        "open_tanyao": rules.open_tanyao,
        "fast": rules.fast,
        "level": rules.level,
        "hands": len(record.hands),
        "final_scores": final,
        "ranks": None if final is None else [int(rank) + 1 for rank in ranks(final)],
        "disconnect": any(event.kind == Kind.LEAVE for hand in record.hands for event in hand.events),
        "split": split_of(file.game, played),
        "held_out": held_out_seats(record.names),
    }


def _final_scores(record: GameRecord, followed: Followed) -> list[int] | None:
    if record.final_scores is not None:
        return list(record.final_scores)
    last = followed.outcomes[-1]
    return last["scores"].tolist() if last["over"] else None


def _hand_columns(record: GameRecord, i: int, followed: Followed) -> dict[str, Any]:
    hand, situation, outcome = record.hands[i], followed.hands[i], followed.outcomes[i]
    answers = followed.answers(i)
    known = np.ones(len(situation["wall"]), np.bool_) if situation["seeded"] else situation["seen"] != NONE
    assert len(np.packbits(known)) == KNOWN_BYTES
    return {
        "hand": i,
        "kyoku": hand.round,
        "honba": hand.honba,
        "sticks": hand.sticks,
        "scores": list(hand.scores),
        "wall": situation["wall"].tobytes(),
        "known": np.packbits(known).tobytes(),
        "seeded": bool(situation["seeded"]),
        "answers": answers.tobytes(),
        "decisions": len(answers),
        **_end_columns(outcome),
    }


def _end_columns(o: Any) -> dict[str, Any]:
    """How a hand ended. Score changes here include the riichi sticks paid."""
    winners = seats(int(o["winners"]))
    return {
        "result": RESULT_NAMES[int(o["result"])],
        "winners": list(winners),
        "loser": int(o["actor"]) if o["result"] == RON_WIN else None,
        "points": [int(o["points"][player]) for player in winners],
        "changes": (o["changes"] - STICK * o["paid_by"].astype(np.int32)).tolist(),
        "tenpai": list(seats(int(o["tenpai"]))),
        "riichi": [player for player in range(PLAYERS) if o["riichi"][player]],
        "called": [player for player in range(PLAYERS) if o["open_melds"][player]],
    }
