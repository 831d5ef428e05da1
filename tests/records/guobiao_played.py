"""Guobiao hands played by built-in players and written down, for tests without real records."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from janshi.records.botzone.log import WALL_SIZES
from janshi.records.botzone.model import HandRecord
from janshi.records.botzone.replay import Recorder
from janshi.rules.guobiao.policies import KernelPlayer
from janshi.rules.guobiao.table import Table


@cache
def played_hand(seed: int, rules: str = "botzone") -> HandRecord:
    """A hand of three greedy players and a random one, with its walls."""
    table = Table(seed=seed, rules=rules, one_hand=True)
    wall = tuple(map(int, table.state["wall"][: WALL_SIZES[table.rules.flowers]]))
    recorder = Recorder(table)
    players = [KernelPlayer("random" if seat == 1 else "greedy", seed + seat) for seat in range(4)]
    while not table.hand_over:
        recorder.step({player: players[player](table, player) for player in table.asked})
    return replace(recorder.record(f"hand-{seed}"), wall=wall)
