"""Measure the strategist and other players against copies of `search`, and write the table of docs/strategist.md.

Every player plays the same walls from every seat, with the search model in all other seats. Points are given as played
and without the luck of deals and draws; intervals are 95 %, by wall. Matches are stored in `--store` and can be
continued. All figures go to docs/rvr/figures.json; with --dry, nothing is written. With --calibrate, the losses that
the strategist predicts are compared with what options really lose in new hands with exploration.

    python scripts/measure_strategist.py --store matches --walls 20000
    python scripts/measure_strategist.py --calibrate 100000
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from _page import table, when_and_where, write_between
from janshi.agents.strategist.agent import StrategistAgent
from janshi.agents.strategist.options import Options
from janshi.arena.match import Options as MatchOptions
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.results import DEAL_INS, WINS
from janshi.arena.stats import mean
from janshi.learn.strategist.calibration import groups_of, slope_of
from janshi.learn.strategist.config import StrategistConfig
from janshi.learn.strategist.evidence import Collector, join
from janshi.learn.strategist.network import with_floor
from janshi.luck.match_luck import adjust_results
from janshi.luck.points.matches import score_point_match
from janshi.luck.types import POINTS
from janshi.rules.registry import find_family, make_game

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE, FIGURES = DOCS / "strategist.md", DOCS / "rvr" / "figures.json"
FIRST, LAST = "<!-- strength: {} -->", "<!-- end of strength -->"
COMMAND = "python scripts/measure_strategist.py"
OPPONENT = "search"
PLAYERS = ["strategist", "rvr", "search", "greedy"]
HEADINGS = ["player", "hands", "points a hand", "without luck", "won", "deals in"]
SEED = 20_26
CALIBRATED = "<!-- calibration -->", "<!-- end of calibration -->"
BOUNDS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2.0, 10.0)
"""Bounds of groups of predicted losses."""
EXPLORED = 0.1
"""Share of the decisions in which any option is played, when losses are tested."""
PIECE = 10_000
"""Hands played at once."""


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="*", default=PLAYERS)
    parser.add_argument("--rules", default="simplified/paper")
    parser.add_argument("--walls", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--store", type=Path, default=Path("matches"), help="directory for the matches")
    parser.add_argument("--calibrate", type=int, default=0, metavar="HANDS", help="only test predicted losses")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--dry", action="store_true", help="print only, do not write the page and the figures")
    return parser.parse_args()


def match(player: str, options: Any) -> dict[str, Any]:
    """The figures of one player against copies of the search model."""
    seats = make_game(options.rules).players
    plan = Plan(
        options.rules, (player, OPPONENT), ((0, *[1] * (seats - 1)),), options.walls, options.seed, "permutations"
    )
    name = f"{find_family(options.rules).name}-{player.replace('/', '_').replace(':', '_')}"
    results = run_match(plan, options.store / name, workers=options.workers, options=MatchOptions(keep_actions=True))
    luck, _ = score_point_match(plan, results)
    own = results.seats == 0
    free = adjust_results(results, plan, luck, "", measure=POINTS).contestants[0].adjusted
    rows = {
        "points": mean(results.points[own], results.wall),
        "without luck": free,
        "won": mean(results.counters[own][:, WINS], results.wall),
        "deals in": mean(results.counters[own][:, DEAL_INS], results.wall),
    }
    return {"hands": int(own.sum()), "walls": options.walls, "seed": options.seed} | {
        key: [round(one.value, 5), round(one.half_width, 5)] for key, one in rows.items()
    }


def row(player: str, found: dict[str, Any]) -> list[str]:
    """A row of the table."""
    points = [f"{found[key][0]:+.3f} ± {found[key][1]:.3f}" for key in ("points", "without luck")]
    shares = [f"{100 * found[key][0]:.2f} ± {100 * found[key][1]:.2f} %" for key in ("won", "deals in")]
    return [f"`{player}`", f"{found['hands']:,}", *points, *shares]


def main() -> None:
    """Play all matches and write the table."""
    options = parse()
    family, found = find_family(options.rules).name, dict[str, Any]()
    if options.calibrate:
        calibrate(options)
        return
    for player in options.players:
        found[player] = match(player, options)
        print(" | ".join(row(player, found[player])), flush=True)
    if options.dry:
        return
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    kept = figures.setdefault("against search", {}).setdefault(family, {})
    kept |= found
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    rows = table(HEADINGS, [row(player, one) for player, one in kept.items()], tight=True)
    write_between(PAGE, FIRST.format(family), LAST, f"Measured {when_and_where()}: `{COMMAND}`.\n\n{rows}\n")


def calibrate(options: Any) -> None:
    """Compare predicted losses with what options lose, in hands that nothing was fitted to."""
    game = make_game(options.rules)
    agent, config = StrategistAgent(game), StrategistConfig(rules=options.rules, seed=options.seed)
    collector = Collector(game, config)

    def chances(some: Options) -> Any:
        return with_floor(some, agent.values(some.rows).astype(np.float64) / config.temperature, EXPLORED)

    parts = [collector.play(chances, PIECE, number)[0] for number in range(-(-options.calibrate // PIECE))]
    evidence = join(parts)
    worths = agent.values(evidence.options.rows.astype(np.float32))
    slope, groups = slope_of(evidence, worths), groups_of(evidence, worths, BOUNDS)
    rows = [
        [
            f"{one.low:g} – {one.high:g}",
            f"{one.chosen:,}",
            f"{one.predicted:.3f}",
            f"{one.found:.3f} ± {1.96 * one.error:.3f}",
        ]
        for one in groups
    ]
    text = table(["predicted loss, points", "played", "mean prediction", "lost"], rows, tight=True)
    text += f"\n\nPoints lost for each predicted one: **{slope.value:.2f} ± {1.96 * slope.error:.2f}**."
    print(text)
    if not options.dry:
        command = f"{COMMAND} --calibrate {options.calibrate}"
        write_between(PAGE, *CALIBRATED, f"Measured {when_and_where()}: `{command}`, seed {options.seed}.\n\n{text}\n")


if __name__ == "__main__":
    main()
