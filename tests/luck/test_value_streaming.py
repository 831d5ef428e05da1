"""Training on games that are played meanwhile: the same examples as from stored games, learned from once, in pieces."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs PyTorch")

from janshi.luck.fitting import streaming
from janshi.luck.fitting.self_play import TABLES, play_table, self_play
from janshi.luck.fitting.streaming import Stream, StreamConfig, StreamTrainer, rules_of_unit
from janshi.luck.fitting.training import CriticConfig, Walker
from janshi.luck.value import fingerprints

RULES = "riichi/tenhou_east"
SMALL = CriticConfig(wide=48, deep=32, joint=24, batch=128, draws=0.5, styles=True)
PLAYED = StreamConfig((RULES,), 5, games=4)


class Clock:
    """Goes on whenever it is looked at, so that machines of any speed learn as much in a minute."""

    def __init__(self, tick: float) -> None:
        self.now, self.tick = 0.0, tick

    def monotonic(self) -> float:
        """Seconds."""
        self.now += self.tick
        return self.now


def test_units_take_the_tables_in_turn_on_walls_of_their_own():
    units = [play_table(RULES, unit, 2, 3) for unit in (0, 1, len(TABLES))]
    assert units[0].names[0] == units[2].names[0] != units[1].names[0]
    assert len(set(np.concatenate([fingerprints(unit) for unit in units]).tolist())) == 6
    whole = self_play(RULES, 2 * len(TABLES), 3)
    assert np.array_equal(fingerprints(whole)[:4], np.concatenate([fingerprints(unit) for unit in units[:2]]))


def test_every_table_plays_by_all_rules():
    config = replace(PLAYED, rules=("east", "east", "south"))
    met = [(number % len(TABLES), rules_of_unit(config, number)) for number in range(3 * len(TABLES))]
    assert len(set(met)) == 2 * len(TABLES)
    assert sum(rules == "south" for _, rules in met) == len(TABLES)


def test_a_stream_gives_the_examples_of_its_games():
    stream = Stream(PLAYED, SMALL)
    try:
        stream.begin(7)
        units = stream.units()
        for number in (7, 8, 9, 10):
            unit = next(units)
            played = play_table(RULES, number, 4, 5)
            walker = Walker(played, SMALL.draws, len(played.hands), True, SMALL.unknown)
            assert (unit.number, unit.games, unit.hands) == (number, 4, len(played.hands))
            for one, two in zip(unit.examples, walker.examples(5 + number, 0)):
                assert np.array_equal(one, two)
    finally:
        stream.close()


def test_a_failing_process_is_reported(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(streaming, "PATIENCE", 0.2)
    stream = Stream(PLAYED, SMALL)
    try:
        stream._processes[0].terminate()
        with pytest.raises(RuntimeError, match=r"process 0 exited with code"):
            next(stream.units())
    finally:
        stream.close()


def test_training_on_a_stream_learns_and_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(streaming, "MIXED", 1500)
    monkeypatch.setattr(streaming, "time", Clock(0.005))
    told: list[str] = []
    trainer = StreamTrainer(SMALL, replace(PLAYED, games=10), tmp_path)
    trainer.run(0.03, told.append)
    first = dict(trainer.seen)
    assert first["games"] == 10 * first["units"] > 0
    assert first["examples"] % SMALL.batch == 0
    assert "who" in told[-1]
    again = StreamTrainer(SMALL, replace(PLAYED, games=10), tmp_path)
    assert again.seen == first
    again.run(0.1, told.append)
    assert again.seen["games"] > first["games"]
    assert again.seconds >= 6.0
    finished = StreamTrainer(SMALL, replace(PLAYED, games=10), tmp_path)
    finished.run(0.1, told.append)
    assert finished.seen == again.seen, "a run that is over learns no more"
    losses = [float(line.split("who ")[1].split(",")[0]) for line in told]
    assert losses[-1] < 2.75 < np.log(17), "less than not knowing anything"
