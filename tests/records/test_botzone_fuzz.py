"""Damaged Botzone records: every change gives hands or a `RecordError`, and so does replaying them."""

from __future__ import annotations

import json
import random
from contextlib import suppress

import pytest
from guobiao_played import played_hand
from test_reader_fuzz_json import mutate, places

from effort import effort
from janshi.records.botzone import log, text
from janshi.records.botzone.describe import hand_lines
from janshi.records.botzone.model import TILE_NAMES, Act, HandRecord
from janshi.records.botzone.replay import replay_any_way
from janshi.records.botzone.stats import Tally
from janshi.records.model import RecordError

MUTATIONS = effort(60, 5000)
SEEDS = (1, 3, 7)
WORDS = (*TILE_NAMES[::5], *Act, "Player", "Ignore", "Match", "Wind", "Score", "Huang", "Fan", "-1", "4", "9" * 40, "")
REQUESTS = (
    "2 W1",
    "3 0 DRAW",
    "3 1 PLAY B2",
    "3 9 PENG T1",
    "3 2 CHI W2 W1",
    "3 3 GANG",
    "3 0 BUGANG F1",
    "3",
    "x y",
    "",
)


def use(hands: list[HandRecord]) -> None:
    """Do with hands what the commands do."""
    for number, hand in enumerate(hands, 1):
        Tally().add(hand)
        assert list(hand_lines(hand, number))
        with suppress(RecordError):
            replay_any_way(hand)


@pytest.mark.parametrize("seed", SEEDS)
def test_damaged_texts(seed: int):
    chance = random.Random(seed)
    lines = text.write(played_hand(seed)).splitlines()
    refusals = []
    for _ in range(MUTATIONS):
        damaged = [line.split() for line in lines]
        for _ in range(chance.randint(1, 3)):
            line = chance.choice(damaged)
            kind = chance.randrange(4)
            if kind == 0 and line:
                line[chance.randrange(len(line))] = chance.choice(WORDS)
            elif kind == 1 and line:
                del line[chance.randrange(len(line))]
            elif kind == 2:
                damaged.insert(chance.randrange(len(damaged)), list(line))
            else:
                damaged.remove(line)
        try:
            hands = text.read_all("\n".join(map(" ".join, damaged)), "x.txt")
        except RecordError as refused:
            refusals.append(str(refused))
            continue
        use(hands)
    assert MUTATIONS // 20 < len(refusals) < MUTATIONS
    assert all(refusal.startswith("x.txt: ") for refusal in refusals)


@pytest.mark.parametrize("seed", SEEDS)
def test_damaged_logs(seed: int):
    chance = random.Random(seed)
    document = json.loads(log.write(played_hand(seed)))
    paths = places(document)
    refusals = []
    for _ in range(MUTATIONS):
        damaged = mutate(chance, document, paths)
        if chance.random() < 0.5:
            swap_request(chance, damaged)
        try:
            hands = log.read_all(json.dumps(damaged), "x.json")
        except RecordError as refused:
            refusals.append(str(refused))
            continue
        use(hands)
    assert MUTATIONS // 20 < len(refusals) < MUTATIONS
    assert all(refusal.startswith("x.json: ") for refusal in refusals)


def swap_request(chance: random.Random, damaged: object) -> None:
    """Change a request or an answer into another of the protocol."""
    entries = damaged.get("log") if isinstance(damaged, dict) else None
    entry = chance.choice(entries) if isinstance(entries, list) and entries else None
    if isinstance(entry, dict) and isinstance(entry.get("output"), dict):
        entry = entry["output"].get("content")
    if isinstance(entry, dict):
        seat = chance.choice("0123")
        old = entry.get(seat)
        entry[seat] = {**old, "response": chance.choice(REQUESTS)} if isinstance(old, dict) else chance.choice(REQUESTS)


@pytest.mark.parametrize("content", ['{"log": ' + "[" * 5000 + "]" * 5000 + "}", '{"log": [' + "9" * 5000 + "]}"])
def test_hostile_json(content: str):
    with pytest.raises(RecordError):
        log.read(content)
