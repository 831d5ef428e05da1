"""Measure trained policies of reward variance reduction and write docs/rvr.md with its plots.

`--runs` is a directory with a folder for each family of rules (`simplified`, `guobiao`), and in it one for each run,
named VARIANT-SEED, as `scripts/train_rvr.py` leaves them: `curves.jsonl`, `policy.npz`, for the values `light.pt`.

- Matches: every policy against search models by the arena, duplicate, all different seatings (of one policy and copies
  of one opponent each stands for several of the paper's six). They are kept in `--store` and go on where they stopped.
- Values: eq. 3 on one set of hands for the value networks of basic, global and rl1 (seed 0).
- Page: tables between the marks of docs/rvr.md, plots in docs/rvr/, all figures in docs/rvr/figures.json.

    python scripts/measure_rvr.py --runs runs --store matches --walls 1000 --guobiao-walls 250
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from janshi.models.plot import Axis, Line, chart

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE, FOLDER = DOCS / "rvr.md", DOCS / "rvr"
FIRST, LAST = "<!-- figures -->", "<!-- end of figures -->"
COMMAND = "python scripts/measure_rvr.py"
NAMES = {"basic": "RL-basic", "global": "RL-global", "rl1": "RL-1", "rl2": "RL-2", "rl3": "RL-3", "rl4": "RL-4 (ours)"}
PLOTTED = ("basic", "rl1", "rl2", "rl3", "rl4")
PAPER = {"rl1": ("+6.94 %", "+3.96 %"), "rl2": ("+4.10 %", "+1.43 %"), "rl3": ("+7.46 %", "+4.91 %")}
"""AF and WR over RL-basic in the simplified game (paper 4, table II)."""
PAPER_VARIANCE = {"basic": 6.36, "global": 5.59, "rl1": 4.44}
PAPER_MINUTES = 3 * 24 * 60
HANDS = 10_000
EVERY = 5
"""Values are asked at every so many decisions of the hands."""
SEED = 2022


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--store", type=Path, required=True, help="directory for the matches")
    parser.add_argument("--walls", type=int, default=1000, help="walls of a match of the simplified game")
    parser.add_argument("--guobiao-walls", type=int, default=250)
    parser.add_argument("--hands", type=int, default=HANDS, help="hands on which values are measured")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--checked", type=int, default=300, help="Guobiao hands whose wins another library counts")
    parser.add_argument("--only", choices=("matches", "values", "wins", "page"), help="do one part of it")
    return parser.parse_args()


def main() -> None:
    """Measure what is not measured yet, and write the page."""
    options = parse()
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / "figures.json"
    figures: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if options.only in (None, "matches"):
        figures["matches"] = matches(options)
    if options.only in (None, "values"):
        figures["values"] = values(options)
    if options.only in (None, "wins"):
        figures["wins"] = checked_wins(options.checked)
    if options.only in (None, "matches", "page"):
        figures["curves"] = all_curves(options.runs)
    path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if options.only in (None, "page"):
        write_page(figures)


# --- matches


def matches(options: Any) -> dict[str, dict[str, Any]]:
    """Each policy's strength against search models, by family and run."""
    found: dict[str, dict[str, Any]] = {}
    for family, walls in (("simplified", options.walls), ("guobiao", options.guobiao_walls)):
        runs = sorted(path.parent for path in (options.runs / family).glob("*/policy.npz"))
        found[family] = {run.name: match(family, run, walls, options) for run in runs}
    return found


