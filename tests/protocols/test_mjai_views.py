"""The key test of our agents as mjai bots: views rebuilt from one seat's events equal the engine's, field by field."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from effort import effort
from janshi.protocols.mjai.actions import action_of, message_of
from janshi.protocols.mjai.events import Narrator, masked
from janshi.protocols.mjai.tracker import Tracker
from janshi.records.recorder import Recorder
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.policies import KernelPlayer
from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, TENHOU_NO_RED, Ruleset
from janshi.rules.riichi.state import KAN_REACTION
from janshi.rules.riichi.table import Table

EAGER = (act.TSUMO, act.RON, act.RIICHI, act.OPEN_KAN, *range(act.CONCEALED_KAN, act.TSUMO))


def differing(ours: np.void, theirs: np.void) -> list[str]:
    """Names of the fields in which two views differ."""
    return [name for name in ours.dtype.names if not np.array_equal(ours[name], theirs[name])]


class Watched:
    """A game whose every question is compared with four trackers, each fed with its own seat's events."""

    def __init__(self, rules: Ruleset, seed: int) -> None:
        self.table = Table(seed, rules)
        self.recorder = Recorder(self.table, "abcd")
        self.narrator = Narrator(self.recorder)
        self.trackers = [Tracker(self.table.game) for _ in range(4)]
        self.seen: Counter[str] = Counter()

    def step(self, choose) -> None:
        for event in self.narrator.news():
            for seat, tracker in enumerate(self.trackers):
                assert tracker.see(masked(event, seat))
        table = self.table
        for seat, tracker in enumerate(self.trackers):
            assert tracker.asked == (seat in table.asked), f"seat {seat} at {table}"
            if tracker.asked:
                self.compare(seat, tracker)
        self.recorder.step({seat: choose(table, seat) for seat in table.asked} or None)

    def compare(self, seat: int, tracker: Tracker) -> None:
        view, rebuilt = self.table.view(seat), tracker.view()
        assert differing(view, rebuilt) == [], f"seat {seat} of\n{self.table}"
        self.seen["question"] += 1
        self.seen["robbing"] += int(view["phase"]) == KAN_REACTION
        self.seen["furiten"] += int(view["furiten"])
        self.seen["ippatsu"] += int(view["ippatsu"].any())
        for action in self.table.legal_actions(seat):
            message = message_of(action, view)
            assert action_of(message, rebuilt) == action
            self.seen[message["type"]] += 1


def choosers(seed: int):
    chance, greedy = random.Random(seed), KernelPlayer("greedy", seed)

    def anything(table: Table, seat: int) -> int:
        return chance.choice(table.legal_actions(seat))

    def eager(table: Table, seat: int) -> int:
        legal = table.legal_actions(seat)
        wanted = [action for action in legal if action in EAGER]
        if wanted and chance.random() < 0.7:
            return chance.choice(wanted)
        return greedy(table, seat) if chance.random() < 0.9 else chance.choice(legal)

    return anything, greedy, eager


@pytest.mark.parametrize("rules", [TENHOU, TENHOU_NO_RED, MAHJONG_SOUL, MLEAGUE], ids=lambda rules: rules.name)
def test_views_equal_the_engines(rules: Ruleset):
    seen: Counter[str] = Counter()
    for seed in range(effort(4, 60)):
        watched = Watched(rules, seed)
        choose = choosers(seed)[seed % 3]
        while not watched.table.over:
            watched.step(choose)
        seen += watched.seen
    print(rules.name, seen)
    assert seen["question"] > 1400
    for kind in ("dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "reach", "hora", "none", "furiten", "ippatsu"):
        assert seen[kind] > 0, kind
