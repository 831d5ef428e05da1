"""Measure how much luck explains, and write the figures of docs/luck.md.

    python scripts/evaluate_luck.py --data DATA --only records        # held-out recorded games, by source of luck
    python scripts/evaluate_luck.py --data DATA --only players        # the same by player
    python scripts/evaluate_luck.py --data DATA --only ablation --values records=… self-play=…
    python scripts/evaluate_luck.py --only matches                    # repeated matches of our agents
    python scripts/evaluate_luck.py --only unbiased                   # mean luck by a random value function
    python scripts/evaluate_luck.py --only page # measure nothing, only rewrite the page

Measurements are stored in docs/luck/figures.json, section by section, and the page is written from it. Games that the
value function was trained on are refused.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from _luck_page import FOLDER, PACK, STEP_NAMES, write_page
from _page import this_machine, today
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.units import Options
from janshi.luck.evaluation import STEPS, luck_figures, step_figures, unknown_games
from janshi.luck.fitting.self_play import self_play
from janshi.luck.games import PlayedGames, games_of_dataset
from janshi.luck.matches import games_of_match, score_match
from janshi.luck.measure import score_games
from janshi.luck.network import Weights, shapes
from janshi.luck.significance import (
    judge_player,
    weighted_ratio,
)
from janshi.luck.types import KIND_NAMES, PLACES, ScoredGames
from janshi.luck.value import AGENTS, ValueFunction, on_device, shipped
from janshi.records.dataset import Dataset

FIGURES = FOLDER / "figures.json"
DRAWS, ALL = STEP_NAMES[0], STEP_NAMES[-1]
MANY = 500
SOME = 50
REPEATED = 250
"""Number of repeated matches used to estimate the spread of results."""
MATCH_SEED = 31
MATCHES = (("careful", "greedy"), ("careful", "one_player"))


# --- measuring


def held_out(games: PlayedGames, value: ValueFunction) -> PlayedGames:
    """The games, if the value function has never seen one of them."""
    fresh = unknown_games(games, value)
    if len(fresh) < len(games):
        raise SystemExit(f"{value.name} was trained on {len(games) - len(fresh)} of these games; nothing is measured")
    return games


def scored_pack(args: argparse.Namespace, pack: str, value: ValueFunction) -> ScoredGames:
    """A held-out pack of records, scored."""
    games = held_out(games_of_dataset(Dataset(args.data), split="test", pack=pack), value)
    if args.games:
        games = games.select(0, args.games)
    return score_games(games, value, threads=args.threads, watch=progress(len(games.hands)))


def progress(hands: int) -> Callable[[int], None]:
    """Print the progress of scoring at intervals."""
    last = [time.monotonic()]

    def watch(done: int) -> None:
        if time.monotonic() - last[0] > 20:
            last[0] = time.monotonic()
            print(f"  {done:,} of {hands:,} hands", file=sys.stderr, flush=True)

    return watch


def measure_records(args: argparse.Namespace) -> dict[str, Any]:
    """Held-out recorded games: variance by source, the paper's tests and sharper ones."""
    value = shipped()
    started = time.monotonic()
    scored = scored_pack(args, PACK, value)
    seconds = time.monotonic() - started
    return {
        "value": value.name,
        **luck_figures(scored),
        "games a second": len(scored.ranks) / seconds,
        "threads": args.threads,
    }


