"""Records of single hands played at a table in a test: the table's own `step` writes them down."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from janshi.records import recorder as recording
from janshi.records.model import HandRecord
from janshi.rules.riichi.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "rules" / "riichi"))


class Recorder:
    """Puts a recorder in the place of a table's `step`, for the helpers that play scenes."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.recorder = recording.Recorder(table)
        table.step = self.step  # type: ignore[method-assign]

    def step(self, answers: Any = None) -> None:
        del self.table.step  # type: ignore[method-assign]
        try:
            self.recorder.step(answers)
        finally:
            self.table.step = self.step  # type: ignore[method-assign]

    def record(self) -> HandRecord:
        """The record of the hand, which is over."""
        hand = self.recorder.hands[-1]
        assert hand.wins or hand.draw, "the hand is not over"
        return hand
