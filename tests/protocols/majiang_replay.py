"""A bot's replies along recorded games: what it would do at every question, seat by seat, and whether it may."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from janshi.protocols import majiang
from janshi.protocols.mjai.actions import action_of, message_of
from janshi.protocols.mjai.events import NOTHING, masked
from janshi.records.follow import AGREED
from janshi.records.mjai.writer import to_events
from janshi.records.model import GameRecord
from janshi.records.replay import follow_game, rules_of, start_table
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import KAN_REACTION, PLAYERS, REACTION, TURN
from janshi.rules.riichi.table import Table
from patience import PATIENCE

Event = dict[str, Any]
ASKING = {
    TURN: ("tsumo", "chi", "pon", "reach"),
    REACTION: ("dahai",),
    KAN_REACTION: ("kakan", "ankan"),
}
"""The events after which a table in each phase waits for answers."""


def ready_command() -> list[str]:
    """The command that starts majiang-ai; the test is skipped where it cannot be had."""
    reason = majiang.available()
    if reason:
        pytest.skip(reason)
    try:
        return majiang.command()
    except majiang.MajiangError as wrong:
        if "network" in str(wrong):
            pytest.skip(f"majiang-ai is not installed and cannot be fetched: {wrong}")
        raise


class Answered(NamedTuple):
    """One reply of a bot to one event."""

    event: Event
    seat: int
    reply: Event
    action: int
    recorded: int
    """What the player of the record did."""
    drawn: int
    """The tile just drawn, if any."""
    choices: int
    """How many legal actions there were; 0 if the player was not asked."""
    fault: str
    """What is wrong with the reply; nothing, most of all."""


def replies(command: list[str], lines: list[Any]) -> list[Event]:
    """What a bot answers to lines of events, one reply a line; fails if it does not end well."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=PATIENCE)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"{answers[-1:]} {done.stderr}"
    assert len(answers) == len(lines), f"{len(lines)} lines, {len(answers)} replies: {done.stderr}"
    return answers


def answers_along(command: list[str], record: GameRecord) -> Iterator[Answered]:
    """Every reply of a bot that sits at each seat of a recorded game in turn, beside the engine's menus."""
    events = to_events(record)
    told = [replies(command, [masked(event, seat) for event in events]) for seat in range(PLAYERS)]
    for i, (event, table, recorded) in enumerate(_questions(record, events)):
        for seat in range(PLAYERS):
            reply = told[seat][i]
            if seat in recorded:
                yield _judged(event, seat, reply, table, recorded[seat])
            else:
                yield Answered(event, seat, reply, -1, -1, -1, 0, "" if reply == NOTHING else "was not asked")


def _judged(event: Event, seat: int, reply: Event, table: Table, recorded: int) -> Answered:
    """A reply at a table: legal, and the very message that its action is written as."""
    view = table.view(seat)
    try:
        action, fault = action_of(reply, view), ""
    except ValueError as wrong:
        action, fault = -1, str(wrong)
    if not fault and _bare(reply) != _bare(message_of(action, view)):
        fault = f"expected {message_of(action, view)}"
    return Answered(event, seat, reply, action, recorded, int(view["drawn"]), len(table.legal_actions(seat)), fault)


def _bare(message: Event) -> Event:
    return {**message, "consumed": sorted(message.get("consumed", ())), "reason": ""}


def _questions(record: GameRecord, events: list[Event]) -> Iterator[tuple[Event, Table, dict[int, int]]]:
    """Every event with the table after it and the recorded answer of each player who is asked."""
    rules, followed, number = rules_of(record), follow_game(record), -1
    assert (followed.outcomes["code"] == AGREED).all(), "the record itself breaks the rules"
    table = Table(rules=rules)
    answers: list[int] = []
    for event in events:
        if event["type"] == "start_kyoku":
            number += 1
            table = start_table(record.hands[number], rules, followed.hands["wall"][number].tolist())
            answers = followed.answers(number).tolist()
        if event["type"] not in ASKING.get(int(table.state["phase"]), ()):
            yield event, table, {}
            continue
        given = dict(zip(table.asked, answers))
        del answers[: len(given)]
        yield event, table, given
        table.step(given)


class Tally(NamedTuple):
    """Replies counted over a game."""

    decisions: int
    faults: list[Answered]
    discards: int
    same: int
    kinds: Counter[str]


def tally(command: list[str], record: GameRecord) -> Tally:
    """Count a bot's replies along a game: faults, and discards like those of the record."""
    decisions = discards = same = 0
    faults: list[Answered] = []
    kinds: Counter[str] = Counter()
    for answered in answers_along(command, record):
        if answered.fault:
            faults.append(answered)
        if answered.choices:
            decisions += 1
            kinds[answered.reply["type"]] += 1
        if answered.choices > 1 and 0 <= max(answered.action, answered.recorded) <= act.TSUMOGIRI:
            discards += 1
            chosen, recorded = (
                answered.drawn if a == act.TSUMOGIRI else a for a in (answered.action, answered.recorded)
            )
            same += chosen == recorded
    return Tally(decisions, faults, discards, same, kinds)
