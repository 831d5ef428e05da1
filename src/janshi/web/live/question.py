"""Questions put to people, and the clock that runs while they think."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from janshi.web.choices import Choice, choices
from janshi.web.live.play import DEALS, Play
from janshi.web.reader import TURN
from janshi.web.store import Answer


@dataclass
class Ask:
    """A question put to a person."""

    id: int
    """Counts the questions of this seat only, so that it does not reveal how many others were asked."""
    choices: list[Choice]
    answered: asyncio.Future[Answer]
    since: float = field(default_factory=time.monotonic)
    timer: asyncio.TimerHandle | None = None
    deadline: float | None = None

    @property
    def left(self) -> float | None:
        """Seconds until the substitute answers, if there is a clock."""
        return None if self.deadline is None else round(max(0.0, self.deadline - time.monotonic()), 2)

    def stop_clock(self) -> None:
        """Cancel the substitute that would answer for the person."""
        if self.timer is not None:
            self.timer.cancel()


def put(play: Play, seat: int) -> Ask:
    """The question that the table has for a seat."""
    return Ask(play.asked_before[seat], choices_of(play, seat), asyncio.get_running_loop().create_future())


def choices_of(play: Play, seat: int) -> list[Choice]:
    """The choices of a seat; if discards do not distinguish it, the drawn tile is marked."""
    found, drawn = choices(play.table, seat), play.table.drawn
    if play.phase == TURN and drawn is not None and all(choice["kind"] != "tsumogiri" for choice in found):
        text = play.game.tile_texts[drawn]
        for choice in found:
            if choice["kind"] == "discard" and choice["tile"] == text:
                choice["drawn"] = True
    return found


class TimeControl(NamedTuple):
    """Seconds for every decision, and a reserve that is full at the start of each hand."""

    base: float
    extra: float


class Clock:
    """What is left of everybody's reserve; without a time control it never runs out."""

    def __init__(self, control: dict[str, Any] | None, people: list[int]) -> None:
        self.control = TimeControl(**control) if control else None
        self.people = people
        self.reserve = dict.fromkeys(people, 0.0)

    def refill(self, answers: Iterable[Answer]) -> None:
        """Give everybody the full reserve, less what this hand has already used."""
        self.reserve = dict.fromkeys(self.people, self.control.extra if self.control else 0.0)
        if self.control is None:
            return
        given = list(answers)
        begun = max((answer.step for answer in given if answer.seat == DEALS), default=-1)
        for answer in given:
            if answer.step > begun:
                self.spend(answer)

    def spend(self, answer: Answer) -> None:
        """Subtract the time of an answer from the reserve."""
        if answer.seat in self.reserve:
            self.reserve[answer.seat] = max(0.0, self.reserve[answer.seat] - answer.spent)

    def spent(self, ask: Ask) -> float:
        """Seconds of the reserve that a question has taken so far."""
        return max(0.0, time.monotonic() - ask.since - self.control.base) if self.control else 0.0

    def seconds(self, seat: int) -> float | None:
        """How long a seat may think now."""
        return self.control.base + self.reserve[seat] if self.control else None

    def as_json(self, seat: int | None) -> dict[str, float] | None:
        """The clock as sent to a player."""
        if self.control is None or seat not in self.reserve:
            return None
        return {"base": self.control.base, "extra": round(self.reserve[seat], 2)}
