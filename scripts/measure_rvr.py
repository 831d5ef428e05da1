"""Measure policies trained with reward variance reduction, and write docs/rvr.md and its plots.

`--runs` is a directory with a folder for each family of rules (`simplified`, `guobiao`), which contains one folder per
run, named VARIANT-SEED, as written by `scripts/train_rvr.py`: `curves.jsonl`, `policy.npz` and, for the values,
`light.pt`.

- Matches: every policy against search models in the arena, duplicate, in all different seatings (with one policy and
  copies of one opponent, each represents several of the paper's six). They are kept in `--store` and can be continued.
  A run without `policy.npz` uses its own last measurement, which is the same kind of match.
- Values: eq. 3 on one set of hands for the value networks of basic, global and rl1 (seed 0).
- Page: tables between the marks of docs/rvr.md, plots in docs/rvr/, all figures in docs/rvr/figures.json.

    python scripts/measure_rvr.py --runs runs --store matches --walls 1000 --guobiao-walls 250
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from _rvr_page import EVERY, FOLDER, PAPER_VARIANCE, all_curves, is_seed, variant_of, write_page

HANDS = 10_000
SEED = 2022
BY_WALL = "walls.npz"
"""A run's last measurement wall by wall."""


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--store", type=Path, required=True, help="directory for the matches")
    parser.add_argument("--walls", type=int, default=1000, help="walls of a match of the simplified game")
    parser.add_argument("--guobiao-walls", type=int, default=250)
    parser.add_argument("--final-walls", type=int, default=1000, help="walls of a run's own last measurement")
    parser.add_argument("--hands", type=int, default=HANDS, help="hands on which values are measured")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--checked", type=int, default=300, help="Guobiao hands whose wins another library counts")
    parser.add_argument("--only", choices=("matches", "values", "wins", "page"), help="do only this part")
    return parser.parse_args()


def main() -> None:
    """Measure what is missing, and write the page."""
    options = parse()
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / "figures.json"
    figures: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if options.only in (None, "matches"):
        renew(figures, options)
    if options.only in (None, "values"):
        figures["values"] = values(options)
    if options.only in (None, "wins"):
        figures["wins"] = checked_wins(options.checked)
    path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if options.only in (None, "page"):
        write_page(figures)


# --- matches


def renew(figures: dict[str, Any], options: Any) -> None:
    """Replace a family's matches and curves with new ones; families without runs keep theirs.

    The comparison with an earlier budget is stored as `shorter`.
    """
    found, curves = matches(options), all_curves(options.runs)
    old = figures.setdefault("matches", {})
    if found["simplified"] and "shorter" not in figures:
        figures["shorter"] = {run: match for run, match in old.get("simplified", {}).items() if is_seed(run)}
    for family, runs in found.items():
        if runs:
            before, drawn = old.get(family, {}), figures.setdefault("curves", {}).get(family, {})
            kept = [run for run in before if family == "guobiao" or not is_seed(run)]
            old[family] = {run: before[run] for run in kept} | runs
            figures["curves"][family] = {run: drawn[run] for run in kept if run in drawn} | curves[family]
    pairs = differences(options.runs / "simplified")
    if pairs:
        figures["differences"] = pairs


def differences(runs: Path) -> dict[str, dict[str, list[float]]]:
    """Each variant minus RL-basic on the same walls: mean, and half of the 95 % interval by seed and by wall."""
    by_variant: dict[str, list[Any]] = {}
    for path in sorted(runs.glob(f"*/{BY_WALL}")):
        if is_seed(path.parent.name):
            by_variant.setdefault(variant_of(path.parent.name), []).append(np.load(path))
    base = by_variant.pop("basic", [])
    found: dict[str, dict[str, list[float]]] = {}
    for variant, own in by_variant.items():
        if len(own) > 1 and len(base) > 1:
            found[variant] = {name: difference_of(own, base, name) for name in ("points", "wins")}
    return found


def difference_of(own: Sequence[Any], base: Sequence[Any], name: str) -> list[float]:
    """The difference between two variants in a figure: mean, half-width by seed, half-width by wall."""
    from janshi.arena.stats import t_quantile

    a, b = (np.stack([one[name] for one in some]).astype(np.float64) for some in (own, base))  # (seeds, walls)
    paired, seeds = a.mean(0) - b.mean(0), [some.mean(1) for some in (a, b)]
    spread = np.sqrt(sum(one.var(ddof=1) / len(one) for one in seeds))
    by_seed = t_quantile(0.95, len(a) + len(b) - 1) * spread
    return [float(paired.mean()), float(by_seed), float(1.96 * paired.std(ddof=1) / np.sqrt(len(paired)))]


