"""Make the network of a finished imitation run the one of the package, with its model card.

    python scripts/ship_network.py RUN --games 22776 --decisions 11818807 --seconds 461

RUN holds `network.npz` and `figures.json`, as `janshi train imitate` writes them. Afterwards fit the losses to the new
network (`measure_choices.py`, `fit_losses.py`): without that it puts no value on choices.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from janshi.agents.learned.network import shipped
from janshi.agents.learned.tokens import read_network
from janshi.learn.imitation.export import export, restored

DATA = (
    "{decisions:,} decisions of {games:,} recorded games (Tenhou houou tables 2009-2021 and Suphx at tokujou tables), "
    "games of 2022 and later and held-out players left out; the operator of Tenhou asks not to use logs for competing "
    "products"
)
LICENSE = "Apache-2.0 (the weights); the games themselves are not part of the package"


def main() -> None:
    """Read the run, write the package's file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of the finished run")
    parser.add_argument("--games", type=int, required=True, help="recorded games that it learned from")
    parser.add_argument("--decisions", type=int, required=True, help="decisions that it learned from")
    parser.add_argument("--seconds", type=int, required=True, help="time of learning")
    parser.add_argument("--machine", default="one NVIDIA H200")
    args = parser.parse_args()
    arrays, card = read_network(args.run / "network.npz")
    figures = json.loads((args.run / "figures.json").read_text(encoding="utf-8"))
    changed = " ".join(
        f"--set {name}={card['config'][name]}" for name in ("optimiser", "rate", "width", "heads", "hidden")
    )
    facts = {
        "name": "apprentice",
        "learned from": DATA.format(decisions=args.decisions, games=args.games),
        "license": LICENSE,
        "command": f"python scripts/train_imitation.py all.hands RUN --set steps={card['config']['steps']} {changed}",
        "cost": f"{card['config']['steps']:,} steps, {args.seconds} s of learning on {args.machine}",
        "agreement with what it learned from": round(figures["agreement with what it learned from"], 4),
        "held-out houou-2022": {
            name: {"share": round(row["share"], 4), "decisions": row["decisions"]}
            for name, row in figures["agreement"].items()
        },
        "hidden hands": {name: round(value, 4) for name, value in figures["hidden"].items()},
    }
    path = shipped("apprentice", "riichi")
    export(restored(arrays, card), path, facts)
    print(f"wrote {path}: {path.stat().st_size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
