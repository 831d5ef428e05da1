"""Write the percentiles of review figures over houou players' games to `web/data/percentiles.json`.

The score card of a review shows where a game stands among these. Reviewers differ, so each has a separate table, from
the measurements of `calibrate_review.py` with that reviewer:

python scripts/calibrate_review.py --agent LABEL --out DATA houou-2022.tar.xz
python scripts/write_percentiles.py --agent LABEL --games houou-2022 DATA
python scripts/write_percentiles.py --agent LABEL --only bad DATA          # only the bad moves, the rest stays
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from _page import today
from janshi.core.files import write_whole
from janshi.rules.game import Array
from janshi.rules.riichi.state import PLAYERS
from janshi.web.review.reviewers import reviewer_of
from janshi.web.review.score_card import PERCENTILES, PERCENTILES_FILE, WHOLE

LEAST_GAMES = 25
"""Minimum number of games for a table of percentiles."""
DIGITS = 5


def main() -> None:
    """Compute the distribution and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder that calibrate_review.py filled")
    parser.add_argument("--agent", required=True, help="the reviewer that was measured")
    parser.add_argument("--games", default="houou-2022", help="name of the source of the games")
    parser.add_argument("--only", choices=("per_hand", "bad", "rating"), help="one figure; the others stay")
    parser.add_argument("--print", action="store_true", help="print the table instead of writing it")
    given = parser.parse_args()
    table = {"agent": given.agent, "source": given.games, "date": today(), **percentiles(given.data, given.agent)}
    if given.print:
        print(json.dumps(table, indent=1))
        return
    known: dict[str, Any] = json.loads(PERCENTILES_FILE.read_text("utf-8")) if PERCENTILES_FILE.exists() else {}
    name = given.agent.partition(":")[0]
    known[name] = {**known[name], given.only: table[given.only]} if given.only else table
    text = json.dumps(dict(sorted(known.items())), indent=None, separators=(",", ":"))
    write_whole(PERCENTILES_FILE, (text.replace('},"', '},\n"').replace('],"', '],\n "') + "\n").encode())
    print(f"{PERCENTILES_FILE.name}: {table['games']} games by {given.agent}")


def percentiles(folder: Path, agent: str) -> dict[str, Any]:
    """The percentiles of every figure of the score card over players' games."""
    files = sorted(folder.glob("*.npz"))
    if len(files) < LEAST_GAMES:
        raise SystemExit(f"{folder} holds {len(files)} measured games; percentiles need {LEAST_GAMES}")
    bad = reviewer_of(agent).bad
    rows = [row for path in files for row in of_players(np.load(path)["decisions"], bad)]
    figures = {name: [row[name] for row in rows if row[name] is not None] for name in rows[0]}
    at = np.linspace(0, 100, PERCENTILES)
    return {
        "games": len(files),
        "players": len(rows),
        **{name: np.percentile(found, at).round(DIGITS).tolist() for name, found in figures.items() if found},
    }


def of_players(decisions: Array, bad: float) -> Iterator[dict[str, float | None]]:
    """The figures of the four players of a game."""
    hands = int(decisions["hand"].max()) + 1
    for seat in range(PLAYERS):
        own = decisions[(decisions["seat"] == seat) & ~np.isnan(decisions["loss"])]
        loss = float(own["loss"].astype(np.float64).sum())
        stake = float(own["stake"].astype(np.float64).sum()) if "stake" in (own.dtype.names or ()) else 0.0
        yield {
            "per_hand": loss / hands,
            "bad": float((own["loss"] >= bad).mean()),
            "rating": WHOLE * (1.0 - loss / stake) if stake else None,
        }


if __name__ == "__main__":
    main()