def measure_players(args: argparse.Namespace) -> dict[str, Any]:
    """Players of the test games, each by their own games."""
    value = shipped()
    rows: list[tuple[str, float, float, float, int]] = []
    for number, pack in enumerate((PACK, "tokujou-luckyj")):
        scored = scored_pack(args, pack, value)
        draws, whole = (scored.luck_of_games(kinds)[:, PLACES] for kinds in (STEPS[DRAWS], STEPS[ALL]))
        for game, names in enumerate(scored.names):
            for seat, name in enumerate(names):
                rank = float(scored.ranks[game, seat])
                found = (rank + float(draws[game, seat]), rank + float(whole[game, seat]))
                rows.append((name, rank, *found, game + 1_000_000 * number))
    names = np.array([row[0] for row in rows])
    numbers = np.array([row[1:4] for row in rows])
    games = np.array([row[4] for row in rows])
    kept, counts = np.unique(names, return_counts=True)
    found = {}
    for least in (MANY, SOME):
        chosen = np.isin(names, kept[counts >= least])
        if not chosen.any():
            continue
        players = sorted(set(names[chosen].tolist()))
        tests = [judge_player(name, *numbers[names == name][:, [0, 2]].T, 0.08) for name in players]
        found[str(least)] = {
            "players": len(players),
            "games": int(chosen.sum()),
            "draws": _estimate(weighted_ratio(numbers[chosen, 0], numbers[chosen, 1], names[chosen], games[chosen])),
            "all": _estimate(weighted_ratio(numbers[chosen, 0], numbers[chosen, 2], names[chosen], games[chosen])),
            "significant": sum(bool(test.variances.significant) for test in tests),
            "below one": sum(test.variances.ratio < 1 for test in tests),
        }
    biggest = kept[np.argsort(-counts)[:1]].tolist()
    alone = {}
    for name in biggest:
        mine = numbers[names == name]
        alone[name] = {
            "games": len(mine),
            "rank": [float(mine[:, 0].mean()), 1.96 * float(mine[:, 0].std(ddof=1)) / len(mine) ** 0.5],
            "without luck": [float(mine[:, 2].mean()), 1.96 * float(mine[:, 2].std(ddof=1)) / len(mine) ** 0.5],
        }
    return {"value": value.name, "groups": found, "alone": alone}


def _estimate(estimate: Any) -> list[float]:
    return [float(estimate.value), float(estimate.low), float(estimate.high)]


def measure_ablation(args: argparse.Namespace) -> dict[str, Any]:
    """The same test games with differently trained value functions."""
    found: dict[str, Any] = {}
    for text in args.values:
        name, _, path = text.partition("=")
        value = ValueFunction.load(Path(path))
        scored = scored_pack(args, PACK, value)
        found[name] = {
            "value": value.name,
            "data": value.card.get("training data", {}),
            "minutes": value.card.get("minutes"),
            "games": len(value.trained),
            "steps": {step: step_figures(scored, kinds) for step, kinds in STEPS.items()},
        }
        print(name, found[name]["steps"][ALL]["ratio"], flush=True)
    return found


def measure_matches(args: argparse.Namespace) -> dict[str, Any]:
    """Repeated matches of our agents: the spread of results on plain and duplicate walls, raw and adjusted."""
    found: dict[str, Any] = {"games": 4 * args.walls, "repeats": args.repeats, "value": shipped(AGENTS).name}
    if MATCH_SEED in shipped(AGENTS).seeds:
        raise SystemExit(f"{found['value']} was trained on games of seed {MATCH_SEED}; nothing is measured on them")
    for first, second in MATCHES:
        spreads: dict[str, list[float]] = {}
        for name, seating, walls in (("plain", "independent", 4 * args.walls), ("duplicate", "rotations", args.walls)):
            plan = Plan(
                "riichi/tenhou_east", (first, second), ((0, 1, 1, 1),), walls * args.repeats, MATCH_SEED, seating
            )
            raw, adjusted, wall = match_results(plan, args)
            part = wall // walls
            means = np.array([[c[part == i].mean() for i in range(args.repeats)] for c in (raw, adjusted)])
            for kind, column, games in (("", means[0], raw), (", luck taken out", means[1], adjusted)):
                spreads[name + kind] = [float(games.mean()), float(column.std(ddof=1)), *spread_interval(column)]
        found[f"{first} – three {second}"] = spreads
        print(first, second, spreads, flush=True)
    return found


