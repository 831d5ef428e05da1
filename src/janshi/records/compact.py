"""A data set in one small file, with draws and answers but nothing that can be rebuilt.

A hand is stored as the tiles drawn from its wall in order, its answers and its situation. The reader fills in the
undrawn tiles in any order, which gives the same decisions as the data set itself. All 262,262 hands of our corpus take
under 40 MB, so a data set can be moved to another machine as one file.

    write_compact(Dataset("data/houou"), "houou.hands")
    hands = read_compact("houou.hands")

The file is a line of JSON (format, version, counts, the packs, the rules) and then the columns, each compressed on its
own with LZMA.
"""

from __future__ import annotations

import json
import lzma
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.files import write_whole
from janshi.core.tables import tables_array
from janshi.core.tiles import COPIES, EAST, FIRST_RED, FIVE_M, NUM_IDS, RANKS
from janshi.records.dataset import EVERYBODY, Choice, Dataset, DatasetError, known_rules, to_numpy
from janshi.records.rebuild import STORED_DTYPE, begin
from janshi.records.splits import SPLITS
from janshi.rules.riichi.apply import answer
from janshi.rules.riichi.concealed import kind_of, tile_of
from janshi.rules.riichi.deal import DEAD_WALL, FIRST_INDICATOR, REPLACEMENT_PLACES
from janshi.rules.riichi.legal import is_legal
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.state import FRAME_DTYPE, HAND_OVER, PLAYERS, STATE_DTYPE, Context

Array = npt.NDArray[Any]

FORMAT: Final = "janshi hands"
VERSION: Final = 1
FILTERS: Final = [{"id": lzma.FILTER_LZMA2, "preset": 6, "lc": 0, "lp": 0, "pb": 0, "dict_size": 1 << 24}]
"""Tiles and answers are single bytes, so position bits would only cost space."""
SCORE_UNIT: Final = 100
NO_SEAT: Final = -1

FACTS_DTYPE: Final = np.dtype(
    [
        ("game", np.int32),  # number of the game in the file
        ("hand", np.int16),  # number of the hand in its game
        ("split", np.int8),  # index into SPLITS
        ("source", np.int8),  # index into the packs
        ("level", np.int8),
        ("disconnect", np.int8),
        ("ranks", np.int8, (PLAYERS,)),  # final ranks 1 to 4, 0 if the record stops before
        ("winners", np.int8),  # bit set of seats
        ("loser", np.int8),  # seat, or -1
    ]
)
"""What is known of a hand besides its moves."""


@dataclass(frozen=True)
class CompactHands:
    """The hands of a compact file, as kernels rebuild them."""

    hands: Array
    """STORED_DTYPE[h]: `first` and `decisions` point into the answers."""
    answers: Array
    """uint8[n]."""
    facts: Array
    """FACTS_DTYPE[h]."""
    sources: tuple[str, ...]
    """Names of the packs."""
    rules: tuple[Ruleset, ...]
    """The rules that `hands["rules"]` numbers."""

    def __len__(self) -> int:
        return len(self.hands)

    def frames(self) -> tuple[Array, Array]:
        """New frames for the rules, one per thread, and the engine's tables."""
        frames = np.zeros(len(self.rules), FRAME_DTYPE)
        for i, rules in enumerate(self.rules):
            frames["rules"][i] = rules.record()[0]
        return frames, tables_array()

    def select(self, chosen: Array) -> CompactHands:
        """Some of the hands, by a mask or by numbers."""
        return replace(self, hands=self.hands[chosen], facts=self.facts[chosen])


# --- writing


def write_compact(dataset: Dataset, path: str | Path) -> int:
    """Write all hands of a data set into one file, atomically; returns its size in bytes."""
    gathered = gather(dataset)
    columns = {name: _packed(column) for name, column in _columns(gathered).items()}
    head = {
        "format": FORMAT,
        "version": VERSION,
        "hands": len(gathered),
        "sources": gathered.sources,
        "rules": [asdict(rules) for rules in gathered.rules],
        "columns": {name: len(content) for name, content in columns.items()},
    }
    content = (json.dumps(head) + "\n").encode() + b"".join(columns.values())
    write_whole(Path(path), content)
    return len(content)


def _packed(column: Array) -> bytes:
    return lzma.compress(np.ascontiguousarray(column).tobytes(), lzma.FORMAT_RAW, filters=FILTERS)


def gather(dataset: Dataset) -> CompactHands:
    """All hands of a data set in memory."""
    parts = [dataset.stored(number, Choice(None, "all", False, None)) for number in range(len(dataset.shards))]
    at = 0
    for hands, answers in parts:
        hands["first"] += at
        at += len(answers)
    facts, sources = _facts(dataset)
    return CompactHands(
        np.concatenate([hands for hands, _ in parts]),
        np.concatenate([answers for _, answers in parts]),
        facts,
        sources,
        known_rules(),
    )


