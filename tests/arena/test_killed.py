"""A match that is killed at any moment loses no finished game, and continues to the same end."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from effort import effort
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.store import MatchStore
from patience import wait_until

KILLS = effort(4, 30)
PLAN = Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), walls=2000, seed=11)
SCRIPT = """
import sys
from janshi.arena import match
from janshi.arena.plan import Plan
from janshi.arena.units import Options

match.FLUSH_SECONDS = 0.0  # every game is a part of its own, so that a kill falls into the writing of one
if __name__ == "__main__":
    plan = Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), walls=2000, seed=11)
    match.run_match(plan, sys.argv[1], workers=int(sys.argv[2]), options=Options(tables=1))
"""


def last_part(folder: Path) -> int:
    """Number of the last part that the match has written."""
    return max((int(part.stem.partition("-")[2]) for part in folder.glob("games/part-*.parquet")), default=0)


def play_and_kill(folder: Path, workers: int, parts: int, later: float) -> None:
    """Let a match go on until it has written some parts more, then kill it; its workers are left to find out."""
    enough = last_part(folder) + parts
    command = [sys.executable, "-c", SCRIPT, str(folder), str(workers)]
    with subprocess.Popen(command, start_new_session=True) as process:
        wait_until(lambda: last_part(folder) >= enough or process.poll() is not None, "games are stored", every=0.002)
        time.sleep(later)
        os.kill(process.pid, signal.SIGKILL)


def test_a_match_killed_many_times_has_every_game_once(tmp_path: Path):
    dice, folder, finished = random.Random(5), tmp_path / "m", 0
    for kill in range(KILLS):
        play_and_kill(folder, 2 if kill % 3 == 2 else 1, dice.randint(1, 6), dice.uniform(0, 0.05))
        done = MatchStore(folder).done()
        assert len(done) > finished, "a finished game was lost, or none was played"
        finished = len(done)
    assert finished < len(PLAN), "the kills did not fall into the match"
    results = run_match(PLAN, folder)
    assert (results.game == range(len(PLAN))).all()
    assert results.same_games(run_match(PLAN))
    assert not list(folder.rglob("*.tmp"))
