"""Play a riichi network against three copies of another on this device, on duplicate walls.

    python scripts/measure_selfplay.py runs/selfplay/best.npz --games 20000 --values runs/selfplay --out match.json
    python scripts/measure_selfplay.py runs/selfplay --tilt 4 8 --values runs/selfplay     # the run's averaged network

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
from janshi.learn.riichi.networks import DrawValues, Player, Tilted
from janshi.learn.riichi.run import base_network, read_state, read_tensors
from janshi.learn.riichi.values import read_values, values_file


def main() -> None:
    """Play the match, print it, and write its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("candidate", type=Path, help="exported network, or the folder of a run: its averaged network")
    parser.add_argument(
        "--tilt",
        type=float,
        nargs="+",
        default=[0.0],
        help="of a run: add its values of choices to the policy, this many logits for a unit of value; several in turn",
    )
    parser.add_argument("--against", type=Path, help="exported network of the three others; by default the package's")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--rules", choices=("mixed", "east", "south"), default="mixed")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--values", type=Path, help="folder of a self-play run, a file of values, or `package`")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    parser.add_argument("--out", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    device = torch.device(arguments.device)
    rival = load_exported(arguments.against or shipped("apprentice", "riichi")).to(device)
    values = values_of(arguments.values, device) if arguments.values else None
    found = []
    for tilt in arguments.tilt:
        began = time.monotonic()
        candidate = candidate_of(arguments.candidate, tilt, device)
        match = Match(candidate, rival, device, values=values, threads=arguments.threads or available_cores())
        result = match.play(arguments.games, arguments.seed, arguments.rules)
        seconds = time.monotonic() - began
        tilted = f", tilted by {tilt:g}" if tilt else ""
        print(f"{arguments.candidate.name}{tilted} against three: {result} in {seconds:.0f} s", flush=True)
        print(", ".join(f"{name} {value:.4g}" for name, value in result.style.items()))
        for name, gain in result.gains.items():
            print(f"  places a hand without luck, {name}: {gain.value:+.4f} [{gain.low:+.4f}, {gain.high:+.4f}]")
        facts = {"candidate": arguments.candidate.name, "tilt": tilt, "seed": arguments.seed, "rules": arguments.rules}
        found.append({**facts, "seconds": round(seconds, 1), **result.to_json()})
        if arguments.out:
            text = json.dumps(found if len(arguments.tilt) > 1 else found[0], indent=1)
            arguments.out.write_text(text + "\n", encoding="utf-8")


def candidate_of(path: Path, tilt: float, device: torch.device) -> Any:
    """The network that plays: of an exported file, or of a run, tilted by its values of choices."""
    if not path.is_dir():
        if tilt:
            raise SystemExit("--tilt needs the folder of a run")
        return load_exported(path).to(device)
    state = read_state(path)
    player = Player(base_network(SelfPlayConfig.from_json(state["config"]))).to(device).eval()
    player.load_state_dict(read_tensors(path / state["saved"] / "average.pt", device))
    return Tilted(player, tilt) if tilt else player.policy


def values_of(path: Path, device: torch.device) -> Any:
    """The values of draws of a run, of a file, or of the package."""
    draws, _, card = read_values(values_file(str(path)))
    values = DrawValues(SelfPlayConfig(**card["shape"])).to(device).eval()
    values.load_state_dict(draws)
    return values


if __name__ == "__main__":
    main()
