"""Data sets: recorded games as Parquet, one row per hand, from which kernels rebuild every decision.

A data set is a folder of shards `part-00000.parquet`, … . Each row holds the hand's situation, its wall and all answers
of its players; `docs/datasets.md` describes every column. Any tool that reads Parquet can read them; `Dataset` adds
what needs the rules: the decisions as views.

    dataset = Dataset("data/houou")
    for views, actions, info in dataset.decisions(batch_size=4096, split="train", shuffle=1):
        ...
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.core.tables import tables_array
from janshi.core.tiles import NUM_IDS
from janshi.records.rebuild import INFO_DTYPE, STORED_DTYPE, Room, rebuild_hands
from janshi.records.splits import SPLITS, TEST
from janshi.rules.riichi.ruleset import Ruleset, get_ruleset
from janshi.rules.riichi.state import FRAME_DTYPE, PLAYERS, STATE_DTYPE
from janshi.rules.riichi.view import ORACLE_DTYPE, VIEW_DTYPE

VERSION: Final = 1
"""Changes when columns or the meaning of answers change."""
SHARDS: Final = "part-*.parquet"
SUMMARY: Final = "dataset.json"
KNOWN_BYTES: Final = NUM_IDS // 8
EVERYBODY: Final = (1 << PLAYERS) - 1
SEATS: Final = ("seen", "unseen", "all")
POOL: Final = 1 << 15
"""Hands in memory at once when they are shuffled: about ten megabytes."""

_STORED: Final = ("wall", "answers", "decisions", "scores", "kyoku", "honba", "sticks", "held_out")
_RULES: Final = ("preset", "red_fives", "open_tanyao")
_CHOICE: Final = ("split", "disconnect")


class DatasetError(ValueError):
    """A folder that is not a data set, or is one of another version."""


class Decisions(NamedTuple):
    """A batch of decisions."""

    views: npt.NDArray[Any]
    """VIEW_DTYPE[n], or ORACLE_DTYPE[n]."""
    actions: npt.NDArray[np.uint8]
    """What the players did."""
    info: npt.NDArray[Any]
    """INFO_DTYPE[n]: hand, number in the hand, player, turn, whether held out, forced, sure."""


def arrow() -> Any:
    """The pyarrow package; says how to install it if it is missing."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ImportError("data sets need pyarrow, which is not installed: pip install 'janshi[records]'") from None
    return pyarrow


@lru_cache
def schema() -> Any:
    """The columns of a data set, as a pyarrow schema."""
    pa = arrow()
    word = pa.dictionary(pa.int32(), pa.string())
    per_seat = {name: pa.list_(pa.int32()) for name in ("scores", "changes", "final_scores")}
    columns = {
        # the game
        "game": pa.string(),
        "source": word,
        "date": pa.date32(),
        "format": word,
        "names": pa.list_(pa.string()),
        "dans": pa.list_(pa.int8()),
        "rates": pa.list_(pa.float32()),
        "preset": word,
        "rounds": pa.int8(),
        "red_fives": pa.bool_(),
        "open_tanyao": pa.bool_(),
        "fast": pa.bool_(),
        "level": pa.int8(),
        "hands": pa.int16(),
        "final_scores": per_seat["final_scores"],
        "ranks": pa.list_(pa.int8()),
        "disconnect": pa.bool_(),
        "split": word,
        "held_out": pa.int8(),
        # the hand
        "hand": pa.int16(),
        "kyoku": pa.int8(),
        "honba": pa.int8(),
        "sticks": pa.int8(),
        "scores": per_seat["scores"],
        "wall": pa.binary(NUM_IDS),
        "known": pa.binary(KNOWN_BYTES),
        "seeded": pa.bool_(),
        "answers": pa.binary(),
        "decisions": pa.int32(),
        # its end
        "result": word,
        "winners": pa.list_(pa.int8()),
        "loser": pa.int8(),
        "points": pa.list_(pa.int32()),
        "changes": per_seat["changes"],
        "tenpai": pa.list_(pa.int8()),
        "riichi": pa.list_(pa.int8()),
        "called": pa.list_(pa.int8()),
    }
    return pa.schema(list(columns.items()), metadata={"janshi dataset": str(VERSION)})


class Choice(NamedTuple):
    """Which decisions of a data set to return."""

    split: str | None
    seats: str
    skip_disconnects: bool
    where: Any


@contextmanager
def reading(shard: Path) -> Iterator[None]:
    """Turn errors of reading a shard into a `DatasetError` that names it."""
    try:
        yield
    except (arrow().ArrowInvalid, OSError) as error:
        raise DatasetError(f"{shard} is damaged, import it again: {error}") from error


def shard_metadata(shard: Path) -> Any:
    """The footer of a shard; raises `DatasetError` if it is damaged."""
    with reading(shard):
        return arrow().parquet.read_metadata(shard)


