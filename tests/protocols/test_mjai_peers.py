"""The arena of PyPI's `mjai`, with Mortal's rules engine, plays a game between four of our bots, each a process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PEERS = HERE.parent.parent / ".venv-peers" / "bin" / "python"


@pytest.mark.skipif(not PEERS.exists(), reason="needs the peers' environment: `make peers`")
def test_a_game_in_another_arena():
    if subprocess.run([PEERS, "-c", "import mjai.mlibriichi"], capture_output=True, check=False).returncode:
        pytest.skip("the peers' environment holds no mjai: `make peers`")
    ours = [sys.executable, "-m", "janshi", "bot", "mjai", "--agent", "greedy"]
    done = subprocess.run([PEERS, HERE / "peer_match.py", "3", *ours], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stderr == "", "no warning of ours"
    told = json.loads(done.stdout.splitlines()[-1])
    (scores,) = {tuple(scores) for scores in told["scores"].values()}
    assert sum(scores) in (100_000, *(100_000 - 1000 * sticks for sticks in range(1, 5)))
    assert min(told["answers"]) > 50