def matches(options: Any) -> dict[str, dict[str, Any]]:
    """Each policy's strength against search models, by family and run."""
    found: dict[str, dict[str, Any]] = {}
    for family, walls in (("simplified", options.walls), ("guobiao", options.guobiao_walls)):
        runs = sorted(path.parent for path in (options.runs / family).glob("*/curves.jsonl"))
        found[family] = {run.name: strength(family, run, walls, options) for run in runs}
    return found


def strength(family: str, run: Path, walls: int, options: Any) -> dict[str, Any]:
    """A run's strength: from its own last measurement, or from a match if that has too few walls."""
    if (run / "policy.npz").is_file() and walls_of(run) < walls:
        return match(family, run, walls, options)
    return last_measurement(family, run, walls_of(run) or options.final_walls)


def walls_of(run: Path) -> int:
    """Walls of a run's last measurement; 0 if unknown."""
    rows = [json.loads(line) for line in (run / "curves.jsonl").read_text(encoding="utf-8").splitlines()]
    return next((int(row.get("walls", 0)) for row in reversed(rows) if "points" in row), 0)


def last_measurement(family: str, run: Path, walls: int) -> dict[str, Any]:
    """A run's own last measurement, on this many walls from every seat: the same kind of match."""
    from janshi.rules.registry import make_game

    rows = [json.loads(line) for line in (run / "curves.jsonl").read_text(encoding="utf-8").splitlines()]
    row = next(row for row in reversed(rows) if "points" in row)
    return {
        "games": walls * make_game(family).players,
        "walls": walls,
        "af": row["points"],
        "af_error": row["points_error"],
        "wr": row["wins"],
        "wr_error": row["wins_error"],
        "draws": row["draws"],
    }


def match(family: str, run: Path, walls: int, options: Any) -> dict[str, Any]:
    """One policy against copies of the search model."""
    from janshi.arena.match import run_match
    from janshi.arena.plan import Plan
    from janshi.arena.results import DRAWS, SELF_DRAWS, WIN_FAN, WINS
    from janshi.arena.stats import mean
    from janshi.rules.registry import full_name, make_game

    rules = full_name(family)
    seats = make_game(rules).players
    contestants = (f"policy:file={run / 'policy.npz'}", "search")
    plan = Plan(rules, contestants, ((0, *[1] * (seats - 1)),), walls, SEED, "permutations")
    results = run_match(plan, options.store / family / run.name, workers=options.workers)
    own = results.seats == 0
    points = results.points[own]
    counters = results.counters[own]
    af, wr = mean(points, results.wall), mean(counters[:, WINS], results.wall)
    found = {
        "games": len(points),
        "walls": walls,
        "af": af.value,
        "af_error": af.half_width,
        "wr": wr.value,
        "wr_error": wr.half_width,
        "draws": float(counters[:, DRAWS].mean()),
        "self_draws": float(counters[:, SELF_DRAWS].mean()),
        "fan_of_win": float(counters[:, WIN_FAN].sum() / max(counters[:, WINS].sum(), 1)),
    }
    print(f"{family} {run.name}: AF {af.value:+.2f} ± {af.half_width:.2f}, WR {wr.value:.1%}", flush=True)
    return found


# --- values (eq. 3)


def values(options: Any) -> dict[str, Any]:
    """Mean squared differences of values and returns, in points², on one set of hands."""
    import torch

    torch.set_num_threads(options.workers)
    folder = options.runs / "simplified"
    trainers = {
        name: light_trainer(folder / f"{name}-0" / "light.pt")
        for name in PAPER_VARIANCE
        if (folder / f"{name}-0" / "light.pt").is_file()
    }
    if not trainers:
        return {}
    hands = None
    found: dict[str, Any] = {"hands": options.hands}
    for name, trainer in trainers.items():
        if hands is None:
            hands = offline_hands(trainers, options.hands)
        found[name] = value_errors(trainer, hands)
        print(f"values of {name}: {found[name]}", flush=True)
    return found


def light_trainer(path: Path) -> Any:
    """The networks of a light checkpoint on the CPU, at few tables."""
    from janshi.learn.checkpoint import load

    return load(path, {"device": "cpu", "threads": 1, "tables": 512, "rollout": 8192, "batch": 1024})


