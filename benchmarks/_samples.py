"""Hands and wins to measure on, the same for us (arrays) and for the peers (JSON)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from janshi.core.tiles import NUM_IDS, NUM_KINDS, RANKS, SUITS
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.points import ron_payment, tsumo_payment
from janshi.rules.riichi.ruleset import TENHOU
from janshi.rules.riichi.score import score_batch
from janshi.rules.riichi.win import CHI, PON, SCORE_DTYPE, WIN_DTYPE

HAND = 14
COPIES = 4
RED_IDS = (16, 52, 88)
MELD_NAMES = {CHI: "chi", PON: "pon"}
MELD_TYPES = {name: number for number, name in MELD_NAMES.items()}


def random_hands(n: int, seed: int = 1) -> Any:
    """Hands of 14 tiles drawn from a whole set, uint8[n, 34]."""
    rng = np.random.default_rng(seed)
    drawn = rng.random((n, NUM_IDS)).argpartition(HAND, axis=1)[:, :HAND] // COPIES
    hands = np.zeros((n, NUM_KINDS), np.uint8)
    np.add.at(hands, (np.arange(n)[:, None], drawn), 1)
    return hands


@dataclass(frozen=True)
class Wins:
    """Wins that have a yaku, in both forms, with what is paid: by the discarder, or by a non-dealer on self-draw."""

    records: Any  # WIN_DTYPE[n]
    shown: list[dict[str, Any]]
    paid: list[int]


def random_wins(n: int, seed: int = 1) -> Wins:
    """Sets and a pair, some sets called, or seven pairs; red fives, dora, riichi and winds at random."""
    rng = random.Random(seed)
    shown: list[dict[str, Any]] = []
    while len(shown) < n:
        drawn = [_random_win(rng) for _ in range(n)]
        shown += [win for win, paid in zip(drawn, _paid(_records(drawn), drawn)) if paid > 0]
    shown = shown[:n]
    records = _records(shown)
    return Wins(records, shown, _paid(records, shown))


def _random_win(rng: random.Random) -> dict[str, Any]:
    concealed, called = _random_tiles(rng)
    copies = {kind: rng.sample(range(COPIES), COPIES) for kind in range(NUM_KINDS)}
    ids = [COPIES * kind + copies[kind].pop() for kind in concealed]
    melds = [(name, [COPIES * kind + copies[kind].pop() for kind in kinds]) for name, kinds in called]
    return {
        "concealed": sorted(ids),
        "melds": melds,
        "tile": rng.choice(ids),
        "indicators": [rng.randrange(NUM_IDS)],
        "tsumo": rng.random() < 0.4,
        "riichi": not melds and rng.random() < 0.6,
        "seat_wind": rng.randrange(4),
        "round_wind": rng.randrange(2),
    }


def _random_tiles(rng: random.Random) -> tuple[list[int], list[tuple[str, list[int]]]]:
    """Kinds of the concealed tiles and of the melds."""
    while True:
        if rng.random() < 0.05:
            return 2 * rng.sample(range(NUM_KINDS), 7), []
        open_chance = rng.choice((0.0, 0.0, 0.5))
        concealed, called = [rng.randrange(NUM_KINDS)] * 2, []
        for _ in range(4):
            made = _random_set(rng)
            if rng.random() < open_chance:
                called.append(made)
            else:
                concealed += made[1]
        kinds = Counter(concealed + [kind for _, meld in called for kind in meld])
        if max(kinds.values()) <= COPIES:
            return concealed, called


def _random_set(rng: random.Random) -> tuple[str, list[int]]:
    if rng.random() < 0.7:
        low = RANKS * rng.randrange(SUITS) + rng.randrange(RANKS - 2)
        return "chi", [low, low + 1, low + 2]
    return "pon", [rng.randrange(NUM_KINDS)] * 3


def _records(shown: Sequence[dict[str, Any]]) -> Any:
    records = np.zeros(len(shown), WIN_DTYPE)
    for win, record in zip(shown, records):
        ids = win["concealed"] + [i for _, meld in win["melds"] for i in meld]
        kinds = [i // COPIES for i in ids]
        for i in win["concealed"]:
            record["hand"][i // COPIES] += 1
        record["melds"], record["win_kind"] = len(win["melds"]), win["tile"] // COPIES
        for at, (name, meld) in enumerate(win["melds"]):
            record["meld_type"][at], record["meld_kind"][at] = MELD_TYPES[name], min(meld) // COPIES
        for name in ("tsumo", "riichi", "seat_wind", "round_wind"):
            record[name] = win[name]
        record["dora"] = sum(kinds.count(dora_of(i // COPIES)) for i in win["indicators"])
        record["red"] = sum(i in RED_IDS for i in ids)
    return records


def _paid(records: Any, shown: Sequence[dict[str, Any]]) -> list[int]:
    scores = np.zeros(len(records), SCORE_DTYPE)
    score_batch(records, TENHOU.record()[0], scores)
    return [
        0 if base == 0 else int(tsumo_payment(base, dealer, 0) if win["tsumo"] else ron_payment(base, dealer, 0))
        for base, win in zip(scores["base"].tolist(), shown)
        for dealer in [win["seat_wind"] == 0]
    ]
