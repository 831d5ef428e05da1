"""Drills against the clock: the discard that keeps the most useful tiles, and the safest discard against a threat.

The server stores nothing about a running drill: each question is recreated from its number when the answer comes.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from math import prod
from typing import Any, Final

from janshi.core.tiles import NUM_KINDS, Tile, format_tiles, kind_of, sort_tiles
from janshi.rules.riichi.hand import Hand
from janshi.web.practice.problems import ProblemSet, discards
from janshi.web.practice.shapes import DrillRow

KINDS: Final = ("efficiency", "defence")
FAR: Final = (1, 2, 3)
"""Shanten of the hands that are asked about."""
FULL_HAND: Final = 14
COPIES: Final = 4
EQUALLY_SAFE: Final = 0.005
"""Dangers that differ by less count as equal."""
KIND_TEXTS: Final = tuple(format_tiles([kind]) for kind in range(NUM_KINDS))


def efficiency_hand(number: int) -> Hand:
    """A closed hand of 14 tiles, one to three tiles from waiting; the same for the same number."""
    dice = random.Random(number)
    far = dice.choice(FAR)
    wall = [kind for kind in range(NUM_KINDS) for _ in range(COPIES)]
    while True:
        hand = Hand(format_tiles(sort_tiles(dice.sample(wall, FULL_HAND))))
        if hand.shanten() == far:
            return hand


def efficiency_rows(hand: Hand) -> list[DrillRow]:
    """Every discard: shanten after it and useful tiles left; the best first, and marked."""
    found = []
    for kind in sorted({kind_of(tile) for tile in hand.tiles}):
        after = hand.discard(Tile(kind))
        left = sum(after.useful_tiles([kind]).values())
        found.append((after.shanten(), -left, kind))
    found.sort()
    best = found[0][:2]
    return [
        {"tile": KIND_TEXTS[kind], "right": (shanten, less) == best, "shanten": shanten, "left": -less, "danger": None}
        for shanten, less, kind in found
    ]


def defence_problem(problems: ProblemSet, number: int) -> str | None:
    """The problem of a number: a position with a threat; None if the set has none."""
    threats = problems.threats()
    return random.Random(number).choice(threats) if threats else None


def defence_rows(decision: Mapping[str, Any]) -> list[DrillRow]:
    """Every discard with the chance that it deals in, by the models of opponents; the safest first, and marked."""
    danger = decision["opponents"]["danger"]
    chance = {kind: 1.0 - prod(1.0 - row[kind] for row in danger) for kind in range(NUM_KINDS)}
    found = sorted((chance[KIND_TEXTS.index(tile)], tile) for tile in discards(decision))
    least = found[0][0]
    return [
        {"tile": tile, "right": risk <= least + EQUALLY_SAFE, "shanten": None, "left": None, "danger": round(risk, 4)}
        for risk, tile in found
    ]