def match(family: str, run: Path, walls: int, options: Any) -> dict[str, Any]:
    """One policy against copies of the search model."""
    from janshi.arena.match import run_match
    from janshi.arena.plan import Plan
    from janshi.arena.results import DRAWS, SELF_DRAWS, WIN_FAN, WINS
    from janshi.arena.stats import mean
    from janshi.rules.registry import DEFAULTS, make_game

    rules = f"{family}/{DEFAULTS[family]}"
    seats = make_game(rules).players
    contestants = (f"policy:file={run / 'policy.npz'}", "search")
    plan = Plan(rules, contestants, ((0, *[1] * (seats - 1)),), walls, SEED, "permutations")
    results = run_match(plan, options.store / family / run.name, workers=options.workers)
    own = results.seats == 0
    points = results.points[own]
    counters = results.counters[own]
    af, wr = mean(points, results.wall), mean(counters[:, WINS], results.wall)
    told = {
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
    return told


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
    """Hands of self-play, the same share by each trainer's policy, as records with their results.

    The hands that are the first to end are short ones: tables play on until all that were begun have ended.
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
    """Play some hands to their end by sampling the policy; records, players, results, decisions left."""
    import torch

    from janshi.core import rng
    from janshi.learn.ppo import choose, masked
    from janshi.learn.slots import turned
    from janshi.learn.warm_start import count_left, open_decisions, pack

    game, random = trainer.game, torch.Generator().manual_seed(seed)
    states, context = game.new_states(hands), game.new_context()
    seeds = np.array([rng.key(np.uint64(seed), hand, 501) for hand in range(hands)], np.uint64)
    game.start(states, seeds, context)
    rows: list[tuple[Any, ...]] = []
    while True:
        first, tables, players = open_decisions(game, states)
        if not len(tables):
            break
        private, hidden = pack(trainer, states, tables, players)
        with torch.no_grad():
            records = torch.from_numpy(private)
            logs = masked(trainer.policy(records), trainer.encoder.masks(records))
            actions = choose(logs, torch.rand(len(records), generator=random)).numpy()
        rows.append((private, hidden, tables, players))
        game.step(states, first, actions, False, context)
    private, hidden, tables, players = (np.concatenate(part) for part in zip(*rows))
    left = np.zeros(len(tables), np.int64)
    count_left(tables, players, np.zeros((hands, game.players), np.int64), left)
    scores = turned(game.scores(states).astype(np.float64)[tables], players)
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
            told = trainer.critic(torch.from_numpy(part["private"]), torch.from_numpy(part["hidden"]), None)
        value = told[:, 0].numpy().astype(np.float64) / scale
        result = part["scores"][:, 0]
        aim = result * gamma ** part["left"]
        discounted += float(((value - aim) ** 2).sum())
        plain += float(((value - result) ** 2).sum())
        spread += float((aim**2).sum())
        count += len(value)
    return {"discounted": discounted / count, "plain": plain / count, "nothing": spread / count, "decisions": count}


# --- wins counted by another library


def checked_wins(hands: int) -> dict[str, Any]:
    """Wins of the shipped Guobiao policy against search models, their fan compared with PyMahjongGB's."""
    import MahjongGB

    from janshi.agents.registry import make_agent
    from janshi.rules.guobiao.table import Table
    from janshi.rules.registry import make_game

    game = make_game("guobiao/botzone")
    own, other = make_agent("rvr", game), make_agent("search", game)
    told: dict[str, Any] = {"hands": hands, "wins": 0, "agreed": 0, "fan": 0}
    kinds: Counter[str] = Counter()
    for seed in range(hands):
        table = Table(seed=SEED + seed, one_hand=True)
        while not table.hand_over:
            asked = table.asked
            table.step({p: (own if p == seed % 4 else other).answer(table.view(p)) for p in asked})
        result = table.result
        if result is not None and result.win is not None and result.win.player == seed % 4:
            told["wins"] += 1
            told["fan"] += result.win.total
            told["agreed"] += peer_fan(MahjongGB, table, result) == result.win.total
            kinds.update(fan.name for fan, _ in result.win.fans)
    told["kinds"] = dict(kinds.most_common(12))
    print(f"wins: {told}", flush=True)
    return told


def peer_fan(library: Any, table: Any, result: Any) -> int:
    """The fan of a win as PyMahjongGB counts them."""
    from janshi.core.melds import CHI, CONCEALED_KAN, PON
    from janshi.records.botzone_model import TILE_NAMES

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


def wins_lines(told: dict[str, Any]) -> list[str]:
    """The wins in words."""
    if not told:
        return []
    kinds = ", ".join(f"{name} {count}" for name, count in told["kinds"].items())
    mean = told["fan"] / max(told["wins"], 1)
    return [
        f"In {told['hands']} hands against three search models the shipped policy won {told['wins']}, with {mean:.1f} "
        f"fan on average; PyMahjongGB counts the same fan for {told['agreed']} of them. Most frequent: {kinds}.",
        "",
    ]


# --- curves


def all_curves(runs: Path) -> dict[str, dict[str, list[list[float]]]]:
    """Measurements on the way of each run: decisions, seconds, points, wins."""
    found: dict[str, dict[str, list[list[float]]]] = {}
    for family in ("simplified", "guobiao"):
        found[family] = {}
        for path in sorted((runs / family).glob("*/curves.jsonl")):
            rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            found[family][path.parent.name] = [
                [row["decisions"], row["seconds"], row["points"], row["wins"]] for row in rows if "points" in row
            ]
    return found


def variant_of(run: str) -> str:
    """The variant of a run's name."""
    return run.rpartition("-")[0]


def is_seed(run: str) -> bool:
    """Whether a run is one of the comparison, not a longer one."""
    return run.rpartition("-")[2].isdigit()


def mean_curve(runs: dict[str, list[list[float]]], variant: str, column: int) -> list[tuple[float, float]]:
    """Mean over seeds of the points at each measurement, over decisions (0) or seconds (1)."""
    rows = [curve for run, curve in runs.items() if variant_of(run) == variant and is_seed(run)]
    shortest = min(len(curve) for curve in rows)
    stacked = np.array([curve[:shortest] for curve in rows])  # (seeds, measurements, 4)
    return [(float(x), float(y)) for x, y in zip(stacked[:, :, column].mean(0), stacked[:, :, 2].mean(0))]


# --- the page


def write_page(figures: dict[str, Any]) -> None:
    """Put tables and plots into the page."""
    plots = write_plots(figures["curves"])
    lines = [f"Written {about()}: `{COMMAND}`.", "", *simplified_lines(figures), *guobiao_lines(figures)]
    lines += wins_lines(figures.get("wins", {}))
    lines += value_lines(figures.get("values", {}))
    lines += ["### Curves", "", *(f"![{title}](rvr/{name}.svg)" for name, title in plots)]
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(FIRST)
    after = rest.split(LAST)[1]
    PAGE.write_text(before + "\n".join([FIRST, *lines, "", LAST]) + after, encoding="utf-8")
    print(f"wrote {PAGE}")


def about() -> str:
    """Date and machine."""
    return f"{datetime.date.today()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def simplified_lines(figures: dict[str, Any]) -> list[str]:
    """The table of variants in the simplified game: means over seeds."""
    runs = {run: told for run, told in figures["matches"].get("simplified", {}).items() if is_seed(run)}
    by_variant: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for run, told in runs.items():
        by_variant[variant_of(run)].append(told)
    base = by_variant.get("basic")
    lines = [
        "### Simplified game: against two search models",
        "",
        "AF is the mean score of a hand (it sums to zero over the players), WR the share of hands won; intervals are "
        "95 %, by walls, which are the same for all runs. In the last column the paper's gain over RL-basic.",
        "",
        "| variant | seeds | hands each | AF of each seed | AF | WR | drawn | fan of a win | paper's gains: AF, WR |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for variant in NAMES:
        rows = by_variant.get(variant)
        if not rows:
            continue
        each = ", ".join(f"{row['af']:+.2f}" for row in rows)
        paper = ", ".join(PAPER[variant]) if variant in PAPER else ""
        lines.append(
            f"| {NAMES[variant]} | {len(rows)} | {rows[0]['games']:,} | {each} | {joined(rows, 'af')} | "
            f"{joined(rows, 'wr', 100)} % | {100 * np.mean([row['draws'] for row in rows]):.1f} % | "
            f"{np.mean([row['fan_of_win'] for row in rows]):.2f} | {paper} |"
        )
    if base:
        lines += ["", "Difference to RL-basic (means over seeds; 95 % by the spread over seeds):", ""]
        for variant, rows in by_variant.items():
            if variant != "basic" and len(rows) > 1:
                lines.append(
                    f"- {NAMES[variant]}: AF {difference(rows, base, 'af')}, WR {difference(rows, base, 'wr', 100)} %"
                )
    long = {run: told for run, told in figures["matches"].get("simplified", {}).items() if not is_seed(run)}
    for run, told in long.items():
        lines += ["", f"Longer or other run `{run}`: {one(told)}."]
    return [*lines, ""]


def joined(rows: Sequence[dict[str, Any]], name: str, times: float = 1.0) -> str:
    """Mean over seeds with its interval; walls are the same, so errors are not divided by the number of seeds."""
    value = times * float(np.mean([row[name] for row in rows]))
    error = times * float(np.mean([row[f"{name}_error"] for row in rows]))
    return f"{value:+.2f} ± {error:.2f}" if times == 1 else f"{value:.1f} ± {error:.1f}"


def difference(rows: Sequence[dict[str, Any]], base: Sequence[dict[str, Any]], name: str, times: float = 1.0) -> str:
    """Difference of means over seeds, with an interval from the spread over seeds (Student's t)."""
    from janshi.arena.stats import t_quantile

    a, b = (times * np.array([row[name] for row in some]) for some in (rows, base))
    error = sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b))
    return f"{a.mean() - b.mean():+.2f} ± {t_quantile(0.95, len(a) + len(b) - 1) * error:.2f}"