def match_results(plan: Plan, args: argparse.Namespace) -> tuple[Any, Any, Any]:
    """For each game, the first contestant's rank, the rank without luck, and the wall set."""
    results = run_match(plan, workers=args.threads, options=Options(keep_actions=True))
    played = games_of_match(plan, results)
    value = on_device(shipped(AGENTS), args.device)
    _, luck = score_match(plan, played, value, threads=args.threads, watch=progress(len(played.hands)))
    seat, rows = (results.seats == 0).argmax(1), np.arange(len(results))
    raw = results.ranks[rows, seat].astype(np.float64)
    return raw, raw + luck[rows, PLACES, seat], results.wall


def spread_interval(column: Any) -> list[float]:
    """A 95 % interval of a standard deviation, from the spread of the squares."""
    squares = np.square(column - column.mean())
    error = squares.std(ddof=1) / np.sqrt(len(squares))
    variance = column.var(ddof=1)
    return [float(np.sqrt(max(variance - 1.96 * error, 0.0))), float(np.sqrt(variance + 1.96 * error))]


def measure_unbiased(args: argparse.Namespace) -> dict[str, Any]:
    """Mean luck by a random value function, over many simulated hands."""
    rng = np.random.default_rng(9)
    made = {n: rng.normal(0, 1 / np.sqrt(s[0]), s).astype(np.float32) for n, s in shapes(24, 16, 16).items()}
    made["out"] *= 3
    value = ValueFunction(Weights(**made))
    count = np.zeros(len(KIND_NAMES))
    total, squares = np.zeros((len(KIND_NAMES), 4)), np.zeros((len(KIND_NAMES), 4))
    hands, seed = 0, 0
    while hands < args.hands:
        games = self_play("riichi/tenhou_east", 1600, 500 + seed)
        scored = score_games(games, value, threads=args.threads)
        hands, seed = hands + len(games.hands), seed + 1
        for kind in range(len(KIND_NAMES)):
            luck = scored.events["luck"][scored.events["kind"] == kind][:, PLACES].astype(np.float64)
            count[kind] += len(luck)
            total[kind] += luck.sum(0)
            squares[kind] += np.square(luck).sum(0)
        print(f"{hands:,} of {args.hands:,} hands", file=sys.stderr, flush=True)
    found = {}
    for kind, name in enumerate(KIND_NAMES):
        n = max(count[kind], 1)
        mean, error = total[kind] / n, np.sqrt(squares[kind] / n / n)
        found[name] = {"events": int(count[kind]), "mean": mean.tolist(), "error": error.tolist()}
    return {"hands": hands, "kinds": found}


SECTIONS: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {
    "records": measure_records,
    "players": measure_players,
    "ablation": measure_ablation,
    "matches": measure_matches,
    "unbiased": measure_unbiased,
}


def main() -> None:
    """Measure a section and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a data set of all records (`janshi records import`)")
    parser.add_argument("--only", choices=[*SECTIONS, "page"], required=True, help="what to measure")
    parser.add_argument("--values", nargs="*", default=[], help="of the ablation: NAME=FILE, …")
    parser.add_argument("--games", type=int, default=0, help="maximum number of games of a pack")
    parser.add_argument("--hands", type=int, default=100_000, help="of the unbiased section")
    parser.add_argument("--walls", type=int, default=2, help="wall sets of a repeated match")
    parser.add_argument("--repeats", type=int, default=REPEATED, help="matches that are repeated")
    parser.add_argument("--threads", type=int, default=1, help="threads, and processes that play matches")
    parser.add_argument("--device", help="score matches with PyTorch on this device, such as cuda")
    args = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    figures = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    if args.only != "page":
        if args.data is None and args.only in ("records", "players", "ablation"):
            parser.error("--data is needed")
        arguments = ["=".join(Path(p).name if "/" in p else p for p in word.split("=")) for word in sys.argv[1:]]
        figures[args.only] = SECTIONS[args.only](args) | {
            "date": today(),
            "machine": this_machine(),
            "command": " ".join(["python scripts/evaluate_luck.py", *arguments]),
        }
        partial = FIGURES.with_suffix(".part")
        partial.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        partial.replace(FIGURES)
    write_page(figures)


if __name__ == "__main__":
    main()