def _facts(dataset: Dataset) -> tuple[Array, tuple[str, ...]]:
    table = dataset.hands(
        "game", "hand", "split", "source", "level", "disconnect", "ranks", "winners", "loser"
    ).combine_chunks()
    facts = np.zeros(table.num_rows, FACTS_DTYPE)
    games = table.column("game").to_numpy(zero_copy_only=False)
    facts["game"] = np.concatenate([[0], np.cumsum(games[1:] != games[:-1])]) if len(games) else 0
    for name in ("hand", "level", "disconnect"):
        facts[name] = to_numpy(table.column(name).cast("int16").fill_null(0))
    words = table.column("split").cast("string").to_pylist()
    facts["split"] = [SPLITS.index(word) for word in words]
    named = table.column("source").cast("string").to_pylist()
    sources = tuple(dict.fromkeys(named))
    numbers = {name: i for i, name in enumerate(sources)}
    facts["source"] = [numbers[name] for name in named]
    facts["loser"] = table.column("loser").fill_null(NO_SEAT).to_numpy()
    for i, (winners, ranks) in enumerate(zip(table.column("winners").to_pylist(), table.column("ranks").to_pylist())):
        facts["winners"][i] = sum(1 << seat for seat in winners or ())
        facts["ranks"][i] = ranks or (0,) * PLAYERS
    return facts, sources


