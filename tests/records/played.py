"""Whole games played by built-in players and written down, for tests and benchmarks without real records."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from recorder import Recorder

from janshi.records.formats import get_format
from janshi.records.meld_code import encode_meld
from janshi.records.model import GameRecord, GameRules, HandRecord, Kind
from janshi.rules.riichi.policies import KernelPlayer
from janshi.rules.riichi.ruleset import TENHOU_EAST
from janshi.rules.riichi.table import Table

NAMES = ("ann", "bob", "cid", "dee", "eve", "fay", "gus", "hal")
LIMITS = ("", "mangan", "haneman", "baiman", "sanbaiman", "counted yakuman", "yakuman")
MELDS = (Kind.CHI, Kind.PON, Kind.OPEN_KAN, Kind.CONCEALED_KAN, Kind.ADDED_KAN)


@cache
def played_game(seed: int, hands: int | None = None) -> GameRecord:
    """An East game of greedy players; a few hands of it with `hands`."""
    table = Table(seed, TENHOU_EAST)
    players = [KernelPlayer("greedy", seed + i) for i in range(4)]
    told: list[HandRecord] = []
    while not table.over and (hands is None or len(told) < hands):
        told.append(_played_hand(table, players))
        table.step()
    names = tuple(NAMES[(seed + i) % len(NAMES)] for i in range(4))
    record = GameRecord(told, GameRules(rounds=1, level=0, tenhou_type=1), names, (10,) * 4, (1500.0,) * 4, ("M",) * 4)
    record.lobby, record.version, record.complete = 0, "2.3", table.over
    if table.over:
        record.final_scores = tuple(table.scores)
        record.final_points = tuple(float(points) for points in table.final_points())
    return record


def _played_hand(table: Table, players: list[KernelPlayer]) -> HandRecord:
    step, recorder = table.step, Recorder(table)
    while not table.hand_over:
        table.step({player: players[player](table, player) for player in table.asked})
    hand = recorder.record()
    table.step = step  # type: ignore[method-assign]
    assert table.result is not None
    if hand.draw is not None and table.result.tenpai:
        hand.draw.shown = {player: tuple(recorder.hands[player]) for player in table.result.tenpai}
    for win, ours in zip(hand.wins, table.result.wins):
        win.limit = min(LIMITS.index(ours.report.limit), LIMITS.index("counted yakuman"))
        melds = [event for event in hand.events if event.player == win.winner and event.kind in MELDS]
        added = {event.tile // 4 for event in melds if event.kind == Kind.ADDED_KAN}
        shown = [e for e in melds if not (e.kind == Kind.PON and e.tile // 4 in added)]
        win.melds = tuple(encode_meld(event) for event in shown)
    return hand


def played_text(seed: int, format: str = "mjlog", hands: int | None = None) -> bytes:
    """The same, written in a format."""
    return get_format(format).write(played_game(seed, hands)).encode()


def played_name(seed: int, year: int = 2019) -> str:
    """A file's name, as Tenhou's: `2019010100gm-0001-0000-0000002a.mjlog`."""
    return f"{year}010100gm-0001-0000-{seed:08x}.mjlog"