def offline_hands(trainers: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Hands of self-play, an equal share from each trainer's policy, as records with their results.

    The first hands to end are short, so tables play on until all started hands have ended.
    """
    found = []
    for trainer in trainers.values():
        trainer.needs_hidden = True
        hands, begun = 0, -(-count // len(trainers))
        while hands < begun:
            part = play_hands(trainer, min(512, begun - hands), SEED + hands)
            found.append(part)
            hands += part["hands"]
    return found


def play_hands(trainer: Any, hands: int, seed: int) -> dict[str, Any]:
    """Play some hands to the end by sampling the policy; returns records, players, results and decisions left."""
    import torch

    from janshi.core import rng
    from janshi.learn.ppo import choose, masked
    from janshi.learn.slots import turned
    from janshi.learn.warm_start import count_left, pack
    from janshi.rules.stepper import Stepper

    game, random = trainer.game, torch.Generator().manual_seed(seed)
    stepper = Stepper(game, hands)
    stepper.start(np.array([rng.key(np.uint64(seed), hand, 501) for hand in range(hands)], np.uint64))
    rows: list[tuple[Any, ...]] = []
    while len(stepper):
        tables, players = stepper.tables.copy(), stepper.players.copy()
        private, hidden = pack(trainer, stepper.states, tables, players)
        with torch.no_grad():
            records = torch.from_numpy(private)
            logs = masked(trainer.policy(records), trainer.encoder.masks(records))
            actions = choose(logs, torch.rand(len(records), generator=random)).numpy()
        rows.append((private, hidden, tables, players))
        stepper.step(actions)
    private, hidden, tables, players = (np.concatenate(part) for part in zip(*rows))
    left = np.zeros(len(tables), np.int64)
    count_left(tables, players, np.zeros((hands, game.players), np.int64), left)
    scores = turned(game.scores(stepper.states).astype(np.float64)[tables], players)
    some = slice(None, None, EVERY)
    return {
        "hands": hands,
        "private": private[some],
        "hidden": hidden[some],
        "scores": scores[some],
        "left": left[some],
    }


def value_errors(trainer: Any, parts: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Eq. 3 in points²: against the discounted result that values are trained on, and the result itself."""
    import torch

    scale, gamma = trainer.config.scale, trainer.config.gamma
    discounted, plain, spread, count = 0.0, 0.0, 0.0, 0
    for part in parts:
        with torch.no_grad():
            values = trainer.critic(torch.from_numpy(part["private"]), torch.from_numpy(part["hidden"]), None)
        value = values[:, 0].numpy().astype(np.float64) / scale
        result = part["scores"][:, 0]
        aim = result * gamma ** part["left"]
        discounted += float(((value - aim) ** 2).sum())
        plain += float(((value - result) ** 2).sum())
        spread += float((aim**2).sum())
        count += len(value)
    return {"discounted": discounted / count, "plain": plain / count, "nothing": spread / count, "decisions": count}


# --- wins counted by another library


def checked_wins(hands: int) -> dict[str, Any]:
    """Wins of the shipped Guobiao policy against search models, with their fan compared with PyMahjongGB's."""
    import MahjongGB

    from janshi.agents.registry import make_agent
    from janshi.rules.guobiao.table import Table
    from janshi.rules.registry import make_game

    game = make_game("guobiao/botzone")
    own, other = make_agent("rvr", game), make_agent("search", game)
    found: dict[str, Any] = {"hands": hands, "wins": 0, "agreed": 0, "fan": 0}
    kinds: Counter[str] = Counter()
    for seed in range(hands):
        table = Table(seed=SEED + seed, one_hand=True)
        while not table.hand_over:
            asked = table.asked
            table.step({p: (own if p == seed % 4 else other).answer(table.view(p)) for p in asked})
        result = table.result
        if result is not None and result.win is not None and result.win.player == seed % 4:
            found["wins"] += 1
            found["fan"] += result.win.total
            found["agreed"] += peer_fan(MahjongGB, table, result) == result.win.total
            kinds.update(fan.name for fan, _ in result.win.fans)
    found["kinds"] = dict(kinds.most_common(12))
    print(f"wins: {found}", flush=True)
    return found


def peer_fan(library: Any, table: Any, result: Any) -> int:
    """The fan of a win as PyMahjongGB counts them."""
    from janshi.core.melds import CHI, CONCEALED_KAN, PON
    from janshi.records.botzone.model import TILE_NAMES

    win, melds = result.win, []
    for meld in table.melds(win.player):
        word = "CHI" if meld.type == CHI else "PENG" if meld.type == PON else "GANG"
        offer = 0 if meld.type == CONCEALED_KAN else (meld.called - meld.kind + 1 if meld.type == CHI else 1)
        melds.append((word, TILE_NAMES[meld.tiles[1]], offer))
    hand, drawn = table.hand(win.player), win.loser is None
    if drawn:
        hand.remove(win.tile)
    last = table.tiles_left[((win.player if drawn else win.loser) + 1) % 4] == 0
    kong = bool(table.state["after_kong"] and drawn) or result.kind == "robbed kong"
    fan = library.MahjongFanCalculator(
        tuple(melds),
        tuple(TILE_NAMES[tile] for tile in hand),
        TILE_NAMES[win.tile],
        0,
        drawn,
        bool(table.state["seen"][win.tile] == 3),
        kong,
        last,
        (win.player - table.dealer) % 4,
        table.wind,
    )
    return int(sum(item[0] for item in fan))


if __name__ == "__main__":
    main()
