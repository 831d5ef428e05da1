"""Files of a person's games, for the tests of careers: greedy players' East games, in several formats."""

from __future__ import annotations

import io
import sys
import tarfile
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "records"))

from played import played_game, played_name, played_text

ME = "ann"
"""Plays in the games of seeds 0, 5, 6, 7, 8, 13 …"""
MINE = (0, 5, 6, 7, 8, 13)
OTHERS = (1, 2)

__all__ = ["ME", "MINE", "OTHERS", "packed", "played_game", "played_name", "played_text", "write_games"]


def write_games(folder: Path, seeds: tuple[int, ...] = MINE, format: str = "mjlog") -> Path:
    """Games as files in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    ending = {"mjlog": ".mjlog", "tenhou6": ".json", "mjai": ".jsonl"}[format]
    for seed in seeds:
        (folder / f"{Path(played_name(seed)).stem}{ending}").write_bytes(played_text(seed, format))
    return folder


def packed(*seeds: int) -> bytes:
    """Games in one archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for seed in seeds:
            entry = tarfile.TarInfo(played_name(seed))
            entry.size = len(played_text(seed))
            archive.addfile(entry, io.BytesIO(played_text(seed)))
    return out.getvalue()