def one(told: dict[str, Any]) -> str:
    """One match in words."""
    return (
        f"AF {told['af']:+.2f} ± {told['af_error']:.2f}, WR {100 * told['wr']:.1f} ± {100 * told['wr_error']:.1f} %, "
        f"{100 * told['draws']:.1f} % drawn, {told['fan_of_win']:.1f} fan a win, {told['games']:,} hands"
    )


def guobiao_lines(figures: dict[str, Any]) -> list[str]:
    """The table of Guobiao runs."""
    runs = figures["matches"].get("guobiao", {})
    curves = figures["curves"].get("guobiao", {})
    lines = [
        "### Guobiao: against three search models",
        "",
        "| run | decisions | seconds | AF | WR | drawn | fan of a win | hands |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for run, told in runs.items():
        decisions, seconds = curves[run][-1][:2] if curves.get(run) else (0, 0)
        lines.append(
            f"| `{run}` | {decisions / 1e6:.0f} M | {seconds:.0f} | {told['af']:+.2f} ± {told['af_error']:.2f} | "
            f"{100 * told['wr']:.1f} ± {100 * told['wr_error']:.1f} % | {100 * told['draws']:.1f} % | "
            f"{told['fan_of_win']:.1f} | {told['games']:,} |"
        )
    return [*lines, ""]


def value_lines(told: dict[str, Any]) -> list[str]:
    """The table of eq. 3."""
    if not told:
        return []
    lines = [
        "### Variance of values (eq. 3), simplified game",
        "",
        f"On the same {told['hands']:,} hands of self-play (a third by each policy); in squared points of the final "
        f"score, at every {EVERY}th decision. The value is trained on the discounted result; zero stands for a network "
        "that says nothing.",
        "",
        "| value network | against the discounted result | against the result | paper |",
        "|---|---|---|---|",
    ]
    names = {"basic": "own view (RL-basic)", "global": "global (RL-global)", "rl1": "relative (RL-1)"}
    first = next(told[name] for name in names if name in told)
    lines.append(f"| zero | {first['nothing']:.2f} | | |")
    for name, title in names.items():
        if name in told:
            row = told[name]
            lines.append(f"| {title} | {row['discounted']:.2f} | {row['plain']:.2f} | {PAPER_VARIANCE[name]} |")
    return [*lines, ""]


# --- plots


def write_plots(curves: dict[str, Any]) -> list[tuple[str, str]]:
    """Learning curves, and strength against device minutes."""
    made = []
    simplified = curves.get("simplified", {})
    variants = [v for v in PLOTTED if any(variant_of(run) == v and is_seed(run) for run in simplified)]
    for column, name, title, per in ((0, "decisions", "million decisions", 1e6), (1, "seconds", "seconds", 1.0)):
        lines = [Line(NAMES[v], [(x / per, y) for x, y in mean_curve(simplified, v, column)]) for v in variants]
        if lines:
            made.append(save_plot(f"simplified-{name}", "Simplified: AF against two search models", title, lines))
    guobiao = curves.get("guobiao", {})
    lines = [Line(run, [(row[0] / 1e6, row[2]) for row in curve]) for run, curve in guobiao.items() if curve]
    if lines:
        made.append(
            save_plot("guobiao-decisions", "Guobiao: AF against three search models", "million decisions", lines[:5])
        )
    lines = [Line(f"guobiao {run}", minutes(curve)) for run, curve in guobiao.items() if curve][:3]
    lines += [
        Line(f"simplified {v}", minutes([[0, s, p] for s, p in mean_curve(simplified, v, 1)])) for v in variants[:1]
    ]
    if lines:
        made.append(save_minutes(lines))
    return made


def minutes(curve: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    """Strength over the logarithm of device minutes."""
    return [(float(np.log10(max(row[1], 1.0) / 60)), row[2]) for row in curve]


def save_plot(name: str, title: str, x_title: str, lines: list[Line]) -> tuple[str, str]:
    """Write a chart."""
    x = axis(x_title, [point[0] for line in lines for point in line.points])
    y = axis("points a hand", [point[1] for line in lines for point in line.points])
    (FOLDER / f"{name}.svg").write_text(chart(title, x, y, lines), encoding="utf-8")
    return name, f"{title}, over {x_title}"


def save_minutes(lines: list[Line]) -> tuple[str, str]:
    """Strength against device minutes on a logarithmic axis, with the paper's cost as a line."""
    title, name = "Strength against device minutes", "minutes"
    y = axis("points a hand", [0.0, *(point[1] for line in lines for point in line.points)])
    paper = float(np.log10(8 * PAPER_MINUTES))
    cost = Line("the paper: 3 days × 8 GPUs", [(paper, y.low), (paper, y.high)], dashed=True)
    x = Axis("log10 of GPU minutes", -2.0, 5.0, [-2, -1, 0, 1, 2, 3, 4, 5])
    (FOLDER / f"{name}.svg").write_text(chart(title, x, y, [*lines, cost]), encoding="utf-8")
    return name, title


def axis(title: str, values: Sequence[float]) -> Axis:
    """An axis that all values fit on, with round ticks."""
    from janshi.arena.svg import Scale

    low, high = min(values), max(values)
    ticks = Scale(low, high, 0, 1).ticks(6)
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
    low, high = step * np.floor(low / step), step * np.ceil(high / step)
    return Axis(title, float(low), float(high), [float(t) for t in np.arange(low, high + step / 2, step).round(6)])


if __name__ == "__main__":
    main()
