"""A match on disk: a directory with its plan and one row per finished game, in Parquet.

    match.json             the plan, the agents' versions, what is kept
    games/part-000001.parquet ...

Parts are written under a temporary name, flushed and renamed, so that if a match is killed at any moment, every part
is complete and every game in it finished; run again, the match plays the missing games. Any Parquet tool reads them:
`duckdb -c "select * from 'match/games/*.parquet'"`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
from filelock import FileLock, Timeout

from janshi import __version__
from janshi.arena.plan import Plan
from janshi.arena.results import COUNTERS, Results, empty_results, join_results
from janshi.core.files import TEMPORARY, write_whole
from janshi.records.dataset import arrow
from janshi.rules.game import Array

HEADER: Final = "match.json"
GAMES: Final = "games"
PARTS: Final = "part-*.parquet"
LOCK: Final = ".lock"
FORMAT: Final = 1
MANY_PARTS: Final = 64
"""Number of parts at which they are joined into one when the match is opened or closed."""
BY_SEAT: Final = {
    "seats": np.int16,
    "scores": np.int32,
    "points": np.float64,
    "ranks": np.float32,
    "decisions": np.int32,
    "seconds": np.float32,
}


class StoreError(ValueError):
    """A match on disk cannot be used; says why."""


@dataclass
class Header:
    """The content of `match.json`."""

    plan: Plan
    versions: dict[str, str] = field(default_factory=dict)
    """Version of each contestant."""
    options: dict[str, Any] = field(default_factory=dict)
    created: str = ""
    janshi: str = __version__
    stopped_at: int | None = None
    """Wall sets that count, if a stopping rule ended the match early."""
    format: int = FORMAT

    def to_json(self) -> dict[str, Any]:
        """The header as JSON data."""
        return {**self.__dict__, "plan": self.plan.to_json()}


class MatchStore:
    """The games of one match on disk."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.header = read_header(self.path)

    @classmethod
    def create(
        cls, path: Path | str, plan: Plan, versions: dict[str, str], options: dict[str, Any] | None = None
    ) -> MatchStore:
        """Make the directory of a new match, or open that of the same match to continue it.

        A match may be given more walls than before; any other difference raises `StoreError`.
        """
        path = Path(path)
        if (path / HEADER).exists():
            store = cls(path)
            store._require_same(plan, versions)
            if plan.walls > store.plan.walls:
                store.header.plan = plan
                store.header.stopped_at = None
                write_header(path, store.header)
            return store
        if path.exists() and any(path.iterdir()):
            raise StoreError(f"{path}: is not empty and holds no match ({HEADER} is missing)")
        (path / GAMES).mkdir(parents=True, exist_ok=True)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        write_header(path, Header(plan, versions, options or {}, created))
        return cls(path)

    @property
    def plan(self) -> Plan:
        """The plan of the match."""
        return self.header.plan

    def _require_same(self, plan: Plan, versions: dict[str, str]) -> None:
        if plan.digest != self.plan.digest:
            ours, theirs = self.plan.to_json(), plan.to_json()
            changed = ", ".join(
                f"{key} {ours[key]!r} there, {theirs[key]!r} now"
                for key in ours
                if key != "walls" and ours[key] != theirs[key]
            )
            raise StoreError(f"{self.path}: holds another match ({changed}); choose another directory")
        stale = {who: v for who, v in self.header.versions.items() if versions.get(who, v) != v}
        if stale:
            changes = ", ".join(f"{who} was version {v}, is {versions[who]}" for who, v in stale.items())
            raise StoreError(f"{self.path}: was started with other versions of its players ({changes})")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the match for writing: a second writer is refused."""
        try:
            held = FileLock(self.path / LOCK).acquire(blocking=False)
        except Timeout:
            raise StoreError(f"{self.path}: is being played by another process") from None
        with held:
            for left in (self.path / GAMES).glob(f"*{TEMPORARY}"):
                left.unlink()
            yield
            if len(self.parts()) > MANY_PARTS:
                self.compact()

    def parts(self) -> list[Path]:
        """The files of finished games."""
        return sorted((self.path / GAMES).glob(PARTS))

    def append(self, results: Results) -> None:
        """Add finished games."""
        if len(results):
            parts = self.parts()
            number = int(parts[-1].stem.partition("-")[2]) + 1 if parts else 1
            write_part(self.path / GAMES / PARTS.replace("*", f"{number:06}"), results)

    def compact(self) -> None:
        """Join all parts into one. If killed halfway, some games are stored twice; reading keeps each once."""
        old = self.parts()
        if len(old) > 1:
            self.append(self.read(counted=False))
            for part in old:
                part.unlink()

    def done(self) -> Array:
        """Numbers of the finished games, in order."""
        pq = arrow().parquet
        numbers = [pq.read_table(part, columns=["game"])["game"].to_numpy() for part in self.parts()]
        return np.unique(np.concatenate(numbers)) if numbers else np.zeros(0, np.int64)

    def read(self, counted: bool = True) -> Results:
        """All finished games in order, each once; with `counted`, only those that count if the match was stopped."""
        players = len(self.plan.lineups[0])
        results = join_results((read_part(part) for part in self.parts()), players)
        _, first = np.unique(results.game, return_index=True)
        results = results.select(first)
        if counted and self.header.stopped_at is not None:
            results = results.select(results.wall < self.header.stopped_at)
        return results

    def set_stopped(self, walls: int | None) -> None:
        """Note that only the first wall sets count."""
        self.header.stopped_at = walls
        write_header(self.path, self.header)


def read_header(path: Path) -> Header:
    """Read `match.json`."""
    file = path / HEADER
    if not file.exists():
        raise StoreError(f"{path}: there is no match here ({HEADER} is missing)")
    try:
        data = json.loads(file.read_text())
        if data["format"] != FORMAT:
            raise StoreError(f"{file}: has format {data['format']}, this program reads {FORMAT}")
        return Header(**{**data, "plan": Plan.from_json(data["plan"])})
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise StoreError(f"{file}: cannot be read as a match: {error!r}") from None


def write_header(path: Path, header: Header) -> None:
    """Write `match.json` atomically."""
    write_whole(path / HEADER, (json.dumps(header.to_json(), indent=2, ensure_ascii=False) + "\n").encode())


def write_part(file: Path, results: Results) -> None:
    """Write games as one Parquet file, atomically."""
    pa = arrow()
    columns = {name: pa.array(getattr(results, name)) for name in ("game", "wall", "lineup", "seed")}
    for name in BY_SEAT:
        columns[name] = _seat_lists(pa, getattr(results, name))
    for i, name in enumerate(COUNTERS):
        columns[name] = _seat_lists(pa, np.ascontiguousarray(results.counters[:, :, i]))
    columns["faults"] = pa.array(
        [json.dumps(rows, ensure_ascii=False) if rows else None for rows in results.faults], pa.string()
    )
    columns["actions"] = pa.array(results.actions, pa.binary())
    sink = pa.BufferOutputStream()
    pa.parquet.write_table(pa.table(columns), sink, compression="zstd")
    write_whole(file, sink.getvalue().to_pybytes())


def _seat_lists(pa: Any, values: Array) -> Any:
    offsets = pa.array(np.arange(len(values) + 1) * values.shape[1], pa.int32())
    return pa.ListArray.from_arrays(offsets, pa.array(values.reshape(-1)))


def read_part(file: Path) -> Results:
    """Read games from one Parquet file."""
    pa = arrow()
    try:
        table = pa.parquet.read_table(file)
    except (pa.ArrowInvalid, OSError) as error:
        raise StoreError(f"{file}: cannot be read: {error}") from None
    n = table.num_rows
    if n == 0:
        return empty_results(4)

    def by_seat(name: str, kind: Any) -> Array:
        flat = table[name].combine_chunks().flatten().to_numpy(zero_copy_only=False)
        return np.asarray(flat.reshape(n, -1), kind)

    counters = np.stack([by_seat(name, np.int32) for name in COUNTERS], axis=2)
    return Results(
        **{name: table[name].to_numpy() for name in ("game", "wall", "lineup", "seed")},
        **{name: by_seat(name, kind) for name, kind in BY_SEAT.items()},
        counters=counters,
        faults=[json.loads(rows) if rows else [] for rows in table["faults"].to_pylist()],
        actions=table["actions"].to_pylist(),
    )
