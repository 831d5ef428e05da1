"""Measure the distribution of a reviewer's losses in recorded games, to decide which moves to call bad.

python scripts/measure_losses.py --out DATA --every 8 houou-2022.tar.xz    # measure, and write docs/review.md
python scripts/measure_losses.py --out DATA                                # only the page, from stored measurements

Every game is a separate file under DATA, which `write_percentiles.py --only bad` also reads.
"""

from __future__ import annotations

import argparse
import io
import os
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from _page import stamp, table_of_figures, write_between
from janshi.agents.loss import values_of
from janshi.agents.registry import make_agent
from janshi.core.files import write_whole
from janshi.luck.error_rate import decisions, loss_of
from janshi.luck.games import games_of_records
from janshi.records.formats import read_record
from janshi.records.sources import SourceFile, Sources
from janshi.rules.game import Array
from janshi.rules.riichi.game import RiichiGame
from janshi.rules.riichi.state import PLAYERS

AGENT: Final = "apprentice"
BATCH: Final = 32
AT: Final = (0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1)
LOSS_DTYPE: Final = np.dtype([("hand", np.int16), ("seat", np.int8), ("loss", np.float32), ("stake", np.float32)])
PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "review.md"
BEGIN, END = "<!-- thresholds: begin -->", "<!-- thresholds: end -->"


def main() -> None:
    """Measure the missing games, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", help="games: files, folders or archives")
    parser.add_argument("--out", type=Path, required=True, help="folder for the measurements, one file per game")
    parser.add_argument("--every", type=int, default=1, help="measure only every n-th game")
    parser.add_argument("--agent", default=AGENT, help="the reviewer")
    parser.add_argument("--print", action="store_true", help="print the table instead of writing it")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for number, file in enumerate(Sources(given.paths) if given.paths else ()):
        out = given.out / f"{file.game}.npz"
        if number % given.every == 0 and not file.problem and not out.exists():
            print(f"{number}: {measure(file, given.agent, out)}", flush=True)
    text = page([np.load(path)["decisions"] for path in sorted(given.out.glob("*.npz"))], given.agent)
    print(text) if given.print else write_between(PAGE, BEGIN, END, text)


def measure(file: SourceFile, label: str, out: Path) -> str:
    """Measure and store a game; returns a line about it."""
    played = games_of_records([read_record(file.content, file.name)])
    if not len(played):
        return f"{file.name} is left out: {' '.join(played.problems)}"
    (some,) = decisions(played, np.ones((1, PLAYERS), np.bool_))
    agent: Any = make_agent(label, RiichiGame(some.rules))
    found = np.zeros(len(some.views), LOSS_DTYPE)
    found["hand"], found["seat"] = some.infos["hand"], some.infos["player"]
    for a in range(0, len(found), BATCH):
        for i, values in enumerate(values_of(agent, some.views[a : a + BATCH]), a):
            found["loss"][i] = loss_of(values, int(some.actions[i]), int(some.views["drawn"][i]))
            found["stake"][i] = values.stake
    content = io.BytesIO()
    np.savez_compressed(content, decisions=found)
    write_whole(out, content.getvalue())
    return f"{file.name}: {len(found)} decisions"


def page(games: list[Array], agent: str) -> str:
    """The share of decisions, and of all loss, above each threshold."""
    losses = np.concatenate(games)["loss"].astype(np.float64)
    losses = losses[~np.isnan(losses)]
    seats = PLAYERS * len(games)
    counts = [[int((g["loss"][g["seat"] == seat] >= at).sum()) for g in games for seat in range(PLAYERS)] for at in AT]
    rows = [
        [
            f"{at:g}",
            f"{(losses >= at).mean():.2%}",
            f"{(losses >= at).sum() / seats:.2f}",
            f"{np.mean(np.array(count) == 0):.0%}",
            f"{losses[losses >= at].sum() / losses.sum():.0%}",
        ]
        for at, count in zip(AT, counts)
    ]
    head = ["loses, in places, at least", "decisions", "a player and game", "games without one", "of all loss"]
    made = f"- Reviewer: `{agent}`; {len(games)} games of houou-2022, {len(losses):,} decisions"
    command = "python scripts/measure_losses.py --out DATA --every 8 houou-2022.tar.xz"
    return f"{stamp(command)}\n{made}\n\n{table_of_figures(head, rows)}"


if __name__ == "__main__":
    main()