def _columns(gathered: CompactHands) -> dict[str, Array]:
    """The columns of the file, in order."""
    hands = gathered.hands
    tiles, counts, dead = _drawn(gathered)
    columns: dict[str, Array] = {
        "tiles": tiles,
        "drawn": counts,
        "dead": dead,
        "answers": gathered.answers,
        "decisions": hands["decisions"].astype(np.int16),
        "scores": (hands["scores"] // SCORE_UNIT).astype(np.int16),
    }
    for name in ("kyoku", "honba", "sticks", "rules", "held_out"):
        columns[name] = hands[name]
    for name in FACTS_DTYPE.names or ():
        columns[f"fact {name}"] = gathered.facts[name]
    return columns


def _drawn(gathered: CompactHands) -> tuple[Array, Array, Array]:
    """The tiles drawn from each wall, hand after hand, the number of live ones, and which of the dead wall."""
    frames, tables = gathered.frames()
    n = len(gathered)
    tiles = np.zeros(n * NUM_IDS, np.uint8)
    counts, dead = np.zeros(n, np.uint8), np.zeros(n, np.uint16)
    state = np.zeros(1, STATE_DTYPE)
    used = write_drawn(gathered.hands, gathered.answers, state, frames, tables, tiles, counts, dead)
    if used < 0:
        raise DatasetError(f"row {-1 - used} cannot be replayed: the data set does not match the rules")
    return tiles[:used], counts, dead


@kernel
def write_drawn(
    hands: Any, answers: Any, states: Any, frame: Any, tables: Any, tiles: Any, counts: Any, dead: Any
) -> int:
    """Play every hand and write the tiles its players saw; returns their number, or -1 - i for a bad hand i."""
    at = 0
    for i in range(len(hands)):
        h, s = hands[i], states[0]
        c = Context(frame[int(h.rules)].rules, tables[0], frame[0].win, frame[0].score)
        if not play_answers(s, h, answers, c):
            return -1 - i
        red = int(c.rules.red_fives)
        counts[i] = NUM_IDS - 1 - int(s.next_draw)
        dead[i] = used_of_dead_wall(s)
        for place in range(NUM_IDS - 1, int(s.next_draw), -1):
            tiles[at] = tile_of(int(h.wall[place]), red)
            at += 1
        for place in range(DEAD_WALL):
            if (int(dead[i]) >> place) & 1:
                tiles[at] = tile_of(int(h.wall[place]), red)
                at += 1
    return at


@kernel
def play_answers(s: Any, h: Any, answers: Any, c: Context) -> bool:
    """Play a hand by its answers to the end; False if they do not fit."""
    begin(s, h, c)
    given, end = int(h.first), int(h.first) + int(h.decisions)
    while s.phase < HAND_OVER:
        asked = int(s.asked)
        for player in range(PLAYERS):
            if (asked >> player) & 1:
                if given >= end or not is_legal(s, player, int(answers[given])):
                    return False
                answer(s, player, int(answers[given]), c)
                given += 1
    return given == end


@kernel
def used_of_dead_wall(s: Any) -> int:
    """Bit set of the places of the dead wall that players saw: replacements, indicators, ura of a winner in riichi."""
    used, ura = 0, False
    for i in range(int(s.replacements)):
        used |= 1 << REPLACEMENT_PLACES[i]
    for player in range(PLAYERS):
        ura = ura or ((int(s.winners) >> player) & 1 == 1 and s.riichi[player] != 0)
    for i in range(int(s.indicators)):
        used |= 1 << (FIRST_INDICATOR + 2 * i)
        if ura:
            used |= 1 << (FIRST_INDICATOR - 1 + 2 * i)
    return used


# --- reading


def read_compact(path: str | Path) -> CompactHands:
    """Read a compact file; raises `DatasetError` if it is not one, is damaged or has another version."""
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DatasetError(f"{path} cannot be read: {error.strerror}") from error
    line, _, rest = content.partition(b"\n")
    try:
        head = json.loads(line)
    except ValueError:
        head = {}
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise DatasetError(f"{path} is not a compact data set: expected a file written by `janshi records compact`")
    if head["version"] != VERSION:
        raise DatasetError(f"{path} has version {head['version']}, expected {VERSION}: write it again")
    return _restored(head, _unpacked(path, head, rest))


def _unpacked(path: Path, head: dict[str, Any], rest: bytes) -> dict[str, Array]:
    """The columns of the file as bytes."""
    found, at = {}, 0
    for name, size in head["columns"].items():
        try:
            unpacked = lzma.decompress(rest[at : at + size], lzma.FORMAT_RAW, filters=FILTERS)
        except lzma.LZMAError as error:
            raise DatasetError(f"{path} is damaged: its column {name!r} cannot be unpacked") from error
        found[name] = np.frombuffer(bytearray(unpacked), np.uint8)  # not read-only: kernels compile again for that
        at += size
    if at != len(rest):
        raise DatasetError(f"{path} is damaged: {len(rest)} bytes of columns, expected {at}")
    return found


def _restored(head: dict[str, Any], columns: dict[str, Array]) -> CompactHands:
    rules = tuple(Ruleset(**{**one, "uma": tuple(one["uma"])}) for one in head["rules"])
    hands = np.zeros(head["hands"], STORED_DTYPE)
    for name in ("kyoku", "honba", "sticks", "rules", "held_out"):
        hands[name] = columns[name].view(np.int8)
    hands["scores"] = columns["scores"].view(np.int16).reshape(-1, PLAYERS).astype(np.int32) * SCORE_UNIT
    hands["decisions"] = columns["decisions"].view(np.int16)
    hands["first"] = np.concatenate([[0], np.cumsum(hands["decisions"][:-1], dtype=np.int64)])
    hands["row"] = np.arange(len(hands))
    hands["seats"] = EVERYBODY
    red = np.array([one.red_fives for one in rules], np.int8)[hands["rules"]]
    lay_walls(columns["tiles"], columns["drawn"], columns["dead"].view(np.uint16), red, hands)
    facts = np.zeros(len(hands), FACTS_DTYPE)
    for name in FACTS_DTYPE.names or ():
        kind = FACTS_DTYPE[name]
        facts[name] = columns[f"fact {name}"].view(kind.base).reshape((len(hands), *kind.shape))
    return CompactHands(hands, columns["answers"], facts, tuple(head["sources"]), rules)


@kernel
def lay_walls(tiles: Any, counts: Any, dead: Any, red: Any, hands: Any) -> None:
    """Lay each hand's wall: drawn tiles where they came from, the others in order in the remaining places."""
    taken = np.zeros(NUM_IDS, np.uint8)
    at = 0
    for i in range(len(hands)):
        taken[:] = 0
        wall = hands[i].wall
        free = np.int64(0)
        for place in range(NUM_IDS - 1, NUM_IDS - 1 - int(counts[i]), -1):
            wall[place] = take_id(int(tiles[at]), int(red[i]), taken)
            at += 1
        for place in range(DEAD_WALL):
            if (int(dead[i]) >> place) & 1:
                wall[place] = take_id(int(tiles[at]), int(red[i]), taken)
                at += 1
        for place in range(NUM_IDS - int(counts[i])):
            if place < DEAD_WALL and (int(dead[i]) >> place) & 1:
                continue
            while taken[free]:
                free += 1
            wall[place] = free
            taken[free] = 1


@kernel
def take_id(tile: int, red_fives: int, taken: Any) -> int:
    """The first id of a tile that is not taken; copy 0 of a five is the red one where there are red fives."""
    kind = kind_of(tile)
    if tile >= FIRST_RED:
        taken[4 * kind] = 1
        return 4 * kind
    is_five = kind < EAST and kind % RANKS == FIVE_M
    for copy in range(1 if red_fives and is_five else 0, COPIES):
        if not taken[4 * kind + copy]:
            taken[4 * kind + copy] = 1
            return 4 * kind + copy
    return 4 * kind
