"""A whole career as one zip archive: every record as it was imported, and all figures as CSV (and Parquet)."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from janshi.career.games import OwnGames, own_games
from janshi.career.hands import COUNTS
from janshi.career.store import CareerStore
from janshi.core.files import replacing
from janshi.luck.estimators import SOURCES
from janshi.luck.types import PLACES, POINTS

GAME_COLUMNS: Final = (
    *("game", "file", "played", "seat", "rounds", "rank", "score", "won", "points"),
    *("luck_places", "luck_points", "rank_without_luck", "trained"),
)
FACTS: Final = ("change", "riichi_turn", "call_turn", "call_dora", "faced", "pushes", "push_shanten")
HAND_COLUMNS: Final = (
    *("game", "hand", "kyoku", "honba", "dealer", *COUNTS, *FACTS),
    *(f"luck_{source}_places" for source in SOURCES),
    *(f"luck_{source}_points" for source in SOURCES),
    *("worth_places", "worth_points"),
)
README: Final = """A career, exported by Janshi.

records/    every imported record, unchanged; the number before its name is the game's
games.csv   one line for each of your games; luck in places and points is positive if it was good
hands.csv   one line for each of their hands: counts, turns, luck by source, and what the hand was worth
career.json your names, and the games of others (in which none of your names occurs)
*.parquet   the same tables, if pyarrow is installed

`janshi career import` reads the archive again.
"""


def export(store: CareerStore, out: Path) -> int:
    """Write the archive; complete or not at all. Returns the number of records in it."""
    with replacing(out) as temporary, temporary.open("wb") as stream:
        return write_archive(store, stream)


def write_archive(store: CareerStore, stream: IO[bytes]) -> int:
    """Write the archive to a stream; returns the number of records in it."""
    names = store.names()
    games = own_games(store, names)
    tables = (("games", GAME_COLUMNS, game_rows(games)), ("hands", HAND_COLUMNS, hand_rows(games)))
    count = 0
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README)
        archive.writestr("career.json", json.dumps({"names": names, "games": store.count()}, ensure_ascii=False))
        for title, columns, rows in tables:
            archive.writestr(f"{title}.csv", _csv(columns, rows))
            if (parquet := _parquet(columns, rows)) is not None:
                archive.writestr(f"{title}.parquet", parquet, zipfile.ZIP_STORED)
        for game, name, content in _records(store):
            archive.writestr(f"records/{game:06}-{name}", content)
            count += 1
    return count


def _records(store: CareerStore) -> Iterator[tuple[int, str, bytes]]:
    for (game,) in store.read("select id from game order by id"):
        found = store.content(game)
        if found is not None:
            yield int(game), found[0].replace("/", "_").replace("\\", "_"), found[1]


def game_rows(games: OwnGames) -> list[list[Any]]:
    """One row for each game, by `GAME_COLUMNS`."""
    luck, luckless = games.luck_of_games().sum(1), games.luckless_rank()
    return [
        [
            *(int(games.id[i]), games.names[i], games.played[i], int(games.seat[i]), int(games.rounds[i])),
            *(_number(column[i]) for column in (games.rank, games.score, games.won, games.points)),
            *(_number(luck[i, PLACES]), _number(luck[i, POINTS]), _number(luckless[i]), bool(games.trained[i])),
        ]
        for i in range(len(games))
    ]


def hand_rows(games: OwnGames) -> list[list[Any]]:
    """One row for each hand, by `HAND_COLUMNS`."""
    first = np.searchsorted(games.game, games.game)
    plain = [games.hands[name].tolist() for name in ("kyoku", "honba", "dealer", *COUNTS, *FACTS)]
    luck, gain = games.luck["luck"].astype(float), games.luck["gain"].astype(float)
    numbers = [luck[:, source, measure] for measure in (PLACES, POINTS) for source in range(len(SOURCES))]
    numbers += [gain[:, PLACES], gain[:, POINTS]]
    columns = [
        games.id[games.game].tolist(),
        (np.arange(len(games.game)) - first + 1).tolist(),
        *plain,
        *([_number(value) for value in column.tolist()] for column in numbers),
    ]
    return [list(row) for row in zip(*columns)]


def _number(value: float) -> float | int | None:
    if value != value:
        return None
    return int(value) if float(value).is_integer() else round(float(value), 6)


def _csv(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def _parquet(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes | None:
    """The same table as Parquet; None without pyarrow."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return None
    values = list(zip(*rows)) if rows else [()] * len(columns)
    table = pyarrow.table({name: _column(name, list(column)) for name, column in zip(columns, values)})
    out = io.BytesIO()
    pyarrow.parquet.write_table(table, out)
    return out.getvalue()


def _column(name: str, values: list[Any]) -> list[Any]:
    """Numbers of one column have one type."""
    if any(isinstance(value, float) for value in values):
        return [None if value is None else float(value) for value in values]
    return values