class Dataset:
    """A data set in a folder. `len(dataset)` is its number of hands."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.shards = sorted(self.folder.glob(SHARDS))
        if not self.shards:
            raise DatasetError(f"{self.folder} is not a data set: it has no {SHARDS}")
        found = shard_metadata(self.shards[0]).metadata or {}
        version = found.get(b"janshi dataset", b"none").decode()
        if version != str(VERSION):
            raise DatasetError(f"{self.folder} is a data set of version {version}, expected {VERSION}: import it again")

    @cached_property
    def rows(self) -> npt.NDArray[np.int64]:
        """The first row of each shard, and the total number of rows: int64[shards + 1]."""
        counts = [shard_metadata(shard).num_rows for shard in self.shards]
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    def __len__(self) -> int:
        return int(self.rows[-1])

    @property
    def summary(self) -> dict[str, Any]:
        """The counts of the import; empty until it is finished."""
        path = self.folder / SUMMARY
        return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}

    def hands(self, *columns: str, split: str | None = None) -> Any:
        """Columns of all hands (or of a split) as a pyarrow table, read through memory maps."""
        pa = arrow()
        wanted = list(columns) or schema().names
        unknown = [name for name in wanted if name not in schema().names]
        if unknown:
            raise DatasetError(f"no column is called {unknown[0]!r}; there are {', '.join(schema().names)}")
        tables = (self._read(shard, wanted, split) for shard in self.shards)
        return pa.concat_tables(list(tables)).unify_dictionaries()

    def column(self, name: str, split: str | None = None) -> npt.NDArray[Any]:
        """One column as a NumPy array: lists of four as [n, 4], walls as uint8[n, 136]."""
        return to_numpy(self.hands(name, split=split).column(name))

    def _read(self, shard: Path, columns: Sequence[str], split: str | None = None) -> Any:
        """A shard's columns of a split, or of all hands."""
        pa = arrow()
        wanted = [*columns] if split is None else [*dict.fromkeys([*columns, "split"])]
        with reading(shard):
            table = pa.parquet.read_table(shard, columns=wanted, memory_map=True)
        if split is None:
            return table
        return table.filter(pa.array(_in_split(table, split))).select(list(columns))

    # --- decisions

    def decisions(
        self,
        batch_size: int = 4096,
        split: str | None = None,
        *,
        oracle: bool = False,
        skip_forced: bool = True,
        skip_unsure: bool = True,
        skip_disconnects: bool = True,
        seats: str | None = None,
        shuffle: int | None = None,
        where: Any = None,
        part: tuple[int, int] = (0, 1),
    ) -> Iterator[Decisions]:
        """Rebuild decisions in batches (the last one may be smaller): (views, actions, info).

        split: "train", "validation" or "test"; None for all hands.
        oracle: add the hidden hands to the views.
        skip_forced: leave out questions with one legal answer.
        skip_unsure: leave out passes of players who may have wanted a call that another player's call overrode.
        skip_disconnects: leave out games in which a player lost the connection.
        seats: "seen" players only (not held out), "unseen" (held out) only, or "all". By default "all" for the test
            split and "seen" otherwise.
        shuffle: a seed; hands come in random order within pools of about 30,000, and decisions are mixed within
            buffers of at least eight batches. None keeps the order of the data set.
        where: a pyarrow expression over columns, such as `pyarrow.dataset.field("level") == 3`.
        part: (i, n) reads every n-th shard from the i-th on, for n workers that share the work.
        """
        if batch_size < 1:
            raise ValueError(f"a batch needs at least one decision, not {batch_size}")
        chosen = seats or ("all" if split == TEST else "seen")
        if chosen not in SEATS:
            raise ValueError(f"seats are {', '.join(SEATS)}, not {chosen!r}")
        rng = None if shuffle is None else np.random.default_rng(shuffle)
        builder = Rebuilder(max(8 * batch_size, 1 << 15), oracle, skip_forced, skip_unsure)
        choice = Choice(split, chosen, skip_disconnects, where)
        for hands, answers in self._pools(choice, part, rng):
            for first, end in _chunks(hands["decisions"], builder.size - batch_size):
                builder.add(hands[first:end], answers)
                yield from builder.take(batch_size, rng)
        yield from builder.take(batch_size, rng, last=True)

    def _pools(
        self, choice: Choice, part: tuple[int, int], rng: np.random.Generator | None
    ) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[np.uint8]]]:
        """Hands and their answers: a shard at a time, or shuffled pools of several."""
        numbers = np.arange(part[0], len(self.shards), part[1])
        if rng is None:
            for number in numbers:
                yield self.stored(int(number), choice)
            return
        kept: list[tuple[npt.NDArray[Any], npt.NDArray[np.uint8]]] = []
        for number in rng.permutation(numbers):
            kept.append(self.stored(int(number), choice))
            if sum(len(hands) for hands, _ in kept) >= POOL:
                yield _mixed(kept, rng)
                kept = []
        if kept:
            yield _mixed(kept, rng)

    def stored(self, number: int, choice: Choice) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint8]]:
        """The chosen hands of a shard as the kernel reads them, and the answers of all its hands."""
        table = self._read(self.shards[number], (*_STORED, *_RULES, *_CHOICE))
        hands = np.zeros(table.num_rows, STORED_DTYPE)
        for name in _STORED:
            if name != "answers":
                hands[name] = to_numpy(table.column(name))
        answers, offsets = binary_column(table.column("answers"))
        hands["first"] = offsets[:-1]
        hands["row"] = self.rows[number] + np.arange(len(hands))
        hands["rules"] = _rules_numbers(table)
        held_out = hands["held_out"]
        hands["seats"] = {"all": EVERYBODY, "unseen": held_out, "seen": EVERYBODY & ~held_out}[choice.seats]
        return hands[self._chosen(number, table, choice)], answers

    def _chosen(self, number: int, table: Any, choice: Choice) -> npt.NDArray[np.bool_]:
        """Which hands of a shard are chosen."""
        chosen = np.ones(table.num_rows, np.bool_)
        if choice.split is not None:
            chosen &= _in_split(table, choice.split)
        if choice.skip_disconnects:
            chosen &= ~to_numpy(table.column("disconnect"))
        if choice.where is not None:
            whole = self._read(self.shards[number], schema().names)
            numbered = whole.append_column("number", arrow().array(np.arange(len(chosen))))
            matching = np.zeros(len(chosen), np.bool_)
            matching[numbered.filter(choice.where).column("number").to_numpy()] = True
            chosen &= matching
        return chosen

    # --- arrays

    def write_arrays(self, folder: str | Path) -> Path:
        """Write walls, answers and situations as NumPy files that can be memory-mapped; returns their folder.

        `hands.npy` is STORED_DTYPE[h], whose `first` and `decisions` point into `answers.npy`, uint8[n].
        """
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        total = int(self.column("decisions").sum(dtype=np.int64))
        hands = np.lib.format.open_memmap(folder / "hands.npy", "w+", STORED_DTYPE, (len(self),))
        answers = np.lib.format.open_memmap(folder / "answers.npy", "w+", np.dtype(np.uint8), (total,))
        at = 0
        for number in range(len(self.shards)):
            some, given = self.stored(number, Choice(None, "all", False, None))
            some["first"] += at
            hands[self.rows[number] : self.rows[number + 1]] = some
            answers[at : at + len(given)] = given
            at += len(given)
        hands.flush()
        answers.flush()
        return folder


