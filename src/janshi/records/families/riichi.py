"""Riichi as records know it: Tenhou's formats and mjai."""

from __future__ import annotations

from functools import partial
from typing import Final

from janshi.records.families import NothingToWrite, PlayedGame, RecordFormat, RecordsFamily
from janshi.records.formats import get_format
from janshi.records.recorder import Recorder
from janshi.rules.riichi.table import Table


def write_record(played: PlayedGame, format: str) -> str:
    """The hands of a game that are over, in one of the record formats."""
    recorder = Recorder(Table(played.seed, played.game.rules, **(played.start or {})), played.names)
    table = recorder.table
    while not table.over and (chosen := played.steps(table.asked)) is not None:
        recorder.step(chosen or None)
    record = recorder.record()
    if table.asked:  # the last hand is still being played
        record.hands.pop()
    if not record.hands:
        raise NothingToWrite("no hand is over yet", "no_hand_over")
    return get_format(format).write(record)


FAMILY: Final = RecordsFamily(
    {
        "mjlog": RecordFormat(partial(write_record, format="mjlog"), "mjlog", "application/xml"),
        "tenhou6": RecordFormat(partial(write_record, format="tenhou6"), "json", "application/json"),
        "mjai": RecordFormat(partial(write_record, format="mjai"), "jsonl", "application/x-ndjson"),
    },
    usual="mjai",
)
