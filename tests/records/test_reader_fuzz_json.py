"""Damaged JSON records: values, entries and events changed within well-formed JSON give a record or a `RecordError`."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from effort import effort
from janshi.records import mjai, tenhou6
from janshi.records.formats import Format, get_format
from janshi.records.ids import HandBuilder
from janshi.records.model import DrawRecord, GameRecord, HandRecord, RecordError
from patience import count_calls

MUTATIONS = effort(500, 5000)
"""For every format."""
MOST_CALLS = 2_000_000
"""Functions called while a hand is searched for a way to fit together."""
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 3, 4, 11, 51, 60, 99, 10**30, 1.5, float("nan"), float("inf"), "", "?", "r", "r60"),
    *("c171516", "4747p47", "121212a12", "k51151515", "m39393939", "5mr", "E", "和了", "流局", "立直(1飜)", "点"),
    *([], [0], [[]], [1, 2, 3, 4], [0, 0, 0, "役満32000点"], {}, {"type": "dora"}, {"log": []}, "9" * 400, "麻\x00"),
)


def small_game() -> GameRecord:
    """A game of one hand that ends when player 0 shows nine terminals."""
    tiles = [kind for kind in range(34) for _ in range(4)]
    deals = [tiles[player::10][:13] for player in range(4)]
    builder = HandBuilder(deals, 33, 0, False, "", "")
    builder.draw(0, 32)
    hand = HandRecord(0, 0, 0, (25000,) * 4, builder.indicators[0], builder.deals, builder.events)
    hand.draw = DrawRecord("nine terminals", (0,) * 4, builder.shown([0]))
    record = GameRecord([hand], names=("a", "b", "c", "d"))
    record.rules.red_fives = False
    return record


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything within a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [path] if path else []
    for key, part in inner:
        found += places(part, (*path, key))
    return found


def mutate(chance: random.Random, value: Any, paths: list[tuple[Any, ...]]) -> Any:
    """Change one to four parts of a value: replace, delete, double or exchange them."""
    value = copy.deepcopy(value)
    for _ in range(chance.randint(1, 4)):
        path = chance.choice(paths)
        parent = value
        try:
            for key in path[:-1]:
                parent = parent[key]
            key, kind = path[-1], chance.randrange(5)
            if kind == 0:
                parent[key] = copy.deepcopy(chance.choice(VALUES))
            elif kind == 1:
                del parent[key]
            elif kind == 2 and isinstance(parent, list):
                parent.insert(key, copy.deepcopy(parent[key]))
            elif kind == 3 and isinstance(parent, list):
                other = chance.randrange(len(parent))
                parent[key], parent[other] = parent[other], parent[key]
            elif isinstance(parent[key], int):
                parent[key] += chance.choice((-1, 1, 10, -10))
        except (KeyError, IndexError, TypeError, ValueError):
            pass  # an earlier change has taken the place away
    return value


def check(module: Format, text: str) -> bool:
    """Read a text: whether it is a record; anything but a record or a `RecordError` fails the test."""
    try:
        record = module.read(text, "damaged")
    except RecordError:
        return False
    module.read(module.write(record), "written")
    return True


def originals(shared: Path | None, name: str) -> list[Any]:
    """Games as JSON values."""
    if name == "tenhou6":
        texts = [tenhou6.write(small_game())]
        if shared is not None:
            paths = sorted((shared / "fixtures" / "Equim-chan-mjai-reviewer").glob("*.json"))
            texts += [path.read_text() for path in paths if path.stem != "confusing_nakis_2"]
        return [json.loads(text) for text in texts]
    texts = [mjai.write(small_game())]
    if shared is not None:
        games = originals(shared, "tenhou6")
        texts += [mjai.write(tenhou6.read(json.dumps(game))) for game in games]
    return [[json.loads(line) for line in text.splitlines()] for text in texts]


def fuzz(name: str, games: list[Any], count: int) -> int:
    """Read damaged games; how many were still records."""
    chance, module, read = random.Random(name), get_format(name), 0
    paths = [places(game) for game in games]
    for i in range(count):
        damaged = mutate(chance, games[i % len(games)], paths[i % len(games)])
        lines = damaged if name == "mjai" else [damaged]
        text = "\n".join(map(json.dumps, lines))
        read += check(module, text)
    return read


@pytest.mark.parametrize("name", ["tenhou6", "mjai"])
def test_damaged_real_hands(shared: Path, name: str):
    games = originals(shared, name)
    for game in games:
        assert check(get_format(name), "\n".join(map(json.dumps, game)) if name == "mjai" else json.dumps(game))
    assert 0 < fuzz(name, games, MUTATIONS) < MUTATIONS


@pytest.mark.parametrize("name", ["tenhou6", "mjai"])
def test_damaged_small_game(name: str):
    assert 0 < fuzz(name, originals(None, name), 300) < 300


def test_a_hand_full_of_ambiguous_calls_is_given_up():
    """Two players who could call every discard: the search is bounded."""
    call, entries = "42p4242", [42] * 40
    hand = [[0, 0, 0], [25000] * 4, [11], [], *([[12] * 13, [*entries, call, *entries], entries] * 4), ["流局"]]

    def read() -> None:
        with pytest.raises(RecordError, match=r"do not fit together|there are only"):
            tenhou6.read(json.dumps({"log": [hand]}))

    assert count_calls(read) < MOST_CALLS
