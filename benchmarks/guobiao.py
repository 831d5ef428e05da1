"""How fast Chinese standard mahjong is, compared with PyMahjongGB, in one run on one core.

Without options: measure, print a table, write docs/benchmarks/guobiao.md. Our runs and the peer's take turns on the
same hands, whose answers are compared, and the best of several counts for each.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from _command import command_line, report
from _report import Figure
from _samples import COPIES
from _timing import on_cores, rate
from janshi.core.tables import load_tables
from janshi.core.tiles import NUM_KINDS, RANKS, SUITS
from janshi.rules.batch import Batch
from janshi.rules.guobiao.distance import useful_batch
from janshi.rules.guobiao.evaluate import evaluate_batch
from janshi.rules.guobiao.win import CHI, PON, SCORE_DTYPE, WIN_DTYPE
from janshi.rules.registry import make_game

RULES = "guobiao/botzone"
PEER = "PyMahjongGB"
TABLES = 1024
NAMES = [f"{suit}{rank}" for suit in "WBT" for rank in range(1, 10)] + ["F1", "F2", "F3", "F4", "J3", "J2", "J1"]
SHAPES = (
    "RegularShanten",
    "SevenPairsShanten",
    "ThirteenOrphansShanten",
    "HonorsAndKnittedTilesShanten",
    "KnittedStraightShanten",
)
INTRO = (
    "Speed of Chinese standard mahjong on one core beside PyMahjongGB (C++, called from Python), measured in one run: "
    "both take turns on the same hands and the best run of each counts. Fan are of random wins, shanten and useful "
    "tiles of random hands of 13 in all five shapes. Decisions are of random-legal play with masks, whole games."
)


def random_wins(n: int, seed: int = 1) -> tuple[Any, list[tuple[Any, ...]]]:
    """Wins of sets and a pair, some sets called, or seven pairs: our records and the peer's arguments."""
    rng = random.Random(seed)
    wins, asked = np.zeros(n, WIN_DTYPE).view(np.recarray), []
    for win in wins:
        concealed, melds = _random_tiles(rng)
        won, drawn = rng.choice(concealed), rng.random() < 0.4
        for kind in concealed:
            win.hand[kind] += 1
        win.melds, win.win_kind, win.self_drawn = len(melds), won, drawn
        win.seat_wind, win.round_wind = rng.randrange(4), rng.randrange(4)
        for i, (meld_type, kind) in enumerate(melds):
            win.meld_type[i], win.meld_kind[i] = meld_type, kind
        concealed.remove(won)
        hand, packs = tuple(NAMES[kind] for kind in concealed), tuple(map(_pack, melds))
        winds = int(win.seat_wind), int(win.round_wind)
        asked.append((packs, hand, NAMES[won], 0, drawn, False, False, False, *winds))
    return wins, asked


def _pack(meld: tuple[int, int]) -> tuple[str, str, int]:
    return ("CHI", NAMES[meld[1] + 1], 1) if meld[0] == CHI else ("PENG", NAMES[meld[1]], 1)


def _random_tiles(rng: random.Random) -> tuple[list[int], list[tuple[int, int]]]:
    """Kinds of the concealed tiles, and melds."""
    while True:
        if rng.random() < 0.05:
            return 2 * rng.sample(range(NUM_KINDS), 7), []
        concealed, melds = [rng.randrange(NUM_KINDS)] * 2, []
        kinds = Counter(concealed)
        open_chance = rng.choice((0.0, 0.5, 0.8))
        for _ in range(4):
            run = rng.random() < 0.7
            low = RANKS * rng.randrange(SUITS) + rng.randrange(RANKS - 2) if run else rng.randrange(NUM_KINDS)
            tiles = [low, low + 1, low + 2] if run else [low] * 3
            kinds.update(tiles)
            if rng.random() < open_chance:
                melds.append((CHI if run else PON, low))
            else:
                concealed += tiles
        if max(kinds.values()) <= COPIES and not any(t == PON and k in concealed for t, k in melds):
            return concealed, melds


def in_turn(repetitions: int, ours: Callable[[], float], peer: Callable[[], float] | None) -> tuple[list[float], float]:
    """Runs of ours, and the peer's best."""
    runs, best = [], 0.0
    for _ in range(repetitions):
        runs.append(ours())
        best = max(best, peer() if peer else 0.0)
    return runs, best


