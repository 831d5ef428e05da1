"""A seat's view rebuilt from Botzone's requests must be the engine's, field by field, for any players."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from effort import effort
from janshi.protocols.botzone.lines import Narration, reply_text
from janshi.protocols.botzone.tracker import RequestError, Tracker
from janshi.records.botzone.replay import Recorder
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.policies import KernelPlayer
from janshi.rules.guobiao.ruleset import BOTZONE, Ruleset
from janshi.rules.guobiao.state import KONG_REACTION, NONE, REACTION, TURN
from janshi.rules.guobiao.table import Table
from janshi.rules.guobiao.view import VIEW_DTYPE

FLOWERS = replace(BOTZONE, name="flowers", flowers=True)
COMMON_WALL = replace(BOTZONE, name="common", own_walls=False)
EASY = replace(BOTZONE, name="easy", minimum_fan=0)


def differing(ours: Any, engine: Any) -> list[str]:
    if ours.tobytes() == engine.tobytes():
        return []
    return [name for name in VIEW_DTYPE.names or () if not np.array_equal(ours[name], engine[name])]


class Eager:
    """Calls every tile it can, adds to kongs, and wins only by robbing a kong."""

    def __init__(self, seed: int) -> None:
        self.greedy = KernelPlayer("greedy", seed)

    def __call__(self, table: Table, seat: int) -> int:
        legal = table.legal_actions(seat)
        claims = [a for a in legal if act.PENG <= a < act.HU]
        if table.state["phase"] == KONG_REACTION:
            return legal[0]
        if claims:
            return claims[-1]
        chosen = self.greedy(table, seat)
        return chosen if chosen != act.HU else legal[0] if table.state["phase"] == TURN else act.PASS


class Watched:
    """A table with a tracker at every seat, which gets only its own requests and answers."""

    def __init__(self, seed: int, rules: Ruleset, policies: tuple[str, ...]) -> None:
        self.table = Table(seed=seed, rules=rules)
        self.narration, self.recorder = Narration.of(self.table), Recorder(self.table)
        self.narration.take_all(self.recorder.events)
        self.trackers = [Tracker(rules) for _ in range(4)]
        self.players = [Eager(seed) if p == "eager" else KernelPlayer(p, seed + i) for i, p in enumerate(policies)]
        self.told = 0
        self.looks: Counter[str] = Counter()

    def play(self) -> None:
        while not self.table.hand_over:
            for turn in self.narration.turns[self.told :]:
                for tracker, line in zip(self.trackers, turn):
                    tracker.hear(line)
            self.told = len(self.narration.turns)
            self.compare()
            self.step()

    def compare(self) -> None:
        for seat, tracker in enumerate(self.trackers):
            assert differing(tracker.view(), self.table.view(seat)) == []
            assert tracker.asked == (seat in self.table.asked)
            self.looks["asked" if tracker.asked else "looked on"] += 1
        self.looks[{TURN: "turn", REACTION: "reaction", KONG_REACTION: "kong"}[int(self.table.state["phase"])]] += 1

    def step(self) -> None:
        table = self.table
        actions = {seat: self.players[seat](table, seat) for seat in table.asked}
        after = {a: self.trackers[p].view_after(a) for p, a in actions.items() if act.CHI <= a < act.KONG}
        before = len(self.recorder.events)
        for seat, action in actions.items():
            if not act.CHI <= action < act.KONG:
                self.trackers[seat].said(reply_text(action))
        self.recorder.step(actions)
        if not table.hand_over and table.state["phase"] == TURN and table.state["drawn"] == NONE:
            assert differing(after[actions[table.actor]], table.view(table.actor)) == []
            self.looks["after a call"] += 1
            self.recorder.step({table.actor: self.players[table.actor](table, table.actor)})
        self.narration.take_all(self.recorder.events[before:])


MIXES = [("random",) * 4, ("greedy",) * 4, ("random", "greedy", "eager", "greedy"), ("discard", "random") * 2]


@pytest.mark.parametrize("rules", [BOTZONE, FLOWERS, COMMON_WALL, EASY], ids=lambda rules: rules.name)
def test_views_from_requests_equal_the_engines(rules: Ruleset):
    looks: Counter[str] = Counter()
    games = effort(120, 2400)
    for seed in range(games):
        watched = Watched(seed, rules, MIXES[seed % len(MIXES)])
        watched.play()
        looks += watched.looks
    assert looks["asked"] > 30 * games
    assert looks["looked on"] > 90 * games
    assert looks["reaction"] > games
    assert looks["after a call"] > games


def test_views_when_kongs_can_be_robbed():
    looks: Counter[str] = Counter()
    for seed in (24, 27, 41, 67, 104, 108, 144):
        watched = Watched(seed, EASY, ("eager",) * 4)
        watched.play()
        looks += watched.looks
    assert looks["kong"] > 0


def dealt_tracker(*lines: str) -> Tracker:
    tracker = Tracker()
    for line in ("0 2 1", "1 0 0 0 0 W1 W1 W1 W1 W5 W5 W5 W5 W8 W9 F1 F1 F2", *lines):
        tracker.hear(line)
    return tracker


def test_own_concealed_kong_is_known_from_the_answer():
    tracker = dealt_tracker("2 F3")
    tracker.said("GANG W5")
    tracker.hear("3 2 GANG")
    tracker.hear("2 J1")
    assert tracker.view()["meld_kind"][0, 0] == 4
    assert tracker.view()["after_kong"] == 1


def test_own_concealed_kong_that_may_be_two_must_be_said():
    with pytest.raises(RequestError, match="pass its answers to"):
        dealt_tracker("2 F3", "3 2 GANG")


@pytest.mark.parametrize(
    "line", ["", "4", "2", "2 W0", "2 H9", "3 5 DRAW", "3 0 SING W1", "3 0 PENG W1", "3 0 CHI W2 W1", "x"]
)
def test_invalid_requests_are_refused(line: str):
    with pytest.raises(RequestError, match="request 3"):
        dealt_tracker(line)


def test_the_seat_must_come_first():
    with pytest.raises(RequestError, match="request 1"):
        Tracker().hear("2 W1")