class Rebuilder:
    """Buffers that decisions are rebuilt into and returned from in batches."""

    def __init__(self, size: int, oracle: bool, skip_forced: bool, skip_unsure: bool) -> None:
        self.size = size
        self.filled = 0
        self.skip_forced, self.skip_unsure = skip_forced, skip_unsure
        views = np.zeros(size, ORACLE_DTYPE if oracle else VIEW_DTYPE)
        self._room = Room(views, views if oracle else None, np.zeros(size, np.uint8), np.zeros(size, INFO_DTYPE))
        self._state = np.zeros(1, STATE_DTYPE)
        self._frames, self._tables = _frames()

    def add(self, hands: npt.NDArray[Any], answers: npt.NDArray[np.uint8]) -> None:
        """Rebuild the selected decisions of some hands, which must fit into the free space."""
        if len(self._frames) < len(_KNOWN_RULES):
            self._frames, self._tables = _frames()
        done = rebuild_hands(
            hands,
            answers,
            self.filled,
            self.skip_forced,
            self.skip_unsure,
            self._room,
            self._state,
            self._frames,
            self._tables,
        )
        if done < 0:
            row = int(hands["row"][-1 - done])
            raise DatasetError(f"row {row} cannot be replayed: the data set does not match the rules")
        self.filled = done

    def take(self, batch_size: int, rng: np.random.Generator | None, last: bool = False) -> Iterator[Decisions]:
        """Yield full batches, and with `last` the rest too; what remains moves to the front."""
        order = None if rng is None else rng.permutation(self.filled)
        given = 0
        while self.filled - given >= (1 if last and self.filled > given else batch_size):
            yield Decisions(*(_copied(buffer, given, given + batch_size, order) for buffer in self._buffers()))
            given = min(given + batch_size, self.filled)
        for buffer in self._buffers():
            rest = _copied(buffer, given, self.filled, order)
            _plain(buffer)[: len(rest)] = _plain(rest)
        self.filled -= given

    def _buffers(self) -> Iterator[npt.NDArray[Any]]:
        """The filled part of each buffer."""
        for buffer in (self._room.views, self._room.actions, self._room.infos):
            yield buffer[: self.filled]


