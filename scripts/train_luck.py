"""Train and freeze a value function for luck (needs PyTorch: `pip install 'janshi[learn]'`).

    python scripts/train_luck.py --data DATA --out RUN                          # on recorded games
    python scripts/train_luck.py --self-play 20000 --start luck.npz --out RUN   # on games of our own players
    python scripts/train_luck.py --stream 15 --minutes 5 --device cuda --out RUN   # on games as they are played

A run that is started again continues where it stopped; `--minutes` limits its time. It first trains a critic;
`--variance N` then takes N steps of Algorithm 1. The result is RUN/luck.npz: weights with a card, a hash, and the
fingerprints of all games it was trained on.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import torch

from janshi.luck.fitting.self_play import self_play
from janshi.luck.fitting.streaming import StreamConfig, StreamTrainer
from janshi.luck.fitting.training import CriticConfig, CriticTrainer, Report, Trainer
from janshi.luck.fitting.variance import VarianceConfig, reduce_variance
from janshi.luck.games import PlayedGames, games_of_dataset, join_played
from janshi.luck.measure import score_games
from janshi.luck.network import Weights
from janshi.luck.outcomes import gains_of_hands
from janshi.luck.types import DRAW, PLACES, ScoredGames
from janshi.luck.value import AGENTS, PEOPLE, SEEDS, ValueFunction, fingerprints, on_device
from janshi.records.dataset import Dataset

VALIDATED = 400
"""Number of games on which a result is tested."""
OWN_SEED, OTHER_SEED = 20_220, 77


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a data set of records (`janshi records import`)")
    parser.add_argument("--part", type=float, default=1.0, help="share of the recorded games to train on")
    parser.add_argument("--self-play", type=int, default=0, help="games of our own players to train on")
    parser.add_argument(
        "--stream",
        type=int,
        default=0,
        help="processes that play games while earlier ones are learned from, for --minutes",
    )
    parser.add_argument("--own-seed", type=int, default=OWN_SEED, help="seed of self-play")
    parser.add_argument(
        "--rules", nargs="*", default=["riichi/tenhou", "riichi/tenhou_east"], help="rules of self-play"
    )
    parser.add_argument("--start", type=Path, help="weights to start from")
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument(
        "--minutes", type=float, default=float("inf"), help="stop after this many minutes; start again to continue"
    )
    parser.add_argument("--variance", type=int, default=0, help="steps of Algorithm 1 after the critic")
    parser.add_argument("--draws-only", action="store_true", help="Algorithm 1 on draws alone, as in the paper")
    parser.add_argument("--version", default="1", help="name of the result")
    for name, default in asdict(CriticConfig()).items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(default, bool):
            parser.add_argument(option, action="store_true")
        else:
            parser.add_argument(option, type=type(default), default=default)
    args = parser.parse_args()
    if args.data is None and not args.self_play and not args.stream:
        parser.error("nothing to train on: give --data, --self-play or both, or --stream")
    if args.stream and (args.data is not None or args.self_play or args.variance):
        parser.error("--stream plays its own games: it cannot be combined with --data, --self-play or --variance")
    if args.stream and args.minutes == float("inf"):
        parser.error("--stream needs --minutes")
    return args


def games_of(args: argparse.Namespace) -> tuple[PlayedGames, PlayedGames, dict[str, Any]]:
    """Games to train on, games to test the result on, and their description for the card."""
    parts, tried = [], []
    facts: dict[str, Any] = {}
    if args.data is not None:
        games = games_of_dataset(Dataset(args.data), split="train")
        if not len(games):
            raise SystemExit(f"{args.data} has no finished game of the train split to learn from")
        games = games.select(0, max(1, round(args.part * len(games))))
        parts.append(games)
        tried.append(games_of_dataset(Dataset(args.data), split="validation"))
        facts["records"] = f"{len(games):,} games, {len(games.hands):,} hands of the train split (before 2022)"
    if args.self_play:
        each = -(-args.self_play // len(args.rules))
        own = [self_play(rules, each, args.own_seed + i) for i, rules in enumerate(args.rules)]
        parts += own
        tried.append(own_tried(args))
        count, hands = sum(len(games) for games in own), sum(len(games.hands) for games in own)
        facts["self-play"] = (
            f"{count:,} games, {hands:,} hands of careful, greedy and one_player, {', '.join(args.rules)}"
        )
    return join_played(parts), join_played(tried), facts


def own_tried(args: argparse.Namespace) -> PlayedGames:
    """Games of our own players on which a result is tested."""
    return join_played([self_play(rules, VALIDATED // 2, OTHER_SEED) for rules in dict.fromkeys(args.rules)])


def ratios(scored: ScoredGames) -> dict[str, float]:
    """Ratios of the variance of adjusted ranks to that of ranks."""
    ranks = scored.ranks
    found = {}
    for name, kinds in (("draws", (DRAW,)), ("all", (0, 1, 2, 3, 4))):
        luck = scored.luck_of_games(kinds)[:, PLACES]
        found[name] = round(float((ranks + luck).var(ddof=1) / ranks.var(ddof=1)), 4)
    return found


def try_out(weights: Weights, tried: PlayedGames, device: str) -> dict[str, float]:
    """Variance ratios on held-out games."""
    there, threads = (None, 1) if device == "cpu" else (device, os.cpu_count() or 1)
    return ratios(score_games(tried, on_device(ValueFunction(weights), there), threads=threads))


def main() -> None:
    """Train, test and freeze."""
    args = parse()
    begun = time.monotonic()

    def report(text: str) -> None:
        print(f"{time.monotonic() - begun:6.0f} s  {text}", flush=True)

    config = CriticConfig(**{name: getattr(args, name) for name in asdict(CriticConfig())})
    start = None if args.start is None else ValueFunction.load(args.start)
    torch.backends.cuda.matmul.allow_tf32 = True
    frozen = train_on_stream(args, config, start, report) if args.stream else train(args, config, start, report)
    if frozen is not None:
        frozen.save(args.out / "luck.npz")
        report(f"frozen as {args.out / 'luck.npz'}: {frozen.name}")


def train(
    args: argparse.Namespace, config: CriticConfig, start: ValueFunction | None, report: Report
) -> ValueFunction | None:
    """Train on stored games; returns None if time ran out before the end."""
    games, tried, facts = games_of(args)
    report("; ".join(f"{name}: {text}" for name, text in facts.items()))
    trainer = CriticTrainer(config, games, args.out)
    take_start(trainer, start, facts)
    if not trainer.run(args.minutes, report):
        report(f"stopped after {args.minutes:g} minutes; run it again to continue")
        return None
    critic = final = try_out(trainer.network.weights(), tried, config.device)
    report(f"critic on {len(tried)} games: variance ratios {critic}")
    if args.variance:
        settings = VarianceConfig(seed=config.seed, steps=args.variance, draws_only=args.draws_only)
        reduce_variance(trainer.network.cpu(), games, settings, report)
        facts["algorithm 1"] = asdict(settings)
        final = try_out(trainer.network.weights(), tried, config.device)
        report(f"at the end: variance ratios {final}")
    known = fingerprints(games)
    value = ValueFunction(
        trainer.network.weights(), trained=known if start is None else np.union1d(known, start.trained)
    )
    value.card = card_of(args, trainer, facts, tried, critic, final)
    return value


def train_on_stream(
    args: argparse.Namespace, config: CriticConfig, start: ValueFunction | None, report: Report
) -> ValueFunction:
    """Train on games as they are played."""
    stream = StreamConfig(tuple(args.rules), args.own_seed, workers=args.stream)
    trainer = StreamTrainer(config, stream, args.out)
    facts: dict[str, Any] = {}
    take_start(trainer, start, facts)
    trainer.run(args.minutes, report)
    seen = trainer.seen
    facts["self-play"] = (
        f"{seen['games']:,} games, {seen['hands']:,} hands of careful, greedy and one_player, each learned from once, "
        f"{', '.join(dict.fromkeys(args.rules))}"
    )
    tried = own_tried(args)
    found = try_out(trainer.network.weights(), tried, config.device)
    report(f"at the end, on {len(tried)} games: variance ratios {found}")
    value = ValueFunction(trainer.network.weights(), trained=None if start is None else start.trained)
    value.card = card_of(args, trainer, facts, tried, found, found)
    seeds = [] if start is None else start.seeds
    value.card[SEEDS] = sorted({*seeds, args.own_seed})
    return value


def take_start(trainer: Trainer, start: ValueFunction | None, facts: dict[str, Any]) -> None:
    """Start with the weights of another value function, if one is given."""
    if start is not None:
        facts["started from"] = {"value function": start.name, **start.card.get("training data", {})}
        if trainer.done == 0:
            trainer.network.take(start.weights)


def card_of(
    args: argparse.Namespace,
    trainer: Trainer,
    facts: dict[str, Any],
    tried: PlayedGames,
    critic: dict[str, float],
    final: dict[str, float],
) -> dict[str, Any]:
    """The card of a value function."""
    return {
        "model": PEOPLE if args.data is not None else AGENTS,
        "version": args.version,
        "trained": date.today().isoformat(),
        "command": " ".join(["python scripts/train_luck.py", *_told(sys.argv[1:])]),
        "config": asdict(trainer.config),
        "training data": facts,
        "minutes": round(trainer.seconds / 60, 1),
        "variance ratio on validation games": {"games": len(tried), "critic": critic, "end": final},
        "variance of a hand": round(float(np.square(gains_of_hands(tried)[:, PLACES]).mean()), 4),
    }


def _told(arguments: list[str]) -> list[str]:
    """Arguments for the card, with folders by name only."""
    return [Path(word).name if "/" in word and Path(word).is_absolute() else word for word in arguments]


if __name__ == "__main__":
    main()
