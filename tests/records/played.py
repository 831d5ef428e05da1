"""Whole games played by built-in players and written down, for tests and benchmarks without real records."""

from __future__ import annotations

import base64
from functools import cache
from typing import Any

from janshi.records import mjlog
from janshi.records.formats import get_format
from janshi.records.model import GameRecord, GameRules, HandRecord
from janshi.records.recorder import Recorder
from janshi.records.replay import follow_hands
from janshi.records.walls import BASE64_KIND, PLAIN_KIND, tenhou_wall_2009, tenhou_walls
from janshi.rules.riichi.policies import KernelPlayer
from janshi.rules.riichi.ruleset import TENHOU_EAST
from janshi.rules.riichi.table import Table

SEED = f"{BASE64_KIND},{base64.b64encode(bytes(i % 251 for i in range(4 * 624))).decode()}"
NAMES = ("ann", "bob", "cid", "dee", "eve", "fay", "gus", "hal")


@cache
def played_game(seed: int, hands: int | None = None) -> GameRecord:
    """An East game of greedy players; a few hands of it with `hands`."""
    table = Table(seed, TENHOU_EAST)
    players = [KernelPlayer("greedy", seed + i) for i in range(4)]
    recorder = Recorder(table, [NAMES[(seed + i) % len(NAMES)] for i in range(4)])
    while not table.over and not (table.hand_over and len(recorder.hands) == hands):
        recorder.step({player: players[player](table, player) for player in table.asked})
    record = recorder.record()
    record.rules.tenhou_type = 1
    record.dans, record.rates, record.sexes = (10,) * 4, (1500.0,) * 4, ("M",) * 4
    record.lobby, record.version = 0, "2.3"
    return record


def played_text(seed: int, format: str = "mjlog", hands: int | None = None) -> bytes:
    """The same, written in a format."""
    return get_format(format).write(played_game(seed, hands)).encode()


@cache
def seeded_game(hands: int = 3, year: int = 2020) -> GameRecord:
    """Hands of greedy players on the walls of a seed, read as an mjlog; in 2009 every hand had a seed of its own."""
    words = ",".join(f"{2654435761 * i % 2**32:08X}" for i in range(1, 9))
    shuffles = [f"{PLAIN_KIND},{number:08X},{words}" for number in range(hands)]
    seeded = tenhou_walls(SEED, hands) if year > 2009 else list(map(tenhou_wall_2009, shuffles))
    record = GameRecord([], GameRules(rounds=1, level=0, tenhou_type=1), NAMES[:4], complete=False, version="2.3")
    situation = {"scores": (25_000,) * 4, "round": 0, "honba": 0, "sticks": 0}
    for number, made in enumerate(seeded):
        hand = played_hand(made.wall.tolist(), situation)
        hand.dice = made.dice
        record.hands.append(hand)
        if year <= 2009:
            hand.extra["shuffle"] = shuffles[number]
        (after,) = follow_hands([hand], TENHOU_EAST).read()
        situation = {"scores": tuple(after.scores), "round": after.next_kyoku, "honba": after.next_honba}
        situation["sticks"] = after.sticks
    record.seed = SEED if year > 2009 else None
    return mjlog.read(mjlog.write(record), "seeded.mjlog")


def played_hand(wall: list[int], situation: dict[str, Any]) -> HandRecord:
    """A hand of greedy players on a wall."""
    table = Table(0, TENHOU_EAST, wall=wall, one_hand=True, **situation)
    players = [KernelPlayer("greedy", seat) for seat in range(4)]
    recorder = Recorder(table, NAMES[:4])
    while not table.hand_over and not table.over:
        recorder.step({player: players[player](table, player) for player in table.asked})
    return recorder.record().hands[0]


def played_name(seed: int, year: int = 2019) -> str:
    """A file's name, as Tenhou's: `2019010100gm-0001-0000-0000002a.mjlog`."""
    return f"{year}010100gm-0001-0000-{seed:08x}.mjlog"
