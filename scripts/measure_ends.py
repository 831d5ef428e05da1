"""Record the apprentice's output for decisions of recorded games, and how their hands ended.

python scripts/measure_ends.py --out DATA houou-2022.tar.xz --games 500

`fit_ends.py` uses this to fit how a choice changes the chances of winning, dealing in and drawing. Every game is a
separate file, so an interrupted run can be continued. Every third decision is stored.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from janshi.agents.learned.apprentice import ApprenticeAgent
from janshi.agents.learned.ends import DRAW, LOSE, OTHER, WIN, races_of
from janshi.core.files import write_whole
from janshi.luck.error_rate import decisions
from janshi.luck.games import games_of_records
from janshi.records.formats import read_record
from janshi.records.model import HandRecord
from janshi.records.sources import SourceFile, Sources
from janshi.rules.registry import make_game
from janshi.rules.riichi.state import PLAYERS

EVERY: Final = 3
BATCH: Final = 32


def main() -> None:
    """Measure the missing games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", help="games: files, folders or archives")
    parser.add_argument("--out", type=Path, required=True, help="folder for the measurements, one file per game")
    parser.add_argument("--games", type=int, default=None, help="only this many, in the order of a hash of their names")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    chosen = sorted(Sources(given.paths), key=lambda file: hashlib.sha256(file.game.encode()).digest())[: given.games]
    agent = ApprenticeAgent(make_game("riichi/tenhou"))
    for number, file in enumerate(chosen):
        out = given.out / f"{file.game}.npz"
        if not file.problem and not out.exists():
            print(f"{number + 1} of {len(chosen)}: {measure(file, agent, out)}", flush=True)


def measure(file: SourceFile, agent: ApprenticeAgent, out: Path) -> str:
    """Measure and store a game; returns a line about it."""
    record = read_record(file.content, file.name)
    played = games_of_records([record])
    if not len(played):
        return f"{file.name} is left out: {' '.join(played.problems)}"
    (some,) = decisions(played, np.ones((1, PLAYERS), np.bool_))
    kept = slice(int(file.game[-1:], 36) % EVERY, None, EVERY)
    views, infos = some.views[kept], some.infos[kept]
    parts = [agent.guess(views[a : a + BATCH]) for a in range(0, len(views), BATCH)]
    said = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in ("policy", "rons", "tenpai", "ends")
    }
    content = io.BytesIO()
    np.savez_compressed(
        content,
        policy=said["policy"].astype(np.float16),
        legal=some.legal[kept],
        danger=(1 - (1 - said["rons"]).prod(1)).astype(np.float16),
        tenpai=said["tenpai"].astype(np.float16),
        ends=said["ends"],
        drawn=views["drawn"],
        riichi=views["riichi"],
        action=some.actions[kept],
        races=races_of(views).astype(np.float16),
        ended=[end_of(record.hands[int(i["hand"])], int(i["player"])) for i in infos],
    )
    write_whole(out, content.getvalue())
    return f"{file.name}: {len(views)} decisions"


def end_of(hand: HandRecord, player: int) -> int:
    """How a hand ended for a player: a place in `learned.ends.ENDS`."""
    wins: list[Any] = hand.wins
    if any(win.winner == player for win in wins):
        return WIN
    if any(win.loser == player for win in wins):
        return LOSE
    return OTHER if wins else DRAW


if __name__ == "__main__":
    main()
