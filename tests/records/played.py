"""Whole games played by built-in players and written down, for tests and benchmarks without real records."""

from __future__ import annotations

from functools import cache

from janshi.records.formats import get_format
from janshi.records.model import GameRecord
from janshi.records.recorder import Recorder
from janshi.rules.riichi.policies import KernelPlayer
from janshi.rules.riichi.ruleset import TENHOU_EAST
from janshi.rules.riichi.table import Table

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


def played_name(seed: int, year: int = 2019) -> str:
    """A file's name, as Tenhou's: `2019010100gm-0001-0000-0000002a.mjlog`."""
    return f"{year}010100gm-0001-0000-{seed:08x}.mjlog"
