"""Train one-player mahjong from a data set of recorded games, and measure it on the test pack.

    janshi records import PACKS... --out DATA
    python scripts/train_one_player.py DATA
    python scripts/train_one_player.py DATA --measure

Weights go into the package (`--out` chooses another folder). `--measure` trains nothing: it asks how often the shipped
model, and the players `greedy` and `careful` beside it, discard and call as the experts of the test pack.
"""

from __future__ import annotations

import argparse
import time
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.registry import make_agent
from janshi.features import hand_pattern
from janshi.fitting.data import TEST_PACK
from janshi.fitting.one_player.agreement import Chooser, measure_calls, measure_discards
from janshi.fitting.one_player.training import OnePlayerConfig, OnePlayerTrainer
from janshi.models.one_player import NAME, shipped
from janshi.models.store import FOLDER, save
from janshi.records.dataset import Dataset
from janshi.rules.registry import make_game
from janshi.rules.riichi import actions as act

GAME = make_game("riichi/tenhou")


def train(dataset: Dataset, config: OnePlayerConfig, out: Path, report: Any) -> None:
    """Train the model and write it."""
    start = time.process_time()
    trainer = OnePlayerTrainer(config)
    trainer.run(dataset, report)
    card = {
        "model": NAME,
        "feature version": hand_pattern.VERSION,
        "rules": "riichi/tenhou",
        "training data": f"all packs of the shared records but {TEST_PACK}; games of the validation split left out",
        "positions": "no opponent in riichi or with three melds, or the player won the hand",
        "trained": date.today().isoformat(),
        "seconds": round(time.process_time() - start),
        "command": "python scripts/train_one_player.py DATA",
        "config": config.describe(),
        "discards": trainer.discards.positions,
        "calls": trainer.calls.positions,
    }
    weights = {"weights": trainer.discards.means.astype(np.float16), "calls": trainer.calls.means.astype(np.float16)}
    save(out / f"{NAME}.npz", weights, card)


def answers(agent: Agent) -> Chooser:
    """An agent's actions."""
    return lambda views: agent.act(Asked(GAME, views, np.zeros(len(views), np.uint64), np.arange(len(views))))


def kinds(agent: Agent) -> Chooser:
    """The kinds that an agent discards."""

    def choose(views: Any) -> Any:
        actions = answers(agent)(views)
        tiles = np.where(actions == act.TSUMOGIRI, views["drawn"], actions)
        return np.where(tiles >= 34, 9 * (tiles - 34) + 4, tiles)

    return choose


def measure(dataset: Dataset, report: Any) -> None:
    """Print how often the model and other players do as experts."""
    players: dict[str, Chooser] = {"one_player": shipped().discards}
    players |= {name: kinds(make_agent(name, GAME)) for name in ("greedy", "careful")}
    for line in measure_discards(dataset, players).lines():
        report(line)
    for name in ("one_player", "careful"):
        for words, threat in (("all", None), ("no threat", False)):
            report(
                f"calls of {name}, {words}: {measure_calls(dataset, answers(make_agent(name, GAME)), threat).line()}"
            )


def main() -> None:
    """Read arguments; train or measure."""
    defaults = OnePlayerConfig()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data set")
    parser.add_argument("--measure", action="store_true", help="measure the shipped model instead of training")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder for the model")
    parser.add_argument("--method", choices=("softmax", "perceptron"), default=defaults.method)
    parser.add_argument("--seed", type=int, default=defaults.seed)
    parser.add_argument("--rates", type=float, nargs="+", default=defaults.rates, help="rate of each pass")
    parser.add_argument("--every", type=int, default=1, help="read every n-th shard only: a quick trial")
    args = parser.parse_args()
    start = time.monotonic()

    def report(text: str) -> None:
        print(f"{time.monotonic() - start:6.0f} s  {text}", flush=True)

    dataset = Dataset(args.data)
    if args.measure:
        measure(dataset, report)
        return
    args.out.mkdir(parents=True, exist_ok=True)
    train(dataset, OnePlayerConfig(args.seed, tuple(args.rates), args.method, (0, args.every)), args.out, report)


if __name__ == "__main__":
    main()
