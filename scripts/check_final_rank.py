"""Is the expected final rank between hands accurate? Predicted and actual ranks, by hands left and current rank.

    python scripts/check_final_rank.py all.hands --packs houou-2022     # recorded games (janshi records compact)
    python scripts/check_final_rank.py --games 4000 --network best.npz  # games of a network against itself

The rewards of self-play are changes in this expectation. Their sum over a game is exact whatever the model predicts;
an inaccurate model only credits the wrong hands.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from janshi.models import final_rank
from janshi.records.compact import read_compact
from janshi.rules.riichi.final import ranks
from janshi.rules.riichi.state import PLAYERS

PLACES = np.arange(1.0, PLAYERS + 1)


@dataclass(frozen=True)
class Situations:
    """Standings before hands, and how their games ended."""

    scores: Any  # int[n, 4]
    kyoku: Any
    honba: Any
    sticks: Any
    rounds: Any
    final: Any  # final ranks from 1, [n, 4]
    game: Any  # int[n]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hands", nargs="?", type=Path, help="compact file of recorded hands")
    parser.add_argument("--packs", default="", help="packs of the file, separated by commas; all if empty")
    parser.add_argument("--games", type=int, default=0, help="play this many games instead")
    parser.add_argument("--network", type=Path, help="the network that plays; by default the package's")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--out", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    if (arguments.hands is None) == (arguments.games == 0):
        parser.error("give either a file of hands or --games")
    found = recorded(arguments.hands, arguments.packs) if arguments.hands else played(arguments)
    rows = compared(found)
    print("| hands left | rank held | situations | predicted | actual (95 %) | difference in errors |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for row in rows:
        print(
            f"| {row['left']} | {row['rank']} | {row['situations']:,} | {row['predicted']:.3f} | "
            f"{row['actual']:.3f} ± {1.96 * row['error']:.3f} | {row['z']:+.1f} |"
        )
    size = sum(row["situations"] * abs(row["predicted"] - row["actual"]) for row in rows)
    print(f"mean difference {size / sum(row['situations'] for row in rows):.4f} places")
    if arguments.out:
        arguments.out.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def recorded(path: Path, packs: str) -> Situations:
    """Standings of recorded hands whose games have final ranks."""
    compact = read_compact(path)
    hands, facts = compact.hands, compact.facts
    keep = (facts["ranks"] > 0).all(1)
    names = tuple(name for name in packs.split(",") if name)
    if names:
        keep &= np.isin(facts["source"], [i for i, name in enumerate(compact.sources) if name.startswith(names)])
    if not keep.any():
        raise SystemExit(f"no hand of {packs or 'this file'} belongs to a finished game")
    rounds = np.array([rules.rounds for rules in compact.rules])[hands["rules"][keep]]
    hands, facts = hands[keep], facts[keep]
    return Situations(
        hands["scores"], hands["kyoku"], hands["honba"], hands["sticks"], rounds, facts["ranks"], facts["game"]
    )


def played(arguments: argparse.Namespace) -> Situations:
    """Standings of games that a network plays against itself, drawing its actions."""
    from janshi.core.machine import available_cores
    from janshi.learn.riichi.config import SelfPlayConfig
    from janshi.learn.riichi.run import Run
    from janshi.learn.riichi.self_play import RULES

    network = str(arguments.network or "")
    tables = 2 * max(min(arguments.games // 2, 2048), 1)
    config = SelfPlayConfig(network=network, rivals=0.0, explore=0.0, tables=tables, decisions=8 * tables, seed=77)
    run = Run(config, torch.device(arguments.device), arguments.threads or available_cores())
    run.play.fresh(0)
    parts, over = [], 0
    while over < arguments.games:
        run.play.play(config.decisions)
        ends = run.play.finished().ends
        parts.append(ends)
        over += int(ends["over"].sum())
        print(f"{over:,} games", flush=True)
    ends = np.concatenate(parts)
    game = ends["table"].astype(np.int64) << 32 | ends["game"]
    last = ends[ends["over"] == 1]
    names = last["table"].astype(np.int64) << 32 | last["game"]
    order = np.argsort(names)
    at = np.minimum(np.searchsorted(names[order], game), len(names) - 1)
    known = names[order][at] == game  # games that were cut off have no ranks
    final = (1 + ranks(last["scores"]))[order][at[known]]
    ends = ends[known]
    rounds = np.array([rules.rounds for rules in RULES[config.games]])[ends["rules"]]
    return Situations(ends["start"], ends["kyoku"], ends["honba"], ends["start_sticks"], rounds, final, game[known])


def compared(found: Situations) -> list[dict[str, Any]]:
    """Predicted and actual ranks by hands left and rank held; errors by game."""
    said = final_rank.predict(found.scores, found.kyoku, found.honba, found.sticks, found.rounds) @ PLACES
    left = np.clip(PLAYERS * found.rounds - found.kyoku.astype(np.int64), 0, 8)
    held = ranks(found.scores)
    rows = []
    for number in range(8, -1, -1):
        for rank in range(PLAYERS):
            row, seat = np.nonzero((left == number)[:, None] & (held == rank))
            if len(row) < 30:
                continue
            wrong = found.final[row, seat] - said[row, seat]
            _, game = np.unique(found.game[row], return_inverse=True)
            sums, counts = np.bincount(game, wrong - wrong.mean()), np.bincount(game)
            error = float(np.sqrt((sums**2).sum()) / counts.sum())
            rows.append(
                {
                    "left": f"{number}{' or more' if number == 8 else ''}" if number else "extra",
                    "rank": rank + 1,
                    "situations": len(row),
                    "predicted": float(said[row, seat].mean()),
                    "actual": float(found.final[row, seat].mean()),
                    "error": error,
                    "z": float(wrong.mean() / error) if error else 0.0,
                }
            )
    return rows


if __name__ == "__main__":
    main()