def _plain(buffer: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Records as bytes without fields, which NumPy moves several times faster."""
    return buffer.view(f"V{buffer.dtype.itemsize}")


def _copied(buffer: npt.NDArray[Any], first: int, end: int, order: npt.NDArray[np.int64] | None) -> npt.NDArray[Any]:
    """A copy of some elements, by their order if one is given."""
    plain = _plain(buffer)
    return (plain[first:end].copy() if order is None else plain[order[first:end]]).view(buffer.dtype)


# --- rules of hands

_KNOWN_RULES: list[Ruleset] = []


def _rules_number(preset: str, red_fives: bool, open_tanyao: bool) -> int:
    """A small number for rules, the same for all data sets of this process."""
    rules = replace(get_ruleset(preset), red_fives=red_fives, open_tanyao=open_tanyao)
    if rules not in _KNOWN_RULES:
        _KNOWN_RULES.append(rules)
    return _KNOWN_RULES.index(rules)


def known_rules() -> tuple[Ruleset, ...]:
    """The rules in the order of their numbers."""
    return tuple(_KNOWN_RULES)


def _frames() -> tuple[npt.NDArray[Any], Any]:
    """A new frame (it holds scratch space) for each of the known rules, and the engine's tables."""
    frames = np.zeros(len(_KNOWN_RULES), FRAME_DTYPE)
    for i, rules in enumerate(_KNOWN_RULES):
        frames["rules"][i] = rules.record()[0]
    return frames, tables_array()


def _rules_numbers(table: Any) -> npt.NDArray[np.int8]:
    """The number of the rules of each hand."""
    preset = table.column("preset").combine_chunks()
    words = preset.dictionary.to_pylist()
    codes = preset.indices.to_numpy().astype(np.int64)
    keys = 4 * codes + 2 * to_numpy(table.column("red_fives")) + to_numpy(table.column("open_tanyao"))
    numbers = np.zeros(len(keys), np.int8)
    for key in np.unique(keys).tolist():
        numbers[keys == key] = _rules_number(words[key // 4], bool(key & 2), bool(key & 1))
    return numbers


# --- columns as arrays


def _in_split(table: Any, split: str) -> npt.NDArray[np.bool_]:
    """Which rows of a table belong to a split."""
    if split not in SPLITS:
        raise DatasetError(f"no split is called {split!r}; there are {', '.join(SPLITS)}")
    return np.asarray(table.column("split").cast("string").to_numpy() == split)


def to_numpy(column: Any) -> npt.NDArray[Any]:
    """A pyarrow column as a NumPy array, without a copy where it has no nulls and one chunk."""
    pa = arrow()
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if pa.types.is_fixed_size_binary(column.type):
        width = column.type.byte_width
        flat = np.frombuffer(column.buffers()[1], np.uint8)
        return flat[column.offset * width : (column.offset + len(column)) * width].reshape(-1, width)
    if pa.types.is_list(column.type) and column.null_count == 0:
        flat = column.flatten().to_numpy(zero_copy_only=False)
        if len(flat) == PLAYERS * len(column):
            return np.asarray(flat.reshape(-1, PLAYERS))
    return np.asarray(column.to_numpy(zero_copy_only=False))


def binary_column(column: Any) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """A column of bytes as one array and the offsets of its rows: uint8[n], int64[rows + 1]."""
    pa = arrow()
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if not len(column):
        return np.zeros(0, np.uint8), np.zeros(1, np.int64)
    offsets = np.frombuffer(column.buffers()[1], np.int32)[column.offset : column.offset + len(column) + 1]
    data = np.frombuffer(column.buffers()[2], np.uint8)[offsets[0] : offsets[-1]]
    return data, offsets.astype(np.int64) - offsets[0]


def _chunks(decisions: npt.NDArray[np.int32], limit: int) -> Iterator[tuple[int, int]]:
    """Cut hands into runs of at most `limit` decisions."""
    ends = np.cumsum(decisions, dtype=np.int64)
    first, before = 0, 0
    while first < len(ends):
        end = max(int(np.searchsorted(ends, before + limit, "right")), first + 1)
        yield first, end
        first, before = end, int(ends[end - 1])


def _mixed(
    kept: Sequence[tuple[npt.NDArray[Any], npt.NDArray[np.uint8]]], rng: np.random.Generator
) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint8]]:
    """Hands of several shards in random order."""
    at = 0
    for hands, answers in kept:
        hands["first"] += at
        at += len(answers)
    mixed = np.concatenate([hands for hands, _ in kept])
    return mixed[rng.permutation(len(mixed))], np.concatenate([answers for _, answers in kept])
