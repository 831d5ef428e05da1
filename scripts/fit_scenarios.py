"""Fit the chances of scenarios to recorded positions, from the results of M_win, M_tenpai and M_fold.

    python -m janshi.fitting.scenarios.data DATA --out POSITIONS
    python scripts/fit_scenarios.py POSITIONS

The processes are evaluated for every position, a thousand at a time. Results are stored in POSITIONS, so an
interrupted run can be continued; `--fresh` starts over, which is necessary after a change to the processes or their
models. Then the regressions are fitted and written to the package (`--out`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from janshi.fitting.data import TESTING, TRAINING, VALIDATING
from janshi.fitting.scenarios.data import CARD, Positions, read
from janshi.fitting.scenarios.features import ProcessChances
from janshi.fitting.scenarios.training import train
from janshi.models import scenarios
from janshi.models.scenarios import COLUMNS, list_columns
from janshi.models.store import FOLDER, save
from janshi.models.table_rates.model import TableRates
from janshi.rules.riichi.ruleset import TENHOU

CHUNK = 1000
SEED = 1


def chosen_positions(positions: Positions, most: int) -> Any:
    """Numbers of the positions to evaluate: at most `most` in random order, except those already in riichi."""
    open_ones = np.flatnonzero(positions.before["riichi"][:, 0] == 0)
    return np.random.default_rng(SEED).permutation(open_ones)[:most]


def columns_of(parts: ProcessChances, rates: TableRates, positions: Positions) -> Any:
    """Columns of the scenario model, float64[n, COLUMNS]; NaN where a hand is too far to search."""
    facts, views = positions.facts, positions.before
    numbers = parts.numbers(views, facts["kind"], facts["declares"])
    tables, out = rates.predict(views), np.zeros((len(views), COLUMNS))
    for i, (v, noted, row) in enumerate(zip(views, tables, numbers)):
        if np.isnan(row[0]):
            out[i] = np.nan
        else:
            list_columns(v, noted, row[0], row[1], row[2], int(facts["shanten"][i]), facts["declares"][i] == 1, out[i])
    return out


def compute(folder: Path, role: str, most: int, hands: int, report: Callable[[str], None]) -> tuple[Any, Any]:
    """Columns and numbers of a role's positions, computed chunk by chunk and stored in the folder."""
    path = folder / f"columns-{role}.npz"
    positions = read(folder, role)
    chosen = chosen_positions(positions, most)
    if path.exists():
        with np.load(path) as stored:
            if len(stored["chosen"]) == len(chosen) and int(stored["hands"]) == hands:
                return stored["columns"], stored["chosen"]
    parts, rates = ProcessChances(TENHOU, hands), TableRates.load()
    pieces = []
    for first in range(0, len(chosen), CHUNK):
        piece = folder / "columns" / f"{role}-{hands}-{first:07}.npy"
        piece.parent.mkdir(exist_ok=True)
        wanted = chosen[first : first + CHUNK]
        if not piece.exists() or len(np.load(piece)) != len(wanted):
            made = columns_of(parts, rates, positions.take(wanted))
            temporary = piece.with_name(f".{piece.name}")
            with temporary.open("wb") as file:
                np.save(file, made)
            temporary.replace(piece)
            report(f"{role}: {first + len(made):,} of {len(chosen):,} positions")
        pieces.append(np.load(piece))
    columns = np.concatenate(pieces)
    temporary = path.with_name(f".{path.stem}.tmp.npz")
    np.savez(temporary, columns=columns, chosen=chosen, hands=hands)
    temporary.replace(path)
    return columns, chosen


def main() -> None:
    """Read arguments, compute, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", type=Path, help="folder of positions, made by janshi.fitting.scenarios.data")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder for the weights")
    parser.add_argument("--most", type=int, default=200_000, help="number of positions per role")
    parser.add_argument("--hands", type=int, default=4000, help="hands of a set")
    parser.add_argument(
        "--fresh", action="store_true", help="compute again, because the processes or their models have changed"
    )
    args = parser.parse_args()
    start = time.monotonic()
    if args.fresh:
        for old in [*args.positions.glob("columns-*.npz"), *args.positions.glob("columns/*.npy")]:
            old.unlink()

    def report(text: str) -> None:
        print(f"{time.monotonic() - start:6.0f} s  {text}", flush=True)

    made = {}
    for role, share in ((TRAINING, 1.0), (VALIDATING, 0.1), (TESTING, 0.2)):
        columns, chosen = compute(args.positions, role, round(share * args.most), args.hands, report)
        facts = read(args.positions, role).facts[chosen]
        fine = np.isfinite(columns).all(1)
        report(f"{role}: {fine.sum():,} of {len(fine):,} positions near enough to search")
        made[role] = columns[fine], facts[fine]
    arrays, notes = train(*made[TRAINING], made[VALIDATING])
    card = {
        **notes,
        "training data": (args.positions / CARD).read_text(encoding="utf-8"),
        "hands of a set": args.hands,
        "trained": date.today().isoformat(),
        "command": "python scripts/fit_scenarios.py POSITIONS",
    }
    save(args.out / f"{scenarios.NAME}.npz", arrays, card)
    report(f"log losses on validation: {card['log loss of validation']}; {card['form']} ships")


if __name__ == "__main__":
    main()