def peer_module() -> Any:
    """PyMahjongGB, or None if it is not installed."""
    try:
        import MahjongGB
    except ImportError:
        return None
    return MahjongGB


def figure(metric: str, unit: str, target: float, runs: list[float], peer: float) -> Figure:
    """A figure with the peer's, if it is installed."""
    return Figure(metric, unit, max(runs), target, True, {PEER: peer} if peer else {}, runs=runs)


def fan_figure(seconds: float, repetitions: int) -> Figure:
    """Fan evaluations per second."""
    wins, asked = random_wins(4_000)
    outs, peer = np.zeros(len(wins), SCORE_DTYPE), peer_module()
    evaluate_batch(wins, outs)

    def ours() -> int:
        evaluate_batch(wins, outs)
        return len(wins)

    def theirs() -> int:
        for arguments in asked:
            peer.MahjongFanCalculator(*arguments)
        return len(asked)

    if peer:
        totals = [sum(value for value, _ in peer.MahjongFanCalculator(*arguments)) for arguments in asked]
        assert totals == outs["total"].tolist(), "the peer counts other fan"
    runs, best = in_turn(repetitions, lambda: rate(ours, seconds), (lambda: rate(theirs, seconds)) if peer else None)
    return figure("Fan evaluation", "hands/s", 1_500_000, runs, best)


def useful_figure(seconds: float, repetitions: int) -> Figure:
    """Shanten with useful tiles per second: the nearest of five shapes."""
    hands, t, peer = random_thirteen(4_000), load_tables(), peer_module()
    melds = np.zeros(len(hands), np.uint8)
    found, useful = np.zeros(len(hands), np.int8), np.zeros((len(hands), NUM_KINDS), np.uint8)
    useful_batch(hands, melds, t, found, useful)
    shown = [tuple(NAMES[kind] for kind in range(NUM_KINDS) for _ in range(hand[kind])) for hand in hands]

    def ours() -> int:
        useful_batch(hands, melds, t, found, useful)
        return len(hands)

    def theirs() -> int:
        for tiles in shown:
            nearest(peer, tiles)
        return len(shown)

    if peer:
        same = np.mean([nearest(peer, tiles) == distance for tiles, distance in zip(shown, found)])
        assert same > 0.999, "the peer finds other distances"
    runs, best = in_turn(repetitions, lambda: rate(ours, seconds), (lambda: rate(theirs, seconds)) if peer else None)
    return figure("Shanten with useful tiles", "hands/s", 160_000, runs, best)


def nearest(peer: Any, tiles: tuple[str, ...]) -> int:
    """The peer's shanten of the nearest shape; it also finds the useful tiles."""
    return min(getattr(peer, shape)(tiles)[0] for shape in SHAPES)


def random_thirteen(n: int, seed: int = 1) -> Any:
    """Hands of 13 tiles drawn from a whole set, uint8[n, 34]."""
    rng = random.Random(seed)
    hands = np.zeros((n, NUM_KINDS), np.uint8)
    for hand in hands:
        for tile in rng.sample(range(NUM_KINDS * COPIES), 13):
            hand[tile // COPIES] += 1
    return hands


def decisions_figure(seconds: float, repetitions: int) -> Figure:
    """Decisions per second of random-legal play with masks."""
    batch = Batch(make_game(RULES), TABLES, seed=1)

    def ours() -> int:
        decisions = len(batch)
        batch.step(batch.random_actions())
        return decisions

    for _ in range(100):
        ours()
    runs, _ = in_turn(repetitions, lambda: rate(ours, seconds), None)
    return figure("Decisions, random-legal with masks", "decisions/s", 500_000, runs, 0.0)


def peer_versions() -> dict[str, str]:
    """The peer and its version, if it is installed."""
    try:
        return {PEER: version(PEER)}
    except PackageNotFoundError:
        return {}


def main() -> None:
    """Measure and report."""
    args = command_line(__doc__).parse_args()
    seconds, repetitions = (0.2, 1) if args.quick else (1.0, 5)
    with on_cores(1):
        figures = [measure(seconds, repetitions) for measure in (fan_figure, useful_figure, decisions_figure)]
    heading = "Speed of Chinese standard mahjong"
    report(args, "guobiao", "Chinese standard mahjong", heading, INTRO, figures, peer_versions())


if __name__ == "__main__":
    main()
