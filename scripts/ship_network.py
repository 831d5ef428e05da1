"""Ship the network of a finished imitation run in the package, with its model card, and write its figures to docs.

    python scripts/ship_network.py RUN --games 22776 --decisions 11818807 --seconds 461

RUN contains `network.npz` and `figures.json`, written by `janshi train imitate`. Afterwards, fit the losses to the new
network (`measure_choices.py`, `fit_losses.py`); until then it puts no value on choices.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from _page import table_of_figures, write_between
from janshi.agents.learned.network import shipped
from janshi.agents.learned.tokens import read_network
from janshi.learn.imitation.export import export, restored

DATA = (
    "{decisions:,} decisions of {games:,} recorded games (Tenhou houou tables 2009-2021 and Suphx at tokujou tables), "
    "games of 2022 and later and held-out players left out; the operator of Tenhou asks not to use logs for competing "
    "products"
)
PAGE = Path(__file__).resolve().parent.parent / "docs" / "apprentice.md"
BEGIN, END = "<!-- agreement: begin -->", "<!-- agreement: end -->"
ROWS = {
    "all decisions": "all",
    "all decisions as actions": "all, as actions",
    "discards": "discards",
    "discards as actions": "discards, as actions",
    "discards, forced ones too": "discards, forced ones too",
    "discards, no threat": "discards, no threat",
    "discards after a riichi": "discards after a riichi",
    "all, last hand": "all, last hand of the game",
    "riichi, yes or no": "riichi: yes or no",
    "chi, yes or no": "chi: yes or no",
    "pon, yes or no": "pon: yes or no",
    "kan possible": "a kan is possible",
    "win possible": "a win is possible",
    "all, held-out players": "all, held-out players",
    "discards, held-out players": "discards, held-out players",
}
"""Rows of the table of agreement, and their names on the page."""
HIDDEN = {
    "tenpai AUC": "tenpai, area under the curve",
    "waits AUC": "waits of a tenpai opponent, area under the curve",
    "hand value MSE (log)": "value of a win on a kind, mean squared error of the logarithm",
    "own rank log loss": "own final rank, log loss",
}
LICENSE = "Apache-2.0 (the weights); the games themselves are not part of the package"


def tables(figures: dict[str, Any]) -> str:
    """Tables of agreement, and of what the network knows about hidden hands."""
    agreement = figures["agreement"]
    rows = [
        [text, f"{100 * agreement[name]['share']:.2f}", f"{agreement[name]['decisions']:,}"]
        for name, text in ROWS.items()
    ]
    hidden = [[text, f"{figures['hidden'][name]:.3f}"] for name, text in HIDDEN.items()]
    hidden.append(["perplexity of the policy", f"{agreement['perplexity']['share']:.3f}"])
    by_heart = 100 * figures["agreement with what it learned from"]
    return "\n\n".join(
        [
            table_of_figures(["decisions", "agreement, %", "number"], rows),
            f"It agrees with {by_heart:.2f} % of a sample of what it learned from.",
            table_of_figures(["what it knows of hidden hands", "figure"], hidden),
        ]
    )


def main() -> None:
    """Read the run, write the package's file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of the finished run")
    parser.add_argument("--games", type=int, required=True, help="recorded games that it was trained on")
    parser.add_argument("--decisions", type=int, required=True, help="decisions that it was trained on")
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
    write_between(PAGE, BEGIN, END, f"\n{tables(figures)}\n")
    print(f"wrote {path}: {path.stat().st_size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
