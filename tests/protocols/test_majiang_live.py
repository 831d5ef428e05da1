"""majiang-ai at our own tables: whole hands without a fault, the same with events line by line or in batches."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from majiang_replay import ready_command

from janshi.agents.registry import make_agent
from janshi.protocols.mjai.events import Narrator
from janshi.protocols.mjai.process import MjaiProcessBot
from janshi.records.recorder import Recorder
from janshi.rules.riichi.table import Table
from patience import PATIENCE

NAMES = ("a", "b", "c", "d")


def play(seats: Sequence[int], seed: int, reply: str, round: int = 0) -> Recorder:
    """Play one hand with majiang-ai at some seats and greedy at the others; a fault of a bot fails the test."""
    table = Table(seed=seed, round=round, one_hand=True)
    greedy = make_agent("greedy", table.game)
    recorder = Recorder(table, NAMES)
    narrator = Narrator(recorder)
    bots = {
        seat: MjaiProcessBot(ready_command(), seconds=PATIENCE, start_seconds=PATIENCE, reply=reply) for seat in seats
    }
    try:
        for seat, bot in bots.items():
            bot.begin(table, seat, NAMES)
        while not table.over:
            news = narrator.news()
            for bot in bots.values():
                bot.tell(news)
            players = {p: bots[p].ask(table, p) if p in bots else greedy.answer(table.view(p)) for p in table.asked}
            recorder.step(players or None)
    finally:
        for bot in bots.values():
            bot.close()
    return recorder


@pytest.mark.parametrize("reply", ["always", "auto", "batch"])
def test_plays_a_hand_among_others(reply: str):
    """One seat, dealt by another player, so that seats and winds differ."""
    played = play([3], seed=5, reply=reply, round=1)
    assert played.table.result is not None


def test_four_play_the_same_hand_however_events_arrive():
    by_line = play(range(4), seed=11, reply="always")
    in_batches = play(range(4), seed=11, reply="batch")
    assert by_line.actions == in_batches.actions
    assert len(by_line.actions) > 20
