"""Play a riichi network against three copies of another on this device, on duplicate walls.

    python scripts/measure_selfplay.py runs/selfplay/best.npz --games 20000 --values runs/selfplay --out match.json

With `--values RUN`, ranks are also given without luck, by the values of draws of a self-play run; the games of the
match are new to them.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import torch

from janshi.agents.learned.network import shipped
from janshi.core.machine import available_cores
from janshi.learn.imitation.export import load_exported
from janshi.learn.riichi.config import SelfPlayConfig
from janshi.learn.riichi.match import Match
from janshi.learn.riichi.networks import DrawValues
from janshi.learn.riichi.run import read_state, read_tensors


def main() -> None:
    """Play the match, print it, and write its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("candidate", type=Path, help="exported network")
    parser.add_argument("--against", type=Path, help="exported network of the three others; by default the package's")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--rules", choices=("mixed", "east", "south"), default="mixed")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--values", type=Path, help="folder of a self-play run")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--out", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    device = torch.device(arguments.device)
    candidate = load_exported(arguments.candidate).to(device)
    rival = load_exported(arguments.against or shipped("apprentice", "riichi")).to(device)
    values = values_of(arguments.values, device) if arguments.values else None
    began = time.monotonic()
    match = Match(candidate, rival, device, values=values, threads=arguments.threads or available_cores())
    result = match.play(arguments.games, arguments.seed, arguments.rules)
    seconds = time.monotonic() - began
    print(f"{arguments.candidate.name} against three: {result} in {seconds:.0f} s")
    for name, value in result.style.items():
        print(f"{name:10} {value:.4g}")
    if arguments.out:
        facts = {"candidate": arguments.candidate.name, "seed": arguments.seed, "rules": arguments.rules}
        text = json.dumps({**facts, "seconds": round(seconds, 1), **result.to_json()}, indent=1)
        arguments.out.write_text(text + "\n", encoding="utf-8")


def values_of(folder: Path, device: torch.device) -> Any:
    """The values of draws of a run."""
    state = read_state(folder)
    values = DrawValues(SelfPlayConfig.from_json(state["config"])).to(device).eval()
    values.load_state_dict(read_tensors(folder / state["saved"] / "rest.pt", device)["draws"])
    return values


if __name__ == "__main__":
    main()
