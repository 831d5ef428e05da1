"""A match that is killed at any moment loses no finished game, and goes on to the same end."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.store import MatchStore

KILLS = 20
PLAN = Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), walls=20_000, seed=11)
SCRIPT = """
import sys
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.units import Options

if __name__ == "__main__":
    run_match(Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), walls=1))
    plan = Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), walls=20_000, seed=11)
    print("ready", flush=True)
    run_match(plan, sys.argv[1], workers=int(sys.argv[2]), options=Options(tables=1))
"""


def test_a_match_killed_twenty_times_has_every_game_once(tmp_path):
    dice = random.Random(5)
    finished = 0
    for kill in range(KILLS):
        workers = 2 if kill % 5 == 4 else 1
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(tmp_path / "m"), str(workers)],
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert process.stdout.readline() == b"ready\n"
        time.sleep(dice.uniform(0.02, 0.7))
        os.kill(process.pid, signal.SIGKILL)  # the workers are left to find out
        process.wait()
        process.stdout.close()
        if (tmp_path / "m" / "match.json").exists():
            done = MatchStore(tmp_path / "m").done()
            assert len(done) >= finished, "a finished game was lost"
            finished = len(done)
    results = run_match(PLAN, tmp_path / "m")
    assert (results.game == range(len(PLAN))).all()
    assert results.same_games(run_match(PLAN))
    assert 0 < finished < len(PLAN), f"{finished} games before the last run: the kills did not fall into the match"
    assert not list((tmp_path / "m").rglob("*.tmp"))
