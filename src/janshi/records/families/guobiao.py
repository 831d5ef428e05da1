"""Guobiao as records know it: Botzone's text."""

from __future__ import annotations

from typing import Final

from janshi.records.botzone.model import HandRecord
from janshi.records.botzone.replay import Recorder
from janshi.records.botzone.text import write_all
from janshi.records.families import NothingToWrite, PlayedGame, RecordFormat, RecordsFamily
from janshi.rules.guobiao.table import Table


def write_hands(played: PlayedGame) -> str:
    """The hands of a game that are over, one after another."""
    table = Table(played.seed, played.game.rules)
    recorder, hands = Recorder(table), list[HandRecord]()
    while not table.over and (chosen := played.steps(table.asked)) is not None:
        if not chosen:
            table.step()
            recorder = recorder if table.over else Recorder(table)
            continue
        recorder.step(chosen)
        if table.hand_over:
            hands.append(recorder.record(f"{played.title}-{len(hands)}"))
    if not hands:
        raise NothingToWrite("no hand is over yet", "no_hand_over")
    return write_all(hands)


FAMILY: Final = RecordsFamily({"botzone": RecordFormat(write_hands)})
