"""Writers of events: each writes golden playthroughs from their events alone, byte for byte as before.

What is written is pinned by checksums. If one changes on purpose, the failing test prints the new one.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest

from janshi.records.formats import get_format
from janshi.records.model import Kind
from janshi.records.recorder import Recorder, RecordWriter
from janshi.rules import events as ev
from janshi.rules.events import Event
from janshi.show.answers import announced_answers, effective_answers
from janshi.web.live.events import written

sys.path.insert(0, str(Path(__file__).parent / "rules"))

from event_games import FAMILIES, Playthrough, playthroughs

NAMES = ("ann", "bob", "cid", "dee")


def checksum(texts: Iterable[str]) -> str:
    """The first digits of a checksum of texts."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def events_of(playthrough: Playthrough) -> list[list[Event]]:
    """The events of a playthrough by steps: all that a writer is given."""
    return list(playthrough.events())


def flat(steps: list[list[Event]]) -> list[Event]:
    return [event for events in steps for event in events]


# --- riichi's records and mjai

RECORDS = {"mjlog": "160ae45b1b5424d4", "tenhou6": "0de3a8e9105d809f", "mjai": "f1454d143de7b140"}


@pytest.mark.parametrize("format", RECORDS)
def test_riichi_records(format: str):
    texts = []
    for playthrough in playthroughs("riichi"):
        writer = RecordWriter(playthrough.table.rules, NAMES)
        writer.take_all(flat(events_of(playthrough)))
        texts.append(get_format(format).write(writer.record()))
    assert checksum(texts) == RECORDS[format]


def test_mjai_messages_as_each_seat_sees_them():
    from janshi.protocols.mjai.events import Narrator, masked

    texts = []
    for playthrough in playthroughs("riichi"):
        table, recorder = playthrough.table, Recorder(playthrough.table, NAMES)
        narrator = Narrator(recorder)
        messages = narrator.news()
        for given in playthrough.answers:
            recorder.step(given)
            if table.hand_over:
                recorder.step()
            messages += narrator.news()
        texts += [json.dumps(masked(message, seat)) for message in messages for seat in range(4)]
    assert checksum(texts) == "d7371b21763bef25"


def test_the_indicator_of_an_open_kan_stands_before_the_discard_as_tenhou_has_it():
    found = 0
    for playthrough in playthroughs("riichi"):
        steps = events_of(playthrough)
        writer = RecordWriter(playthrough.table.rules, NAMES)
        writer.take_all(flat(steps))
        told = [event.kind for hand in writer.record().hands for event in hand.events]
        for events in steps:
            if [type(event) for event in events[:2]] == [ev.Discard, ev.Indicator]:
                found += 1
        assert (Kind.DISCARD, Kind.DORA) not in pairwise(told)
    assert found, "no playthrough has a kan whose indicator waits for the discard"


# --- Botzone


def test_botzone_records_and_requests():
    from janshi.protocols.botzone.lines import Narration
    from janshi.records.botzone.log import write
    from janshi.records.botzone.replay import HandWriter
    from janshi.records.botzone.text import write_all

    texts = []
    for playthrough in playthroughs("guobiao"):
        writer = HandWriter()
        writer.take_all(flat(events_of(playthrough)))
        record = writer.record(playthrough.name)
        narration = Narration(record.wind, record.deals)
        narration.take_all(record.events)
        texts += [write_all([record]), write(record), *("\n".join(turn) for turn in narration.turns)]
    assert checksum(texts) == "97f24818a53c780f"


# --- the page and the terminal

PAGE = {"riichi": "ce25b0f078cc030a", "guobiao": "53b79c381b417d1c", "simplified": "62e2693d10c046d3"}
TERMINAL = {"riichi": "cd86f23f18d59018", "guobiao": "9576486da8d65dca", "simplified": "823f8ddf400a21bc"}


@pytest.mark.parametrize("family", PAGE)
def test_messages_of_the_page(family: str):
    texts = []
    for playthrough in playthroughs(family):
        game = playthrough.table.game
        for events in events_of(playthrough):
            for viewer in (None, *range(game.players)):
                texts += [json.dumps(written(events, game, viewer, shown)) for shown in (False, True)]
    assert checksum(texts) == PAGE[family]


@pytest.mark.parametrize("family", PAGE)
def test_messages_of_the_page_hide_what_a_viewer_may_not_know(family: str):
    for playthrough in playthroughs(family)[:4]:
        game = playthrough.table.game
        for events in events_of(playthrough):
            for viewer in (None, *range(game.players)):
                for message in written(events, game, viewer):
                    if message["type"] == "draw":
                        assert ("tile" in message) == (message["seat"] == viewer)
                    if message["type"] == "kan" and family == "guobiao" and message["kind"] == "concealed_kan":
                        assert (message["tile"] is not None) == (message["seat"] == viewer)


@pytest.mark.parametrize("family", TERMINAL)
def test_what_the_terminal_hears(family: str):
    texts = []
    for playthrough in playthroughs(family):
        names = playthrough.table.game.action_names
        for events in events_of(playthrough):
            for answers in (effective_answers(events), announced_answers(events)):
                texts.append(", ".join(f"{said.seat} {names[said.action]}" for said in answers))
    assert checksum(texts) == TERMINAL[family]


def test_the_terminal_hears_all_who_would_win_and_no_weaker_claim():
    ron, pon, chi = ev.Answer(2, 117), ev.Answer(3, 45), ev.Answer(1, 39)
    win = ev.Win(0, 1, 5, 1000, ron.action, (ron, pon))
    assert effective_answers([win]) == [ev.Answer(0, ron.action), ron]
    assert announced_answers([win]) == [ev.Answer(0, ron.action), ron, pon]
    call = ev.Call(3, 0, ev.PON, 5, (5, 5), pon.action, (chi,))
    assert effective_answers([call]) == [pon]
    assert announced_answers([call]) == [chi, pon]


def test_every_family_has_playthroughs():
    assert all(playthroughs(family) for family in FAMILIES)
