"""Collecting games to score from files, folders, archives and data sets.

Games that cannot be read or followed are left out and listed in `problems`; the others are sorted by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from janshi.luck.games import PlayedGames, games_of_dataset, games_of_records, join_played, pick_games
from janshi.records.dataset import SHARDS, Dataset
from janshi.records.formats import read_record
from janshi.records.model import GameRecord, RecordError
from janshi.records.sources import Sources

TOGETHER: Final = 64
"""Records followed at once."""
Report = Callable[[int, float], None]
"""Called with the number of games so far and the share of bytes read."""


def gather(
    paths: Iterable[str | Path],
    player: str | None = None,
    limit: int | None = None,
    report: Report = lambda games, share: None,
) -> PlayedGames:
    """All games under some paths, or only a named player's, up to a limit.

    Raises `ValueError` for a missing path. A folder with the shards of a data set is read as a data set.
    """
    parts: list[PlayedGames] = []
    files: list[Path] = []
    for path in map(Path, paths):
        if is_dataset(path):
            parts.append(_of_dataset(path, player))
        else:
            files.append(path)
    if files:
        parts += _of_files(files, player, limit, report)
    whole = join_played(parts)
    return whole if limit is None or len(whole) <= limit else _first(whole, limit)


def is_dataset(path: Path) -> bool:
    """Whether a path is the folder of a data set."""
    return path.is_dir() and any(path.glob(SHARDS))


def _of_dataset(path: Path, player: str | None) -> PlayedGames:
    games = games_of_dataset(Dataset(path), skip_disconnects=False)
    return games if player is None else pick_games(games, [i for i, who in enumerate(games.names) if player in who])


def _of_files(files: Sequence[Path], player: str | None, limit: int | None, report: Report) -> list[PlayedGames]:
    sources = Sources(files)
    parts: list[PlayedGames] = []
    waiting: list[GameRecord] = []
    problems: list[str] = []
    count = 0
    for file in sources:
        try:
            if file.problem:
                raise RecordError(file.name, "", file.problem)
            record = read_record(file.content, file.name)
        except RecordError as error:
            problems.append(str(error))
            continue
        if player is None or player in record.names:
            waiting.append(record)
            count += 1
        if len(waiting) == TOGETHER or count == limit:
            parts.append(games_of_records(waiting))
            waiting = []
            count = sum(map(len, parts))
        report(count, sources.done_bytes / max(sources.total_bytes, 1))
        if count == limit:
            break
    parts.append(games_of_records(waiting))
    parts[-1].problems = problems + parts[-1].problems
    return parts


def _first(games: PlayedGames, limit: int) -> PlayedGames:
    return pick_games(games, range(limit))
