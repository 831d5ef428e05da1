"""Races: compared with the public engine with three greedy players who never win; and what the learner gets."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from janshi.agents.base import Asked
from janshi.agents.registry import make_agent
from janshi.features.planes import encoder
from janshi.learn.race import LASTING, lasting
from janshi.learn.self_play import SelfPlay
from janshi.learn.slots import Ready, Slots
from janshi.rules.game import Array
from janshi.rules.guobiao.actions import HU, PASS, WORD
from janshi.rules.guobiao.policies import KernelPlayer
from janshi.rules.guobiao.state import TURN
from janshi.rules.guobiao.table import Table
from janshi.rules.registry import make_game

GROUP = 4


class Race:
    """A race as the public engine plays it, one answer at a time."""

    greedy = KernelPlayer("greedy")

    def __init__(self, seed: int, learner: int) -> None:
        self.table, self.learner = Table(seed), learner
        self.could_win = self.could_call = 0
        self.answer(None)

    def answer(self, action: int | None) -> None:
        """The learner's action, if asked, then the others' until the learner is asked again."""
        table = self.table
        while table.asked and (action is not None or self.learner not in table.asked):
            answers = {player: self.other(player) for player in table.asked if player != self.learner}
            if self.learner in table.asked:
                assert action is not None
                answers[self.learner], action = action, None
            table.step(answers)

    def other(self, player: int) -> int:
        """What a greedy player does who may neither win nor call."""
        table, can_win = self.table, self.table.is_legal(player, HU)
        self.could_win += can_win
        if table.state["phase"] != TURN:
            self.could_call += not can_win
            return PASS
        if can_win:
            table = table.copy()
            table.state["legal"][player, HU // WORD] &= ~(1 << HU % WORD)
        return self.greedy(table, player)

    @property
    def result(self) -> list[float]:
        """What the race is worth to each seat."""
        table, found = self.table, [0.0] * 4
        if table.state["winner"] == self.learner:
            share = shares_left(table.state["turns"] / 4)
            found[self.learner] = (table.scores[self.learner] + 10) * float(share)
        return found


def shares_left(turns: Any) -> Any:
    """Shares of hands that three others have not won after each number of turns."""
    return np.interp(turns, np.arange(len(LASTING)), LASTING ** (3 / 4))


class Play:
    """Races in groups, each beside its slow twin. One table of each group is played well, the others at random."""

    def __init__(self, tables: int, well: str = "", threads: int = 1) -> None:
        self.game, self.encoder = make_game("guobiao"), encoder("guobiao")
        self.agent = make_agent(well, self.game) if well else None
        self.slots = Slots(tables * 200, self.game.players)
        self.tables = SelfPlay(
            self.game,
            self.encoder,
            self.slots,
            tables,
            seed=3,
            duplicates=GROUP,
            race=True,
            pool=ThreadPoolExecutor(threads - 1) if threads > 1 else None,
            threads=threads,
        )
        self.rng = np.random.default_rng(1)
        self.ended: list[Race] = []
        """In the order in which their groups ended."""
        self.walls: list[list[Race]] = [[] for _ in range(tables // GROUP)]
        """One race for each wall that a group has played."""
        self.twins = [self.twin(table) for table in range(tables)]
        for group in range(tables // GROUP):
            self.begin(group)
        self.check()

    def twin(self, table: int) -> Race:
        return Race(int(self.tables.stepper.states["seed"][table]), int(self.tables.learner[table]))

    def actions(self) -> Array:
        """An action for each open decision."""
        open_ = self.tables.stepper
        masks = self.game.masks_of_views(open_.views())
        actions = np.array([self.rng.choice(np.flatnonzero(mask)) for mask in masks], np.int64)
        well = np.flatnonzero(open_.tables % GROUP == 0)
        if self.agent is not None and len(well):
            words = np.zeros(len(well), np.uint64)
            actions[well] = self.agent.act(Asked(self.game, open_.views(well), words, open_.tables[well]))
        return actions

    def step(self) -> None:
        """A step of all tables and of their twins."""
        t, actions = self.tables, self.actions()
        t.pack(np.zeros((t.count, self.encoder.private_bytes), np.uint8), None)
        for table, action in zip(t.stepper.tables.tolist(), actions.tolist()):
            self.twins[table].answer(action)
        t.step(actions)
        for group, walls in enumerate(self.walls):
            here = range(group * GROUP, (group + 1) * GROUP)
            if not any(self.twins[table].table.asked for table in here):
                self.ended += [self.twins[table] for table in here]
                walls.append(self.twins[here[0]])
                self.begin(group)
        self.check()

    def begin(self, group: int) -> None:
        """A group has begun a new wall: all its tables with the same learner and the same position."""
        t, here = self.tables, range(group * GROUP, (group + 1) * GROUP)
        assert len({int(t.learner[table]) for table in here}) == 1
        states = t.stepper.states
        assert len({states[table].tobytes() for table in here}) == 1
        assert states["seed"][here[0]] not in [race.table.state["seed"] for race in self.ended]
        for table in here:
            self.twins[table] = self.twin(table)

    def check(self) -> None:
        """Every table stands as its twin does, and only learners are asked."""
        t = self.tables.stepper
        assert (t.players == self.tables.learner[t.tables]).all()
        assert t.tables.tolist() == [i for i, twin in enumerate(self.twins) if twin.table.asked]
        for i, twin in enumerate(self.twins):
            assert t.states[i].tobytes() == twin.table.state.tobytes(), f"table {i}"


@pytest.fixture(scope="module")
def played() -> Play:
    """Races that `check` compared with their twins at every step."""
    play = Play(32, "rvr")
    while min(len(walls) for walls in play.walls) < 4:
        play.step()
    return play


@pytest.fixture(scope="module")
def ready(played: Play) -> Ready:
    return played.slots.take(10**6)


def test_the_others_are_greedy_and_never_win_or_call(played: Play) -> None:
    assert sum(race.could_win for race in played.ended) > 50
    assert sum(race.could_call for race in played.ended) > 500
    called = 0
    for race in played.ended:
        s = race.table.state
        assert s["winner"] in (-1, race.learner)
        assert all(s["melds"][player] == 0 for player in range(4) if player != race.learner)
        called += int(s["melds"][race.learner])
    assert called > 50


def test_learners_have_every_seat_in_turn(played: Play) -> None:
    for walls in played.walls:
        learners = [race.learner for race in walls]
        assert sorted(learners[:4]) == [0, 1, 2, 3]
        assert learners == [(learners[0] + n) % 4 for n in range(len(learners))]
    assert np.bincount([walls[0].learner for walls in played.walls]).tolist() == [2, 2, 2, 2]


def test_only_the_learners_decisions_are_learned_from(played: Play, ready: Ready) -> None:
    learners = np.array([race.learner for race in played.ended])
    assert (ready.player == learners[ready.hand]).all()
    assert (np.diff(ready.first) > 0).all()


def test_the_learners_win_pays_by_how_early_it_comes(played: Play, ready: Ready) -> None:
    wanted = np.array([race.result for race in played.ended])
    np.testing.assert_allclose(ready.scores, wanted, rtol=1e-5)
    winners = np.array([race.table.state["winner"] for race in played.ended])
    assert (winners >= 0).sum() >= 10
    assert (ready.scores[winners < 0] == 0).all()
    won = ready.scores[winners >= 0]
    assert (won[np.arange(len(won)), winners[winners >= 0]] > 0).all()
    assert ((won > 0).sum(1) == 1).all()


def test_hands_know_how_their_wall_ended_elsewhere(ready: Ready) -> None:
    groups = ready.scores.reshape(-1, GROUP, 4)
    told = ready.elsewhere.reshape(-1, GROUP, 4)
    assert (told > 0).any()
    for here in range(GROUP):
        others = [other for other in range(GROUP) if other != here]
        np.testing.assert_allclose(told[:, here], groups[:, others].mean(1), rtol=1e-5)


def test_how_long_hands_last_lies_on_straight_lines() -> None:
    turns = np.linspace(0, len(LASTING) + 3, 400)
    assert [lasting(float(at)) for at in turns] == pytest.approx(shares_left(turns).tolist())
    assert lasting(5.0) == pytest.approx(0.982**0.75)
    assert lasting(100.0) == pytest.approx(0.001**0.75)


def test_races_on_several_threads_are_the_same() -> None:
    play = Play(12, threads=3)
    assert len(play.tables.stepper.parts) == 3
    for _ in range(60):
        play.step()
    assert len(play.ended) > 0


def test_tables_go_on_from_checkpoints_made_before_there_were_races() -> None:
    one, two = (SelfPlay(make_game("guobiao"), encoder("guobiao"), Slots(999, 4), 8, seed=s) for s in (1, 2))
    one.tables["final"] = np.arange(32).reshape(8, 4) - 16
    one.decided[0] = 2**64 - 5
    state = {name: array for name, array in one.state().items() if name != "learner"}
    words = state["decided"].view(np.int64)  # as a checkpoint keeps them
    two.load({**state, "final": state["final"].astype(np.int32), "decided": words})
    assert two.tables.tobytes() == one.tables.tobytes()
    assert (two.decided == one.decided).all()
    assert two.stepper.states.tobytes() == one.stepper.states.tobytes()
    assert (two.stepper.players == one.stepper.players).all()
