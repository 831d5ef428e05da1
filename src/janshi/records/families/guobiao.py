"""Guobiao as records know it: Botzone's text and match log."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from janshi.records.botzone import log, text
from janshi.records.botzone.model import HandRecord
from janshi.records.botzone.replay import Recorder
from janshi.records.families import NothingToWrite, PlayedGame, RecordFormat, RecordsFamily
from janshi.rules.guobiao.table import Table


def hands_over(played: PlayedGame) -> list[HandRecord]:
    """The hands of a game that are over; raises `NothingToWrite` if there are none."""
    table = Table(played.seed, played.game.rules, **(played.start or {}))
    recorder, hands = Recorder(table), list[HandRecord]()
    while not table.over and (chosen := played.steps(table.asked)) is not None:
        if not chosen:
            table.step()
            recorder = recorder if table.over else Recorder(table)
            continue
        recorder.step(chosen)
        if table.hand_over:
            hands.append(replace(recorder.record(f"{played.title}-{len(hands)}"), wall=recorder.wall))
    if not hands:
        raise NothingToWrite("no hand is over yet", "no_hand_over")
    return hands


def write_text(played: PlayedGame) -> str:
    """The hands of a game that are over, one after another."""
    return text.write_all(hands_over(played))


def write_log(played: PlayedGame) -> str:
    """Botzone's match log of a game of one hand."""
    return log.write_all(hands_over(played)) + "\n"


FAMILY: Final = RecordsFamily(
    {"botzone": RecordFormat(write_text)},
    further={"botzone_log": RecordFormat(write_log, "json", "application/json")},
)
