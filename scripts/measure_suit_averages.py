"""Measure whether the riichi network agrees more often with experts if it looks at a position several times.

    python scripts/measure_suit_averages.py houou-2022.tar.xz --games 200 --out averages.json

The suits of mahjong can be exchanged without changing a position, so a network can be asked about the same position
under up to six names for its suits, and its chances averaged. This measures agreement with held-out experts for one,
two, three and six looks at the same decisions. It says how much an average of networks may bring, and what it costs.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from janshi.agents.learned.choice import most_probable
from janshi.agents.learned.network import shipped
from janshi.core.files import write_whole
from janshi.learn.imitation.batches import DeviceExamples, on_device, row_batches
from janshi.learn.imitation.examples import Selection
from janshi.learn.imitation.export import load_exported
from janshi.learn.imitation.measure import agreement_table
from janshi.learn.imitation.network import RiichiNet, Suits
from janshi.learn.imitation.training import FORBIDDEN
from janshi.records.compact import gather
from janshi.records.dataset import Dataset
from janshi.records.importer import import_records

LOOKS: Final = {"one look": (0,), "two looks": (0, 5), "three looks": (0, 3, 4), "six looks": (0, 1, 2, 3, 4, 5)}
"""Orders of the suits that are averaged, as `Suits` numbers them: 0 leaves suits as they are, 5 reverses them."""
SIZE: Final = 256
ROWS: Final = ("all decisions", "discards", "all, held-out players", "discards, held-out players", "perplexity")


def main() -> None:
    """Rebuild decisions, ask, and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", help="held-out games: files, folders or archives")
    parser.add_argument("--network", type=Path, help="exported network; by default the package's")
    parser.add_argument("--sample", type=int, default=60_000, help="decisions to measure on")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    device = torch.device("cpu")
    with tempfile.TemporaryDirectory() as place:
        import_records(arguments.games, Path(place) / "data", workers=1)
        compact = gather(Dataset(Path(place) / "data"))
        test = on_device(compact, Selection("test", "all"), device, arguments.threads).sample(arguments.sample, seed=1)
    net = load_exported(arguments.network or shipped("apprentice", "riichi")).to(device).eval()
    began, chances = time.monotonic(), {}
    for order in sorted({order for orders in LOOKS.values() for order in orders}):
        chances[order] = chances_of(net, test, order)
        print(f"order {order} asked, {time.monotonic() - began:.0f} s", flush=True)
    found = {name: shares([chances[order] for order in orders], test) for name, orders in LOOKS.items()}
    one = found["one look"]["right"]
    for name, row in found.items():
        more = row.pop("right").astype(float) - one
        row["more right, %"] = [100 * float(more.mean()), 196 * float(more.std() / len(more) ** 0.5)]
        print(name, row)
    if arguments.out:
        write_whole(arguments.out, json.dumps({"decisions": len(test), "looks": found}, indent=1).encode())


def chances_of(net: RiichiNet, examples: DeviceExamples, order: int) -> torch.Tensor:
    """The chances of all actions, in the position's own names, with its suits in some order: float16 (n, 120)."""
    suits, parts = Suits(), []
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        for rows in row_batches(len(examples), SIZE, torch.device("cpu")):
            inputs, drawn = examples.inputs[rows].long(), examples.drawn[rows].long()
            legal = examples.batch(rows).legal
            inputs = suits.inputs[order][inputs]
            drawn = torch.where(drawn >= 0, suits.tiles[order][drawn.clamp(min=0)], drawn)
            logits = net(inputs, drawn).policy.float()[:, suits.actions[order]]
            parts.append(logits.masked_fill(~legal, FORBIDDEN).softmax(1).half())
    return torch.cat(parts)


def shares(looks: list[torch.Tensor], examples: DeviceExamples) -> dict[str, Any]:
    """Agreement by averaged chances, and which decisions are right."""
    chances = torch.stack(looks).float().mean(0)
    done = torch.from_numpy(examples.facts["action"].astype(np.int64))
    said = {
        "action": most_probable(chances.numpy(), examples.drawn.numpy()),
        "log_chance": chances.gather(1, done[:, None])[:, 0].clamp(min=1e-9).log().numpy(),
    }
    table = agreement_table(said, examples)
    right = said["action"] == examples.facts["action"]
    return {"right": right, **{name: table[name]["share"] for name in ROWS if name in table}}


if __name__ == "__main__":
    main()
