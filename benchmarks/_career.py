"""A career of many games for benchmarks: some games imported and measured, then copied under other keys."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from janshi.career.luck import measure
from janshi.career.store import CareerStore
from janshi.luck.value import shipped
from janshi.records.sources import SourceFile, Sources

ROOT = Path(__file__).resolve().parent.parent
PACK = Path(os.environ.get("JANSHI_SHARED", ROOT.parent / "shared")) / "records" / "tokujou-luckyj.tar.xz"
ME = "ⓝLuckyJ"


def real_games(count: int) -> tuple[list[SourceFile], str]:
    """Records of one player's games, and the player's name; games of built-in players without the real ones."""
    if PACK.exists():
        return [file for file, _ in zip(Sources([PACK]), range(count))], ME
    sys.path.insert(0, str(ROOT / "tests" / "records"))
    from played import NAMES, played_name, played_text

    return [SourceFile(played_name(seed), played_text(seed)) for seed in range(count)], NAMES[0]


def written(files: Sequence[SourceFile], folder: Path) -> Path:
    """The records as files in a folder."""
    folder.mkdir()
    for file in files:
        (folder / Path(file.name).name).write_bytes(file.content)
    return folder


def multiply(store: CareerStore, games: int) -> None:
    """Copy all games with their luck until the career has at least that many; only the keys differ."""
    ids = [row[0] for row in store.read("select id from game")]
    measure(store, ids, shipped())
    columns = "name, source, format, played, added, rounds, preset, level, names, scores, hands, luck, trained, problem"
    last = max(ids)
    with store.writing() as db:
        for copy in range(1, -(-games // len(ids))):
            step = copy * last
            db.execute(
                f"insert into game (id, key, {columns})"
                f" select id + ?, key || '-' || ?, {columns} from game where id <= ?",
                (step, copy, last),
            )
            db.execute(
                "insert into seat select game + ?, seat, name, rank, score, won, points, hands, luck from seat"
                " where game <= ?",
                (step, last),
            )
            db.execute("insert into record select game + ?, content from record where game <= ?", (step, last))
